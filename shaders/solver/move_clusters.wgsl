// Slot one of an explicit substep, second half, where the mesh is stiffer than the substep can follow: accelerations
// pass through the mass operator B before they act.
//
// In: partials, vertices, materials, clusters. Out: positions, velocities, contacts. One workgroup per cluster of
// connected vertices, which loops over them; every vertex is in one cluster and only its invocation writes it.
// B = p₀(1 − Π) + p₁Π, Π the projection on the cluster's rigid motions in its present shape: motion inside a cluster gets
// the mass 1/p₀ times as large, rigid motion keeps its own (p₁ = 1 where the clusters are large enough). B is symmetric in
// the mass metric, so equilibria, momentum and slow motion are as without it. Where nothing is pinned gravity, which
// is a rigid motion of the whole body, passes unchanged.
//
// Contact impulses pass through B as well: a plain clamp of the velocity would inject energy there. Impulses are kept
// from one substep to the next, so that a body at rest is held by them alone; two rounds adjust them, and what is left
// is clamped. They are kept even where a vertex is above the floor: rounding lifts one at rest by its last digit, and
// without its impulse the block would shiver and sag. From one that leaves the rounds take them back.

struct Cluster {
  first: u32,                  // its vertices are cluster_vertices[first] … [first + count − 1]
  count: u32,
  inner: f32,                  // p₀
  rigid: f32,                  // p₁
  free: u32,                   // 1 where its body is pinned nowhere
  reach: f32,                  // m: no vertex moves farther relative to the cluster in a substep; 0 for no such limit
}

@group(0) @binding(6) var<storage, read> clusters: array<Cluster>;
@group(0) @binding(7) var<storage, read> cluster_vertices: array<u32>;
@group(0) @binding(8) var<storage, read_write> contacts: array<vec4<f32>>;   // impulse that the floor gives per substep, N·s

const CONTACT_ROUNDS = 2u;

// Five rows of sums per lane. One flat array of vectors, and no arrays in registers: software adapters compile those badly.
var<workgroup> sums: array<vec4<f32>, 5 * WORKGROUP_SIZE>;
var<workgroup> near: atomic<u32>;
var<workgroup> is_near: u32;

// Adds up the lanes' rows, four to one at a time, in a fixed order, so that results repeat bit for bit.
fn reduce(lane: u32, a: vec4<f32>, b: vec4<f32>, c: vec4<f32>, d: vec4<f32>, e: vec4<f32>) {
  workgroupBarrier();
  sums[lane] = a;
  sums[lane + WORKGROUP_SIZE] = b;
  sums[lane + 2u * WORKGROUP_SIZE] = c;
  sums[lane + 3u * WORKGROUP_SIZE] = d;
  sums[lane + 4u * WORKGROUP_SIZE] = e;
  for (var left = WORKGROUP_SIZE / 4u; left > 3u; left /= 4u) {
    workgroupBarrier();
    // One row per lane, and so many rows after one another where there are fewer lanes: item = row × left + place.
    for (var item = lane; item < 5u * left; item += WORKGROUP_SIZE) {
      let place = WORKGROUP_SIZE * (item / left) + item % left;
      sums[place] += sums[place + left] + sums[place + 2u * left] + sums[place + 3u * left];
    }
  }
  workgroupBarrier();
}

// Four are left of each row.
fn total(row: u32) -> vec4<f32> {
  let first = WORKGROUP_SIZE * row;
  return (sums[first] + sums[first + 1u]) + (sums[first + 2u] + sums[first + 3u]);
}

// The cluster as a rigid body, about a vertex of it.
struct Frame {
  center: vec3<f32>,
  mass: f32,
  inverse_inertia: mat3x3<f32>,
}

struct Motion { linear: vec3<f32>, angular: vec3<f32> }

