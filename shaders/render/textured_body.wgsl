// A body with its own colours: vertex colour × part colour × base colour texture, all of them linear; alpha is ignored.

@group(2) @binding(0) var color_map: texture_2d<f32>;
@group(2) @binding(1) var color_sampler: sampler;
@group(2) @binding(2) var<uniform> part_color: vec4f;

// More matte and less clear than plain jelly: what shines through would wash out the picture on the surface.
const PAINTED = vec3f(0.55, 0.40, 0.05);

struct TexturedVertex {
  @builtin(position) clip: vec4f,
  @location(0) @interpolate(perspective, centroid) position: vec3f,
  @location(1) @interpolate(perspective, centroid) normal: vec3f,
  @location(2) @interpolate(perspective, centroid) uv: vec2f,
  @location(3) @interpolate(perspective, centroid) color: vec4f,
}

@vertex
fn textured_vertex(
  @location(0) position: vec4f,
  @location(1) normal: vec4f,
  @location(2) uv: vec2f,
  @location(3) color: vec4f,
) -> TexturedVertex {
  let p = finite_position(position.xyz);
  return TexturedVertex(frame.clip_from_world * vec4f(p, 1.0), p, normal.xyz, uv, color);
}

@fragment
fn textured_fragment(in: TexturedVertex, @builtin(front_facing) front: bool) -> @location(0) vec4f {
  let texel = textureSample(color_map, color_sampler, in.uv);
  var s = body_surface(in.position, in.normal, front);
  s.color = texel.rgb * part_color.rgb * in.color.rgb;
  return vec4f(pixel_from_radiance(jelly(s, PAINTED, in.clip.xy), in.clip.xy), 1.0);
}
