//! Bodies that are far too stiff or too small for their substeps stand still on the floor, and friction is Coulomb's for
//! them too.
#![cfg(all(feature = "gpu", not(target_arch = "wasm32")))]

mod common;

use common::{PLAIN, mass_center, masses, momentum, positions, velocities, world};
use glam::DVec3;
use webgpu_softbody::mesh::TetMesh;
use webgpu_softbody::meshing::box_mesh;
use webgpu_softbody::settings::{Environment, Material, SolverSettings, Transform};
use webgpu_softbody::simulation::{BodyOptions, Simulation};

const GRAVITY: f64 = 9.81;

fn wide(v: &[f32; 3]) -> DVec3 {
    DVec3::from_array(v.map(f64::from))
}

/// Stands on the floor from the start, on as many substeps as it asks for, for so long; then neither it nor what touches
/// the floor moves, and it is where it was. `edge` is its size.
fn stands_still(mesh: TetMesh, material: Material, transform: Transform, edge: f64, seconds: f64) {
    let options = BodyOptions {
        material: Material {
            damping: 1.0,
            friction: 0.5,
            ..material
        },
        transform,
        drop_to_floor: true,
        ..Default::default()
    };
    let mut simulation = world(
        Environment::default(),
        SolverSettings::explicit(None),
        mesh,
        &options,
    );
    let masses = masses(&simulation);
    let before = positions(&simulation);
    let center = mass_center(&masses, &before);
    simulation.step(seconds).expect("a body");
    let (after, speeds) = (positions(&simulation), velocities(&simulation));
    let moved_center = mass_center(&masses, &after);
    let drift = moved_center - center;
    let lowest = before.iter().map(|p| p[1]).fold(f32::INFINITY, f32::min);
    let (mut fastest, mut sliding) = (0.0_f64, 0.0_f64);
    // Turn about the vertical: the tangent's numerator and denominator.
    let (mut sine, mut cosine) = (0.0, 0.0);
    for (((mass, a), b), v) in masses.iter().zip(&before).zip(&after).zip(&speeds) {
        let speed = wide(v).length();
        fastest = fastest.max(speed);
        if f64::from(a[1] - lowest) < 1e-3 * edge {
            sliding = sliding.max(speed);
        }
        let (from, to) = (wide(a) - center, wide(b) - moved_center);
        sine += mass * (from.z * to.x - from.x * to.z);
        cosine += mass * (from.x * to.x + from.z * to.z);
    }
    let turned = sine.atan2(cosine).to_degrees();
    // What a fall through its own size gives it, m/s.
    let scale = (GRAVITY * edge).sqrt();
    let dynamics = simulation.report().expect("a body").dynamics;
    println!(
        "edge {edge} m, {dynamics:?}: fastest {:.1e}, on the floor {:.1e} of {scale:.3} m/s, drift {:.1e} of its size, turned {turned:.1e} degrees",
        fastest / scale,
        sliding / scale,
        drift.length() / edge
    );
    assert!(
        fastest < 1e-3 * scale,
        "{fastest} m/s at an edge of {edge} m"
    );
    assert!(sliding < 3e-5 * scale, "{sliding} m/s on the floor");
    assert!(
        drift.x.hypot(drift.z) < 1e-4 * edge,
        "drifted by {drift} m at an edge of {edge} m"
    );
    assert!(turned.abs() < 0.01, "turned by {turned} degrees");
}

#[test]
fn cubes_stand_still() {
    // E, ω Δt: 2e5 3.55, 4.74, 23.7; 1e9 5.02.
    for (cells, edge, youngs_modulus) in [
        (6, 0.02, 2e5),
        (2, 0.005, 2e5),
        (2, 0.001, 2e5),
        (6, 1.0, 1e9),
    ] {
        let material = Material {
            youngs_modulus,
            poisson_ratio: 0.35,
            ..PLAIN
        };
        let mesh = box_mesh([cells; 3], [edge as f32; 3], [0.0; 3]).expect("a box");
        stands_still(mesh, material, Transform::default(), edge, 0.5);
    }
}

#[test]
fn a_cylinder_stands_still_on_its_end() {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/real/cylinder_");
    let read = |end: &str| std::fs::read(format!("{dir}{end}")).expect("stored mesh");
    let mesh = TetMesh::from_bytes(
        &read("positions.vec3f32bin"),
        &read("tet_indices.vec4u32bin"),
    )
    .expect("it loads");
    let material = Material {
        youngs_modulus: 1e7,
        ..PLAIN
    };
    // Its axis is x: up.
    let half = 0.5_f64.sqrt();
    let upright = Transform {
        rotation: [0.0, 0.0, half, half],
        ..Default::default()
    };
    stands_still(mesh, material, upright, 0.1, 0.5);
}

