//! The WGSL signed SVD on 100,000 matrices per class and on the reference bank.
#![cfg(all(feature = "gpu", not(target_arch = "wasm32")))]

mod common;
#[path = "common/matrices.rs"]
mod matrices;

use common::Random;
use glam::{DMat3, DVec3};
use matrices::{columns, map_matrices};
use webgpu_softbody::gpu::Gpu;
use webgpu_softbody::shaders::solver::SVD;

const DRIVER: &str = "
@group(0) @binding(0) var<storage, read> matrices: array<mat3x3<f32>>;
@group(0) @binding(1) var<storage, read_write> results: array<SignedSvd>;
@compute @workgroup_size(64)
fn decompose(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < arrayLength(&matrices)) { results[id.x] = signed_svd(matrices[id.x]); }
}";

struct Svd {
    u: DMat3,
    sigma: DVec3,
    v: DMat3,
}

fn matrix(c: &[f32]) -> DMat3 {
    DMat3::from_cols_array(&std::array::from_fn(|i| f64::from(c[i / 3 * 4 + i % 3])))
}

fn decompose(gpu: &Gpu, matrices: &[DMat3]) -> Vec<Svd> {
    let input: Vec<_> = matrices.iter().map(columns).collect();
    let bytes = map_matrices(gpu, format!("{DRIVER}\n{SVD}"), "decompose", &input, 112);
    let floats: &[f32] = bytemuck::cast_slice(&bytes);
    floats
        .chunks_exact(28)
        .map(|c| Svd {
            u: matrix(&c[0..12]),
            sigma: DVec3::new(f64::from(c[12]), f64::from(c[13]), f64::from(c[14])),
            v: matrix(&c[16..28]),
        })
        .collect()
}

fn norm(m: &DMat3) -> f64 {
    m.to_cols_array().iter().map(|c| c * c).sum::<f64>().sqrt()
}

/// Rounded to f32, as the GPU sees it.
fn rounded(m: DMat3) -> DMat3 {
    DMat3::from_cols_array(&m.to_cols_array().map(|c| f64::from(c as f32)))
}

/// Reconstruction, orthogonality, determinants, order and sign, all relative to the matrix.
fn check(class: &str, matrices: &[DMat3], results: &[Svd]) {
    assert_eq!(matrices.len(), results.len());
    let mut worst = [0.0_f64; 4];
    for (a, svd) in matrices.iter().zip(results) {
        let size = norm(a).max(f64::MIN_POSITIVE);
        let rebuilt = svd.u * DMat3::from_diagonal(svd.sigma) * svd.v.transpose();
        let reconstruction = norm(&(rebuilt - *a)) / size;
        let orthogonality = norm(&(svd.u.transpose() * svd.u - DMat3::IDENTITY))
            .max(norm(&(svd.v.transpose() * svd.v - DMat3::IDENTITY)));
        let determinant = (svd.u.determinant() - 1.0)
            .abs()
            .max((svd.v.determinant() - 1.0).abs());
        let s = svd.sigma / size;
        let disorder = (s.y - s.x).max(s.z.abs() - s.y).max(0.0);
        for (w, value) in
            worst
                .iter_mut()
                .zip([reconstruction, orthogonality, determinant, disorder])
        {
            assert!(value.is_finite(), "{class}: {a:?} gives {value}");
            *w = w.max(value);
        }
        let det = a.determinant() / size.powi(3);
        if det.abs() > 1e-6 {
            assert_eq!(
                svd.sigma.z > 0.0,
                det > 0.0,
                "{class}: sign of σ3 = {} for det {det}",
                svd.sigma.z
            );
        }
    }
    println!(
        "{class}: {} matrices, reconstruction {:.2e}, orthogonality {:.2e}, determinant {:.2e}, order {:.2e}",
        matrices.len(),
        worst[0],
        worst[1],
        worst[2],
        worst[3]
    );
    assert!(
        worst[0] < 5e-6,
        "{class}: ‖UΣVᵀ − A‖ / ‖A‖ = {:.2e}",
        worst[0]
    );
    assert!(worst[1] < 3e-6, "{class}: orthogonality {:.2e}", worst[1]);
    assert!(worst[2] < 3e-6, "{class}: determinant {:.2e}", worst[2]);
    assert!(worst[3] < 1e-6, "{class}: order {:.2e}", worst[3]);
}

