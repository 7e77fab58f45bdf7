//! The WGSL rotation without a decomposition, on 100,000 matrices per class: a proper rotation of least ‖F − R‖.
#![cfg(all(feature = "gpu", not(target_arch = "wasm32")))]

mod common;
#[path = "common/matrices.rs"]
mod matrices;
#[path = "common/reference/mod.rs"]
mod reference;

use common::Random;
use glam::{DMat3, DVec3};
use matrices::{columns, map_matrices};
use reference::signed_svd;
use webgpu_softbody::gpu::Gpu;
use webgpu_softbody::shaders::solver::ROTATION;

const DRIVER: &str = "
@group(0) @binding(0) var<storage, read> matrices: array<mat3x3<f32>>;
@group(0) @binding(1) var<storage, read_write> results: array<mat3x3<f32>>;
@compute @workgroup_size(64)
fn rotate(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= arrayLength(&matrices)) { return; }
  let f = matrices[id.x];
  let cof = cofactor(f);
  results[id.x] = closest_rotation(f, cof, dot(f[0], cof[0]));
}";

fn rotate(gpu: &Gpu, matrices: &[DMat3]) -> Vec<DMat3> {
    let input: Vec<_> = matrices.iter().map(columns).collect();
    let bytes = map_matrices(gpu, format!("{DRIVER}\n{ROTATION}"), "rotate", &input, 48);
    let columns: &[[f32; 4]] = bytemuck::cast_slice(&bytes);
    let vector = |c: &[f32; 4]| DVec3::new(c[0].into(), c[1].into(), c[2].into());
    columns
        .chunks_exact(3)
        .map(|c| DMat3::from_cols(vector(&c[0]), vector(&c[1]), vector(&c[2])))
        .collect()
}

fn norm(m: DMat3) -> f64 {
    m.to_cols_array().iter().map(|c| c * c).sum::<f64>().sqrt()
}

/// Rounded to f32, as the GPU sees it.
fn rounded(m: DMat3) -> DMat3 {
    DMat3::from_cols_array(&m.to_cols_array().map(|c| f64::from(c as f32)))
}

/// Largest errors over a class.
#[derive(Debug, Default)]
struct Worst {
    /// ‖RᵀR − 1‖.
    orthogonality: f64,
    /// ‖R − UVᵀ‖ · (σ2 + σ3)/‖F‖, where that is unique.
    rotation: f64,
    /// σ1 + σ2 + σ3 less R · F, over ‖F‖: what ‖F − R‖² exceeds the least by.
    excess: f64,
}

fn worst(gpu: &Gpu, matrices: &[DMat3]) -> Worst {
    let mut worst = Worst::default();
    for (&f, r) in matrices.iter().zip(rotate(gpu, matrices)) {
        assert!(r.is_finite(), "{f:?} gives {r:?}");
        assert!(r.determinant() > 0.9, "{f:?} gives {r:?}");
        let size = norm(f);
        let svd = signed_svd(f);
        let (sigma, best) = (svd.sigma, svd.u * svd.v.transpose());
        let gap = (sigma.y + sigma.z) / size;
        worst.orthogonality = worst
            .orthogonality
            .max(norm(r.transpose() * r - DMat3::IDENTITY));
        if gap > 1e-3 {
            worst.rotation = worst.rotation.max(norm(r - best) * gap);
        }
        let along =
            |r: DMat3| f.x_axis.dot(r.x_axis) + f.y_axis.dot(r.y_axis) + f.z_axis.dot(r.z_axis);
        worst.excess = worst.excess.max((along(best) - along(r)) / size);
    }
    worst
}

/// 100,000 matrices of a class, and what is allowed of each error.
type Class<'a> = (&'a str, [f64; 3], Box<dyn FnMut(&mut Random) -> DMat3>);

fn with_sigma(random: &mut Random, sigma: DVec3) -> DMat3 {
    random.rotation() * DMat3::from_diagonal(sigma) * random.rotation().transpose()
}

