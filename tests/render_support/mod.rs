//! A GPU that fails on any validation error, test surfaces, and images read back: for the render tests and examples.
#![allow(
    dead_code,
    missing_docs,
    reason = "shared by tests and examples that each use a part of it"
)]

pub mod cloth;
pub mod fixture;
mod shape;
pub mod surfaces;

use glam::Vec3;
pub use shape::Shape;
use std::sync::Arc;
use webgpu_softbody::gpu::surface::SurfaceBuffers;
use webgpu_softbody::render::{Renderer, Scene, SurfaceDraw, Targets};

pub struct Gpu {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
}

impl Gpu {
    /// The default Vulkan adapter, lavapipe included, with default limits: what a browser promises.
    pub fn new() -> Self {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        descriptor.backends = wgpu::Backends::VULKAN;
        let instance = wgpu::Instance::new(descriptor);
        let adapter =
            pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()))
                .expect("a Vulkan adapter (install mesa-vulkan-drivers)");
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("render tests"),
            ..Default::default()
        }))
        .expect("a device with default limits");
        device.on_uncaptured_error(Arc::new(|error| panic!("wgpu: {error}")));
        Self { device, queue }
    }

    fn buffer(&self, label: &str, usage: wgpu::BufferUsages, contents: &[u8]) -> wgpu::Buffer {
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size: contents.len().max(4) as u64,
            usage: usage | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        self.queue.write_buffer(&buffer, 0, contents);
        buffer
    }

    /// Uploads a shape as the solver would hold it.
    pub fn upload(&self, shape: &Shape, origin: [f32; 3]) -> SurfaceBuffers {
        use wgpu::BufferUsages as Usage;
        let vertex = Usage::STORAGE | Usage::VERTEX | Usage::COPY_SRC;
        let edges = shape.edges();
        SurfaceBuffers {
            positions: self.buffer(
                "positions",
                vertex,
                bytemuck::cast_slice(&padded(&shape.positions)),
            ),
            normals: self.buffer(
                "normals",
                vertex,
                bytemuck::cast_slice(&padded(&shape.normals())),
            ),
            triangles: self.buffer(
                "triangles",
                Usage::INDEX | Usage::STORAGE,
                bytemuck::cast_slice(&shape.triangles),
            ),
            triangle_index_count: 3 * shape.triangles.len() as u32,
            edges: self.buffer("edges", Usage::INDEX, bytemuck::cast_slice(&edges)),
            edge_index_count: 2 * edges.len() as u32,
            vertex_count: shape.positions.len() as u32,
            origin,
            material_coordinates: None,
        }
    }

    /// Moves an uploaded body to where `shape` is, as a solver step does.
    pub fn write_positions(&self, surface: &SurfaceBuffers, positions: &[Vec3]) {
        self.queue.write_buffer(
            &surface.positions,
            0,
            bytemuck::cast_slice(&padded(positions)),
        );
    }

    pub fn read(&self, buffer: &wgpu::Buffer) -> Vec<u8> {
        let staging = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("read back"),
            size: buffer.size(),
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut encoder = self
            .device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_buffer_to_buffer(buffer, 0, &staging, 0, buffer.size());
        self.queue.submit([encoder.finish()]);
        self.map(&staging)
    }

    fn map(&self, staging: &wgpu::Buffer) -> Vec<u8> {
        staging.slice(..).map_async(wgpu::MapMode::Read, |result| {
            result.expect("mappable staging buffer")
        });
        self.device
            .poll(wgpu::PollType::wait_indefinitely())
            .expect("the device answers");
        staging
            .slice(..)
            .get_mapped_range()
            .expect("mapped by the poll above")
            .to_vec()
    }
}

fn padded(vectors: &[Vec3]) -> Vec<[f32; 4]> {
    vectors.iter().map(|v| [v.x, v.y, v.z, 0.0]).collect()
}

