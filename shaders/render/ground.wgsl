// The ground: one large quad under the camera for depth; colour, grid and shadow come from the exact view ray.

struct GroundVertex {
  @builtin(position) clip: vec4f,
}

@vertex
fn ground_vertex(@builtin(vertex_index) index: u32) -> GroundVertex {
  // Two triangles, counter-clockwise from above, so that the ground is not there for a camera below it.
  let right = index == 2u || index == 4u || index == 5u;
  let near = index == 1u || index == 2u || index == 4u;
  let sign = vec2f(select(-1.0, 1.0, right), select(-1.0, 1.0, near));
  let reach = 40.0 * frame.ground_fade + 40.0 * abs(frame.eye.y - frame.floor_height);
  let at = frame.eye.xz + sign * reach;
  return GroundVertex(frame.clip_from_world * vec4f(at.x, frame.floor_height, at.y, 1.0));
}

// Coverage by lines of `width` metres every metre of `at`; `footprint` is a pixel's extent in the same unit. A line
// thinner than a pixel is drawn a pixel wide and proportionally fainter; where lines merge it tends to their mean.
fn lines(at: vec2f, width: f32, footprint: vec2f) -> f32 {
  let drawn = clamp(vec2f(width), footprint, vec2f(0.5));
  let soft = max(footprint * 1.4, vec2f(1.0e-6));
  let nearest = abs(fract(at + 0.5) - 0.5);
  var cover = 1.0 - smoothstep(0.5 * drawn - 0.5 * soft, 0.5 * drawn + 0.5 * soft, nearest);
  cover *= clamp(width / drawn, vec2f(0.0), vec2f(1.0));
  cover = mix(cover, vec2f(width), smoothstep(vec2f(0.3), vec2f(0.7), footprint));
  return cover.x + cover.y - cover.x * cover.y;
}

fn behind_wall(from_point: vec3f) -> bool {
  if (frame.wall_min.w < 0.5) {
    return false;
  }
  let a = (frame.wall_min.xyz - from_point) / frame.to_sun.xyz;
  let b = (frame.wall_max.xyz - from_point) / frame.to_sun.xyz;
  let enter = max(max(min(a.x, b.x), min(a.y, b.y)), min(a.z, b.z));
  let leave = min(min(max(a.x, b.x), max(a.y, b.y)), max(a.z, b.z));
  return leave > max(enter, 0.0);
}

@fragment
fn ground_fragment(in: GroundVertex) -> @location(0) vec4f {
  let pixel = in.clip.xy;
  let ray = view_ray(pixel);
  let height = frame.eye.y - frame.floor_height;
  let at = frame.eye.xz + ray.xz * (height / max(-ray.y, 1.0e-6));
  // A pixel's extent on the ground from neighbouring rays rather than screen derivatives: exact, and the same for
  // every sample of a quad.
  let ray_x = view_ray(pixel + vec2f(1.0, 0.0));
  let ray_y = view_ray(pixel + vec2f(0.0, 1.0));
  let at_x = frame.eye.xz + ray_x.xz * (height / max(-ray_x.y, 1.0e-6));
  let at_y = frame.eye.xz + ray_y.xz * (height / max(-ray_y.y, 1.0e-6));
  let footprint = max(abs(at_x - at), abs(at_y - at));

  let point = vec3f(at.x, frame.floor_height, at.y);
  let shadow = sun_shadow(point, vec3f(0.0, 1.0, 0.0), pixel);
  let open = 1.0 - ground_occlusion(at);

  // Sunlight that reaches the ground through the body carries its colour; the wall lets none through.
  let extent = (light.bounds_max - light.bounds_min).xyz;
  let size = max((extent.x + extent.y + extent.z) / 3.0, 1.0e-4);
  let hue = clamp(frame.color.rgb, vec3f(0.015), vec3f(0.98));
  var tint = vec3f(0.0);
  if (light.bounds_min.w > 0.5 && !behind_wall(point)) {
    tint = frame.through * pow(hue, vec3f(0.8)) * open;
  }
  let sun = SUN * frame.to_sun.y * mix(tint, vec3f(1.0), shadow.visibility);
  let sky = vec3f(0.40, 0.42, 0.45) * open;
  // The body's own light, thrown on the ground around it.
  let bleed = hue * light.bounds_min.w * (1.0 - open) * 0.22 * mix(0.4, 1.0, shadow.visibility);
  var color = GROUND_ALBEDO * (sun + sky + bleed);

  let world = at + frame.grid_offset;
  let minor = lines(world * 10.0, 0.02, footprint * 10.0);
  let major = lines(world, 0.006, footprint);
  let tens = lines(world * 0.1, 0.004, footprint * 0.1);
  let minor_fade = exp(-max(footprint.x, footprint.y) * 10.0 * 2.5);
  color *= 1.0 - 0.22 * minor * minor_fade;
  color *= 1.0 - 0.42 * max(major, 0.5 * tens * smoothstep(0.02, 0.1, max(footprint.x, footprint.y)));

  let away = length(at - frame.ground_center) / frame.ground_fade;
  color = mix(HORIZON, color, exp(-away * away));
  return vec4f(pixel_from_radiance(color, pixel), 1.0);
}
