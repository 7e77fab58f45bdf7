//! Upper bounds of the frequencies of a mesh, tet by tet and vertex by vertex, and the substeps they ask for.

use glam::{DMat3, DVec3};

use super::STABLE;
use crate::rest_state::RestState;
use crate::settings::{Material, SolverSettings};
use crate::sort::union_root;

/// Bounds of the mesh's frequencies for 2μ + λ = 1 Pa and ρ = 1 kg/m³: squares are to be multiplied by (2μ + λ)/ρ.
///
/// With stiffness K, lumped mass M and any displacement x of the vertices that are not pinned,
/// xᵀKx ≤ Σ ω_t² s_ta |x_a|² over the corners a of all tets t, where s_ta is the part of the mass of vertex a that is
/// given to tet t, in proportion to k_ta = V₀|b_a|² (b_a: gradient of the corner's shape function). No eigenvalue of M⁻¹K
/// then exceeds the largest ω_a² = Σ ω_t² s_ta/m_a.
///
/// This is proved where the surface is held. A free surface adds a term that only matters to loose assemblies of a few
/// tets, whose dilation is up to three times as stiff; bodies with an interior have 13 % to spare and more. Pieces
/// without an interior vertex get what holds for any tets: ω_t² from the trace of Σ b_a b_aᵀ/s_ta instead of its largest
/// eigenvalue.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FrequencyBounds {
    /// V₀ q_t of each tet, 1/m², where q_t is the largest eigenvalue (or the trace) of Σ b_a b_aᵀ/s_ta over the corners
    /// that are not pinned: ω_t² = (2μ + λ)/ρ · `tets[t]`.
    pub tets: Vec<f32>,
    /// ω_a² = (2μ + λ)/ρ · `vertices[a]`, 1/m²; 0 for vertices that are pinned or that no tet uses.
    pub vertices: Vec<f32>,
    /// The largest of `vertices`, 1/m².
    pub highest: f64,
}

impl FrequencyBounds {
    /// Measures the rest shape. `rest` belongs to `tets`; `pinned` has an entry per vertex.
    pub fn new(tets: &[[u32; 4]], rest: &RestState, pinned: &[bool]) -> Self {
        let solid = solid(tets, pinned.len());
        let mut stiffness = vec![0.0; pinned.len()];
        for (tet, &corners) in tets.iter().enumerate() {
            let volume = f64::from(rest.volumes[tet]);
            for (corner, b) in corners.into_iter().zip(gradients(rest, tet)) {
                stiffness[corner as usize] += volume * b.length_squared();
            }
        }
        let mut sums = vec![0.0; pinned.len()];
        let mut squares = Vec::with_capacity(tets.len());
        for (tet, &corners) in tets.iter().enumerate() {
            let volume = f64::from(rest.volumes[tet]);
            let mut spread = DMat3::ZERO;
            let mut shares = [0.0; 4];
            for (corner, b) in gradients(rest, tet).into_iter().enumerate() {
                let vertex = corners[corner] as usize;
                if !pinned[vertex] {
                    shares[corner] = volume * b.length_squared() / stiffness[vertex];
                    let mass = shares[corner] * f64::from(rest.vertex_volumes[vertex]);
                    spread += square(b) * (1.0 / mass);
                }
            }
            let most = if solid[corners[0] as usize] {
                largest_eigenvalue(spread)
            } else {
                spread.x_axis.x + spread.y_axis.y + spread.z_axis.z
            };
            squares.push((volume * most) as f32);
            for (corner, share) in corners.into_iter().zip(shares) {
                sums[corner as usize] += share * volume * most;
            }
        }
        Self {
            highest: sums.iter().copied().fold(0.0, f64::max),
            tets: squares,
            vertices: sums.into_iter().map(|sum| sum as f32).collect(),
        }
    }

    /// A bound of the highest angular frequency of the body, rad/s.
    pub fn omega(&self, material: &Material) -> f64 {
        (p_wave(material) * self.highest).sqrt()
    }
}

/// Substeps per 1/60 s that resolve the angular frequency ω, rad/s, within [`SolverSettings::LEAST_SUBSTEPS`]
/// and [`SolverSettings::BUDGET`].
pub fn substeps(omega: f64) -> u32 {
    ((omega / (60.0 * STABLE)).ceil() as u32)
        .clamp(SolverSettings::LEAST_SUBSTEPS, SolverSettings::BUDGET)
}

