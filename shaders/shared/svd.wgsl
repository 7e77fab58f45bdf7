// Signed singular value decomposition of a 3×3 matrix, F = U diag(σ) Vᵀ with U, V ∈ SO(3).
//
// σ1 ≥ σ2 ≥ |σ3| and sign σ3 = sign det F, so an inverted element is pulled back through the flat state instead of
// towards its mirror image (Irving, Teran, Fedkiw 2004, section 3). Jacobi on FᵀF with approximate Givens angles and
// a quaternion for V, then Givens QR of F V for U (McAdams et al. 2011, sections 2–4). Two departures, both measured:
// six sweeps (four leave 1e-2 reconstruction errors in f32), and F is divided by its largest entry first, so that no
// absolute epsilon ever meets an unscaled number.

struct SignedSvd {
  u: mat3x3<f32>,
  sigma: vec3<f32>,
  v: mat3x3<f32>,
}

const JACOBI_SWEEPS = 6;
const GIVENS_GAMMA = 5.8284271247461903;  // 3 + 2√2: beyond it the approximate angle is worse than π/8
const COS_PI_8 = 0.92387953251128674;
const SIN_PI_8 = 0.38268343236508977;
// Squared length below which a Givens pair of a matrix with entries ≤ 1 is noise; its rotation is the identity.
const GIVENS_TINY = 1e-30;

fn quaternion_to_matrix(q: vec4<f32>) -> mat3x3<f32> {
  let x = q.x; let y = q.y; let z = q.z; let w = q.w;
  return mat3x3<f32>(
    vec3<f32>(1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)),
    vec3<f32>(2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)),
    vec3<f32>(2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)));
}

// Half-angle (cos, sin) of the rotation that (nearly) annihilates the off-diagonal entry `apq`.
fn approximate_givens(app: f32, apq: f32, aqq: f32) -> vec2<f32> {
  let ch = 2.0 * (app - aqq);
  let sh = apq;
  let length_squared = ch * ch + sh * sh;
  if (length_squared < GIVENS_TINY) { return vec2<f32>(1.0, 0.0); }
  if (GIVENS_GAMMA * sh * sh < ch * ch) { return vec2<f32>(ch, sh) * inverseSqrt(length_squared); }
  return vec2<f32>(COS_PI_8, SIN_PI_8);
}

// (cos, sin) with [c s; -s c] (a, b)ᵀ = (√(a²+b²), 0)ᵀ.
fn qr_givens(a: f32, b: f32) -> vec2<f32> {
  let length_squared = a * a + b * b;
  if (length_squared < GIVENS_TINY) { return vec2<f32>(1.0, 0.0); }
  return vec2<f32>(a, b) / sqrt(length_squared);
}

