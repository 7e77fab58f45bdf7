//! How far results depend on the number of substeps and on the rate of the display.

use crate::lab::{Lab, Outcome, Way};
use crate::measure::Trial;
use crate::motion::first_mode;
use crate::reference::Model;
use crate::table::Row;
use glam::DVec3;
use webgpu_softbody::settings::Environment;

/// Settled tip and first frequency with twice the substeps, and at 30 and 144 frames a second, against those at 60.
pub fn independence(lab: &mut Lab, trial: &Trial) -> Outcome<Vec<Row>> {
    let (tip, frequency) = figures(lab, trial)?;
    let substeps = lab.substeps()?;
    let mut double = trial.way.clone();
    double.settings.substeps = Some((2 * substeps).min(200));
    let at_rate = |rate: f64| Way {
        frame: 1.0 / rate,
        ..trial.way.clone()
    };
    let mut rows = Vec::new();
    for (what, way) in [
        ("twice the substeps", double),
        ("30 Hz", at_rate(30.0)),
        ("144 Hz", at_rate(144.0)),
    ] {
        let other = Trial {
            way: &way,
            ..trial.clone()
        };
        let (other_tip, other_frequency) = figures(lab, &other)?;
        let case = trial.case(&format!("{what},"));
        let tip = [(
            "change of the tip",
            other_tip.distance(tip) / tip.length(),
            Some(0.01),
        )];
        rows.extend(other.rows(lab, case.clone(), &tip, "", f64::INFINITY)?);
        let mode = [(
            "change of mode 1",
            other_frequency / frequency - 1.0,
            Some(0.01),
        )];
        rows.extend(other.rows(lab, case, &mode, "", 3.0)?);
    }
    Ok(rows)
}

fn figures(lab: &mut Lab, trial: &Trial) -> Outcome<(DVec3, f64)> {
    let Trial {
        specimen,
        e,
        nu,
        way,
    } = *trial;
    let frequency = first_mode(lab, trial)?.frequency;
    let model = specimen.model(e, nu);
    let (omega, material) = trial.calming(lab)?;
    let environment = Environment {
        gravity: model.gravity.to_array(),
        floor: None,
    };
    lab.load(specimen, way, material, environment)?;
    let settled = lab.settle(&model.rest, specimen.size(), omega)?;
    let tip = Model::mean(&settled.positions, &specimen.tip);
    Ok((tip - Model::mean(&model.rest, &specimen.tip), frequency))
}
