//! A world with a cloth in it: loading, what it is made of, the air, and its frames.

use super::cloth::{Cloth, ClothOptions};
use super::frames::submit;
use super::{Simulation, SimulationError};
use crate::cloth::ClothMesh;
use crate::rest_state::MeshReport;
use crate::settings::{ClothMaterial, Wind};
use crate::solver::cloth_params;
use crate::wind::Gusts;

impl Simulation {
    /// The cloth, once one is loaded.
    pub fn cloth(&self) -> Option<&Cloth> {
        self.cloth.as_ref()
    }

    /// Replaces what is loaded by a cloth. On an error everything stays as it is.
    ///
    /// # Errors
    /// Settings out of range, pins beyond the mesh, a cloth that the device cannot hold.
    pub fn load_cloth(
        &mut self,
        mesh: ClothMesh,
        options: &ClothOptions,
    ) -> Result<MeshReport, SimulationError> {
        let floor = self.environment.floor;
        let cloth = Cloth::new(&self.gpu, &self.solver, mesh, options, floor)?;
        self.cloth = Some(cloth);
        self.body = None;
        self.begin();
        self.report()
    }

    /// Changes what the cloth is made of from the next frame on.
    ///
    /// # Errors
    /// Numbers out of range; [`SimulationError::NoCloth`].
    pub fn set_cloth_material(&mut self, material: ClothMaterial) -> Result<(), SimulationError> {
        material.validate()?;
        self.cloth
            .as_mut()
            .ok_or(SimulationError::NoCloth)?
            .material = material;
        Ok(())
    }

    /// What the cloth is made of.
    pub fn cloth_material(&self) -> Option<ClothMaterial> {
        self.cloth.as_ref().map(|cloth| cloth.material)
    }

    /// Tells the kernels of the cloth about a frame.
    pub(super) fn write_cloth_params(&self, cloth: &Cloth, substeps: u32, frame_seconds: f64) {
        let params = cloth_params(
            &cloth.material,
            &self.environment,
            &cloth.buffers,
            (cloth.mesh.grid_size(), cloth.lift),
            frame_seconds / f64::from(substeps),
        );
        // A write between two frames costs a small cloth as much as a substep.
        if cloth.written.replace(Some(params)) != Some(params) {
            let queue = &self.gpu.queue;
            queue.write_buffer(&cloth.buffers.params, 0, bytemuck::bytes_of(&params));
        }
    }

    /// Simulates frames of the cloth. Gusts are told to each frame anew.
    pub(super) fn run_cloth(&mut self, frames: u32, frame_seconds: f64) -> u32 {
        let on = (&self.gpu, &self.solver);
        let Some(cloth) = &mut self.cloth else {
            return 0;
        };
        let substeps = cloth.substeps(&self.settings, frame_seconds);
        // Where no frame is due, targets of pins wait for the next one.
        if frames == 0 {
            return substeps;
        }
        cloth.plan_hands(on, (frame_seconds, substeps));
        let Some(cloth) = &self.cloth else { return 0 };
        self.write_cloth_params(cloth, substeps, frame_seconds);
        let together = if self.gusts.steady() { frames } else { 1 };
        let mut done = 0;
        while done < frames {
            let seconds = self.progress.simulated_seconds + f64::from(done) * frame_seconds;
            let origin = cloth.buffers.surface.origin;
            let air = self.gusts.params(seconds, origin);
            let queue = &self.gpu.queue;
            queue.write_buffer(&cloth.buffers.wind, 0, bytemuck::bytes_of(&air));
            submit(&self.gpu, together, substeps, &mut |pass| {
                self.solver
                    .record_cloth_frame(pass, &cloth.bindings, substeps);
            });
            done += together;
        }
        substeps
    }

    /// Whether a grid is solved tile by tile (the default, but on a software adapter) or batch by batch: the same motion in a quarter of the
    /// dispatches. For comparison; nothing happens where no cloth is loaded.
    pub fn set_cloth_tiles(&mut self, by_tiles: bool) {
        if let Some(cloth) = &mut self.cloth {
            cloth.bindings.by_tiles = by_tiles;
        }
    }

    /// Changes the air from the next frame on. It drags cloth along; solids are too heavy to notice.
    ///
    /// # Errors
    /// Numbers out of range.
    pub fn set_wind(&mut self, wind: Wind) -> Result<(), SimulationError> {
        wind.validate()?;
        self.wind = wind;
        let seconds = self.progress.simulated_seconds;
        self.gusts = Gusts::new(&wind).going_on_from(&self.gusts, seconds);
        Ok(())
    }

    /// The air as it was set.
    pub fn wind(&self) -> Wind {
        self.wind
    }
}
