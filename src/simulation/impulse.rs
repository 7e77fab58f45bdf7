//! Impulses: a sudden velocity for a body or for a part of it.

use super::hands::{Handled, handled};
use super::hold::check_point;
use super::{Simulation, SimulationError};
use crate::layout::Impulse;
use crate::settings::check;

impl Simulation {
    /// Adds a velocity, m/s, to all free vertices at once; or, `at` a point (world, m) with a radius (m), to those within
    /// it, with the weight (1 − s²)² at s radii from the point. Pinned vertices stay.
    ///
    /// # Errors
    /// A velocity of more than 1e4 m/s, a radius that is not above 0 and at most 1e6 m, a point beyond 1e7 m,
    /// [`SimulationError::NoBody`]; nothing has changed then.
    pub fn impulse(
        &mut self,
        velocity: [f64; 3],
        at: Option<([f64; 3], f64)>,
    ) -> Result<(), SimulationError> {
        let speed = velocity.iter().map(|v| v * v).sum::<f64>().sqrt();
        let expected = "three numbers, together at most 1e4 m/s";
        check("velocity", speed, expected, speed <= 1e4)?;
        if let Some((point, radius)) = &at {
            check_point("at.point", point)?;
            let expected = "a number above 0, at most 1e6 m";
            check(
                "at.radius",
                *radius,
                expected,
                *radius > 0.0 && *radius <= 1e6,
            )?;
        }
        self.loaded()?;
        self.touch();
        let Handled {
            particles,
            bindings,
            hands: Some(hands),
            ..
        } = handled(&mut self.body, &mut self.cloth)?
        else {
            return Ok(());
        };
        let impulse = Impulse {
            velocity: velocity.map(|v| v as f32),
            // 0 stands for everywhere.
            radius: at.map_or(0.0, |(_, radius)| (radius as f32).max(f32::MIN_POSITIVE)),
            center: at.map_or([0.0; 3], |(point, _)| particles.relative(point)),
            vertex_count: particles.count,
        };
        let bytes = bytemuck::bytes_of(&impulse);
        self.gpu
            .queue
            .write_buffer(&hands.buffers.impulse, 0, bytes);
        self.gpu.compute("impulse", &mut |pass| {
            self.solver.give_impulse(pass, bindings, particles.count);
        });
        Ok(())
    }
}