#[test]
fn random_classes() {
    let gpu = common::gpu();
    let mut random = Random::new();
    const COUNT: usize = 100_000;
    let uniform = |random: &mut Random| {
        DMat3::from_cols_array(&std::array::from_fn(|_| random.uniform(-1.0, 1.0)))
    };
    let with_sigma = |random: &mut Random, sigma: DVec3| {
        random.rotation() * DMat3::from_diagonal(sigma) * random.rotation().transpose()
    };
    type Draw<'a> = (&'a str, Box<dyn FnMut(&mut Random) -> DMat3 + 'a>);
    let classes: [Draw<'_>; 9] = [
        ("uniform", Box::new(uniform)),
        (
            "near a rotation",
            Box::new(|random| {
                let size = 10_f64.powf(random.uniform(-7.0, -0.5));
                let noise =
                    DMat3::from_cols_array(&std::array::from_fn(|_| size * random.normal()));
                random.rotation() * (DMat3::IDENTITY + noise)
            }),
        ),
        (
            "inverted",
            Box::new(|random| {
                let s = DVec3::new(
                    random.uniform(0.3, 1.7),
                    random.uniform(0.3, 1.7),
                    -random.uniform(0.3, 1.7),
                );
                with_sigma(random, s)
            }),
        ),
        (
            "mirror, σ2 ≈ −σ3",
            Box::new(|random| {
                let e = random.uniform(-1e-3, 1e-3);
                with_sigma(random, DVec3::new(1.0, 1.0, -1.0 + e))
            }),
        ),
        (
            "rank 2",
            Box::new(|random| {
                let s = DVec3::new(random.uniform(0.3, 1.5), random.uniform(0.3, 1.5), 0.0);
                with_sigma(random, s)
            }),
        ),
        (
            "rank 1",
            Box::new(|random| {
                let s = DVec3::new(random.uniform(0.3, 1.5), 0.0, 0.0);
                with_sigma(random, s)
            }),
        ),
        (
            "ill-conditioned",
            Box::new(|random| {
                let s = DVec3::new(
                    1.0,
                    10_f64.powf(random.uniform(-4.0, 0.0)),
                    10_f64.powf(random.uniform(-8.0, 0.0)),
                );
                with_sigma(random, s)
            }),
        ),
        (
            "scaled 1e-4 … 1e3",
            Box::new(|random| uniform(random) * 10_f64.powf(random.uniform(-4.0, 3.0))),
        ),
        (
            "scaled 1e-20 … 1e15",
            Box::new(|random| uniform(random) * 10_f64.powf(random.uniform(-20.0, 15.0))),
        ),
    ];
    for (class, mut draw) in classes {
        let matrices: Vec<DMat3> = (0..COUNT).map(|_| rounded(draw(&mut random))).collect();
        let results = decompose(&gpu, &matrices);
        check(class, &matrices, &results);
    }
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
    ];
    let results = decompose(&gpu, &matrices);
    check("special", &matrices, &results);
    assert_eq!(results[0].sigma, DVec3::ONE);
    assert_eq!(results[1].sigma, DVec3::ZERO);
    assert!((results[2].sigma - DVec3::new(1.0, 1.0, -1.0)).length() < 1e-6);
    assert!((results[3].sigma - DVec3::new(1.0, 1.0, -1.0)).length() < 1e-6);
    assert!((results[5].sigma - DVec3::new(3.0, 2.0, 1.0)).length() < 1e-6);
}

/// Singular values and rotations against float64, relative to σ1 and to the conditioning of R.
#[test]
fn reference_bank() {
    let gpu = common::gpu();
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/svd/");
    let doubles = |name: String| -> Vec<f64> {
        bytemuck::pod_collect_to_vec(&std::fs::read(format!("{dir}{name}")).expect("bank"))
    };
    let row_major = |c: &[f64]| DMat3::from_cols_array(&std::array::from_fn(|i| c[i])).transpose();
    for class in ["random", "near_rotation", "inverted", "rank2"] {
        let a: Vec<f32> = bytemuck::pod_collect_to_vec(
            &std::fs::read(format!("{dir}{class}_A.mat3f32bin")).expect("bank"),
        );
        let matrices: Vec<DMat3> = a
            .chunks_exact(9)
            .map(|c| row_major(&std::array::from_fn::<f64, 9, _>(|i| f64::from(c[i]))))
            .collect();
        let sigma = doubles(format!("{class}_sigma.vec3f64bin"));
        let rotations = doubles(format!("{class}_R.mat3f64bin"));
        assert_eq!(matrices.len(), 4000);
        let results = decompose(&gpu, &matrices);
        check(class, &matrices, &results);
        let eps = 2_f64.powi(-23);
        let mut worst = [0.0_f64; 2];
        for (index, svd) in results.iter().enumerate() {
            let s = DVec3::from_slice(&sigma[3 * index..]);
            let mut found = svd.sigma;
            if class == "rank2" && s.z.abs() < 1e-6 {
                // The sign of a vanishing σ3 is rounding.
                found.z = found.z.abs() * s.z.signum();
            }
            worst[0] = worst[0].max((found - s).abs().max_element() / (eps * s.x));
            let r = row_major(&rotations[9 * index..9 * index + 9]);
            let gap = s.y + s.z;
            if !r.is_nan() && gap / s.x > 1e-4 {
                let error = norm(&(svd.u * svd.v.transpose() - r));
                worst[1] = worst[1].max(error * gap / (eps * s.x));
            }
        }
        println!(
            "{class}: |Δσ| ≤ {:.1} ulp of σ1, |ΔR| ≤ {:.1} ulp σ1/(σ2+σ3)",
            worst[0], worst[1]
        );
        assert!(worst[0] < 20.0 && worst[1] < 40.0, "{class}: {worst:?}");
    }
}
