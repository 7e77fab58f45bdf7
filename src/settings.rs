//! What a user sets: material, gravity, floor, steps. Ranges are checked here and nowhere else.

mod cloth;
mod wind;

pub use cloth::ClothMaterial;
pub use wind::Wind;

use crate::text::Number;

/// A setting outside its range. The message names the option, its value and the accepted range.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{option} is {value}, but must be {expected}")]
pub struct SettingError {
    /// Path of the option, e.g. `material.poissonRatio`.
    pub option: &'static str,
    /// The value that was given.
    pub value: String,
    /// The accepted range in words.
    pub expected: &'static str,
}

// Called fifteen times: inlined it would be 3 KB.
#[inline(never)]
pub(crate) fn check(
    option: &'static str,
    value: f64,
    expected: &'static str,
    accepted: bool,
) -> Result<(), SettingError> {
    if accepted {
        return Ok(());
    }
    Err(SettingError {
        option,
        value: Number::from(value).to_string(),
        expected,
    })
}

/// An isotropic elastic solid in the units an engineer uses.
///
/// E and ν enter as μ = E/(2(1+ν)) and λ = Eν/((1+ν)(1−2ν)) of the energy density
/// Ψ = μ‖Σ−1‖² + λ/2 (det F − 1)², whose small-strain limit is Hooke's law with exactly this E and ν.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Material {
    /// Young's modulus E, Pa: 1 to 1e12.
    pub youngs_modulus: f64,
    /// Poisson's ratio ν, 0 ≤ ν < 0.5. XPBD takes λ of a ν above 0.49999 to be that of 0.49999.
    pub poisson_ratio: f64,
    /// Density ρ, kg/m³: 1e-3 to 1e5.
    pub density: f64,
    /// Rate at which velocity decays, 1/s: 0 to 1000. Independent of the time step.
    pub damping: f64,
    /// Coulomb coefficient against the floor, 0 to 100.
    pub friction: f64,
}

impl Material {
    /// A soft jelly, which sags visibly under its own weight: E = 50 kPa, ν = 0.4.
    pub const SOFT: Self = Self {
        youngs_modulus: 5e4,
        poisson_ratio: 0.4,
        density: 1000.0,
        damping: 1.0,
        friction: 0.5,
    };
    /// A firm jelly: E = 200 kPa, ν = 0.35.
    pub const MEDIUM: Self = Self {
        youngs_modulus: 2e5,
        poisson_ratio: 0.35,
        ..Self::SOFT
    };
    /// A rubber eraser: E = 1 MPa, ν = 0.3.
    pub const STIFF: Self = Self {
        youngs_modulus: 1e6,
        poisson_ratio: 0.3,
        ..Self::SOFT
    };

    /// The presets by name.
    pub const PRESETS: [(&'static str, Self); 3] = [
        ("soft", Self::SOFT),
        ("medium", Self::MEDIUM),
        ("stiff", Self::STIFF),
    ];

    /// The same with E multiplied.
    pub fn softened(&self, factor: f64) -> Self {
        Self {
            youngs_modulus: self.youngs_modulus * factor,
            ..*self
        }
    }

    /// Shear modulus μ = E/(2(1+ν)), Pa.
    pub fn lame_mu(&self) -> f64 {
        self.youngs_modulus / (2.0 * (1.0 + self.poisson_ratio))
    }

    /// λ = Eν/((1+ν)(1−2ν)), Pa.
    pub fn lame_lambda(&self) -> f64 {
        let nu = self.poisson_ratio;
        self.youngs_modulus * nu / ((1.0 + nu) * (1.0 - 2.0 * nu))
    }

    /// Checks every number against its range.
    ///
    /// # Errors
    /// [`SettingError`] naming the first field out of range.
    pub fn validate(&self) -> Result<(), SettingError> {
        let Self {
            youngs_modulus: e,
            poisson_ratio: nu,
            density: rho,
            damping: c,
            friction: f,
        } = *self;
        check(
            "material.youngsModulus",
            e,
            "a number from 1 to 1e12 Pa",
            (1.0..=1e12).contains(&e),
        )?;
        check(
            "material.poissonRatio",
            nu,
            "at least 0 and below 0.5",
            (0.0..0.5).contains(&nu),
        )?;
        check(
            "material.density",
            rho,
            "a number from 0.001 to 1e5 kg/m³",
            (1e-3..=1e5).contains(&rho),
        )?;
        check(
            "material.damping",
            c,
            "a rate from 0 to 1000 1/s",
            (0.0..=1000.0).contains(&c),
        )?;
        check(
            "material.friction",
            f,
            "a coefficient from 0 to 100",
            (0.0..=100.0).contains(&f),
        )
    }
}

impl Default for Material {
    fn default() -> Self {
        Self::MEDIUM
    }
}

/// How tets enter a substep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scheme {
    /// Forces of the energy, integrated explicitly; a mass operator holds the substep stable where the mesh is stiffer
    /// than it. Measured best in accuracy per millisecond, so the default.
    #[default]
    Explicit,
    /// Constraints projected by position-based dynamics with compliance (XPBD).
    Xpbd,
}

