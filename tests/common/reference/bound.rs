//! An upper bound of the highest natural frequency of a mesh, by which substeps are chosen.

use super::model::Model;
use super::modes::symmetric_eigen;

/// ω_b, rad/s: ω_b² = max over vertices a of (Σ_t ω_t² s_ta)/m_a, with ω_t² = (2μ+λ) V₀ λmax(Σ_{a free} b_a b_aᵀ/s_ta) and
/// shares s_ta of each vertex' mass in proportion to V₀|b_a|². Then xᵀKx ≤ Σ_t ω_t² Σ_a s_ta |x_a|².
pub fn frequency_bound(model: &Model) -> f64 {
    let mut totals = vec![0.0; model.rest.len()];
    for element in &model.elements {
        for (corner, b) in element.corners.iter().zip(&element.b) {
            totals[*corner] += element.volume * b.length_squared();
        }
    }
    let modulus = 2.0 * model.lame.mu + model.lame.lambda;
    let mut weighted = vec![0.0; model.rest.len()];
    for element in &model.elements {
        let share = |corner: usize| {
            let v = element.corners[corner];
            model.masses[v] * element.volume * element.b[corner].length_squared() / totals[v]
        };
        let mut sum = vec![vec![0.0; 3]; 3];
        for corner in 0..4 {
            if model.pinned[element.corners[corner]] {
                continue;
            }
            let b = element.b[corner];
            for i in 0..3 {
                for j in 0..3 {
                    sum[i][j] += b[i] * b[j] / share(corner);
                }
            }
        }
        let square = modulus * element.volume * symmetric_eigen(sum).0[0];
        for corner in 0..4 {
            weighted[element.corners[corner]] += square * share(corner);
        }
    }
    let of_vertex = |v: usize| weighted[v] / model.masses[v];
    (0..model.rest.len())
        .filter(|&v| !model.pinned[v])
        .map(of_vertex)
        .fold(0.0, f64::max)
        .sqrt()
}
