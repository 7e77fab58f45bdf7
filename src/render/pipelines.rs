//! Pipelines of the renderer, made once.

use std::mem::offset_of;

use super::layouts::Layouts;
use crate::gpu::VertexLook;
use crate::shaders::render::{self as shaders, RenderShader};

/// Samples per pixel of the scene pass.
pub(super) const SAMPLE_COUNT: u32 = 4;
/// Reversed depth needs a float format to be worth it.
pub(super) const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// Every pipeline of the renderer.
#[derive(Debug)]
pub(super) struct Pipelines {
    pub surface_bounds: wgpu::ComputePipeline,
    pub fit_light: wgpu::ComputePipeline,
    pub shadow_body: wgpu::RenderPipeline,
    pub shadow_wall: wgpu::RenderPipeline,
    pub body: wgpu::RenderPipeline,
    pub textured_body: wgpu::RenderPipeline,
    pub cloth: wgpu::RenderPipeline,
    pub wall: wgpu::RenderPipeline,
    pub ground: wgpu::RenderPipeline,
    pub sky: wgpu::RenderPipeline,
    pub wireframe: wgpu::RenderPipeline,
    pub marker: wgpu::RenderPipeline,
}

/// What a third vertex buffer holds.
#[derive(PartialEq)]
enum Third {
    /// A [`VertexLook`]; the pipeline has the group of parts.
    Look,
    /// Metres along warp and weft.
    Material,
}

/// What differs between the draws.
struct Draw<'a> {
    label: &'a str,
    shader: RenderShader,
    vertex: &'a str,
    /// None draws depth alone, into the shadow map.
    fragment: Option<&'a str>,
    /// How many of positions, normals and `third` are vertex buffers.
    vertex_buffers: u32,
    third: Third,
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
            third: Third::Look,
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
            cloth: draw(Draw {
                label: "cloth",
                shader: shaders::CLOTH,
                vertex: "cloth_vertex",
                fragment: Some("cloth_fragment"),
                vertex_buffers: 3,
                third: Third::Material,
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
            marker: draw(Draw {
                label: "marker",
                shader: shaders::MARKER,
                vertex: "marker_vertex",
                fragment: Some("marker_fragment"),
                topology: wgpu::PrimitiveTopology::TriangleStrip,
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
        (true, 3) if what.third == Third::Look => &groups[..],
        (true, _) => &groups[..2],
    };
    let module = module(device, what.shader);
    use wgpu::VertexFormat::{Float32x2, Float32x4, Unorm16x4};
    let attribute = |shader_location, format, offset| wgpu::VertexAttribute {
        format,
        offset,
        shader_location,
    };
    let (position, normal, look, material) = (
        [attribute(0, Float32x4, 0)],
        [attribute(1, Float32x4, 0)],
        [
            attribute(2, Float32x2, offset_of!(VertexLook, uv) as u64),
            attribute(3, Unorm16x4, offset_of!(VertexLook, color) as u64),
        ],
        [attribute(2, Float32x2, 0)],
    );
    let vector = size_of::<[f32; 4]>();
    let buffers = [
        (vector, &position[..]),
        (vector, &normal[..]),
        match what.third {
            Third::Look => (size_of::<VertexLook>(), &look[..]),
            Third::Material => (size_of::<[f32; 2]>(), &material[..]),
        },
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
