//! Frequency and damping of a sampled oscillation.

use std::f64::consts::TAU;

/// Frequency, Hz, and damping ratio.
#[derive(Debug, Clone, Copy)]
pub struct Oscillation {
    pub frequency: f64,
    pub damping_ratio: f64,
}

/// Fits one damped oscillation about zero to samples `interval` seconds apart (Prony 1795, in least squares):
/// q[n+2] = a q[n+1] + b q[n], whose roots are exp((−d ± iω) interval). Frequencies must lie below half the sampling
/// rate. Where nothing oscillates the frequency is 0.
pub fn fit(samples: &[f64], interval: f64) -> Oscillation {
    let (mut s11, mut s12, mut s22, mut t1, mut t2) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for window in samples.windows(3) {
        let [q0, q1, q2] = [window[0], window[1], window[2]];
        s11 += q1 * q1;
        s12 += q1 * q0;
        s22 += q0 * q0;
        t1 += q1 * q2;
        t2 += q0 * q2;
    }
    let determinant = s11 * s22 - s12 * s12;
    let a = (t1 * s22 - t2 * s12) / determinant;
    let b = (t2 * s11 - t1 * s12) / determinant;
    let cosine = a / (2.0 * (-b).sqrt());
    if b >= 0.0 || cosine.abs() >= 1.0 || !determinant.is_finite() {
        return Oscillation {
            frequency: 0.0,
            damping_ratio: f64::NAN,
        };
    }
    let omega = cosine.acos() / interval;
    let decay = -0.5 * (-b).ln() / interval;
    Oscillation {
        frequency: omega / TAU,
        damping_ratio: decay / omega.hypot(decay),
    }
}