fn make_frame(mass: f32, first: vec3<f32>, diagonal: vec3<f32>, off: vec3<f32>) -> Frame {
  let c = first / mass;
  // Second moments about the centre, then the inertia tensor.
  let d = diagonal - mass * c * c;
  let o = off - mass * vec3<f32>(c.x * c.y, c.x * c.z, c.y * c.z);
  // In units of the trace, so that no product of a body of a tenth of a millimetre vanishes in f32. A single vertex has
  // no inertia at all, a cluster on a line none about it: a millionth keeps the inverse finite.
  let trace = d.x + d.y + d.z;
  let unit = select(0.0, 1.0 / trace, trace > 0.0);
  let a = vec3<f32>(1.000001 - d.x * unit, -o.x * unit, -o.y * unit);
  let b = vec3<f32>(-o.x * unit, 1.000001 - d.y * unit, -o.z * unit);
  let e = vec3<f32>(-o.y * unit, -o.z * unit, 1.000001 - d.z * unit);
  let be = cross(b, e);
  let scale = unit / dot(a, be);
  return Frame(c, mass, mat3x3<f32>(be * scale, cross(e, a) * scale, cross(a, b) * scale));
}

fn rigid_motion(frame: Frame, impulse: vec3<f32>, moment: vec3<f32>) -> Motion {
  return Motion(impulse / frame.mass, frame.inverse_inertia * (moment - cross(frame.center, impulse)));
}

