//! Device, buffers, bindings and read-back.

mod bindings;
mod body_buffers;
mod context;
mod readback;
pub mod surface;

pub use bindings::{Binding, BindingKind, bind_group, bind_group_layout};
pub use body_buffers::{BodyBuffers, InitialState};
pub use context::{Gpu, GpuError};
pub use readback::{read_buffer, read_vec3};
pub use surface::SurfaceBuffers;
