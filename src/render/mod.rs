//! Draws a body straight from the solver's buffers: bounds, light and shadow follow where it is now, with no read-back.
//!
//! [`Renderer`] holds what never changes (pipelines, layouts, the shadow map), [`Targets`] what depends on an image
//! size, [`SurfaceDraw`] what belongs to a body, [`Scene`] what may change every frame. Recording a frame creates
//! nothing on the GPU.

pub mod appearance;
pub mod camera;
mod layouts;
mod markers;
mod pipelines;
mod renderer;
mod surface_draw;
mod targets;
pub mod uniforms;

pub use appearance::{Appearance, ColorError};
pub use camera::Camera;
pub use markers::{MAX_MARKERS, Markers};
pub use renderer::{Renderer, Scene};
pub use surface_draw::SurfaceDraw;
pub use targets::Targets;
