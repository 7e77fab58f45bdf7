//! The floor: nothing goes below it, friction means what its coefficient says, bodies come to rest.
#![cfg(all(feature = "gpu", not(target_arch = "wasm32")))]

#[macro_use]
mod common;

use common::*;
use webgpu_softbody::mesh::TetMesh;
use webgpu_softbody::meshing::{box_mesh, presets};
use webgpu_softbody::settings::{Environment, Material, SolverSettings, Transform};
use webgpu_softbody::simulation::BodyOptions;
for_both_schemes!(
    a_dropped_cube_stays_above_the_floor_and_comes_to_rest,
    a_sliding_block_stops_where_coulomb_says,
    friction_limits,
    a_body_loaded_into_the_floor_is_not_thrown,
    real_meshes_fall_and_rest,
    a_slope_holds_below_the_friction_angle_and_slides_above
);

/// The floor clamp is the last thing a substep does to a position.
const FLOOR_TOLERANCE: f32 = 1e-6;

fn lowest(positions: &[[f32; 3]]) -> f32 {
    positions.iter().map(|p| p[1]).fold(f32::INFINITY, f32::min)
}

fn kinetic_energy(masses: &[f64], velocities: &[[f32; 3]]) -> f64 {
    let square = |v: &[f32; 3]| v.iter().map(|&c| f64::from(c).powi(2)).sum::<f64>();
    masses
        .iter()
        .zip(velocities)
        .map(|(m, v)| 0.5 * m * square(v))
        .sum()
}

fn a_dropped_cube_stays_above_the_floor_and_comes_to_rest(settings: SolverSettings) {
    let preset = presets()
        .into_iter()
        .find(|preset| preset.slug == "cube")
        .expect("a cube");
    let options = BodyOptions::from(&preset);
    let mut simulation = world(Environment::default(), settings, preset.mesh(), &options);
    let masses = masses(&simulation);
    let mut touched = false;
    for frame in 0..600 {
        simulation.step(1.0 / 60.0).unwrap();
        let x = positions(&simulation);
        assert_finite(&x, "positions");
        let low = lowest(&x);
        assert!(
            low >= -FLOOR_TOLERANCE,
            "frame {frame}: {low} m below the floor"
        );
        touched |= low < 1e-4;
    }
    let rest = kinetic_energy(&masses, &velocities(&simulation));
    let height = mass_center(&masses, &positions(&simulation)).y;
    println!("after 10 s: kinetic energy {rest:.2e} J, mass centre at {height:.3} m");
    assert!(touched, "it never reached the floor");
    // 1000 kg at an rms speed of 2 cm/s.
    assert!(rest < 0.2, "still moving: {rest} J");
    assert!(
        (0.3..0.55).contains(&height),
        "a cube of 1 m rests with its centre near 0.45 m, not {height} m"
    );
}

/// v₀²/(2μg), to 5 %.
fn a_sliding_block_stops_where_coulomb_says(settings: SolverSettings) {
    for (speed, friction) in [(2.0, 0.5), (1.5, 0.3)] {
        // A flat block, so that it slides and does not tip; stiff, so that it does not shiver.
        let mesh = box_mesh([6, 2, 6], [1.0, 0.25, 1.0], [-0.5, 0.0, -0.5]).expect("a box");
        let material = Material {
            youngs_modulus: 1e6,
            friction,
            damping: 0.0,
            ..PLAIN
        };
        let options = BodyOptions {
            material,
            ..Default::default()
        };
        let mut simulation = world(Environment::default(), settings, mesh, &options);
        // Settle under its weight first, held by friction; then push.
        simulation
            .set_material(Material {
                damping: 20.0,
                ..material
            })
            .unwrap();
        simulation.step(1.0).unwrap();
        simulation.set_material(material).unwrap();
        let settled = positions(&simulation);
        let masses = masses(&simulation);
        let before = mass_center(&masses, &settled).x;
        simulation
            .set_state(&settled, &vec![[speed as f32, 0.0, 0.0]; settled.len()])
            .unwrap();
        simulation.step(3.0).unwrap();
        let distance = mass_center(&masses, &positions(&simulation)).x - before;
        let expected = speed * speed / (2.0 * friction * 9.81);
        let left = momentum(&masses, &velocities(&simulation)).x / masses.iter().sum::<f64>();
        println!(
            "{speed} m/s, μ = {friction}: slid {distance:.4} m, expected {expected:.4} m, speed left {left:.1e} m/s"
        );
        assert!(
            (distance / expected - 1.0).abs() < 0.05,
            "slid {distance} m, expected {expected} m"
        );
        assert!(left.abs() < 0.02, "still sliding at {left} m/s");
    }
}

