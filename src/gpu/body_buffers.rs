//! The GPU copy of one body: made once at load, changed in place by the solver.

use super::explicit_buffers::ExplicitBuffers;
use super::{EmbeddedSurface, Gpu, GpuError, SurfaceBuffers};
use crate::arrangement::Arrangement;
use crate::layout::{PatchTet, SurfaceParams};
use crate::mesh::TetMesh;
use crate::rest_state::RestState;
use crate::shaders::solver::WORKGROUP_SIZE;
use crate::topology::Topology;
use std::pin::Pin;
use wgpu::BufferUsages as Usage;

/// Where a body starts, relative to its origin, in the order of its file.
#[derive(Debug, Clone, Default)]
pub struct InitialState {
    /// World position that all coordinates are relative to, m.
    pub origin: [f32; 3],
    /// One entry per vertex, m.
    pub positions: Vec<[f32; 3]>,
    /// One entry per vertex, m/s.
    pub velocities: Vec<[f32; 3]>,
}

/// The buffers that every scheme and the renderer share, and those of the explicit scheme. Vertices and tets stand in the
/// order of the body's [`Arrangement`].
#[derive(Debug)]
pub struct BodyBuffers {
    /// The particles and the faces of the tets. Their normals are made only where no surface is embedded.
    pub surface: SurfaceBuffers,
    /// The surface that is drawn in place of those faces.
    pub embedded: Option<EmbeddedSurface>,
    /// `array<vec4<f32>>`, m/s.
    pub velocities: wgpu::Buffer,
    /// What the explicit scheme needs besides.
    pub explicit: ExplicitBuffers,
    /// [`SurfaceParams`].
    pub surface_params: wgpu::Buffer,
    /// Prefix sums of the triangles round each vertex.
    pub triangle_offsets: wgpu::Buffer,
    /// Triangle numbers round each vertex.
    pub incident_triangles: wgpu::Buffer,
    /// Tetrahedra of the body.
    pub tet_count: u32,
}

/// Numbers that a body's needs follow from.
#[derive(Debug, Clone, Copy, Default)]
pub struct BodySize {
    /// Tets.
    pub tets: u64,
    /// Vertices.
    pub vertices: u64,
    /// Vertices of all patches.
    pub partials: u64,
    /// Triangles of the surface.
    pub triangles: u64,
    /// Patches.
    pub patches: u64,
}

/// Gives the thread to others for a moment where it has been used for long.
pub type Pause = dyn Fn() -> Pin<Box<dyn Future<Output = ()>>>;

/// The vectors in the order of the arrangement, with a fourth component behind each.
fn arranged(arrangement: &Arrangement, vectors: &[[f32; 3]], fourth: f32) -> Vec<[f32; 4]> {
    arrangement
        .original_vertices
        .iter()
        .map(|&vertex| {
            let [x, y, z] = vectors[vertex as usize];
            [x, y, z, fourth]
        })
        .collect()
}

impl BodyBuffers {
    /// Allocates a body and uploads all but its tets ([`Self::write_tets`]), masses and pins ([`Self::write_vertices`]).
    ///
    /// # Errors
    /// [`GpuError::Limit`] if a buffer or dispatch would exceed the device's limits; nothing is allocated then.
    pub fn new(
        gpu: &Gpu,
        mesh: &TetMesh,
        topology: &Topology,
        arrangement: &Arrangement,
        initial: &InitialState,
    ) -> Result<Self, GpuError> {
        let vertex_count = mesh.positions().len();
        let tet_count = mesh.tets().len();
        // Limits first, so that a refused mesh leaves no buffer behind.
        Self::check(
            gpu,
            BodySize {
                tets: tet_count as u64,
                vertices: vertex_count as u64,
                partials: arrangement.patch_vertices.len() as u64,
                triangles: topology.surface_triangles.len() as u64,
                patches: arrangement.patches.len() as u64,
            },
        )?;

        let internal = |vertex: u32| arrangement.internal_vertices[vertex as usize];
        let triangles: Vec<[u32; 3]> = topology
            .surface_triangles
            .iter()
            .map(|triangle| triangle.map(internal))
            .collect();
        let edges: Vec<[u32; 2]> = topology
            .surface_edges
            .iter()
            .map(|edge| edge.map(internal))
            .collect();
        let mut triangle_offsets = vec![0u32];
        let mut incident = Vec::with_capacity(topology.incident_triangles.len());
        for &vertex in &arrangement.original_vertices {
            let range = topology.triangle_offsets[vertex as usize] as usize
                ..topology.triangle_offsets[vertex as usize + 1] as usize;
            incident.extend_from_slice(&topology.incident_triangles[range]);
            triangle_offsets.push(incident.len() as u32);
        }

        let create = |label, bytes: &[u8], usage| gpu.create(label, bytes, usage);
        let state = Usage::STORAGE | Usage::COPY_SRC;
        let positions = arranged(arrangement, &initial.positions, 1.0);
        let velocities = arranged(arrangement, &initial.velocities, 0.0);
        let surface = SurfaceBuffers {
            positions: create(
                "positions",
                bytemuck::cast_slice(&positions),
                state | Usage::VERTEX,
            ),
            normals: gpu.reserve("normals", 16 * vertex_count, state | Usage::VERTEX),
            triangles: create(
                "triangles",
                bytemuck::cast_slice(&triangles),
                Usage::STORAGE | Usage::INDEX | Usage::COPY_SRC,
            ),
            triangle_index_count: 3 * triangles.len() as u32,
            edges: create("edges", bytemuck::cast_slice(&edges), Usage::INDEX),
            edge_index_count: 2 * edges.len() as u32,
            vertex_count: vertex_count as u32,
            origin: initial.origin,
            material_coordinates: None,
        };
        let surface_params = SurfaceParams {
            vertex_count: vertex_count as u32,
            padding: [0; 3],
        };
        Ok(Self {
            surface,
            embedded: None,
            velocities: create("velocities", bytemuck::cast_slice(&velocities), state),
            explicit: ExplicitBuffers::new(gpu, mesh, arrangement),
            surface_params: create(
                "surface_params",
                bytemuck::bytes_of(&surface_params),
                Usage::UNIFORM,
            ),
            triangle_offsets: create(
                "triangle_offsets",
                bytemuck::cast_slice(&triangle_offsets),
                Usage::STORAGE,
            ),
            incident_triangles: create(
                "incident_triangles",
                bytemuck::cast_slice(&incident),
                Usage::STORAGE,
            ),
            tet_count: tet_count as u32,
        })
    }

