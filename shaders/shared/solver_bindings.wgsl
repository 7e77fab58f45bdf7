// Data every solver kernel sees: one bind group, seven storage buffers. Layouts are held to src/layout.rs by tests.

struct VertexRest {
  inverse_volume: f32,         // 1/Σ(V₀/4) over the tets here, 1/m³; 0 = pinned or unused, which never moves
  valence: f32,                // nᵥ, tets at this vertex
  first_slot: u32,             // its corrections lie at first_slot … first_slot + slot_count − 1
  slot_count: u32,
}

struct TetRest {
  indices: vec4<u32>,
  slots: vec4<u32>,            // where this tet writes the correction of each corner
  b1: vec4<f32>,               // rows of B = D_m⁻¹ (1/m); b1.w = V₀ (m³)
  b2: vec4<f32>,
  b3: vec4<f32>,
}

@group(0) @binding(0) var<uniform> params: SolverParams;
@group(0) @binding(1) var<storage, read_write> positions: array<vec4<f32>>;      // m, relative to the body's origin
@group(0) @binding(2) var<storage, read_write> velocities: array<vec4<f32>>;     // m/s
@group(0) @binding(3) var<storage, read_write> displacements: array<vec4<f32>>;  // xyz Σ projection moves this substep; w floor push
@group(0) @binding(4) var<storage, read> vertices: array<VertexRest>;
@group(0) @binding(5) var<storage, read> tets: array<TetRest>;
@group(0) @binding(6) var<storage, read_write> multipliers: array<vec4<f32>>;    // three per tet, see solve_tets
@group(0) @binding(7) var<storage, read_write> corrections: array<vec4<f32>>;    // Δx, one slot per tet corner

const WORKGROUP_SIZE = 64u;
