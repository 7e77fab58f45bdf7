//! How the explicit scheme moves a mesh, for its report: substeps, and what is slowed or softened where they are too few.

use crate::mesh::Finding;
use crate::settings::SolverSettings;
use crate::text::Number;
use serde::Serialize;

/// How finely the explicit scheme cuts time for a mesh, and what that costs. Serialises to camel-case names.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DynamicsReport {
    /// Substeps per 1/60 s.
    pub substeps: u32,
    /// Highest angular frequency of the mesh (its bound, 1/s) times 1/60 s, divided by the substeps. Up to
    /// [`Self::EXACT_UP_TO`] nothing is slowed; beyond it motion inside clusters of vertices is, and beyond
    /// [`Self::SOFTENED_FROM`] the body is softened as well.
    pub r: f64,
    /// The slowest vibration that is slowed, Hz; 0 where all motion but free fall is, `None` where none is or where it is
    /// not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slowest_scaled_hz: Option<f64>,
    /// What Young's modulus is multiplied with, below 1, where `r` exceeds [`Self::SOFTENED_FROM`]: shapes at rest are those
    /// of so soft a body. `None` where they are exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub softening: Option<f64>,
}

impl DynamicsReport {
    /// The largest `r` at which explicit substeps follow every vibration of the mesh.
    pub const EXACT_UP_TO: f64 = SolverSettings::EXACT_UP_TO;
    /// The largest `r` at which a body is as stiff as its material.
    pub const SOFTENED_FROM: f64 = SolverSettings::SOFTENED_FROM;

    /// What slowed motion means, in plain words.
    #[cold]
    #[inline(never)]
    pub(super) fn scaled(&self) -> Option<Finding> {
        // Substeps that are chosen for exactly this `r` may meet it with a rounding.
        if self.r <= Self::EXACT_UP_TO * (1.0 + 1e-9) {
            return None;
        }
        let all = self.slowest_scaled_hz == Some(0.0);
        let shapes = match (self.softening, all) {
            (Some(factor), _) => format!(
                "Young's modulus is lowered to {} of what is set, so that shapes at rest sag more than in truth, and ",
                Number::rounded(factor, 3)
            ),
            (None, true) => "shapes at rest stay exact, but ".to_owned(),
            (None, false) => "shapes at rest, momentum and slow motion stay exact, but ".to_owned(),
        };
        let slowed = match self.slowest_scaled_hz {
            _ if all => "all motion except free fall is".to_owned(),
            None => "vibrations are".to_owned(),
            Some(hertz) => format!("vibrations above about {} Hz are", rounded(hertz)),
        };
        let plural = if self.substeps == 1 { "" } else { "s" };
        Some(Finding::new(
            Finding::SCALED_DYNAMICS,
            1,
            &[],
            false,
            format!(
                "the mesh is too stiff and fine for {} substep{plural} per frame (r = {}, followed exactly up to {}): \
                 {shapes}{slowed} slower than in truth; more substeps, a softer material or a coarser mesh help",
                self.substeps,
                rounded(self.r),
                Number::from(Self::EXACT_UP_TO),
            ),
        ))
    }
}

/// For people: two digits behind the point below 10, otherwise none.
fn rounded(value: f64) -> Number {
    let scale = if value < 10.0 { 100.0 } else { 1.0 };
    Number::from((value * scale).round() / scale)
}
