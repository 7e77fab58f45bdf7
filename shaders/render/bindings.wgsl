// Group 0 of every draw: the frame and where the light is now.

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<uniform> light: Light;

// A vertex that is NaN or infinite is drawn at the middle of the body: wrong where the solver already is, but finite.
fn finite_position(p: vec3f) -> vec3f {
  let bits = bitcast<vec3u>(p) & vec3u(0x7f800000u);
  let good = all(bits != vec3u(0x7f800000u)) && all(abs(p) < vec3f(1.0e6));
  return select(0.5 * (light.bounds_min.xyz + light.bounds_max.xyz), p, good);
}

// Corner `index` (0..36) of the wall block's twelve triangles, counter-clockwise from outside, and its face normal.
struct WallVertex {
  position: vec3f,
  normal: vec3f,
}

fn wall_vertex(index: u32) -> WallVertex {
  let face = index / 6u;
  let axis = face % 3u;
  let positive = face >= 3u;
  let corner = index % 6u;
  // Two triangles of a unit square: (0,0) (1,0) (1,1), (0,0) (1,1) (0,1).
  var u = corner == 1u || corner == 2u || corner == 4u;
  var v = corner == 2u || corner == 4u || corner == 5u;
  if (!positive) {
    let swapped = u;
    u = v;
    v = swapped;
  }
  var upper: vec3<bool>;
  upper[axis] = positive;
  upper[(axis + 1u) % 3u] = u;
  upper[(axis + 2u) % 3u] = v;
  var normal = vec3f(0.0);
  normal[axis] = select(-1.0, 1.0, positive);
  return WallVertex(select(frame.wall_min.xyz, frame.wall_max.xyz, upper), normal);
}
