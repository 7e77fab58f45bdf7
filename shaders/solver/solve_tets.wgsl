// Slot two, first half: one XPBD iteration of every tet, shape and volume together, written as corrections per corner.
//
// In: positions, vertices, tets, multipliers. Out: corrections, multipliers. One invocation per tet; it reads
// positions that nobody writes in this dispatch and writes only its own multipliers and its own four slots, so no
// atomics and a result that does not depend on the schedule.
//
// Shape: U − 1 = 0 for the stretch U of F = RU, six constraints with one compliance, 1/(2μV₀), whose multiplier is a
// symmetric matrix; volume: det F − 1 = 0 with 1/(λV₀). Together ½CᵀC/α is V₀Ψ of Ψ = μ‖Σ−1‖² + λ/2 (det F − 1)². A
// matrix, and not one number for ‖Σ − 1‖, because the direction of that number's gradient is undefined at rest and
// turns while the number adds up. The seven unknowns of a tet are solved as one block (XPBD: Macklin, Müller,
// Chentanez 2016, equation 16; derivation, alternatives and figures in docs/notes/xpbd.md).
//
// Each vertex lends every one of its nᵥ tets an equal part of its mass in the first iteration, so that the plain sum of
// all corrections is their average; later iterations lend twice that, which converges as well (their corrections seldom
// agree) and faster. A relaxation factor instead would multiply the compliance as well.
//
// The state kept is S = α̃Λ and s = α̃λ, which have the size of the constraints, and all is divided by the shape's α̃:
// with κᵥ = wᵥ/α̃ = (V₀/Vᵥ)·2μ·Δt²/ρ, Vᵥ the vertex' share of volume, β = λ/2μ, D = Rᵀ ∂det F/∂F (symmetric),
// K = Σ nᵥκᵥ bᵥbᵥᵀ and Q the inverse of X ↦ X + (XK + KX)/2 on symmetric matrices,
//   Δs = −(det F − 1 + s − (D − QD):(U − 1 + S)) / (1 + β D:(D − QD)),   T = βΔs QD − Q(U − 1 + S),
//   ΔS = T − βΔs D,   Δxᵥ = κᵥ R T bᵥ.
// Written with α̃ and w apart, f32 overflows for a tenth of a millimetre of a soft material.

// Multipliers start at zero in every substep: the first iteration's pipeline ignores what the last substep left.
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
  // V₀/Vᵥ, which is 0 for a pinned vertex and at most 4.
  let share = volume * vec4<f32>(v0.inverse_volume, v1.inverse_volume, v2.inverse_volume, v3.inverse_volume);
  let valence = vec4<f32>(v0.valence, v1.valence, v2.valence, v3.valence);
  let scale = params.substep_seconds * params.substep_seconds * params.inverse_density;
  let kappa = (2.0 * params.lame_mu * scale) * share;
  let x0 = positions[i.x].xyz;
  let e1 = positions[i.y].xyz - x0;
  let e2 = positions[i.z].xyz - x0;
  let e3 = positions[i.w].xyz - x0;
  let b1 = rest.b1.xyz; let b2 = rest.b2.xyz; let b3 = rest.b3.xyz;
  let b0 = -(b1 + b2 + b3);

  // F = D_s B as a sum of outer products; column j is Σ e_a b_a[j].
  let f = mat3x3<f32>(
    e1 * b1.x + e2 * b2.x + e3 * b3.x,
    e1 * b1.y + e2 * b2.y + e3 * b3.y,
    e1 * b1.z + e2 * b2.z + e3 * b3.z);
  // Made orthogonal to the last bit by one Newton step; the difference loses least near rest.
  let cof = cofactor(f);
  let nearly = closest_rotation(f, cof, dot(f[0], cof[0]));
  let rotation = nearly * (mat3x3<f32>(1.5, 0.0, 0.0, 0.0, 1.5, 0.0, 0.0, 0.0, 1.5) - 0.5 * (transpose(nearly) * nearly));
  let strain = f - rotation;
  let shape = sqrt(norm_squared(strain));
  let stretch = transpose(rotation) * strain;
  let cofactors = transpose(rotation) * cof;
  let d = symmetric_part(cofactors);
  let dilation = dot(e1, cross(e2, e3)) / (6.0 * volume) - 1.0;

  // What of both constraints is not yet balanced by their multipliers.
  var shape_left = Symmetric();
  var volume_left = 0.0;
  if (shape > REST_STRAIN) { shape_left = symmetric_part(stretch); }
  if (abs(dilation) > REST_STRAIN) { volume_left = dilation; }
  let slot = 3u * tet;
  var state = array<vec4<f32>, 2>();
  if (!first_iteration) {
    state = array<vec4<f32>, 2>(multipliers[slot], multipliers[slot + 1u]);
    shape_left.diagonal += state[0].xyz;
    shape_left.other += state[1].xyz;
    volume_left += state[0].w;
  }

  let weights = select(0.5, 1.0, first_iteration) * valence * kappa;
  let block = shape_block(weights, b0, b1, b2, b3);
  let moved_shape = solved(block, shape_left);
  let moved_d = solved(block, d);
  let free_d = Symmetric(d.diagonal - moved_d.diagonal, d.other - moved_d.other);
  var push = 0.0;
  if (params.lame_lambda > 0.0) {
    let ratio = params.lame_lambda / (2.0 * params.lame_mu);
    let change = -(volume_left - inner(free_d, shape_left)) / (1.0 + ratio * inner(free_d, d));
    state[0].w += change;
    push = ratio * change;
  }
  let total = Symmetric(push * moved_d.diagonal - moved_shape.diagonal, push * moved_d.other - moved_shape.other);
  multipliers[slot] = vec4<f32>(state[0].xyz + total.diagonal - push * d.diagonal, state[0].w);
  multipliers[slot + 1u] = vec4<f32>(state[1].xyz + total.other - push * d.other, 0.0);
  // What this iteration found: nobody here needs it, tests and reports read it.
  multipliers[slot + 2u] = vec4<f32>(shape, dilation, 0.0, 0.0);
  let impulse = rotation * mat3x3<f32>(
    total.diagonal.x, total.other.x, total.other.y,
    total.other.x, total.diagonal.y, total.other.z,
    total.other.y, total.other.z, total.diagonal.z);
  corrections[rest.slots.x] = vec4<f32>(kappa.x * (impulse * b0), 0.0);
  corrections[rest.slots.y] = vec4<f32>(kappa.y * (impulse * b1), 0.0);
  corrections[rest.slots.z] = vec4<f32>(kappa.z * (impulse * b2), 0.0);
  corrections[rest.slots.w] = vec4<f32>(kappa.w * (impulse * b3), 0.0);
}

