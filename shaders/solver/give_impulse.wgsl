// A sudden velocity for all free vertices, or for those near a point.
//
// In: positions, shares. Out: velocities. One invocation per vertex, its own entry only.

struct Impulse {
  velocity: vec3<f32>,         // m/s
  radius: f32,                 // m; 0 for all vertices alike
  center: vec3<f32>,           // m, relative to the origin of coordinates
  vertex_count: u32,
}

@group(0) @binding(0) var<uniform> impulse: Impulse;
@group(0) @binding(1) var<storage, read> positions: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> velocities: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> shares: array<f32>;   // part of the body's mass; 0 for what never moves

const WORKGROUP_SIZE = 64u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn give_impulse(@builtin(global_invocation_id) id: vec3<u32>) {
  let vertex = id.x;
  if (vertex >= impulse.vertex_count || shares[vertex] == 0.0) { return; }
  var weight = 1.0;
  if (impulse.radius > 0.0) {
    let part = min(distance(positions[vertex].xyz, impulse.center) / impulse.radius, 1.0);
    weight = (1.0 - part * part) * (1.0 - part * part);
  }
  velocities[vertex] += vec4<f32>(weight * impulse.velocity, 0.0);
}