#[test]
fn random_classes() {
    let gpu = common::gpu();
    let mut random = Random::new();
    let classes: [Class<'_>; 8] = [
        (
            "near a rotation",
            [8e-6, 5e-6, 5e-6],
            Box::new(|random| {
                let size = 10_f64.powf(random.uniform(-6.0, -1.0));
                let noise =
                    DMat3::from_cols_array(&std::array::from_fn(|_| size * random.normal()));
                random.rotation() * (DMat3::IDENTITY + noise)
            }),
        ),
        (
            "stretched",
            [2e-4, 2e-5, 3e-5],
            Box::new(|random| {
                let s = std::array::from_fn(|_| random.uniform(0.2, 3.0));
                with_sigma(random, DVec3::from_array(s))
            }),
        ),
        (
            "flat",
            [3e-5, 2e-5, 2e-5],
            Box::new(|random| {
                let thin = 10_f64.powf(random.uniform(-6.0, -1.0));
                with_sigma(random, DVec3::new(1.0, 1.0, thin))
            }),
        ),
        (
            "uniform",
            [2e-4, 2e-4, 1e-4],
            Box::new(|random| {
                DMat3::from_cols_array(&std::array::from_fn(|_| random.uniform(-1.0, 1.0)))
            }),
        ),
        (
            "inverted",
            [2e-4, 2e-4, 1e-4],
            Box::new(|random| {
                let s = DVec3::new(
                    random.uniform(0.3, 1.7),
                    random.uniform(0.3, 1.7),
                    -random.uniform(0.1, 1.7),
                );
                with_sigma(random, s)
            }),
        ),
        (
            "mirror, σ2 ≈ −σ3",
            [1e-5, 1.0, 1e-4],
            Box::new(|random| {
                let e = random.uniform(-1e-3, 1e-3);
                with_sigma(random, DVec3::new(1.0, 1.0, -1.0 + e))
            }),
        ),
        (
            "a needle",
            [1e-5, 1.0, 1e-4],
            Box::new(|random| {
                let thin = 10_f64.powf(random.uniform(-8.0, -3.0));
                with_sigma(random, DVec3::new(1.0, thin, -0.5 * thin))
            }),
        ),
        (
            "collapsed or blown up",
            [2e-4, 2e-4, 1e-4],
            Box::new(|random| {
                let size = 10_f64.powf(random.uniform(-6.0, 6.0));
                size * DMat3::from_cols_array(&std::array::from_fn(|_| random.uniform(-1.0, 1.0)))
            }),
        ),
    ];
    let mut failures = Vec::new();
    for (class, allowed, mut draw) in classes {
        let matrices: Vec<DMat3> = (0..100_000).map(|_| rounded(draw(&mut random))).collect();
        let worst = worst(&gpu, &matrices);
        println!(
            "{class}: orthogonality {:.1e}, rotation {:.1e}, excess {:.1e}",
            worst.orthogonality, worst.rotation, worst.excess
        );
        let found = [worst.orthogonality, worst.rotation, worst.excess];
        if (0..3).any(|i| found[i] > allowed[i]) {
            failures.push(format!("{class}: {worst:?}, allowed {allowed:?}"));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn special_matrices() {
    let gpu = common::gpu();
    let diagonal = |x, y, z| DMat3::from_diagonal(DVec3::new(x, y, z));
    let matrices = [
        DMat3::IDENTITY,
        DMat3::ZERO,
        diagonal(1.0, 1.0, -1.0),
        diagonal(-1.0, -1.0, -1.0),
        diagonal(0.0, 0.0, 2.0),
        diagonal(1.0, 2.0, 3.0),
        DMat3::from_cols_array(&[1.0; 9]),
        DMat3::from_cols_array(&[0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0]),
        DMat3::from_cols_array(&[f64::NAN; 9]),
    ];
    let rotations = rotate(&gpu, &matrices);
    for (f, r) in matrices.iter().zip(&rotations) {
        assert!(
            norm(r.transpose() * *r - DMat3::IDENTITY) < 1e-5 && r.determinant() > 0.9,
            "{f:?} gives {r:?}"
        );
    }
    for exact in [0, 1, 5, 7, 8] {
        let expected = match exact {
            7 => matrices[7],
            _ => DMat3::IDENTITY,
        };
        assert!(norm(rotations[exact] - expected) < 1e-6, "{exact}");
    }
}