fn moved(motion: Motion, frame: Frame, arm: vec3<f32>) -> vec3<f32> {
  return motion.linear + cross(motion.angular, arm - frame.center);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn move_clusters(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let own = clusters[group.x];
  let step = params.substep_seconds;
  let anchor = positions[cluster_vertices[own.first]].xyz;
  let unfiltered = select(vec3<f32>(0.0), params.gravity, own.free == 1u);
  let filtered = params.gravity - unfiltered;

  // Mass, moments, impulse and its moment of what acts in this substep.
  var masses = vec4<f32>(0.0);
  var squares = vec4<f32>(0.0);
  var products = vec4<f32>(0.0);
  var moments = vec4<f32>(0.0);
  var momentum = vec4<f32>(0.0);
  var near_floor = false;
  if (lane == 0u) { atomicStore(&near, 0u); }
  workgroupBarrier();
  for (var i = lane; i < own.count; i += WORKGROUP_SIZE) {
    let vertex = cluster_vertices[own.first + i];
    let row = vertices[vertex];
    if (row.inverse_volume == 0.0) { continue; }
    let mass = materials[row.material].density / row.inverse_volume;
    let speed_before = velocities[vertex].xyz;
    let position = above_floor(positions[vertex].xyz);
    let arm = position - anchor;
    var contact = contacts[vertex].xyz;
    if (params.floor_enabled == 0u) { contact = vec3<f32>(0.0); }
    let impulse = step * (elastic_force(row) + mass * filtered) + contact;
    if (params.floor_enabled == 1u) {
      contacts[vertex] = vec4<f32>(contact, 0.0);
      let speed = length(speed_before) + step * length(params.gravity);
      near_floor = near_floor || contact.y > 0.0 || position.y - params.floor_height < 2.0 * step * speed;
    }
    // What the vertex gains by itself; what it gains with its cluster follows.
    velocities[vertex] = vec4<f32>(speed_before + own.inner / mass * impulse + step * unfiltered, 0.0);
    masses += mass * vec4<f32>(1.0, arm);
    squares += vec4<f32>(mass * arm * arm, impulse.x);
    products += vec4<f32>(mass * arm.xxy * arm.yzz, impulse.y);
    moments += vec4<f32>(cross(arm, impulse), impulse.z);
    momentum += vec4<f32>(mass * speed_before, 0.0);
  }
  // Whether the floor may be reached in this substep. Where a vertex gets there unforeseen, the last clamp stops it.
  if (near_floor) { atomicMax(&near, 1u); }
  reduce(lane, masses, squares, products, moments, momentum);
  if (lane == 0u) { is_near = atomicLoad(&near); }
  masses = total(0u);
  squares = total(1u);
  products = total(2u);
  moments = total(3u);
  momentum = total(4u);
  // A cluster that is pinned as a whole has no mass, and nobody asks for its motion.
  let frame = make_frame(max(masses.x, 1e-37), masses.yzw, squares.xyz, products.xyz);
  let impulse_sum = vec3<f32>(squares.w, products.w, moments.w);
  let motion = rigid_motion(frame, impulse_sum, moments.xyz);
  let drift = (momentum.xyz + own.rigid * impulse_sum) / frame.mass + step * unfiltered;

  var touching = 0.0;
  for (var i = lane; i < own.count; i += WORKGROUP_SIZE) {
    let vertex = cluster_vertices[own.first + i];
    let row = vertices[vertex];
    if (row.inverse_volume == 0.0) {
      velocities[vertex] = vec4<f32>(0.0);
      continue;
    }
    let material = materials[row.material];
    let mass = material.density / row.inverse_volume;
    let position = above_floor(positions[vertex].xyz);
    let gain = (own.rigid - own.inner) * moved(motion, frame, position - anchor);
    var velocity = velocities[vertex].xyz + gain;
    // With the mass of the operator a strain that changes too fast, as after a jump to much longer substeps, is energy
    // out of nothing.
    let relative = velocity - drift;
    let way = step * length(relative);
    if (own.reach > 0.0 && way > own.reach) { velocity = drift + relative * (own.reach / way); }
    velocity *= material.damping_factor;
    velocities[vertex] = vec4<f32>(velocity, 0.0);
    positions[vertex] = vec4<f32>(position, 1.0);
    if (velocity.y < floor_speed(position)) { touching += mass; }
    else if (params.floor_enabled == 1u && contacts[vertex].y > 0.0) { touching += mass; }
  }
  let none = vec4<f32>(0.0);
  if (workgroupUniformLoad(&is_near) == 1u) {
    reduce(lane, vec4<f32>(touching), none, none, none, none);
    let touching_mass = max(total(0u).x, 1e-37);
    // How much a vertex gains, at most, where every touching vertex gets an impulse of its own mass.
    let response = own.inner + (own.rigid - own.inner) * min(1.0, 4.0 * touching_mass / frame.mass);
    for (var round = 0u; round < CONTACT_ROUNDS; round++) {
      var gained = none;
      var turned = none;
      for (var i = lane; i < own.count; i += WORKGROUP_SIZE) {
        let vertex = cluster_vertices[own.first + i];
        let row = vertices[vertex];
        if (row.inverse_volume == 0.0) { continue; }
        let material = materials[row.material];
        let mass = material.density / row.inverse_volume;
        let position = positions[vertex].xyz;
        let velocity = velocities[vertex].xyz;
        let before = contacts[vertex].xyz;
        let least = floor_speed(position);
        if (velocity.y >= least && before.y == 0.0) { continue; }
        let scale = mass / response;
        let normal = max(before.y + (least - velocity.y) * scale, 0.0);
        var tangential = before.xz - velocity.xz * scale;
        let limit = material.friction * normal;
        let size = length(tangential);
        if (size > limit) { tangential *= limit / size; }
        let after = vec3<f32>(tangential.x, normal, tangential.y);
        let change = after - before;
        contacts[vertex] = vec4<f32>(after, 0.0);
        velocities[vertex] = vec4<f32>(velocity + own.inner / mass * change, 0.0);
        gained += vec4<f32>(change, 0.0);
        turned += vec4<f32>(cross(position - anchor, change), 0.0);
      }
      reduce(lane, gained, turned, none, none, none);
      let pushed = rigid_motion(frame, total(0u).xyz, total(1u).xyz);
      for (var i = lane; i < own.count; i += WORKGROUP_SIZE) {
        let vertex = cluster_vertices[own.first + i];
        if (vertices[vertex].inverse_volume == 0.0) { continue; }
        let arm = positions[vertex].xyz - anchor;
        velocities[vertex] += vec4<f32>((own.rigid - own.inner) * moved(pushed, frame, arm), 0.0);
      }
    }
  }

  for (var i = lane; i < own.count; i += WORKGROUP_SIZE) {
    let vertex = cluster_vertices[own.first + i];
    let row = vertices[vertex];
    if (row.inverse_volume == 0.0) { continue; }
    let position = positions[vertex].xyz;
    let velocity = after_floor(position, velocities[vertex].xyz, materials[row.material].friction);
    velocities[vertex] = vec4<f32>(velocity, 0.0);
    positions[vertex] = vec4<f32>(position + step * velocity, 1.0);
  }
}