/// Without friction nothing slows it; with a huge coefficient it does not slide on.
fn friction_limits(settings: SolverSettings) {
    let run = |friction: f64| {
        let mesh = box_mesh([4, 2, 4], [1.0, 0.4, 1.0], [-0.5, 0.0, -0.5]).expect("a box");
        let material = Material {
            youngs_modulus: 1e6,
            friction,
            damping: 0.0,
            ..PLAIN
        };
        let options = BodyOptions {
            material,
            velocity: [1.0, 0.0, 0.0],
            ..Default::default()
        };
        let mut simulation = world(Environment::default(), settings, mesh, &options);
        simulation.step(1.0).unwrap();
        let masses = masses(&simulation);
        momentum(&masses, &velocities(&simulation)).x / masses.iter().sum::<f64>()
    };
    let (ice, glue) = (run(0.0), run(50.0));
    assert!((ice - 1.0).abs() < 1e-3, "on ice the speed became {ice}");
    assert!(glue.abs() < 0.2, "on glue the speed stayed {glue}");
}

/// A body that starts below the floor is lifted, not thrown.
fn a_body_loaded_into_the_floor_is_not_thrown(settings: SolverSettings) {
    let mesh = box_mesh([3; 3], [1.0; 3], [0.0, -0.1, 0.0]).expect("a box");
    let mut simulation = world(
        Environment::default(),
        settings,
        mesh,
        &BodyOptions::default(),
    );
    let mut highest = 0.0_f32;
    for _ in 0..180 {
        simulation.step(1.0 / 60.0).unwrap();
        let x = positions(&simulation);
        assert_finite(&x, "positions");
        highest = highest.max(x.iter().map(|p| p[1]).fold(0.0, f32::max));
    }
    println!("highest vertex {highest} m");
    assert!(highest < 1.3, "thrown to {highest} m");
    assert!(lowest(&positions(&simulation)) >= -FLOOR_TOLERANCE);
}

fn stored(name: &str) -> TetMesh {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/real/");
    let read = |suffix: &str| std::fs::read(format!("{dir}{name}_{suffix}")).expect("stored mesh");
    TetMesh::from_bytes(
        &read("positions.vec3f32bin"),
        &read("tet_indices.vec4u32bin"),
    )
    .expect("it loads")
}

