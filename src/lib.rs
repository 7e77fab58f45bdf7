//! GPU soft bodies: tetrahedral continuum elements, XPBD in WGSL, drawn straight from the simulated buffers.
//!
//! The crate reads left to right: `mesh bytes → TetMesh → Topology → RestState → BodyBuffers → solver passes →
//! render passes`. Modules may only use what stands to their left (held by `tests/architecture.rs`); everything up
//! to [`rest_state`] knows neither wgpu nor wasm and builds without the `gpu` feature.
//!
//! Units are SI: metres, kilograms, seconds, pascals. Coordinates are right-handed with y up.

pub mod error;
pub mod layout;
pub mod mesh;
pub mod meshing;
pub mod rest_state;
pub mod settings;
mod sort;
mod text;
pub mod topology;

#[cfg(feature = "gpu")]
pub mod gpu;
#[cfg(feature = "gpu")]
mod math;
#[cfg(feature = "gpu")]
pub mod render;
#[cfg(feature = "gpu")]
pub mod shaders;
#[cfg(feature = "gpu")]
pub mod simulation;
#[cfg(feature = "gpu")]
pub mod solver;

#[cfg(feature = "gpu")]
pub mod viewport;

#[cfg(all(feature = "gpu", target_arch = "wasm32"))]
mod web;
