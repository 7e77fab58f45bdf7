//! Pins with targets: they go there in one frame, carry the body along, and rest as soon as nobody moves them.
#![cfg(all(feature = "gpu", not(target_arch = "wasm32")))]

mod common;

use common::*;
use glam::DVec3;
use webgpu_softbody::meshing::box_mesh;
use webgpu_softbody::settings::{Material, SolverSettings, Transform};
use webgpu_softbody::simulation::{BodyOptions, Pinned, Simulation, SimulationError};

const FRAME: f64 = 1.0 / 60.0;
/// One of each way to move vertices; the second needs the mass operator.
const SCHEMES: [(SolverSettings, f64); 3] = [
    (EXPLICIT, 1e6),
    (SolverSettings::explicit(Some(8)), 1e8),
    (XPBD, 1e6),
];
const PLACE: [f64; 3] = [40.0, 3.0, -9.0];

/// A beam along x, held at its low end.
fn beam(settings: SolverSettings, youngs_modulus: f64) -> Simulation {
    let mesh = box_mesh([10, 3, 3], [1.0, 0.3, 0.3], [0.0; 3]).expect("a box");
    let options = BodyOptions {
        material: Material {
            youngs_modulus,
            damping: 2.0,
            ..PLAIN
        },
        transform: Transform {
            translation: PLACE,
            ..Transform::default()
        },
        pinned: Pinned::Box {
            min: [-0.01; 3],
            max: [0.01, 1.0, 1.0],
        },
        ..BodyOptions::default()
    };
    world(SPACE, settings, mesh, &options)
}

fn pins(simulation: &Simulation) -> Vec<u32> {
    let mask = simulation.body().expect("a body").pinned();
    (0..mask.len() as u32)
        .filter(|&v| mask[v as usize])
        .collect()
}

fn at(points: &[[f32; 3]], vertex: u32) -> DVec3 {
    points[vertex as usize].map(f64::from).into()
}

#[test]
fn a_beam_follows_its_pinned_end_round_a_circle() {
    for (settings, e) in SCHEMES {
        let mut simulation = beam(settings, e);
        let tets = simulation.body().expect("a body").mesh().tets().to_vec();
        let start = positions(&simulation);
        let held = pins(&simulation);
        assert_eq!(held.len(), 16);
        // A turn of radius .5 m in 2.5 s, begun and ended softly.
        let offset = |frame: i32| {
            let s = f64::from(frame) / 150.0;
            let angle = std::f64::consts::TAU * s * s * (3.0 - 2.0 * s);
            0.5 * DVec3::new(angle.cos() - 1.0, 0.0, angle.sin())
        };
        let mut stretched = 0.0f64;
        for frame in 1..=150 {
            let targets: Vec<[f64; 3]> = held
                .iter()
                .map(|&v| (at(&start, v) + offset(frame)).into())
                .collect();
            simulation.pin_at(&held, &targets).unwrap();
            simulation.step(FRAME).unwrap();
            if frame % 15 != 0 {
                continue;
            }
            let (now, speeds) = (positions(&simulation), velocities(&simulation));
            let expected = (offset(frame) - offset(frame - 1)) / FRAME;
            for (&v, target) in held.iter().zip(&targets) {
                let off = at(&now, v).distance(DVec3::from(*target));
                assert!(off < 1e-5, "{settings:?}: pin {v} is {off} m off");
                let wrong = at(&speeds, v).distance(expected);
                assert!(wrong < 5e-3, "{settings:?}: pin {v} is {wrong} m/s off");
            }
            let volumes = tet_volumes(&tets, &now);
            let whole = 0.09 / tets.len() as f64;
            for volume in volumes {
                stretched = stretched.max((volume / whole - 1.0).abs());
            }
            let middle = mass_center(&masses(&simulation), &now);
            let rigid = mass_center(&masses(&simulation), &start) + offset(frame);
            assert!(
                middle.distance(rigid) < 0.15,
                "{settings:?}: the beam is at {middle}, its end at {rigid}"
            );
        }
        println!("{settings:?}: volumes change by {stretched} at most");
        assert!(stretched < 0.15, "{settings:?}: {stretched}");
        // Nobody moves them any more.
        simulation.step(FRAME).unwrap();
        let speeds = velocities(&simulation);
        assert!(held.iter().all(|&v| speeds[v as usize] == [0.0; 3]));
        simulation.step(5.0).unwrap();
        let now = positions(&simulation);
        let farthest = (0..now.len() as u32)
            .map(|v| at(&now, v).distance(at(&start, v)))
            .fold(0.0, f64::max);
        assert!(farthest < 2e-3, "{settings:?}: {farthest} m from the start");

        simulation.reset().unwrap();
        assert_eq!(positions(&simulation), start);
    }
}

