//! What comes back from the GPU when somebody asks: vertices in the order of the file, constraints of XPBD.

use super::{Simulation, SimulationError};
use crate::arrangement::Arrangement;
use crate::gpu::{GpuError, read_buffer, read_vec3};

impl Simulation {
    /// World positions of all vertices in the order of the file, m.
    ///
    /// # Errors
    /// [`GpuError::ReadBack`], [`SimulationError::NoBody`].
    pub fn read_positions(
        &self,
    ) -> Result<impl Future<Output = Result<Vec<[f32; 3]>, GpuError>> + use<>, SimulationError>
    {
        let loaded = self.loaded()?;
        let origin = loaded.surface.origin;
        let read = self.read_vertices(loaded.order, &loaded.surface.positions);
        Ok(async move {
            let mut positions = read.await?;
            for position in &mut positions {
                for axis in 0..3 {
                    position[axis] += origin[axis];
                }
            }
            Ok(positions)
        })
    }

    /// Velocities of all vertices, m/s.
    ///
    /// # Errors
    /// As [`Self::read_positions`].
    pub fn read_velocities(
        &self,
    ) -> Result<impl Future<Output = Result<Vec<[f32; 3]>, GpuError>> + use<>, SimulationError>
    {
        let loaded = self.loaded()?;
        Ok(self.read_vertices(loaded.order, loaded.velocities))
    }

    /// A vector per vertex as it stands in `buffer`, in the order of the file.
    pub(super) fn read_vertices(
        &self,
        order: Option<&Arrangement>,
        buffer: &wgpu::Buffer,
    ) -> impl Future<Output = Result<Vec<[f32; 3]>, GpuError>> + use<> {
        let read = read_vec3(&self.gpu, buffer);
        // Its own copy: the body may be another one when the numbers arrive.
        let internal = order.map(|order| order.internal_vertices.clone());
        async move {
            let vectors = read.await?;
            let Some(internal) = internal else {
                return Ok(vectors);
            };
            Ok(internal
                .iter()
                .map(|&vertex| vectors[vertex as usize])
                .collect())
        }
    }

    /// ‖α̃Λ‖ of the shape and α̃λ of the volume, then ‖F − R‖ and det F − 1, per tet in the order of the file, of the
    /// last iteration of XPBD: multipliers as it left them, strains as it found them. Empty where that scheme has not
    /// run.
    ///
    /// # Errors
    /// As [`Self::read_positions`].
    pub fn read_constraints(
        &self,
    ) -> Result<impl Future<Output = Result<Vec<[f32; 4]>, GpuError>> + use<>, SimulationError>
    {
        let body = self.body.as_ref().ok_or(SimulationError::NoBody)?;
        let order = body.prepared.arrangement.original_tets.clone();
        let read = body
            .xpbd
            .as_ref()
            .map(|xpbd| read_buffer(&self.gpu, &xpbd.multipliers));
        Ok(async move {
            let Some(read) = read else {
                return Ok(Vec::new());
            };
            let internal: Vec<[[f32; 4]; 3]> = bytemuck::pod_collect_to_vec(&read.await?);
            let mut rows = vec![[0.0; 4]; internal.len()];
            for ([[a, b, c, volume], [d, e, f, _], found], &tet) in internal.iter().zip(&order) {
                let square = a * a + b * b + c * c + 2.0 * (d * d + e * e + f * f);
                rows[tet as usize] = [square.sqrt(), *volume, found[0], found[1]];
            }
            Ok(rows)
        })
    }
}
