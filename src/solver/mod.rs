//! The solver: pipelines made once, a body's bindings made at load, a frame recorded as the method reads.

mod bindings;
mod clock;
mod cloth;
mod hold;
mod params;
mod pick;
mod timing;

pub use bindings::{
    BENDS_BINDINGS, CLOTH_BINDINGS, CLOTH_MOTION_BINDINGS, CLUSTERS_BINDINGS, EDGES_BINDINGS,
    EMBEDDING_BINDINGS, FORCES_BINDINGS, HELD_DISPLACEMENTS_BINDINGS, HELD_FORCES_BINDINGS,
    HELD_MOVES_BINDINGS, IMPULSE_BINDINGS, MOTION_BINDINGS, PICK_BINDINGS, PINS_BINDINGS,
    SURFACE_BINDINGS, TAKING_BINDINGS, TILES_BINDINGS, XPBD_BINDINGS, bindings,
};
pub use clock::{Advance, FrameClock};
pub use cloth::{ClothBindings, cloth_params};
pub use hold::HandBindings;
pub use params::{material_row, solver_params, step_params};
pub use pick::Picker;
pub use timing::{PassTime, PassTimer};

use crate::gpu::{self, BodyBuffers, Gpu, OperatorBuffers, XpbdBuffers};
use crate::shaders::solver::{Domain, Group, Kernel, WORKGROUP_SIZE};

/// Compiled kernels. Immutable; one serves any number of bodies.
#[derive(Debug)]
pub struct Solver {
    pipelines: Vec<wgpu::ComputePipeline>,
    layouts: [wgpu::BindGroupLayout; Group::ALL.len()],
}

/// One body's bind groups and domain sizes.
#[derive(Debug)]
pub struct BodyBindings {
    /// By group; those that the body does not use are absent.
    groups: [Option<wgpu::BindGroup>; Group::ALL.len()],
    patches: u32,
    clusters: u32,
    vertex_workgroups: u32,
    tet_workgroups: u32,
    surface_workgroups: u32,
    /// What hands do to the body.
    pub hands: HandBindings,
}

/// How a frame is simulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Explicit substeps, with or without the mass operator.
    Explicit {
        /// Whether accelerations pass through the operator.
        operator: bool,
    },
    /// XPBD with so many iterations per substep.
    Xpbd {
        /// Iterations per substep.
        iterations: u32,
    },
}

impl Solver {
    /// Compiles every kernel of the table.
    pub fn new(gpu: &Gpu) -> Self {
        let device = &gpu.device;
        let layouts =
            Group::ALL.map(|group| gpu::bind_group_layout(device, group.label(), bindings(group)));
        let pipelines = Kernel::ALL
            .map(|kernel| {
                let source = kernel.source();
                let layout = &layouts[source.group as usize];
                let names = (source.name, source.entry_point);
                gpu::compute_pipeline(device, names, kernel.wgsl(), layout, source.constants)
            })
            .into();
        Self { pipelines, layouts }
    }

    fn bind_group(&self, gpu: &Gpu, group: Group, buffers: &[&wgpu::Buffer]) -> wgpu::BindGroup {
        let layout = &self.layouts[group as usize];
        gpu::bind_group(&gpu.device, group.label(), layout, buffers)
    }

    /// Bind groups of a body for the explicit scheme and for what is drawn.
    pub fn bind(&self, gpu: &Gpu, body: &BodyBuffers) -> BodyBindings {
        let particles = &body.surface.positions;
        let explicit = &body.explicit;
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
        let mut bindings = BodyBindings {
            groups: Default::default(),
            patches: explicit.patch_count,
            clusters: 0,
            vertex_workgroups: body.surface.vertex_count.div_ceil(WORKGROUP_SIZE),
            tet_workgroups: body.tet_count.div_ceil(WORKGROUP_SIZE),
            surface_workgroups: drawn.vertex_count.div_ceil(WORKGROUP_SIZE),
            hands: HandBindings::default(),
        };
        let mut set = |group: Group, buffers: &[&wgpu::Buffer]| {
            bindings.groups[group as usize] = Some(self.bind_group(gpu, group, buffers));
        };
        set(
            Group::Forces,
            &[
                &explicit.params,
                &explicit.materials,
                particles,
                &body.velocities,
                &explicit.rest_positions,
                &explicit.patches,
                &explicit.patch_tets,
                &explicit.patch_vertices,
                &explicit.partials,
            ],
        );
        set(Group::Motion, &motion_buffers(body));
        if let Some(embedded) = &body.embedded {
            let positions = &embedded.surface.positions;
            set(
                Group::Embedding,
                &[params, particles, &embedded.anchors, positions],
            );
        }
        set(
            Group::Surface,
            &[
                params,
                &drawn.positions,
                &drawn.normals,
                &drawn.triangles,
                triangle_offsets,
                incident_triangles,
            ],
        );
        bindings
    }

