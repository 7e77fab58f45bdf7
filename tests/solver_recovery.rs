//! What no state or setting may break: bodies inside out, flat or collapsed come back, extremes stay finite.
#![cfg(all(feature = "gpu", not(target_arch = "wasm32")))]

#[macro_use]
mod common;

use common::*;
use webgpu_softbody::meshing::box_mesh;
use webgpu_softbody::settings::{Material, SolverSettings};
use webgpu_softbody::simulation::BodyOptions;

for_both_schemes!(
    a_mirrored_mesh_recovers,
    a_flattened_mesh_recovers,
    a_collapsed_mesh_recovers,
    a_scrambled_mesh_recovers,
    extremes_stay_finite_and_in_place,
);

/// A cube let go from where `place` puts its vertices is whole again after 4 s.
fn recovers(settings: SolverSettings, name: &str, mut place: impl FnMut([f32; 3]) -> [f32; 3]) {
    let material = Material {
        damping: 2.0,
        ..PLAIN
    };
    let mesh = box_mesh([4; 3], [1.0; 3], [0.0; 3]).expect("a box");
    let tets = mesh.tets().to_vec();
    let options = BodyOptions {
        material,
        ..Default::default()
    };
    let mut simulation = world(SPACE, settings, mesh, &options);
    let start: Vec<[f32; 3]> = positions(&simulation).into_iter().map(&mut place).collect();
    let spoilt = |positions: &[[f32; 3]]| {
        let volumes = tet_volumes(&tets, positions);
        volumes.iter().filter(|&&v| v <= 1e-9).count()
    };
    assert!(
        3 * spoilt(&start) > tets.len(),
        "{name}: a third of the tets starts flat or inverted"
    );
    let still = vec![[0.0; 3]; start.len()];
    simulation.set_state(&start, &still).unwrap();
    for second in 1..=4 {
        simulation.step(1.0).unwrap();
        let now = positions(&simulation);
        assert_finite(&now, name);
        println!(
            "{name}: {} of {} tets flat or inverted after {second} s",
            spoilt(&now),
            tets.len()
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

fn a_mirrored_mesh_recovers(settings: SolverSettings) {
    recovers(settings, "mirrored", |[x, y, z]| [1.0 - x, y, z]);
}

fn a_flattened_mesh_recovers(settings: SolverSettings) {
    recovers(settings, "flattened", |[x, _, z]| [x, 0.5, z]);
}

fn a_collapsed_mesh_recovers(settings: SolverSettings) {
    recovers(settings, "collapsed", |_| [0.5; 3]);
}

/// Every vertex anywhere in the cube.
fn a_scrambled_mesh_recovers(settings: SolverSettings) {
    let mut random = Random::new();
    recovers(settings, "scrambled", |_| {
        std::array::from_fn(|_| random.uniform(0.0, 1.0) as f32)
    });
}

/// No size, stiffness or step overflows f32: a tet of a micrometre to one of 10 km, E from 1 Pa to 1e12 Pa, ν near 0.5.
fn extremes_stay_finite_and_in_place(scheme: SolverSettings) {
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
            substeps: Some((random.next() % 200 + 1) as u32),
            iterations: (random.next() % 4 + 1) as u32,
            ..scheme
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