/// A flat block of a metre with ω Δt = `r` at 16 substeps, over a floor of this coefficient.
fn flat_block(r: f64, friction: f64, transform: Transform, velocity: [f64; 3]) -> Simulation {
    let mesh = box_mesh([6, 2, 6], [1.0, 0.25, 1.0], [-0.5, 0.0, -0.5]).expect("a box");
    let mut material = Material { friction, ..PLAIN };
    let options = BodyOptions {
        material,
        transform,
        velocity,
        ..Default::default()
    };
    let mut simulation = world(
        Environment::default(),
        SolverSettings::explicit(Some(16)),
        mesh,
        &options,
    );
    let dynamics = |simulation: &mut Simulation| {
        let report = simulation.report().expect("a body");
        report.dynamics.expect("explicit")
    };
    // r grows like the root of the stiffness.
    material.youngs_modulus *= (r / dynamics(&mut simulation).r).powi(2);
    simulation.set_material(material).expect("in range");
    assert!((dynamics(&mut simulation).r / r - 1.0).abs() < 1e-3);
    simulation
}

/// The same, settled on the floor.
fn settled_block(r: f64, friction: f64) -> Simulation {
    let mut simulation = flat_block(r, friction, Transform::default(), [0.0; 3]);
    let material = simulation.material().expect("a body");
    let damped = Material {
        damping: 20.0,
        ..material
    };
    simulation.set_material(damped).expect("in range");
    simulation.step(0.5).expect("a body");
    simulation.set_material(material).expect("in range");
    simulation
}

#[test]
fn a_stiff_block_slides_as_far_as_coulomb_says() {
    for r in [4.0, 12.0, 100.0] {
        for (speed, friction) in [(2.0, 0.5), (1.5, 0.3)] {
            let mut simulation = settled_block(r, friction);
            let masses = masses(&simulation);
            let settled = positions(&simulation);
            let before = mass_center(&masses, &settled).x;
            simulation
                .set_state(&settled, &vec![[speed as f32, 0.0, 0.0]; settled.len()])
                .expect("a body");
            simulation.step(0.75).expect("a body");
            let distance = mass_center(&masses, &positions(&simulation)).x - before;
            let expected = speed * speed / (2.0 * friction * GRAVITY);
            let left = momentum(&masses, &velocities(&simulation)).x / masses.iter().sum::<f64>();
            println!(
                "r {r}, {speed} m/s, μ = {friction}: slid {:.4} of what is expected, speed left {left:.1e} m/s",
                distance / expected
            );
            assert!(
                (distance / expected - 1.0).abs() < 0.02,
                "slid {distance} m, expected {expected} m"
            );
            assert!(left.abs() < 1e-3, "still sliding at {left} m/s");
        }
    }
}

/// It holds below arctan μ and slides with g (sin θ − μ cos θ) above.
#[test]
fn a_stiff_block_holds_on_a_slope_below_the_friction_angle_and_slides_above() {
    let friction = 0.5;
    for r in [4.0, 12.0, 100.0] {
        for slope in [0.45_f64, 0.8] {
            let angle = slope.atan();
            let mut simulation = settled_block(r, friction);
            let tilted = Environment {
                gravity: [GRAVITY * angle.sin(), -GRAVITY * angle.cos(), 0.0],
                floor: Some(0.0),
            };
            simulation.set_environment(tilted).expect("in range");
            let masses = masses(&simulation);
            // The elastic shear of the beginning is no creep.
            if slope < friction {
                simulation.step(0.25).expect("a body");
            }
            let before = mass_center(&masses, &positions(&simulation)).x;
            simulation.step(0.5).expect("a body");
            let moved = mass_center(&masses, &positions(&simulation)).x - before;
            let speed = momentum(&masses, &velocities(&simulation)).x / masses.iter().sum::<f64>();
            println!("r {r}, tan θ = {slope}: moved {moved:.6} m, speed {speed:.5} m/s");
            if slope < friction {
                assert!(moved.abs() < 5e-4, "r {r}: crept {moved} m at {slope}");
            } else {
                let expected = GRAVITY * (angle.sin() - friction * angle.cos()) * 0.5;
                assert!(
                    (speed / expected - 1.0).abs() < 0.02,
                    "r {r}: {speed} m/s, expected {expected}"
                );
            }
        }
    }
}

/// Thrown along the floor it loses μ times what the floor gives it upwards, as long as it slides.
#[test]
fn a_stiff_block_that_is_thrown_keeps_to_the_cone_of_friction() {
    let (friction, forwards, downwards, seconds) = (0.5, 5.0, 1.0, 0.3);
    for r in [12.0, 100.0, 250.0] {
        for tilt in [0.0_f64, 0.1] {
            let (sine, cosine) = (0.5 * tilt).sin_cos();
            let place = Transform {
                rotation: [0.6 * sine, 0.0, 0.8 * sine, cosine],
                translation: [0.0, 0.05 + 0.6 * tilt, 0.0],
                ..Default::default()
            };
            let mut simulation = flat_block(r, friction, place, [forwards, -downwards, 0.0]);
            simulation.step(seconds).expect("a body");
            let masses = masses(&simulation);
            let speed = momentum(&masses, &velocities(&simulation)) / masses.iter().sum::<f64>();
            let ratio = (forwards - speed.x) / (speed.y + downwards + GRAVITY * seconds);
            println!("r {r}, tilted by {tilt}: {ratio:.4}, then at {speed:.3} m/s");
            assert!(
                (ratio / friction - 1.0).abs() < 0.03,
                "r {r}, tilted by {tilt}: lost {ratio} times the normal impulse"
            );
        }
    }
}
