//! The mass operator: how much slower motion inside a cluster and of whole clusters must be, so that the step is stable.

use std::f64::consts::TAU;

use super::bounds::p_wave;
use super::{CoarseMesh, FrequencyBounds, STABLE};
use crate::settings::Material;

/// The part of the stable range that motion of whole clusters may fill before it is slowed.
const RIGID_PART: f64 = 0.8;
/// The part that clusters are made to fill. With more, little is left for motion inside of them; with less, larger
/// clusters hold more of it: the frequencies that are slowed depend on (1 − x)^½ x^0.9, which is largest here.
const RIGID_TARGET: f64 = 0.6;
/// Vertices of a cluster, at least: a workgroup.
pub const SMALLEST_CLUSTER: usize = 64;
/// Vertices of a cluster, at most: what one workgroup sums in a loop.
const LARGEST: usize = 1024;
/// 1.02² − 1: by what part the mass of a mode grows whose frequency falls by 2 %.
const SLOWED: f64 = 0.0404;

/// 12 by the estimate below; 9 puts it in the middle of what the modes of beams and cubes do.
const CALIBRATED: f64 = 9.0;

/// a = B M⁻¹f with B = p₀ (I − Π) + p₁ Π, where Π projects on rigid motion of the clusters: accelerations of whole
/// clusters are multiplied by p₁, those inside of cluster c by its own p₀.
///
/// B is positive definite and self-adjoint in the mass metric: equilibria are untouched and so is, with p₁ = 1, momentum.
/// λmax(B M⁻¹K) Δt² ≤ z*² (docs/notes/mass-operator.md).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MassOperator {
    /// p₀ of each cluster, above 0 and at most `p1`.
    pub p0: Vec<f32>,
    /// p₁, above 0 and at most 1.
    pub p1: f32,
    /// ω Δt, with the bound ω of the highest frequency: up to [`STABLE`] nothing is slowed.
    pub r: f64,
    /// About the lowest frequency that the operator lowers by more than 2 %, Hz: right to a third. `None` where it lowers
    /// none, 0 where p₁ < 1 lowers all.
    pub slowest_scaled_hz: Option<f64>,
}

impl CoarseMesh {
    /// The operator that keeps a step of `substep_seconds` stable. `bounds` belong to the same mesh and pins.
    pub fn operator(
        &self,
        bounds: &FrequencyBounds,
        material: &Material,
        substep_seconds: f64,
    ) -> MassOperator {
        let wave = p_wave(material);
        let highest = wave * bounds.highest;
        let r = highest.sqrt() * substep_seconds;
        if r <= STABLE {
            return MassOperator {
                p0: vec![1.0; self.clusters.len()],
                p1: 1.0,
                r,
                slowest_scaled_hz: None,
            };
        }
        let limit = (STABLE / substep_seconds).powi(2);
        let rigid = self.highest(material);
        let p1 = (RIGID_PART * limit / rigid).min(1.0);
        let mut squares = vec![0.0f64; self.clusters.len()];
        for (&cluster, &square) in self.cluster_of.iter().zip(&bounds.vertices) {
            if let Some(highest) = squares.get_mut(cluster as usize) {
                *highest = highest.max(wave * f64::from(square));
            }
        }
        // Either each cluster by the bounds of its own vertices, which are loose, or all by the body's: what slows less.
        let (mut p0, mut slowing) = (Vec::new(), f64::INFINITY);
        for _ in 0..2 {
            // λmax ≤ max p₀ω² + (p₁ − min p₀) λ₁ and λmax ≤ max p₀ω² + p₁ λ₁; the former is of use where λ₁ < ω².
            let top = squares.iter().copied().fold(0.0, f64::max);
            let inside = (limit - p1 * rigid) / (1.0 - (rigid / top).min(0.99));
            let (mut each, mut sum) = (Vec::new(), 0.0);
            for (square, cluster) in squares.iter().zip(&self.clusters) {
                let p = (inside / square).min(p1);
                sum += (1.0 / p - 1.0) * cluster.moment;
                each.push(p as f32);
            }
            if sum < slowing {
                (p0, slowing) = (each, sum);
            }
            squares.fill(highest);
        }
        let mass: f64 = self.clusters.iter().map(|cluster| cluster.mass).sum();
        // In a shear wave of wave number κ = ω/√(μ/ρ) the part φ = κ² · (mean square distance from the centre)/6 of a
        // cluster's kinetic energy is not rigid; its mass there is 1/p₀ as large. `slowing` sums twice the squares.
        let shear = material.lame_mu() / material.density;
        let slowest = (SLOWED * CALIBRATED * shear * mass / slowing).sqrt() / TAU;
        MassOperator {
            p0,
            p1: p1 as f32,
            r,
            slowest_scaled_hz: Some(if p1 < 1.0 { 0.0 } else { slowest })
                .filter(|hertz| hertz.is_finite()),
        }
    }
}

/// How many vertices a cluster should have where ω Δt is `r`, so that p₁ = 1 is possible: a power of two, as arrangements
/// fill them best, from 64 to 1,024. The largest suffice up to r = 5.7 on even meshes; irregular ones do with less.
pub fn cluster_target(r: f64) -> usize {
    // Measured on boxes cut in cubes of c³ vertices, ν = 0.3: λ₁/ω² = 1/(2.5 c − 1).
    let side = (r * r / (RIGID_TARGET * STABLE * STABLE) + 1.0) / 2.5;
    ((side * side * side) as usize)
        .clamp(SMALLEST_CLUSTER, LARGEST)
        .next_power_of_two()
}
