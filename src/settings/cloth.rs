//! What a cloth is made of, in the units of a textile laboratory.

use super::{SettingError, check};

/// A woven or knitted sheet. Compliances belong to the sheet, not to the mesh: a finer mesh of the same cloth is as stiff.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClothMaterial {
    /// Compliance along warp and weft, m/N: strain per pulling force per width (1/stretch is the membrane stiffness,
    /// N/m). 0 (as stiff as the substeps allow) to 1000.
    pub stretch: f64,
    /// Compliance in shear, m/N: angle per shearing force per width. 0 to 1000.
    pub shear: f64,
    /// Compliance in bending, 1/(N·m): 1/bend is the flexural rigidity B of the energy ½ B κ² per area. 0 to 1e12.
    pub bend: f64,
    /// Largest strain of an edge and of the way to the next pin, 0.02 for 2 %: 0 to 10; `None` for no limit.
    pub strain_limit: Option<f64>,
    /// Mass per area, kg/m²: 1e-4 to 1000.
    pub areal_density: f64,
    /// Rate at which velocity decays, 1/s: 0 to 1000. Independent of the time step; the air's drag comes besides.
    pub damping: f64,
    /// Coulomb coefficient against the floor, 0 to 100.
    pub friction: f64,
    /// Coefficient C of the drag ½ ρ C A v² of air across the sheet, 0 to 100.
    pub normal_drag: f64,
    /// The same along the sheet, 0 to 100.
    pub tangential_drag: f64,
}

impl ClothMaterial {
    /// Light and flowing.
    pub const SILK: Self = Self {
        stretch: 5e-4,
        shear: 5e-3,
        bend: 2e5,
        strain_limit: Some(0.02),
        areal_density: 0.07,
        damping: 0.1,
        friction: 0.3,
        normal_drag: 1.2,
        tangential_drag: 0.02,
    };
    /// Heavier, with wider folds.
    pub const COTTON: Self = Self {
        stretch: 2e-4,
        shear: 1e-3,
        bend: 1e4,
        strain_limit: Some(0.03),
        areal_density: 0.18,
        friction: 0.5,
        tangential_drag: 0.05,
        ..Self::SILK
    };
    /// A sheet of latex half a millimetre thick, which stretches.
    pub const RUBBER: Self = Self {
        stretch: 2e-3,
        shear: 6e-3,
        bend: 7e4,
        strain_limit: None,
        areal_density: 0.5,
        damping: 0.3,
        friction: 0.9,
        ..Self::SILK
    };
    /// The presets by name.
    pub const PRESETS: [(&'static str, Self); 3] = [
        ("silk", Self::SILK),
        ("cotton", Self::COTTON),
        ("rubber", Self::RUBBER),
    ];

    /// Checks every number against its range.
    ///
    /// # Errors
    /// [`SettingError`] naming the first field out of range.
    pub fn validate(&self) -> Result<(), SettingError> {
        let compliance = "a compliance from 0 to 1000 m/N";
        let coefficient = "a coefficient from 0 to 100";
        let rows = [
            ("material.stretch", self.stretch, 0.0, 1e3, compliance),
            ("material.shear", self.shear, 0.0, 1e3, compliance),
            (
                "material.bend",
                self.bend,
                0.0,
                1e12,
                "a compliance from 0 to 1e12 1/(N·m)",
            ),
            (
                "material.strainLimit",
                self.strain_limit.unwrap_or(0.0),
                0.0,
                10.0,
                "a strain from 0 to 10",
            ),
            (
                "material.arealDensity",
                self.areal_density,
                1e-4,
                1e3,
                "a number from 0.0001 to 1000 kg/m²",
            ),
            (
                "material.damping",
                self.damping,
                0.0,
                1e3,
                "a rate from 0 to 1000 1/s",
            ),
            ("material.friction", self.friction, 0.0, 100.0, coefficient),
            (
                "material.normalDrag",
                self.normal_drag,
                0.0,
                100.0,
                coefficient,
            ),
            (
                "material.tangentialDrag",
                self.tangential_drag,
                0.0,
                100.0,
                coefficient,
            ),
        ];
        for (option, value, least, most, expected) in rows {
            check(option, value, expected, (least..=most).contains(&value))?;
        }
        Ok(())
    }
}

impl Default for ClothMaterial {
    fn default() -> Self {
        Self::SILK
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_are_in_range_and_bad_numbers_are_named() {
        for (name, material) in ClothMaterial::PRESETS {
            material
                .validate()
                .unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        for (bad, named) in [
            (
                ClothMaterial {
                    stretch: -1.0,
                    ..ClothMaterial::SILK
                },
                "material.stretch is -1",
            ),
            (
                ClothMaterial {
                    areal_density: 0.0,
                    ..ClothMaterial::SILK
                },
                "material.arealDensity is 0",
            ),
            (
                ClothMaterial {
                    strain_limit: Some(f64::NAN),
                    ..ClothMaterial::SILK
                },
                "material.strainLimit is NaN",
            ),
        ] {
            let message = bad.validate().unwrap_err().to_string();
            assert!(message.contains(named), "{message}");
        }
    }
}
