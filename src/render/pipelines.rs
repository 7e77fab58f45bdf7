//! Bind group layouts and pipelines of the renderer, made once.

use std::mem::offset_of;

use super::uniforms::{Frame, Light};
use crate::gpu::VertexLook;
use crate::shaders::render::{self as shaders, RenderShader};

/// Samples per pixel of the scene pass.
pub(super) const SAMPLE_COUNT: u32 = 4;
/// Reversed depth needs a float format to be worth it.
pub(super) const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

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

/// Every pipeline of the renderer.
#[derive(Debug)]
pub(super) struct Pipelines {
    pub surface_bounds: wgpu::ComputePipeline,
    pub fit_light: wgpu::ComputePipeline,
    pub shadow_body: wgpu::RenderPipeline,
    pub shadow_wall: wgpu::RenderPipeline,
    pub body: wgpu::RenderPipeline,
    pub textured_body: wgpu::RenderPipeline,
    pub wall: wgpu::RenderPipeline,
    pub ground: wgpu::RenderPipeline,
    pub sky: wgpu::RenderPipeline,
    pub wireframe: wgpu::RenderPipeline,
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

/// What differs between the draws.
struct Draw<'a> {
    label: &'a str,
    shader: RenderShader,
    vertex: &'a str,
    /// None draws depth alone, into the shadow map.
    fragment: Option<&'a str>,
    /// How many of positions, normals and looks are vertex buffers.
    vertex_buffers: u32,
    topology: wgpu::PrimitiveTopology,
    cull_mode: Option<wgpu::Face>,
    depth_write: bool,
    blend: Option<wgpu::BlendState>,
}

impl Default for Draw<'_> {
    fn default() -> Self {
        Self {
            label: "",
            shader: shaders::BODY,
            vertex: "",
            fragment: None,
            vertex_buffers: 0,
            topology: wgpu::PrimitiveTopology::TriangleList,
            cull_mode: None,
            depth_write: true,
            blend: None,
        }
    }
}

impl Pipelines {
    pub fn new(
        device: &wgpu::Device,
        layouts: &Layouts,
        target_format: wgpu::TextureFormat,
    ) -> Self {
        let compute = |shader: RenderShader, groups: &[Option<&wgpu::BindGroupLayout>]| {
            device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(shader.label),
                layout: Some(&pipeline_layout(device, shader.label, groups)),
                module: &module(device, shader),
                entry_point: Some(shader.label),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                cache: None,
            })
        };
        let draw = |what: Draw| render_pipeline(device, layouts, target_format, &what);
        Self {
            surface_bounds: compute(
                shaders::SURFACE_BOUNDS,
                &[Some(&layouts.fit), Some(&layouts.surface)],
            ),
            fit_light: compute(shaders::FIT_LIGHT, &[Some(&layouts.fit)]),
            shadow_body: draw(Draw {
                label: "shadow body",
                shader: shaders::SHADOW,
                vertex: "shadow_body",
                vertex_buffers: 1,
                ..Draw::default()
            }),
            shadow_wall: draw(Draw {
                label: "shadow wall",
                shader: shaders::SHADOW,
                vertex: "shadow_wall",
                ..Draw::default()
            }),
            // Both sides: an open or inverted surface must not show holes.
            body: draw(Draw {
                label: "body",
                shader: shaders::BODY,
                vertex: "body_vertex",
                fragment: Some("body_fragment"),
                vertex_buffers: 2,
                ..Draw::default()
            }),
            textured_body: draw(Draw {
                label: "textured body",
                shader: shaders::TEXTURED_BODY,
                vertex: "textured_vertex",
                fragment: Some("textured_fragment"),
                vertex_buffers: 3,
                ..Draw::default()
            }),
            wall: draw(Draw {
                label: "wall",
                shader: shaders::WALL,
                vertex: "wall_vertex_main",
                fragment: Some("wall_fragment"),
                cull_mode: Some(wgpu::Face::Back),
                ..Draw::default()
            }),
            ground: draw(Draw {
                label: "ground",
                shader: shaders::GROUND,
                vertex: "ground_vertex",
                fragment: Some("ground_fragment"),
                cull_mode: Some(wgpu::Face::Back),
                ..Draw::default()
            }),
            sky: draw(Draw {
                label: "sky",
                shader: shaders::SKY,
                vertex: "sky_vertex",
                fragment: Some("sky_fragment"),
                depth_write: false,
                ..Draw::default()
            }),
            wireframe: draw(Draw {
                label: "wireframe",
                shader: shaders::WIREFRAME,
                vertex: "wireframe_vertex",
                fragment: Some("wireframe_fragment"),
                vertex_buffers: 1,
                topology: wgpu::PrimitiveTopology::LineList,
                depth_write: false,
                blend: Some(wgpu::BlendState::ALPHA_BLENDING),
                ..Draw::default()
            }),
        }
    }
}

