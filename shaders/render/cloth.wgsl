// Cloth: a thin opaque sheet whose both sides are lit and shadowed, with highlights along warp and weft and a sheen.
// References: Burley 2012 (anisotropy), Heitz 2014 (masking), Estevez & Kulla 2017 (sheen), Neubelt & Pettineo 2013 (its
// masking), Tokuyoshi & Kaplanyan 2019 (normals that vary within a pixel).

// Share of the diffuse light that leaves on the side it did not come from.
const PASSED = 0.22;

struct ClothVertex {
  @builtin(position) clip: vec4f,
  // Of constant w: Mesa's software rasteriser divides by the depth of the pixel's middle, and w shows by how much it is
  // wrong. A sheet has no thickness to hide that in.
  @location(0) @interpolate(perspective, centroid) position: vec4f,
  @location(1) @interpolate(perspective, centroid) normal: vec3f,
  // For derivatives, at the middle of the pixel: centroids are not a pixel apart. Metres along warp and weft at rest.
  @location(2) material: vec2f,
  @location(3) here: vec3f,
  @location(4) turned: vec3f,
}

@vertex
fn cloth_vertex(
  @location(0) position: vec4f,
  @location(1) normal: vec4f,
  @location(2) material: vec2f,
) -> ClothVertex {
  let p = finite_position(position.xyz);
  return ClothVertex(frame.clip_from_world * vec4f(p, 1.0), vec4f(p, 1.0), normal.xyz, material, p, normal.xyz);
}

// Orthonormal threads at a point, and the width of the highlight (GGX alpha) along each.
struct Weave {
  warp: vec3f,
  weft: vec3f,
  alpha: vec2f,
  round: bool,
}

@fragment
fn cloth_fragment(in: ClothVertex, @builtin(front_facing) front: bool) -> @location(0) vec4f {
  var s = body_surface(in.position.xyz / in.position.w, in.normal, front);
  let right = dpdx(in.here);
  let down = dpdy(in.here);
  let material_right = dpdx(in.material);
  let material_down = dpdy(in.material);
  let turn_right = dpdx(in.turned);
  let turn_down = dpdy(in.turned);
  // Close to a silhouette the interpolated normal may point away from the viewer.
  s.normal = normalize(s.normal + s.view * max(0.02 - dot(s.normal, s.view), 0.0));

  // Derivative of the position along the warp, times `det`. The threads need it to exist: coordinates that do not vary
  // on the triangle, or so little that a metre of cloth would be a hundred, leave the highlight round.
  let det = material_right.x * material_down.y - material_right.y * material_down.x;
  var along = right * material_down.y - down * material_right.y;
  along -= s.normal * dot(s.normal, along);
  let size = dot(along, along);
  let bits = bitcast<vec2u>(vec2f(size, det)) & vec2u(0x7f800000u);
  let woven = all(bits != vec2u(0x7f800000u)) && size > 1.0e-30 && size < 1.0e4 * det * det;
  let aside = cross(s.normal, select(vec3f(1.0, 0.0, 0.0), vec3f(0.0, 1.0, 0.0), abs(s.normal.x) > 0.7));
  let anisotropy = select(0.0, clamp(frame.anisotropy, -1.0, 1.0), woven);
  var w: Weave;
  w.round = anisotropy == 0.0;
  w.warp = normalize(select(aside, along, woven));
  w.weft = cross(s.normal, w.warp);
  let aspect = sqrt(1.0 - 0.9 * abs(anisotropy));
  let widths = s.roughness * s.roughness * vec2f(1.0 / aspect, aspect);
  // Where the normal turns within a pixel the highlight widens by as much, or wrinkles sparkle.
  let turn_warp = vec2f(dot(turn_right, w.warp), dot(turn_down, w.warp));
  let turn_weft = vec2f(dot(turn_right, w.weft), dot(turn_down, w.weft));
  let varied = min(vec2f(dot(turn_warp, turn_warp), dot(turn_weft, turn_weft)) / 6.0, vec2f(0.18));
  let chosen = select(widths.yx, widths, anisotropy > 0.0);
  w.alpha = clamp(sqrt(chosen * chosen + varied), vec2f(0.015), vec2f(1.0));
  return vec4f(pixel_from_radiance(cloth(s, w, in.clip.xy), in.clip.xy), 1.0);
}

