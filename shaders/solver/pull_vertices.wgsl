// The pull of a pointer in a substep of XPBD: a compliant constraint per held vertex, after each iteration of the tets.
//
// In: held, velocities, shares. Out: positions, displacements, held. One invocation per held vertex, its own entries only.
// With d the way of a vertex in this substep without the pull, and e the way to go from where it began, the constraint
// is solved exactly: d' = (d + Δt²K e) / (1 + ΔtC + Δt²K), K and C of the spring per mass of the vertex. What it moved
// before is taken out of d first, so that iterations converge to one pull and do not add up (XPBD: Macklin, Müller,
// Chentanez 2016, whose λ is this way divided by the inverse mass).

// In the first iteration of a substep nothing has been pulled yet.
override first_iteration: bool = false;

@group(0) @binding(0) var<uniform> hold: Hold;
@group(0) @binding(1) var<uniform> params: SolverParams;
@group(0) @binding(2) var<storage, read_write> positions: array<vec4<f32>>;      // m, relative to the body's origin
@group(0) @binding(3) var<storage, read> velocities: array<vec4<f32>>;           // m/s
@group(0) @binding(4) var<storage, read_write> displacements: array<vec4<f32>>;  // xyz Σ projection moves this substep; w floor push
@group(0) @binding(5) var<storage, read> shares: array<f32>;                     // part of the body's mass; 0 for what never moves
@group(0) @binding(6) var<storage, read_write> held: Held;

@compute @workgroup_size(HOLD_WORKGROUP_SIZE)
fn pull_vertices(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let patch_share = f32(held.share) / WHOLE_SHARE;
  let step = params.substep_seconds;
  for (var place = id.x; place < held.count; place += groups.x * HOLD_WORKGROUP_SIZE) {
    let own = held.vertices[place];
    // Pinned since it was grabbed.
    if (shares[own.vertex] == 0.0) { continue; }
    let firmness = own.weight / patch_share;
    let spring = step * step * hold.stiffness * firmness;
    let damper = step * hold.damping * firmness;
    let position = positions[own.vertex].xyz;
    var moved = displacements[own.vertex];
    let way = step * velocities[own.vertex].xyz + moved.xyz;
    let pulled = select(own.pulled, vec3<f32>(0.0), first_iteration);
    let to_go = way_to(hold.destination + own.offset, position - way, hold.reach);
    let change = (way - pulled + spring * to_go) / (1.0 + damper + spring) - way;
    held.vertices[place].pulled = pulled + change;
    var next = position + change;
    let push = floor_push(next.y, moved.w);
    next.y += push;
    moved += vec4<f32>(change.x, change.y + push, change.z, push);
    positions[own.vertex] = vec4<f32>(next, 1.0);
    displacements[own.vertex] = moved;
  }
}
