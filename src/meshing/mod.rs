//! Generators of tetrahedral meshes, and the preset bodies made with them.

mod generators;
mod presets;

pub use generators::{box_mesh, torus_mesh};
pub use presets::{Preset, presets};
