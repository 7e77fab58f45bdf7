//! Bind group layouts of the renderer, made once.

use super::uniforms::{Frame, Light};

/// Every bind group layout of the renderer.
#[derive(Debug)]
pub(super) struct Layouts {
    /// Compute, group 0: frame, bounds, light.
    pub fit: wgpu::BindGroupLayout,
    /// Compute, group 1: positions, triangles.
    pub surface: wgpu::BindGroupLayout,
    /// Draws, group 0: frame, light.
    pub draw: wgpu::BindGroupLayout,
    /// Draws, group 1: shadow map and its comparison sampler.
    pub shadow: wgpu::BindGroupLayout,
    /// Draws of bodies with their own colours, group 2: base colour texture, its sampler, the part's colour.
    pub part: wgpu::BindGroupLayout,
}

fn buffer_entry(
    binding: u32,
    visibility: wgpu::ShaderStages,
    ty: wgpu::BufferBindingType,
    size: usize,
) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility,
        ty: wgpu::BindingType::Buffer {
            ty,
            has_dynamic_offset: false,
            min_binding_size: wgpu::BufferSize::new(size as u64),
        },
        count: None,
    }
}

impl Layouts {
    pub fn new(device: &wgpu::Device) -> Self {
        use wgpu::BufferBindingType::{Storage, Uniform};
        use wgpu::ShaderStages as Stages;
        let layout = |label, entries: &[wgpu::BindGroupLayoutEntry]| {
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
                label: Some(label),
                entries,
            })
        };
        let (frame, light) = (size_of::<Frame>(), size_of::<Light>());
        let drawing = Stages::VERTEX | Stages::FRAGMENT;
        Self {
            fit: layout(
                "render fit",
                &[
                    buffer_entry(0, Stages::COMPUTE, Uniform, frame),
                    buffer_entry(
                        1,
                        Stages::COMPUTE,
                        Storage { read_only: false },
                        12 * size_of::<u32>(),
                    ),
                    buffer_entry(2, Stages::COMPUTE, Storage { read_only: false }, light),
                ],
            ),
            surface: layout(
                "render surface",
                &[
                    buffer_entry(
                        0,
                        Stages::COMPUTE,
                        Storage { read_only: true },
                        4 * size_of::<f32>(),
                    ),
                    buffer_entry(
                        1,
                        Stages::COMPUTE,
                        Storage { read_only: true },
                        size_of::<u32>(),
                    ),
                ],
            ),
            draw: layout(
                "render draw",
                &[
                    buffer_entry(0, drawing, Uniform, frame),
                    buffer_entry(1, drawing, Uniform, light),
                ],
            ),
            shadow: layout(
                "render shadow map",
                &[
                    wgpu::BindGroupLayoutEntry {
                        binding: 0,
                        visibility: Stages::FRAGMENT,
                        ty: wgpu::BindingType::Texture {
                            sample_type: wgpu::TextureSampleType::Depth,
                            view_dimension: wgpu::TextureViewDimension::D2,
                            multisampled: false,
                        },
                        count: None,
                    },
                    wgpu::BindGroupLayoutEntry {
                        binding: 1,
                        visibility: Stages::FRAGMENT,
                        ty: wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Comparison),
                        count: None,
                    },
                ],
            ),
            part: layout(
                "render part",
                &[
                    wgpu::BindGroupLayoutEntry {
                        binding: 0,
                        visibility: Stages::FRAGMENT,
                        ty: wgpu::BindingType::Texture {
                            sample_type: wgpu::TextureSampleType::Float { filterable: true },
                            view_dimension: wgpu::TextureViewDimension::D2,
                            multisampled: false,
                        },
                        count: None,
                    },
                    wgpu::BindGroupLayoutEntry {
                        binding: 1,
                        visibility: Stages::FRAGMENT,
                        ty: wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
                        count: None,
                    },
                    buffer_entry(2, Stages::FRAGMENT, Uniform, size_of::<[f32; 4]>()),
                ],
            ),
        }
    }
}
