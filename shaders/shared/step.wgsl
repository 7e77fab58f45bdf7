// What every kernel of a substep knows of the world and of the materials in it. Layouts are held to src/layout.rs by tests.

struct StepParams {
  gravity: vec3<f32>,          // m/s²
  substep_seconds: f32,        // Δt
  floor_height: f32,           // m, relative to the origin of coordinates
  floor_enabled: u32,
  vertex_count: u32,
}

struct MaterialRow {
  lame_mu: f32,                // Pa
  lame_lambda: f32,            // Pa
  density: f32,                // kg/m³
  viscosity: f32,              // s: Kelvin–Voigt damping stress is this × 2μ × strain rate
  damping_factor: f32,         // e^(−cΔt), c the damping rate in 1/s
  friction: f32,               // Coulomb coefficient against the floor
  stiffest: f32,               // 1/s²: ω² that a substep can follow
}

struct VertexMass {
  inverse_volume: f32,         // 1/Σ(V₀/4) over the tets here, 1/m³; 0 = pinned or unused, which never moves
  first_partial: u32,          // the forces of its patches lie at first_partial … first_partial + partial_count − 1
  partial_count: u32,
  material: u32,
}
