// The pull of a pointer in an explicit substep: a force on each held vertex, added to the elastic ones.
//
// In: held, positions, velocities, vertices, mobilities, shares. Out: partials, the first one of each held vertex. One
// invocation per held vertex, which alone writes there. The force passes through the mass operator and meets the floor
// as every other does.
//
// Spring and damper are those of a backward Euler step: v' = v + pΔt (a + F/m), F/m = K (e − Δt v') − C v', with e the way
// to go, a what accelerates the vertex besides, K and C of the spring per mass of the vertex, and p ≤ 1 the part of an
// impulse that the mass operator lets it follow. Hence F/m = (K e − (C + ΔtK)(v + pΔt a)) / (1 + pΔt (C + ΔtK)), stable for any
// K; and where the vertex rests F/m = −a = K e, whatever the substep.
//
// Where the operator slows even rigid motion (p₁ < 1), a body that is pinned nowhere still falls with all of gravity: for
// every other force it is 1/p₁ times as heavy, and so the spring is as much stiffer.

@group(0) @binding(0) var<uniform> hold: Hold;
@group(0) @binding(1) var<uniform> params: StepParams;
@group(0) @binding(2) var<storage, read> positions: array<vec4<f32>>;    // m, relative to the origin of coordinates
@group(0) @binding(3) var<storage, read> velocities: array<vec4<f32>>;   // m/s
@group(0) @binding(4) var<storage, read> vertices: array<VertexMass>;
@group(0) @binding(5) var<storage, read_write> partials: array<vec4<f32>>;   // N
@group(0) @binding(6) var<storage, read> mobilities: array<vec2<f32>>;   // p of the vertex alone; what p gains per held part of the mass
@group(0) @binding(7) var<storage, read> shares: array<f32>;             // part of the body's mass; 0 for what never moves
@group(0) @binding(8) var<storage, read> held: Held;

@compute @workgroup_size(HOLD_WORKGROUP_SIZE)
fn pull_forces(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let patch_share = f32(held.share) / WHOLE_SHARE;
  let step = params.substep_seconds;
  for (var place = id.x; place < held.count; place += groups.x * HOLD_WORKGROUP_SIZE) {
    let own = held.vertices[place];
    let share = shares[own.vertex];
    // Pinned since it was grabbed.
    if (share == 0.0) { continue; }
    let mass = share * hold.mass;
    let row = vertices[own.vertex];
    var force = vec3<f32>(0.0);
    for (var at = row.first_partial; at < row.first_partial + row.partial_count; at++) { force += partials[at].xyz; }
    let position = positions[own.vertex].xyz;
    let velocity = velocities[own.vertex].xyz;
    let firmness = hold.inertia * own.weight / patch_share;
    let stiffness = hold.stiffness * firmness;
    let brake = hold.damping * firmness + step * stiffness;
    let mobility = min(1.0, mobilities[own.vertex].x + mobilities[own.vertex].y * patch_share);
    let free = velocity + mobility * step * (force / mass + hold.inertia * params.gravity);
    let way = way_to(hold.destination + own.offset, position, hold.reach);
    let pull = mass / (1.0 + mobility * step * brake) * (stiffness * way - brake * free);
    partials[row.first_partial] += vec4<f32>(pull, 0.0);
  }
}
