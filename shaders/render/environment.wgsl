// The light of the scene: a sun, a sky that brightens towards the horizon, a soft overhead panel that only reflections
// see, and the ground's bounce. Values are scene-linear with 1 as paper white; directions need not meet a texture.

const PI = 3.14159265;
// Irradiance of the sun divided by pi: a white matte surface facing it has this radiance.
const SUN = vec3f(1.12, 1.06, 0.97);
const HORIZON = vec3f(0.80, 0.84, 0.89);
const ZENITH = vec3f(0.30, 0.49, 0.78);
const GROUND_ALBEDO = vec3f(0.585, 0.60, 0.625);

fn sky_radiance(direction: vec3f) -> vec3f {
  let height = max(direction.y, 0.0);
  return mix(HORIZON, ZENITH, 1.0 - exp(-2.2 * height));
}

// Mean radiance of the hemisphere around a normal, bounce included.
fn ambient(normal: vec3f, ground_light: vec3f) -> vec3f {
  let up = 0.5 + 0.5 * normal.y;
  let sky = mix(HORIZON, ZENITH, 0.5) * 0.55;
  return mix(ground_light, sky, smoothstep(0.0, 1.0, up));
}

// A rectangular panel overhead seen along `direction`; its edges blur with roughness as the specular lobe widens.
fn panel(direction: vec3f, roughness: f32, center: vec2f, half_size: vec2f) -> f32 {
  let at = direction.xz / max(direction.y, 0.05) - center;
  let blur = 0.06 + 1.1 * roughness;
  let edge = 1.0 - smoothstep(max(half_size - blur, vec2f(0.0)), half_size + blur, abs(at));
  let spread = half_size / (half_size + 0.5 * blur);
  return edge.x * edge.y * spread.x * spread.y * smoothstep(0.02, 0.3, direction.y);
}

// How much of the ambient light the body and the wall keep from the ground at a point, 0 (open) to 1.
fn ground_occlusion(at: vec2f) -> f32 {
  var open = 1.0;
  if (light.bounds_min.w > 0.5) {
    let half = 0.5 * (light.bounds_max - light.bounds_min).xyz;
    let center = 0.5 * (light.bounds_max + light.bounds_min).xz;
    let gap = max(light.bounds_min.y - frame.floor_height, 0.0);
    let reach = 0.55 * max(min(half.x, half.z) + half.y, 1.0e-3);
    let outside = length(max(abs(at - center) - 0.45 * half.xz, vec2f(0.0)));
    let falloff = outside / reach;
    open *= 1.0 - 0.62 * exp(-falloff * falloff * 1.3) * exp(-gap / reach);
  }
  if (frame.wall_min.w > 0.5) {
    let half = 0.5 * (frame.wall_max - frame.wall_min).xyz;
    let center = 0.5 * (frame.wall_max + frame.wall_min).xz;
    let gap = max(frame.wall_min.y - frame.floor_height, 0.0);
    let reach = 0.35 * max(half.y, 1.0e-3);
    let outside = length(max(abs(at - center) - half.xz, vec2f(0.0)));
    open *= 1.0 - 0.5 * exp(-2.0 * outside / reach) * exp(-gap / reach);
  }
  return 1.0 - open;
}

// Radiance of the plain ground, without grid or sun shadow: what reflections and the bounce see.
fn ground_light(at: vec2f) -> vec3f {
  let open = 1.0 - ground_occlusion(at);
  let away = length(at - frame.ground_center) / frame.ground_fade;
  let near = GROUND_ALBEDO * (SUN * frame.to_sun.y * open * open + 0.42 * open);
  return mix(HORIZON, near, exp(-away * away));
}

// What a ray from `origin` sees of the surroundings, blurred by roughness.
fn environment(origin: vec3f, direction: vec3f, roughness: f32) -> vec3f {
  let softened = mix(direction, vec3f(direction.x, 0.35, direction.z), 0.5 * roughness);
  // Surroundings dimmer than the backdrop and panels brighter than it: reflections then have the contrast of a studio.
  var above = sky_radiance(softened) * 0.6;
  above += vec3f(7.0) * panel(direction, roughness, vec2f(-0.35, -0.55), vec2f(0.46, 0.3));
  above += vec3f(3.0) * panel(direction, roughness, vec2f(1.5, 0.9), vec2f(0.5, 0.35));
  above += vec3f(3.0) * panel(direction, roughness, vec2f(-1.4, 1.2), vec2f(0.3, 0.6));
  if (frame.has_floor == 0u) {
    let below = vec3f(0.42, 0.44, 0.47);
    return mix(below, above, smoothstep(-0.25, 0.15, direction.y));
  }
  let drop = max(origin.y - frame.floor_height, 0.0);
  let hit = origin.xz + direction.xz * (drop / max(-direction.y, 0.05));
  let below = ground_light(hit);
  let blend = 0.02 + 0.5 * roughness;
  return mix(below, above, smoothstep(-blend, blend, direction.y));
}
