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
// Contact impulses pass through B as well: a plain clamp of the velocity would inject energy there. B ties the contacts of
// a cluster to one another through its rigid motion alone. Once that motion is known each vertex finds its own impulse, so
// the rounds look for those six numbers, by Newton's method, and the floor and friction then hold at each vertex. Impulses
// are kept from one substep to the next, so that the rounds begin at the answer where a body rests. They are kept even
// where a vertex is above the floor: rounding lifts one at rest by its last digit. From one that leaves the rounds take
// them back.

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

// Newton steps of a substep at most; where a body rests or slides it takes 2 or 3.
const CONTACT_ROUNDS = 6u;
// Part of what gravity adds to the speed in a substep that may be left open.
const CONTACT_ACCURACY = 1e-3;
// Contacts never count on less than this of B. Below, Newton's steps lose their way in impacts, so impulses take several
// substeps to stop what moves within a cluster; until then the floor holds the position alone.
const LEAST_RESPONSE = 0.015625;

// Five rows of sums per lane. One flat array of vectors, and no arrays in registers: software adapters compile those badly.
var<workgroup> sums: array<vec4<f32>, 5 * WORKGROUP_SIZE>;
var<workgroup> near: atomic<u32>;
var<workgroup> is_near: u32;
var<workgroup> goes_on: u32;

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
  per_length: f32,             // 1/√(trace/mass), 1/m; 0 for a single vertex
  inertia: mat3x3<f32>,        // in units of the trace of the second moments
  inverse_inertia: mat3x3<f32>,
}

struct Motion { linear: vec3<f32>, angular: vec3<f32> }

fn inverse_symmetric(m: mat3x3<f32>) -> mat3x3<f32> {
  let first = cross(m[1], m[2]);
  return mat3x3<f32>(first, cross(m[2], m[0]), cross(m[0], m[1])) * (1.0 / dot(m[0], first));
}

fn make_frame(mass: f32, first: vec3<f32>, diagonal: vec3<f32>, off: vec3<f32>) -> Frame {
  let c = first / mass;
  // Second moments about the centre, then the inertia tensor.
  let d = diagonal - mass * c * c;
  let o = off - mass * vec3<f32>(c.x * c.y, c.x * c.z, c.y * c.z);
  // In units of the trace, so that no product of a body of a tenth of a millimetre vanishes in f32. A single vertex has
  // no inertia at all, a cluster on a line none about it: a millionth keeps the inverse finite.
  let trace = d.x + d.y + d.z;
  let unit = select(0.0, 1.0 / trace, trace > 0.0);
  let inertia = mat3x3<f32>(
    1.000001 - d.x * unit, -o.x * unit, -o.y * unit,
    -o.x * unit, 1.000001 - d.y * unit, -o.z * unit,
    -o.y * unit, -o.z * unit, 1.000001 - d.z * unit);
  return Frame(c, mass, sqrt(mass * unit), inertia, inverse_symmetric(inertia) * unit);
}

fn rigid_motion(frame: Frame, impulse: vec3<f32>, moment: vec3<f32>) -> Motion {
  return Motion(impulse / frame.mass, frame.inverse_inertia * (moment - cross(frame.center, impulse)));
}

fn moved(motion: Motion, frame: Frame, arm: vec3<f32>) -> vec3<f32> {
  return motion.linear + cross(motion.angular, arm - frame.center);
}

fn contact_response(own: Cluster) -> f32 { return max(own.inner, LEAST_RESPONSE); }

// Impulse with which the floor keeps a vertex that moves at `velocity` from sinking and, as far as friction lasts, from
// sliding; w is the part of what would hold it in place. `scale` is the mass with which it moves within its cluster. In
// the `first` round what touched before does not leave, and friction lasts as it did before: impulses that do not know of
// one another yet are far too large, and such friction would stop what slides for good.
fn floor_impulse(before: vec3<f32>, velocity: vec3<f32>, least: f32, scale: f32, friction: f32, first: bool) -> vec4<f32> {
  let normal = max(before.y + (least - velocity.y) * scale, select(0.0, -3e38, first && before.y > 0.0));
  let tangential = before.xz - velocity.xz * scale;
  let limit = friction * select(normal, before.y, first);
  let size = length(tangential);
  let sticks = select(1.0, limit / size, size > limit);
  return vec4<f32>(sticks * tangential.x, normal, sticks * tangential.y, sticks);
}

