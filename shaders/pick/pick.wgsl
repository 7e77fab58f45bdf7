// Which triangle of the surface a ray meets first, as the surface is now. One kernel in three stages, each a dispatch.
//
// In: rays, positions, triangles. Out: a hit per ray. In parallel: an invocation per triangle and ray (rays along z).
// Stage one merges the nearest distance of each ray with atomicMax of an order-preserving code; stage two the least
// number among the triangles at exactly that distance; in stage three one invocation per ray writes the hit. Maxima do
// not depend on order, so the result is the same on every run. It is one pipeline, because distances of stages one and
// two are compared bit by bit, and two pipelines may round differently.
//
// The test is the watertight one of Woop, Benthin and Wald (2013): the ray is turned and sheared onto the z axis, so
// that what is left are signs of areas, which both triangles of an edge compute from the same numbers.

struct PickParams {
  stage: u32,
}

struct PickRay {
  start: vec3<f32>,      // the point of the line that is nearest to the body's origin, m, relative to that origin
  nearest: f32,          // where on the line the ray begins, m from `start`; mostly negative
  direction: vec3<f32>,  // of length 1
}

struct PickKey {
  distance: atomic<u32>, // the nearer, the larger; 0 for a miss
  triangle: atomic<u32>, // complement of its number, so that the least number is the largest
}

struct PickHit {
  vertices: vec3<u32>,
  triangle: u32,         // NONE for a miss; the rest is of an earlier ray then
  barycentric: vec3<f32>,
  distance: f32,         // m from `start`
  point: vec3<f32>,      // m, relative to the body's origin
}

@group(0) @binding(0) var<uniform> params: PickParams;
@group(0) @binding(1) var<storage, read> rays: array<PickRay>;
@group(0) @binding(2) var<storage, read> positions: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> triangles: array<u32>;   // three corners per triangle
@group(0) @binding(4) var<storage, read_write> keys: array<PickKey>;
@group(0) @binding(5) var<storage, read_write> hits: array<PickHit>;

const WORKGROUP_SIZE = 64u;
const STAGE_DISTANCE = 0u;
const STAGE_TRIANGLE = 1u;
const NONE = 0xffffffffu;

// Axes turned in a circle until the one along which the ray is longest is z.
fn turned(v: vec3<f32>, along: vec3<f32>) -> vec3<f32> {
  let size = abs(along);
  if (size.x >= size.y && size.x >= size.z) { return v.yzx; }
  if (size.y >= size.z) { return v.zxy; }
  return v;
}

// Twice the area of (0, a, b). The factors stand in the order of the vertices' numbers: both triangles of an edge find
// the same number with opposite signs, even where products and sums are fused.
fn area(a: vec3<f32>, b: vec3<f32>, first: u32, second: u32) -> f32 {
  let swapped = first > second;
  let p = select(a.xy, b.xy, swapped);
  let q = select(b.xy, a.xy, swapped);
  let found = p.x * q.y - p.y * q.x;
  return select(found, -found, swapped);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn pick(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  var triangle = id.y * groups.x * WORKGROUP_SIZE + id.x;
  if (params.stage > STAGE_TRIANGLE) {
    if (triangle > 0u) { return; }
    triangle = ~atomicLoad(&keys[id.z].triangle);
    hits[id.z].triangle = triangle;
  }
  if (triangle >= arrayLength(&triangles) / 3u) { return; }
  let corners = vec3<u32>(triangles[3u * triangle], triangles[3u * triangle + 1u], triangles[3u * triangle + 2u]);

  let ray = rays[id.z];
  let along = turned(ray.direction, ray.direction);
  let shear = along.xy / along.z;
  let a = turned(positions[corners.x].xyz - ray.start, ray.direction);
  let b = turned(positions[corners.y].xyz - ray.start, ray.direction);
  let c = turned(positions[corners.z].xyz - ray.start, ray.direction);
  let a_flat = vec3<f32>(a.xy - shear * a.z, a.z);
  let b_flat = vec3<f32>(b.xy - shear * b.z, b.z);
  let c_flat = vec3<f32>(c.xy - shear * c.z, c.z);
  let weights = vec3<f32>(
    area(b_flat, c_flat, corners.y, corners.z),
    area(c_flat, a_flat, corners.z, corners.x),
    area(a_flat, b_flat, corners.x, corners.y),
  );
  // From either side; 0 is on an edge, which belongs to both triangles.
  if (!(all(weights >= vec3<f32>(0.0)) || all(weights <= vec3<f32>(0.0)))) { return; }
  let sum = weights.x + weights.y + weights.z;
  if (sum == 0.0) { return; }
  let barycentric = weights / sum;
  let distance = dot(barycentric, vec3<f32>(a.z, b.z, c.z)) / along.z;
  if (!(distance >= ray.nearest)) { return; }
  let bits = bitcast<u32>(distance);
  // Neither infinite nor NaN, asked of the bits: a comparison with NaN may be optimised away.
  if ((bits & 0x7f800000u) == 0x7f800000u) { return; }
  // A larger number has a larger code, a smaller one a larger complement of it.
  let key = ~select(bits | 0x80000000u, ~bits, (bits & 0x80000000u) != 0u);

  if (params.stage == STAGE_DISTANCE) {
    atomicMax(&keys[id.z].distance, key);
  } else if (params.stage == STAGE_TRIANGLE) {
    if (key == atomicLoad(&keys[id.z].distance)) { atomicMax(&keys[id.z].triangle, ~triangle); }
  } else {
    let p = positions[corners.x].xyz;
    let point = p + barycentric.y * (positions[corners.y].xyz - p) + barycentric.z * (positions[corners.z].xyz - p);
    hits[id.z] = PickHit(corners, triangle, barycentric, distance, point);
  }
}
