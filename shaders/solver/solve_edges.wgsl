// Slot two of a substep of cloth: one batch of edges, each a distance constraint with compliance (XPBD, one iteration
// per substep: Macklin et al. 2019, Small Steps in Physics Simulation).
//
// In: positions, edges. Out: displacements. One invocation per edge. No two edges of a batch share a particle, so each
// writes what nobody else reads. Δλ = −C/(w₁ + w₂ + α/Δt²), with areas in place of masses on both sides.

struct ClothEdge {
  a: u32,
  b: u32,
  length: f32,                 // at rest, m
  factor: f32,                 // above 0: times the compliance of stretch; below: minus that, of shear
}

@group(0) @binding(0) var<uniform> params: ClothParams;
@group(0) @binding(1) var<storage, read> positions: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> displacements: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> edges: array<ClothEdge>;            // of this batch alone

@compute @workgroup_size(WORKGROUP_SIZE)
fn solve_edges(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= arrayLength(&edges)) { return; }
  let edge = edges[id.x];
  let a = displacements[edge.a];
  let b = displacements[edge.b];
  let weight = a.w + b.w;
  let between = positions[edge.a].xyz - positions[edge.b].xyz + (a.xyz - b.xyz);
  let size = length(between);
  if (weight == 0.0 || size == 0.0) { return; }
  let shear = edge.factor < 0.0;
  let compliance = select(params.stretch, params.shear, shear) * abs(edge.factor);
  var shorter = (size - edge.length) * weight / (weight + compliance);
  // A thread at its limit gives no more.
  if (!shear) { shorter = max(shorter, size - params.longest * edge.length); }
  let push = between * (shorter / (size * weight));
  displacements[edge.a] = vec4<f32>(a.xyz - a.w * push, a.w);
  displacements[edge.b] = vec4<f32>(b.xyz + b.w * push, b.w);
}
