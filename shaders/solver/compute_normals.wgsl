// Once per frame: area-weighted vertex normals of the deformed surface.
//
// In: positions, triangles and the list of triangles round each vertex. Out: normals. One invocation per vertex that
// sums the cross products of its own triangles: clearing, accumulating and normalising in one pass, with no atomics.

struct SurfaceParams {
  vertex_count: u32,
}

@group(0) @binding(0) var<uniform> params: SurfaceParams;
@group(0) @binding(1) var<storage, read> positions: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> normals: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> triangles: array<u32>;           // three corners per triangle, outward CCW
@group(0) @binding(4) var<storage, read> triangle_offsets: array<u32>;    // vertex v owns entries offsets[v] … offsets[v+1]
@group(0) @binding(5) var<storage, read> incident_triangles: array<u32>;

const WORKGROUP_SIZE = 64u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn compute_normals(@builtin(global_invocation_id) id: vec3<u32>) {
  let vertex = id.x;
  if (vertex >= params.vertex_count) { return; }
  var sum = vec3<f32>(0.0);
  for (var entry = triangle_offsets[vertex]; entry < triangle_offsets[vertex + 1u]; entry++) {
    let first = 3u * incident_triangles[entry];
    let a = positions[triangles[first]].xyz;
    let b = positions[triangles[first + 1u]].xyz;
    let c = positions[triangles[first + 2u]].xyz;
    sum += cross(b - a, c - a);
  }
  // Scaled by the largest entry first: triangles of a millimetre have cross products near 1e-6, whose squares vanish.
  let size = max(abs(sum.x), max(abs(sum.y), abs(sum.z)));
  var normal = vec3<f32>(0.0, 1.0, 0.0);
  if (size > 0.0) { normal = normalize(sum / size); }
  normals[vertex] = vec4<f32>(normal, 0.0);
}
