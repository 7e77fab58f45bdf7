// Slot two, second half: every vertex sums the corrections of its tets, moves, and is kept above the floor.
//
// In: corrections, vertices. Out: positions, displacements. One invocation per vertex, which reads its own run of
// slots (in a fixed order, so results repeat bit for bit) and writes its own entries.

@compute @workgroup_size(WORKGROUP_SIZE)
fn gather(@builtin(global_invocation_id) id: vec3<u32>) {
  let vertex = id.x;
  if (vertex >= params.vertex_count) { return; }
  let rest = vertices[vertex];
  if (rest.inverse_volume == 0.0) { return; }
  var sum = vec3<f32>(0.0);
  for (var slot = rest.first_slot; slot < rest.first_slot + rest.slot_count; slot++) {
    sum += corrections[slot].xyz;
  }
  var position = positions[vertex].xyz + sum;
  var moved = displacements[vertex];
  let push = floor_push(position.y, moved.w);
  position.y += push;
  moved += vec4<f32>(sum.x, sum.y + push, sum.z, push);
  positions[vertex] = vec4<f32>(position, 1.0);
  displacements[vertex] = moved;
}
