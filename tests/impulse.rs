//! Impulses: what a body gains is its mass times the velocity, near a point as much as the weights say, elsewhere nothing.
#![cfg(all(feature = "gpu", not(target_arch = "wasm32")))]

#[macro_use]
mod common;

use common::*;
use glam::DVec3;
use webgpu_softbody::meshing::box_mesh;
use webgpu_softbody::settings::{SolverSettings, Transform};
use webgpu_softbody::simulation::{BodyOptions, Pinned, Simulation};

for_both_schemes!(
    the_whole_body_gains_its_mass_times_the_velocity,
    only_the_region_moves,
    a_poke_leaves_no_number_wild,
);

const PLACE: [f64; 3] = [120.0, 7.0, -30.0];

/// A beam far from the origin, pinned at its low end in x.
fn beam(settings: SolverSettings, pinned: bool) -> Simulation {
    let mesh = box_mesh([8, 4, 4], [2.0, 1.0, 1.0], [0.0; 3]).expect("a box");
    let ends = Pinned::Box {
        min: [-0.01; 3],
        max: [0.01, 2.0, 2.0],
    };
    let options = BodyOptions {
        material: PLAIN,
        transform: Transform {
            translation: PLACE,
            ..Transform::default()
        },
        pinned: if pinned { ends } else { Pinned::None },
        ..BodyOptions::default()
    };
    world(SPACE, settings, mesh, &options)
}

fn the_whole_body_gains_its_mass_times_the_velocity(settings: SolverSettings) {
    let mut simulation = beam(settings, false);
    let velocity = DVec3::new(3.0, -2.0, 0.5);
    simulation.impulse(velocity.into(), None).unwrap();
    simulation.impulse([0.0, 1.0, 0.0], None).unwrap();
    let masses = masses(&simulation);
    let mass: f64 = masses.iter().sum();
    assert_eq!(mass.round(), 2000.0);
    for frames in [0, 30] {
        if frames > 0 {
            simulation.step(0.5).unwrap();
        }
        let gained = momentum(&masses, &velocities(&simulation));
        let expected = mass * (velocity + DVec3::Y);
        assert!(
            gained.distance(expected) < 1e-4 * expected.length(),
            "{gained} after {frames} frames, expected {expected}"
        );
    }
}

fn only_the_region_moves(settings: SolverSettings) {
    let mut simulation = beam(settings, true);
    let before = positions(&simulation);
    // At the pinned end, so that pins are within.
    let point = DVec3::from(PLACE) + DVec3::new(0.1, 0.9, 0.4);
    let (velocity, radius) = (DVec3::new(0.0, 0.0, 5.0), 0.6);
    simulation
        .impulse(velocity.into(), Some((point.into(), radius)))
        .unwrap();
    let now = velocities(&simulation);
    let pinned = simulation.body().expect("a body").pinned().to_vec();
    let (mut inside, mut held) = (0, 0);
    for ((x, v), pinned) in before.iter().zip(&now).zip(pinned) {
        let s = DVec3::from(x.map(f64::from)).distance(point) / radius;
        let weight = if s < 1.0 { (1.0 - s * s).powi(2) } else { 0.0 };
        inside += usize::from(weight > 0.0);
        held += usize::from(weight > 0.0 && pinned);
        let expected = if pinned {
            DVec3::ZERO
        } else {
            weight * velocity
        };
        let difference = DVec3::from(v.map(f64::from)) - expected;
        assert!(
            difference.length() < 1e-3,
            "{v:?} at {x:?}, s = {s}: expected {expected}"
        );
    }
    assert!(inside > 20 && held > 5 && inside < now.len() / 2);
    simulation.step(0.1).unwrap();
    let after = positions(&simulation);
    assert_finite(&after, "poked");
    assert_ne!(before, after, "it moves");
}

fn a_poke_leaves_no_number_wild(settings: SolverSettings) {
    let mut simulation = beam(settings, true);
    for round in 0..20 {
        let x = f64::from(round % 5) * 0.4;
        let point = [PLACE[0] + x, PLACE[1] + 0.5, PLACE[2]];
        let speed = 1e4 * f64::from(1 - 2 * (round % 2));
        simulation
            .impulse([0.0, 0.0, speed], Some((point, 0.3)))
            .unwrap();
        simulation.step(1.0 / 60.0).unwrap();
        assert_finite(&velocities(&simulation), "poked");
    }
    // Tiny radii reach nobody, and are not taken for "everywhere".
    let mut simulation = beam(settings, false);
    simulation
        .impulse([1.0, 0.0, 0.0], Some(([0.0; 3], 1e-300)))
        .unwrap();
    assert!(velocities(&simulation).iter().all(|v| *v == [0.0; 3]));
}

#[test]
fn wrong_numbers_are_refused_by_name() {
    let mut simulation = beam(EXPLICIT, false);
    let nan = f64::NAN;
    let refused = |result: Result<(), _>, texts: [&str; 2]| {
        let error: webgpu_softbody::simulation::SimulationError = result.unwrap_err();
        let message = error.to_string();
        assert!(texts.iter().all(|text| message.contains(text)), "{message}");
    };
    let mut impulse = |v, at| simulation.impulse(v, at);
    refused(impulse([8e3, 8e3, 0.0], None), ["velocity", "11313.7"]);
    refused(impulse([nan, 0.0, 0.0], None), ["velocity", "NaN"]);
    let up = [0.0, 1.0, 0.0];
    refused(impulse(up, Some(([0.0; 3], 0.0))), ["at.radius", "0"]);
    refused(impulse(up, Some(([0.0; 3], -2.5))), ["at.radius", "-2.5"]);
    refused(impulse(up, Some(([0.0; 3], nan))), ["at.radius", "NaN"]);
    refused(
        impulse(up, Some(([0.0, 2e7, 0.0], 1.0))),
        ["at.point", "2e7"],
    );
    assert!(velocities(&simulation).iter().all(|v| *v == [0.0; 3]));
    let mut empty = Simulation::new(gpu(), SPACE, EXPLICIT).unwrap();
    refused(empty.impulse(up, None), ["no body", "loaded"]);
}
