//! The façade: one body in a world, natively and on the web alike.

mod body;
mod cloth;
mod cloth_frames;
mod error;
mod frames;
mod hands;
mod hold;
mod impulse;
mod loaded;
mod pick;
mod pins;
mod place;
mod plan;
mod prepare;
mod prepare_sections;
mod read;
mod snapshot;
mod snapshot_format;
mod surface;
mod timing;

pub use body::{Body, BodyOptions, Pinned};
pub use cloth::{Cloth, ClothOptions};
pub use error::SimulationError;
pub use frames::{MAX_STEP_SECONDS, MIN_STEP_SECONDS};
pub use hold::{GrabOptions, MAX_HOLDS};
pub use loaded::{Drawn, Loaded};
pub use pick::{Hit, Ray};
pub use plan::Plan;
pub use prepare::{Prepared, Uploaded};
pub use snapshot_format::SnapshotError;

use self::hands::handled;
use crate::gpu::{Gpu, InitialState};
use crate::layout::{MaterialRow, StepParams};
use crate::mesh::TetMesh;
use crate::rest_state::MeshReport;
use crate::settings::{Environment, Material, SolverSettings, Wind};
use crate::solver::{FrameClock, Picker, Solver};
use crate::wind::Gusts;
use std::future::ready;
use std::pin::pin;
use std::sync::OnceLock;
use std::task::{Context, Poll, Waker};

/// Time simulated and what it took.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Progress {
    /// Frames of up to 1/60 s simulated so far.
    pub frames: u64,
    /// Simulated time, s.
    pub simulated_seconds: f64,
    /// Substeps of the last call.
    pub substeps: u32,
}

/// The result of an upload whose pauses take no time.
fn at_once<T>(upload: impl Future<Output = T>) -> T {
    match pin!(upload).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(uploaded) => uploaded,
        Poll::Pending => unreachable!("invariant: an upload waits for nothing but its pauses"),
    }
}

/// A world with a body, a clock and a solver.
#[derive(Debug)]
pub struct Simulation {
    gpu: Gpu,
    solver: Solver,
    environment: Environment,
    settings: SolverSettings,
    clock: FrameClock,
    progress: Progress,
    body: Option<Body>,
    /// In place of the body.
    cloth: Option<Cloth>,
    wind: Wind,
    gusts: Gusts,
    /// What the explicit kernels of this body were told last.
    written: Option<(StepParams, MaterialRow)>,
    /// Made when somebody first picks.
    picker: OnceLock<Picker>,
}

impl Simulation {
    /// An empty world. Compiles the kernels.
    ///
    /// # Errors
    /// [`SettingError`](crate::settings::SettingError) for settings out of range.
    pub fn new(
        gpu: Gpu,
        environment: Environment,
        settings: SolverSettings,
    ) -> Result<Self, SimulationError> {
        environment.validate()?;
        settings.validate()?;
        let solver = Solver::new(&gpu);
        Ok(Self {
            gpu,
            solver,
            environment,
            settings,
            clock: FrameClock::new(),
            progress: Progress::default(),
            body: None,
            cloth: None,
            wind: Wind::default(),
            gusts: Gusts::new(&Wind::default()),
            written: None,
            picker: OnceLock::new(),
        })
    }

    /// The device this world lives on.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// The body, once one is loaded.
    pub fn body(&self) -> Option<&Body> {
        self.body.as_ref()
    }

    /// Replaces the body. On an error the running one stays as it is.
    ///
    /// # Errors
    /// Settings out of range, pins beyond the mesh, images that are not decoded, a mesh or surface the device cannot hold.
    pub fn load(
        &mut self,
        mesh: TetMesh,
        options: &BodyOptions,
    ) -> Result<MeshReport, SimulationError> {
        let (environment, settings) = (&self.environment, &self.settings);
        let prepared = Prepared::new(mesh, options, environment, settings, &mut |_| ())?;
        let surface = options.surface.as_deref();
        let uploaded = at_once(prepared.upload(&self.gpu, surface, &|| Box::pin(ready(()))))?;
        self.adopt(uploaded)
    }

    /// Replaces the body by one that was prepared elsewhere and uploaded to [`Self::gpu`]. On an error the running one
    /// stays as it is.
    ///
    /// # Errors
    /// XPBD on a mesh that the device cannot hold.
    pub fn adopt(&mut self, uploaded: Uploaded) -> Result<MeshReport, SimulationError> {
        let mut body = Body::new(&self.gpu, &self.solver, uploaded);
        // What the first frame needs belongs to loading, and is refused with it.
        let frame = FrameClock::FRAME_SECONDS;
        body.plan(&self.gpu, &self.solver, &self.settings, frame)?;
        self.body = Some(body);
        self.cloth = None;
        self.begin();
        self.report()
    }

    /// Time 0 of what was just loaded or put back.
    fn begin(&mut self) {
        self.written = None;
        self.gusts = Gusts::new(&self.wind);
        self.progress = Progress::default();
        self.clock.resume();
        self.refresh_surface();
    }

    /// What loading found, with the mass and the dynamics of the present material and settings.
    ///
    /// # Errors
    /// [`SimulationError::NoBody`], XPBD on a mesh that the device cannot hold.
    pub fn report(&mut self) -> Result<MeshReport, SimulationError> {
        if let Some(cloth) = &self.cloth {
            return Ok(cloth.report());
        }
        self.plan(FrameClock::FRAME_SECONDS)?;
        let body = self.body.as_ref().ok_or(SimulationError::NoBody)?;
        let report = body.report();
        Ok(match body.dynamics(&self.settings) {
            None => report,
            Some(dynamics) => report.with_dynamics(dynamics),
        })
    }

