//! Transcendental functions for what is seen and set, a few calls a frame. In a browser they are JavaScript's: Rust's
//! own would be a twentieth of the module that a page downloads.

macro_rules! functions {
    ($($name:ident ($($argument:ident),+) $browser:ident $std:ident)+) => {$(
        #[cfg(target_arch = "wasm32")]
        pub fn $name($($argument: f64),+) -> f64 {
            js_sys::Math::$browser($($argument),+)
        }
        #[cfg(not(target_arch = "wasm32"))]
        pub fn $name($($argument: f64),+) -> f64 {
            f64::$std($($argument),+)
        }
    )+};
}

/// Linear colour of an sRGB one, both 0 to 1 (IEC 61966-2-1).
#[inline(never)]
pub fn linear_from_srgb(encoded: f32) -> f32 {
    if encoded <= 0.04045 {
        encoded / 12.92
    } else {
        power(f64::from((encoded + 0.055) / 1.055), 2.4) as f32
    }
}

functions! {
    sin(x) sin sin
    cos(x) cos cos
    tan(x) tan tan
    asin(x) asin asin
    atan2(y, x) atan2 atan2
    exp(x) exp exp
    power(base, exponent) pow powf
}
