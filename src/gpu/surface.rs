//! What a body shows of itself: written by the solver, read by the renderer with no copy.

/// Buffers of a deforming surface.
#[derive(Debug)]
pub struct SurfaceBuffers {
    /// `array<vec4<f32>>`: xyz in metres relative to `origin`. Storage and vertex buffer.
    pub positions: wgpu::Buffer,
    /// `array<vec4<f32>>`: unit normals. Storage and vertex buffer.
    pub normals: wgpu::Buffer,
    /// Triangle corners, outward counter-clockwise. Index and storage buffer.
    pub triangles: wgpu::Buffer,
    /// Entries of `triangles`.
    pub triangle_index_count: u32,
    /// Surface edges as a line list. Index buffer.
    pub edges: wgpu::Buffer,
    /// Entries of `edges`.
    pub edge_index_count: u32,
    /// Entries of `positions` and `normals`.
    pub vertex_count: u32,
    /// World position that `positions` are relative to, m.
    pub origin: [f32; 3],
}
