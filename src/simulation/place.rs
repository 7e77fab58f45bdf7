//! Where a body starts: its rest shape, placed in f64 and stored relative to a snapped origin.

use super::body::bounds;
use crate::gpu::InitialState;
use crate::settings::Transform;
use glam::{DQuat, DVec3};

/// How a rest shape enters the world.
pub(super) struct Placement {
    /// With the scale applied already.
    pub transform: Transform,
    /// Moves the bounding box' centre to the origin first.
    pub center: bool,
    /// Moves the lowest point to the floor afterwards.
    pub drop_to_floor: bool,
    /// Of every vertex, m/s.
    pub velocity: [f64; 3],
}

impl Placement {
    /// Start of the vertices; `used` tells those that count for centre and floor.
    pub fn place(
        &self,
        positions: &[[f32; 3]],
        used: &dyn Fn(usize) -> bool,
        floor: Option<f64>,
    ) -> InitialState {
        let rotation = DQuat::from_array(self.transform.rotation);
        let identity = rotation == DQuat::IDENTITY;
        let mut translation = DVec3::from(self.transform.translation);
        let (min, max) = bounds([0.0; 3], positions, used);
        let middle = (DVec3::from(min.map(f64::from)) + DVec3::from(max.map(f64::from))) / 2.0;
        let center = if self.center { middle } else { DVec3::ZERO };
        let rotate = |x: DVec3| if identity { x } else { rotation * x };
        let place = |position: &[f32; 3], translation: DVec3| {
            rotate(DVec3::from(position.map(f64::from)) - center) + translation
        };
        if self.drop_to_floor {
            let lowest = positions
                .iter()
                .enumerate()
                .filter(|(vertex, _)| used(*vertex))
                .map(|(_, position)| place(position, translation).y)
                .fold(f64::INFINITY, f64::min);
            translation.y += floor.unwrap_or(0.0) - lowest;
        }
        let world_middle = rotate(middle - center) + translation;
        // Coordinates stay as small as the body, wherever it is: the ulp of an f32 at 1 km is 6e-5 m, more than gravity
        // moves a vertex in a substep. A power of two, so that the origin is exact in f32.
        let extent = f64::from(
            (0..3)
                .map(|axis| max[axis] - min[axis])
                .fold(f32::MIN_POSITIVE, f32::max),
        );
        let grid = extent.log2().ceil().exp2();
        let origin = (world_middle / grid).round() * grid;
        InitialState {
            origin: origin.as_vec3().to_array(),
            positions: positions
                .iter()
                .map(|position| (place(position, translation) - origin).as_vec3().to_array())
                .collect(),
            velocities: vec![self.velocity.map(|v| v as f32); positions.len()],
        }
    }
}
