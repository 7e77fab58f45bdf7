//! Gusts: a velocity field of the air that is smooth in space and time, free of divergence, and carried by the mean wind.
//!
//! u(x, t) = U + Σ a cos 2π(k·x − f t + φ) with a ⟂ k, so that div u = 0 exactly, in the manner of Kraichnan (1970),
//! *Diffusion by a random velocity field*, Physics of Fluids 13. Wavelengths are spread evenly in the logarithm and
//! |a| ∝ λ^⅓, as in Kolmogorov's inertial range (1941). f = k·U ± ½|k||a|: frozen turbulence (Taylor 1938), in which
//! every eddy also changes within about the time in which it turns over twice. `docs/notes/wind.md` has the figures.

use crate::layout::{WIND_WAVES, WindParams, WindWave};
use crate::math;
use crate::settings::Wind;
use glam::DVec3;
use std::f64::consts::TAU;

/// Longest wavelength before the axes are scaled, m.
const LONGEST: f64 = 10.0;
/// Shortest over longest wavelength.
const SHORTEST: f64 = 0.03;
/// Steps of the sequence of Roberts (2018) that fills a cube evenly: 1/ρ, 1/ρ², 1/ρ³ with ρ⁴ = ρ + 1.
const EVEN_STEPS: [f64; 3] = [
    0.819_172_513_396_164_5,
    0.671_043_606_703_789_3,
    0.549_700_477_901_970_3,
];

/// A transverse plane wave.
#[derive(Debug, Clone, Copy)]
struct Wave {
    /// a, m/s.
    amplitude: DVec3,
    /// k, turns/m.
    number: DVec3,
    /// f, turns/s.
    frequency: f64,
    /// φ, turns.
    phase: f64,
}

impl Wave {
    /// Phase at a point and a time, −0.5 to 0.5 turns: reduced here in `f64`, so that `f32` keeps its digits after hours
    /// and far from the world's origin.
    fn turns(&self, point: DVec3, seconds: f64) -> f64 {
        let turns = self.number.dot(point) - self.frequency * seconds + self.phase;
        turns - (turns + 0.5).floor()
    }
}

/// The velocity of the air, everywhere and at all times.
///
/// ```
/// use webgpu_softbody::settings::Wind;
/// use webgpu_softbody::wind::Gusts;
///
/// let steady = Gusts::new(&Wind { velocity: [5.0, 0.0, 0.0], ..Wind::default() });
/// assert_eq!(steady.velocity([1.0, 2.0, 3.0], 4.0), [5.0, 0.0, 0.0]);
/// ```
#[derive(Debug, Clone)]
pub struct Gusts {
    mean: DVec3,
    air_density: f64,
    /// None where the wind is steady.
    waves: Vec<Wave>,
}

/// SplitMix64 (Steele, Lea and Flood 2014): uniform in [0, 1).
fn random(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^= z >> 31;
    (z >> 11) as f64 / (1u64 << 53) as f64
}

impl Gusts {
    /// The gusts of a wind that [`Wind::validate`] accepts. The root mean square over space of each component of the gusts
    /// is `gusts` × |`velocity`|, exactly; still air has none.
    pub fn new(wind: &Wind) -> Self {
        let mean = DVec3::from_array(wind.velocity);
        let intensity = wind.gusts * mean.length();
        let mut gusts = Self {
            mean,
            air_density: wind.air_density,
            waves: Vec::new(),
        };
        if intensity <= 0.0 {
            return gusts;
        }
        let state = &mut u64::from(wind.seed);
        let shifts = EVEN_STEPS.map(|_| random(state));
        // Mean square of each component.
        let mut square = DVec3::ZERO;
        for index in 0..WIND_WAVES {
            let place = (index as f64 + random(state)) / WIND_WAVES as f64;
            let wavelength = LONGEST * math::power(SHORTEST, place);
            // Evenly over the directions and the amplitudes across them: neither k and −k nor a and −a are two waves.
            let [height, turn, roll]: [f64; 3] = std::array::from_fn(|axis| {
                let value = shifts[axis] + index as f64 * EVEN_STEPS[axis];
                value - value.floor()
            });
            let [turn, roll] = [TAU * turn, 0.5 * TAU * roll];
            let (s, c, radius) = (
                math::sin(turn),
                math::cos(turn),
                (1.0 - height * height).sqrt(),
            );
            let across = math::cos(roll) * DVec3::new(-s, c, 0.0)
                + math::sin(roll) * DVec3::new(-height * c, -height * s, radius);
            let amplitude = across * math::power(wavelength, 1.0 / 3.0);
            square += 0.5 * amplitude * amplitude;
            gusts.waves.push(Wave {
                amplitude,
                number: DVec3::new(radius * c, radius * s, height) / wavelength,
                frequency: 0.0,
                phase: random(state),
            });
        }
        // Stretching the field along the axes and its vectors with it leaves a·k and thus the divergence at zero.
        let stretch = square.map(|s| intensity / s.sqrt());
        let relative = stretch / math::power(stretch.element_product(), 1.0 / 3.0);
        for (index, wave) in gusts.waves.iter_mut().enumerate() {
            wave.amplitude *= stretch;
            wave.number /= relative;
            let own = 0.5 * wave.number.length() * wave.amplitude.length();
            let carried = wave.number.dot(mean);
            // Every other eddy lags behind the mean wind and the rest are ahead of it: together they are carried along.
            let ahead = if index % 2 == 0 { 1.0 } else { -1.0 };
            wave.frequency = carried + own * ahead * carried.signum();
        }
        gusts
    }

    /// The same gusts at the time `seconds` as those that blew `before`, where they are of one seed: a wind that turns or
    /// rises goes on from them, and does not jump.
    #[must_use]
    pub fn going_on_from(mut self, before: &Self, seconds: f64) -> Self {
        for (wave, old) in self.waves.iter_mut().zip(&before.waves) {
            // Strength only rounds them.
            if wave.number.distance(old.number) < 1e-9 * old.number.length() {
                let turns = old.phase + (wave.frequency - old.frequency) * seconds;
                wave.phase = turns - turns.floor();
            }
        }
        self
    }

    /// Velocity of the air at a point of the world, m, and a time, s: mean and gusts, m/s.
    pub fn velocity(&self, point: [f64; 3], seconds: f64) -> [f64; 3] {
        let point = DVec3::from_array(point);
        let gusts = self.waves.iter().fold(self.mean, |sum, wave| {
            sum + wave.amplitude * math::cos(TAU * wave.turns(point, seconds))
        });
        gusts.to_array()
    }

    /// Whether the air is the same at all times.
    pub fn steady(&self) -> bool {
        self.waves.is_empty()
    }

    /// What the kernels need to know of the air at a time, s, round an origin, m: `shaders/shared/wind.wgsl`.
    pub fn params(&self, seconds: f64, origin: [f32; 3]) -> WindParams {
        let origin = DVec3::from_array(origin.map(f64::from));
        let mut params = WindParams {
            velocity: self.mean.as_vec3().to_array(),
            air_density: self.air_density as f32,
            wave_count: self.waves.len() as u32,
            ..bytemuck::Zeroable::zeroed()
        };
        for (row, wave) in params.waves.iter_mut().zip(&self.waves) {
            *row = WindWave {
                number: wave.number.as_vec3().to_array(),
                phase: wave.turns(origin, seconds) as f32,
                amplitude: wave.amplitude.as_vec3().to_array(),
                padding: 0,
            };
        }
        params
    }
}
