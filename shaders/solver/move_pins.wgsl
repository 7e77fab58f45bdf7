// At the beginning of a frame: pinned vertices that were given targets set out for them.
//
// In: targets, positions. Out: velocities. One invocation per target; no two are of one vertex. The substeps of this
// frame carry them (shaders/shared/pins.wgsl), and the body feels their velocity in its own damping.

struct PinParams {
  count: u32,
  substeps: f32,               // of this frame
  per_second: f32,             // 1 over the length of this frame, 1/s
}

struct PinTarget {
  position: vec3<f32>,         // m, relative to the origin of coordinates
  vertex: u32,
}

@group(0) @binding(0) var<uniform> params: PinParams;
@group(0) @binding(1) var<storage, read> targets: array<PinTarget>;
@group(0) @binding(2) var<storage, read> positions: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> velocities: array<vec4<f32>>;

const WORKGROUP_SIZE = 64u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn move_pins(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= params.count) { return; }
  let pin = targets[id.x];
  let way = pin.position - positions[pin.vertex].xyz;
  velocities[pin.vertex] = vec4<f32>(params.per_second * way, params.substeps);
}
