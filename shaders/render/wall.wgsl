// The block that a pinned face is fixed to: matte, and lit and shadowed like everything else.

struct WallFragment {
  @builtin(position) clip: vec4f,
  @location(0) position: vec3f,
  @location(1) @interpolate(flat) normal: vec3f,
}

@vertex
fn wall_vertex_main(@builtin(vertex_index) index: u32) -> WallFragment {
  let corner = wall_vertex(index);
  return WallFragment(frame.clip_from_world * vec4f(corner.position, 1.0), corner.position, corner.normal);
}

@fragment
fn wall_fragment(in: WallFragment) -> @location(0) vec4f {
  var s: Surface;
  s.position = in.position;
  s.view = normalize(frame.eye.xyz - in.position + vec3f(0.0, 1.0e-7, 0.0));
  s.normal = in.normal;
  s.color = vec3f(0.30, 0.33, 0.38);
  s.roughness = 0.7;
  s.metallic = 0.0;
  let shadow = sun_shadow(s.position, s.normal, in.clip.xy);
  var bounce = vec3f(0.35);
  var open = 1.0;
  if (frame.has_floor != 0u) {
    let height = max(in.position.y - frame.floor_height, 0.0);
    bounce = ground_light(in.position.xz + s.normal.xz * (height + 0.05)) * 0.55;
    let tall = max(frame.wall_max.y - frame.floor_height, 1.0e-3);
    open = mix(0.62, 1.0, smoothstep(0.0, 0.35, height / tall));
  }
  let lit = clamp(dot(s.normal, frame.to_sun.xyz), 0.0, 1.0) * shadow.visibility;
  var color = s.color * (SUN * lit + ambient(s.normal, bounce) * open);
  color += ambient_specular(s, vec3f(0.04)) * open;
  return vec4f(pixel_from_radiance(color, in.clip.xy), 1.0);
}
