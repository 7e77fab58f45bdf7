// Slot three of a substep of cloth: what the elements left of the displacement becomes position and velocity.
//
// In: displacements. Out: positions, velocities. One invocation per particle, its own entries only. Pinned ones go as
// shared/pins.wgsl says. The floor is
// unilateral, with Coulomb friction |Δv_t| ≤ μ Δv_n; one who began below it is lifted, but not thrown.

@group(0) @binding(0) var<uniform> params: ClothParams;
@group(0) @binding(1) var<storage, read_write> positions: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> velocities: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> displacements: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn finish_cloth(@builtin(global_invocation_id) id: vec3<u32>) {
  let vertex = id.x;
  if (vertex >= params.vertex_count) { return; }
  let moved = displacements[vertex];
  var position = positions[vertex].xyz;
  var velocity = moved.xyz / params.substep_seconds;
  if (moved.w == 0.0) {
    move_pin(vertex);
    return;
  }
  velocity *= params.damping_factor;
  if (params.floor_enabled != 0u) {
    position.y = max(position.y, params.floor_height);
    let least = (params.floor_height - position.y) / params.substep_seconds;
    if (velocity.y < least) {
      let limit = params.friction * (least - velocity.y);
      let tangential = length(velocity.xz);
      let kept = select(0.0, 1.0 - limit / tangential, tangential > limit);
      velocity = vec3<f32>(velocity.x * kept, least, velocity.z * kept);
    }
  }
  positions[vertex] = vec4<f32>(position + params.substep_seconds * velocity, 1.0);
  velocities[vertex] = vec4<f32>(velocity, 0.0);
}
