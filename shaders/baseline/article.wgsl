// The scheme that the bench compares with: XPBD of every tet at once, under-relaxed, added up with compare-and-swap.
//
// Ten substeps of eight iterations, one dispatch per kernel: predict_positions, reset_multipliers, 8 × (clamp_and_copy,
// solve_tets), update_velocities; then clear_, accumulate_ and normalize_normals: 193 dispatches a frame. The
// compliance of the shape constraint is 1/(μV₀), as published; the product's is half of it, which is the right one.

struct Params {
  gravity: vec3<f32>,
  substep_seconds: f32,
  lame_mu: f32,
  lame_lambda: f32,
  damping_factor: f32,
  friction: f32,
  floor_height: f32,
  vertex_count: u32,
  tet_count: u32,
  triangle_count: u32,
}

struct Vertex {
  snapshot: vec3<f32>,
  inverse_mass: f32,
  previous: vec3<f32>,
  unused: f32,
  velocity: vec3<f32>,
  unused_too: f32,
}

struct Tet {
  indices: vec4<u32>,
  b1: vec4<f32>,  // rows of B; b1.w = V₀, b2.w = ω = clamp(1.8/max valence, .08, .5)
  b2: vec4<f32>,
  b3: vec4<f32>,
}

@group(0) @binding(0) var<storage, read_write> positions: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read_write> normals: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read_write> vertices: array<Vertex>;
@group(0) @binding(3) var<storage, read> tets: array<Tet>;
@group(0) @binding(4) var<storage, read_write> multipliers: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> triangles: array<u32>;
@group(0) @binding(6) var<uniform> params: Params;

fn position(vertex: u32) -> vec3<f32> {
  return vec3<f32>(
    bitcast<f32>(atomicLoad(&positions[3u * vertex])),
    bitcast<f32>(atomicLoad(&positions[3u * vertex + 1u])),
    bitcast<f32>(atomicLoad(&positions[3u * vertex + 2u])));
}

fn set_position(vertex: u32, p: vec3<f32>) {
  atomicStore(&positions[3u * vertex], bitcast<u32>(p.x));
  atomicStore(&positions[3u * vertex + 1u], bitcast<u32>(p.y));
  atomicStore(&positions[3u * vertex + 2u], bitcast<u32>(p.z));
}

fn add_to_position(index: u32, value: f32) {
  if (abs(value) < 1e-20) { return; }
  var old = atomicLoad(&positions[index]);
  loop {
    let swapped = atomicCompareExchangeWeak(&positions[index], old, bitcast<u32>(bitcast<f32>(old) + value));
    if (swapped.exchanged) { break; }
    old = swapped.old_value;
  }
}

fn add_to_normal(index: u32, value: f32) {
  var old = atomicLoad(&normals[index]);
  loop {
    let swapped = atomicCompareExchangeWeak(&normals[index], old, bitcast<u32>(bitcast<f32>(old) + value));
    if (swapped.exchanged) { break; }
    old = swapped.old_value;
  }
}

fn move_vertex(vertex: u32, d: vec3<f32>) {
  add_to_position(3u * vertex, d.x);
  add_to_position(3u * vertex + 1u, d.y);
  add_to_position(3u * vertex + 2u, d.z);
}

@compute @workgroup_size(64)
fn predict_positions(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= params.vertex_count) { return; }
  let x = position(id.x);
  vertices[id.x].previous = x;
  if (vertices[id.x].inverse_mass == 0.0) { return; }
  let velocity = (vertices[id.x].velocity + params.substep_seconds * params.gravity) * params.damping_factor;
  vertices[id.x].velocity = velocity;
  set_position(id.x, x + params.substep_seconds * velocity);
}

@compute @workgroup_size(64)
fn reset_multipliers(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= params.tet_count) { return; }
  multipliers[id.x] = vec4<f32>(0.0);
}

@compute @workgroup_size(64)
fn clamp_and_copy(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= params.vertex_count) { return; }
  var x = position(id.x);
  if (x.y < params.floor_height && vertices[id.x].inverse_mass > 0.0) {
    x.y = params.floor_height;
    set_position(id.x, x);
  }
  vertices[id.x].snapshot = x;
}

