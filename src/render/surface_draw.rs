//! What the renderer keeps per body: the bind group of the bounds reduction.

use super::renderer::Renderer;
use crate::gpu::surface::SurfaceBuffers;

/// Per-body resources. Make it once per [`SurfaceBuffers`], and again when its buffers are replaced.
#[derive(Debug, Clone)]
pub struct SurfaceDraw {
    pub(super) reduce: wgpu::BindGroup,
}

impl SurfaceDraw {
    /// Binds a body's surface for the renderer. Copies nothing.
    #[must_use]
    pub fn new(device: &wgpu::Device, renderer: &Renderer, surface: &SurfaceBuffers) -> Self {
        let reduce = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("render surface"),
            layout: &renderer.layouts.surface,
            entries: &[
                wgpu::BindGroupEntry {
                    binding: 0,
                    resource: surface.positions.as_entire_binding(),
                },
                wgpu::BindGroupEntry {
                    binding: 1,
                    resource: surface.triangles.as_entire_binding(),
                },
            ],
        });
        Self { reduce }
    }
}
