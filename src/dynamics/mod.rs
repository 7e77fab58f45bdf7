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

/// Substeps are chosen such that ω Δt stays below this, z*.
pub const STABLE: f64 = crate::settings::SolverSettings::EXACT_UP_TO;
