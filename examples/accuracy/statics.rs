//! Shapes at rest: under gravity, pulled, standing on the floor.

use crate::lab::{Lab, Outcome};
use crate::measure::Trial;
use crate::reference::*;
use crate::table::Row;
use glam::DVec3;
use webgpu_softbody::settings::Environment;

/// Relative error allowed in a static shape at ν.
pub fn static_goal(nu: f64) -> Option<f64> {
    Some(if nu <= 0.45 { 0.01 } else { 0.03 })
}

fn farthest(a: &[DVec3], b: &[DVec3]) -> f64 {
    let distances = a.iter().zip(b).map(|(a, b)| a.distance(*b));
    distances.fold(0.0, f64::max)
}

/// Root mean square distance over the vertices in use, relative to the farthest displacement.
fn shape_error(model: &Model, found: &[DVec3], expected: &[DVec3], size: f64) -> f64 {
    let used: Vec<usize> = (0..found.len())
        .filter(|&v| model.masses[v] > 0.0)
        .collect();
    let square = |v: &usize| found[*v].distance_squared(expected[*v]);
    (used.iter().map(square).sum::<f64>() / used.len() as f64).sqrt() / size
}

/// Hanging under gravity from its pins: tip and whole shape.
pub fn hang(lab: &mut Lab, trial: &Trial) -> Outcome<Vec<Row>> {
    let Trial {
        specimen, e, nu, ..
    } = *trial;
    let model = specimen.model(e, nu);
    let expected = lab.equilibrium(specimen, e, nu)?;
    let (omega, material) = trial.calming(lab)?;
    let environment = Environment {
        gravity: model.gravity.to_array(),
        floor: None,
    };
    lab.load(specimen, trial.way, material, environment)?;
    let settled = lab.settle(&model.rest, specimen.size(), omega)?;
    let size = farthest(&expected, &model.rest);
    let tip = match specimen.tip.is_empty() {
        false => specimen.tip.clone(),
        true => (0..expected.len())
            .max_by(|&a, &b| {
                let moved = |v: usize| expected[v].distance(model.rest[v]);
                moved(a).total_cmp(&moved(b))
            })
            .into_iter()
            .collect(),
    };
    let moved = |x: &[DVec3]| Model::mean(x, &tip) - Model::mean(&model.rest, &tip);
    let (found, wanted) = (moved(&settled.positions), moved(&expected));
    let error = found.distance(wanted) / wanted.length();
    let note = format!(
        "g {:.4}, tip {:.3}× {}",
        model.gravity.length(),
        found.dot(wanted) / wanted.length_squared(),
        settled.note
    );
    let shape = shape_error(&model, &settled.positions, &expected, size);
    let errors = [
        ("tip", error, static_goal(nu)),
        ("shape RMS", shape, static_goal(nu)),
    ];
    trial.rows(lab, trial.case("static"), &errors, &note, f64::INFINITY)
}

/// Lateral stretch that leaves the sides of a bar free of stress when it is stretched to `axial`:
/// 2μ(s−1) + λ(J−1) axial s = 0 with J = axial s².
fn lateral_stretch(lame: Lame, axial: f64) -> f64 {
    let stress =
        |s: f64| 2.0 * lame.mu * (s - 1.0) + lame.lambda * (axial * s * s - 1.0) * axial * s;
    let (mut low, mut high) = (0.5, 1.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if stress(middle) > 0.0 {
            high = middle;
        } else {
            low = middle;
        }
    }
    0.5 * (low + high)
}

/// A cube pulled at both faces. Free: the faces contract as a bar does, and the whole must be the homogeneous stretch.
/// Gripped: the faces keep their size.
pub fn pull(lab: &mut Lab, trial: &Trial, axial: f64, gripped: bool) -> Outcome<Vec<Row>> {
    let Trial {
        specimen, e, nu, ..
    } = *trial;
    let mut model = specimen.model(e, nu);
    model.gravity = DVec3::ZERO;
    let lateral = lateral_stretch(model.lame, axial);
    let foundation = lab.foundation(specimen, nu)?;
    let side = if gripped { 1.0 } else { lateral };
    // Pinned faces where they belong; the rest has still to contract.
    let start: Vec<DVec3> = (0..model.rest.len())
        .map(|v| {
            let side = if model.pinned[v] { side } else { 1.0 };
            model.rest[v] * DVec3::new(axial, side, side)
        })
        .collect();
    let expected = match gripped {
        true => minimise(&model, &foundation.factor, &start)?.positions,
        false => (model.rest.iter())
            .map(|x| *x * DVec3::new(axial, lateral, lateral))
            .collect(),
    };
    let (omega, material) = trial.calming(lab)?;
    let space = Environment {
        gravity: [0.0; 3],
        floor: None,
    };
    lab.load(specimen, trial.way, material, space)?;
    lab.set_state(&start, &vec![DVec3::ZERO; start.len()])?;
    let settled = lab.settle(&start, specimen.size(), omega)?;
    // Strain is what the errors are relative to.
    let strain = axial - 1.0;
    let waist = |x: &[DVec3]| {
        let middle: Vec<f64> = (0..x.len())
            .filter(|&v| (model.rest[v].x - 0.5).abs() < 1e-6)
            .map(|v| x[v].y)
            .collect();
        let high = middle.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b));
        high - middle.iter().fold(f64::INFINITY, |a, b| a.min(*b))
    };
    let contraction = (waist(&settled.positions) - waist(&expected)) / strain;
    let reaction = |x: &[DVec3]| -> f64 {
        let forces = model.elastic_forces(x);
        let end = (0..x.len()).filter(|&v| model.rest[v].x > 1.0 - 1e-6);
        end.map(|v| -forces[v].x).sum()
    };
    let force = reaction(&settled.positions) / reaction(&expected) - 1.0;
    let shape = shape_error(&model, &settled.positions, &expected, strain);
    let case = trial.case(&format!(
        "{} to {axial}",
        if gripped { "gripped" } else { "stretched" }
    ));
    let errors = [
        ("waist / strain", contraction, static_goal(nu)),
        ("reaction", force, static_goal(nu)),
        ("shape RMS / strain", shape, static_goal(nu)),
    ];
    trial.rows(lab, case, &errors, &settled.note, f64::INFINITY)
}

/// Standing on a floor without friction under its own weight.
pub fn stand(lab: &mut Lab, trial: &Trial) -> Outcome<Vec<Row>> {
    let Trial {
        specimen, e, nu, ..
    } = *trial;
    let mut model = specimen.model(e, nu);
    model.floor = Some(0.0);
    let foundation = lab.foundation(specimen, nu)?;
    let expected = minimise(&model, &foundation.factor, &model.rest)?.positions;
    let (omega, material) = trial.calming(lab)?;
    let environment = Environment {
        gravity: model.gravity.to_array(),
        floor: Some(0.0),
    };
    lab.load(specimen, trial.way, material, environment)?;
    let settled = lab.settle(&model.rest, specimen.size(), omega)?;
    let top =
        |x: &[DVec3]| Model::mean(x, &specimen.tip).y - Model::mean(&model.rest, &specimen.tip).y;
    let drop = top(&settled.positions) / top(&expected) - 1.0;
    let size = farthest(&expected, &model.rest);
    let shape = shape_error(&model, &settled.positions, &expected, size);
    let errors = [
        ("drop of the top", drop, static_goal(nu)),
        ("shape RMS", shape, static_goal(nu)),
    ];
    let note = format!("g {:.4} {}", model.gravity.length(), settled.note);
    trial.rows(lab, trial.case("standing"), &errors, &note, f64::INFINITY)
}
