//! The renderer: what never changes, and the function that records a frame.

use super::appearance::Appearance;
use super::camera::Camera;
use super::layouts::Layouts;
use super::markers::Markers;
use super::pipelines::{DEPTH_FORMAT, Pipelines};
use super::surface_draw::SurfaceDraw;
use super::targets::Targets;
use super::uniforms::{Frame, SHADOW_MAP_SIZE};
use crate::gpu::surface::SurfaceBuffers;
use crate::shaders::render::SURFACE_BOUNDS_WORKGROUP_SIZE;

/// Most workgroups of the bounds reduction; its threads stride over the rest.
const MAX_BOUNDS_WORKGROUPS: u32 = 256;

/// What a frame shows, apart from the body's shape. World coordinates in metres.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Scene {
    /// From where it is seen.
    pub camera: Camera,
    /// How the body looks.
    pub appearance: Appearance,
    /// Height of the ground; `None` draws no ground and no grid.
    pub floor: Option<f32>,
    /// World box `(min, max)` of the block that a pinned face is fixed to; `None` draws none.
    pub wall: Option<([f32; 3], [f32; 3])>,
    /// Points marked by small discs, such as what pointers hold.
    pub markers: Markers,
}

/// Pipelines, layouts and the shadow map. Immutable: one serves any number of bodies and targets of one format.
#[derive(Debug)]
pub struct Renderer {
    pub(super) layouts: Layouts,
    pub(super) target_format: wgpu::TextureFormat,
    pipelines: Pipelines,
    shadow_map: wgpu::Texture,
    shadow_view: wgpu::TextureView,
    shadow: wgpu::BindGroup,
    pub(super) color_sampler: wgpu::Sampler,
}

