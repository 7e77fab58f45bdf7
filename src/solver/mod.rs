//! The solver: pipelines made once, a body's bindings made at load, a frame recorded as the method reads.

mod clock;

pub use clock::{Advance, FrameClock};

use crate::gpu::{self, Binding, BindingKind, BodyBuffers, Gpu};
use crate::layout::SolverParams;
use crate::math;
use crate::settings::{Environment, Material, SolverSettings};
use crate::shaders::solver::{Domain, Group, Kernel, WORKGROUP_SIZE};

/// `@group(0)` of the solver kernels: seven storage buffers and a uniform.
pub const SOLVER_BINDINGS: [Binding; 8] = [
    Binding {
        name: "params",
        kind: BindingKind::Uniform,
    },
    Binding {
        name: "positions",
        kind: BindingKind::ReadWrite,
    },
    Binding {
        name: "velocities",
        kind: BindingKind::ReadWrite,
    },
    Binding {
        name: "displacements",
        kind: BindingKind::ReadWrite,
    },
    Binding {
        name: "vertices",
        kind: BindingKind::Read,
    },
    Binding {
        name: "tets",
        kind: BindingKind::Read,
    },
    Binding {
        name: "multipliers",
        kind: BindingKind::ReadWrite,
    },
    Binding {
        name: "corrections",
        kind: BindingKind::ReadWrite,
    },
];

/// `@group(0)` of the kernel that carries an embedded surface along.
pub const EMBEDDING_BINDINGS: [Binding; 4] = [
    Binding {
        name: "params",
        kind: BindingKind::Uniform,
    },
    Binding {
        name: "particles",
        kind: BindingKind::Read,
    },
    Binding {
        name: "anchors",
        kind: BindingKind::Read,
    },
    Binding {
        name: "positions",
        kind: BindingKind::ReadWrite,
    },
];

/// `@group(0)` of the normals kernel.
pub const SURFACE_BINDINGS: [Binding; 6] = [
    Binding {
        name: "params",
        kind: BindingKind::Uniform,
    },
    Binding {
        name: "positions",
        kind: BindingKind::Read,
    },
    Binding {
        name: "normals",
        kind: BindingKind::ReadWrite,
    },
    Binding {
        name: "triangles",
        kind: BindingKind::Read,
    },
    Binding {
        name: "triangle_offsets",
        kind: BindingKind::Read,
    },
    Binding {
        name: "incident_triangles",
        kind: BindingKind::Read,
    },
];

/// Compiled kernels. Immutable; one serves any number of bodies.
#[derive(Debug)]
pub struct Solver {
    pipelines: Vec<wgpu::ComputePipeline>,
    solver_layout: wgpu::BindGroupLayout,
    embedding_layout: wgpu::BindGroupLayout,
    surface_layout: wgpu::BindGroupLayout,
}

/// One body's bind groups and domain sizes.
#[derive(Debug)]
pub struct BodyBindings {
    solver: wgpu::BindGroup,
    /// Only with an embedded surface.
    embedding: Option<wgpu::BindGroup>,
    surface: wgpu::BindGroup,
    vertex_workgroups: u32,
    tet_workgroups: u32,
    surface_workgroups: u32,
}

