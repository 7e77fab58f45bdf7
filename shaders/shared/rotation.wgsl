// The rotation R = UVᵀ of F = UΣVᵀ with signed singular values, without the decomposition: R minimises ‖F − R‖.
//
// S = σ1 + σ2 + σ3 is the largest root of S⁴ − 2‖F‖²S² − 8JS + ‖F‖⁴ − 4‖cof F‖², found by Newton steps from √3‖F‖,
// which lies above it, and R = ((S² + ‖F‖²)F + 2S cof F − 2FFᵀF)/ζ with ζ = S³ − ‖F‖²S − 2J, a quarter of the derivative
// (Markley 1993, the fast optimal attitude matrix). ζ = 2(σ1+σ2)(σ2+σ3)(σ3+σ1) goes to zero where σ2 = −σ3: there R
// is not unique, and near it R is taken from the eigenvector to S of Horn's symmetric 4×4 matrix (Horn 1987), a unit
// quaternion and so always a proper rotation.

fn cofactor(f: mat3x3<f32>) -> mat3x3<f32> {
  return mat3x3<f32>(cross(f[1], f[2]), cross(f[2], f[0]), cross(f[0], f[1]));
}

fn norm_squared(f: mat3x3<f32>) -> f32 {
  return dot(f[0], f[0]) + dot(f[1], f[1]) + dot(f[2], f[2]);
}

// Symmetric 4×4 matrix: its diagonal, the rest of its first row, and entries 12, 13, 23.
struct Symmetric4 { diagonal: vec4<f32>, first: vec3<f32>, others: vec3<f32> }

fn square(m: Symmetric4) -> Symmetric4 {
  let d = m.diagonal;
  let a = m.first;
  let b = m.others;
  let aa = a * a;
  let bb = b * b;
  return Symmetric4(
    d * d + vec4<f32>(aa.x + aa.y + aa.z, aa.x + bb.x + bb.y, aa.y + bb.x + bb.z, aa.z + bb.y + bb.z),
    a * (d.x + d.yzw) + vec3<f32>(a.y * b.x + a.z * b.y, a.x * b.x + a.z * b.z, a.x * b.y + a.y * b.z),
    b * (d.yyz + d.zww) + vec3<f32>(a.x * a.y + b.y * b.z, a.x * a.z + b.x * b.z, a.y * a.z + b.x * b.y));
}

// The eigenvector by repeated squaring: the 2¹⁶th power of the matrix, shifted so that S is its largest eigenvalue in size
// too, is that eigenvector's projector wherever the second largest is a few 10⁻⁵ smaller.
fn horn_rotation(f: mat3x3<f32>) -> mat3x3<f32> {
  let magnitude = max(abs(f[0]), max(abs(f[1]), abs(f[2])));
  let scale = max(magnitude.x, max(magnitude.y, magnitude.z));
  if (!(scale > 0.0 && scale < 1e38)) { return mat3x3<f32>(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0); }
  let a = f[0] / scale;
  let b = f[1] / scale;
  let c = f[2] / scale;
  let shift = sqrt(3.0 * (dot(a, a) + dot(b, b) + dot(c, c)));
  var m = Symmetric4(
    shift + vec4<f32>(a.x + b.y + c.z, a.x - b.y - c.z, b.y - a.x - c.z, c.z - a.x - b.y),
    vec3<f32>(b.z - c.y, c.x - a.z, a.y - b.x),
    vec3<f32>(a.y + b.x, c.x + a.z, b.z + c.y));
  for (var power = 0; power < 16; power++) {
    m = square(m);
    let trace = 1.0 / (m.diagonal.x + m.diagonal.y + m.diagonal.z + m.diagonal.w);
    m = Symmetric4(m.diagonal * trace, m.first * trace, m.others * trace);
  }
  let d = m.diagonal;
  var q = vec4<f32>(d.x, m.first);
  var largest = d.x;
  if (d.y > largest) { largest = d.y; q = vec4<f32>(m.first.x, d.y, m.others.xy); }
  if (d.z > largest) { largest = d.z; q = vec4<f32>(m.first.y, m.others.x, d.z, m.others.z); }
  if (d.w > largest) { q = vec4<f32>(m.first.z, m.others.yz, d.w); }
  q *= inverseSqrt(dot(q, q));
  let w = q.x;
  let u = q.yzw;
  return mat3x3<f32>(
    vec3<f32>(1.0 - 2.0 * (u.y * u.y + u.z * u.z), 2.0 * (u.x * u.y + w * u.z), 2.0 * (u.x * u.z - w * u.y)),
    vec3<f32>(2.0 * (u.x * u.y - w * u.z), 1.0 - 2.0 * (u.x * u.x + u.z * u.z), 2.0 * (u.y * u.z + w * u.x)),
    vec3<f32>(2.0 * (u.x * u.z + w * u.y), 2.0 * (u.y * u.z - w * u.x), 1.0 - 2.0 * (u.x * u.x + u.y * u.y)));
}

// `cof` is the cofactor matrix of `f` and `j` its determinant, which callers need as well.
fn closest_rotation(f: mat3x3<f32>, cof: mat3x3<f32>, j: f32) -> mat3x3<f32> {
  let n = norm_squared(f);
  let constant = n * n - 4.0 * norm_squared(cof);
  var s = sqrt(3.0 * n);
  var step = 0.0;
  for (var newton = 0; newton < 5; newton++) {
    let ss = s * s;
    step = ((ss - 2.0 * n) * ss - 8.0 * j * s + constant) / (4.0 * (s * (ss - n) - 2.0 * j));
    s -= step;
    if (abs(step) < 1e-4 * s) { break; }
  }
  let zeta = s * (s * s - n) - 2.0 * j;
  // Written so that a NaN takes the fallback.
  if (!(zeta >= 0.15 * n * sqrt(n) && abs(step) < 1e-3 * s)) { return horn_rotation(f); }
  // FᵀF is symmetric: six dot products.
  let g = vec3<f32>(dot(f[0], f[0]), dot(f[1], f[1]), dot(f[2], f[2]));
  let h = vec3<f32>(dot(f[1], f[2]), dot(f[2], f[0]), dot(f[0], f[1]));
  let inverse = 1.0 / zeta;
  let k = (s * s + n - 2.0 * g) * inverse;
  let o = h * (-2.0 * inverse);
  let t = 2.0 * s * inverse;
  return mat3x3<f32>(
    f[0] * k.x + f[1] * o.z + f[2] * o.y + cof[0] * t,
    f[0] * o.z + f[1] * k.y + f[2] * o.x + cof[1] * t,
    f[0] * o.y + f[1] * o.x + f[2] * k.z + cof[2] * t);
}
