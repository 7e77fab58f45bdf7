//! What every kind of body is to those who read, pick or draw it: particles on the GPU and the surface between them.

use super::{Simulation, SimulationError};
use crate::arrangement::Arrangement;
use crate::gpu::{SurfaceBuffers, SurfaceLookBuffers};

/// What is loaded, of whatever kind.
#[derive(Debug, Clone, Copy)]
pub struct Loaded<'a> {
    /// Positions, and the triangles between them.
    pub surface: &'a SurfaceBuffers,
    /// `array<vec4<f32>>`, m/s.
    pub velocities: &'a wgpu::Buffer,
    /// In which order they stand; `None` for that of the file.
    pub order: Option<&'a Arrangement>,
}

/// What is seen of the loaded body.
#[derive(Debug, Clone, Copy)]
pub struct Drawn<'a> {
    /// What the renderer reads.
    pub surface: &'a SurfaceBuffers,
    /// Colours of its own.
    pub look: Option<&'a SurfaceLookBuffers>,
    /// The block that it is fixed to, world box in m.
    pub wall: Option<([f32; 3], [f32; 3])>,
    /// World box round where it started, m.
    pub initial_bounds: ([f32; 3], [f32; 3]),
}

impl Simulation {
    /// What is loaded.
    ///
    /// # Errors
    /// [`SimulationError::NoBody`].
    pub fn loaded(&self) -> Result<Loaded<'_>, SimulationError> {
        match (&self.cloth, &self.body) {
            (Some(cloth), _) => Ok(Loaded {
                surface: &cloth.buffers.surface,
                velocities: &cloth.buffers.velocities,
                order: None,
            }),
            (None, Some(body)) => Ok(Loaded {
                surface: &body.buffers.surface,
                velocities: &body.buffers.velocities,
                order: Some(&body.prepared.arrangement),
            }),
            (None, None) => Err(SimulationError::NoBody),
        }
    }

    /// What is seen of it; `None` where nothing is loaded.
    pub fn drawn(&self) -> Option<Drawn<'_>> {
        if let Some(cloth) = &self.cloth {
            return Some(Drawn {
                surface: &cloth.buffers.surface,
                look: None,
                wall: None,
                initial_bounds: cloth.initial_bounds(),
            });
        }
        let body = self.body.as_ref()?;
        let embedded = body.buffers.embedded.as_ref();
        Some(Drawn {
            surface: body.buffers.drawn(),
            look: embedded.and_then(|embedded| embedded.look.as_ref()),
            wall: body.wall(),
            initial_bounds: body.drawn_bounds(),
        })
    }
}
