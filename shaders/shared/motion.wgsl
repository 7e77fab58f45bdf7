// What the two kernels that move vertices share: their mass, the force on them, and the floor.

@group(0) @binding(0) var<uniform> params: StepParams;
@group(0) @binding(1) var<storage, read> materials: array<MaterialRow>;
@group(0) @binding(2) var<storage, read_write> positions: array<vec4<f32>>;   // m, relative to the origin of coordinates
@group(0) @binding(3) var<storage, read_write> velocities: array<vec4<f32>>;  // m/s
@group(0) @binding(4) var<storage, read> vertices: array<VertexMass>;
@group(0) @binding(5) var<storage, read> partials: array<vec4<f32>>;          // N

const WORKGROUP_SIZE = 64u;

fn elastic_force(row: VertexMass) -> vec3<f32> {
  var sum = vec3<f32>(0.0);
  for (var at = row.first_partial; at < row.first_partial + row.partial_count; at++) { sum += partials[at].xyz; }
  return sum;
}

// Where a vertex begins the substep: one below the floor is lifted, but not thrown.
fn above_floor(position: vec3<f32>) -> vec3<f32> {
  if (params.floor_enabled == 0u) { return position; }
  return vec3<f32>(position.x, max(position.y, params.floor_height), position.z);
}

// Least upward speed with which a vertex stays above the floor in this substep, m/s.
fn floor_speed(position: vec3<f32>) -> f32 {
  if (params.floor_enabled == 0u) { return -3e38; }
  return (params.floor_height - position.y) / params.substep_seconds;
}

// Velocity after the floor: unilateral, with Coulomb friction |Δv_t| ≤ μ Δv_n on what the floor gave before.
fn after_floor(position: vec3<f32>, velocity: vec3<f32>, friction: f32) -> vec3<f32> {
  let least = floor_speed(position);
  if (velocity.y >= least) { return velocity; }
  let limit = friction * (least - velocity.y);
  let tangential = length(velocity.xz);
  let kept = select(0.0, 1.0 - limit / tangential, tangential > limit);
  return vec3<f32>(velocity.x * kept, least, velocity.z * kept);
}