// A symmetric matrix: its diagonal, then entries 12, 13, 23.
struct Symmetric {
  diagonal: vec3<f32>,
  other: vec3<f32>,
}

fn symmetric_part(m: mat3x3<f32>) -> Symmetric {
  return Symmetric(
    vec3<f32>(m[0].x, m[1].y, m[2].z),
    0.5 * vec3<f32>(m[1].x + m[0].y, m[2].x + m[0].z, m[2].y + m[1].z));
}

fn inner(a: Symmetric, b: Symmetric) -> f32 {
  return dot(a.diagonal, b.diagonal) + 2.0 * dot(a.other, b.other);
}

// What is needed to solve (XA + AX)/2 = Y for symmetric X, with A = K + 1. For the diagonal x and the other entries o
// of X this is  x∘a + Bo = diagonal of Y,  Bᵀx + Go = twice the others: with x eliminated a 3×3 system (G − BᵀB/a) o.
struct ShapeBlock {
  inverse_diagonal: vec3<f32>, // 1/a, a the diagonal of A
  other: vec3<f32>,            // entries 12, 13, 23 of A, which make up B
  schur: mat3x3<f32>,          // (G − BᵀB/a)⁻¹
}

fn shape_block(w: vec4<f32>, b0: vec3<f32>, b1: vec3<f32>, b2: vec3<f32>, b3: vec3<f32>) -> ShapeBlock {
  let a = vec3<f32>(1.0) + w.x * b0 * b0 + w.y * b1 * b1 + w.z * b2 * b2 + w.w * b3 * b3;
  let o = w.x * b0.xxy * b0.yzz + w.y * b1.xxy * b1.yzz + w.z * b2.xxy * b2.yzz + w.w * b3.xxy * b3.yzz;
  let r = vec3<f32>(1.0) / a;
  return ShapeBlock(r, o, inverse_spd(
    vec3<f32>(a.x + a.y - o.x * o.x * (r.x + r.y), o.z - o.x * o.y * r.x, o.y - o.x * o.z * r.y),
    vec2<f32>(a.x + a.z - o.y * o.y * (r.x + r.z), o.x - o.y * o.z * r.z),
    a.y + a.z - o.z * o.z * (r.y + r.z)));
}

fn solved(block: ShapeBlock, y: Symmetric) -> Symmetric {
  let o = block.other;
  let r = block.inverse_diagonal;
  let t = y.diagonal * r;
  let other = block.schur * (2.0 * y.other - o * (t.xxy + t.yzz));
  let from_other = vec3<f32>(
    o.x * other.x + o.y * other.y, o.x * other.x + o.z * other.z, o.y * other.y + o.z * other.z);
  return Symmetric((y.diagonal - from_other) * r, other);
}

// Inverse of a symmetric matrix that is no smaller than 2, by LDLᵀ: its pivots stay in range where a determinant would
// not, and none of them is below 2, which rounding forgets beside a stiff K. Given: its first column, two entries of
// the second, one of the third.
fn inverse_spd(h1: vec3<f32>, h2: vec2<f32>, h33: f32) -> mat3x3<f32> {
  let d1 = 1.0 / max(h1.x, 2.0);
  let l21 = h1.y * d1;
  let l31 = h1.z * d1;
  let d2 = 1.0 / max(h2.x - l21 * h1.y, 2.0);
  let c32 = h2.y - l21 * h1.z;
  let l32 = c32 * d2;
  let d3 = 1.0 / max(h33 - l31 * h1.z - l32 * c32, 2.0);
  // L⁻¹ has rows (1, 0, 0), (−l21, 1, 0), (l, −l32, 1).
  let l = l21 * l32 - l31;
  let m23 = -l32 * d3;
  let m13 = l * d3;
  let m12 = l * m23 - l21 * d2;
  return mat3x3<f32>(
    d1 + l21 * l21 * d2 + l * m13, m12, m13,
    m12, d2 - l32 * m23, m23,
    m13, m23, d3);
}
