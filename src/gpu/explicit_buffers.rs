//! Buffers of the explicit scheme, laid out as an arena: patches, tets and vertices carry their ranges and the row of
//! their material, so that several bodies can stand in one of each.

use super::Gpu;
use super::body_buffers::Pause;
use crate::arrangement::Arrangement;
use crate::layout::{Cluster, MaterialRow, PatchTet, StepParams, VertexMass};
use crate::mesh::TetMesh;
use crate::rest_state::RestState;
use wgpu::BufferUsages as Usage;

/// Tets that are written in one go: 4 MB.
const SLICE: usize = 1 << 18;

/// What the kernels of the explicit scheme read besides positions and velocities.
#[derive(Debug)]
pub struct ExplicitBuffers {
    /// [`StepParams`].
    pub params: wgpu::Buffer,
    /// [`MaterialRow`] per material.
    pub materials: wgpu::Buffer,
    /// `array<vec4<f32>>`, m.
    pub rest_positions: wgpu::Buffer,
    /// `Patch` per patch.
    pub patches: wgpu::Buffer,
    /// [`PatchTet`] per tet.
    pub patch_tets: wgpu::Buffer,
    /// `PatchVertex` per (patch, vertex of it).
    pub patch_vertices: wgpu::Buffer,
    /// `array<vec4<f32>>`, N, one per (patch, vertex of it).
    pub partials: wgpu::Buffer,
    /// [`VertexMass`] per vertex.
    pub vertices: wgpu::Buffer,
    /// `array<vec4<f32>>`: impulse that the floor gave each vertex in the last substep, N·s; kept by the mass operator.
    pub contacts: wgpu::Buffer,
    /// Number of patches.
    pub patch_count: u32,
}

impl ExplicitBuffers {
    /// Uploads a mesh in the order of `arrangement`, without its tets.
    pub(super) fn new(gpu: &Gpu, mesh: &TetMesh, arrangement: &Arrangement) -> Self {
        let rest: Vec<[f32; 4]> = arrangement
            .original_vertices
            .iter()
            .map(|&vertex| {
                let [x, y, z] = mesh.positions()[vertex as usize];
                [x, y, z, 0.0]
            })
            .collect();
        let create = |label, bytes: &[u8]| gpu.create(label, bytes, Usage::STORAGE);
        Self {
            params: gpu.reserve("step", size_of::<StepParams>(), Usage::UNIFORM),
            materials: gpu.reserve("materials", size_of::<MaterialRow>(), Usage::STORAGE),
            rest_positions: create("rest_positions", bytemuck::cast_slice(&rest)),
            patches: create("patches", bytemuck::cast_slice(&arrangement.patches)),
            patch_tets: gpu.reserve(
                "patch_tets",
                size_of::<PatchTet>() * arrangement.slots.len(),
                Usage::STORAGE,
            ),
            patch_vertices: create(
                "patch_vertices",
                bytemuck::cast_slice(&arrangement.patch_vertices),
            ),
            partials: gpu.reserve(
                "partials",
                16 * arrangement.patch_vertices.len(),
                Usage::STORAGE,
            ),
            vertices: gpu.reserve(
                "vertices",
                size_of::<VertexMass>() * rest.len(),
                Usage::STORAGE,
            ),
            contacts: gpu.reserve(
                "contacts",
                16 * rest.len(),
                Usage::STORAGE | Usage::COPY_SRC,
            ),
            patch_count: arrangement.patches.len() as u32,
        }
    }

    /// Writes the tets, slice by slice. `stiffness` is the frequency bound of each tet of the mesh, 1/m².
    pub(super) async fn write_tets(
        &self,
        gpu: &Gpu,
        arrangement: &Arrangement,
        stiffness: &[f32],
        pause: &Pause,
    ) {
        let mut rows = Vec::with_capacity(SLICE.min(arrangement.slots.len()));
        for (slice, tets) in arrangement.original_tets.chunks(SLICE).enumerate() {
            let first = slice * SLICE;
            rows.clear();
            for (tet, &original) in (first..).zip(tets) {
                let [a, b, c, d] = arrangement.slots[tet].map(u32::from);
                rows.push(PatchTet {
                    corners: u32::from_le_bytes(arrangement.corners[tet]),
                    slots: a | b << 10 | c << 20,
                    slot_material: d,
                    stiffness: stiffness[original as usize],
                });
            }
            let start = (first * size_of::<PatchTet>()) as u64;
            gpu.queue
                .write_buffer(&self.patch_tets, start, bytemuck::cast_slice(&rows));
            pause().await;
        }
    }

    /// Writes masses and pins: `pinned[v]`, in the order of the file, holds a vertex still.
    pub(super) fn write_vertices(
        &self,
        gpu: &Gpu,
        arrangement: &Arrangement,
        rest: &RestState,
        pinned: &[bool],
    ) {
        let rows: Vec<VertexMass> = arrangement
            .original_vertices
            .iter()
            .zip(arrangement.partial_offsets.windows(2))
            .map(|(&vertex, partials)| VertexMass {
                inverse_volume: rest.inverse_volume(vertex as usize, pinned),
                first_partial: partials[0],
                partial_count: partials[1] - partials[0],
                material: 0,
            })
            .collect();
        gpu.queue
            .write_buffer(&self.vertices, 0, bytemuck::cast_slice(&rows));
    }

    pub(super) fn all(&self) -> [&wgpu::Buffer; 9] {
        [
            &self.params,
            &self.materials,
            &self.rest_positions,
            &self.patches,
            &self.patch_tets,
            &self.patch_vertices,
            &self.partials,
            &self.vertices,
            &self.contacts,
        ]
    }
}

/// The mass operator on the GPU, for a mesh that is stiffer than its substep.
#[derive(Debug)]
pub struct OperatorBuffers {
    /// [`Cluster`] per cluster.
    pub clusters: wgpu::Buffer,
    /// Vertices, cluster by cluster.
    pub cluster_vertices: wgpu::Buffer,
    /// Number of clusters.
    pub cluster_count: u32,
}

impl OperatorBuffers {
    /// Uploads the clusters of a body; [`Self::write`] says how stiff they are.
    pub fn new(gpu: &Gpu, offsets: &[u32], vertices: &[u32]) -> Self {
        let cluster_count = offsets.len() - 1;
        Self {
            clusters: gpu.reserve(
                "clusters",
                size_of::<Cluster>() * cluster_count,
                Usage::STORAGE,
            ),
            cluster_vertices: gpu.create(
                "cluster_vertices",
                bytemuck::cast_slice(vertices),
                Usage::STORAGE,
            ),
            cluster_count: cluster_count as u32,
        }
    }

    /// Writes p₀ of each cluster and p₁ of all; `free` where the body is pinned nowhere, `reach` of each cluster in m.
    pub fn write(
        &self,
        gpu: &Gpu,
        offsets: &[u32],
        (inner, rigid): (&[f32], f32),
        free: bool,
        reach: &[f32],
    ) {
        let rows: Vec<Cluster> = offsets
            .windows(2)
            .zip(inner)
            .zip(reach)
            .map(|((range, &inner), &reach)| Cluster {
                first: range[0],
                count: range[1] - range[0],
                inner,
                rigid,
                free: u32::from(free),
                reach,
            })
            .collect();
        gpu.queue
            .write_buffer(&self.clusters, 0, bytemuck::cast_slice(&rows));
    }
}

impl Drop for OperatorBuffers {
    /// On the web dropping a wgpu buffer frees nothing; destroying it does.
    fn drop(&mut self) {
        for buffer in [&self.clusters, &self.cluster_vertices] {
            buffer.destroy();
        }
    }
}
