// Slot two, first half: one XPBD iteration of every tet, shape then volume, written as corrections per corner.
//
// In: positions, vertices, tets, multipliers. Out: corrections, multipliers. One invocation per tet; it reads
// positions that nobody writes in this dispatch and writes only its own multiplier and its own four slots, so no
// atomics and a result that does not depend on the schedule.
//
// C_shape = ‖Σ − 1‖ with compliance 1/(2μV₀), C_volume = det F − 1 with 1/(λV₀): together ½C²/α is V₀Ψ of
// Ψ = μ‖Σ−1‖² + λ/2 (det F − 1)². Δλ = −(C + α̃λ)/(Σ nᵥwᵥ‖gᵥ‖² + α̃), Δx = wᵥ Δλ gᵥ: each vertex lends every one of
// its nᵥ tets an equal part of its mass, so the plain sum of all corrections is their average (XPBD: Macklin, Müller,
// Chentanez 2016, equations 17–18). A relaxation factor instead would multiply the compliance as well.

// λ starts at zero in every substep: the first iteration's pipeline ignores what the last substep left.
override first_iteration: bool = false;

// A smaller strain than this is f32 rounding of F (nine sums of three products near 1); acting on it would only shake
// a body at rest.
const REST_STRAIN = 5e-7;

@compute @workgroup_size(WORKGROUP_SIZE)
fn solve_tets(@builtin(global_invocation_id) id: vec3<u32>) {
  let tet = id.x;
  if (tet >= params.tet_count) { return; }
  let rest = tets[tet];
  let i = rest.indices;
  let volume = rest.b1.w;
  let w = vec4<f32>(inverse_mass(i.x), inverse_mass(i.y), inverse_mass(i.z), inverse_mass(i.w));
  let split = w * vec4<f32>(vertices[i.x].valence, vertices[i.y].valence, vertices[i.z].valence, vertices[i.w].valence);
  let dt2 = params.substep_seconds * params.substep_seconds;
  let x0 = positions[i.x].xyz;
  var e1 = positions[i.y].xyz - x0;
  var e2 = positions[i.z].xyz - x0;
  var e3 = positions[i.w].xyz - x0;
  let b1 = rest.b1.xyz; let b2 = rest.b2.xyz; let b3 = rest.b3.xyz;

  // F = D_s B as a sum of outer products; column j is Σ e_a b_a[j].
  let f = mat3x3<f32>(
    e1 * b1.x + e2 * b2.x + e3 * b3.x,
    e1 * b1.y + e2 * b2.y + e3 * b3.y,
    e1 * b1.z + e2 * b2.z + e3 * b3.z);
  var state = multipliers[tet];
  if (first_iteration) { state = vec4<f32>(0.0); }

  var d0 = vec3<f32>(0.0); var d1 = vec3<f32>(0.0); var d2 = vec3<f32>(0.0); var d3 = vec3<f32>(0.0);
  // C = ‖Σ − 1‖ = ‖F − R‖ with R = UVᵀ, and ∂C/∂F = (F − R)/C. The difference loses least near rest, where R is
  // first made orthogonal to the last bit by one Newton step.
  let svd = signed_svd(f);
  let nearly = svd.u * transpose(svd.v);
  let rotation = nearly * (mat3x3<f32>(1.5, 0.0, 0.0, 0.0, 1.5, 0.0, 0.0, 0.0, 1.5) - 0.5 * (transpose(nearly) * nearly));
  let strain = f - rotation;
  let shape = sqrt(dot(strain[0], strain[0]) + dot(strain[1], strain[1]) + dot(strain[2], strain[2]));
  if (shape > REST_STRAIN || state.x != 0.0) {
    let gradient = strain * (1.0 / max(shape, REST_STRAIN));
    let g1 = gradient * b1;
    let g2 = gradient * b2;
    let g3 = gradient * b3;
    let g0 = -(g1 + g2 + g3);
    let compliance = 1.0 / (2.0 * params.lame_mu * volume * dt2);
    let weight = dot(split, vec4<f32>(dot(g0, g0), dot(g1, g1), dot(g2, g2), dot(g3, g3)));
    let change = -(shape + compliance * state.x) / (weight + compliance);
    state.x += change;
    d0 = w.x * change * g0;
    d1 = w.y * change * g1;
    d2 = w.z * change * g2;
    d3 = w.w * change * g3;
  }

  // Volume, evaluated after this tet's own shape correction.
  let inverse_six_volume = 1.0 / (6.0 * volume);
  e1 += d1 - d0; e2 += d2 - d0; e3 += d3 - d0;
  let dilation = dot(e1, cross(e2, e3)) * inverse_six_volume - 1.0;
  if (params.lame_lambda > 0.0 && (abs(dilation) > REST_STRAIN || state.y != 0.0)) {
    let g1 = cross(e2, e3) * inverse_six_volume;
    let g2 = cross(e3, e1) * inverse_six_volume;
    let g3 = cross(e1, e2) * inverse_six_volume;
    let g0 = -(g1 + g2 + g3);
    let compliance = 1.0 / (params.lame_lambda * volume * dt2);
    let weight = dot(split, vec4<f32>(dot(g0, g0), dot(g1, g1), dot(g2, g2), dot(g3, g3)));
    let change = -(dilation + compliance * state.y) / (weight + compliance);
    state.y += change;
    d0 += w.x * change * g0;
    d1 += w.y * change * g1;
    d2 += w.z * change * g2;
    d3 += w.w * change * g3;
  }
  multipliers[tet] = vec4<f32>(state.x, state.y, shape, dilation);
  corrections[rest.slots.x] = vec4<f32>(d0, 0.0);
  corrections[rest.slots.y] = vec4<f32>(d1, 0.0);
  corrections[rest.slots.z] = vec4<f32>(d2, 0.0);
  corrections[rest.slots.w] = vec4<f32>(d3, 0.0);
}
