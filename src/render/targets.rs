//! What the renderer keeps per image: multisampled colour, depth, and the frame's own small buffers.

use super::pipelines::{DEPTH_FORMAT, SAMPLE_COUNT};
use super::renderer::Renderer;
use super::uniforms::{Frame, Light};

/// Resources for drawing into images of one size. Make it again when the size changes.
///
/// Two frames recorded with the same `Targets` must be submitted one after the other, each in its own submission.
#[derive(Debug)]
pub struct Targets {
    pub(super) size: [u32; 2],
    pub(super) color: wgpu::TextureView,
    pub(super) depth: wgpu::TextureView,
    pub(super) frame: wgpu::Buffer,
    pub(super) bounds: wgpu::Buffer,
    pub(super) light_buffer: wgpu::Buffer,
    /// Frame, bounds and light for the compute passes.
    pub(super) fit: wgpu::BindGroup,
    /// Frame and light for the draws.
    pub(super) draw: wgpu::BindGroup,
    textures: [wgpu::Texture; 2],
}

impl Targets {
    /// Allocates for images of `width` × `height` pixels; zero counts as one.
    #[must_use]
    pub fn new(device: &wgpu::Device, renderer: &Renderer, width: u32, height: u32) -> Self {
        let size = [width.max(1), height.max(1)];
        let texture = |label, format| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d {
                    width: size[0],
                    height: size[1],
                    depth_or_array_layers: 1,
                },
                mip_level_count: 1,
                sample_count: SAMPLE_COUNT,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
                view_formats: &[],
            })
        };
        let color = texture("render color", renderer.target_format);
        let depth = texture("render depth", DEPTH_FORMAT);
        let buffer = |label, size: usize, usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: size as u64,
                usage,
                mapped_at_creation: false,
            })
        };
        use wgpu::BufferUsages as Usage;
        let frame = buffer(
            "render frame",
            size_of::<Frame>(),
            Usage::UNIFORM | Usage::COPY_DST,
        );
        let bounds = buffer(
            "render bounds",
            12 * size_of::<u32>(),
            Usage::STORAGE | Usage::COPY_DST,
        );
        let light = buffer(
            "render light",
            size_of::<Light>(),
            Usage::STORAGE | Usage::UNIFORM | Usage::COPY_SRC,
        );
        let group = |label, layout, buffers: &[&wgpu::Buffer]| {
            let entries: Vec<_> = (0..)
                .zip(buffers)
                .map(|(binding, buffer)| wgpu::BindGroupEntry {
                    binding,
                    resource: buffer.as_entire_binding(),
                })
                .collect();
            device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some(label),
                layout,
                entries: &entries,
            })
        };
        Self {
            size,
            color: color.create_view(&wgpu::TextureViewDescriptor::default()),
            depth: depth.create_view(&wgpu::TextureViewDescriptor::default()),
            fit: group(
                "render fit",
                &renderer.layouts.fit,
                &[&frame, &bounds, &light],
            ),
            draw: group("render draw", &renderer.layouts.draw, &[&frame, &light]),
            frame,
            bounds,
            light_buffer: light,
            textures: [color, depth],
        }
    }

    /// Width and height in pixels.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// The [`Light`] of the last frame drawn, for tests and tools; usable as a copy source.
    #[must_use]
    pub fn light(&self) -> &wgpu::Buffer {
        &self.light_buffer
    }

    /// Frees the GPU memory now. On the web, dropping alone frees nothing until the garbage collector runs.
    pub fn destroy(&self) {
        for texture in &self.textures {
            texture.destroy();
        }
        for buffer in [&self.frame, &self.bounds, &self.light_buffer] {
            buffer.destroy();
        }
    }
}
