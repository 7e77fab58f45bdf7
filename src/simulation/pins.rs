//! Pins that move: each to a target in the next frame.

use super::hands::{Handled, handled};
use super::hold::{MAX_COORDINATE, check_point};
use super::{Simulation, SimulationError};
use crate::gpu::{Gpu, PinBuffers};
use crate::layout::{PinParams, PinTarget};
use crate::solver::Solver;

/// Where pins go in the next frame.
#[derive(Debug, Default)]
pub(super) struct PinTargets {
    rows: Vec<PinTarget>,
    /// By vertex, the number of its row and one more; empty as long as nothing has a target.
    places: Vec<u32>,
    buffers: Option<PinBuffers>,
}

impl PinTargets {
    /// Gives a vertex of `count` another target.
    fn set(&mut self, count: u32, target: PinTarget) {
        if self.places.is_empty() {
            self.places.resize(count as usize, 0);
        }
        let place = &mut self.places[target.vertex as usize];
        match *place {
            0 => {
                self.rows.push(target);
                *place = self.rows.len() as u32;
            }
            known => self.rows[known as usize - 1] = target,
        }
    }

    /// Forgets the targets of vertices that are not `kept`.
    pub(super) fn retain(&mut self, kept: &dyn Fn(u32) -> bool) {
        for row in &self.rows {
            self.places[row.vertex as usize] = 0;
        }
        self.rows.retain(|row| kept(row.vertex));
        for (place, row) in (1..).zip(&self.rows) {
            self.places[row.vertex as usize] = place;
        }
    }
}

impl Handled<'_> {
    /// These vertices stay where they are.
    pub(super) fn forget_targets(self, vertices: &[u32]) {
        let internal = |vertex: u32| {
            self.internal
                .map_or(vertex, |internal| internal[vertex as usize])
        };
        let Some(hands) = self.hands else { return };
        let targets = &mut hands.targets;
        if targets.rows.is_empty() {
            return;
        }
        for &vertex in vertices {
            targets.places[internal(vertex) as usize] = 0;
        }
        let PinTargets { rows, places, .. } = targets;
        rows.retain(|row| places[row.vertex as usize] > 0);
        targets.retain(&|_| true);
    }

    /// Tells the GPU where pins go in a frame of so many seconds and substeps, and that the next one moves them.
    pub(super) fn send_pins(
        self,
        gpu: &Gpu,
        solver: &Solver,
        (frame_seconds, substeps): (f64, u32),
    ) {
        let Some(hands) = self.hands else { return };
        let PinTargets { rows, buffers, .. } = &mut hands.targets;
        if rows.is_empty() {
            return;
        }
        let fits = |buffers: &&mut PinBuffers| buffers.capacity >= rows.len();
        if buffers.as_mut().filter(fits).is_none() {
            *buffers = Some(PinBuffers::new(gpu, rows.len().next_power_of_two()));
            if let Some(made) = buffers {
                solver.bind_pins(gpu, self.bindings, &self.particles, made);
            }
        }
        let Some(buffers) = buffers else { return };
        let params = PinParams {
            count: rows.len() as u32,
            substeps: substeps as f32,
            per_second: (1.0 / frame_seconds) as f32,
            padding: 0,
        };
        let queue = &gpu.queue;
        queue.write_buffer(&buffers.params, 0, bytemuck::bytes_of(&params));
        queue.write_buffer(&buffers.targets, 0, bytemuck::cast_slice(rows));
        self.bindings.set_pins_due(params.count);
        hands.targets.retain(&|_| false);
    }
}

impl Simulation {
    /// Holds vertices, and moves each to its target (world, m) in the course of the next frame, from where it is then and
    /// at a steady velocity; there it stays until it gets another. May be called every frame; of several targets for a
    /// vertex in one frame the last one counts.
    ///
    /// Pins go wherever they are sent, however fast. A body follows unharmed where they move half its length in a frame;
    /// several lengths in a frame may leave tets at the pins inside out for good.
    ///
    /// # Errors
    /// As many targets as vertices are needed, each coordinate within ±1e7 m, and only numbers of the mesh;
    /// [`SimulationError::NoBody`]. Nothing is pinned or moved then.
    pub fn pin_at(
        &mut self,
        vertices: &[u32],
        targets: &[[f64; 3]],
    ) -> Result<(), SimulationError> {
        if vertices.len() != targets.len() {
            return Err(SimulationError::PinTargetCount {
                vertices: vertices.len(),
                targets: targets.len(),
            });
        }
        let wrong = |target: &[f64; 3]| check_point("target", target).is_err();
        if let Some(index) = targets.iter().position(wrong) {
            let far = |c: &&f64| c.is_nan() || c.abs() > MAX_COORDINATE;
            return Err(SimulationError::PinTarget {
                index,
                vertex: vertices[index],
                value: *targets[index].iter().find(far).unwrap_or(&f64::NAN),
            });
        }
        let loaded = handled(&mut self.body, &mut self.cloth)?;
        let held = |&vertex: &u32| loaded.pinned.get(vertex as usize) == Some(&true);
        if !vertices.iter().all(held) {
            self.pin(vertices)?;
        }
        self.touch();
        let loaded = handled(&mut self.body, &mut self.cloth)?;
        if let Some(mut hands) = loaded.hands.take() {
            for (&vertex, &target) in vertices.iter().zip(targets) {
                let row = PinTarget {
                    position: loaded.particles.relative(target),
                    vertex: loaded.internal(vertex),
                };
                hands.targets.set(loaded.particles.count, row);
            }
            *loaded.hands = Some(hands);
        }
        Ok(())
    }
}
