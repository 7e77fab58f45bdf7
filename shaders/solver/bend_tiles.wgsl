// Slot two of a substep of cloth on a grid: all six batches of bending elements in one dispatch, as solve_bends solves
// them.
//
// In: positions, displacements before. Out: displacements after. One workgroup per tile of 16 × 16 particles; see
// shared/cloth_tiles.wgsl. Three batches of three particles in a row reach at most four particles one way and six the
// other.

const MARGIN = 6u;
const TRIPLES = (SIDE + 2u) / 3u;

@compute @workgroup_size(TILE_SIZE)
fn bend_tiles(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let corner = TILE * group.xy;
  load_tile(corner, local);
  along_rows(corner, local, 0u);
  along_rows(corner, local, 1u);
  along_rows(corner, local, 2u);
  along_columns(corner, local, 0u);
  along_columns(corner, local, 1u);
  along_columns(corner, local, 2u);
  store_tile(corner, local);
}

// The first place of the tile whose column (row) is `third` modulo 3. The margin is a multiple of 3.
fn first_place(corner: u32, third: u32) -> u32 {
  return (third + 3u - corner % 3u) % 3u;
}

fn along_rows(corner: vec2<u32>, local: u32, third: u32) {
  let start = first_place(corner.x, third);
  for (var k = local; k < TRIPLES * SIDE; k += TILE_SIZE) {
    bend(corner, vec2<u32>(3u * (k % TRIPLES) + start, k / TRIPLES), vec2<u32>(1u, 0u));
  }
  workgroupBarrier();
}

fn along_columns(corner: vec2<u32>, local: u32, third: u32) {
  let start = first_place(corner.y, third);
  for (var k = local; k < TRIPLES * SIDE; k += TILE_SIZE) {
    bend(corner, vec2<u32>(k % SIDE, 3u * (k / SIDE) + start), vec2<u32>(0u, 1u));
  }
  workgroupBarrier();
}

fn bend(corner: vec2<u32>, first: vec2<u32>, step: vec2<u32>) {
  let particle = particle_at(corner, first);
  let last = first + 2u * step;
  if (any(last >= vec2<u32>(SIDE)) || !in_grid(particle) || !in_grid(particle + 2u * step)) { return; }
  let at = first.y * SIDE + first.x;
  let next = step.y * SIDE + step.x;
  let a = tile[at];
  let b = tile[at + next];
  let c = tile[at + 2u * next];
  let number = number_of(particle);
  let along = number_of(step);
  let across = select(particle.x, particle.y, step.x == 1u);
  let border = across == 0u || across + 1u == select(params.columns, params.rows, step.x == 1u);
  // The border stands for half a strip.
  let weight = select(params.bend_weight, params.border_weight, border);
  let origin = positions[number].xyz;
  let to_b = positions[number + along].xyz - origin + (b.xyz - a.xyz);
  let to_c = positions[number + 2u * along].xyz - origin + (c.xyz - a.xyz);
  let curvature = -2.0 * weight * to_b + weight * to_c;
  let mobility = weight * weight * (a.w + 4.0 * b.w + c.w);
  if (mobility == 0.0) { return; }
  let push = curvature * (weight / (mobility + params.bend));
  tile[at] = vec4<f32>(a.xyz - a.w * push, a.w);
  tile[at + next] = vec4<f32>(b.xyz + 2.0 * b.w * push, b.w);
  tile[at + 2u * next] = vec4<f32>(c.xyz - c.w * push, c.w);
}
