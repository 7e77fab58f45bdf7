//! The mass operator on the GPU, where the stiffest vibrations are several times too fast for the substep: energy, momenta
//! and rest as without it. And the smallest bodies there are, whose bounds are the closest.
#![cfg(all(feature = "gpu", not(target_arch = "wasm32")))]

mod common;

use common::*;
use glam::{DMat3, DVec3};
use webgpu_softbody::mesh::TetMesh;
use webgpu_softbody::meshing::box_mesh;
use webgpu_softbody::settings::{Environment, Material, SolverSettings, Transform};
use webgpu_softbody::simulation::{BodyOptions, Simulation};

/// ω Δt of the stiffest vibration that the operator has to slow.
const R: f64 = 4.0;

fn wide(v: &[f32; 3]) -> DVec3 {
    DVec3::from_array(v.map(f64::from))
}

/// Kinetic, elastic (Ψ = μ‖F − R‖² + λ/2 (J − 1)²) and potential energy above the floor, J.
fn energy(simulation: &Simulation) -> f64 {
    let body = simulation.body().expect("a body");
    let material = simulation.material().expect("a body");
    let gravity = DVec3::from_array(simulation.environment().gravity);
    let (x, v) = (positions(simulation), velocities(simulation));
    let mut sum = 0.0;
    for ((mass, x), v) in masses(simulation).iter().zip(&x).zip(&v) {
        sum += mass * (0.5 * wide(v).length_squared() - gravity.dot(wide(x)));
    }
    for (tet, &[a, b, c, d]) in body.mesh().tets().iter().enumerate() {
        let at = |i: u32| wide(&x[i as usize]);
        let edges = DMat3::from_cols(at(b) - at(a), at(c) - at(a), at(d) - at(a));
        let rows = body.rest().inverse_edges[tet].map(|row| wide(&row));
        let f = edges * DMat3::from_cols(rows[0], rows[1], rows[2]).transpose();
        // ‖F − R‖² = tr FᵀF − 2 tr √(FᵀF) + 3; the square root by Higham's Newton iteration towards the rotation.
        let mut rotation = f;
        for _ in 0..30 {
            rotation = (rotation + rotation.inverse().transpose()) * 0.5;
        }
        let strain = f - rotation;
        let square: f64 = strain.to_cols_array().iter().map(|e| e * e).sum();
        let volume = f64::from(body.rest().volumes[tet]);
        let bulk = 0.5 * material.lame_lambda() * (f.determinant() - 1.0).powi(2);
        sum += volume * (material.lame_mu() * square + bulk);
    }
    sum
}

/// A box of 6³ cells and 0.5 m with ω Δt = `r` at 8 substeps.
fn stiff_box(
    r: f64,
    material: Material,
    environment: Environment,
    transform: Transform,
) -> Simulation {
    let mesh = box_mesh([6; 3], [0.5; 3], [-0.25, 0.0, -0.25]).expect("a box");
    let options = BodyOptions {
        material,
        transform,
        ..Default::default()
    };
    let mut simulation = world(
        environment,
        SolverSettings::explicit(Some(8)),
        mesh,
        &options,
    );
    // r grows like the root of the stiffness.
    let found = simulation
        .report()
        .expect("a body")
        .dynamics
        .expect("explicit")
        .r;
    let youngs_modulus = material.youngs_modulus * (r / found).powi(2);
    simulation
        .set_material(Material {
            youngs_modulus,
            ..material
        })
        .expect("in range");
    let report = simulation
        .report()
        .expect("a body")
        .dynamics
        .expect("explicit");
    assert!((report.r - r).abs() < 1e-3, "{report:?}");
    assert!(
        report.slowest_scaled_hz.is_some_and(|hertz| hertz > 0.0),
        "{report:?}"
    );
    simulation
}

fn tilted(height: f64) -> Transform {
    let axis = DVec3::new(1.0, 2.0, 3.0).normalize() * 0.5_f64.sin();
    Transform {
        rotation: [axis.x, axis.y, axis.z, 0.5_f64.cos()],
        translation: [0.0, height, 0.0],
        ..Default::default()
    }
}

/// Dropped from where `place` puts it, it never has more energy than at the start.
fn gains_no_energy(r: f64, place: Transform) {
    for friction in [0.0, 0.5] {
        let material = Material { friction, ..PLAIN };
        let mut simulation = stiff_box(r, material, Environment::default(), place);
        let start = energy(&simulation);
        let mut highest = start;
        for _ in 0..90 {
            simulation.step(1.0 / 60.0).expect("a body");
            highest = highest.max(energy(&simulation));
        }
        println!(
            "r {r}, friction {friction}: {:.4}, now {:.4}",
            highest / start,
            energy(&simulation) / start
        );
        assert!(highest < 1.02 * start, "{highest} J of {start} J");
    }
}

