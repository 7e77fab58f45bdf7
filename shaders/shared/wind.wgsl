// The air and its force on a triangle. A kernel declares `var<uniform> wind: WindParams` and appends this file.

struct WindWave {
  number: vec3<f32>,           // k, turns/m
  phase: f32,                  // turns, at the origin and now
  amplitude: vec3<f32>,        // a ⟂ k, m/s: their sum has no divergence
}

struct WindParams {
  velocity: vec3<f32>,         // of the mean wind, m/s
  air_density: f32,            // ρ, kg/m³
  wave_count: u32,             // 0 where the wind is steady
  waves: array<WindWave, 16>,
}

// Velocity of the air, m/s, at a position relative to the origin, m.
fn wind_at(position: vec3<f32>) -> vec3<f32> {
  var air = wind.velocity;
  for (var w = 0u; w < wind.wave_count; w++) {
    let turns = dot(wind.waves[w].number, position) + wind.waves[w].phase;
    // WGSL promises digits of cos from −π to π only.
    air += wind.waves[w].amplitude * cos(6.2831853 * (turns - round(turns)));
  }
  return air;
}

// Force, N, of air that moves with `relative`, m/s, past a triangle with the cross product `spread` of two edges, m²:
// ½ρA (C_n|v_n| v_n + C_t|v| v_t), the drag of a plate across the stream and the skin friction along it (Hoerner, Fluid-Dynamic
// Drag, 1965: cross-flow principle). Both faces are in the coefficients.
//
// Each part is divided by 1 + g, g = Δt ½ρC|·|/σ with the mass σ per area, kg/m², which leaves a free plate v/(1 + g) of that
// part: none is overshot, however long the step. Where one part acts alone that is exact, as v' = −½ρC/σ |v| v has it. Where both
// parts act, the error of v_t is of second order in g. A sheet whose triangles have grown by less than twofold since σ was true
// gains no energy from still air either.
fn plate_drag(
  spread: vec3<f32>, relative: vec3<f32>,
  normal_drag: f32, tangential_drag: f32, areal_density: f32, substep_seconds: f32,
) -> vec3<f32> {
  let twice_area = length(spread);
  // Also where the squares of a tiny triangle are too small for f32.
  if (!(twice_area > 0.0)) { return vec3<f32>(0.0); }
  let unit = spread / twice_area;
  let across = dot(relative, unit);
  let normal_rate = 0.5 * wind.air_density * normal_drag * abs(across);
  let tangential_rate = 0.5 * wind.air_density * tangential_drag * length(relative);
  let steps = substep_seconds / areal_density;
  return 0.5 * twice_area * (
    normal_rate / (1.0 + steps * normal_rate) * across * unit
    + tangential_rate / (1.0 + steps * tangential_rate) * (relative - across * unit));
}

// Force, N, of the wind on a triangle from its corners, m relative to the origin, and their velocities, m/s: a third of it
// acts on each corner. `normal_drag` and `tangential_drag` are C_n and C_t; see `plate_drag`.
fn air_force(
  a: vec3<f32>, b: vec3<f32>, c: vec3<f32>, va: vec3<f32>, vb: vec3<f32>, vc: vec3<f32>,
  normal_drag: f32, tangential_drag: f32, areal_density: f32, substep_seconds: f32,
) -> vec3<f32> {
  let relative = wind_at((a + b + c) / 3.0) - (va + vb + vc) / 3.0;
  return plate_drag(cross(b - a, c - a), relative, normal_drag, tangential_drag, areal_density, substep_seconds);
}
