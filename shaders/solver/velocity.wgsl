// End of a substep: velocity takes over what the projection moved, then friction on the floor and damping.
//
// In: displacements, vertices. Out: velocities, positions. One invocation per vertex, its own entries only. Friction is
// Coulomb's on the impulse the floor gave this substep: |Δv_t| ≤ μ Δv_n. What it takes from the velocity it takes from
// the substep's way as well, so that a vertex that sticks is where it was; with the velocity alone a body on a slope
// crept at a centimetre per second, whatever its coefficient. Damping is a rate in 1/s, independent of the step.

@compute @workgroup_size(WORKGROUP_SIZE)
fn velocity(@builtin(global_invocation_id) id: vec3<u32>) {
  let vertex = id.x;
  if (vertex >= params.vertex_count || vertices[vertex].inverse_volume == 0.0) { return; }
  let moved = displacements[vertex];
  var v = velocities[vertex].xyz + moved.xyz / params.substep_seconds;
  if (moved.w > 0.0) {
    // A vertex that started below the floor is lifted, but not thrown: contact gives no separating speed.
    let thrown = max(v.y, 0.0);
    v.y -= thrown;
    let normal_change = max(moved.w / params.substep_seconds - thrown, 0.0);
    let tangential = length(v.xz);
    let limit = params.friction * normal_change;
    let kept = select(0.0, 1.0 - limit / tangential, tangential > limit);
    let braked = vec3<f32>(v.x * kept, v.y, v.z * kept);
    positions[vertex] += vec4<f32>(params.substep_seconds * (braked - v), 0.0);
    v = braked;
  }
  velocities[vertex] = vec4<f32>(v * params.damping_factor, 0.0);
}