/// One renderer with targets of one size.
pub struct Studio {
    pub gpu: Gpu,
    pub renderer: Renderer,
    pub targets: Targets,
    pub format: wgpu::TextureFormat,
}

impl Studio {
    pub fn new(width: u32, height: u32) -> Self {
        Self::with_format(width, height, wgpu::TextureFormat::Rgba8Unorm)
    }

    pub fn with_format(width: u32, height: u32, format: wgpu::TextureFormat) -> Self {
        let gpu = Gpu::new();
        let renderer = Renderer::new(&gpu.device, format);
        let targets = Targets::new(&gpu.device, &renderer, width, height);
        Self {
            gpu,
            renderer,
            targets,
            format,
        }
    }

    pub fn body(&self, shape: &Shape, origin: [f32; 3]) -> (SurfaceBuffers, SurfaceDraw) {
        let surface = self.gpu.upload(shape, origin);
        let draw = SurfaceDraw::new(&self.gpu.device, &self.renderer, &surface, None);
        (surface, draw)
    }

    /// Draws one frame and reads it back; panics on any validation error.
    pub fn shoot(&self, body: Option<&(SurfaceBuffers, SurfaceDraw)>, scene: &Scene) -> Image {
        let device = &self.gpu.device;
        let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
        let [width, height] = self.targets.size();
        let size = wgpu::Extent3d {
            width,
            height,
            depth_or_array_layers: 1,
        };
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("image"),
            size,
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: self.format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let row = (4 * width).next_multiple_of(256);
        let staging = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("image read back"),
            size: u64::from(row * height),
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let body = body.map(|(surface, draw)| (surface, draw));
        self.renderer.record(
            &self.gpu.queue,
            &mut encoder,
            &view,
            &self.targets,
            body,
            scene,
        );
        encoder.copy_texture_to_buffer(
            texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &staging,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(row),
                    rows_per_image: None,
                },
            },
            size,
        );
        self.gpu.queue.submit([encoder.finish()]);
        let rows = self.gpu.map(&staging);
        if let Some(error) = pollster::block_on(scope.pop()) {
            panic!("validation error while drawing: {error}");
        }
        let rgba = rows
            .chunks(row as usize)
            .flat_map(|line| line[..4 * width as usize].to_vec())
            .collect();
        Image {
            width,
            height,
            rgba,
        }
    }
}

#[derive(Clone, PartialEq)]
pub struct Image {
    pub width: u32,
    pub height: u32,
    pub rgba: Vec<u8>,
}

impl Image {
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 3] {
        let at = 4 * (y * self.width + x) as usize;
        [self.rgba[at], self.rgba[at + 1], self.rgba[at + 2]]
    }

    /// Encoded luma, 0 to 255.
    pub fn luma(&self, x: u32, y: u32) -> f32 {
        let [r, g, b] = self.pixel(x, y).map(f32::from);
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    /// Number of pixels whose largest channel difference exceeds `threshold`.
    pub fn difference(&self, other: &Self, threshold: u8) -> usize {
        assert_eq!((self.width, self.height), (other.width, other.height));
        let pairs = self.rgba.chunks(4).zip(other.rgba.chunks(4));
        pairs
            .filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > threshold))
            .count()
    }

    /// Pixels that are clearly red: the test body.
    pub fn reddish(&self) -> Vec<[u32; 2]> {
        let all = (0..self.height).flat_map(|y| (0..self.width).map(move |x| [x, y]));
        all.filter(|&[x, y]| {
            let [r, g, b] = self.pixel(x, y).map(i32::from);
            r > g + 50 && r > b + 50
        })
        .collect()
    }
}

/// Mean of pixel coordinates.
pub fn centroid(pixels: &[[u32; 2]]) -> [f32; 2] {
    let count = pixels.len() as f32;
    [0, 1].map(|axis| pixels.iter().map(|p| p[axis] as f32).sum::<f32>() / count)
}
