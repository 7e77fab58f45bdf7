// Slot one of an explicit substep, second half: v += Δt f/m, floor, x += Δt v.
//
// In: partials, vertices, materials. Out: positions, velocities. One invocation per vertex, its own entries only.
// Symplectic Euler. Velocity is a state of its own, never a difference of positions, whose f32 rounding costs percents
// of momentum at many substeps. The floor acts on the velocity, before the position follows, so that nothing is ever
// below it and a vertex that sticks stays where it is.

@compute @workgroup_size(WORKGROUP_SIZE)
fn move_vertices(@builtin(global_invocation_id) id: vec3<u32>) {
  let vertex = id.x;
  if (vertex >= params.vertex_count) { return; }
  let row = vertices[vertex];
  // Loaded before they are needed, all at once.
  let start = positions[vertex].xyz;
  let speed = velocities[vertex].xyz;
  if (row.inverse_volume == 0.0) {
    move_pin(vertex);
    return;
  }
  let material = materials[row.material];
  let acceleration = elastic_force(row) * (row.inverse_volume / material.density) + params.gravity;
  let position = above_floor(start);
  var velocity = (speed + params.substep_seconds * acceleration) * material.damping_factor;
  velocity = after_floor(position, velocity, material.friction);
  velocities[vertex] = vec4<f32>(velocity, 0.0);
  positions[vertex] = vec4<f32>(position + params.substep_seconds * velocity, 1.0);
}
