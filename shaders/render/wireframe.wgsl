// Edges of the surface over the shaded body. Line primitives may not use the fixed-function depth bias, so the bias is
// in the vertex: scaling clip z of a reversed, infinite projection brings a point nearer by the same fraction.

const NEARER = 1.003;

@vertex
fn wireframe_vertex(@location(0) position: vec4f) -> @builtin(position) vec4f {
  var clip = frame.clip_from_world * vec4f(finite_position(position.xyz), 1.0);
  clip.z *= NEARER;
  return clip;
}

@fragment
fn wireframe_fragment(@builtin(position) clip: vec4f) -> @location(0) vec4f {
  let brightness = dot(frame.color.rgb, vec3f(0.2126, 0.7152, 0.0722));
  let ink = select(vec3f(0.9), vec3f(0.02, 0.025, 0.035), brightness > 0.03);
  return vec4f(pixel_from_radiance(ink, clip.xy), 0.4);
}
