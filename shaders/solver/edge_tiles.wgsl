// Slot two of a substep of cloth on a grid: all eight batches of edges in one dispatch, as solve_edges solves them.
//
// In: positions, displacements before. Out: displacements after. One workgroup per tile of 16 × 16 particles; see
// shared/cloth_tiles.wgsl. Each of the eight batches reaches at most one particle further along either axis, and six of
// them do along the same.

const MARGIN = 6u;
const PAIRS = SIDE / 2u;

@compute @workgroup_size(TILE_SIZE)
fn edge_tiles(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let corner = TILE * group.xy;
  load_tile(corner, local);
  along_rows(corner, local, 0u);
  along_rows(corner, local, 1u);
  along_columns(corner, local, 0u);
  along_columns(corner, local, 1u);
  diagonals(corner, local, 0u, 0u);
  diagonals(corner, local, 1u, 0u);
  diagonals(corner, local, 0u, 1u);
  diagonals(corner, local, 1u, 1u);
  store_tile(corner, local);
}

fn along_rows(corner: vec2<u32>, local: u32, parity: u32) {
  let start = (parity + MARGIN) & 1u;
  for (var k = local; k < PAIRS * SIDE; k += TILE_SIZE) {
    let a = vec2<u32>(2u * (k % PAIRS) + start, k / PAIRS);
    edge(corner, a, a + vec2<u32>(1u, 0u), false);
  }
  workgroupBarrier();
}

fn along_columns(corner: vec2<u32>, local: u32, parity: u32) {
  let start = (parity + MARGIN) & 1u;
  for (var k = local; k < PAIRS * SIDE; k += TILE_SIZE) {
    let a = vec2<u32>(k % SIDE, 2u * (k / SIDE) + start);
    edge(corner, a, a + vec2<u32>(0u, 1u), false);
  }
  workgroupBarrier();
}

// From the left down to the right, or where `rising` is 1 from the right down to the left.
fn diagonals(corner: vec2<u32>, local: u32, parity: u32, rising: u32) {
  let start = (parity + MARGIN) & 1u;
  for (var k = local; k < PAIRS * SIDE; k += TILE_SIZE) {
    let cell = vec2<u32>(2u * (k % PAIRS) + start, k / PAIRS);
    edge(corner, cell + vec2<u32>(rising, 0u), cell + vec2<u32>(1u - rising, 1u), true);
  }
  workgroupBarrier();
}

fn edge(corner: vec2<u32>, first: vec2<u32>, second: vec2<u32>, shear: bool) {
  let from_particle = particle_at(corner, first);
  let to_particle = particle_at(corner, second);
  if (any(max(first, second) >= vec2<u32>(SIDE)) || !in_grid(from_particle) || !in_grid(to_particle)) { return; }
  let at_a = first.y * SIDE + first.x;
  let at_b = second.y * SIDE + second.x;
  let a = tile[at_a];
  let b = tile[at_b];
  let weight = a.w + b.w;
  let between = positions[number_of(from_particle)].xyz - positions[number_of(to_particle)].xyz + (a.xyz - b.xyz);
  let size = length(between);
  if (weight == 0.0 || size == 0.0) { return; }
  var rest = params.spacing;
  var compliance = params.shear;
  if (shear) {
    rest = params.diagonal;
  } else {
    let across = select(from_particle.x, from_particle.y, first.y == second.y);
    let last = select(params.columns, params.rows, first.y == second.y) - 1u;
    compliance = params.stretch * select(1.0, 2.0, across == 0u || across == last);
  }
  var shorter = (size - rest) * weight / (weight + compliance);
  // A thread at its limit gives no more.
  if (!shear) { shorter = max(shorter, size - params.longest * rest); }
  let push = between * (shorter / (size * weight));
  tile[at_a] = vec4<f32>(a.xyz - a.w * push, a.w);
  tile[at_b] = vec4<f32>(b.xyz + b.w * push, b.w);
}