    /// Puts the body back where it started, at simulated time 0. Pins and settings stay.
    ///
    /// # Errors
    /// [`SimulationError::NoBody`].
    pub fn reset(&mut self) -> Result<(), SimulationError> {
        if let Some(cloth) = &mut self.cloth {
            let initial = cloth.initial.clone();
            cloth.write_state(&self.gpu, &initial);
        } else {
            let body = self.body.as_mut().ok_or(SimulationError::NoBody)?;
            let initial = body.prepared.initial.clone();
            body.write_state(&self.gpu, &initial, None);
        }
        self.begin();
        Ok(())
    }

    /// Starts the body from other positions and velocities (world, m and m/s), as tests of recovery do.
    ///
    /// # Errors
    /// [`SimulationError::NoBody`].
    ///
    /// # Panics
    /// If the lengths differ from the number of vertices.
    pub fn set_state(
        &mut self,
        positions: &[[f32; 3]],
        velocities: &[[f32; 3]],
    ) -> Result<(), SimulationError> {
        let loaded = self.loaded()?;
        let origin = loaded.surface.origin;
        assert_eq!(
            positions.len(),
            loaded.surface.vertex_count as usize,
            "one position per vertex"
        );
        assert_eq!(velocities.len(), positions.len(), "one velocity per vertex");
        let relative = |p: &[f32; 3]| [p[0] - origin[0], p[1] - origin[1], p[2] - origin[2]];
        let state = InitialState {
            origin,
            positions: positions.iter().map(relative).collect(),
            velocities: velocities.to_vec(),
        };
        match (&mut self.cloth, &mut self.body) {
            (Some(cloth), _) => cloth.write_state(&self.gpu, &state),
            (None, Some(body)) => body.write_state(&self.gpu, &state, None),
            (None, None) => return Err(SimulationError::NoBody),
        }
        self.refresh_surface();
        Ok(())
    }

    fn refresh_surface(&self) {
        if self.cloth.is_none() && self.body.is_none() {
            return;
        }
        let mut encoder = self
            .gpu
            .device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor {
                label: Some("normals"),
            });
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: Some("normals"),
                timestamp_writes: None,
            });
            match (&self.cloth, &self.body) {
                (Some(cloth), _) => {
                    self.solver.record_cloth_surface(&mut pass, &cloth.bindings);
                }
                (None, Some(body)) => self.solver.record_surface(&mut pass, &body.bindings),
                (None, None) => {}
            }
        }
        self.gpu.queue.submit([encoder.finish()]);
    }

    /// Changes the material from the next frame on, with no re-upload.
    ///
    /// # Errors
    /// Numbers out of range, [`SimulationError::NoBody`].
    pub fn set_material(&mut self, material: Material) -> Result<(), SimulationError> {
        material.validate()?;
        let body = self.body.as_mut().ok_or(SimulationError::NoBody)?;
        let before = std::mem::replace(&mut body.prepared.material, material);
        // They are absolute: what held a body of a thousand times the density would throw it into the air.
        body.stale_contacts |= before.density != material.density;
        Ok(())
    }

    /// The body's material.
    pub fn material(&self) -> Option<Material> {
        self.body.as_ref().map(|body| body.prepared.material)
    }

    /// Changes gravity and floor from the next frame on.
    ///
    /// # Errors
    /// Numbers out of range.
    pub fn set_environment(&mut self, environment: Environment) -> Result<(), SimulationError> {
        environment.validate()?;
        self.environment = environment;
        Ok(())
    }

    /// Gravity and floor.
    pub fn environment(&self) -> Environment {
        self.environment
    }

    /// Changes substeps and iterations from the next frame on.
    ///
    /// # Errors
    /// Counts out of range.
    pub fn set_settings(&mut self, settings: SolverSettings) -> Result<(), SimulationError> {
        settings.validate()?;
        self.settings = settings;
        Ok(())
    }

    /// Substeps and iterations.
    pub fn settings(&self) -> SolverSettings {
        self.settings
    }

    /// Holds vertices where they are now; those that [`Self::pin_at`] gave a target forget it.
    ///
    /// # Errors
    /// A number beyond the mesh (then none is pinned), [`SimulationError::NoBody`].
    pub fn pin(&mut self, vertices: &[u32]) -> Result<(), SimulationError> {
        self.change_pins(|mask| body::set_pins(mask, vertices, true))?;
        handled(&mut self.body, &mut self.cloth)?.forget_targets(vertices);
        Ok(())
    }

    /// Lets vertices go, or all of them.
    ///
    /// # Errors
    /// As [`Self::pin`].
    pub fn unpin(&mut self, vertices: Option<&[u32]>) -> Result<(), SimulationError> {
        self.change_pins(|mask| match vertices {
            Some(vertices) => body::set_pins(mask, vertices, false),
            None => {
                mask.fill(false);
                Ok(())
            }
        })
    }

    fn change_pins(
        &mut self,
        change: impl FnOnce(&mut [bool]) -> Result<(), SimulationError>,
    ) -> Result<(), SimulationError> {
        if let Some(cloth) = &mut self.cloth {
            return cloth.change_pins(&self.gpu, change);
        }
        let body = self.body.as_mut().ok_or(SimulationError::NoBody)?;
        body.change_pins(&self.gpu, change)
    }
}
