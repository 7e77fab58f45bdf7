//! Buffers of hands: what pointers hold, where pins go, and what an impulse is. Made when somebody first uses one.

use super::{BodyBuffers, Gpu, GpuError};
use crate::layout::{HeldVertex, Hold, Impulse, PinParams, PinTarget};
use wgpu::BufferUsages as Usage;

/// The particles that hands act on: a body's or a cloth's.
#[derive(Debug, Clone, Copy)]
pub struct ParticleBuffers<'a> {
    /// `array<vec4<f32>>`, m, relative to `origin`.
    pub positions: &'a wgpu::Buffer,
    /// `array<vec4<f32>>`, m/s.
    pub velocities: &'a wgpu::Buffer,
    /// Number of particles.
    pub count: u32,
    /// World position that all coordinates are relative to, m.
    pub origin: [f32; 3],
}

impl ParticleBuffers<'_> {
    /// A world position as these particles have it, m.
    pub fn relative(&self, world: [f64; 3]) -> [f32; 3] {
        [0, 1, 2].map(|axis| (world[axis] - f64::from(self.origin[axis])) as f32)
    }
}

impl<'a> From<&'a BodyBuffers> for ParticleBuffers<'a> {
    fn from(body: &'a BodyBuffers) -> Self {
        Self {
            positions: &body.surface.positions,
            velocities: &body.velocities,
            count: body.surface.vertex_count,
            origin: body.surface.origin,
        }
    }
}

/// What every kernel of hands reads of some particles.
#[derive(Debug)]
pub struct HandBuffers {
    /// `array<f32>`: the part that each particle has of the mass of all; 0 for one that never moves.
    pub shares: wgpu::Buffer,
    /// `array<vec2<f32>>`: the part of an impulse that the mass operator lets a particle follow alone, and what is added to
    /// it per held part of the mass.
    pub mobilities: wgpu::Buffer,
    /// [`Impulse`].
    pub impulse: wgpu::Buffer,
}

impl HandBuffers {
    /// Buffers of zeros for `count` particles.
    pub fn new(gpu: &Gpu, count: u32) -> Self {
        let count = count as usize;
        Self {
            shares: gpu.reserve("shares", 4 * count, Usage::STORAGE),
            mobilities: gpu.reserve("mobilities", 8 * count, Usage::STORAGE),
            impulse: gpu.reserve("impulse", size_of::<Impulse>(), Usage::UNIFORM),
        }
    }
}

impl Drop for HandBuffers {
    /// On the web dropping a wgpu buffer frees nothing; destroying it does.
    fn drop(&mut self) {
        for buffer in [&self.shares, &self.mobilities, &self.impulse] {
            buffer.destroy();
        }
    }
}

/// What one pointer holds.
#[derive(Debug)]
pub struct HoldBuffers {
    /// [`Hold`].
    pub hold: wgpu::Buffer,
    /// Number of held particles and their part of the mass, padded to 16 bytes; then [`HeldVertex`] each.
    pub held: wgpu::Buffer,
}

impl HoldBuffers {
    /// Bytes before the list of held particles.
    pub const HEAD: usize = 16;

    /// Room for all of `count` particles.
    ///
    /// # Errors
    /// [`GpuError::Limit`] if the device cannot bind that much; nothing is allocated then.
    pub fn new(gpu: &Gpu, count: u32) -> Result<Self, GpuError> {
        let size = Self::HEAD + size_of::<HeldVertex>() * count as usize;
        let allowed = gpu.device.limits().max_storage_buffer_binding_size;
        gpu.check(
            &[("the list of what is held", size as u64, allowed)],
            (u64::from(count), "vertices"),
            || format!("a body of {count} vertices"),
        )?;
        Ok(Self {
            hold: gpu.reserve("hold", size_of::<Hold>(), Usage::UNIFORM),
            held: gpu.reserve("held", size, Usage::STORAGE),
        })
    }
}

impl Drop for HoldBuffers {
    /// On the web dropping a wgpu buffer frees nothing; destroying it does.
    fn drop(&mut self) {
        self.hold.destroy();
        self.held.destroy();
    }
}

/// Where pins go.
#[derive(Debug)]
pub struct PinBuffers {
    /// [`PinParams`].
    pub params: wgpu::Buffer,
    /// [`PinTarget`] each.
    pub targets: wgpu::Buffer,
    /// Targets there is room for.
    pub capacity: usize,
}

impl PinBuffers {
    /// Room for so many targets.
    pub fn new(gpu: &Gpu, capacity: usize) -> Self {
        let bytes = size_of::<PinTarget>() * capacity;
        Self {
            params: gpu.reserve("pin_params", size_of::<PinParams>(), Usage::UNIFORM),
            targets: gpu.reserve("pin_targets", bytes, Usage::STORAGE),
            capacity,
        }
    }
}

impl Drop for PinBuffers {
    /// On the web dropping a wgpu buffer frees nothing; destroying it does.
    fn drop(&mut self) {
        self.params.destroy();
        self.targets.destroy();
    }
}