/// Meshes nobody here made: fall, bounce and rest for 300 frames.
fn real_meshes_fall_and_rest(settings: SolverSettings) {
    for (name, scale, height) in [
        ("unit_ball", 1.0, 0.5),
        ("cylinder", 1.0, 0.1),
        ("beam_t42", 1.0, 0.3),
    ] {
        let options = BodyOptions {
            material: Material {
                damping: 2.0,
                ..Material::MEDIUM
            },
            transform: Transform {
                translation: [0.0, height, 0.0],
                scale,
                ..Default::default()
            },
            ..Default::default()
        };
        let mesh = stored(name);
        let (min, max) = mesh.used_bounds();
        let size = (0..3).map(|axis| max[axis] - min[axis]).fold(0.0, f32::max);
        let mut simulation = world(
            Environment {
                floor: Some(f64::from(min[1])),
                ..Default::default()
            },
            settings,
            mesh,
            &options,
        );
        let masses = masses(&simulation);
        let used: Vec<bool> = masses.iter().map(|&m| m > 0.0).collect();
        let mut fastest_fall = 0.0_f64;
        let mut fastest_rise = 0.0_f64;
        let total: f64 = masses.iter().sum();
        let mut low = f32::INFINITY;
        for _ in 0..300 {
            simulation.step(1.0 / 60.0).unwrap();
            let (x, v) = (positions(&simulation), velocities(&simulation));
            assert_finite(&x, name);
            let used = x.iter().zip(&used).filter(|(_, used)| **used);
            low = used.map(|(p, _)| p[1] - min[1]).fold(low, f32::min);
            let rise = momentum(&masses, &v).y / total;
            fastest_fall = fastest_fall.max(-rise);
            fastest_rise = fastest_rise.max(rise);
        }
        let speed = (2.0 * kinetic_energy(&masses, &velocities(&simulation)) / total).sqrt();
        println!(
            "{name}: size {size} m, lowest {low:.2e} m, rms speed {speed:.2e} m/s, fell at {fastest_fall:.2} m/s, rose at {fastest_rise:.2} m/s"
        );
        assert!(
            low >= -FLOOR_TOLERANCE * size.max(1.0),
            "{name} went {low} m below the floor"
        );
        assert!(speed < 0.05, "{name} still moves at {speed} m/s");
        // A bounce, not a shiver.
        assert!(
            fastest_rise > 0.05 * fastest_fall && fastest_fall > 0.5,
            "{name} fell at {fastest_fall} m/s and rose at {fastest_rise} m/s"
        );
    }
}

/// A block on a slope, as gravity turned by the slope's angle: it holds below arctan μ and slides with
/// g (sin θ − μ cos θ) above.
fn a_slope_holds_below_the_friction_angle_and_slides_above(settings: SolverSettings) {
    let friction = 0.5;
    for (slope, seconds) in [
        (0.2_f64, 5.0),
        (0.3, 5.0),
        (0.45, 5.0),
        (0.8, 1.0),
        (1.2, 1.0),
    ] {
        let angle = slope.atan();
        let mesh = box_mesh([6, 2, 6], [1.0, 0.25, 1.0], [-0.5, 0.0, -0.5]).expect("a box");
        let material = Material {
            youngs_modulus: 1e6,
            friction,
            damping: 20.0,
            ..PLAIN
        };
        let options = BodyOptions {
            material,
            ..Default::default()
        };
        let mut simulation = world(Environment::default(), settings, mesh, &options);
        // Settled on the flat first, then tilted.
        simulation.step(1.0).unwrap();
        simulation
            .set_material(Material {
                damping: 0.0,
                ..material
            })
            .unwrap();
        let tilted = Environment {
            gravity: [9.81 * angle.sin(), -9.81 * angle.cos(), 0.0],
            floor: Some(0.0),
        };
        simulation.set_environment(tilted).unwrap();
        let masses = masses(&simulation);
        // The elastic shear of the first second is no creep.
        if slope < friction {
            simulation.step(1.0).unwrap();
        }
        let before = mass_center(&masses, &positions(&simulation)).x;
        simulation.step(seconds).unwrap();
        let x = mass_center(&masses, &positions(&simulation)).x - before;
        let speed = momentum(&masses, &velocities(&simulation)).x / masses.iter().sum::<f64>();
        println!("tan θ = {slope}: moved {x:.5} m, speed {speed:.5} m/s");
        if slope < friction {
            assert!(
                x.abs() < 1e-3,
                "crept {x} m in {seconds} s at tan θ = {slope}"
            );
        } else {
            let expected = 9.81 * (angle.sin() - friction * angle.cos()) * seconds;
            assert!(
                (speed / expected - 1.0).abs() < 0.05,
                "{speed} m/s, expected {expected}"
            );
        }
    }
}
