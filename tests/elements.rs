//! Single tets against float64: constraint values of XPBD and the force of a first substep of both schemes, through the shipped kernels.
#![cfg(all(feature = "gpu", not(target_arch = "wasm32")))]

mod common;

use common::*;
use webgpu_softbody::mesh::TetMesh;
use webgpu_softbody::settings::{Material, Scheme, SolverSettings};
use webgpu_softbody::simulation::{BodyOptions, Simulation};

fn stored<T: bytemuck::AnyBitPattern + bytemuck::NoUninit>(name: &str) -> Vec<T> {
    let path = format!("{}/tests/data/elements/{name}", env!("CARGO_MANIFEST_DIR"));
    bytemuck::pod_collect_to_vec(&std::fs::read(path).expect("stored figures"))
}

#[test]
fn constraints_and_forces_of_single_tets_with_xpbd() {
    constraints_and_forces_of_single_tets(SolverSettings::xpbd(1, 1));
}

#[test]
fn forces_of_single_tets_with_the_explicit_scheme() {
    constraints_and_forces_of_single_tets(SolverSettings::explicit(Some(1)));
}

/// With one substep far below the stiffness' own, and one iteration, λ = −C/α̃ and m v/Δt is the elastic force.
fn constraints_and_forces_of_single_tets(settings: SolverSettings) {
    let rest: Vec<[[f32; 3]; 4]> = stored("rest.bin");
    let current: Vec<[[f32; 3]; 4]> = stored("current.bin");
    let materials: Vec<[f32; 2]> = stored("material_E_nu.bin");
    let values: Vec<[f64; 5]> = stored("ref_V_J_Carap_Cvol_energy.bin");
    let forces: Vec<[[f64; 3]; 4]> = stored("ref_force.bin");
    let sigmas: Vec<[f64; 3]> = stored("ref_sigma.bin");
    assert!(rest.len() == 400 && forces.len() == 400 && sigmas.len() == 400);

    let mut simulation = Simulation::new(gpu(), SPACE, settings).expect("in range");
    let mut worst = [0.0_f64; 3];
    for (index, (((rest, current), [e, nu]), [volume, j, c_shape, c_volume, _])) in rest
        .iter()
        .zip(&current)
        .zip(&materials)
        .zip(&values)
        .enumerate()
    {
        let material = Material {
            youngs_modulus: f64::from(*e),
            poisson_ratio: f64::from(*nu),
            ..PLAIN
        };
        let mesh = TetMesh::new(rest.to_vec(), vec![[0, 1, 2, 3]]).expect("a good tet");
        assert_eq!(mesh.tets()[0], [0, 1, 2, 3], "stored tets are positive");
        let options = BodyOptions {
            material,
            ..Default::default()
        };
        let report = simulation.load(mesh, &options).expect("it loads");
        assert!((report.volume / volume - 1.0).abs() < 1e-5);
        simulation
            .set_state(current, &[[0.0; 3]; 4])
            .expect("a body");
        // Δt ≪ 1/ω with ω² ≤ (2μ+λ) / (ρ h²) of the shortest height h.
        let b = simulation.body().expect("a body").rest().inverse_edges[0];
        let steepest = b.iter().flatten().map(|x| f64::from(x * x)).sum::<f64>();
        let speed = (2.0 * material.lame_mu() + material.lame_lambda()) / material.density;
        let strain = sigmas[index].iter().map(|s| s.abs()).fold(1.0, f64::max);
        let dt = 1e-4 / (speed * steepest * strain.powi(4)).sqrt();
        simulation.step(dt).expect("a step");

        if settings.scheme == Scheme::Xpbd {
            let found = constraints(&simulation)[0];
            let size = strain.max(*c_shape);
            worst[0] = worst[0].max((f64::from(found[2]) - c_shape).abs() / size);
            worst[1] = worst[1]
                .max((f64::from(found[3]) - c_volume).abs() / (1.0 + j.abs() + strain.powi(3)));
        }
        let mass = masses(&simulation);
        let v = velocities(&simulation);
        let largest = forces[index]
            .iter()
            .flatten()
            .fold(0.0_f64, |all, f| all.max(f.abs()));
        let gap = sigmas[index][1] + sigmas[index][2];
        // The force turns with R, whose conditioning is σ1/(σ2+σ3).
        let conditioning = 1.0 + 1e-3 * strain / gap.max(1e-6);
        for corner in 0..4 {
            for axis in 0..3 {
                let force = mass[corner] * f64::from(v[corner][axis]) / dt;
                let error = (force - forces[index][corner][axis]).abs() / largest.max(1e-12);
                worst[2] = worst[2].max(error / conditioning);
            }
        }
    }
    println!(
        "worst relative errors: shape {:.1e}, volume {:.1e}, force {:.1e}",
        worst[0], worst[1], worst[2]
    );
    assert!(worst[0] < 2e-6, "C_shape is off by {:.1e}", worst[0]);
    assert!(worst[1] < 2e-6, "C_volume is off by {:.1e}", worst[1]);
    assert!(worst[2] < 1e-4, "the force is off by {:.1e}", worst[2]);
}
