//! What the renderer keeps per body: the bind group of the bounds reduction, and what its parts are drawn with.

use std::ops::Range;

use super::renderer::Renderer;
use crate::gpu::surface::SurfaceBuffers;
use crate::gpu::{PART_STRIDE, SurfaceLookBuffers};

/// Per-body resources. Make it once per [`SurfaceBuffers`], and again when its buffers are replaced.
#[derive(Debug, Clone)]
pub struct SurfaceDraw {
    pub(super) reduce: wgpu::BindGroup,
    pub(super) look: Option<LookDraw>,
}

/// Colours of a body's own.
#[derive(Debug, Clone)]
pub(super) struct LookDraw {
    pub vertices: wgpu::Buffer,
    pub mean_color: [f32; 3],
    /// Texture and colour of each run of triangle indices.
    pub parts: Vec<(wgpu::BindGroup, Range<u32>)>,
}

impl SurfaceDraw {
    /// Binds a body's surface for the renderer; with a `look` it is drawn in that. Copies nothing.
    #[must_use]
    pub fn new(
        device: &wgpu::Device,
        renderer: &Renderer,
        surface: &SurfaceBuffers,
        look: Option<&SurfaceLookBuffers>,
    ) -> Self {
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
        let look = look.map(|look| {
            let views: Vec<_> = look
                .textures
                .iter()
                .map(|texture| texture.create_view(&wgpu::TextureViewDescriptor::default()))
                .collect();
            let parts = (0..).zip(&look.parts).map(|(number, part)| {
                let color = wgpu::BufferBinding {
                    buffer: &look.part_colors,
                    offset: number * PART_STRIDE,
                    size: wgpu::BufferSize::new(size_of::<[f32; 4]>() as u64),
                };
                let resources = [
                    wgpu::BindingResource::TextureView(&views[part.texture]),
                    wgpu::BindingResource::Sampler(&renderer.color_sampler),
                    wgpu::BindingResource::Buffer(color),
                ];
                let entries: Vec<_> = (0..)
                    .zip(resources)
                    .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource })
                    .collect();
                let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
                    label: Some("render part"),
                    layout: &renderer.layouts.part,
                    entries: &entries,
                });
                (group, part.indices.clone())
            });
            LookDraw {
                vertices: look.vertices.clone(),
                mean_color: look.mean_color,
                parts: parts.collect(),
            }
        });
        Self { reduce, look }
    }
}
