// A pointer takes hold: which vertices, how firmly, and how much of the body's mass that is.
//
// In: positions, shares. Out: held, which begins as zeros. One invocation per vertex. Where a vertex lands in the list
// depends on the schedule, what follows from it does not: entries never read each other, and the masses are added up in
// fixed point.

@group(0) @binding(0) var<uniform> hold: Hold;
@group(0) @binding(1) var<storage, read> positions: array<vec4<f32>>;   // m, relative to the origin of coordinates
@group(0) @binding(2) var<storage, read> shares: array<f32>;            // part of the body's mass; 0 for what never moves
@group(0) @binding(3) var<storage, read_write> held: Taken;

// `Held` while it is written.
struct Taken {
  count: atomic<u32>,
  share: atomic<u32>,
  vertices: array<HeldVertex>,
}

@compute @workgroup_size(HOLD_WORKGROUP_SIZE)
fn take_hold(@builtin(global_invocation_id) id: vec3<u32>) {
  let vertex = id.x;
  if (vertex >= hold.vertex_count) { return; }
  let share = shares[vertex];
  if (share == 0.0) { return; }
  let a = positions[hold.triangle.x].xyz;
  let b = positions[hold.triangle.y].xyz - a;
  let c = positions[hold.triangle.z].xyz - a;
  let inside = hold.barycentric.y * b + hold.barycentric.z * c;
  // Never so small a patch that the corners of the grabbed triangle slip away.
  let farthest = max(length(inside), max(length(inside - b), length(inside - c)));
  let offset = positions[vertex].xyz - a - inside;
  let part = length(offset) / max(hold.radius, 1.5 * farthest);
  if (part >= 1.0) { return; }
  let weight = (1.0 - part * part) * (1.0 - part * part);
  let place = atomicAdd(&held.count, 1u);
  atomicAdd(&held.share, max(u32(weight * share * WHOLE_SHARE + 0.5), 1u));
  held.vertices[place] = HeldVertex(offset, vertex, vec3<f32>(0.0), weight);
}
