//! What a ray meets: the façade of picking, in world coordinates and the order of the file.

use super::{Simulation, SimulationError};
use crate::gpu::{GpuError, MAX_RAYS, SurfaceBuffers};
use crate::layout::{PickHit, PickRay};
use crate::settings::SettingError;
use crate::solver::Picker;
use crate::text::Number;
use glam::{DVec3, Vec3};
use serde::Serialize;

/// Farthest from the world's origin that a ray may begin, per coordinate, m.
const FARTHEST: f64 = 1e9;

/// A half-line in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ray {
    /// Where it begins, m, each coordinate within ±1e9.
    pub origin: [f64; 3],
    /// Where it goes; of any length but 0.
    pub direction: [f64; 3],
}

/// Where a ray meets a surface first. Serialises to its names.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Hit {
    /// Number of the body; 0, there is one so far.
    pub body: u32,
    /// The corner of the triangle that is nearest by its weight; a number of the body's file.
    pub vertex: u32,
    /// The corners of the triangle; numbers of the body's file.
    pub triangle: [u32; 3],
    /// Weights of the corners, 0 to 1; they add up to 1.
    pub barycentric: [f32; 3],
    /// In the world, m.
    pub point: [f64; 3],
    /// From the ray's origin, m.
    pub distance: f64,
}

fn refused(option: &'static str, value: f64, expected: &'static str) -> SettingError {
    SettingError {
        option,
        value: Number::from(value).to_string(),
        expected,
    }
}

impl Ray {
    /// The ray relative to a body's origin, and how far from its own origin it is measured from now on, m.
    fn relative_to(&self, origin: DVec3) -> Result<(PickRay, f64), SettingError> {
        let expected = "three numbers within ±1e9 m";
        if let Some(&far) = self
            .origin
            .iter()
            .find(|c| !(-FARTHEST..=FARTHEST).contains(*c))
        {
            return Err(refused("origin", far, expected));
        }
        let expected = "three finite numbers that are not all 0";
        if let Some(&infinite) = self.direction.iter().find(|c| !c.is_finite()) {
            return Err(refused("direction", infinite, expected));
        }
        let direction = DVec3::from(self.direction);
        let size = direction.abs().max_element();
        if size == 0.0 {
            return Err(refused("direction", 0.0, expected));
        }
        // To about 1 first, so that no square leaves the range of f64.
        let direction = (direction / size).normalize();
        let begin = DVec3::from(self.origin) - origin;
        // f32 keeps its digits near the body wherever the ray begins.
        let shift = -begin.dot(direction);
        let ray = PickRay {
            start: (begin + shift * direction).as_vec3().to_array(),
            nearest: -shift as f32,
            direction: direction.as_vec3().to_array(),
            padding: 0,
        };
        Ok((ray, shift))
    }
}

impl Hit {
    /// A hit in the world from one on the GPU; `original` are the numbers in the file of the vertices there.
    fn new(found: &PickHit, shift: f64, origin: DVec3, original: Option<&[u32]>) -> Option<Self> {
        if found.triangle == u32::MAX {
            return None;
        }
        let triangle = found.vertices.map(|vertex| match original {
            None => vertex,
            Some(original) => original[vertex as usize],
        });
        let [a, b, c] = found.barycentric;
        let nearest = match a >= b && a >= c {
            true => 0,
            false => 1 + usize::from(c > b),
        };
        Some(Self {
            body: 0,
            vertex: triangle[nearest],
            triangle,
            barycentric: found.barycentric,
            point: (origin + Vec3::from(found.point).as_dvec3()).to_array(),
            distance: shift + f64::from(found.distance),
        })
    }
}

impl Simulation {
    /// The first point of the body's surface, as it is now, on the ray that begins at `origin` (world, m, each coordinate
    /// within ±1e9) and goes in `direction` (any length but 0); `None` where it meets none. Of the mesh's own surface,
    /// from either side, also where another is drawn in its place. All work submitted so far is seen; nothing waits but
    /// the future.
    ///
    /// # Errors
    /// [`SettingError`] for numbers out of range, [`SimulationError::NoBody`]; the future [`GpuError::ReadBack`].
    pub fn pick(
        &self,
        origin: [f64; 3],
        direction: [f64; 3],
    ) -> Result<impl Future<Output = Result<Option<Hit>, GpuError>> + use<>, SimulationError> {
        let hits = self.pick_all(&[Ray { origin, direction }])?;
        Ok(async move { Ok(hits.await?.pop().flatten()) })
    }

    /// The same for several rays at once, 64 at most: one entry per ray.
    ///
    /// # Errors
    /// As [`Self::pick`].
    pub fn pick_all(
        &self,
        rays: &[Ray],
    ) -> Result<impl Future<Output = Result<Vec<Option<Hit>>, GpuError>> + use<>, SimulationError>
    {
        if rays.len() > MAX_RAYS {
            let expected = "at most 64 rays at once";
            return Err(refused("rays", rays.len() as f64, expected).into());
        }
        let loaded = self.loaded()?;
        let order = loaded.order.map(|order| &order.original_vertices[..]);
        self.pick_on(loaded.surface, order, rays)
    }

    /// Picks on one surface; `original` are the numbers in the file of its vertices, where they differ.
    fn pick_on(
        &self,
        surface: &SurfaceBuffers,
        original: Option<&[u32]>,
        rays: &[Ray],
    ) -> Result<impl Future<Output = Result<Vec<Option<Hit>>, GpuError>> + use<>, SimulationError>
    {
        let origin = Vec3::from(surface.origin).as_dvec3();
        let relative: Result<Vec<_>, _> = rays.iter().map(|ray| ray.relative_to(origin)).collect();
        let (rays, shifts): (Vec<PickRay>, Vec<f64>) = relative?.into_iter().unzip();
        let picker = self.picker.get_or_init(|| Picker::new(&self.gpu));
        let found = picker.pick(&self.gpu, surface, &rays);
        // Its own copy: the body may be another one when the answer arrives.
        let original = original.map(<[u32]>::to_vec);
        Ok(async move {
            let found: Vec<PickHit> = bytemuck::pod_collect_to_vec(&found.await?);
            Ok(shifts
                .iter()
                .zip(&found)
                .map(|(&shift, found)| Hit::new(found, shift, origin, original.as_deref()))
                .collect())
        })
    }
}
