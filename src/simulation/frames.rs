//! Time that passes: steps, real time, and how frames are told to the GPU and submitted.

use super::{Plan, Progress, Simulation, SimulationError};
use crate::gpu::Gpu;
use crate::settings::SettingError;
use crate::solver::{FrameClock, Method, material_row, solver_params, step_params};
use crate::text::Number;

/// Shortest time one `step` simulates, s: below it a substep vanishes in f32.
pub const MIN_STEP_SECONDS: f64 = 1e-9;
/// Longest time one `step` simulates, s.
pub const MAX_STEP_SECONDS: f64 = 60.0;

/// How many frames of so many substeps share a submission, which costs a browser about .1 ms whatever is in it. A long
/// `step` must not become one command buffer of a million dispatches.
fn frames_together(substeps: u32) -> u32 {
    (128 / substeps.max(1)).max(1)
}

/// Records and submits frames, several of few substeps at a time.
pub(super) fn submit(
    gpu: &Gpu,
    frames: u32,
    substeps: u32,
    record: &mut dyn FnMut(&mut wgpu::ComputePass<'_>),
) {
    let mut left = frames;
    while left > 0 {
        let together = frames_together(substeps).min(left);
        left -= together;
        gpu.compute("frame", &mut |pass| {
            for _ in 0..together {
                record(pass);
            }
        });
    }
}

impl Simulation {
    /// Simulates `seconds` ([`MIN_STEP_SECONDS`] to [`MAX_STEP_SECONDS`]) in frames of at most 1/60 s, each cut into the set substeps.
    /// Records and submits, short frames several at a time; nothing is read back.
    ///
    /// # Errors
    /// [`SettingError`] for a time out of range, [`SimulationError::NoBody`].
    pub fn step(&mut self, seconds: f64) -> Result<Progress, SimulationError> {
        if !(MIN_STEP_SECONDS..=MAX_STEP_SECONDS).contains(&seconds) {
            let expected = "a time from 1e-9 to 60 s";
            return Err(SettingError {
                option: "seconds",
                value: Number::from(seconds).to_string(),
                expected,
            }
            .into());
        }
        // 0.05 s is three frames although 0.05 · 60 is a little more than 3 in f64.
        let frames = (seconds / FrameClock::FRAME_SECONDS - 1e-6).ceil().max(1.0) as u32;
        self.run(frames, seconds / f64::from(frames))
    }

    /// Follows real time: simulates the whole frames due after `elapsed` more seconds, at most `limit` of them
    /// ([`FrameClock::MAX_CATCH_UP`] where the GPU keeps up).
    ///
    /// # Errors
    /// [`SimulationError::NoBody`].
    pub fn advance(&mut self, elapsed: f64, limit: u32) -> Result<Progress, SimulationError> {
        let frames = self.clock.advance(elapsed, limit).frames;
        self.run(frames, FrameClock::FRAME_SECONDS)
    }

    /// Forgets real time that has passed unobserved, as after a pause.
    pub fn resume(&mut self) {
        self.clock.resume();
    }

    /// Real time given up to stay responsive, s.
    pub fn dropped_seconds(&self) -> f64 {
        self.clock.dropped_seconds()
    }

    /// What has been simulated since the last load or reset.
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// How a frame of `frame_seconds` would be simulated now; what it needs is then on the GPU.
    ///
    /// # Errors
    /// [`SimulationError::NoBody`], XPBD on a mesh that the device cannot hold.
    pub fn plan(&mut self, frame_seconds: f64) -> Result<Plan, SimulationError> {
        let body = self.body.as_mut().ok_or(SimulationError::NoBody)?;
        body.plan(&self.gpu, &self.solver, &self.settings, frame_seconds)
    }

    /// Tells the kernels about frames that are about to run, where that is not what they were told last: a write between
    /// two frames costs a small body as much as a substep.
    pub(super) fn write_params(&mut self, plan: &Plan) -> Result<(), SimulationError> {
        let body = self.body.as_mut().ok_or(SimulationError::NoBody)?;
        body.begin_frames(&self.gpu, plan.method);
        let queue = &self.gpu.queue;
        let seconds = plan.substep_seconds;
        let material = &body.prepared.material;
        match (plan.method, &body.xpbd) {
            (Method::Xpbd { .. }, Some(xpbd)) => {
                let params = solver_params(&body.buffers, material, &self.environment, seconds);
                queue.write_buffer(&xpbd.params, 0, bytemuck::bytes_of(&params));
            }
            _ => {
                let explicit = &body.buffers.explicit;
                let params = step_params(&body.buffers, &self.environment, seconds);
                let row = material_row(&material.softened(plan.softening), seconds);
                if self.written != Some((params, row)) {
                    queue.write_buffer(&explicit.params, 0, bytemuck::bytes_of(&params));
                    queue.write_buffer(&explicit.materials, 0, bytemuck::bytes_of(&row));
                    self.written = Some((params, row));
                }
            }
        }
        Ok(())
    }

    fn run(&mut self, frames: u32, frame_seconds: f64) -> Result<Progress, SimulationError> {
        let substeps = if self.cloth.is_some() {
            self.run_cloth(frames, frame_seconds)
        } else {
            let plan = self.plan(frame_seconds)?;
            if frames > 0 {
                self.write_params(&plan)?;
            }
            let body = self.body.as_mut().ok_or(SimulationError::NoBody)?;
            // Where no frame is due, targets of pins wait for the next one.
            if frames > 0 {
                let frame = (frame_seconds, plan.substeps);
                body.handled().send_pins(&self.gpu, &self.solver, frame);
            }
            submit(&self.gpu, frames, plan.substeps, &mut |pass| {
                self.solver
                    .record_frame(pass, &body.bindings, plan.method, plan.substeps);
            });
            plan.substeps
        };
        self.progress.frames += u64::from(frames);
        self.progress.simulated_seconds += f64::from(frames) * frame_seconds;
        self.progress.substeps = frames * substeps;
        Ok(self.progress)
    }
}
