// How every scheme moves a pinned vertex in a substep: not at all, or on its way to a target.

// `velocities.w` counts the substeps that are left of the way; `move_pins` sets it, everybody else writes 0. When it has
// run out the velocity stays to be read until the next substep, and then the vertex rests.
fn move_pin(vertex: u32) {
  let velocity = velocities[vertex];
  if (velocity.w > 0.0) {
    positions[vertex] += vec4<f32>(params.substep_seconds * velocity.xyz, 0.0);
    velocities[vertex] = velocity - vec4<f32>(0.0, 0.0, 0.0, 1.0);
  } else {
    velocities[vertex] = vec4<f32>(0.0);
  }
}
