// Slot one of a substep of cloth: where each particle would go without the others, as a displacement.
//
// In: positions, velocities, vertices, triangles. Out: displacements, whose fourth component is the inverse area that
// the elements need. One invocation per particle; it reads its neighbours' state, which nobody writes here, and gathers
// the air's force from the triangles round it. Pinned particles go on to their targets.
//
// No particle gets farther from its pin than the cloth between them reaches (long-range attachments: Kim, Chentanez,
// Müller-Fischer 2012): what would take the elements as many substeps as there are edges on the way is done in one.

struct ClothVertex {
  inverse_area: f32,           // 1/m²; 0 = pinned or unused
  anchor: u32,                 // the nearest pinned particle; its own number for none
  reach: f32,                  // way to it through the cloth at rest, m
  share: f32,                  // of the force on each triangle here; the shares of a triangle's corners add up to 1
}

@group(0) @binding(0) var<uniform> params: ClothParams;
@group(0) @binding(1) var<storage, read> positions: array<vec4<f32>>;        // m, relative to the body's origin
@group(0) @binding(2) var<storage, read> velocities: array<vec4<f32>>;       // m/s
@group(0) @binding(3) var<storage, read_write> displacements: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> vertices: array<ClothVertex>;
@group(0) @binding(5) var<uniform> wind: WindParams;
@group(0) @binding(6) var<storage, read> triangles: array<u32>;              // three corners per triangle
@group(0) @binding(7) var<storage, read> triangle_offsets: array<u32>;       // vertex v owns entries offsets[v] … offsets[v+1]
@group(0) @binding(8) var<storage, read> incident_triangles: array<u32>;

// How far a pinned particle goes in this substep; see shared/pins.wgsl.
fn pin_way(vertex: u32) -> vec3<f32> {
  let velocity = velocities[vertex];
  return select(vec3<f32>(0.0), params.substep_seconds * velocity.xyz, velocity.w > 0.0);
}

// Force of the air on every triangle round a particle, N. The air is taken where the particle is: gusts are
// smooth over the size of a triangle.
fn air_on(vertex: u32) -> vec3<f32> {
  let air = wind_at(positions[vertex].xyz);
  var force = vec3<f32>(0.0);
  for (var entry = triangle_offsets[vertex]; entry < triangle_offsets[vertex + 1u]; entry++) {
    let first = 3u * incident_triangles[entry];
    let a = triangles[first];
    let b = triangles[first + 1u];
    let c = triangles[first + 2u];
    let origin = positions[a].xyz;
    let spread = cross(positions[b].xyz - origin, positions[c].xyz - origin);
    let relative = air - (velocities[a].xyz + velocities[b].xyz + velocities[c].xyz) / 3.0;
    force += plate_drag(spread, relative, params.normal_drag, params.tangential_drag, params.areal_density, params.substep_seconds);
  }
  return force;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn integrate_cloth(@builtin(global_invocation_id) id: vec3<u32>) {
  let vertex = id.x;
  if (vertex >= params.vertex_count) { return; }
  let row = vertices[vertex];
  let dt = params.substep_seconds;
  var velocity = velocities[vertex].xyz;
  if (row.inverse_area == 0.0) {
    displacements[vertex] = vec4<f32>(pin_way(vertex), 0.0);
    return;
  }
  var acceleration = params.gravity;
  if (wind.air_density > 0.0) { acceleration += air_on(vertex) * (row.share * row.inverse_area / params.areal_density); }
  velocity += dt * acceleration;
  var move_by = dt * velocity;
  if (row.anchor != vertex) {
    let way = positions[vertex].xyz - positions[row.anchor].xyz + move_by - pin_way(row.anchor);
    let far = length(way);
    let most = params.longest * row.reach;
    if (far > most) { move_by += way * (most / far - 1.0); }
  }
  displacements[vertex] = vec4<f32>(move_by, row.inverse_area);
}
