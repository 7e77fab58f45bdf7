//! Cloth on the CPU: a checked triangle mesh or grid, its springs and bends in batches, and its ways to the pins.
//!
//! `ClothMesh → ClothElements → Attachments, depth`; all are functions of the mesh (and the pins) alone, in double
//! precision, rounded once.

mod attachments;
mod batches;
mod elements;
mod error;
mod grid;
mod material;
mod mesh;
mod repair;
mod sides;
mod triangles;

pub use attachments::{Attachments, depth};
pub use elements::{ClothBend, ClothEdge, ClothElements};
pub use error::ClothError;
pub use mesh::{ClothMesh, MAX_GRID_SIDE, SPACING_RANGE};
pub use repair::{MAX_TRIANGLES_AT_VERTEX, MIN_TRIANGLE_AREA, MIN_TRIANGLE_QUALITY};
pub use triangles::MODULUS_FACTOR;

/// No vertex: the fourth of a bend over three, or the pin of a vertex that reaches none.
pub const NO_VERTEX: u32 = u32::MAX;