fn module(device: &wgpu::Device, shader: RenderShader) -> wgpu::ShaderModule {
    device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(shader.label),
        source: wgpu::ShaderSource::Wgsl(shader.wgsl().into()),
    })
}

fn pipeline_layout(
    device: &wgpu::Device,
    label: &str,
    groups: &[Option<&wgpu::BindGroupLayout>],
) -> wgpu::PipelineLayout {
    device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(label),
        bind_group_layouts: groups,
        immediate_size: 0,
    })
}

fn render_pipeline(
    device: &wgpu::Device,
    layouts: &Layouts,
    target_format: wgpu::TextureFormat,
    what: &Draw,
) -> wgpu::RenderPipeline {
    let into_scene = what.fragment.is_some();
    let groups = [
        Some(&layouts.draw),
        Some(&layouts.shadow),
        Some(&layouts.part),
    ];
    let groups = match (into_scene, what.vertex_buffers) {
        (false, _) => &groups[..1],
        (true, 3) => &groups[..],
        (true, _) => &groups[..2],
    };
    let module = module(device, what.shader);
    use wgpu::VertexFormat::{Float32x2, Float32x4, Unorm16x4};
    let attribute = |shader_location, format, offset| wgpu::VertexAttribute {
        format,
        offset,
        shader_location,
    };
    let (position, normal, look) = (
        [attribute(0, Float32x4, 0)],
        [attribute(1, Float32x4, 0)],
        [
            attribute(2, Float32x2, offset_of!(VertexLook, uv) as u64),
            attribute(3, Unorm16x4, offset_of!(VertexLook, color) as u64),
        ],
    );
    let vector = size_of::<[f32; 4]>();
    let buffers = [
        (vector, &position[..]),
        (vector, &normal[..]),
        (size_of::<VertexLook>(), &look[..]),
    ]
    .map(|(stride, attributes)| {
        Some(wgpu::VertexBufferLayout {
            array_stride: stride as u64,
            step_mode: wgpu::VertexStepMode::Vertex,
            attributes,
        })
    });
    let targets = [Some(wgpu::ColorTargetState {
        format: target_format,
        blend: what.blend,
        write_mask: wgpu::ColorWrites::ALL,
    })];
    // The sun looks down an ordinary 0 (near) to 1 (far) box; the scene's depth is reversed.
    let (depth_compare, bias) = if into_scene {
        (
            wgpu::CompareFunction::GreaterEqual,
            wgpu::DepthBiasState::default(),
        )
    } else {
        (
            wgpu::CompareFunction::Less,
            wgpu::DepthBiasState {
                constant: 0,
                slope_scale: 1.0,
                clamp: 0.0,
            },
        )
    };
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(what.label),
        layout: Some(&pipeline_layout(device, what.label, groups)),
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some(what.vertex),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: &buffers[..what.vertex_buffers as usize],
        },
        primitive: wgpu::PrimitiveState {
            topology: what.topology,
            cull_mode: what.cull_mode,
            ..wgpu::PrimitiveState::default()
        },
        depth_stencil: Some(wgpu::DepthStencilState {
            format: DEPTH_FORMAT,
            depth_write_enabled: Some(what.depth_write),
            depth_compare: Some(depth_compare),
            stencil: wgpu::StencilState::default(),
            bias,
        }),
        multisample: wgpu::MultisampleState {
            count: if into_scene { SAMPLE_COUNT } else { 1 },
            ..wgpu::MultisampleState::default()
        },
        fragment: what.fragment.map(|entry_point| wgpu::FragmentState {
            module: &module,
            entry_point: Some(entry_point),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            targets: &targets,
        }),
        multiview_mask: None,
        cache: None,
    })
}
