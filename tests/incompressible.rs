//! Materials close to incompressible: every Poisson's ratio below .5 is simulated, in both schemes.
#![cfg(all(feature = "gpu", not(target_arch = "wasm32")))]

mod common;

use common::{EXPLICIT, assert_finite, positions, tet_volumes, velocities, world};
use webgpu_softbody::meshing::box_mesh;
use webgpu_softbody::settings::{Environment, Material, SolverSettings};
use webgpu_softbody::simulation::BodyOptions;

/// What a body of 1 m³ that falls by 5 cm is after 10 frames: its volume, m³.
fn volume_after(settings: SolverSettings, material: Material) -> f64 {
    let mesh = box_mesh([2; 3], [1.0; 3], [-0.5, 0.05, -0.5]).expect("a box");
    let tets = mesh.tets().to_vec();
    let options = BodyOptions {
        material,
        ..BodyOptions::default()
    };
    let mut simulation = world(Environment::default(), settings, mesh, &options);
    for _ in 0..10 {
        simulation.step(1.0 / 60.0).expect("a body");
    }
    let found = positions(&simulation);
    let what = format!("{settings:?}, {material:?}");
    assert_finite(&found, &what);
    assert_finite(&velocities(&simulation), &what);
    tet_volumes(&tets, &found).iter().sum()
}

#[test]
fn a_soft_heavy_body_keeps_its_numbers() {
    for settings in [
        SolverSettings::xpbd(1, 1),
        SolverSettings::xpbd(20, 4),
        EXPLICIT,
    ] {
        for poisson_ratio in [0.499_999_9, 0.499_999_999_999_9, 0.5f64.next_down()] {
            for (youngs_modulus, density) in [(1.0, 1e5), (1.0, 1e3), (1e12, 1e-3)] {
                let material = Material {
                    youngs_modulus,
                    poisson_ratio,
                    density,
                    damping: 0.0,
                    friction: 0.5,
                };
                volume_after(settings, material);
            }
        }
    }
}

#[test]
fn xpbd_keeps_the_volume_up_to_the_largest_ratio() {
    for poisson_ratio in [0.4999, 0.499_99, 0.5f64.next_down()] {
        let material = Material {
            poisson_ratio,
            ..Material::default()
        };
        let volume = volume_after(SolverSettings::xpbd(20, 4), material);
        println!("ν = {poisson_ratio}: {volume} m³");
        assert!(
            (volume - 1.0).abs() < 0.01,
            "ν = {poisson_ratio}: {volume} m³"
        );
    }
}
