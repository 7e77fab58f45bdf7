//! Motion of free bodies: momenta and free fall.

use crate::lab::{FRAME, Lab, Outcome};
use crate::measure::Trial;
use crate::table::Row;
use glam::DVec3;
use webgpu_softbody::settings::{Environment, Transform};
use webgpu_softbody::simulation::BodyOptions;

/// Drift of linear and angular momentum of a spinning body full of waves over 2 s, relative to Σ m|v| and Σ m|x−c||v|.
pub fn spin(lab: &mut Lab, trial: &Trial) -> Outcome<Vec<Row>> {
    let Trial {
        specimen, e, nu, ..
    } = *trial;
    let model = specimen.model(e, nu);
    let total: f64 = model.masses.iter().sum();
    let count = model.rest.len();
    let center = |x: &[DVec3]| (0..count).map(|v| model.masses[v] * x[v]).sum::<DVec3>() / total;
    let middle = center(&model.rest);
    let waves = |v: usize| {
        let t = v as f64;
        DVec3::new((1.3 * t).sin(), (2.9 * t).sin(), (4.1 * t).cos()) * 0.1
    };
    let start: Vec<DVec3> = (0..count)
        .map(|v| {
            let arm = model.rest[v] - middle;
            DVec3::new(1.0, 2.0, -2.0).cross(arm) + DVec3::new(0.7, -0.4, 0.2) + waves(v)
        })
        .map(|v| v.as_vec3().as_dvec3())
        .collect();
    let space = Environment {
        gravity: [0.0; 3],
        floor: None,
    };
    lab.load(specimen, trial.way, specimen.material(e, nu), space)?;
    lab.set_state(&model.rest, &start)?;
    lab.run(120)?;
    let (x, velocities) = (lab.positions()?, lab.velocities()?);
    let linear = |v: &[DVec3]| (0..count).map(|i| model.masses[i] * v[i]).sum::<DVec3>();
    let angular = |x: &[DVec3], v: &[DVec3]| -> DVec3 {
        let middle = center(x);
        (0..count)
            .map(|i| model.masses[i] * (x[i] - middle).cross(v[i]))
            .sum()
    };
    let speeds: f64 = (0..count)
        .map(|i| model.masses[i] * start[i].length())
        .sum();
    let arms: f64 = (0..count)
        .map(|i| model.masses[i] * (model.rest[i] - middle).length() * start[i].length())
        .sum();
    let errors = [
        (
            "linear momentum",
            linear(&velocities).distance(linear(&start)) / speeds,
            Some(1e-6),
        ),
        (
            "angular momentum",
            angular(&x, &velocities).distance(angular(&model.rest, &start)) / arms,
            Some(1e-4),
        ),
    ];
    trial.rows(lab, trial.case("spin"), &errors, "", f64::INFINITY)
}

/// One second of free fall 100 m from the origin: against the sum that the steps make, and against ½gt².
pub fn fall(lab: &mut Lab, trial: &Trial) -> Outcome<Vec<Row>> {
    let Trial {
        specimen, e, nu, ..
    } = *trial;
    let model = specimen.model(e, nu);
    let total: f64 = model.masses.iter().sum();
    let mean = |x: &[DVec3]| (0..x.len()).map(|v| model.masses[v] * x[v].y).sum::<f64>() / total;
    // Far away in the plane, near 0 in height: positions are read in single precision.
    let options = BodyOptions {
        material: specimen.material(e, nu),
        transform: Transform {
            translation: [100.0, 0.0, 100.0],
            ..Default::default()
        },
        ..Default::default()
    };
    let gravity = Environment {
        gravity: [0.0, -9.81, 0.0],
        floor: None,
    };
    lab.load_with(specimen, trial.way, gravity, &options)?;
    let substeps = f64::from(lab.substeps()?);
    lab.load_with(specimen, trial.way, gravity, &options)?;
    let before = mean(&lab.positions()?);
    lab.run(60)?;
    let drop = before - mean(&lab.positions()?);
    let speed = -mean(&lab.velocities()?);
    let (n, dt) = (60.0 * substeps, FRAME / substeps);
    let sum = 9.81 * dt * dt * n * (n + 1.0) / 2.0;
    let errors = [
        ("drop against n(n+1)/2 gΔt²", drop / sum - 1.0, Some(1e-4)),
        ("speed", speed / 9.81 - 1.0, Some(1e-4)),
        ("drop against ½gt²", drop / (0.5 * 9.81) - 1.0, Some(0.01)),
    ];
    trial.rows(lab, trial.case("free fall"), &errors, "", f64::INFINITY)
}