impl Renderer {
    /// Compiles everything for images of `target_format`, an 8-bit unorm format. The shaders encode sRGB themselves
    /// unless the format does (`*Srgb`).
    #[must_use]
    pub fn new(device: &wgpu::Device, target_format: wgpu::TextureFormat) -> Self {
        let layouts = Layouts::new(device);
        let pipelines = Pipelines::new(device, &layouts, target_format);
        let shadow_map = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("render shadow map"),
            size: wgpu::Extent3d {
                width: SHADOW_MAP_SIZE,
                height: SHADOW_MAP_SIZE,
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: DEPTH_FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        });
        let shadow_view = shadow_map.create_view(&wgpu::TextureViewDescriptor::default());
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("render shadow compare"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            compare: Some(wgpu::CompareFunction::LessEqual),
            ..wgpu::SamplerDescriptor::default()
        });
        let shadow = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("render shadow map"),
            layout: &layouts.shadow,
            entries: &[
                wgpu::BindGroupEntry {
                    binding: 0,
                    resource: wgpu::BindingResource::TextureView(&shadow_view),
                },
                wgpu::BindGroupEntry {
                    binding: 1,
                    resource: wgpu::BindingResource::Sampler(&sampler),
                },
            ],
        });
        let color_sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("render base color"),
            address_mode_u: wgpu::AddressMode::Repeat,
            address_mode_v: wgpu::AddressMode::Repeat,
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            mipmap_filter: wgpu::MipmapFilterMode::Linear,
            anisotropy_clamp: 8,
            ..wgpu::SamplerDescriptor::default()
        });
        Self {
            layouts,
            target_format,
            pipelines,
            shadow_map,
            shadow_view,
            shadow,
            color_sampler,
        }
    }

    /// Records one frame into `target`, a view of the renderer's format and of `targets`' size.
    ///
    /// The passes in order: bounds of the surface as it is now, the shadow box around them, shadow map, scene. Nothing
    /// is read back and nothing is created. `queue` takes the frame's uniforms, so submit each recorded frame of one
    /// `targets` before recording the next.
    pub fn record(
        &self,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        targets: &Targets,
        body: Option<(&SurfaceBuffers, &SurfaceDraw)>,
        scene: &Scene,
    ) {
        let body = body.filter(|(surface, _)| surface.triangle_index_count >= 3);
        // What the body's colours are to its surroundings: its shadow is tinted by light that went through it.
        let mut scene = *scene;
        if let Some(look) = body.and_then(|(_, draw)| draw.look.as_ref()) {
            scene.appearance.color = look.mean_color;
        }
        let scene = &scene;
        let encode_srgb = !self.target_format.is_srgb();
        let frame = Frame::new(
            scene,
            body.map(|(surface, _)| surface),
            targets.size,
            encode_srgb,
        );
        queue.write_buffer(&targets.frame, 0, bytemuck::bytes_of(&frame));

        encoder.clear_buffer(&targets.bounds, 0, None);
        self.record_light(encoder, targets, body);
        self.record_shadow(encoder, targets, body, scene);
        self.record_scene(encoder, target, targets, body, scene);
    }

    fn record_light(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        targets: &Targets,
        body: Option<(&SurfaceBuffers, &SurfaceDraw)>,
    ) {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("render light"),
            timestamp_writes: None,
        });
        pass.set_bind_group(0, &targets.fit, &[]);
        if let Some((surface, draw)) = body {
            let groups = surface
                .triangle_index_count
                .div_ceil(SURFACE_BOUNDS_WORKGROUP_SIZE);
            pass.set_pipeline(&self.pipelines.surface_bounds);
            pass.set_bind_group(1, &draw.reduce, &[]);
            pass.dispatch_workgroups(groups.min(MAX_BOUNDS_WORKGROUPS), 1, 1);
        }
        pass.set_pipeline(&self.pipelines.fit_light);
        pass.dispatch_workgroups(1, 1, 1);
    }

    fn record_shadow(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        targets: &Targets,
        body: Option<(&SurfaceBuffers, &SurfaceDraw)>,
        scene: &Scene,
    ) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("render shadow"),
            depth_stencil_attachment: Some(depth_attachment(
                &self.shadow_view,
                1.0,
                wgpu::StoreOp::Store,
            )),
            ..wgpu::RenderPassDescriptor::default()
        });
        pass.set_bind_group(0, &targets.draw, &[]);
        if let Some((surface, _)) = body {
            pass.set_pipeline(&self.pipelines.shadow_body);
            pass.set_vertex_buffer(0, surface.positions.slice(..));
            pass.set_index_buffer(surface.triangles.slice(..), wgpu::IndexFormat::Uint32);
            pass.draw_indexed(0..surface.triangle_index_count, 0, 0..1);
        }
        if scene.wall.is_some() {
            pass.set_pipeline(&self.pipelines.shadow_wall);
            pass.draw(0..36, 0..1);
        }
    }

    fn record_scene(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        targets: &Targets,
        body: Option<(&SurfaceBuffers, &SurfaceDraw)>,
        scene: &Scene,
    ) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("render scene"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &targets.color,
                depth_slice: None,
                resolve_target: Some(target),
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                    store: wgpu::StoreOp::Discard,
                },
            })],
            depth_stencil_attachment: Some(depth_attachment(
                &targets.depth,
                0.0,
                wgpu::StoreOp::Discard,
            )),
            ..wgpu::RenderPassDescriptor::default()
        });
        pass.set_bind_group(0, &targets.draw, &[]);
        pass.set_bind_group(1, &self.shadow, &[]);
        // Front to back, roughly: what the body hides is not shaded.
        if let Some((surface, draw)) = body {
            pass.set_vertex_buffer(0, surface.positions.slice(..));
            pass.set_vertex_buffer(1, surface.normals.slice(..));
            pass.set_index_buffer(surface.triangles.slice(..), wgpu::IndexFormat::Uint32);
            match (&surface.material_coordinates, &draw.look) {
                (Some(coordinates), _) => {
                    pass.set_pipeline(&self.pipelines.cloth);
                    pass.set_vertex_buffer(2, coordinates.slice(..));
                    pass.draw_indexed(0..surface.triangle_index_count, 0, 0..1);
                }
                (None, None) => {
                    pass.set_pipeline(&self.pipelines.body);
                    pass.draw_indexed(0..surface.triangle_index_count, 0, 0..1);
                }
                (None, Some(look)) => {
                    pass.set_pipeline(&self.pipelines.textured_body);
                    pass.set_vertex_buffer(2, look.vertices.slice(..));
                    for (part, indices) in &look.parts {
                        pass.set_bind_group(2, part, &[]);
                        pass.draw_indexed(indices.clone(), 0, 0..1);
                    }
                }
            }
        }
        if scene.wall.is_some() {
            pass.set_pipeline(&self.pipelines.wall);
            pass.draw(0..36, 0..1);
        }
        if scene.floor.is_some() {
            pass.set_pipeline(&self.pipelines.ground);
            pass.draw(0..6, 0..1);
        }
        pass.set_pipeline(&self.pipelines.sky);
        pass.draw(0..3, 0..1);
        if let Some((surface, _)) =
            body.filter(|(surface, _)| scene.appearance.wireframe && surface.edge_index_count > 1)
        {
            pass.set_pipeline(&self.pipelines.wireframe);
            pass.set_vertex_buffer(0, surface.positions.slice(..));
            pass.set_index_buffer(surface.edges.slice(..), wgpu::IndexFormat::Uint32);
            pass.draw_indexed(0..surface.edge_index_count, 0, 0..1);
        }
        let markers = scene.markers.points().len() as u32;
        if markers > 0 {
            pass.set_pipeline(&self.pipelines.marker);
            pass.draw(0..4, 0..markers);
        }
    }

    /// Frees the shadow map now. On the web, dropping alone frees nothing until the garbage collector runs.
    pub fn destroy(&self) {
        self.shadow_map.destroy();
    }
}

fn depth_attachment(
    view: &wgpu::TextureView,
    clear: f32,
    store: wgpu::StoreOp,
) -> wgpu::RenderPassDepthStencilAttachment<'_> {
    wgpu::RenderPassDepthStencilAttachment {
        view,
        depth_ops: Some(wgpu::Operations {
            load: wgpu::LoadOp::Clear(clear),
            store,
        }),
        stencil_ops: None,
    }
}