impl Solver {
    /// Compiles every kernel of the table.
    pub fn new(gpu: &Gpu) -> Self {
        let device = &gpu.device;
        let solver_layout = gpu::bind_group_layout(device, "solver", &SOLVER_BINDINGS);
        let embedding_layout = gpu::bind_group_layout(device, "embedding", &EMBEDDING_BINDINGS);
        let surface_layout = gpu::bind_group_layout(device, "surface", &SURFACE_BINDINGS);
        let pipeline_layout = |label, layout| {
            device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(label),
                bind_group_layouts: &[Some(layout)],
                immediate_size: 0,
            })
        };
        let solver_pipeline_layout = pipeline_layout("solver", &solver_layout);
        let embedding_pipeline_layout = pipeline_layout("embedding", &embedding_layout);
        let surface_pipeline_layout = pipeline_layout("surface", &surface_layout);
        let pipelines = Kernel::ALL
            .map(|kernel| {
                let source = kernel.source();
                let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
                    label: Some(source.name),
                    source: wgpu::ShaderSource::Wgsl(kernel.wgsl().into()),
                });
                device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                    label: Some(source.name),
                    layout: Some(match source.group {
                        Group::Solver => &solver_pipeline_layout,
                        Group::Embedding => &embedding_pipeline_layout,
                        Group::Surface => &surface_pipeline_layout,
                    }),
                    module: &module,
                    entry_point: Some(source.entry_point),
                    compilation_options: wgpu::PipelineCompilationOptions {
                        constants: source.constants,
                        ..Default::default()
                    },
                    cache: None,
                })
            })
            .into();
        Self {
            pipelines,
            solver_layout,
            embedding_layout,
            surface_layout,
        }
    }

    /// Bind groups of a body.
    pub fn bind(&self, gpu: &Gpu, body: &BodyBuffers) -> BodyBindings {
        let particles = &body.surface.positions;
        let drawn = body.drawn();
        let (params, triangle_offsets, incident_triangles) = match &body.embedded {
            None => (
                &body.surface_params,
                &body.triangle_offsets,
                &body.incident_triangles,
            ),
            Some(embedded) => (
                &embedded.params,
                &embedded.triangle_offsets,
                &embedded.incident_triangles,
            ),
        };
        BodyBindings {
            solver: gpu::bind_group(
                &gpu.device,
                "solver",
                &self.solver_layout,
                &[
                    &body.params,
                    particles,
                    &body.velocities,
                    &body.displacements,
                    &body.vertices,
                    &body.tets,
                    &body.multipliers,
                    &body.corrections,
                ],
            ),
            embedding: body.embedded.as_ref().map(|embedded| {
                gpu::bind_group(
                    &gpu.device,
                    "embedding",
                    &self.embedding_layout,
                    &[
                        params,
                        particles,
                        &embedded.anchors,
                        &embedded.surface.positions,
                    ],
                )
            }),
            surface: gpu::bind_group(
                &gpu.device,
                "surface",
                &self.surface_layout,
                &[
                    params,
                    &drawn.positions,
                    &drawn.normals,
                    &drawn.triangles,
                    triangle_offsets,
                    incident_triangles,
                ],
            ),
            vertex_workgroups: body.surface.vertex_count.div_ceil(WORKGROUP_SIZE),
            tet_workgroups: body.tet_count.div_ceil(WORKGROUP_SIZE),
            surface_workgroups: drawn.vertex_count.div_ceil(WORKGROUP_SIZE),
        }
    }

    /// Records one frame into `pass`: substeps of integrate → project → velocity, then the drawn surface.
    pub fn record_frame(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        body: &BodyBindings,
        settings: SolverSettings,
    ) {
        pass.set_bind_group(0, &body.solver, &[]);
        for _ in 0..settings.substeps {
            self.dispatch(pass, body, Kernel::Integrate);
            for iteration in 0..settings.iterations {
                let solve = if iteration == 0 {
                    Kernel::SolveTetsFirst
                } else {
                    Kernel::SolveTets
                };
                self.dispatch(pass, body, solve);
                self.dispatch(pass, body, Kernel::Gather);
            }
            self.dispatch(pass, body, Kernel::Velocity);
        }
        self.record_surface(pass, body);
    }

    /// Records what is drawn alone, for a body that was just placed: positions of an embedded surface, and normals.
    pub fn record_surface(&self, pass: &mut wgpu::ComputePass<'_>, body: &BodyBindings) {
        if let Some(embedding) = &body.embedding {
            pass.set_bind_group(0, embedding, &[]);
            self.dispatch(pass, body, Kernel::EmbedSurface);
        }
        pass.set_bind_group(0, &body.surface, &[]);
        self.dispatch(pass, body, Kernel::ComputeNormals);
    }

    fn dispatch(&self, pass: &mut wgpu::ComputePass<'_>, body: &BodyBindings, kernel: Kernel) {
        pass.set_pipeline(&self.pipelines[kernel as usize]);
        let workgroups = match kernel.source().domain {
            Domain::Vertices => body.vertex_workgroups,
            Domain::Tets => body.tet_workgroups,
            Domain::Surface => body.surface_workgroups,
        };
        pass.dispatch_workgroups(workgroups, 1, 1);
    }
}

/// The solver's uniform for a frame of `frame_seconds` cut into `settings.substeps`.
pub fn solver_params(
    body: &BodyBuffers,
    material: &Material,
    environment: &Environment,
    settings: SolverSettings,
    frame_seconds: f64,
) -> SolverParams {
    let substep_seconds = frame_seconds / f64::from(settings.substeps);
    let height = environment.floor.unwrap_or(0.0) - f64::from(body.surface.origin[1]);
    SolverParams {
        gravity: environment.gravity.map(|g| g as f32),
        substep_seconds: substep_seconds as f32,
        inverse_density: (1.0 / material.density) as f32,
        lame_mu: material.lame_mu() as f32,
        lame_lambda: material.lame_lambda() as f32,
        damping_factor: math::exp(-material.damping * substep_seconds) as f32,
        floor_height: height as f32,
        floor_enabled: u32::from(environment.floor.is_some()),
        friction: material.friction as f32,
        vertex_count: body.surface.vertex_count,
        tet_count: body.tet_count,
        padding: [0; 3],
    }
}
