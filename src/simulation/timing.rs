//! Frames timed on the GPU, for measuring; what is simulated is the same as by `step`.

use super::{Plan, Simulation, SimulationError};
use crate::shaders::solver::Kernel;
use crate::solver::{FrameClock, PassTimer, Solver};

impl Simulation {
    /// Simulates one frame of 1/60 s in one pass of `timer` that is called `frame`. [`Self::progress`] does not
    /// count it.
    ///
    /// # Errors
    /// As [`Self::step`].
    pub fn time_frame(&mut self, timer: &mut PassTimer) -> Result<(), SimulationError> {
        if self.cloth.is_some() {
            self.time_cloth_frame(timer);
            return Ok(());
        }
        self.record_timed(timer, false)
    }

    /// Of a cloth; gusts stand still meanwhile.
    fn time_cloth_frame(&self, timer: &mut PassTimer) {
        let Some(cloth) = &self.cloth else { return };
        let frame = FrameClock::FRAME_SECONDS;
        let substeps = cloth.substeps(&self.settings, frame);
        self.write_cloth_params(cloth, substeps, frame);
        let seconds = self.progress.simulated_seconds;
        let air = self.gusts.params(seconds, cloth.buffers.surface.origin);
        let queue = &self.gpu.queue;
        queue.write_buffer(&cloth.buffers.wind, 0, bytemuck::bytes_of(&air));
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let mut pass = timer.begin(&mut encoder, "frame");
        self.solver
            .record_cloth_frame(&mut pass, &cloth.bindings, substeps);
        drop(pass);
        queue.submit([encoder.finish()]);
    }

    /// Dispatches of a frame of 1/60 s of the cloth, as it is solved now ([`Self::set_cloth_tiles`]).
    ///
    /// # Errors
    /// [`SimulationError::NoCloth`].
    pub fn cloth_dispatches(&self) -> Result<u32, SimulationError> {
        let cloth = self.cloth.as_ref().ok_or(SimulationError::NoCloth)?;
        let substeps = cloth.substeps(&self.settings, FrameClock::FRAME_SECONDS);
        Ok(Solver::cloth_dispatches(&cloth.bindings, substeps))
    }

    /// The same with a pass for every dispatch, called as its kernel is, of a solid. Slower than a frame in one pass.
    ///
    /// # Errors
    /// As [`Self::step`]; [`SimulationError::NoBody`] for a cloth.
    pub fn time_kernels(&mut self, timer: &mut PassTimer) -> Result<(), SimulationError> {
        self.record_timed(timer, true)
    }

    /// The dispatches of a frame of 1/60 s of a solid in order.
    ///
    /// # Errors
    /// As [`Self::step`]; [`SimulationError::NoBody`] for a cloth.
    pub fn frame_kernels(&mut self) -> Result<Vec<Kernel>, SimulationError> {
        let plan = self.plan(FrameClock::FRAME_SECONDS)?;
        let body = self.body.as_ref().ok_or(SimulationError::NoBody)?;
        let mut kernels = Vec::new();
        self.solver
            .each_kernel(&body.bindings, plan.method, plan.substeps, |kernel| {
                kernels.push(kernel);
            });
        Ok(kernels)
    }

    /// Bound of the highest frequency of the body with its pins and material, rad/s.
    ///
    /// # Errors
    /// [`SimulationError::NoBody`].
    pub fn frequency_bound(&self) -> Result<f64, SimulationError> {
        let body = self.body.as_ref().ok_or(SimulationError::NoBody)?;
        Ok(body.prepared.bounds.omega(&body.prepared.material))
    }

    /// Size of each buffer that a kernel of the frame may read or write, by name, bytes. Not those of an embedded surface.
    ///
    /// # Errors
    /// [`SimulationError::NoBody`].
    pub fn buffer_bytes(&self) -> Result<Vec<(&'static str, u64)>, SimulationError> {
        let body = self.body.as_ref().ok_or(SimulationError::NoBody)?;
        let buffers = &body.buffers;
        let explicit = &buffers.explicit;
        let mut named = vec![
            ("positions", &buffers.surface.positions),
            ("normals", &buffers.surface.normals),
            ("triangles", &buffers.surface.triangles),
            ("triangle_offsets", &buffers.triangle_offsets),
            ("incident_triangles", &buffers.incident_triangles),
            ("velocities", &buffers.velocities),
            ("rest_positions", &explicit.rest_positions),
            ("patches", &explicit.patches),
            ("patch_tets", &explicit.patch_tets),
            ("patch_vertices", &explicit.patch_vertices),
            ("partials", &explicit.partials),
            ("vertices", &explicit.vertices),
            ("contacts", &explicit.contacts),
        ];
        let operator = body.prepared.operator.as_ref();
        if let Some((_, operator)) = operator.and_then(|state| state.buffers.as_ref()) {
            named.extend([
                ("clusters", &operator.clusters),
                ("cluster_vertices", &operator.cluster_vertices),
            ]);
        }
        if let Some(xpbd) = &body.xpbd {
            named.extend([
                ("displacements", &xpbd.displacements),
                ("xpbd_vertices", &xpbd.vertices),
                ("tets", &xpbd.tets),
                ("multipliers", &xpbd.multipliers),
                ("corrections", &xpbd.corrections),
            ]);
        }
        let sized = named.into_iter();
        Ok(sized.map(|(name, buffer)| (name, buffer.size())).collect())
    }

    fn record_timed(&mut self, timer: &mut PassTimer, each: bool) -> Result<(), SimulationError> {
        let plan = self.plan(FrameClock::FRAME_SECONDS)?;
        self.write_params(&plan)?;
        let Plan {
            method, substeps, ..
        } = plan;
        let body = self.body.as_mut().ok_or(SimulationError::NoBody)?;
        body.handled().send_pins(
            &self.gpu,
            &self.solver,
            (FrameClock::FRAME_SECONDS, substeps),
        );
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        if each {
            self.solver
                .record_frame_timed(&mut encoder, &body.bindings, method, substeps, timer);
        } else {
            let mut pass = timer.begin(&mut encoder, "frame");
            self.solver
                .record_frame(&mut pass, &body.bindings, method, substeps);
        }
        self.gpu.queue.submit([encoder.finish()]);
        Ok(())
    }
}