/// (2μ + λ)/ρ, m²/s²: the square of the speed of pressure waves.
pub(super) fn p_wave(material: &Material) -> f64 {
    (2.0 * material.lame_mu() + material.lame_lambda()) / material.density
}

/// Whether the piece of each vertex, joined by tets, has a vertex off the surface.
fn solid(tets: &[[u32; 4]], vertices: usize) -> Vec<bool> {
    // Where a vertex is inside, each triangle at it belongs to two tets, and the exclusive or of their hashes vanishes.
    let mut open = vec![0u64; vertices];
    let mut piece: Vec<u32> = (0..vertices as u32).collect();
    for tet in tets {
        let all = tet
            .iter()
            .fold(0, |sum: u64, &v| sum.wrapping_add(mix(u64::from(v))));
        for (place, &vertex) in tet.iter().enumerate() {
            let triangle = mix(all.wrapping_sub(mix(u64::from(vertex))));
            for (other, &corner) in tet.iter().enumerate() {
                if other != place {
                    open[corner as usize] ^= triangle;
                }
            }
            let root = union_root(&mut piece, vertex);
            piece[root as usize] = union_root(&mut piece, tet[0]);
        }
    }
    let mut solid = vec![false; vertices];
    for tet in tets {
        for &vertex in tet {
            if open[vertex as usize] == 0 {
                solid[union_root(&mut piece, vertex) as usize] = true;
            }
        }
    }
    (0..vertices as u32)
        .map(|vertex| solid[union_root(&mut piece, vertex) as usize])
        .collect()
}

/// Scatters a number: the finaliser of SplitMix64 (Steele, Lea and Flood 2014).
fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Gradients of the shape functions of a tet's corners, 1/m.
pub(super) fn gradients(rest: &RestState, tet: usize) -> [DVec3; 4] {
    let [b1, b2, b3] = rest.inverse_edges[tet].map(|row| DVec3::from_array(row.map(f64::from)));
    [-(b1 + b2 + b3), b1, b2, b3]
}

/// v vᵀ.
#[inline(never)]
pub(super) fn square(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

/// The largest eigenvalue of a symmetric matrix, at most 0.6 % too large and never too small.
///
/// Newton's method on the characteristic polynomial from a bound above its roots descends monotonically. Towards a
/// double root it halves the distance each time, which is the worst case.
fn largest_eigenvalue(matrix: DMat3) -> f64 {
    let mean = (matrix.x_axis.x + matrix.y_axis.y + matrix.z_axis.z) / 3.0;
    let rest = matrix - DMat3::from_diagonal(DVec3::splat(mean));
    let square: f64 = rest.to_cols_array().iter().map(|entry| entry * entry).sum();
    if square <= 0.0 {
        return mean;
    }
    // The eigenvalues of `rest` are `scale` times the roots of x³ − 3x − d, which lie within ±2.
    let scale = (square / 6.0).sqrt();
    let d = (rest * (1.0 / scale)).determinant();
    let mut root: f64 = 2.0;
    for _ in 0..7 {
        root -= ((root * root - 3.0) * root - d) / (3.0 * (root * root - 1.0));
    }
    mean + scale * root
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_eigenvalue_is_bounded_tightly() {
        let rotation = DMat3::from_axis_angle(DVec3::new(0.6, -0.48, 0.64), 1.1);
        for values in [
            [1.0, 0.0, 0.0],
            [1.0, 1.0, 0.0],
            [1.0, 1.0, 1.0],
            [1.0, 0.5, 0.0],
            [1.0, 1.0 - 1e-9, 1e-9],
            [3e-12, 2e-12, 1e-12],
            [7e20, 6.9e20, 5e20],
        ] {
            let matrix =
                rotation * DMat3::from_diagonal(DVec3::from_array(values)) * rotation.transpose();
            let ratio = largest_eigenvalue(matrix) / values[0];
            assert!((1.0 - 1e-12..1.006).contains(&ratio), "{values:?}: {ratio}");
        }
        assert_eq!(largest_eigenvalue(DMat3::ZERO), 0.0);
    }

    #[test]
    fn substeps_resolve_the_frequency_within_the_budget() {
        assert_eq!(substeps(0.0), 4);
        assert_eq!(substeps(360.0), 4);
        assert_eq!(substeps(360.5), 5);
        assert_eq!(substeps(60.0 * 1.5 * 95.5), 96);
        assert_eq!(substeps(1e9), 96);
    }
}