#[test]
fn a_drop_on_a_corner_gains_no_energy() {
    gains_no_energy(R, tilted(0.5));
}

#[test]
fn a_flat_drop_of_a_very_stiff_block_gains_no_energy() {
    let flat = Transform {
        translation: [0.0, 0.5, 0.0],
        ..Default::default()
    };
    gains_no_energy(20.0, flat);
}

#[test]
fn a_spinning_body_keeps_its_momenta() {
    let mut simulation = stiff_box(R, PLAIN, SPACE, tilted(0.0));
    let masses = masses(&simulation);
    let x = positions(&simulation);
    let center = mass_center(&masses, &x);
    let omega = DVec3::new(2.0, -3.0, 1.0);
    let v: Vec<[f32; 3]> = (x.iter())
        .map(|p| {
            let arm = wide(p) - center;
            // Spin, flight, and a wave that makes it tremble.
            let wave = DVec3::new(
                (9.0 * arm.y).sin(),
                (7.0 * arm.z).sin(),
                (8.0 * arm.x).cos(),
            );
            (omega.cross(arm) + DVec3::new(0.3, 0.1, -0.2) + 0.3 * wave)
                .as_vec3()
                .to_array()
        })
        .collect();
    simulation.set_state(&x, &v).expect("a body");
    let moving: f64 = masses
        .iter()
        .zip(&v)
        .map(|(m, v)| m * wide(v).length())
        .sum();
    let linear = momentum(&masses, &v);
    let angular = angular_momentum(&masses, &x, &v);
    simulation.step(2.0).expect("a body");
    let (x, v) = (positions(&simulation), velocities(&simulation));
    let lost = (momentum(&masses, &v) - linear).length() / moving;
    let turned = (angular_momentum(&masses, &x, &v) - angular).length() / angular.length();
    println!("linear {lost:.1e}, angular {turned:.1e}");
    assert!(
        lost < 1e-6 && turned < 1e-5,
        "linear {lost:e}, angular {turned:e}"
    );
}

/// By how much each vertex has sunk, m, once the body lies still on the floor, and the speed of the fastest, m/s.
fn at_rest(mut simulation: Simulation) -> (Vec<f64>, f64) {
    let before = positions(&simulation);
    let material = simulation.material().expect("a body");
    let damped = Material {
        damping: 20.0,
        ..material
    };
    simulation.set_material(damped).expect("in range");
    simulation.step(1.5).expect("a body");
    simulation.set_material(material).expect("in range");
    simulation.step(0.5).expect("a body");
    let after = positions(&simulation);
    let sunk = before
        .iter()
        .zip(&after)
        .map(|(a, b)| f64::from(a[1] - b[1]))
        .collect();
    let speeds = velocities(&simulation);
    let fastest = speeds.iter().map(|v| wide(v).length()).fold(0.0, f64::max);
    (sunk, fastest)
}

#[test]
fn a_block_rests_in_the_shape_that_it_has_without_the_operator() {
    for friction in [0.0, 0.5] {
        let material = Material { friction, ..PLAIN };
        let place = Transform::default();
        let loaded = stiff_box(R, material, Environment::default(), place);
        let mut fine = stiff_box(R, material, Environment::default(), place);
        fine.set_settings(SolverSettings::explicit(None))
            .expect("in range");
        let report = fine.report().expect("a body").dynamics.expect("explicit");
        assert!(
            report.r <= 1.5 && report.slowest_scaled_hz.is_none(),
            "{report:?}"
        );
        let (sunk, fastest) = at_rest(loaded);
        let (expected, still) = at_rest(fine);
        let most = expected.iter().copied().fold(0.0, f64::max);
        let wrong = sunk
            .iter()
            .zip(&expected)
            .map(|(a, b)| (a - b).abs())
            .fold(0.0, f64::max);
        println!(
            "friction {friction}: sunk {most:.3e} m, wrong by {:.4} of it, {fastest:.1e} m/s, {still:.1e} m/s",
            wrong / most
        );
        assert!(wrong < 0.01 * most, "{wrong} m of {most} m");
        assert!(fastest < 1e-3, "{fastest} m/s");
    }
}

#[test]
fn a_block_falls_freely_once_its_floor_is_gone() {
    let place = Transform::default();
    let mut simulation = stiff_box(R, PLAIN, Environment::default(), place);
    simulation.step(0.5).expect("a body");
    let masses = masses(&simulation);
    let before = momentum(&masses, &velocities(&simulation));
    let lower = Environment {
        floor: Some(-0.5),
        ..Environment::default()
    };
    simulation.set_environment(lower).expect("in range");
    simulation.step(0.1).expect("a body");
    let gained = momentum(&masses, &velocities(&simulation)) - before;
    // The impulses that held it are still there in the first substep, and have to be taken back.
    let expected = DVec3::from_array(lower.gravity) * 0.1 * masses.iter().sum::<f64>();
    let wrong = (gained - expected).length() / expected.length();
    println!("momentum wrong by {wrong:.1e}");
    assert!(wrong < 1e-4, "{gained} instead of {expected} kg m/s");
}

