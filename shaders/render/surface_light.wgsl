// Light reflected by a metallic-roughness surface: GGX with height-correlated Smith masking and Schlick's Fresnel.
// References: Walter et al. 2007 (GGX), Heitz 2014 (masking), Fdez-Agüera 2019 (roughness-aware Fresnel for ambient).

struct Surface {
  position: vec3f,
  normal: vec3f,
  // Towards the camera.
  view: vec3f,
  color: vec3f,
  roughness: f32,
  metallic: f32,
}

// Specular part of the bidirectional reflectance times the cosine, per unit of the sun's irradiance over pi.
fn sun_specular(s: Surface, f0: vec3f) -> vec3f {
  let to_sun = frame.to_sun.xyz;
  let half_way = normalize(s.view + to_sun + vec3f(0.0, 1.0e-6, 0.0));
  let n_l = clamp(dot(s.normal, to_sun), 0.0, 1.0);
  let n_v = max(dot(s.normal, s.view), 1.0e-3);
  let n_h = clamp(dot(s.normal, half_way), 0.0, 1.0);
  let v_h = clamp(dot(s.view, half_way), 0.0, 1.0);
  // The sun is a wide studio light here, so its highlight never shrinks to a point.
  let alpha = max(s.roughness * s.roughness, 0.02);
  let a2 = alpha * alpha;
  let bell = n_h * n_h * (a2 - 1.0) + 1.0;
  let distribution = a2 / max(bell * bell, 1.0e-9);
  let masking = 0.5 / max(n_l * sqrt(n_v * n_v * (1.0 - a2) + a2) + n_v * sqrt(n_l * n_l * (1.0 - a2) + a2), 1.0e-4);
  let fresnel = f0 + (1.0 - f0) * pow(1.0 - v_h, 5.0);
  return fresnel * min(distribution * masking * n_l, 24.0);
}

fn ambient_specular(s: Surface, f0: vec3f) -> vec3f {
  let n_v = clamp(dot(s.normal, s.view), 0.0, 1.0);
  let reflected = reflect(-s.view, s.normal);
  let fresnel = f0 + (max(vec3f(1.0 - s.roughness), f0) - f0) * pow(1.0 - n_v, 5.0);
  // The horizon of the surface hides what the interpolated normal would reflect from inside it.
  let fade = smoothstep(-0.1, 0.15, dot(reflected, s.normal));
  return environment(s.position, reflected, s.roughness) * fresnel * fade;
}
