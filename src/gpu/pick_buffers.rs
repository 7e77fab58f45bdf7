//! Buffers of picking: rays in, hits out. Made when somebody first picks.

use super::Gpu;
use crate::layout::{PickHit, PickParams, PickRay};
use wgpu::BufferUsages as Usage;

/// Most rays of one submission.
pub const MAX_RAYS: usize = 64;
/// A distance and a triangle per ray, encoded.
const KEY_SIZE: usize = 8;

/// Room for [`MAX_RAYS`] rays on any surface.
#[derive(Debug)]
pub struct PickBuffers {
    /// [`PickParams`], one per stage.
    pub params: [wgpu::Buffer; 3],
    /// [`PickRay`] per ray.
    pub rays: wgpu::Buffer,
    /// What the stages tell each other.
    pub keys: wgpu::Buffer,
    /// [`PickHit`] per ray.
    pub hits: wgpu::Buffer,
}

impl PickBuffers {
    /// Allocates them.
    pub fn new(gpu: &Gpu) -> Self {
        let params = [0, 1, 2].map(|stage| {
            let params = PickParams {
                stage,
                padding: [0; 3],
            };
            gpu.create("pick", bytemuck::bytes_of(&params), Usage::UNIFORM)
        });
        let reserve = |size, usage| gpu.reserve("pick", MAX_RAYS * size, usage | Usage::STORAGE);
        Self {
            params,
            rays: reserve(size_of::<PickRay>(), Usage::empty()),
            keys: reserve(KEY_SIZE, Usage::empty()),
            hits: reserve(size_of::<PickHit>(), Usage::COPY_SRC),
        }
    }

    /// Writes the rays, and forgets what earlier ones met.
    pub fn write(&self, gpu: &Gpu, rays: &[PickRay]) {
        let queue = &gpu.queue;
        queue.write_buffer(&self.rays, 0, bytemuck::cast_slice(rays));
        queue.write_buffer(&self.keys, 0, &[0; MAX_RAYS * KEY_SIZE]);
    }
}

impl Drop for PickBuffers {
    /// On the web dropping a wgpu buffer frees nothing; destroying it does.
    fn drop(&mut self) {
        let own = [&self.rays, &self.keys, &self.hits];
        for buffer in self.params.iter().chain(own) {
            buffer.destroy();
        }
    }
}
