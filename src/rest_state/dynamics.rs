//! How the explicit scheme moves a mesh, for its report: substeps, and what is slowed where they are too few.

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
    /// [`Self::EXACT_UP_TO`] nothing is slowed; beyond it motion inside clusters of vertices is.
    pub r: f64,
    /// The slowest vibration that is slowed, Hz; `None` where none is or where it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slowest_scaled_hz: Option<f64>,
}

impl DynamicsReport {
    /// The largest `r` at which explicit substeps follow every vibration of the mesh.
    pub const EXACT_UP_TO: f64 = SolverSettings::EXACT_UP_TO;

    /// What slowed motion means, in plain words.
    #[cold]
    #[inline(never)]
    pub(super) fn scaled(&self) -> Option<Finding> {
        // Substeps that are chosen for exactly this `r` may meet it with a rounding.
        (self.r > Self::EXACT_UP_TO * (1.0 + 1e-9)).then(|| {
            let above = self.slowest_scaled_hz.map_or_else(String::new, |hertz| {
                format!(" above about {} Hz", rounded(hertz))
            });
            Finding::new(
                Finding::SCALED_DYNAMICS,
                1,
                &[],
                false,
                format!(
                    "the mesh is too stiff and fine for {} substeps per frame (r = {}, followed exactly up to {}): shapes at \
                     rest, momentum and slow motion stay exact, but vibrations{above} are slower than in truth; more \
                     substeps, a softer material or a coarser mesh help",
                    self.substeps,
                    rounded(self.r),
                    Number::from(Self::EXACT_UP_TO),
                ),
            )
        })
    }
}

/// For people: two digits behind the point below 10, otherwise none.
fn rounded(value: f64) -> Number {
    let scale = if value < 10.0 { 100.0 } else { 1.0 };
    Number::from((value * scale).round() / scale)
}
