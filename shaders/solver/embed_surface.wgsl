// Once per frame: where the vertices of an embedded surface are, carried by the tets that they hang in.
//
// In: particle positions, a tet and barycentric weights per vertex. Out: surface positions. One invocation per vertex,
// which writes its own entry only. Differences from the first corner are summed, so that the result moves with the
// particles exactly even where the weights add up to 1 only nearly.

struct SurfaceParams {
  vertex_count: u32,
}

struct SurfaceAnchor {
  vertices: vec4<u32>,
  weights: vec4<f32>,     // negative beyond the tet's faces; they add up to 1
}

@group(0) @binding(0) var<uniform> params: SurfaceParams;
@group(0) @binding(1) var<storage, read> particles: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> anchors: array<SurfaceAnchor>;
@group(0) @binding(3) var<storage, read_write> positions: array<vec4<f32>>;

const WORKGROUP_SIZE = 64u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn embed_surface(@builtin(global_invocation_id) id: vec3<u32>) {
  let vertex = id.x;
  if (vertex >= params.vertex_count) { return; }
  let anchor = anchors[vertex];
  let a = particles[anchor.vertices.x].xyz;
  let b = particles[anchor.vertices.y].xyz - a;
  let c = particles[anchor.vertices.z].xyz - a;
  let d = particles[anchor.vertices.w].xyz - a;
  positions[vertex] = vec4<f32>(a + anchor.weights.y * b + anchor.weights.z * c + anchor.weights.w * d, 1.0);
}
