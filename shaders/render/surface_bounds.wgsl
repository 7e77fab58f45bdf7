// Bounds of the surface as it is now, along the world axes and along the light's axes.
//
// In: positions, surface indices, the light basis of the frame. Out: twelve encoded maxima, cleared to zero beforehand.
// In parallel: one thread per stride of indices; each workgroup reduces in shared memory, then its first twelve threads
// merge with atomicMax. A maximum is exact and order-free, so the result is the same on every run.

const WORKGROUP_SIZE = 128u;
const AXES = 6u;
// Farther than this from the body's own origin a position counts as exploded and may not drag the light along.
const FARTHEST = 1.0e6;

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read_write> bounds: array<atomic<u32>, 12>;
@group(1) @binding(0) var<storage, read> positions: array<vec4f>;
@group(1) @binding(1) var<storage, read> triangles: array<u32>;

var<workgroup> merged: array<atomic<u32>, 12>;

// Order-preserving code of a float: larger float, larger code, and zero below the code of every finite float.
fn ordered(value: f32) -> u32 {
  let bits = bitcast<u32>(value);
  return select(bits | 0x80000000u, ~bits, (bits & 0x80000000u) != 0u);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn surface_bounds(
  @builtin(global_invocation_id) global: vec3u,
  @builtin(local_invocation_index) local: u32,
  @builtin(num_workgroups) groups: vec3u,
) {
  var high = array<u32, 12>();
  let stride = groups.x * WORKGROUP_SIZE;
  for (var i = global.x; i < frame.triangle_index_count; i += stride) {
    let p = positions[triangles[i]].xyz;
    if (!near_enough(p)) {
      continue;
    }
    var along = array<f32, AXES>(
      p.x, p.y, p.z,
      dot(p, frame.light_right.xyz), dot(p, frame.light_up.xyz), -dot(p, frame.to_sun.xyz),
    );
    for (var axis = 0u; axis < AXES; axis++) {
      high[axis] = max(high[axis], ordered(along[axis]));
      high[axis + AXES] = max(high[axis + AXES], ordered(-along[axis]));
    }
  }
  for (var k = 0u; k < 2u * AXES; k++) {
    if (high[k] != 0u) {
      atomicMax(&merged[k], high[k]);
    }
  }
  workgroupBarrier();
  if (local < 2u * AXES) {
    atomicMax(&bounds[local], atomicLoad(&merged[local]));
  }
}

// The exponent is tested as bits: a comparison with NaN may be optimised away.
fn near_enough(p: vec3f) -> bool {
  let bits = bitcast<vec3u>(p) & vec3u(0x7f800000u);
  return all(bits != vec3u(0x7f800000u)) && all(abs(p) < vec3f(FARTHEST));
}