fn signed_svd(f: mat3x3<f32>) -> SignedSvd {
  let magnitude = max(abs(f[0]), max(abs(f[1]), abs(f[2])));
  let scale = max(magnitude.x, max(magnitude.y, magnitude.z));
  let identity = mat3x3<f32>(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
  if (!(scale > 0.0 && scale < 1e38)) { return SignedSvd(identity, vec3<f32>(0.0), identity); }
  let a = mat3x3<f32>(f[0] / scale, f[1] / scale, f[2] / scale);

  // Symmetric S = AᵀA, entries s11 s21 s31 s22 s32 s33.
  var s11 = dot(a[0], a[0]); var s21 = dot(a[1], a[0]); var s31 = dot(a[2], a[0]);
  var s22 = dot(a[1], a[1]); var s32 = dot(a[2], a[1]); var s33 = dot(a[2], a[2]);
  var q = vec4<f32>(0.0, 0.0, 0.0, 1.0);
  for (var sweep = 0; sweep < JACOBI_SWEEPS; sweep++) {
    // The plane (p, q) cycles by relabelling the axes: after each rotation the matrix is permuted (1,2,3) → (2,3,1),
    // and three rotations bring the labels home.
    for (var plane = 0; plane < 3; plane++) {
      let half = approximate_givens(s11, s21, s22);
      let ch = half.x; let sh = half.y;
      let c = ch * ch - sh * sh;
      let s = 2.0 * sh * ch;
      let t11 = c * (c * s11 + s * s21) + s * (c * s21 + s * s22);
      let t21 = c * (c * s21 - s * s11) + s * (c * s22 - s * s21);
      let t22 = c * (c * s22 - s * s21) - s * (c * s21 - s * s11);
      let t31 = c * s31 + s * s32;
      let t32 = c * s32 - s * s31;
      // Relabel: new axes (1,2,3) are old (2,3,1).
      let t33 = s33;
      s11 = t22; s21 = t32; s22 = t33; s31 = t21; s32 = t31; s33 = t11;
      // q ← q · rotation about the axis normal to the plane: (1,2) → z, (2,3) → x, (3,1) → y.
      var r = vec4<f32>(0.0, 0.0, sh, ch);
      if (plane == 1) { r = vec4<f32>(sh, 0.0, 0.0, ch); }
      if (plane == 2) { r = vec4<f32>(0.0, sh, 0.0, ch); }
      q = vec4<f32>(q.w * r.xyz + r.w * q.xyz + cross(q.xyz, r.xyz), q.w * r.w - dot(q.xyz, r.xyz));
    }
    q = q * inverseSqrt(dot(q, q));
  }
  var v = quaternion_to_matrix(q);
  var b = a * v;

  // Columns in descending order; each swap flips one sign so that V stays a rotation.
  var n = vec3<f32>(dot(b[0], b[0]), dot(b[1], b[1]), dot(b[2], b[2]));
  if (n.x < n.y) {
    let column = b[0]; b[0] = b[1]; b[1] = -column;
    let axis = v[0]; v[0] = v[1]; v[1] = -axis;
    n = n.yxz;
  }
  if (n.x < n.z) {
    let column = b[0]; b[0] = b[2]; b[2] = -column;
    let axis = v[0]; v[0] = v[2]; v[2] = -axis;
    n = n.zyx;
  }
  if (n.y < n.z) {
    let column = b[1]; b[1] = b[2]; b[2] = -column;
    let axis = v[1]; v[1] = v[2]; v[2] = -axis;
  }

  // FᵀF knows σ2 and σ3 only to √ε σ1, so a crushed element leaves these two columns at an angle. One exact one-sided
  // rotation of the pair (Hestenes) makes them orthogonal to the last bit; measured: reconstruction 2e-4 → 1e-6.
  let p = dot(b[1], b[1]); let r = dot(b[1], b[2]); let t = dot(b[2], b[2]);
  if (abs(r) > 0.0) {
    let cotangent = (t - p) / (2.0 * r);
    let tangent = select(-1.0, 1.0, cotangent >= 0.0) / (abs(cotangent) + sqrt(1.0 + min(cotangent * cotangent, 1e30)));
    let c = inverseSqrt(1.0 + tangent * tangent);
    let s = c * tangent;
    let column = b[1]; b[1] = c * column - s * b[2]; b[2] = s * column + c * b[2];
    let axis = v[1]; v[1] = c * axis - s * v[2]; v[2] = s * axis + c * v[2];
    if (dot(b[1], b[1]) < dot(b[2], b[2])) {
      let swapped = b[1]; b[1] = b[2]; b[2] = -swapped;
      let swapped_axis = v[1]; v[1] = v[2]; v[2] = -swapped_axis;
    }
  }

  // B = U R by three Givens rotations acting on rows: eliminate b21, then b31, then b32.
  let g1 = qr_givens(b[0].x, b[0].y);
  b[0] = vec3<f32>(g1.x * b[0].x + g1.y * b[0].y, g1.x * b[0].y - g1.y * b[0].x, b[0].z);
  b[1] = vec3<f32>(g1.x * b[1].x + g1.y * b[1].y, g1.x * b[1].y - g1.y * b[1].x, b[1].z);
  b[2] = vec3<f32>(g1.x * b[2].x + g1.y * b[2].y, g1.x * b[2].y - g1.y * b[2].x, b[2].z);
  let g2 = qr_givens(b[0].x, b[0].z);
  b[0] = vec3<f32>(g2.x * b[0].x + g2.y * b[0].z, b[0].y, g2.x * b[0].z - g2.y * b[0].x);
  b[1] = vec3<f32>(g2.x * b[1].x + g2.y * b[1].z, b[1].y, g2.x * b[1].z - g2.y * b[1].x);
  b[2] = vec3<f32>(g2.x * b[2].x + g2.y * b[2].z, b[2].y, g2.x * b[2].z - g2.y * b[2].x);
  let g3 = qr_givens(b[1].y, b[1].z);
  b[1] = vec3<f32>(b[1].x, g3.x * b[1].y + g3.y * b[1].z, 0.0);
  b[2] = vec3<f32>(b[2].x, g3.x * b[2].y + g3.y * b[2].z, g3.x * b[2].z - g3.y * b[2].y);
  // U = G1ᵀ G2ᵀ G3ᵀ, written out.
  let u = mat3x3<f32>(
    vec3<f32>(g1.x * g2.x, g1.y * g2.x, g2.y),
    vec3<f32>(-g1.y * g3.x - g1.x * g2.y * g3.y, g1.x * g3.x - g1.y * g2.y * g3.y, g2.x * g3.y),
    vec3<f32>(g1.y * g3.y - g1.x * g2.y * g3.x, -g1.x * g3.y - g1.y * g2.y * g3.x, g2.x * g3.x));
  return SignedSvd(u, vec3<f32>(b[0].x, b[1].y, b[2].z) * scale, v);
}
