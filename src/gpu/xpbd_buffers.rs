//! Buffers of XPBD: made when that scheme is first asked for.

use super::{Gpu, GpuError};
use crate::arrangement::Arrangement;
use crate::layout::{SolverParams, TetRest, VertexRest};
use crate::mesh::TetMesh;
use crate::rest_state::RestState;
use crate::shaders::solver::WORKGROUP_SIZE;
use crate::topology::Topology;
use wgpu::BufferUsages as Usage;

/// What the kernels of XPBD read and write besides positions and velocities.
#[derive(Debug)]
pub struct XpbdBuffers {
    /// [`SolverParams`].
    pub params: wgpu::Buffer,
    /// `array<vec4<f32>>`: projection moves of the running substep and floor push, m.
    pub displacements: wgpu::Buffer,
    /// [`VertexRest`] per vertex.
    pub vertices: wgpu::Buffer,
    /// [`TetRest`] per tet.
    pub tets: wgpu::Buffer,
    /// Three `vec4<f32>` per tet: the diagonal of the shape's α̃Λ and the volume's α̃λ; its entries 12, 13, 23; then
    /// ‖F − R‖ and det F − 1.
    pub multipliers: wgpu::Buffer,
    /// Δx per tet corner.
    pub corrections: wgpu::Buffer,
}

impl XpbdBuffers {
    /// Uploads what the scheme needs, in the order of `arrangement`.
    ///
    /// # Errors
    /// [`GpuError::Limit`] if a buffer or dispatch would exceed the device's limits; nothing is allocated then.
    pub fn new(
        gpu: &Gpu,
        mesh: &TetMesh,
        topology: &Topology,
        rest: &RestState,
        arrangement: &Arrangement,
    ) -> Result<Self, GpuError> {
        let vertex_count = mesh.positions().len();
        let tet_count = mesh.tets().len();
        let limits = gpu.device.limits();
        let binding_limit = limits.max_storage_buffer_binding_size;
        let sizes = [
            (
                "rest data",
                tet_count as u64 * size_of::<TetRest>() as u64,
                binding_limit,
            ),
            ("tet corrections", tet_count as u64 * 4 * 16, binding_limit),
            (
                "one dispatch over the tets",
                (tet_count as u64).div_ceil(u64::from(WORKGROUP_SIZE)),
                u64::from(limits.max_compute_workgroups_per_dimension),
            ),
        ];
        gpu.check(&sizes, (tet_count as u64, "tets"), || {
            format!("XPBD on a body of {tet_count} tets")
        })?;
        let tets: Vec<TetRest> = arrangement
            .original_tets
            .iter()
            .map(|&tet| {
                let tet = tet as usize;
                let [[a, b, c], [d, e, f], [g, h, i]] = rest.inverse_edges[tet];
                TetRest {
                    indices: mesh.tets()[tet]
                        .map(|vertex| arrangement.internal_vertices[vertex as usize]),
                    slots: topology.tet_slots[tet],
                    b1: [a, b, c, rest.volumes[tet]],
                    b2: [d, e, f, 0.0],
                    b3: [g, h, i, 0.0],
                }
            })
            .collect();
        let state = Usage::STORAGE | Usage::COPY_SRC;
        Ok(Self {
            params: gpu.reserve("params", size_of::<SolverParams>(), Usage::UNIFORM),
            displacements: gpu.reserve("displacements", 16 * vertex_count, state),
            vertices: gpu.reserve(
                "xpbd_vertices",
                vertex_count * size_of::<VertexRest>(),
                Usage::STORAGE,
            ),
            tets: gpu.create("tets", bytemuck::cast_slice(&tets), Usage::STORAGE),
            multipliers: gpu.reserve("multipliers", 3 * 16 * tet_count, state),
            corrections: gpu.reserve("corrections", 4 * 16 * tet_count, state),
        })
    }

    /// Writes masses and pins: `pinned[v]`, in the order of the file, holds a vertex still.
    pub fn write_vertices(
        &self,
        gpu: &Gpu,
        arrangement: &Arrangement,
        topology: &Topology,
        rest: &RestState,
        pinned: &[bool],
    ) {
        let rows: Vec<VertexRest> = arrangement
            .original_vertices
            .iter()
            .map(|&vertex| {
                let vertex = vertex as usize;
                let first_slot = topology.slot_offsets[vertex];
                VertexRest {
                    inverse_volume: rest.inverse_volume(vertex, pinned),
                    valence: topology.tets_per_vertex[vertex] as f32,
                    first_slot,
                    slot_count: topology.slot_offsets[vertex + 1] - first_slot,
                }
            })
            .collect();
        gpu.queue
            .write_buffer(&self.vertices, 0, bytemuck::cast_slice(&rows));
    }
}

impl Drop for XpbdBuffers {
    /// On the web dropping a wgpu buffer frees nothing; destroying it does.
    fn drop(&mut self) {
        for buffer in [
            &self.params,
            &self.displacements,
            &self.vertices,
            &self.tets,
            &self.multipliers,
            &self.corrections,
        ] {
            buffer.destroy();
        }
    }
}
