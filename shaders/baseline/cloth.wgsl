// The cloth that the bench compares with: Verlet once a frame, then five passes of hard springs, batch by batch.
//
// move_particles, 5 × 12 × relax, compute_normals: 62 dispatches a frame. A grid has structural springs along rows and
// columns, shear springs along both diagonals, and bending springs across one particle; the twelve batches are those
// kinds by even and odd column or row (bending: by pairs of them), so that no two springs of a batch share a particle.
// As published, a correction is shared out by the inverse masses and multiplied by an extra ½, damping is a part of the way
// of a frame, and wind is an acceleration. There are no masses, no stiffness and no floor.

struct Params {
  gravity: vec3<f32>,
  frame_seconds: f32,
  wind: vec3<f32>,
  side: u32,
  spacing: f32,
  padding_a: f32,
  padding_b: f32,
  padding_c: f32,
}

@group(0) @binding(0) var<storage, read_write> positions: array<vec4<f32>>;  // w: inverse mass, 0 or 1
@group(0) @binding(1) var<storage, read_write> previous: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> normals: array<vec4<f32>>;
@group(0) @binding(3) var<uniform> params: Params;

// A batch: from particle (i, j) + (left, 0) to (i, j) + (right, down).
override left: u32 = 0u;
override right: u32 = 1u;
override down: u32 = 0u;
// Which of the two batches of its kind, and how many neighbours begin a spring side by side: 1, or 2 where springs span 2.
override parity: u32 = 0u;
override run: u32 = 1u;

const DAMPING = 0.015;
const TILE = 8u;

@compute @workgroup_size(TILE, TILE)
fn move_particles(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= params.side || id.y >= params.side) { return; }
  let particle = id.y * params.side + id.x;
  let now = positions[particle];
  if (now.w == 0.0) { return; }
  let noise = 0.5 * sin(2.0 * now.x + 3.0 * now.y) + 0.5;
  let acceleration = params.gravity + noise * params.wind;
  let way = (now.xyz - previous[particle].xyz) * (1.0 - DAMPING) + acceleration * params.frame_seconds * params.frame_seconds;
  previous[particle] = now;
  positions[particle] = vec4<f32>(now.xyz + way, now.w);
}

// The place of the n-th spring of a batch along the way that it is counted.
fn stride(n: u32) -> u32 {
  return (n / run) * 2u * run + parity * run + n % run;
}

@compute @workgroup_size(TILE, TILE)
fn relax(@builtin(global_invocation_id) id: vec3<u32>) {
  // Springs down a column are counted by rows, all others by columns.
  let along_columns = left == right;
  let i = select(stride(id.x), id.x, along_columns);
  let j = select(id.y, stride(id.y), along_columns);
  if (i + max(left, right) >= params.side || j + down >= params.side) { return; }
  let a = j * params.side + i + left;
  let b = (j + down) * params.side + i + right;
  let p = positions[a];
  let q = positions[b];
  let weight = p.w + q.w;
  let way = q.xyz - p.xyz;
  let distance = length(way);
  if (weight == 0.0 || distance == 0.0) { return; }
  let across = f32(max(left, right) - min(left, right));
  let rest = params.spacing * length(vec2<f32>(across, f32(down)));
  let correction = 0.5 * (1.0 - rest / distance) / weight * way;
  positions[a] = vec4<f32>(p.xyz + p.w * correction, p.w);
  positions[b] = vec4<f32>(q.xyz - q.w * correction, q.w);
}

@compute @workgroup_size(TILE, TILE)
fn compute_normals(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= params.side || id.y >= params.side) { return; }
  let last = params.side - 1u;
  let row = id.y * params.side;
  let across = positions[row + min(id.x + 1u, last)].xyz - positions[row + max(id.x, 1u) - 1u].xyz;
  let below = positions[min(id.y + 1u, last) * params.side + id.x].xyz;
  let above = positions[(max(id.y, 1u) - 1u) * params.side + id.x].xyz;
  let normal = cross(across, above - below);
  normals[row + id.x] = vec4<f32>(normal * inverseSqrt(max(dot(normal, normal), 1e-30)), 0.0);
}
