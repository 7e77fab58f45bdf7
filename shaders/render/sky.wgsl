// The sky behind everything, one triangle at infinite distance (depth zero, reversed).

@vertex
fn sky_vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
  return vec4f(select(-1.0, 3.0, index == 1u), select(-1.0, 3.0, index == 2u), 0.0, 1.0);
}

@fragment
fn sky_fragment(@builtin(position) clip: vec4f) -> @location(0) vec4f {
  let direction = normalize(view_ray(clip.xy));
  var color = sky_radiance(direction);
  if (frame.has_floor == 0u) {
    color = mix(color, vec3f(0.70, 0.72, 0.75), 1.0 - smoothstep(-0.6, 0.05, direction.y));
  }
  return vec4f(pixel_from_radiance(color, clip.xy), 1.0);
}
