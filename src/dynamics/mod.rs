//! What the mesh and its material allow: bounds of its frequencies, and the number of substeps that resolves them.
//!
//! Everything holds for small motions about the rest shape; docs/notes/mass-operator.md has the proofs and the figures.
//! Vertices and tets may be numbered in any one way that the arguments share.

mod bounds;
mod coarse;
mod lanczos;
mod operator;

pub use bounds::{FrequencyBounds, substeps};
pub use coarse::CoarseMesh;
pub use operator::{MassOperator, SMALLEST_CLUSTER, cluster_target};

/// Substeps are chosen such that ω Δt stays below this, z*. The explicit step with damping θ = 0.2 is stable below
/// 2/√(1 + 2θ) = 1.69.
pub const STABLE: f64 = 1.5;
/// The fewest substeps per 1/60 s: contact and gravity are resolved this finely on the softest body.
pub const LEAST_SUBSTEPS: u32 = 4;
/// The most substeps per 1/60 s that are chosen without being asked for.
pub const BUDGET: u32 = 96;
