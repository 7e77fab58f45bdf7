// The body: a metallic-roughness surface over a translucent inside, lit where it is now.

// Shares of the light that leaves a dielectric body: off its surface (matte), scattered inside (cloudy), and seen
// through it (clear).
const JELLY = vec3f(0.22, 0.40, 0.46);

struct BodyVertex {
  @builtin(position) clip: vec4f,
  // At the centroid of what is covered: extrapolating to a pixel centre outside the triangle spoils silhouettes.
  @location(0) @interpolate(perspective, centroid) position: vec3f,
  @location(1) @interpolate(perspective, centroid) normal: vec3f,
}

@vertex
fn body_vertex(@location(0) position: vec4f, @location(1) normal: vec4f) -> BodyVertex {
  let p = finite_position(position.xyz);
  return BodyVertex(frame.clip_from_world * vec4f(p, 1.0), p, normal.xyz);
}

@fragment
fn body_fragment(in: BodyVertex, @builtin(front_facing) front: bool) -> @location(0) vec4f {
  let s = body_surface(in.position, in.normal, front);
  return vec4f(pixel_from_radiance(jelly(s, JELLY, in.clip.xy), in.clip.xy), 1.0);
}

// A point of the body in the appearance that was set.
fn body_surface(position: vec3f, normal: vec3f, front: bool) -> Surface {
  let facet = cross(dpdx(position), dpdy(position));
  let view = normalize(frame.eye.xyz - position + vec3f(0.0, 1.0e-7, 0.0));
  var s: Surface;
  s.position = position;
  s.view = view;
  s.normal = usable_normal(normal, facet, view, front);
  s.color = frame.color.rgb;
  s.roughness = clamp(frame.color.a, 0.05, 1.0);
  s.metallic = clamp(frame.metallic, 0.0, 1.0);
  return s;
}

// The interpolated normal; the facet's where a vertex has none; towards the camera where neither is usable.
fn usable_normal(given: vec3f, facet: vec3f, view: vec3f, front: bool) -> vec3f {
  let length_squared = dot(given, given);
  let bits = bitcast<u32>(length_squared) & 0x7f800000u;
  if (bits != 0x7f800000u && length_squared > 1.0e-8) {
    let n = given * inverseSqrt(length_squared);
    return select(-n, n, front);
  }
  let size = dot(facet, facet);
  if ((bitcast<u32>(size) & 0x7f800000u) != 0x7f800000u && size > 1.0e-24) {
    let n = facet * inverseSqrt(size);
    return select(-n, n, dot(n, view) > 0.0);
  }
  return view;
}

fn jelly(s: Surface, shares: vec3f, pixel: vec2f) -> vec3f {
  let to_sun = frame.to_sun.xyz;
  let shadow = sun_shadow(s.position, s.normal, pixel);
  let n_l = dot(s.normal, to_sun);
  let n_v = clamp(dot(s.normal, s.view), 0.0, 1.0);
  let f0 = mix(vec3f(0.04), s.color, s.metallic);
  let inside = 1.0 - s.metallic;
  let size = body_size();
  let around = surroundings(s.position, s.normal, size);
  let open = around.a;
  let surround = around.rgb;

  let lit = clamp(n_l, 0.0, 1.0) * shadow.visibility;
  var color = inside * shares.x * s.color * (SUN * lit + surround);

  // Scattered inside: sunlight that entered elsewhere and went through `thickness` of jelly, absorbed by its colour
  // (Beer-Lambert). It wraps around the terminator and lights thin parts from behind. The sky's light has a shorter way
  // near the silhouette, where the colour pales.
  let hue = clamp(s.color, vec3f(0.02), vec3f(0.97));
  let path = shadow.thickness / size;
  let wrap = clamp((n_l + 0.6) / 1.6, 0.0, 1.0);
  let against = pow(clamp(dot(-s.view, normalize(to_sun + 0.4 * s.normal)), 0.0, 1.0), 3.0);
  let through = pow(hue, vec3f(0.9 + 1.5 * path)) * exp(-1.8 * path);
  color += inside * shares.y * (SUN * through * (0.8 * wrap + 0.22 + 1.4 * against) + 1.25 * pow(hue, vec3f(0.45 + 0.6 * n_v)) * surround);

  // Seen through: the surroundings along the refracted ray, absorbed over its way to the far side of the bounds.
  let inward = refract(-s.view, s.normal, 1.0 / 1.36);
  let way = min(way_out(s.position, inward), 1.2 * size);
  let exit = s.position + inward * way;
  let beyond = environment(vec3f(exit.x, max(exit.y, frame.floor_height), exit.z), inward, 0.35);
  let kept = pow(hue, vec3f(0.5 + 1.1 * way / size)) * exp(-0.35 * way / size);
  color += inside * shares.z * kept * beyond * mix(1.0, 0.35 + 0.65 * shadow.visibility, 0.5);

  color += SUN * PI * sun_specular(s, f0) * 0.35 * shadow.visibility;
  color += ambient_specular(s, f0) * mix(1.0, open, 0.7);
  return color;
}

// A third of the sum of the sides of the body's bounds, metres.
fn body_size() -> f32 {
  let extent = (light.bounds_max - light.bounds_min).xyz;
  return max(0.5 * (extent.x + extent.y + extent.z) / 1.5, 1.0e-4);
}

// Mean radiance that a side of the body sees, and in a how much of its surroundings the ground below leaves open.
// Light under the body comes off a ground that the body itself shades.
fn surroundings(position: vec3f, normal: vec3f, size: f32) -> vec4f {
  var bounce = vec3f(0.35);
  var open = 1.0;
  if (frame.has_floor != 0u) {
    let height = max(position.y - frame.floor_height, 0.0);
    bounce = ground_light(position.xz + normal.xz * (height + 0.1 * size)) * 0.62;
    open = mix(1.0, smoothstep(-0.1, 0.55, height / size), 0.55 * clamp(0.6 - 0.6 * normal.y, 0.0, 1.0));
  }
  return vec4f(ambient(normal, bounce) * open, open);
}

// Distance along a direction from a point of the body to the far side of its bounds.
fn way_out(origin: vec3f, direction: vec3f) -> f32 {
  let safe = select(direction, vec3f(1.0e-6), abs(direction) < vec3f(1.0e-6));
  let a = (light.bounds_min.xyz - origin) / safe;
  let b = (light.bounds_max.xyz - origin) / safe;
  let far = max(a, b);
  return max(min(far.x, min(far.y, far.z)), 0.0);
}