    /// Whether the device can hold a body of this size.
    ///
    /// # Errors
    /// [`GpuError::Limit`] with how many tets would fit.
    pub fn check(gpu: &Gpu, size: BodySize) -> Result<(), GpuError> {
        let limits = gpu.device.limits();
        let binding = limits.max_storage_buffer_binding_size;
        let workgroups = u64::from(limits.max_compute_workgroups_per_dimension);
        let BodySize {
            tets,
            vertices,
            partials,
            triangles,
            patches,
        } = size;
        let vertex_groups = vertices.div_ceil(u64::from(WORKGROUP_SIZE));
        let rows = [
            ("tets", tets * size_of::<PatchTet>() as u64, binding),
            ("forces", partials * 16, binding),
            ("vertex positions", vertices * 16, binding),
            ("triangles", triangles * 12, binding),
            ("one dispatch over the patches", patches, workgroups),
            ("one dispatch over the vertices", vertex_groups, workgroups),
        ];
        gpu.check(&rows, (tets, "tets"), || {
            format!("a body of {tets} tets and {vertices} vertices")
        })
    }

    /// Writes the tets. `stiffness` is the frequency bound of each tet of the mesh, 1/m².
    pub async fn write_tets(
        &self,
        gpu: &Gpu,
        arrangement: &Arrangement,
        stiffness: &[f32],
        pause: &Pause,
    ) {
        let explicit = &self.explicit;
        explicit
            .write_tets(gpu, arrangement, stiffness, pause)
            .await;
    }

    /// What the renderer reads: the embedded surface where there is one, else the faces of the tets.
    pub fn drawn(&self) -> &SurfaceBuffers {
        self.embedded
            .as_ref()
            .map_or(&self.surface, |embedded| &embedded.surface)
    }

    /// Writes masses and pins: `pinned[v]`, in the order of the file, holds a vertex still.
    pub fn write_vertices(
        &self,
        gpu: &Gpu,
        arrangement: &Arrangement,
        rest: &RestState,
        pinned: &[bool],
    ) {
        self.explicit.write_vertices(gpu, arrangement, rest, pinned);
    }

    /// Puts the body into a state given in the order of its file, with contact impulses in N·s.
    pub fn write_state(
        &mut self,
        gpu: &Gpu,
        arrangement: &Arrangement,
        state: &InitialState,
        contacts: &[[f32; 3]],
    ) {
        self.surface.origin = state.origin;
        if let Some(embedded) = &mut self.embedded {
            embedded.surface.origin = state.origin;
        }
        for (buffer, vectors, fourth) in [
            (&self.surface.positions, &state.positions[..], 1.0),
            (&self.velocities, &state.velocities, 0.0),
            (&self.explicit.contacts, contacts, 0.0),
        ] {
            let rows = arranged(arrangement, vectors, fourth);
            gpu.queue
                .write_buffer(buffer, 0, bytemuck::cast_slice(&rows));
        }
    }

    /// Every buffer of the body itself, for freeing.
    fn all(&self) -> impl Iterator<Item = &wgpu::Buffer> {
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
            &self.velocities,
            &self.surface_params,
            &self.triangle_offsets,
            &self.incident_triangles,
        ]
        .into_iter()
        .chain(self.explicit.all())
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
