// What the two kernels share that solve a grid tile by tile: the tile with a margin in workgroup memory.
//
// A workgroup owns 16 × 16 particles. It also carries out what their neighbours' elements do to them, in the same order
// and with the same numbers as those who own them, as far as the batches of the kernel reach: MARGIN particles. So a
// whole sequence of batches is one dispatch and gives what the batches would give one by one.

const TILE = 16u;
const TILE_SIZE = 256u;
const SIDE = TILE + 2u * MARGIN;

@group(0) @binding(0) var<uniform> params: ClothParams;
@group(0) @binding(1) var<storage, read> positions: array<vec4<f32>>;       // m, at the beginning of the substep
@group(0) @binding(2) var<storage, read> before: array<vec4<f32>>;          // displacements, m, and inverse areas, 1/m²
@group(0) @binding(3) var<storage, read_write> after: array<vec4<f32>>;

var<workgroup> tile: array<vec4<f32>, SIDE * SIDE>;

// Column and row of a place in the tile; beyond the grid they are larger than it, also to the left of it.
fn particle_at(corner: vec2<u32>, place: vec2<u32>) -> vec2<u32> {
  return corner + place - vec2<u32>(MARGIN);
}

fn in_grid(particle: vec2<u32>) -> bool {
  return all(particle < vec2<u32>(params.columns, params.rows));
}

fn number_of(particle: vec2<u32>) -> u32 {
  return particle.y * params.columns + particle.x;
}

fn load_tile(corner: vec2<u32>, local: u32) {
  for (var k = local; k < SIDE * SIDE; k += TILE_SIZE) {
    let particle = particle_at(corner, vec2<u32>(k % SIDE, k / SIDE));
    var row = vec4<f32>(0.0);
    if (in_grid(particle)) { row = before[number_of(particle)]; }
    tile[k] = row;
  }
  workgroupBarrier();
}

fn store_tile(corner: vec2<u32>, local: u32) {
  let own = vec2<u32>(local % TILE, local / TILE);
  let particle = corner + own;
  if (in_grid(particle)) { after[number_of(particle)] = tile[(own.y + MARGIN) * SIDE + own.x + MARGIN]; }
}
