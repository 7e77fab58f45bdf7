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
//
// The state kept is s = α̃λ, which has the size of C, and all is divided by α̃: Δs = −(C + s)/(Σ nᵥκᵥ‖gᵥ‖² + 1) and
// Δx = κᵥ Δs gᵥ with κᵥ = wᵥ/α̃ = (V₀/Vᵥ)·(2μ or λ)·Δt²/ρ, Vᵥ the vertex' share of volume. Written with α̃ and w apart,
// f32 overflows for a tenth of a millimetre of a soft material.

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
  let v0 = vertices[i.x]; let v1 = vertices[i.y]; let v2 = vertices[i.z]; let v3 = vertices[i.w];
  // V₀/Vᵥ, which is 0 for a pinned vertex and at most 4, and Δt²/ρ.
  let share = volume * vec4<f32>(v0.inverse_volume, v1.inverse_volume, v2.inverse_volume, v3.inverse_volume);
  let valence = vec4<f32>(v0.valence, v1.valence, v2.valence, v3.valence);
  let scale = params.substep_seconds * params.substep_seconds * params.inverse_density;
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
    let kappa = (2.0 * params.lame_mu * scale) * share;
    let weight = dot(valence * kappa, vec4<f32>(dot(g0, g0), dot(g1, g1), dot(g2, g2), dot(g3, g3)));
    let change = -(shape + state.x) / (weight + 1.0);
    state.x += change;
    d0 = kappa.x * change * g0;
    d1 = kappa.y * change * g1;
    d2 = kappa.z * change * g2;
    d3 = kappa.w * change * g3;
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
    let kappa = (params.lame_lambda * scale) * share;
    let weight = dot(valence * kappa, vec4<f32>(dot(g0, g0), dot(g1, g1), dot(g2, g2), dot(g3, g3)));
    let change = -(dilation + state.y) / (weight + 1.0);
    state.y += change;
    d0 += kappa.x * change * g0;
    d1 += kappa.y * change * g1;
    d2 += kappa.z * change * g2;
    d3 += kappa.w * change * g3;
  }
  multipliers[tet] = vec4<f32>(state.x, state.y, shape, dilation);
  corrections[rest.slots.x] = vec4<f32>(d0, 0.0);
  corrections[rest.slots.y] = vec4<f32>(d1, 0.0);
  corrections[rest.slots.z] = vec4<f32>(d2, 0.0);
  corrections[rest.slots.w] = vec4<f32>(d3, 0.0);
}
