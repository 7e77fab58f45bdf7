// The pull of a pointer on particles whose way in a substep is kept as a displacement: those of cloth.
//
// In: held, positions, shares. Out: displacements. One invocation per held particle, its own entry only. Runs after the
// displacement without the others was written and before the elements move it. The constraint is solved exactly and
// stays so whatever the elements do: with D = 1 + ΔtC + Δt²K, K and C of the spring per mass of the particle, what is to
// be solved is D d = d₀ + Δt²K e + Δt² f/m, f of the elements. So d begins as (d₀ + Δt²K e)/D, and the elements meet a
// particle that is D times as heavy.

@group(0) @binding(0) var<uniform> hold: Hold;
@group(0) @binding(1) var<storage, read> positions: array<vec4<f32>>;            // m, relative to the origin of coordinates
@group(0) @binding(2) var<storage, read_write> displacements: array<vec4<f32>>;  // m; w is the inverse mass or area
@group(0) @binding(3) var<storage, read> shares: array<f32>;                     // part of the cloth's mass; 0 for what never moves
@group(0) @binding(4) var<storage, read> held: Held;

@compute @workgroup_size(HOLD_WORKGROUP_SIZE)
fn pull_displacements(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let patch_share = f32(held.share) / WHOLE_SHARE;
  let step = hold.substep_seconds;
  for (var place = id.x; place < held.count; place += groups.x * HOLD_WORKGROUP_SIZE) {
    let own = held.vertices[place];
    // Pinned since it was grabbed.
    if (shares[own.vertex] == 0.0) { continue; }
    let firmness = own.weight / patch_share;
    let spring = step * step * hold.stiffness * firmness;
    let heavier = 1.0 + step * hold.damping * firmness + spring;
    let way = way_to(hold.destination + own.offset, positions[own.vertex].xyz, hold.reach);
    let free = displacements[own.vertex];
    displacements[own.vertex] = vec4<f32>(free.xyz + spring * way, free.w) / heavier;
  }
}
