// Depth of the body and of the wall block as the sun sees them. No fragment stage: the depth is the output.

@vertex
fn shadow_body(@location(0) position: vec4f) -> @builtin(position) vec4f {
  return light.light_from_world * vec4f(finite_position(position.xyz), 1.0);
}

@vertex
fn shadow_wall(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
  return light.light_from_world * vec4f(wall_vertex(index).position, 1.0);
}
