// Fits the shadow box around what casts shadows now: the surface bounds of this frame and the wall block.
//
// In: the twelve maxima of surface_bounds, the frame. Out: the Light that the shadow and scene passes read.
// One thread: a few dozen operations, and nothing leaves the GPU.

const WORKGROUP_SIZE = 1u;

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read_write> bounds: array<u32, 12>;
@group(0) @binding(2) var<storage, read_write> light: Light;

fn decoded(code: u32) -> f32 {
  return bitcast<f32>(select(~code, code & 0x7fffffffu, (code & 0x80000000u) != 0u));
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn fit_light() {
  let has_body = bounds[0] != 0u;
  let has_wall = frame.wall_min.w > 0.5;
  var low = vec3f(0.0);
  var high = vec3f(0.0);
  var light_low = vec3f(1.0e30);
  var light_high = vec3f(-1.0e30);
  if (has_body) {
    high = vec3f(decoded(bounds[0]), decoded(bounds[1]), decoded(bounds[2]));
    low = -vec3f(decoded(bounds[6]), decoded(bounds[7]), decoded(bounds[8]));
    light_high = vec3f(decoded(bounds[3]), decoded(bounds[4]), decoded(bounds[5]));
    light_low = -vec3f(decoded(bounds[9]), decoded(bounds[10]), decoded(bounds[11]));
  }
  if (has_wall) {
    for (var corner = 0u; corner < 8u; corner++) {
      let upper = vec3<bool>((corner & 1u) != 0u, (corner & 2u) != 0u, (corner & 4u) != 0u);
      let p = select(frame.wall_min.xyz, frame.wall_max.xyz, upper);
      let q = vec3f(dot(p, frame.light_right.xyz), dot(p, frame.light_up.xyz), -dot(p, frame.to_sun.xyz));
      light_low = min(light_low, q);
      light_high = max(light_high, q);
    }
  }
  light.bounds_min = vec4f(low, f32(has_body));
  light.bounds_max = vec4f(high, 0.0);
  light.enabled = f32(has_body || has_wall);
  if (!(has_body || has_wall)) {
    light_low = vec3f(-1.0);
    light_high = vec3f(1.0);
  }

  // The side moves in steps of 2^(1/8) and the centre in whole texels, so that a wobbling body does not make the
  // texels of the shadow edge swim. The margin leaves room for the widest penumbra.
  let extent = max(max(light_high.x - light_low.x, light_high.y - light_low.y), 1.0e-3) * 1.2;
  let side = exp2(ceil(log2(extent) * 8.0) / 8.0);
  let texel = side / frame.to_sun.w;
  let center = floor(0.5 * (light_low.xy + light_high.xy) / texel) * texel;
  let pad = 0.02 * side;
  let near = light_low.z - pad;
  let depth = light_high.z - light_low.z + 2.0 * pad;
  let right = frame.light_right.xyz * (2.0 / side);
  let up = frame.light_up.xyz * (2.0 / side);
  let away = -frame.to_sun.xyz / depth;
  light.light_from_world = mat4x4f(
    vec4f(right.x, up.x, away.x, 0.0),
    vec4f(right.y, up.y, away.y, 0.0),
    vec4f(right.z, up.z, away.z, 0.0),
    vec4f(-2.0 * center / side, -near / depth, 1.0),
  );
  light.side = side;
  light.depth = depth;
  light.texel = texel;
}