/// The frame that moves them may be one of many in a step, and of any length.
#[test]
fn a_target_is_reached_in_one_frame_and_not_passed() {
    for (settings, e) in SCHEMES {
        for seconds in [FRAME, 1.0 / 240.0, 0.2, 1.0] {
            let mut simulation = beam(settings, e);
            let start = positions(&simulation);
            let vertex = pins(&simulation)[5];
            let target = at(&start, vertex) + DVec3::new(-0.004, 0.003, 0.0);
            // The last of several targets counts.
            let first = [[0.0; 3], (target + DVec3::X).into()];
            simulation.pin_at(&[vertex, vertex], &first).unwrap();
            simulation.pin_at(&[vertex], &[target.into()]).unwrap();
            simulation.step(seconds).unwrap();
            let off = at(&positions(&simulation), vertex).distance(target);
            assert!(off < 1e-5, "{settings:?}, {seconds} s: {off} m off");
        }
    }
}

#[test]
fn free_vertices_are_pinned_by_it_and_unpinned_ones_forget_their_targets() {
    let mut simulation = beam(EXPLICIT, 1e5);
    let start = positions(&simulation);
    let free = (0..start.len() as u32)
        .find(|v| !pins(&simulation).contains(v))
        .expect("a free vertex");
    let near = |x: f64| <[f64; 3]>::from(at(&start, free) + DVec3::X * x);
    simulation.pin_at(&[free], &[near(0.01)]).unwrap();
    assert!(simulation.body().expect("a body").pinned()[free as usize]);
    simulation.step(FRAME).unwrap();
    let now = at(&positions(&simulation), free);
    assert!(now.distance(near(0.01).into()) < 1e-5);

    simulation.pin_at(&[free], &[near(0.05)]).unwrap();
    simulation.unpin(Some(&[free])).unwrap();
    simulation.step(FRAME).unwrap();
    let later = at(&positions(&simulation), free);
    // Where the beam draws it.
    assert!(
        later.distance(at(&start, free)) < 0.01,
        "it went to {later}"
    );

    // Held where it is, not where it was to go.
    simulation.pin_at(&[free], &[near(0.05)]).unwrap();
    simulation.pin(&[free]).unwrap();
    simulation.step(FRAME).unwrap();
    assert_eq!(at(&positions(&simulation), free), later);
}

/// A snapshot of a body whose pins are on the move goes on as the body does.
#[test]
fn a_snapshot_between_two_moves_goes_on_bit_for_bit() {
    for (settings, e) in SCHEMES {
        let mut simulation = beam(settings, e);
        let held = pins(&simulation);
        let start = positions(&simulation);
        let targets: Vec<[f64; 3]> = held
            .iter()
            .map(|&v| (at(&start, v) + DVec3::Y * 0.02).into())
            .collect();
        simulation.pin_at(&held, &targets).unwrap();
        simulation.step(FRAME).unwrap();
        let taken = pollster::block_on(simulation.snapshot().unwrap()).unwrap();
        simulation.step(0.5).unwrap();
        let end = relative_positions(&simulation);
        simulation.restore(&taken).unwrap();
        simulation.step(0.5).unwrap();
        assert_eq!(relative_positions(&simulation), end, "{settings:?}");
    }
}

