//! Fills in what every row has in common.

use crate::lab::{FRAME, Lab, Outcome, Specimen, Way};
use crate::table::Row;
use webgpu_softbody::settings::{Material, Scheme, SolverSettings};

/// One case under one way to run the solver.
#[derive(Debug, Clone)]
pub struct Trial<'a> {
    pub specimen: &'a Specimen,
    /// Pa.
    pub e: f64,
    pub nu: f64,
    pub way: &'a Way,
}

impl Trial<'_> {
    /// Name of the case.
    pub fn case(&self, what: &str) -> String {
        format!(
            "{what} {} E {:.0e} ν {}",
            self.specimen.name, self.e, self.nu
        )
    }

    /// A rate, rad/s, at which nothing of the body is slower, and the material with critical damping for it. Where a
    /// scheme has too few evaluations for the mesh (r > 2) it slows the body: an over-damped one would creep.
    pub fn calming(&self, lab: &mut Lab) -> Outcome<(f64, Material)> {
        let foundation = lab.foundation(self.specimen, self.nu)?;
        let settings = self.way.settings;
        let evaluations = match settings.scheme {
            Scheme::Explicit => settings.substeps.unwrap_or(SolverSettings::BUDGET),
            Scheme::Xpbd => {
                settings.substeps.unwrap_or(SolverSettings::XPBD_SUBSTEPS) * settings.iterations
            }
        };
        let r = foundation.bound * self.e.sqrt() * FRAME / f64::from(evaluations);
        let omega = foundation.slowest(self.specimen, self.e) * (2.0 / r).min(1.0);
        let material = Material {
            // Within the range of the setting.
            damping: (2.0 * omega).min(1000.0),
            ..self.specimen.material(self.e, self.nu)
        };
        Ok((omega, material))
    }

    /// The rows of one run, after it: `errors` are quantity, error and goal. A goal that holds up to some r is dropped
    /// beyond it.
    pub fn rows(
        &self,
        lab: &mut Lab,
        case: String,
        errors: &[(&'static str, f64, Option<f64>)],
        note: &str,
        largest_r: f64,
    ) -> Outcome<Vec<Row>> {
        let milliseconds = lab.milliseconds();
        let substeps = lab.substeps()?;
        let evaluations = match self.way.settings.scheme {
            Scheme::Explicit => substeps,
            Scheme::Xpbd => substeps * self.way.settings.iterations,
        };
        let bound = lab.foundation(self.specimen, self.nu)?.bound * self.e.sqrt();
        let r = bound * FRAME / f64::from(evaluations);
        let row = |&(quantity, error, goal): &(&'static str, f64, Option<f64>)| Row {
            case: case.clone(),
            scheme: self.way.name.clone(),
            substeps,
            evaluations,
            r,
            milliseconds,
            quantity,
            error,
            goal: goal.filter(|_| r <= largest_r),
            note: note.to_owned(),
        };
        Ok(errors.iter().map(row).collect())
    }
}
