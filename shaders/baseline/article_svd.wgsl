// Signed SVD as the baseline of the bench uses it: four fixed Jacobi sweeps, no scaling, no second look (McAdams et al.
// 2011). The product's own is shared/svd.wgsl; this one is less exact and only here to be timed.

struct Decomposition {
  u: mat3x3<f32>,
  sigma: vec3<f32>,
  v: mat3x3<f32>,
}

const SWEEPS = 4;

fn half_angle(app: f32, apq: f32, aqq: f32) -> vec2<f32> {
  let ch = 2.0 * (app - aqq);
  let small = 5.8284271247461903 * apq * apq < ch * ch;
  let scale = inverseSqrt(max(ch * ch + apq * apq, 1e-30));
  return select(vec2<f32>(0.92387953251128674, 0.38268343236508977), scale * vec2<f32>(ch, apq), small);
}

fn eliminating(a: f32, b: f32) -> vec2<f32> {
  let square = a * a + b * b;
  return select(vec2<f32>(1.0, 0.0), vec2<f32>(a, b) * inverseSqrt(max(square, 1e-30)), square > 1e-12);
}

fn rotation_of(q: vec4<f32>) -> mat3x3<f32> {
  let d = 2.0 * q.xyz;
  let xx = d.x * q.x; let yy = d.y * q.y; let zz = d.z * q.z;
  let xy = d.x * q.y; let xz = d.x * q.z; let yz = d.y * q.z;
  let wx = d.x * q.w; let wy = d.y * q.w; let wz = d.z * q.w;
  return mat3x3<f32>(1.0 - yy - zz, xy + wz, xz - wy, xy - wz, 1.0 - xx - zz, yz + wx, xz + wy, yz - wx, 1.0 - xx - yy);
}

fn decompose(f: mat3x3<f32>) -> Decomposition {
  var d = vec3<f32>(dot(f[0], f[0]), dot(f[1], f[1]), dot(f[2], f[2]));  // s11 s22 s33
  var o = vec3<f32>(dot(f[0], f[1]), dot(f[1], f[2]), dot(f[2], f[0]));  // s12 s23 s31
  var q = vec4<f32>(0.0, 0.0, 0.0, 1.0);
  for (var turn = 0; turn < 3 * SWEEPS; turn++) {
    let h = half_angle(d.x, o.x, d.y);
    let c = h.x * h.x - h.y * h.y;
    let s = 2.0 * h.x * h.y;
    let d1 = c * c * d.x + 2.0 * c * s * o.x + s * s * d.y;
    let d2 = s * s * d.x - 2.0 * c * s * o.x + c * c * d.y;
    let o12 = (c * c - s * s) * o.x + c * s * (d.y - d.x);
    let o31 = c * o.z + s * o.y;
    let o23 = c * o.y - s * o.z;
    // The next plane takes the place of this one: the new axes (1, 2, 3) are the old (2, 3, 1).
    d = vec3<f32>(d2, d.z, d1);
    o = vec3<f32>(o23, o31, o12);
    let plane = turn % 3;
    let axis = select(select(vec3<f32>(0.0, 1.0, 0.0), vec3<f32>(1.0, 0.0, 0.0), plane == 1), vec3<f32>(0.0, 0.0, 1.0), plane == 0);
    let r = vec4<f32>(h.y * axis, h.x);
    q = vec4<f32>(q.w * r.xyz + r.w * q.xyz + cross(q.xyz, r.xyz), q.w * r.w - dot(q.xyz, r.xyz));
  }
  var v = rotation_of(normalize(q));
  var b = f * v;
  var n = vec3<f32>(dot(b[0], b[0]), dot(b[1], b[1]), dot(b[2], b[2]));
  if (n.x < n.y) { b = mat3x3<f32>(b[1], -b[0], b[2]); v = mat3x3<f32>(v[1], -v[0], v[2]); n = n.yxz; }
  if (n.x < n.z) { b = mat3x3<f32>(b[2], b[1], -b[0]); v = mat3x3<f32>(v[2], v[1], -v[0]); n = n.zyx; }
  if (n.y < n.z) { b = mat3x3<f32>(b[0], b[2], -b[1]); v = mat3x3<f32>(v[0], v[2], -v[1]); }

  // B = U R: three Givens rotations of rows, gathered in U.
  var r = transpose(b);
  var u = mat3x3<f32>(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
  let g1 = eliminating(r[0].x, r[1].x);
  r = mat3x3<f32>(g1.x * r[0] + g1.y * r[1], g1.x * r[1] - g1.y * r[0], r[2]);
  u = mat3x3<f32>(g1.x * u[0] + g1.y * u[1], g1.x * u[1] - g1.y * u[0], u[2]);
  let g2 = eliminating(r[0].x, r[2].x);
  r = mat3x3<f32>(g2.x * r[0] + g2.y * r[2], r[1], g2.x * r[2] - g2.y * r[0]);
  u = mat3x3<f32>(g2.x * u[0] + g2.y * u[2], u[1], g2.x * u[2] - g2.y * u[0]);
  let g3 = eliminating(r[1].y, r[2].y);
  r = mat3x3<f32>(r[0], g3.x * r[1] + g3.y * r[2], g3.x * r[2] - g3.y * r[1]);
  u = mat3x3<f32>(u[0], g3.x * u[1] + g3.y * u[2], g3.x * u[2] - g3.y * u[1]);
  return Decomposition(u, vec3<f32>(r[0].x, r[1].y, r[2].z), v);
}