// One Newton step, from the motion `found`, towards the rigid motion that the cluster gets from the change of its impulses.
// In units of its mass and of √(trace/mass), about the point of the floor below its centre: there the normal motions
// (v_y, ω_x, ω_z) of the contacts and the tangential ones (v_x, v_z, ω_y) have nothing to do with one another. How friction
// follows the normal impulse is left out of the derivative.
fn contact_round(own: Cluster, frame: Frame, below: vec3<f32>, height: f32, lane: u32, found: Motion, first: bool) -> Motion {
  var normals = vec4<f32>(0.0);
  var tangentials = vec4<f32>(0.0);
  var mixed = vec4<f32>(0.0);
  var moments = vec4<f32>(0.0);
  for (var i = lane; i < own.count; i += WORKGROUP_SIZE) {
    let vertex = cluster_vertices[own.first + i];
    let row = vertices[vertex];
    if (row.inverse_volume == 0.0) { continue; }
    let material = materials[row.material];
    let mass = material.density / row.inverse_volume;
    let position = positions[vertex].xyz;
    let arm = (position - below) * frame.per_length;
    let velocity = velocities[vertex].xyz + found.linear + cross(found.angular, arm);
    let before = contacts[vertex].xyz;
    let after = floor_impulse(before, velocity, floor_speed(position), mass / contact_response(own), material.friction, first);
    if (after.y == 0.0 && before.y == 0.0) { continue; }
    let part = mass / frame.mass;
    let change = (after.xyz - before) / frame.mass;
    if (after.y > 0.0 || (first && before.y > 0.0)) {
      normals += part * vec4<f32>(1.0, arm.x, arm.z, arm.x * arm.x);
      tangentials += part * after.w * vec4<f32>(1.0, arm.x, arm.z, arm.x * arm.x + arm.z * arm.z);
      mixed += part * vec4<f32>(arm.z * arm.z, arm.x * arm.z, 0.0, 0.0);
    }
    mixed += vec4<f32>(0.0, 0.0, change.xy);
    moments += vec4<f32>(cross(arm, change), change.z);
  }
  reduce(lane, normals, tangentials, mixed, moments, vec4<f32>(0.0));
  let stiff = (own.rigid - own.inner) / contact_response(own);
  normals = stiff * total(0u);
  tangentials = stiff * total(1u);
  mixed = total(2u);
  moments = total(3u);
  let seconds = stiff * mixed.xy;
  // What is left of: momentum of the motion found = (p₁ − p₀) × change of the impulses.
  let up = vec3<f32>(0.0, height, 0.0);
  let linear = found.linear + cross(found.angular, up);
  let p = (own.rigid - own.inner) * vec3<f32>(mixed.zw, moments.w) - linear;
  let l = (own.rigid - own.inner) * moments.xyz - frame.inertia * found.angular - cross(up, linear);
  let one = vec3<f32>(p.y, l.x, l.z);
  let two = vec3<f32>(p.x, p.z, l.y);
  let i = frame.inertia;
  let a = inverse_symmetric(mat3x3<f32>(
    1.0 + normals.x, -normals.z, normals.y,
    -normals.z, i[0].x + height * height + seconds.x, i[0].z - seconds.y,
    normals.y, i[0].z - seconds.y, i[2].z + height * height + normals.w));
  let c = mat3x3<f32>(0.0, 0.0, -height, 0.0, height, 0.0, 0.0, i[0].y, i[1].z);
  let d = mat3x3<f32>(
    1.0 + tangentials.x, 0.0, tangentials.z,
    0.0, 1.0 + tangentials.x, -tangentials.y,
    tangentials.z, -tangentials.y, i[1].y + tangentials.w);
  let ac = a * c;
  let tangential = inverse_symmetric(d - transpose(c) * ac) * (two - one * ac);
  let normal = a * (one - c * tangential);
  return Motion(
    found.linear + vec3<f32>(tangential.x, normal.x, tangential.y),
    found.angular + vec3<f32>(normal.y, tangential.z, normal.z));
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

  for (var i = lane; i < own.count; i += WORKGROUP_SIZE) {
    let vertex = cluster_vertices[own.first + i];
    let row = vertices[vertex];
    if (row.inverse_volume == 0.0) {
      move_pin(vertex);
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
  }
  // The rigid motion that the floor's impulses give, beyond the one that those of the substep before gave.
  let meets_floor = workgroupUniformLoad(&is_near) == 1u;
  let middle = anchor + frame.center;
  let below = vec3<f32>(middle.x, params.floor_height, middle.z);
  var pushed = Motion(vec3<f32>(0.0), vec3<f32>(0.0));
  if (meets_floor) {
    let height = (middle.y - params.floor_height) * frame.per_length;
    for (var round = 0u; round < CONTACT_ROUNDS; round++) {
      let found = pushed;
      pushed = contact_round(own, frame, below, height, lane, found, round == 0u);
      let left = length(pushed.linear - found.linear) + length(pushed.angular - found.angular);
      if (lane == 0u) { goes_on = u32(round == 0u || left > CONTACT_ACCURACY * step * length(params.gravity)); }
      if (workgroupUniformLoad(&goes_on) == 0u) { break; }
    }
  }

  for (var i = lane; i < own.count; i += WORKGROUP_SIZE) {
    let vertex = cluster_vertices[own.first + i];
    let row = vertices[vertex];
    if (row.inverse_volume == 0.0) { continue; }
    let friction = materials[row.material].friction;
    let position = positions[vertex].xyz;
    var velocity = velocities[vertex].xyz;
    if (meets_floor) {
      let least = floor_speed(position);
      let mass = materials[row.material].density / row.inverse_volume;
      velocity += pushed.linear + cross(pushed.angular, (position - below) * frame.per_length);
      let before = contacts[vertex].xyz;
      let after = floor_impulse(before, velocity, least, mass / contact_response(own), friction, false).xyz;
      velocity += own.inner / mass * (after - before);
      contacts[vertex] = vec4<f32>(after, 0.0);
    } else {
      velocity = after_floor(position, velocity, friction);
    }
    velocities[vertex] = vec4<f32>(velocity, 0.0);
    positions[vertex] = vec4<f32>(above_floor(position + step * velocity), 1.0);
  }
}
