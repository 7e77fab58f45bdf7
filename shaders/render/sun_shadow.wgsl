// How much of the sun a point sees: percentage-closer soft shadows (Fernando 2005), so that the shadow is crisp at the
// contact and softens with the distance to what casts it. Taps compare against the receiver's tangent plane rather
// than its depth alone, which needs almost no bias: no acne on the body, no gap at the contact.

@group(1) @binding(0) var shadow_map: texture_depth_2d;
@group(1) @binding(1) var shadow_compare: sampler_comparison;

const SEARCH_TAPS = 16u;
const FILTER_TAPS = 24u;
// Tangent of the sun's half angle. Much larger than the real one: a soft studio light.
const SUN_SPREAD = 0.09;

struct SunShadow {
  // 0 in full shadow, 1 in full sun.
  visibility: f32,
  // Mean path of the sunlight behind its first surface, metres: how much jelly it went through.
  thickness: f32,
}

// Point `i` of `count` on a sunflower spiral over the unit disk (Vogel 1979), turned by `turn` radians.
fn spiral(i: u32, count: u32, turn: f32) -> vec2f {
  let angle = f32(i) * 2.39996323 + turn;
  return sqrt((f32(i) + 0.5) / f32(count)) * vec2f(cos(angle), sin(angle));
}

fn sun_shadow(position: vec3f, normal: vec3f, pixel: vec2f) -> SunShadow {
  if (light.enabled < 0.5) {
    return SunShadow(1.0, 0.0);
  }
  let p = position + normal * light.texel;
  let clip = light.light_from_world * vec4f(p, 1.0);
  let uv = vec2f(0.5 + 0.5 * clip.x, 0.5 - 0.5 * clip.y);
  if (any(uv < vec2f(0.0)) || any(uv > vec2f(1.0)) || !(clip.z > 0.0)) {
    return SunShadow(1.0, 0.0);
  }
  // Depth gradient of the tangent plane, in depth units per uv.
  let facing = max(abs(dot(normal, frame.to_sun.xyz)), 0.2);
  let slope = vec2f(dot(normal, frame.light_right.xyz), -dot(normal, frame.light_up.xyz)) / facing;
  let gradient = slope * (light.side / light.depth);
  let bias = 1.0 * light.texel / light.depth;
  let turn = interleaved_noise(pixel) * 6.2831853;
  let texel_uv = light.texel / light.side;
  let widest = 0.05;
  let search = clamp(SUN_SPREAD * clip.z * light.depth / light.side, 3.0 * texel_uv, widest);

  let size = vec2f(textureDimensions(shadow_map));
  var blocked = 0.0;
  var gap = 0.0;
  for (var i = 0u; i < SEARCH_TAPS; i++) {
    let offset = spiral(i, SEARCH_TAPS, turn) * search;
    let texel = vec2i(clamp((uv + offset) * size, vec2f(0.0), size - 1.0));
    let caster = textureLoad(shadow_map, texel, 0);
    let behind = clip.z + dot(gradient, offset) - bias - caster;
    // A texel that is still at the clear value holds no caster, however far below the box the receiver lies.
    if (behind > 0.0 && caster < 1.0) {
      blocked += 1.0;
      gap += behind;
    }
  }
  let thickness = gap / f32(SEARCH_TAPS) * light.depth;
  if (blocked == 0.0) {
    return SunShadow(1.0, thickness);
  }
  // Not for cloth: between its folds every tap may meet a caster round a gap that the filter finds.
  if (blocked == f32(SEARCH_TAPS) && frame.is_cloth == 0u) {
    return SunShadow(0.0, thickness);
  }
  let penumbra = clamp(SUN_SPREAD * gap / blocked * light.depth / light.side, 2.0 * texel_uv, widest);
  var visible = 0.0;
  var total = 0.0;
  for (var i = 0u; i < FILTER_TAPS; i++) {
    let at = spiral(i, FILTER_TAPS, turn);
    let offset = at * penumbra;
    // Beyond the far plane of the box everything in the map is nearer: clamping keeps the comparison right.
    let reference = clamp(clip.z + dot(gradient, offset) - bias, 0.0, 1.0);
    // Outer taps weigh less: a smoother edge, and less of the noise that turning the spiral brings.
    let weight = 1.0 - 0.8 * dot(at, at);
    visible += weight * textureSampleCompareLevel(shadow_map, shadow_compare, uv + offset, reference);
    total += weight;
  }
  return SunShadow(visible / total, thickness);
}
