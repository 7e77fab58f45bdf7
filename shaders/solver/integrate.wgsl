// Slot one of a substep: v += Δt g, then x += Δt v, and a fresh account of what the projection will move.
//
// In: velocities, vertices. Out: positions, velocities, displacements. One invocation per vertex, which touches only
// its own entries. Semi-implicit Euler; velocity is a state of its own (never a difference of positions, whose f32
// rounding costs percents of momentum at many substeps).

@compute @workgroup_size(WORKGROUP_SIZE)
fn integrate(@builtin(global_invocation_id) id: vec3<u32>) {
  let vertex = id.x;
  if (vertex >= params.vertex_count) { return; }
  if (vertices[vertex].inverse_volume == 0.0) {
    move_pin(vertex);
    displacements[vertex] = vec4<f32>(0.0);
    return;
  }
  let velocity = velocities[vertex].xyz + params.substep_seconds * params.gravity;
  var position = positions[vertex].xyz + params.substep_seconds * velocity;
  let push = floor_push(position.y, 0.0);
  position.y += push;
  velocities[vertex] = vec4<f32>(velocity, 0.0);
  positions[vertex] = vec4<f32>(position, 1.0);
  displacements[vertex] = vec4<f32>(0.0, push, 0.0, push);
}