#[test]
fn wrong_targets_are_refused_by_number() {
    let mut simulation = beam(EXPLICIT, 1e5);
    let count = positions(&simulation).len() as u32;
    let before = pins(&simulation);
    let mut refused = |vertices: &[u32], targets: &[[f64; 3]], error| {
        assert_eq!(simulation.pin_at(vertices, targets), Err(error));
    };
    refused(
        &[1, 2],
        &[[0.0; 3]; 3],
        SimulationError::PinTargetCount {
            vertices: 2,
            targets: 3,
        },
    );
    refused(
        &[1, 2],
        &[[0.0; 3], [0.0, 1.5e7, 0.0]],
        SimulationError::PinTarget {
            index: 1,
            vertex: 2,
            value: 1.5e7,
        },
    );
    refused(
        &[1, count],
        &[[0.0; 3]; 2],
        SimulationError::PinOutOfRange {
            vertex: count,
            vertices: count,
        },
    );
    let nan = simulation
        .pin_at(&[4], &[[0.0, 0.0, f64::NAN]])
        .unwrap_err();
    assert_eq!(
        nan.to_string(),
        "target 0, of vertex 4, has the coordinate NaN, but must have numbers within ±1e7 m"
    );
    assert_eq!(pins(&simulation), before, "nothing is pinned");
    let start = positions(&simulation);
    simulation.step(FRAME).unwrap();
    assert!(
        before
            .iter()
            .all(|&v| at(&positions(&simulation), v) == at(&start, v))
    );
}

/// Half a body length in one frame, there and back: the body comes after, whole.
#[test]
fn a_jump_of_the_pins_breaks_nothing() {
    for (settings, e) in SCHEMES {
        let mut simulation = beam(settings, e);
        let tets = simulation.body().expect("a body").mesh().tets().to_vec();
        let start = positions(&simulation);
        let held = pins(&simulation);
        for x in [0.5, 0.0, -0.5, 0.0] {
            let targets: Vec<[f64; 3]> = held
                .iter()
                .map(|&v| (at(&start, v) + DVec3::X * x).into())
                .collect();
            simulation.pin_at(&held, &targets).unwrap();
            simulation.step(FRAME).unwrap();
            assert_finite(&velocities(&simulation), "while it jumps");
        }
        simulation.step(10.0).unwrap();
        let now = positions(&simulation);
        let volumes = tet_volumes(&tets, &now);
        let least = volumes.iter().copied().fold(f64::INFINITY, f64::min);
        let farthest = (0..now.len() as u32)
            .map(|v| at(&now, v).distance(at(&start, v)))
            .fold(0.0, f64::max);
        println!("{settings:?}: least volume {least}, {farthest} m from the start");
        assert!(least > 0.0 && farthest < 0.01, "{settings:?}: {farthest} m");
    }
}

/// A display that is faster than the frames: targets of a picture without a frame wait for the next one.
#[test]
fn targets_wait_for_a_frame_that_is_due() {
    for (settings, e) in SCHEMES {
        let mut simulation = beam(settings, e);
        let start = positions(&simulation);
        let held = pins(&simulation);
        let target = |v: u32| -> [f64; 3] { (at(&start, v) + DVec3::Y * 0.01).into() };
        // Half in the first picture, half in the second; neither simulates anything.
        let (first, second) = held.split_at(held.len() / 2);
        for part in [first, second] {
            let targets: Vec<[f64; 3]> = part.iter().map(|&v| target(v)).collect();
            simulation.pin_at(part, &targets).unwrap();
            assert_eq!(simulation.advance(0.0, 3).unwrap().frames, 0);
        }
        simulation.step(FRAME).unwrap();
        let now = positions(&simulation);
        for &v in &held {
            let off = at(&now, v).distance(DVec3::from(target(v)));
            assert!(
                off < 1e-5,
                "{settings:?}: pin {v} is {off} m from its target"
            );
        }
    }
}
