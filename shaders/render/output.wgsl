// Radiance to pixel: Khronos PBR Neutral tone mapping, sRGB encoding, dither, and a guard against anything not finite.

// Interleaved gradient noise (Jimenez 2014): 0 to 1, evenly spread over any small neighbourhood of pixels.
fn interleaved_noise(pixel: vec2f) -> f32 {
  return fract(52.9829189 * fract(dot(pixel, vec2f(0.06711056, 0.00583715))));
}

// Khronos PBR Neutral (Khronos 2024): true to the base colour below the shoulder, desaturating above it.
fn tone_map(radiance: vec3f) -> vec3f {
  let shoulder = 0.8 - 0.04;
  let least = min(radiance.r, min(radiance.g, radiance.b));
  let toe = select(0.04, least - 6.25 * least * least, least < 0.08);
  let color = radiance - toe;
  let peak = max(color.r, max(color.g, color.b));
  if (peak < shoulder) {
    return color;
  }
  let room = 1.0 - shoulder;
  let pressed = 1.0 - room * room / (peak + room - shoulder);
  let gray = 1.0 - 1.0 / (0.15 * (peak - pressed) + 1.0);
  return mix(color * (pressed / peak), vec3f(pressed), gray);
}

fn srgb_from_linear(color: vec3f) -> vec3f {
  let low = 12.92 * color;
  let high = 1.055 * pow(max(color, vec3f(0.0031308)), vec3f(1.0 / 2.4)) - 0.055;
  return select(high, low, color <= vec3f(0.0031308));
}

fn linear_from_srgb(color: vec3f) -> vec3f {
  let high = pow((max(color, vec3f(0.04045)) + 0.055) / 1.055, vec3f(2.4));
  return select(high, color / 12.92, color <= vec3f(0.04045));
}

fn pixel_from_radiance(radiance: vec3f, pixel: vec2f) -> vec3f {
  let bits = bitcast<vec3u>(radiance) & vec3u(0x7f800000u);
  let finite = select(vec3f(0.0), clamp(radiance, vec3f(0.0), vec3f(1.0e4)), bits != vec3u(0x7f800000u));
  let encoded = srgb_from_linear(clamp(tone_map(finite), vec3f(0.0), vec3f(1.0)));
  let noise = interleaved_noise(pixel + 17.0) - 0.5;
  let dithered = clamp(encoded + noise / 255.0, vec3f(0.0), vec3f(1.0));
  if (frame.encode_srgb != 0u) {
    return dithered;
  }
  return linear_from_srgb(dithered);
}
