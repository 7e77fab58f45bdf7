//! Cholesky factorisation of the stiffness of the free vertices within its envelope.

use super::stiffness::Stiffness;
use glam::DVec3;
use std::collections::VecDeque;

/// K = L Lᵀ over the free vertices in reverse Cuthill–McKee order; row i is stored from its first entry to the diagonal
/// (George and Liu, "Computer Solution of Large Sparse Positive Definite Systems", 1981, chapter 4).
#[derive(Debug, Clone)]
pub struct Cholesky {
    /// Free vertices in the order of elimination.
    order: Vec<usize>,
    vertices: usize,
    first: Vec<usize>,
    rows: Vec<Vec<f64>>,
}

impl Cholesky {
    /// Factorises K with each diagonal entry raised by `shift` times itself. `shift` = 0 gives the matrix itself; a small
    /// one makes a preconditioner of a body that nothing holds. Fails on a matrix that is not positive definite.
    pub fn new(matrix: &Stiffness, pinned: &[bool], shift: f64) -> Result<Self, String> {
        let order = reverse_cuthill_mckee(matrix, pinned);
        let mut place = vec![usize::MAX; pinned.len()];
        for (at, &vertex) in order.iter().enumerate() {
            place[vertex] = at;
        }
        let mut factor = Self {
            vertices: pinned.len(),
            first: Vec::with_capacity(3 * order.len()),
            rows: Vec::with_capacity(3 * order.len()),
            order,
        };
        for at in 0..factor.order.len() {
            let entries: Vec<_> = matrix
                .row(factor.order[at])
                .map(|(vertex, block)| (place[vertex], block))
                .filter(|(other, _)| *other <= at)
                .collect();
            let start = 3 * entries.iter().map(|entry| entry.0).min().unwrap_or(at);
            for axis in 0..3 {
                let i = 3 * at + axis;
                let mut row = vec![0.0; i + 1 - start];
                for (other, block) in &entries {
                    for column in 0..3 {
                        if let Some(entry) = row.get_mut(3 * other + column - start) {
                            *entry = block.col(column)[axis];
                        }
                    }
                }
                row[i - start] *= 1.0 + shift;
                factor.eliminate(start, row)?;
            }
        }
        Ok(factor)
    }

    /// L_ij = (A_ij − Σ_k L_ik L_jk) / L_jj.
    fn eliminate(&mut self, start: usize, mut row: Vec<f64>) -> Result<(), String> {
        let i = self.rows.len();
        for j in start..i {
            let (other, other_start) = (&self.rows[j], self.first[j]);
            let from = start.max(other_start);
            let sum = dot(
                &row[from - start..j - start],
                &other[from - other_start..j - other_start],
            );
            row[j - start] = (row[j - start] - sum) / other[j - other_start];
        }
        let pivot = row[i - start] - dot(&row[..i - start], &row[..i - start]);
        if pivot.is_nan() || pivot <= 0.0 {
            return Err(format!(
                "the stiffness is not positive definite: pivot {i} is {pivot}"
            ));
        }
        row[i - start] = pivot.sqrt();
        self.first.push(start);
        self.rows.push(row);
        Ok(())
    }

    /// K⁻¹ b, with 0 at pinned vertices.
    pub fn solve(&self, b: &[DVec3]) -> Vec<DVec3> {
        let mut y: Vec<f64> = self.order.iter().flat_map(|&v| b[v].to_array()).collect();
        for i in 0..y.len() {
            let (row, start) = (&self.rows[i], self.first[i]);
            y[i] = (y[i] - dot(&row[..i - start], &y[start..i])) / row[i - start];
        }
        for i in (0..y.len()).rev() {
            let (row, start) = (&self.rows[i], self.first[i]);
            y[i] /= row[i - start];
            let value = y[i];
            for (target, entry) in y[start..i].iter_mut().zip(row) {
                *target -= entry * value;
            }
        }
        let mut x = vec![DVec3::ZERO; self.vertices];
        for (at, &vertex) in self.order.iter().enumerate() {
            x[vertex] = DVec3::from_slice(&y[3 * at..]);
        }
        x
    }
}

/// Four sums at once, which the compiler turns into vector instructions.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (a4, b4) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = a4
        .remainder()
        .iter()
        .zip(b4.remainder())
        .map(|(x, y)| x * y)
        .sum();
    for (x, y) in a4.zip(b4) {
        for lane in 0..4 {
            sums[lane] += x[lane] * y[lane];
        }
    }
    rest + (sums[0] + sums[1]) + (sums[2] + sums[3])
}

fn reverse_cuthill_mckee(matrix: &Stiffness, pinned: &[bool]) -> Vec<usize> {
    let degree = |v: usize| matrix.row(v).count();
    let search = |start: usize, seen: &mut [bool]| {
        let mut order = Vec::new();
        let mut queue = VecDeque::from([start]);
        seen[start] = true;
        while let Some(vertex) = queue.pop_front() {
            order.push(vertex);
            let mut next: Vec<usize> = matrix.row(vertex).map(|(v, _)| v).collect();
            next.retain(|&v| !seen[v]);
            next.sort_by_key(|&v| degree(v));
            for vertex in next {
                seen[vertex] = true;
                queue.push_back(vertex);
            }
        }
        order
    };
    let mut seen = pinned.to_vec();
    let mut order = Vec::new();
    while let Some(start) = seen.iter().position(|seen| !seen) {
        // The last of a search lies at an end of the body, whence a second search has narrow levels.
        let probe = search(start, &mut seen.clone());
        let end = *probe.last().expect("invariant: a search finds its start");
        order.extend(search(end, &mut seen));
    }
    order.reverse();
    order
}
