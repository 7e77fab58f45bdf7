//! What a body shows of itself: GPU buffers that the solver writes and the renderer reads, with no copy between them.

/// The visible surface of one body, as buffers shared by the solver and the renderer.
///
/// Positions and normals are bound as vertex buffers when drawing, so the renderer needs no storage buffer in a
/// vertex stage; only the bounds reduction reads positions and triangles as storage.
#[derive(Debug, Clone)]
pub struct SurfaceBuffers {
    /// `array<vec4<f32>>`: x, y, z in metres relative to [`origin`](Self::origin); w is unused by the renderer.
    /// Usages: at least `STORAGE | VERTEX`.
    pub positions: wgpu::Buffer,
    /// `array<vec4<f32>>`: outward unit normals, one per position; w is unused. Usages: at least `VERTEX`.
    pub normals: wgpu::Buffer,
    /// Vertex indices, three `u32` per triangle, counter-clockwise seen from outside. Usages: at least
    /// `INDEX | STORAGE`.
    pub triangles: wgpu::Buffer,
    /// Number of indices in [`triangles`](Self::triangles) to draw.
    pub triangle_index_count: u32,
    /// Vertex indices, two `u32` per edge, for the wireframe. Usages: at least `INDEX`.
    pub edges: wgpu::Buffer,
    /// Number of indices in [`edges`](Self::edges) to draw; 0 draws no wireframe.
    pub edge_index_count: u32,
    /// Number of vertices in [`positions`](Self::positions) and [`normals`](Self::normals).
    pub vertex_count: u32,
    /// World position in metres that positions are relative to. Keeps f32 positions precise far from the world origin.
    pub origin: [f32; 3],
    /// Of cloth: `array<vec2<f32>>`, one per vertex, metres along warp and weft of the cloth at rest. Usages: at least
    /// `VERTEX`. A surface that has them is drawn as cloth: a thin sheet, shaded on both sides.
    pub material_coordinates: Option<wgpu::Buffer>,
}
