//! Makers of tetrahedral meshes: generators, surfaces filled with tets, and the preset bodies made with both.

#[cfg(feature = "mesh-tools")]
mod figures;
mod generators;
mod presets;
#[cfg(feature = "mesh-tools")]
mod stuffing;

#[cfg(feature = "mesh-tools")]
pub use figures::figures;
pub use generators::{box_mesh, torus_mesh};
pub use presets::{Preset, presets};
#[cfg(feature = "mesh-tools")]
pub use stuffing::{MAX_TETS, MeshingError, Resolution, Tetrahedralization, tetrahedralize};
