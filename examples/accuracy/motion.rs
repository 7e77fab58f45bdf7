//! Motion of pinned bodies: natural frequency, release under gravity, energy of a swing.

use crate::lab::{FRAME, Lab, Outcome};
use crate::measure::Trial;
use crate::reference::*;
use crate::signal::fit;
use crate::table::Row;
use glam::DVec3;
use webgpu_softbody::settings::Environment;

const SPACE: Environment = Environment {
    gravity: [0.0; 3],
    floor: None,
};

/// Hz and damping ratio of the first mode: the body starts bent in its shape and swings freely, and what is seen of that
/// shape in the read-backs is fitted.
pub fn first_mode(lab: &mut Lab, trial: &Trial) -> Outcome<crate::signal::Oscillation> {
    let Trial {
        specimen, e, nu, ..
    } = *trial;
    let model = specimen.model(e, nu);
    let foundation = lab.foundation(specimen, nu)?;
    let mode = &foundation.modes[0];
    let longest = mode.shape.iter().map(|u| u.length()).fold(0.0, f64::max);
    // Small enough to be linear, large against single precision.
    let amplitude = 0.005 * specimen.size() / longest;
    let bent: Vec<DVec3> = (0..model.rest.len())
        .map(|v| model.rest[v] + amplitude * mode.shape[v])
        .collect();
    lab.load(specimen, trial.way, specimen.material(e, nu), SPACE)?;
    lab.set_state(&bent, &vec![DVec3::ZERO; bent.len()])?;
    let period = 1.0 / (mode.frequency * e.sqrt());
    let frames = lab.frames_in(period / 8.0);
    let interval = f64::from(frames) * trial.way.frame;
    let share = |x: &[DVec3]| -> f64 {
        (0..x.len())
            .map(|v| model.masses[v] * mode.shape[v].dot(x[v] - model.rest[v]))
            .sum()
    };
    let mut samples = vec![amplitude];
    while (samples.len() as f64) * interval < 4.0 * period || samples.len() < 20 {
        lab.run(frames)?;
        samples.push(share(&lab.positions()?));
    }
    Ok(fit(&samples, interval))
}

/// First natural frequency against the eigenproblem.
pub fn frequency(lab: &mut Lab, trial: &Trial) -> Outcome<Vec<Row>> {
    let Trial {
        specimen, e, nu, ..
    } = *trial;
    let expected = lab.foundation(specimen, nu)?.modes[0].frequency * e.sqrt();
    let found = first_mode(lab, trial)?;
    let note = format!(
        "{:.4} Hz, eigenproblem {expected:.4}, ζ {:.4}",
        found.frequency, found.damping_ratio
    );
    let errors = [(
        "first frequency",
        found.frequency / expected - 1.0,
        Some(0.02),
    )];
    trial.rows(lab, trial.case("mode 1"), &errors, &note, 3.0)
}

/// Tip of a body let go under gravity, frame by frame, against a trajectory in float64.
pub fn release(lab: &mut Lab, trial: &Trial, seconds: f64) -> Outcome<Vec<Row>> {
    let Trial {
        specimen, e, nu, ..
    } = *trial;
    let model = specimen.model(e, nu);
    let frames = (seconds / FRAME).round() as u32;
    let bound = lab.foundation(specimen, nu)?.bound * e.sqrt();
    // A sixth of the longest stable step: errors of its own 1/40 of what one such step would give.
    let steps = (FRAME * bound * 3.0).ceil().max(16.0);
    let mut state = State {
        positions: model.rest.clone(),
        velocities: vec![DVec3::ZERO; model.rest.len()],
    };
    let environment = Environment {
        gravity: model.gravity.to_array(),
        floor: None,
    };
    lab.load(specimen, trial.way, specimen.material(e, nu), environment)?;
    let tip = |x: &[DVec3]| Model::mean(x, &specimen.tip) - Model::mean(&model.rest, &specimen.tip);
    let (mut largest, mut deviation) = (0.0_f64, 0.0_f64);
    for _ in 0..frames {
        verlet(&model, &mut state, FRAME / steps, steps as usize);
        lab.run(1)?;
        let expected = tip(&state.positions);
        largest = largest.max(expected.length());
        deviation = deviation.max(expected.distance(tip(&lab.positions()?)));
    }
    let errors = [("largest deviation", deviation / largest, Some(0.02))];
    let note = format!("{frames} frames, swings {largest:.4} m");
    trial.rows(lab, trial.case("release"), &errors, &note, 3.0)
}

/// Energy of an undamped swing over ten periods, relative to the largest kinetic energy.
///
/// What may be gained is the error of an energy read at steps of a symplectic scheme, which comes and goes with (ωΔt)²/8
/// of what is in each mode. What may be lost is what a damping ratio of .0012 takes in ten periods. The explicit scheme damps strain rates by
/// ζ = θωΔt/2 with θ = .2, which for a first mode of 1/170 of the highest frequency is .0009.
pub fn swing(lab: &mut Lab, trial: &Trial) -> Outcome<Vec<Row>> {
    let Trial {
        specimen, e, nu, ..
    } = *trial;
    let model = specimen.model(e, nu);
    let environment = Environment {
        gravity: model.gravity.to_array(),
        floor: None,
    };
    lab.load(specimen, trial.way, specimen.material(e, nu), environment)?;
    let substeps = lab.substeps()?;
    lab.load(specimen, trial.way, specimen.material(e, nu), environment)?;
    let period = 1.0 / (lab.foundation(specimen, nu)?.modes[0].frequency * e.sqrt());
    let half = 0.5 * FRAME / f64::from(substeps);
    let (mut kinetic, mut gain, mut last) = (0.0_f64, 0.0_f64, 0.0_f64);
    for _ in 0..lab.frames_in(10.0 * period) {
        lab.run(1)?;
        let (x, mut v) = (lab.positions()?, lab.velocities()?);
        // Both schemes step x by Δt v: the velocity read is that of half a substep ago.
        for (vertex, force) in model.forces(&x).into_iter().enumerate() {
            if !model.pinned[vertex] {
                v[vertex] += force * (half / model.masses[vertex]);
            }
        }
        let moving = model.kinetic_energy(&v);
        last = moving + model.elastic_energy(&x) + model.gravity_energy(&x);
        kinetic = kinetic.max(moving);
        gain = gain.max(last);
    }
    let errors = [
        ("energy gained", gain / kinetic, Some(0.02)),
        ("energy lost in 10 periods", -last / kinetic, Some(0.15)),
    ];
    trial.rows(lab, trial.case("swing"), &errors, "", 3.0)
}
