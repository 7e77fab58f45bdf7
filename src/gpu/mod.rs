//! Device, buffers, bindings and read-back.

mod bindings;
mod body_buffers;
mod cloth_buffers;
mod context;
mod embedded_surface;
mod explicit_buffers;
mod hold_buffers;
mod pick_buffers;
mod readback;
pub mod surface;
mod surface_look;
mod xpbd_buffers;

pub use bindings::{
    Binding, BindingKind, bind_group, bind_group_layout, bind_ranges, compute_pipeline,
};
pub use body_buffers::{BodyBuffers, BodySize, InitialState, Pause};
pub use cloth_buffers::ClothBuffers;
pub use context::{Gpu, GpuError};
pub use embedded_surface::EmbeddedSurface;
pub use explicit_buffers::{ExplicitBuffers, OperatorBuffers};
pub use hold_buffers::{HandBuffers, HoldBuffers, ParticleBuffers, PinBuffers};
pub use pick_buffers::{MAX_RAYS, PickBuffers};
pub use readback::{read_buffer, read_vec3};
pub use surface::SurfaceBuffers;
pub use surface_look::{DrawnPart, PART_STRIDE, SurfaceLookBuffers, TexelImage, VertexLook};
pub use xpbd_buffers::XpbdBuffers;
