//! What no state or setting may break: bodies inside out, flat or collapsed come back, extremes stay finite.
#![cfg(all(feature = "gpu", not(target_arch = "wasm32")))]

mod common;

use common::*;
use webgpu_softbody::meshing::box_mesh;
use webgpu_softbody::settings::{Material, SolverSettings};
use webgpu_softbody::simulation::BodyOptions;

fn recovers(name: &str, place: impl Fn([f32; 3]) -> [f32; 3]) {
    let material = Material {
        damping: 2.0,
        ..PLAIN
    };
    let mesh = box_mesh([4; 3], [1.0; 3], [0.0; 3]).expect("a box");
    let tets = mesh.tets().to_vec();
    let mut simulation = world(
        SPACE,
        SolverSettings::default(),
        mesh,
        &BodyOptions {
            material,
            ..Default::default()
        },
    );
    let start: Vec<[f32; 3]> = positions(&simulation).into_iter().map(place).collect();
    assert!(
        tet_volumes(&tets, &start).iter().all(|&v| v <= 1e-9),
        "{name}: every tet starts flat or inverted"
    );
    simulation
        .set_state(&start, &vec![[0.0; 3]; start.len()])
        .unwrap();
    for second in 0..6 {
        simulation.step(1.0).unwrap();
        assert_finite(&positions(&simulation), name);
        let volumes = tet_volumes(&tets, &positions(&simulation));
        let inverted = volumes.iter().filter(|&&v| v <= 0.0).count();
        println!(
            "{name}: {inverted} of {} tets inverted after {} s",
            tets.len(),
            second + 1
        );
    }
    let now = positions(&simulation);
    let volumes = tet_volumes(&tets, &now);
    let worst = volumes.iter().copied().fold(f64::INFINITY, f64::min) / (1.0 / tets.len() as f64);
    assert!(
        worst > 0.5,
        "{name}: smallest volume is {worst} of its rest volume"
    );
    for axis in 0..3 {
        assert!(
            now.iter().all(|x| (-2.0..3.0).contains(&x[axis])),
            "{name}: a vertex flew off"
        );
    }
}

#[test]
fn a_mirrored_mesh_recovers() {
    recovers("mirrored", |[x, y, z]| [1.0 - x, y, z]);
}

#[test]
fn a_flattened_mesh_recovers() {
    recovers("flattened", |[x, _, z]| [x, 0.5, z]);
}

#[test]
fn a_collapsed_mesh_recovers() {
    recovers("collapsed", |_| [0.5; 3]);
}

/// No size, stiffness or step overflows f32: a tet of a micrometre to one of 10 km, E from 1 Pa to 1e12 Pa, ν near 0.5.
#[test]
fn extremes_stay_finite_and_in_place() {
    let mut random = Random::new();
    for _ in 0..24 {
        let size = 10_f64.powf(random.uniform(-6.0, 4.0)) as f32;
        let material = Material {
            youngs_modulus: 10_f64.powf(random.uniform(0.0, 12.0)),
            poisson_ratio: random.uniform(0.0, 0.499),
            density: 10_f64.powf(random.uniform(-3.0, 5.0)),
            ..PLAIN
        };
        let settings = SolverSettings {
            substeps: (random.next() % 200 + 1) as u32,
            iterations: (random.next() % 4 + 1) as u32,
        };
        let mesh = box_mesh([2; 3], [size; 3], [0.0; 3]).expect("a box");
        let options = BodyOptions {
            material,
            ..Default::default()
        };
        let mut simulation = world(SPACE, settings, mesh, &options);
        let start = positions(&simulation);
        let squeezed: Vec<[f32; 3]> = start.iter().map(|&[x, y, z]| [x, 0.8 * y, z]).collect();
        let still = vec![[0.0; 3]; start.len()];
        simulation.set_state(&squeezed, &still).unwrap();
        let sound = ((2.0 * material.lame_mu() + material.lame_lambda()) / material.density).sqrt();
        let mut passed = 0.0;
        for seconds in [1e-9, 1.0 / 60.0, 0.05] {
            simulation.step(seconds).unwrap();
            let what = format!("{size} m, {material:?}, {settings:?}, {seconds} s");
            assert_finite(&positions(&simulation), &what);
            assert_finite(&velocities(&simulation), &what);
            let now = positions(&simulation);
            // A stiff undamped body that a few iterations cannot solve rings wildly, its vertices at up to the speed
            // of sound; but none is faster.
            passed += seconds;
            let reach = 10.0 * f64::from(size) + sound * passed;
            let far = now.iter().flatten().map(|c| c.abs()).fold(0.0, f32::max);
            assert!(f64::from(far) < reach, "{far} m away: {what}");
        }
    }
}