#[test]
fn the_smallest_bodies_bounce_and_stay_whole() {
    let s = 0.5;
    let corners = vec![[s; 3], [s, -s, -s], [-s, s, -s], [-s, -s, s]];
    let tet = TetMesh::new(corners, vec![[0, 1, 2, 3]]).expect("a tet");
    let cells = |n| box_mesh(n, n.map(|n| n as f32), [0.0; 3]).expect("a box");
    for (name, mesh) in [
        ("tet", tet),
        ("cell", cells([1; 3])),
        ("two cells", cells([2, 1, 1])),
    ] {
        let material = Material {
            youngs_modulus: 1e6,
            poisson_ratio: 0.499,
            ..PLAIN
        };
        let options = BodyOptions {
            material,
            transform: tilted(2.0),
            ..Default::default()
        };
        let mut simulation = world(
            Environment::default(),
            SolverSettings::explicit(None),
            mesh,
            &options,
        );
        let start = energy(&simulation);
        let mut highest = start;
        for _ in 0..300 {
            simulation.step(1.0 / 60.0).expect("a body");
            assert_finite(&positions(&simulation), name);
            highest = highest.max(energy(&simulation));
        }
        println!(
            "{name}: {:.4}, now {:.4}, {:?}",
            highest / start,
            energy(&simulation) / start,
            simulation.progress()
        );
        assert!(highest < 1.05 * start, "{name}: {highest} J of {start} J");
    }
}

#[test]
fn irregular_meshes_get_the_clusters_that_slow_the_least() {
    let file = |end: &str| std::fs::read(format!("www/public/models/bunny_{end}")).expect("a mesh");
    let mesh = TetMesh::from_bytes(
        &file("positions.vec3f32bin"),
        &file("tet_indices.vec4u32bin"),
    )
    .expect("a mesh");
    let told = |first: Option<f64>| {
        let options = BodyOptions {
            material: PLAIN,
            ..Default::default()
        };
        let settings = SolverSettings::explicit(Some(8));
        let mut simulation = world(Environment::default(), settings, mesh.clone(), &options);
        let found = simulation
            .report()
            .expect("a body")
            .dynamics
            .expect("explicit")
            .r;
        for r in first.into_iter().chain([R]) {
            let youngs_modulus = PLAIN.youngs_modulus * (r / found).powi(2);
            simulation
                .set_material(Material {
                    youngs_modulus,
                    ..PLAIN
                })
                .expect("in range");
            simulation.step(1.0 / 60.0).expect("a body");
        }
        let dynamics = simulation
            .report()
            .expect("a body")
            .dynamics
            .expect("explicit");
        // In units of the bound, which is R at a substep of 1/480 s.
        dynamics.slowest_scaled_hz.expect("slowed") * std::f64::consts::TAU / (R * 480.0)
    };
    let fresh = told(None);
    println!("slowed from {fresh:.4} of the highest frequency on");
    // With the clusters that boxes need it is half of that.
    assert!(fresh > 0.005, "{fresh}");
    for before in [2.0, 9.0] {
        assert_eq!(
            told(Some(before)),
            fresh,
            "what was chosen for r = {before} is left"
        );
    }
}

#[test]
fn a_report_tells_how_much_softer_a_body_is_than_its_material() {
    let material = Material {
        youngs_modulus: 1e12,
        ..PLAIN
    };
    let options = BodyOptions {
        material,
        ..Default::default()
    };
    let mesh = box_mesh([4; 3], [1.0; 3], [-0.5, 0.0, -0.5]).expect("a box");
    let settings = SolverSettings::explicit(Some(1));
    let mut simulation = world(Environment::default(), settings, mesh, &options);
    let report = simulation.report().expect("a body");
    let dynamics = report.dynamics.expect("explicit");
    let plan = simulation.plan(1.0 / 60.0).expect("a body");
    let softening = dynamics.softening.expect("softened");
    assert_eq!(softening, plan.softening);
    // What is left has r = 300.
    assert!(
        (dynamics.r * softening.sqrt() - 300.0).abs() < 1e-6,
        "{dynamics:?}"
    );
    let message = &report.findings.last().expect("a finding").message;
    assert!(
        message.contains("Young's modulus is lowered to"),
        "{message}"
    );
    simulation
        .set_settings(SolverSettings::explicit(Some(200)))
        .expect("in range");
    simulation
        .set_material(Material {
            youngs_modulus: 1e8,
            ..material
        })
        .expect("in range");
    let dynamics = simulation
        .report()
        .expect("a body")
        .dynamics
        .expect("explicit");
    assert_eq!(dynamics.softening, None, "{dynamics:?}");
}