/// How time is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SolverSettings {
    /// How tets enter a substep.
    pub scheme: Scheme,
    /// Substeps per 1/60 s, 1 to 200; `None` chooses them: for the explicit scheme from mesh and material, between
    /// [`Self::LEAST_SUBSTEPS`] and [`Self::BUDGET`], for XPBD [`Self::XPBD_SUBSTEPS`].
    pub substeps: Option<u32>,
    /// Projection iterations per substep of XPBD, 1 to 100.
    pub iterations: u32,
}

impl SolverSettings {
    /// Most substeps per 1/60 s that are chosen by themselves: one evaluation of every tet each.
    pub const BUDGET: u32 = 96;
    /// Fewest substeps per 1/60 s that are chosen by themselves.
    pub const LEAST_SUBSTEPS: u32 = 4;
    /// The largest ωΔt, z*, that explicit substeps follow exactly; they are chosen so that it is kept, and beyond it the mass
    /// operator is needed. With damping θ = 0.2 the step is stable below 2/√(1 + 2θ) = 1.69.
    pub const EXACT_UP_TO: f64 = 1.5;
    /// The largest ωΔt at which the explicit scheme takes a body to be as stiff as its material; a stiffer one is softened
    /// to it. There the rounding of forces in f32 moves a body by a hundredth of a cell in a substep already, a thousand
    /// times more would tear it apart.
    pub const SOFTENED_FROM: f64 = 300.0;
    /// Substeps of XPBD where none are given.
    pub const XPBD_SUBSTEPS: u32 = 20;

    /// The explicit scheme; `None` lets it choose its substeps.
    pub const fn explicit(substeps: Option<u32>) -> Self {
        Self {
            scheme: Scheme::Explicit,
            substeps,
            iterations: 4,
        }
    }

    /// XPBD with so many substeps per 1/60 s and iterations per substep.
    pub const fn xpbd(substeps: u32, iterations: u32) -> Self {
        Self {
            scheme: Scheme::Xpbd,
            substeps: Some(substeps),
            iterations,
        }
    }

    /// Checks both counts against their ranges.
    ///
    /// # Errors
    /// [`SettingError`] naming the count out of range.
    pub fn validate(&self) -> Result<(), SettingError> {
        let substeps = self.substeps.unwrap_or(1);
        let (s, k) = (f64::from(substeps), f64::from(self.iterations));
        check(
            "substeps",
            s,
            "\"auto\" or an integer from 1 to 200",
            (1..=200).contains(&substeps),
        )?;
        check(
            "iterations",
            k,
            "an integer from 1 to 100",
            (1..=100).contains(&self.iterations),
        )
    }
}

impl Default for SolverSettings {
    fn default() -> Self {
        Self::explicit(None)
    }
}

