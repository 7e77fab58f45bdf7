//! Where a tet counts as a sliver, it vibrates about ten times as fast as a regular one: what the thresholds mean.
#![cfg(all(feature = "mesh-tools", not(target_arch = "wasm32")))]

use webgpu_softbody::diagnosis::{Diagnosis, DoctorOptions, diagnose};
use webgpu_softbody::mesh::Finding;
use webgpu_softbody::rest_state::RestState;

type Tet = [[f32; 3]; 4];

fn examine(tet: Tet) -> Diagnosis {
    diagnose(tet.to_vec(), vec![[0, 1, 2, 3]], &DoctorOptions::default()).expect("loads")
}

fn is_sliver(tet: Tet) -> bool {
    examine(tet)
        .report
        .findings
        .iter()
        .any(|finding| finding.code == Finding::SLIVERS)
}

fn mean_edge(tet: Tet) -> f64 {
    let mut sum = 0.0;
    for i in 0..4 {
        for j in 0..i {
            let square: f64 = (0..3)
                .map(|axis| f64::from(tet[i][axis] - tet[j][axis]).powi(2))
                .sum();
            sum += square.sqrt() / 6.0;
        }
    }
    sum
}

/// The fastest vibration of a free tet with a quarter of its mass at each corner, for μ = 1, λ = 1.5 (ν = 0.3) and
/// density 1, times its mean edge length: √ of the largest eigenvalue of 4K/(ρV), by power iteration.
fn frequency(tet: Tet) -> f64 {
    let mesh = examine(tet).mesh;
    let inverse = RestState::new(&mesh).inverse_edges[0];
    // Gradients of the shape functions; the stiffness block of corners a, b is V(λ ga gbᵀ + μ gb gaᵀ + μ ga·gb I).
    let mut gradients = [[0.0f64; 3]; 4];
    for corner in 0..3 {
        for axis in 0..3 {
            gradients[corner + 1][axis] = f64::from(inverse[corner][axis]);
            gradients[0][axis] -= f64::from(inverse[corner][axis]);
        }
    }
    let dot = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let times = |x: [[f64; 3]; 4]| -> [[f64; 3]; 4] {
        let mut y = [[0.0; 3]; 4];
        for a in 0..4 {
            for b in 0..4 {
                let (ga, gb) = (gradients[a], gradients[b]);
                for axis in 0..3 {
                    y[a][axis] += 4.0
                        * (1.5 * ga[axis] * dot(gb, x[b])
                            + gb[axis] * dot(ga, x[b])
                            + dot(ga, gb) * x[b][axis]);
                }
            }
        }
        y
    };
    let mut x = [
        [0.3, -0.7, 0.2],
        [0.9, 0.1, -0.4],
        [-0.5, 0.6, 0.8],
        [0.2, 0.5, -0.3],
    ];
    let mut eigenvalue = 0.0;
    for _ in 0..2000 {
        x = times(x);
        eigenvalue = x.iter().map(|&row| dot(row, row)).sum::<f64>().sqrt();
        x = x.map(|row| row.map(|value| value / eigenvalue));
    }
    eigenvalue.sqrt() * mean_edge(tet)
}

/// A shape that gets the flatter the smaller the number.
type Family = (&'static str, fn(f32) -> Tet);

const FAMILIES: [Family; 4] = [
    ("sliver: a square, two corners lifted", |h| {
        [
            [0.0, 0.0, 0.0],
            [1.0, 0.0, h],
            [1.0, 1.0, 0.0],
            [0.0, 1.0, h],
        ]
    }),
    ("cap: a corner above a triangle", |h| {
        [
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [0.5, 0.8, 0.0],
            [0.5, 0.3, h],
        ]
    }),
    ("wedge: a short edge", |h| {
        [
            [0.0, 0.0, 0.0],
            [0.0, 0.0, h],
            [1.0, -0.5, 0.0],
            [1.0, 0.5, 0.0],
        ]
    }),
    ("needle: a small triangle", |h| {
        [
            [0.0, 0.0, 0.0],
            [h, 0.0, 0.0],
            [0.5 * h, h, 0.0],
            [0.5 * h, 0.5 * h, 1.0],
        ]
    }),
];

#[test]
fn a_sliver_is_about_ten_times_as_fast_as_a_regular_tet() {
    let regular = frequency([
        [1.0, 1.0, 1.0],
        [1.0, -1.0, -1.0],
        [-1.0, 1.0, -1.0],
        [-1.0, -1.0, 1.0],
    ]);
    for (name, shape) in FAMILIES {
        let (mut thin, mut thick) = (1e-3f32, 0.6);
        assert!(is_sliver(shape(thin)) && !is_sliver(shape(thick)), "{name}");
        for _ in 0..40 {
            let middle = 0.5 * (thin + thick);
            if is_sliver(shape(middle)) {
                thin = middle;
            } else {
                thick = middle;
            }
        }
        let found = examine(shape(thick)).shape;
        let ratio = frequency(shape(thick)) / regular;
        println!(
            "{name:<38} h = {thick:.4}: {:5.1}° to {:5.1}°, condition {:4.1}, {ratio:4.1} times as fast",
            found.min_dihedral_degrees, found.max_dihedral_degrees, found.condition_numbers.worst
        );
        assert!((7.0..11.0).contains(&ratio), "{name}: {ratio}");
    }
}
