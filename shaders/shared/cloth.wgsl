// What the kernels of cloth know: one uniform per frame. Layouts are held to src/layout.rs by tests.

struct ClothParams {
  gravity: vec3<f32>,          // m/s²
  substep_seconds: f32,        // Δt
  floor_height: f32,           // m, relative to the body's origin, half a thread's thickness above the floor
  floor_enabled: u32,
  vertex_count: u32,
  damping_factor: f32,         // e^(−cΔt), c the damping rate in 1/s
  friction: f32,               // Coulomb coefficient against the floor
  areal_density: f32,          // σ, kg/m²
  stretch: f32,                // compliance × σ/Δt², 1/m²: elements work with areas in place of masses
  shear: f32,
  bend: f32,
  longest: f32,                // the largest length of an edge or of the way to a pin over that at rest
  normal_drag: f32,
  tangential_drag: f32,
  columns: u32,                // of a grid
  rows: u32,
  spacing: f32,                // of its particles, m
  diagonal: f32,               // of its cells, m
  bend_weight: f32,            // of its bending elements, 1/m
  border_weight: f32,          // of those along its border
}

const WORKGROUP_SIZE = 64u;
