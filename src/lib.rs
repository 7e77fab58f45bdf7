//! GPU soft bodies: tetrahedral continuum elements, explicit substeps in WGSL, drawn straight from the simulated buffers.
//!
//! The crate reads left to right: `mesh bytes → TetMesh → Topology → RestState → Arrangement, FrequencyBounds →
//! BodyBuffers → solver passes → render passes`. Modules may only use what stands to their left (held by
//! `tests/architecture.rs`); everything up to [`arrangement`] and [`dynamics`] knows neither wgpu nor wasm and builds
//! without the `gpu` feature.
//!
//! Units are SI: metres, kilograms, seconds, pascals. Coordinates are right-handed with y up.
//!
//! # Example
//!
//! A cube of jelly falls for a tenth of a second, natively:
//!
//! ```
//! # #[cfg(feature = "gpu")] {
//! use webgpu_softbody::gpu::Gpu;
//! use webgpu_softbody::meshing::box_mesh;
//! use webgpu_softbody::settings::{Environment, SolverSettings, Transform};
//! use webgpu_softbody::simulation::{BodyOptions, Simulation};
//!
//! # pollster::block_on(async {
//! let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
//! let (gpu, _adapter) = Gpu::request(&instance, None).await?;
//! let mut simulation = Simulation::new(gpu, Environment::default(), SolverSettings::default())?;
//! let transform = Transform { translation: [0.0, 1.0, 0.0], ..Transform::default() };
//! let cube = box_mesh([3, 3, 3], [1.0, 1.0, 1.0], [0.0, 0.0, 0.0])?;
//! simulation.load(cube, &BodyOptions { transform, ..BodyOptions::default() })?;
//! simulation.step(0.1)?;
//! let positions = simulation.read_positions()?.await?;
//! assert!(positions.iter().all(|p| p[1] < 1.96));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! # }
//! ```

pub mod arrangement;
pub mod cloth;
#[cfg(feature = "mesh-tools")]
pub mod conversion;
#[cfg(feature = "mesh-tools")]
pub mod diagnosis;
pub mod dynamics;
pub mod embedding;
pub mod error;
#[cfg(feature = "mesh-tools")]
pub mod import;
pub mod layout;
pub mod mesh;
pub mod meshing;
pub mod rest_state;
#[cfg(feature = "gpu")]
mod sections;
pub mod settings;
mod sort;
pub mod surface;
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
#[cfg(feature = "gpu")]
pub mod wind;

#[cfg(all(feature = "mesh-tools", not(feature = "gpu"), target_arch = "wasm32"))]
mod mesh_web;
#[cfg(all(feature = "gpu", target_arch = "wasm32"))]
mod web;

/// A fifth of the standard library's allocator in size, and quicker on the few large blocks that a mesh is made of.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();
