// Slot one of an explicit substep, first half: elastic and damping forces of every tet, summed per patch.
//
// In: positions, velocities, rest positions, tets, materials. Out: partials, one force per (patch, vertex of it). One
// workgroup per patch of up to 128 tets on up to 128 vertices: their state is staged in workgroup memory, one invocation
// computes one tet, and the forces meet in workgroup memory again, so that of the 64 bytes that a tet's forces are,
// about 6 leave the chip. Each corner has a slot of its own and each vertex sums its slots in order: no atomics, and a
// result that does not depend on the schedule.
//
// Ψ = μ‖Σ−1‖² + λ/2 (J−1)², so P = 2μ(F − R) + λ(J−1) cof F, and the force on corner a is −V₀ P b_a. The rows b_a of
// D_m⁻¹ are made here from the rest edges: V₀ b_1 = (E_2 × E_3)/6, and 36 bytes per tet need not be read.

struct Patch {
  first_tet: u32,
  tet_count: u32,
  first_vertex: u32,
  vertex_count: u32,
}

struct PatchTet {
  corners: u32,                // four local vertices, 8 bits each
  slots: u32,                  // slots of corners 0 … 2, 10 bits each
  slot_material: u32,          // slot of corner 3 in 10 bits, then the row of its material
  stiffness: f32,              // 1/m²: ω_t² = (2μ+λ)/ρ × this bounds the tet's share of the mesh's frequencies
}

struct PatchVertex {
  vertex: u32,
  partial: u32,                // where its sum goes
  slots: u32,                  // its first slot, then their number in the upper 16 bits
}

@group(0) @binding(0) var<uniform> params: StepParams;
@group(0) @binding(1) var<storage, read> materials: array<MaterialRow>;
@group(0) @binding(2) var<storage, read> positions: array<vec4<f32>>;       // m, relative to the origin of coordinates
@group(0) @binding(3) var<storage, read> velocities: array<vec4<f32>>;      // m/s
@group(0) @binding(4) var<storage, read> rest_positions: array<vec4<f32>>;  // m
@group(0) @binding(5) var<storage, read> patches: array<Patch>;
@group(0) @binding(6) var<storage, read> patch_tets: array<PatchTet>;
@group(0) @binding(7) var<storage, read> patch_vertices: array<PatchVertex>;
@group(0) @binding(8) var<storage, read_write> partials: array<vec4<f32>>;  // N

// A smaller strain is f32 rounding of F and R. The torque of what is left of it would turn stiff small bodies at rest.
const REST_STRAIN = 5e-7;
const PATCH_SIZE = 128u;
const STAGED = 3u;               // vectors of a staged vertex: x, v, X
// First the staged state of at most PATCH_SIZE vertices, then the forces of the corners of as many tets: one after the
// other in the same 8 KiB.
var<workgroup> scratch: array<vec4<f32>, 4 * PATCH_SIZE>;

fn staged(first: u32) -> vec3<f32> {
  return scratch[first].xyz;
}

fn put(first: u32, value: vec3<f32>) {
  scratch[first] = vec4<f32>(value, 0.0);
}

struct CornerForces { f1: vec3<f32>, f2: vec3<f32>, f3: vec3<f32> }

// Row-sum norm, an upper bound of the largest eigenvalue of a symmetric matrix.
fn row_sum(m: mat3x3<f32>) -> f32 {
  let rows = abs(m[0]) + abs(m[1]) + abs(m[2]);
  return max(rows.x, max(rows.y, rows.z));
}

