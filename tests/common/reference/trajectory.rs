//! Undamped motion by small steps of velocity Verlet.

use super::model::Model;
use glam::DVec3;

/// Positions, m, and velocities, m/s.
#[derive(Debug, Clone)]
pub struct State {
    pub positions: Vec<DVec3>,
    pub velocities: Vec<DVec3>,
}

/// `steps` steps of `dt` seconds. The floor is not part of it.
pub fn verlet(model: &Model, state: &mut State, dt: f64, steps: usize) {
    let accelerate = |state: &mut State, forces: &[DVec3], dt: f64| {
        for (v, force) in forces.iter().enumerate() {
            if !model.pinned[v] {
                state.velocities[v] += *force * (dt / model.masses[v]);
            }
        }
    };
    let mut forces = model.forces(&state.positions);
    for _ in 0..steps {
        accelerate(state, &forces, 0.5 * dt);
        for v in 0..forces.len() {
            state.positions[v] += dt * state.velocities[v];
        }
        forces = model.forces(&state.positions);
        accelerate(state, &forces, 0.5 * dt);
    }
}
