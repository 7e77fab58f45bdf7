//! Picking: what rays meet on a surface as it is now, found on the GPU; only the hits come back.

use super::PICK_BINDINGS;
use crate::gpu::{
    Gpu, GpuError, MAX_RAYS, PickBuffers, SurfaceBuffers, bind_group, bind_group_layout,
    compute_pipeline, read_buffer,
};
use crate::layout::PickRay;
use crate::shaders::pick::{NAME, WGSL};
use crate::shaders::solver::WORKGROUP_SIZE;

/// The compiled kernel and its buffers; one serves any number of surfaces.
#[derive(Debug)]
pub struct Picker {
    pipeline: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
    buffers: PickBuffers,
}

impl Picker {
    /// Compiles the kernel.
    pub fn new(gpu: &Gpu) -> Self {
        let device = &gpu.device;
        let layout = bind_group_layout(device, NAME, &PICK_BINDINGS);
        let text = WGSL.to_owned();
        Self {
            pipeline: compute_pipeline(device, (NAME, NAME), text, &layout, &[]),
            layout,
            buffers: PickBuffers::new(gpu),
        }
    }

    /// What the rays meet on `surface` after all work submitted so far: bytes of a [`crate::layout::PickHit`] per ray, and
    /// of some more. Submits at once; the future waits for the answer.
    ///
    /// # Errors
    /// [`GpuError::ReadBack`].
    ///
    /// # Panics
    /// For more than [`MAX_RAYS`].
    pub fn pick(
        &self,
        gpu: &Gpu,
        surface: &SurfaceBuffers,
        rays: &[PickRay],
    ) -> impl Future<Output = Result<Vec<u8>, GpuError>> + use<> {
        assert!(rays.len() <= MAX_RAYS, "more rays than there is room for");
        let buffers = &self.buffers;
        buffers.write(gpu, rays);
        let groups = (surface.triangle_index_count / 3).div_ceil(WORKGROUP_SIZE);
        let widest = gpu.device.limits().max_compute_workgroups_per_dimension;
        let row = groups.clamp(1, widest);
        let all = (row, groups.div_ceil(row));
        gpu.compute(NAME, &mut |pass| {
            pass.set_pipeline(&self.pipeline);
            for (params, (x, y)) in buffers.params.iter().zip([all, all, (1, 1)]) {
                let bound = [
                    params,
                    &buffers.rays,
                    &surface.positions,
                    &surface.triangles,
                    &buffers.keys,
                    &buffers.hits,
                ];
                let group = bind_group(&gpu.device, NAME, &self.layout, &bound);
                pass.set_bind_group(0, &group, &[]);
                pass.dispatch_workgroups(x, y, rays.len() as u32);
            }
        });
        read_buffer(gpu, &buffers.hits)
    }
}
