//! The air round the bodies.

use super::{SettingError, check};

/// Wind: a mean velocity, and gusts that are carried along with it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wind {
    /// Mean velocity of the air, m/s, each component within ±200.
    pub velocity: [f64; 3],
    /// Turbulence intensity: root mean square of each component of the gusts over the mean speed, 0 to 2.
    pub gusts: f64,
    /// Which gusts: the same seed blows the same wind.
    pub seed: u32,
    /// Density of the air, kg/m³: 0 (no air, no drag) to 100.
    pub air_density: f64,
}

impl Default for Wind {
    /// Still air at sea level.
    fn default() -> Self {
        Self {
            velocity: [0.0; 3],
            gusts: 0.0,
            seed: 0,
            air_density: 1.2,
        }
    }
}

impl Wind {
    /// Checks every number against its range.
    ///
    /// # Errors
    /// [`SettingError`] naming the first one out of range.
    pub fn validate(&self) -> Result<(), SettingError> {
        for v in self.velocity {
            check(
                "wind.velocity",
                v,
                "three numbers within ±200 m/s",
                v.abs() <= 200.0,
            )?;
        }
        check(
            "wind.gusts",
            self.gusts,
            "an intensity from 0 to 2",
            (0.0..=2.0).contains(&self.gusts),
        )?;
        check(
            "wind.airDensity",
            self.air_density,
            "a number from 0 to 100 kg/m³",
            (0.0..=100.0).contains(&self.air_density),
        )
    }
}
