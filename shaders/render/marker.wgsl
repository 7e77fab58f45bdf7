// Discs over what pointers hold: bright with a dark rim, of a constant size in pixels.

// How much nearer than its point a disc is taken to be, so that the surface it lies on does not cut it.
const CLOSER = 1.02;

struct MarkerVertex {
  @builtin(position) clip: vec4f,
  // Pixels from the middle.
  @location(0) offset: vec2f,
  @location(1) @interpolate(flat) radius: f32,
}

@vertex
fn marker_vertex(@builtin(vertex_index) index: u32, @builtin(instance_index) marker: u32) -> MarkerVertex {
  let held = frame.markers[marker];
  let corner = vec2f(select(-1.0, 1.0, (index & 1u) != 0u), select(-1.0, 1.0, index > 1u));
  let offset = corner * (held.w + 1.0);
  var clip = frame.clip_from_world * vec4f(held.xyz, 1.0);
  clip = vec4f(clip.xy + 2.0 * offset / frame.viewport * clip.w, clip.z * CLOSER, clip.w);
  return MarkerVertex(clip, offset, held.w);
}

@fragment
fn marker_fragment(in: MarkerVertex) -> @location(0) vec4f {
  let inside = in.radius - length(in.offset);
  let shade = mix(vec3f(0.02), vec3f(2.0), smoothstep(0.8, 1.8, inside));
  return vec4f(pixel_from_radiance(shade, in.clip.xy), smoothstep(-0.5, 0.5, inside));
}