@compute @workgroup_size(64)
fn solve_tets(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= params.tet_count) { return; }
  let tet = tets[id.x];
  let i = tet.indices;
  let volume = tet.b1.w;
  let relaxation = tet.b2.w;
  let w = vec4<f32>(vertices[i.x].inverse_mass, vertices[i.y].inverse_mass, vertices[i.z].inverse_mass, vertices[i.w].inverse_mass);
  let x0 = vertices[i.x].snapshot;
  var e1 = vertices[i.y].snapshot - x0;
  var e2 = vertices[i.z].snapshot - x0;
  var e3 = vertices[i.w].snapshot - x0;
  let b1 = tet.b1.xyz; let b2 = tet.b2.xyz; let b3 = tet.b3.xyz;
  let f = mat3x3<f32>(
    e1 * b1.x + e2 * b2.x + e3 * b3.x,
    e1 * b1.y + e2 * b2.y + e3 * b3.y,
    e1 * b1.z + e2 * b2.z + e3 * b3.z);
  var state = multipliers[id.x];
  let per_step = 1.0 / (volume * params.substep_seconds * params.substep_seconds);
  var d0 = vec3<f32>(0.0); var d1 = vec3<f32>(0.0); var d2 = vec3<f32>(0.0); var d3 = vec3<f32>(0.0);

  let svd = decompose(f);
  let strain = svd.sigma - vec3<f32>(1.0);
  let shape = length(strain);
  if (shape >= 1e-6) {
    let s = strain / shape;
    let gradient = mat3x3<f32>(svd.u[0] * s.x, svd.u[1] * s.y, svd.u[2] * s.z) * transpose(svd.v);
    let g1 = gradient * b1;
    let g2 = gradient * b2;
    let g3 = gradient * b3;
    let g0 = -(g1 + g2 + g3);
    let compliance = per_step / params.lame_mu;
    let weight = dot(w, vec4<f32>(dot(g0, g0), dot(g1, g1), dot(g2, g2), dot(g3, g3)));
    let change = -relaxation * (shape + compliance * state.x) / (weight + compliance);
    state.x += change;
    d0 = w.x * change * g0;
    d1 = w.y * change * g1;
    d2 = w.z * change * g2;
    d3 = w.w * change * g3;
  }

  e1 += d1 - d0; e2 += d2 - d0; e3 += d3 - d0;
  let inverse = 1.0 / (6.0 * volume);
  let dilation = dot(e1, cross(e2, e3)) * inverse - 1.0;
  if (params.lame_lambda > 0.0) {
    let g1 = cross(e2, e3) * inverse;
    let g2 = cross(e3, e1) * inverse;
    let g3 = cross(e1, e2) * inverse;
    let g0 = -(g1 + g2 + g3);
    let compliance = per_step / params.lame_lambda;
    let weight = dot(w, vec4<f32>(dot(g0, g0), dot(g1, g1), dot(g2, g2), dot(g3, g3)));
    let change = -relaxation * (dilation + compliance * state.y) / (weight + compliance);
    state.y += change;
    d0 += w.x * change * g0;
    d1 += w.y * change * g1;
    d2 += w.z * change * g2;
    d3 += w.w * change * g3;
  }
  multipliers[id.x] = vec4<f32>(state.x, state.y, shape, dilation);
  move_vertex(i.x, d0);
  move_vertex(i.y, d1);
  move_vertex(i.z, d2);
  move_vertex(i.w, d3);
}

@compute @workgroup_size(64)
fn update_velocities(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= params.vertex_count || vertices[id.x].inverse_mass == 0.0) { return; }
  let x = position(id.x);
  var velocity = (x - vertices[id.x].previous) / params.substep_seconds;
  if (x.y <= params.floor_height + 1e-5) {
    let kept = max(0.0, 1.0 - params.friction);
    velocity = vec3<f32>(kept * velocity.x, velocity.y, kept * velocity.z);
  }
  vertices[id.x].velocity = velocity;
}

@compute @workgroup_size(64)
fn clear_normals(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= params.vertex_count) { return; }
  for (var axis = 0u; axis < 3u; axis++) { atomicStore(&normals[3u * id.x + axis], 0u); }
}

@compute @workgroup_size(64)
fn accumulate_normals(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= params.triangle_count) { return; }
  let a = triangles[3u * id.x]; let b = triangles[3u * id.x + 1u]; let c = triangles[3u * id.x + 2u];
  let origin = position(a);
  let normal = cross(position(b) - origin, position(c) - origin);
  for (var corner = 0u; corner < 3u; corner++) {
    let vertex = triangles[3u * id.x + corner];
    add_to_normal(3u * vertex, normal.x);
    add_to_normal(3u * vertex + 1u, normal.y);
    add_to_normal(3u * vertex + 2u, normal.z);
  }
}

@compute @workgroup_size(64)
fn normalize_normals(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= params.vertex_count) { return; }
  var normal = vec3<f32>(0.0);
  for (var axis = 0u; axis < 3u; axis++) { normal[axis] = bitcast<f32>(atomicLoad(&normals[3u * id.x + axis])); }
  normal *= inverseSqrt(max(dot(normal, normal), 1e-30));
  for (var axis = 0u; axis < 3u; axis++) { atomicStore(&normals[3u * id.x + axis], bitcast<u32>(normal[axis])); }
}
