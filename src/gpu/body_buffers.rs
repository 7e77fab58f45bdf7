//! The GPU copy of one body: made once at load, changed in place by the solver.

use super::{EmbeddedSurface, Gpu, GpuError, SurfaceBuffers};
use crate::layout::{SolverParams, SurfaceParams, TetRest, VertexRest};
use crate::mesh::TetMesh;
use crate::rest_state::RestState;
use crate::shaders::solver::WORKGROUP_SIZE;
use crate::topology::Topology;
use wgpu::BufferUsages as Usage;

/// Where a body starts, relative to its origin.
#[derive(Debug, Clone)]
pub struct InitialState {
    /// World position that all coordinates are relative to, m.
    pub origin: [f32; 3],
    /// One entry per vertex, m.
    pub positions: Vec<[f32; 3]>,
    /// One entry per vertex, m/s.
    pub velocities: Vec<[f32; 3]>,
}

/// Every buffer of a body. The solver's are bound by the tables of `solver`, the surface's also by the renderer.
#[derive(Debug)]
pub struct BodyBuffers {
    /// The particles and the faces of the tets. Their normals are made only where no surface is embedded.
    pub surface: SurfaceBuffers,
    /// The surface that is drawn in place of those faces.
    pub embedded: Option<EmbeddedSurface>,
    /// [`SolverParams`].
    pub params: wgpu::Buffer,
    /// `array<vec4<f32>>`, m/s.
    pub velocities: wgpu::Buffer,
    /// `array<vec4<f32>>`: projection moves of the running substep and floor push, m.
    pub displacements: wgpu::Buffer,
    /// [`VertexRest`] per vertex.
    pub vertices: wgpu::Buffer,
    /// [`TetRest`] per tet.
    pub tets: wgpu::Buffer,
    /// α̃λ of shape and volume, then C of both, per tet.
    pub multipliers: wgpu::Buffer,
    /// Δx per tet corner.
    pub corrections: wgpu::Buffer,
    /// [`SurfaceParams`].
    pub surface_params: wgpu::Buffer,
    /// Prefix sums of the triangles round each vertex.
    pub triangle_offsets: wgpu::Buffer,
    /// Triangle numbers round each vertex.
    pub incident_triangles: wgpu::Buffer,
    /// Tetrahedra of the body.
    pub tet_count: u32,
}

/// Puts a fourth component behind each vector.
fn padded(vectors: &[[f32; 3]], fourth: f32) -> Vec<[f32; 4]> {
    vectors.iter().map(|&[x, y, z]| [x, y, z, fourth]).collect()
}

