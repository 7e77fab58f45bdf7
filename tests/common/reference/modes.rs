//! Lowest natural modes about rest: inverse subspace iteration with lumped masses.

use super::model::Model;
use super::skyline::Cholesky;
use glam::DVec3;

/// A natural mode.
#[derive(Debug, Clone)]
pub struct Mode {
    /// Hz.
    pub frequency: f64,
    /// Displacements with Σ m |u|² = 1.
    pub shape: Vec<DVec3>,
}

/// The lowest `count` modes of K u = ω² M u. `factor` must be that of `model` in the state of interest, without shift.
pub fn lowest_modes(model: &Model, factor: &Cholesky, count: usize) -> Vec<Mode> {
    let size = count + 4;
    // Any start does that is not orthogonal to a mode: a fixed sequence of numbers that look random.
    let mut state = 1u64;
    let mut random = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as f64 / (1u64 << 31) as f64 - 0.5
    };
    let mut basis: Vec<Vec<DVec3>> = (0..size)
        .map(|_| {
            model
                .pinned
                .iter()
                .map(|&pinned| match pinned {
                    true => DVec3::ZERO,
                    false => DVec3::new(random(), random(), random()),
                })
                .collect()
        })
        .collect();
    let weighted = |a: &[DVec3], b: &[DVec3]| -> f64 {
        (0..a.len()).map(|v| model.masses[v] * a[v].dot(b[v])).sum()
    };
    let mut squares = vec![f64::INFINITY; size];
    for _ in 0..200 {
        orthonormalise(&mut basis, &weighted);
        // Of W = K⁻¹ M V: Wᵀ K W = Wᵀ M V. With V orthonormal, the eigenvalues of Wᵀ M V are those of K⁻¹ M in the span.
        let next: Vec<Vec<DVec3>> = basis
            .iter()
            .map(|column| {
                let load: Vec<DVec3> = (0..column.len())
                    .map(|v| model.masses[v] * column[v])
                    .collect();
                factor.solve(&load)
            })
            .collect();
        let mut small = vec![vec![0.0; size]; size];
        for (row, w) in next.iter().enumerate() {
            for (column, v) in basis.iter().enumerate() {
                small[row][column] = weighted(w, v);
            }
        }
        let (values, vectors) = symmetric_eigen(small);
        basis = (0..size).map(|k| combine(&next, &vectors[k])).collect();
        let before = squares.clone();
        squares = values.iter().map(|value| 1.0 / value).collect();
        let settled = |k: usize| (squares[k] / before[k] - 1.0).abs() < 1e-12;
        if (0..count).all(settled) {
            break;
        }
    }
    orthonormalise(&mut basis, &weighted);
    (0..count)
        .map(|k| Mode {
            frequency: squares[k].sqrt() / std::f64::consts::TAU,
            shape: basis[k].clone(),
        })
        .collect()
}

fn combine(columns: &[Vec<DVec3>], weights: &[f64]) -> Vec<DVec3> {
    let mut sum = vec![DVec3::ZERO; columns[0].len()];
    for (column, weight) in columns.iter().zip(weights) {
        for (target, value) in sum.iter_mut().zip(column) {
            *target += *weight * *value;
        }
    }
    sum
}

fn orthonormalise(basis: &mut [Vec<DVec3>], weighted: &impl Fn(&[DVec3], &[DVec3]) -> f64) {
    for k in 0..basis.len() {
        // Twice is enough (Kahan and Parlett).
        for other in (0..k).chain(0..k) {
            let share = weighted(&basis[other], &basis[k]);
            let (done, rest) = basis.split_at_mut(k);
            for (target, value) in rest[0].iter_mut().zip(&done[other]) {
                *target -= share * *value;
            }
        }
        let length = weighted(&basis[k], &basis[k]).sqrt();
        basis[k].iter_mut().for_each(|value| *value /= length);
    }
}

/// Eigenvalues, largest first, and eigenvectors as rows, by cyclic Jacobi rotations.
pub fn symmetric_eigen(mut a: Vec<Vec<f64>>) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = a.len();
    let mut vectors: Vec<Vec<f64>> = (0..n)
        .map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect())
        .collect();
    for _sweep in 0..60 {
        for p in 0..n {
            for q in p + 1..n {
                let off = 0.5 * (a[p][q] + a[q][p]);
                if off.abs() <= 1e-17 * (a[p][p] * a[q][q]).abs().sqrt() {
                    continue;
                }
                let zeta = (a[q][q] - a[p][p]) / (2.0 * off);
                let tangent = zeta.signum() / (zeta.abs() + zeta.hypot(1.0));
                let cosine = 1.0 / tangent.hypot(1.0);
                let sine = cosine * tangent;
                for row in a.iter_mut() {
                    (row[p], row[q]) = (
                        cosine * row[p] - sine * row[q],
                        sine * row[p] + cosine * row[q],
                    );
                }
                for matrix in [&mut a, &mut vectors] {
                    let (above, below) = matrix.split_at_mut(q);
                    for (x, y) in above[p].iter_mut().zip(&mut below[0]) {
                        (*x, *y) = (cosine * *x - sine * *y, sine * *x + cosine * *y);
                    }
                }
            }
        }
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| a[j][j].total_cmp(&a[i][i]));
    (
        order.iter().map(|&i| a[i][i]).collect(),
        order.iter().map(|&i| vectors[i].clone()).collect(),
    )
}
