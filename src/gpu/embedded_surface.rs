//! The GPU copy of an embedded surface: drawn in place of the tets' own faces, carried along by its anchors.

use super::{Gpu, GpuError, SurfaceBuffers, SurfaceLookBuffers, TexelImage};
use crate::embedding::Embedding;
use crate::layout::{SurfaceAnchor, SurfaceParams};
use crate::shaders::solver::WORKGROUP_SIZE;
use crate::surface::SurfaceMesh;
use wgpu::BufferUsages as Usage;

/// Every buffer of an embedded surface.
#[derive(Debug)]
pub struct EmbeddedSurface {
    /// What the renderer reads.
    pub surface: SurfaceBuffers,
    /// [`SurfaceParams`].
    pub params: wgpu::Buffer,
    /// [`SurfaceAnchor`] per drawn vertex.
    pub anchors: wgpu::Buffer,
    /// Prefix sums of the triangles that make each vertex's normal.
    pub triangle_offsets: wgpu::Buffer,
    /// Triangle numbers for each vertex.
    pub incident_triangles: wgpu::Buffer,
    /// Colours and textures, where the surface has its own.
    pub look: Option<SurfaceLookBuffers>,
}

impl EmbeddedSurface {
    /// Uploads a surface; `embedding` must be made from it, and `images` are those of its look. Positions and normals
    /// are zeros until the kernels ran.
    ///
    /// # Errors
    /// [`GpuError::Limit`] if a buffer, dispatch or image would exceed the device's limits; nothing is allocated then.
    pub fn new(
        gpu: &Gpu,
        embedding: &Embedding,
        surface: &SurfaceMesh,
        images: &[TexelImage<'_>],
        origin: [f32; 3],
    ) -> Result<Self, GpuError> {
        let vertex_count = embedding.sources.len();
        let triangle_count = embedding.triangles.len();
        let limits = gpu.device.limits();
        let binding_limit = limits.max_storage_buffer_binding_size;
        gpu.check(
            &[
                (
                    "vertex anchors",
                    (vertex_count * size_of::<SurfaceAnchor>()) as u64,
                    binding_limit,
                ),
                ("triangles", 12 * triangle_count as u64, binding_limit),
                (
                    "triangle lists of the normals",
                    4 * embedding.incident_triangles.len() as u64,
                    binding_limit,
                ),
                (
                    "one dispatch over the vertices",
                    (vertex_count as u64).div_ceil(u64::from(WORKGROUP_SIZE)),
                    u64::from(limits.max_compute_workgroups_per_dimension),
                ),
            ],
            (triangle_count as u64, "triangles"),
            || format!("a surface of {triangle_count} triangles and {vertex_count} drawn vertices"),
        )?;
        SurfaceLookBuffers::check(gpu, images)?;

        let params = SurfaceParams {
            vertex_count: vertex_count as u32,
            padding: [0; 3],
        };
        let list = |label, bytes: &[u8]| gpu.create(label, bytes, Usage::STORAGE);
        let shown = Usage::STORAGE | Usage::COPY_SRC | Usage::VERTEX;
        Ok(Self {
            surface: SurfaceBuffers {
                positions: gpu.reserve("surface positions", 16 * vertex_count, shown),
                normals: gpu.reserve("surface normals", 16 * vertex_count, shown),
                triangles: gpu.create(
                    "surface triangles",
                    bytemuck::cast_slice(&embedding.triangles),
                    Usage::STORAGE | Usage::INDEX,
                ),
                triangle_index_count: 3 * triangle_count as u32,
                edges: gpu.create(
                    "surface edges",
                    bytemuck::cast_slice(&embedding.edges),
                    Usage::INDEX,
                ),
                edge_index_count: 2 * embedding.edges.len() as u32,
                vertex_count: vertex_count as u32,
                origin,
                material_coordinates: None,
            },
            params: gpu.create(
                "surface params",
                bytemuck::bytes_of(&params),
                Usage::UNIFORM,
            ),
            anchors: list("anchors", bytemuck::cast_slice(&embedding.anchors)),
            triangle_offsets: list(
                "surface triangle_offsets",
                bytemuck::cast_slice(&embedding.triangle_offsets),
            ),
            incident_triangles: list(
                "surface incident_triangles",
                bytemuck::cast_slice(&embedding.incident_triangles),
            ),
            look: SurfaceLookBuffers::new(gpu, embedding, surface.look(), images),
        })
    }
}

impl Drop for EmbeddedSurface {
    /// On the web dropping a wgpu buffer frees nothing; destroying it does.
    fn drop(&mut self) {
        for buffer in [
            &self.surface.positions,
            &self.surface.normals,
            &self.surface.triangles,
            &self.surface.edges,
            &self.params,
            &self.anchors,
            &self.triangle_offsets,
            &self.incident_triangles,
        ] {
            buffer.destroy();
        }
    }
}