/// The world round the body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Environment {
    /// Gravity, m/s², each component within ±1000.
    pub gravity: [f64; 3],
    /// Height of the floor, m; `None` for no floor.
    pub floor: Option<f64>,
}

impl Default for Environment {
    fn default() -> Self {
        Self {
            gravity: [0.0, -9.81, 0.0],
            floor: Some(0.0),
        }
    }
}

impl Environment {
    /// Checks gravity and floor.
    ///
    /// # Errors
    /// [`SettingError`] naming the number out of range.
    pub fn validate(&self) -> Result<(), SettingError> {
        for g in self.gravity {
            check(
                "gravity",
                g,
                "three numbers within ±1000 m/s²",
                g.abs() <= 1000.0,
            )?;
        }
        let height = self.floor.unwrap_or(0.0);
        check(
            "floor",
            height,
            "false or a height within ±1e6 m",
            height.abs() <= 1e6,
        )
    }
}

/// Where a body starts: `translation + rotation · (scale · X)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transform {
    /// Metres, each component within ±1e7.
    pub translation: [f64; 3],
    /// Quaternion x, y, z, w; normalised here.
    pub rotation: [f64; 4],
    /// Uniform scale of the rest shape, 1e-6 to 1e6.
    pub scale: f64,
}

impl Default for Transform {
    fn default() -> Self {
        Self {
            translation: [0.0; 3],
            rotation: [0.0, 0.0, 0.0, 1.0],
            scale: 1.0,
        }
    }
}

impl Transform {
    /// Checks every number and normalises the rotation.
    ///
    /// # Errors
    /// [`SettingError`] naming the part out of range; a quaternion of length 0 is one.
    pub fn validate(&self) -> Result<Self, SettingError> {
        for t in self.translation {
            check(
                "transform.translation",
                t,
                "three numbers within ±1e7 m",
                t.abs() <= 1e7,
            )?;
        }
        let length = self.rotation.iter().map(|q| q * q).sum::<f64>().sqrt();
        let expected = "a quaternion [x, y, z, w] with a length between 1e-6 and 1e6";
        check(
            "transform.rotation",
            length,
            expected,
            (1e-6..=1e6).contains(&length),
        )?;
        check(
            "transform.scale",
            self.scale,
            "a number from 1e-6 to 1e6",
            (1e-6..=1e6).contains(&self.scale),
        )?;
        Ok(Self {
            rotation: self.rotation.map(|q| q / length),
            ..*self
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lame_moduli_of_a_known_steel() {
        // E = 210 GPa, ν = 0.3: μ = 80.769 GPa, λ = 121.154 GPa.
        let steel = Material {
            youngs_modulus: 210e9,
            poisson_ratio: 0.3,
            ..Material::MEDIUM
        };
        assert!((steel.lame_mu() / 80.769_230_769e9 - 1.0).abs() < 1e-9);
        assert!((steel.lame_lambda() / 121.153_846_153e9 - 1.0).abs() < 1e-9);
    }

    #[test]
    fn presets_are_in_range_and_bad_numbers_are_named() {
        for (name, material) in Material::PRESETS {
            material
                .validate()
                .unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        let bad = Material {
            poisson_ratio: 0.5,
            ..Material::MEDIUM
        };
        let message = bad.validate().unwrap_err().to_string();
        assert!(
            message.contains("material.poissonRatio is 0.5"),
            "{message}"
        );
        let nan = Material {
            youngs_modulus: f64::NAN,
            ..Material::MEDIUM
        };
        assert!(
            nan.validate()
                .unwrap_err()
                .to_string()
                .contains("youngsModulus is NaN")
        );
        assert!(SolverSettings::explicit(Some(0)).validate().is_err());
        assert!(
            Environment {
                gravity: [0.0, f64::INFINITY, 0.0],
                floor: None
            }
            .validate()
            .is_err()
        );
        let flat = Transform {
            rotation: [0.0; 4],
            ..Transform::default()
        };
        assert!(
            flat.validate()
                .unwrap_err()
                .to_string()
                .contains("transform.rotation")
        );
    }
}