impl BodyBuffers {
    /// Uploads a body.
    ///
    /// # Errors
    /// [`GpuError::Limit`] if a buffer or dispatch would exceed the device's limits; nothing is allocated then.
    pub fn new(
        gpu: &Gpu,
        mesh: &TetMesh,
        topology: &Topology,
        rest: &RestState,
        initial: &InitialState,
    ) -> Result<Self, GpuError> {
        let vertex_count = mesh.positions().len();
        let tet_count = mesh.tets().len();
        let limits = gpu.device.limits();
        // Limits first, so that a refused mesh leaves no buffer behind. Corrections and rest data are the largest.
        let binding_limit = limits.max_storage_buffer_binding_size;
        let workgroup_limit = u64::from(limits.max_compute_workgroups_per_dimension);
        let sizes = [
            (
                "rest data",
                tet_count as u64 * size_of::<TetRest>() as u64,
                binding_limit,
            ),
            ("tet corrections", tet_count as u64 * 4 * 16, binding_limit),
            ("vertex positions", vertex_count as u64 * 16, binding_limit),
            (
                "one dispatch over the tets",
                (tet_count as u64).div_ceil(u64::from(WORKGROUP_SIZE)),
                workgroup_limit,
            ),
            (
                "one dispatch over the vertices",
                (vertex_count as u64).div_ceil(u64::from(WORKGROUP_SIZE)),
                workgroup_limit,
            ),
        ];
        gpu.check(&sizes, || {
            format!("a body of {tet_count} tets and {vertex_count} vertices")
        })?;

        let tets: Vec<TetRest> = (0..tet_count)
            .map(|tet| {
                let [[a, b, c], [d, e, f], [g, h, i]] = rest.inverse_edges[tet];
                TetRest {
                    indices: mesh.tets()[tet],
                    slots: topology.tet_slots[tet],
                    b1: [a, b, c, rest.volumes[tet]],
                    b2: [d, e, f, 0.0],
                    b3: [g, h, i, 0.0],
                }
            })
            .collect();
        let triangles = bytemuck::cast_slice(&topology.surface_triangles);
        let edges = bytemuck::cast_slice(&topology.surface_edges);

        let reserve = |label, size, usage| gpu.reserve(label, size, usage);
        let create = |label, bytes: &[u8], usage| gpu.create(label, bytes, usage);
        let state = Usage::STORAGE | Usage::COPY_SRC;
        let surface = SurfaceBuffers {
            positions: create(
                "positions",
                bytemuck::cast_slice(&padded(&initial.positions, 1.0)),
                state | Usage::VERTEX,
            ),
            normals: reserve("normals", 16 * vertex_count, state | Usage::VERTEX),
            triangles: create(
                "triangles",
                triangles,
                Usage::STORAGE | Usage::INDEX | Usage::COPY_SRC,
            ),
            triangle_index_count: 3 * topology.surface_triangles.len() as u32,
            edges: create("edges", edges, Usage::INDEX),
            edge_index_count: 2 * topology.surface_edges.len() as u32,
            vertex_count: vertex_count as u32,
            origin: initial.origin,
        };
        let surface_params = SurfaceParams {
            vertex_count: vertex_count as u32,
            padding: [0; 3],
        };
        Ok(Self {
            surface,
            embedded: None,
            params: reserve("params", size_of::<SolverParams>(), Usage::UNIFORM),
            velocities: create(
                "velocities",
                bytemuck::cast_slice(&padded(&initial.velocities, 0.0)),
                state,
            ),
            displacements: reserve("displacements", 16 * vertex_count, state),
            vertices: reserve(
                "vertices",
                vertex_count * size_of::<VertexRest>(),
                Usage::STORAGE,
            ),
            tets: create("tets", bytemuck::cast_slice(&tets), Usage::STORAGE),
            multipliers: reserve("multipliers", 16 * tet_count, state),
            corrections: reserve("corrections", 4 * 16 * tet_count, state),
            surface_params: create(
                "surface_params",
                bytemuck::bytes_of(&surface_params),
                Usage::UNIFORM,
            ),
            triangle_offsets: create(
                "triangle_offsets",
                bytemuck::cast_slice(&topology.triangle_offsets),
                Usage::STORAGE,
            ),
            incident_triangles: create(
                "incident_triangles",
                bytemuck::cast_slice(&topology.incident_triangles),
                Usage::STORAGE,
            ),
            tet_count: tet_count as u32,
        })
    }

    /// What the renderer reads: the embedded surface where there is one, else the faces of the tets.
    pub fn drawn(&self) -> &SurfaceBuffers {
        self.embedded
            .as_ref()
            .map_or(&self.surface, |embedded| &embedded.surface)
    }

    /// Writes masses and pins: `pinned[v]` holds vertex `v` still.
    pub fn write_vertices(
        &self,
        gpu: &Gpu,
        topology: &Topology,
        rest: &RestState,
        pinned: &[bool],
    ) {
        let rows: Vec<VertexRest> = (0..pinned.len())
            .map(|vertex| {
                let first_slot = topology.slot_offsets[vertex];
                let volume = rest.vertex_volumes[vertex];
                let movable = !pinned[vertex] && volume > 0.0;
                VertexRest {
                    inverse_volume: if movable { 1.0 / volume } else { 0.0 },
                    valence: topology.tets_per_vertex[vertex] as f32,
                    first_slot,
                    slot_count: topology.slot_offsets[vertex + 1] - first_slot,
                }
            })
            .collect();
        gpu.queue
            .write_buffer(&self.vertices, 0, bytemuck::cast_slice(&rows));
    }

    /// Puts the body back where it started.
    pub fn write_state(&self, gpu: &Gpu, initial: &InitialState) {
        gpu.queue.write_buffer(
            &self.surface.positions,
            0,
            bytemuck::cast_slice(&padded(&initial.positions, 1.0)),
        );
        gpu.queue.write_buffer(
            &self.velocities,
            0,
            bytemuck::cast_slice(&padded(&initial.velocities, 0.0)),
        );
    }

    /// Every buffer, for freeing and counting.
    fn all(&self) -> [&wgpu::Buffer; 14] {
        let SurfaceBuffers {
            positions,
            normals,
            triangles,
            edges,
            ..
        } = &self.surface;
        [
            positions,
            normals,
            triangles,
            edges,
            &self.params,
            &self.velocities,
            &self.displacements,
            &self.vertices,
            &self.tets,
            &self.multipliers,
            &self.corrections,
            &self.surface_params,
            &self.triangle_offsets,
            &self.incident_triangles,
        ]
    }
}

impl Drop for BodyBuffers {
    /// On the web dropping a wgpu buffer frees nothing; destroying it does.
    fn drop(&mut self) {
        for buffer in self.all() {
            buffer.destroy();
        }
    }
}
