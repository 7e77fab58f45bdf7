// Slot two of a substep of cloth: one batch of bending elements, whose energy ½ B|c|² is quadratic in c = Σ wᵢ xᵢ, the
// curvature across the element (three particles in a row, or two triangles: Bergou et al. 2006).
//
// In: positions, bends. Out: displacements. One invocation per element; no two of a batch share a particle. Weights add
// up to 0 and the correction is along c, so neither momentum changes.

struct ClothBend {
  particles: vec4<u32>,        // the fourth is 0xffffffff where there are three
  weights: vec3<f32>,          // of the first three; the fourth is minus their sum
  rest: f32,                   // |c| at rest
}

@group(0) @binding(0) var<uniform> params: ClothParams;
@group(0) @binding(1) var<storage, read> positions: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> displacements: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> bends: array<ClothBend>;            // of this batch alone

const NONE = 0xffffffffu;

@compute @workgroup_size(WORKGROUP_SIZE)
fn solve_bends(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= arrayLength(&bends)) { return; }
  let bend = bends[id.x];
  let p = bend.particles;
  let weights = vec4<f32>(bend.weights, -(bend.weights.x + bend.weights.y + bend.weights.z));
  let four = p.w != NONE;
  let a = displacements[p.x];
  let b = displacements[p.y];
  let c = displacements[p.z];
  var d = vec4<f32>(0.0);
  // Relative to the first particle: weights add up to 0.
  let origin = positions[p.x].xyz;
  var curvature = weights.y * (positions[p.y].xyz - origin + (b.xyz - a.xyz)) + weights.z * (positions[p.z].xyz - origin + (c.xyz - a.xyz));
  if (four) {
    d = displacements[p.w];
    curvature += weights.w * (positions[p.w].xyz - origin + (d.xyz - a.xyz));
  }
  if (bend.rest > 0.0) {
    let size = length(curvature);
    if (size == 0.0) { return; }
    curvature *= 1.0 - bend.rest / size;
  }
  let mobility = dot(weights * weights, vec4<f32>(a.w, b.w, c.w, d.w));
  if (mobility == 0.0) { return; }
  let push = curvature / (mobility + params.bend);
  displacements[p.x] = vec4<f32>(a.xyz - a.w * weights.x * push, a.w);
  displacements[p.y] = vec4<f32>(b.xyz - b.w * weights.y * push, b.w);
  displacements[p.z] = vec4<f32>(c.xyz - c.w * weights.z * push, c.w);
  if (four) { displacements[p.w] = vec4<f32>(d.xyz - d.w * weights.w * push, d.w); }
}
