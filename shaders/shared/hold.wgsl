// What a pointer holds, and the spring that pulls it: shared by the kernels of hands. Layouts are held to src/layout.rs.

struct Hold {
  destination: vec3<f32>,      // where the grabbed point is wanted, m, relative to the origin of coordinates
  stiffness: f32,              // of the spring over the mass of the body, 1/s²
  barycentric: vec3<f32>,      // the grabbed point in its triangle
  damping: f32,                // of the spring over the mass of the body, 1/s
  triangle: vec3<u32>,
  radius: f32,                 // m
  reach: f32,                  // m: the spring pulls no harder from farther away
  inertia: f32,                // how much heavier the mass operator makes a body that gravity moves unfiltered, else 1
  mass: f32,                   // of the body, kg
  vertex_count: u32,
  substep_seconds: f32,        // Δt, for kernels that are not told it otherwise
}

struct HeldVertex {
  offset: vec3<f32>,           // from the grabbed point when it was grabbed, m
  vertex: u32,
  pulled: vec3<f32>,           // what the hold moved it in this substep so far, m; XPBD only
  weight: f32,                 // 0 to 1
}

struct Held {
  count: u32,
  share: u32,                  // Σ weight × part of the mass, in units of 1/WHOLE_SHARE
  vertices: array<HeldVertex>,
}

const HOLD_WORKGROUP_SIZE = 64u;
// A sum of parts of the body's mass in fixed point: integers add up to the same in any order.
const WHOLE_SHARE = 2147483648.0;

// From a vertex to where it is wanted, no farther than the spring reaches.
fn way_to(wanted: vec3<f32>, position: vec3<f32>, reach: f32) -> vec3<f32> {
  let way = wanted - position;
  return way * min(1.0, reach / max(length(way), 1e-30));
}
