//! The largest eigenvalue of a symmetric operator that is known by its products only.

/// An estimate of the largest eigenvalue of a positive semi-definite operator on `size` numbers, from below;
/// `apply(x, y)` sets y = A x.
///
/// Lanczos, "An iteration method for the solution of the eigenvalue problem" (1950), without reorthogonalisation: lost
/// orthogonality repeats eigenvalues, but the largest stays right (Paige 1980).
// One copy for all operators.
#[inline(never)]
pub fn largest(size: usize, steps: usize, apply: &mut dyn FnMut(&[f64], &mut [f64])) -> f64 {
    // Any start that is not orthogonal to the wanted vector: numbers of a congruential generator (Knuth's MMIX).
    let mut seed = 1u64;
    let mut now = vec![0.0; size];
    let mut next: Vec<f64> = now
        .iter()
        .map(|_| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 40) as f64 / (1u64 << 23) as f64 - 1.0
        })
        .collect();
    let mut product = vec![0.0; size];
    // Rows of the tridiagonal matrix: the diagonal, and the square of the entry above it.
    let mut rows = Vec::with_capacity(steps);
    let mut norm = dot(&next, &next).sqrt();
    let (mut above, mut least) = (0.0, 0.0);
    // Below rounding the space is exhausted, and what was found exact.
    while rows.len() < steps && norm > 1e-7 * least {
        for (now, next) in now.iter_mut().zip(&mut next) {
            let before = *now;
            *now = *next / norm;
            *next = before;
        }
        apply(&now, &mut product);
        let diagonal = dot(&now, &product);
        rows.push((diagonal, above * above));
        // `next` holds the vector before last by now.
        for ((next, now), product) in next.iter_mut().zip(&now).zip(&product) {
            *next = product - diagonal * now - above * *next;
        }
        norm = dot(&next, &next).sqrt();
        above = norm;
        least = rows[0].0;
    }
    // The trace bounds the eigenvalues of a positive semi-definite matrix.
    let (mut low, mut high) = (0.0, rows.iter().map(|row| row.0).sum::<f64>());
    while high - low > 1e-6 * high {
        let middle = 0.5 * (low + high);
        // Sylvester: all pivots of the matrix less `middle` are negative just if it lies above all eigenvalues.
        let mut pivot = -1.0;
        for &(diagonal, square) in &rows {
            pivot = diagonal - middle - square / pivot;
            if pivot >= 0.0 {
                break;
            }
        }
        *(if pivot < 0.0 { &mut high } else { &mut low }) = middle;
    }
    high
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