    /// Adds the mass operator to a body's bindings.
    pub fn bind_operator(
        &self,
        gpu: &Gpu,
        bindings: &mut BodyBindings,
        body: &BodyBuffers,
        operator: &OperatorBuffers,
    ) {
        let [a, b, c, d, e, f] = motion_buffers(body);
        let buffers = [
            a,
            b,
            c,
            d,
            e,
            f,
            &operator.clusters,
            &operator.cluster_vertices,
            &body.explicit.contacts,
        ];
        bindings.clusters = operator.cluster_count;
        bindings.groups[Group::Clusters as usize] =
            Some(self.bind_group(gpu, Group::Clusters, &buffers));
    }

    /// Adds XPBD to a body's bindings.
    pub fn bind_xpbd(
        &self,
        gpu: &Gpu,
        bindings: &mut BodyBindings,
        body: &BodyBuffers,
        xpbd: &XpbdBuffers,
    ) {
        let buffers = [
            &xpbd.params,
            &body.surface.positions,
            &body.velocities,
            &xpbd.displacements,
            &xpbd.vertices,
            &xpbd.tets,
            &xpbd.multipliers,
            &xpbd.corrections,
        ];
        bindings.groups[Group::Xpbd as usize] = Some(self.bind_group(gpu, Group::Xpbd, &buffers));
    }

    /// Records one frame into `pass`: substeps of integrate → project → velocity, then the drawn surface. In the explicit
    /// scheme forces and motion are the whole of *integrate*, and nothing is projected.
    pub fn record_frame(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        body: &BodyBindings,
        method: Method,
        substeps: u32,
    ) {
        self.each_kernel(body, method, substeps, |kernel| {
            self.dispatch(pass, body, kernel);
        });
    }

    /// Records what is drawn alone, for a body that was just placed: positions of an embedded surface, and normals.
    pub fn record_surface(&self, pass: &mut wgpu::ComputePass<'_>, body: &BodyBindings) {
        surface_kernels(body, &mut |kernel| self.dispatch(pass, body, kernel));
    }

    /// The kernels of a frame in their order.
    pub fn each_kernel(
        &self,
        body: &BodyBindings,
        method: Method,
        substeps: u32,
        mut dispatch: impl FnMut(Kernel),
    ) {
        let held = body.hands.holding();
        if body.hands.pins_are_due() {
            dispatch(Kernel::MovePins);
        }
        for _ in 0..substeps {
            match method {
                Method::Explicit { operator } => {
                    dispatch(Kernel::TetForces);
                    if held {
                        dispatch(Kernel::PullForces);
                    }
                    dispatch(match operator {
                        false => Kernel::MoveVertices,
                        true => Kernel::MoveClusters,
                    });
                }
                Method::Xpbd { iterations } => {
                    dispatch(Kernel::Integrate);
                    for iteration in 0..iterations {
                        dispatch(match iteration {
                            0 => Kernel::SolveTetsFirst,
                            _ => Kernel::SolveTets,
                        });
                        dispatch(Kernel::Gather);
                        if held {
                            dispatch(match iteration {
                                0 => Kernel::PullVerticesFirst,
                                _ => Kernel::PullVertices,
                            });
                        }
                    }
                    dispatch(Kernel::Velocity);
                }
            }
        }
        surface_kernels(body, &mut dispatch);
    }

    /// Records one dispatch of a kernel over its domain.
    ///
    /// # Panics
    /// If the body was not bound for the kernel's group.
    pub fn dispatch(&self, pass: &mut wgpu::ComputePass<'_>, body: &BodyBindings, kernel: Kernel) {
        let source = kernel.source();
        let workgroups = match source.domain {
            Domain::Vertices => body.vertex_workgroups,
            Domain::Tets => body.tet_workgroups,
            Domain::Patches => body.patches,
            Domain::Clusters => body.clusters,
            Domain::Surface => body.surface_workgroups,
            Domain::Held | Domain::Pins => {
                self.dispatch_hands(pass, &body.hands, kernel, body.vertex_workgroups);
                return;
            }
            Domain::Batch | Domain::Tiles => {
                unreachable!("invariant: solids have neither batches nor tiles")
            }
        };
        let group = body.groups[source.group as usize]
            .as_ref()
            .expect("invariant: a body is bound for the method that it runs");
        pass.set_pipeline(&self.pipelines[kernel as usize]);
        pass.set_bind_group(0, group, &[]);
        pass.dispatch_workgroups(workgroups, 1, 1);
    }
}

fn surface_kernels(body: &BodyBindings, dispatch: &mut impl FnMut(Kernel)) {
    if body.groups[Group::Embedding as usize].is_some() {
        dispatch(Kernel::EmbedSurface);
    }
    dispatch(Kernel::ComputeNormals);
}

/// The buffers of [`MOTION_BINDINGS`].
fn motion_buffers(body: &BodyBuffers) -> [&wgpu::Buffer; 6] {
    let explicit = &body.explicit;
    [
        &explicit.params,
        &explicit.materials,
        &body.surface.positions,
        &body.velocities,
        &explicit.vertices,
        &explicit.partials,
    ]
}
