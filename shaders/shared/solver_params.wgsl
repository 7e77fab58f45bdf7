// What kernels of XPBD know of the world and the material, and the floor. Layouts are held to src/layout.rs by tests.

struct SolverParams {
  gravity: vec3<f32>,          // m/s²
  substep_seconds: f32,        // Δt
  inverse_density: f32,        // m³/kg
  lame_mu: f32,                // Pa
  lame_lambda: f32,            // Pa; 0 switches the volume constraint off
  damping_factor: f32,         // e^(−cΔt), c the damping rate in 1/s
  floor_height: f32,           // m, relative to the body's origin
  floor_enabled: u32,
  friction: f32,               // Coulomb coefficient of body against floor
  vertex_count: u32,
  tet_count: u32,
}

// Unilateral floor as an accumulated push: what the floor gave earlier in this substep may be taken back, never more.
// Returns the change of height; the caller adds it to the position and to the accumulated push.
fn floor_push(height: f32, pushed: f32) -> f32 {
  if (params.floor_enabled == 0u) { return 0.0; }
  return max(params.floor_height - height, -pushed);
}