fn corner_forces(material: MaterialRow, stiffness: f32, corners: vec4<u32>) -> CornerForces {
  let x0 = staged(corners.x);
  let e1 = staged(corners.y) - x0;
  let e2 = staged(corners.z) - x0;
  let e3 = staged(corners.w) - x0;
  let r0 = staged(corners.x + 2u);
  let r1 = staged(corners.y + 2u) - r0;
  let r2 = staged(corners.z + 2u) - r0;
  let r3 = staged(corners.w + 2u) - r0;

  let n1 = cross(r2, r3);
  let n2 = cross(r3, r1);
  let n3 = cross(r1, r2);
  let inverse = 1.0 / dot(r1, n1);
  let b1 = n1 * inverse;
  let b2 = n2 * inverse;
  let b3 = n3 * inverse;
  // F = D_s D_m⁻¹ and its rate; column j is Σ e_a b_a[j].
  let f = mat3x3<f32>(
    e1 * b1.x + e2 * b2.x + e3 * b3.x,
    e1 * b1.y + e2 * b2.y + e3 * b3.y,
    e1 * b1.z + e2 * b2.z + e3 * b3.z);
  let cof = cofactor(f);
  let j = dot(f[0], cof[0]);
  let rotation = closest_rotation(f, cof, j);
  var strain = f - rotation;
  let strain_squared = norm_squared(strain);
  var dilation = j - 1.0;
  if (strain_squared < REST_STRAIN * REST_STRAIN) {
    strain = strain * 0.0;
    dilation = 0.0;
  }

  // Large strain stiffens a tet beyond what the substep can follow: there its forces are scaled down. z₁ and z₂ bound
  // ω² of its shape and volume terms; both are exact at rest, where the limiter lets twice as much pass: the
  // bounds exceed the true ω² by that and more up to strains of a half. Beyond strains of one a single tet may reach its
  // bound, and nothing is given away.
  let mu2 = 2.0 * material.lame_mu;
  var shape = 1.0;
  var bulk = 1.0;
  if (!(strain_squared < 1e-3)) {
    let per_density = stiffness / material.density;
    let slack = 1.0 - 0.5 * clamp((strain_squared - 0.25) / 0.75, 0.0, 1.0);
    let limit = slack * max(material.stiffest, 2.0 * (mu2 + material.lame_lambda) * per_density);
    let z1 = mu2 * per_density;
    let z2 = material.lame_lambda * per_density
      * (row_sum(cof * transpose(cof)) + abs(j - 1.0) * sqrt(row_sum(f * transpose(f))));
    shape = min(1.0, limit / z1);
    bulk = min(1.0, max(limit - shape * z1, 0.2 * limit) / max(z2, 1e-30));
    let excess = (shape * z1 + bulk * z2) / (1.05 * limit);
    if (excess > 1.0) { shape /= excess; bulk /= excess; }
  }

  let v0 = staged(corners.x + 1u);
  let w1 = inverse * (staged(corners.y + 1u) - v0);
  let w2 = inverse * (staged(corners.z + 1u) - v0);
  let w3 = inverse * (staged(corners.w + 1u) - v0);
  let rate = mat3x3<f32>(
    w1 * n1.x + w2 * n2.x + w3 * n3.x,
    w1 * n1.y + w2 * n2.y + w3 * n3.y,
    w1 * n1.z + w2 * n2.z + w3 * n3.z);
  // Kelvin–Voigt damping of shape and volume. On the Green strain rate that of shape is free of torque, but its gain
  // grows like σ⁴; at large strain the rate is taken in the rotated frame. That of volume always is free of it, and
  // without it nearly incompressible bodies blow up when a vertex is torn away.
  var frame = f;
  var gain = 1.0;
  if (strain_squared < 0.0625) {
    let n = norm_squared(f);
    gain = min(1.0, 9.0 / (n * n));
  } else {
    frame = rotation;
  }
  let half = transpose(frame) * rate;
  let viscous = frame * (half + transpose(half)) * (0.5 * material.viscosity * gain);
  dilation += material.viscosity * (dot(cof[0], rate[0]) + dot(cof[1], rate[1]) + dot(cof[2], rate[2]));
  let stress = (strain + viscous) * (mu2 * shape) + cof * (bulk * material.lame_lambda * dilation);
  // −V₀ P b_a with V₀ b_a = n_a/6.
  return CornerForces(stress * (n1 * (-1.0 / 6.0)), stress * (n2 * (-1.0 / 6.0)), stress * (n3 * (-1.0 / 6.0)));
}

@compute @workgroup_size(PATCH_SIZE)
fn tet_forces(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let own = patches[group.x];
  // Loaded before anything is waited for: the way from memory is longer than the arithmetic.
  var tet = PatchTet(0u, 0u, 0u, 0.0);
  if (lane < own.tet_count) { tet = patch_tets[own.first_tet + lane]; }
  let material = materials[tet.slot_material >> 10u];
  var vertex = PatchVertex(0u, 0u, 0u);
  if (lane < own.vertex_count) {
    vertex = patch_vertices[own.first_vertex + lane];
    put(STAGED * lane, positions[vertex.vertex].xyz);
    put(STAGED * lane + 1u, velocities[vertex.vertex].xyz);
    put(STAGED * lane + 2u, rest_positions[vertex.vertex].xyz);
  }
  workgroupBarrier();
  var forces = CornerForces(vec3<f32>(0.0), vec3<f32>(0.0), vec3<f32>(0.0));
  if (lane < own.tet_count) {
    let corners = STAGED * ((vec4<u32>(tet.corners) >> vec4<u32>(0u, 8u, 16u, 24u)) & vec4<u32>(0xffu));
    forces = corner_forces(material, tet.stiffness, corners);
  }
  workgroupBarrier();
  if (lane < own.tet_count) {
    put((tet.slot_material & 0x3ffu), forces.f3);
    put((tet.slots & 0x3ffu), -(forces.f1 + forces.f2 + forces.f3));
    put(((tet.slots >> 10u) & 0x3ffu), forces.f1);
    put((tet.slots >> 20u), forces.f2);
  }
  workgroupBarrier();
  if (lane < own.vertex_count) {
    let first = vertex.slots & 0xffffu;
    let end = first + (vertex.slots >> 16u);
    var sum = vec3<f32>(0.0);
    // Four at a time: the loads of one vertex wait for one another otherwise.
    var at = first;
    for (; at + 3u < end; at += 4u) { sum += (staged(at) + staged(at + 1u)) + (staged(at + 2u) + staged(at + 3u)); }
    for (; at < end; at++) { sum += staged(at); }
    partials[vertex.partial] = vec4<f32>(sum, 0.0);
  }
}