fn cloth(s: Surface, w: Weave, pixel: vec2f) -> vec3f {
  let n_l = dot(s.normal, frame.to_sun.xyz);
  let n_v = clamp(dot(s.normal, s.view), 0.0, 1.0);
  // The sheet shades itself from the side that the sun is on; that side's light is then seen from either.
  let sun = SUN * sun_shadow(s.position, select(-s.normal, s.normal, n_l > 0.0), pixel).visibility;
  let size = body_size();
  let near = surroundings(s.position, s.normal, size);
  let far = surroundings(s.position, -s.normal, size).rgb;
  let f0 = mix(0.045 + 0.06 * s.color, s.color, s.metallic);
  let half_way = normalize(s.view + frame.to_sun.xyz + vec3f(0.0, 1.0e-6, 0.0));
  let n_h = clamp(dot(s.normal, half_way), 0.0, 1.0);

  // Fibres that stand off the cloth: Charlie with alpha 1/3. Its albedo is a fit to the integral over the hemisphere,
  // within 0.02.
  let x = 1.0 - n_v;
  let sheen = clamp(frame.sheen, 0.0, 1.0);
  let fuzz = sheen * (0.043 + x * (0.477 + x * (0.874 * x - 0.607)));
  let lit = max(n_l, 0.0);
  let sin2 = 1.0 - n_h * n_h;
  let standing = sheen * 2.5 * sin2 * sqrt(sin2) * lit / (4.0 * max(lit + n_v - lit * n_v, 1.0e-3));
  var color = mix(s.color, vec3f(1.0), 0.4) * (sun * standing + near.rgb * fuzz);

  let kept = (1.0 - s.metallic) * (1.0 - fuzz) * (1.0 - f0 - (1.0 - f0) * pow(x, 5.0) * (1.0 - s.roughness));
  // What passes has met more of the dye.
  let passed = s.color * (0.4 + 0.6 * s.color);
  color += kept * (s.color * (1.0 - PASSED) * (sun * lit + near.rgb) + passed * PASSED * (sun * max(-n_l, 0.0) + far));
  color += (1.0 - fuzz) * (sun * sun_shine(s, w, f0, half_way) + reflection(s, w, f0) * mix(1.0, near.a, 0.7));
  return color;
}

// As sun_specular, with a width along each thread.
fn sun_shine(s: Surface, w: Weave, f0: vec3f, half_way: vec3f) -> vec3f {
  let to_sun = frame.to_sun.xyz;
  let n_l = clamp(dot(s.normal, to_sun), 0.0, 1.0);
  let n_v = max(dot(s.normal, s.view), 1.0e-3);
  let h = vec3f(vec2f(dot(half_way, w.warp), dot(half_way, w.weft)) / w.alpha, dot(half_way, s.normal));
  let bell = dot(h, h);
  let distribution = 1.0 / max(w.alpha.x * w.alpha.y * bell * bell, 1.0e-6);
  let seen = length(vec3f(w.alpha * vec2f(dot(s.view, w.warp), dot(s.view, w.weft)), n_v));
  let shone = length(vec3f(w.alpha * vec2f(dot(to_sun, w.warp), dot(to_sun, w.weft)), n_l));
  let masking = 0.5 / max(n_l * seen + n_v * shone, 1.0e-4);
  let fresnel = f0 + (1.0 - f0) * pow(1.0 - clamp(dot(s.view, half_way), 0.0, 1.0), 5.0);
  return fresnel * min(distribution * masking * n_l, 24.0);
}

// The surroundings in facets that lean along the wider thread, at equal shares of a GGX; each is blurred by the other.
fn reflection(s: Surface, w: Weave, f0: vec3f) -> vec3f {
  let narrow = min(w.alpha.x, w.alpha.y);
  let wide = max(w.alpha.x, w.alpha.y);
  let thread = select(w.weft, w.warp, w.alpha.x > w.alpha.y) * sqrt(wide * wide - narrow * narrow);
  // A round highlight needs no more than one look.
  let roughness = sqrt(select(narrow, wide, w.round));
  let looks = select(5, 1, w.round);
  var seen = vec3f(0.0);
  for (var i = 0; i < looks; i++) {
    let u = 0.4 * f32(i) - 0.2 * f32(looks - 1);
    let facet = normalize(s.normal + thread * (u * inverseSqrt(1.0 - u * u)));
    let reflected = reflect(-s.view, facet);
    seen += environment(s.position, reflected, roughness) * smoothstep(-0.1, 0.15, dot(reflected, s.normal));
  }
  let x = 1.0 - clamp(dot(s.normal, s.view), 0.0, 1.0);
  return seen / f32(looks) * (f0 + (max(vec3f(1.0 - s.roughness), f0) - f0) * pow(x, 5.0));
}
