//! Numbers and quotations in messages. The standard library prints floats exactly and escapes all of Unicode, which
//! costs a download more than any message is worth.

use std::fmt::{self, Display, Formatter, Write};

/// A float as messages show it: rounded, without trailing zeros, with an exponent outside 10⁻⁵ to 10⁷.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Number {
    value: f64,
    /// Significant digits, fewer than the type holds, so that 0.1 prints as that.
    digits: u32,
}

impl From<f64> for Number {
    fn from(value: f64) -> Self {
        Self { value, digits: 12 }
    }
}

impl From<f32> for Number {
    fn from(value: f32) -> Self {
        Self {
            value: f64::from(value),
            digits: 7,
        }
    }
}

#[cfg(feature = "gpu")]
impl Number {
    /// Rounded to so many significant digits, 1 to 12.
    pub fn rounded(value: f64, digits: u32) -> Self {
        Self { value, digits }
    }
}

/// Powers of ten whose products reach every exponent of an `f64`.
const POWERS: [(f64, i32); 9] = [
    (1e256, 256),
    (1e128, 128),
    (1e64, 64),
    (1e32, 32),
    (1e16, 16),
    (1e8, 8),
    (1e4, 4),
    (1e2, 2),
    (1e1, 1),
];

impl Display for Number {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut x = self.value.abs();
        if x.is_nan() {
            return f.write_str("NaN");
        }
        if self.value.is_sign_negative() {
            f.write_char('-')?;
        }
        if x == 0.0 {
            return f.write_char('0');
        }
        if x.is_infinite() {
            return f.write_str("Infinity");
        }
        let mut exponent = 0;
        let small = x < 1.0;
        for (power, step) in POWERS {
            if small && x * power < 10.0 {
                x *= power;
                exponent -= step;
            } else if !small && x >= power {
                x /= power;
                exponent += step;
            }
        }
        // x is now 1 to 10: its digits as a whole number.
        let mut number = (x * 10f64.powi(self.digits as i32 - 1) + 0.5) as u64;
        let mut length = self.digits as i32;
        if number >= 10u64.pow(self.digits) {
            number /= 10;
            exponent += 1;
        }
        while number.is_multiple_of(10) {
            number /= 10;
            length -= 1;
        }
        let plain = (-5..7).contains(&exponent);
        // Digits before the point; none or fewer put zeros after it.
        let before = if plain { exponent + 1 } else { 1 };
        let mut text = String::new();
        for place in before.min(1)..before.max(length) + 1 {
            // Places count from 1 at the first digit.
            if place == before + 1 {
                text.push('.');
            }
            let digit = if place < 1 || place > length {
                0
            } else {
                number / 10u64.pow((length - place) as u32) % 10
            };
            text.push((b'0' + digit as u8) as char);
        }
        f.write_str(&text)?;
        if plain {
            Ok(())
        } else {
            write!(f, "e{exponent}")
        }
    }
}

/// Text in double quotes; quotes, backslashes and control characters in it are escaped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quoted<'a>(pub &'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '\n' => f.write_str("\\n")?,
                '\r' => f.write_str("\\r")?,
                '\t' => f.write_str("\\t")?,
                '"' | '\\' => write!(f, "\\{c}")?,
                '\0'..' ' | '\u{7f}'..'\u{a0}' => write!(f, "\\u{{{:x}}}", u32::from(c))?,
                _ => f.write_char(c)?,
            }
        }
        f.write_char('"')
    }
}

/// A number as `str::parse::<f64>` reads it, the sign, digits, point and exponent alike, and "inf" and "nan".
///
/// Correct to the last bit up to 15 digits and 22 places, and otherwise as good as always: the error before rounding is
/// below 2⁻⁵⁵ of the value. The standard library settles the rest with a table of 10 KB that does not compress.
#[cfg(feature = "mesh-tools")]
#[inline(never)]
pub fn parse_real(text: &[u8]) -> Option<f64> {
    let (negative, unsigned) = match text.split_first()? {
        (b'-', rest) => (true, rest),
        (b'+', rest) => (false, rest),
        _ => (false, text),
    };
    let signed = |value: f64| Some(if negative { -value } else { value });
    for (name, value) in [
        ("inf", f64::INFINITY),
        ("infinity", f64::INFINITY),
        ("nan", f64::NAN),
    ] {
        if unsigned.eq_ignore_ascii_case(name.as_bytes()) {
            return signed(value);
        }
    }
    // The value is mantissa·10^scale.
    let (mut mantissa, mut scale, mut digits, mut point) = (0u64, 0i64, 0usize, false);
    let mut rest = unsigned;
    while let Some((&byte, after)) = rest.split_first() {
        match byte {
            b'0'..=b'9' => {
                digits += 1;
                // What does not fit is below the last bit by far.
                let kept = mantissa
                    .checked_mul(10)
                    .and_then(|tens| tens.checked_add(u64::from(byte - b'0')));
                match kept {
                    Some(more) if scale <= 0 => {
                        mantissa = more;
                        scale -= i64::from(point);
                    }
                    _ => scale += i64::from(!point),
                }
            }
            b'.' if !point => point = true,
            b'e' | b'E' if digits > 0 => {
                let (falls, after) = match after.split_first()? {
                    (b'-', digits) => (true, digits),
                    (b'+', digits) => (false, digits),
                    _ => (false, after),
                };
                if after.is_empty() || !after.iter().all(u8::is_ascii_digit) {
                    return None;
                }
                let places = after.iter().fold(0i64, |sum, digit| {
                    (10 * sum + i64::from(digit - b'0')).min(1 << 40)
                });
                scale += if falls { -places } else { places };
                rest = &[];
                continue;
            }
            _ => return None,
        }
        rest = after;
    }
    if digits == 0 {
        return None;
    }
    signed(scaled(mantissa, scale.clamp(-400, 400) as i32))
}

/// `mantissa·10^scale`.
#[cfg(feature = "mesh-tools")]
fn scaled(mantissa: u64, scale: i32) -> f64 {
    if mantissa == 0 {
        return 0.0;
    }
    // Both sides are exact, so there is one rounding (Clinger 1990).
    if mantissa < 1 << 53 && scale.abs() <= 22 {
        let power = (0..scale.abs()).fold(1.0, |power, _| power * 10.0);
        let whole = mantissa as f64;
        return if scale < 0 {
            whole / power
        } else {
            whole * power
        };
    }
    // The value is bits·2^exponent with the highest bit set. Ten is 5/8·2⁴ and a tenth 4/5·2⁻³, as fractions of 2⁶⁴.
    let (factor, shift) = match scale < 0 {
        true => (0xCCCC_CCCC_CCCC_CCCDu64, -3),
        false => (0xA000_0000_0000_0000, 4),
    };
    let mut exponent = -(mantissa.leading_zeros() as i32);
    let mut bits = mantissa << mantissa.leading_zeros();
    for _ in 0..scale.abs() {
        let mut product = u128::from(bits) * u128::from(factor);
        exponent += shift;
        if product >> 127 == 0 {
            product <<= 1;
            exponent -= 1;
        }
        // Rounded, and where that carries into the next power of two, cut.
        bits = (((product >> 63) as u64 & 1) + (product >> 64) as u64).max((product >> 64) as u64);
    }
    // In two steps, each a power of two that exists.
    let power = |exponent: i32| f64::from_bits(((exponent + 1023).clamp(0, 2047) as u64) << 52);
    bits as f64 * power(exponent / 2) * power(exponent - exponent / 2)
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(value: f64) -> String {
        Number::from(value).to_string()
    }

    #[test]
    fn numbers_that_messages_hold() {
        let cases = [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (-9.81, "-9.81"),
            (0.5, "0.5"),
            (0.49, "0.49"),
            (0.490_000_001, "0.490000001"),
            (200.0, "200"),
            (1_234_567.0, "1234567"),
            (9_999_999.5, "9999999.5"),
            (10_000_000.0, "1e7"),
            (12_500_000.0, "1.25e7"),
            (0.000_01, "0.00001"),
            (0.000_012_5, "0.0000125"),
            (0.000_001, "1e-6"),
            (1e-7, "1e-7"),
            (1e-36, "1e-36"),
            (-1.5e300, "-1.5e300"),
            (f64::MIN_POSITIVE, "2.22507385851e-308"),
            (5e-324, "4.94065645841e-324"),
            (f64::MAX, "1.79769313486e308"),
            (0.999_999_999_999_9, "1"),
            (999_999.999_999_999, "1000000"),
            (f64::NAN, "NaN"),
            (f64::INFINITY, "Infinity"),
            (f64::NEG_INFINITY, "-Infinity"),
        ];
        for (value, expected) in cases {
            assert_eq!(shown(value), expected, "{value:e}");
        }
        assert_eq!(Number::from(0.1f32).to_string(), "0.1");
        assert_eq!(Number::from(1e9f32).to_string(), "1e9");
        assert_eq!(Number::from(f32::MIN_POSITIVE).to_string(), "1.175494e-38");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]
        #[test]
        fn any_float_is_rounded_as_by_the_standard_library(value in any::<f64>()) {
            // Exact ties of the twelfth digit may round either way; one unit there is what may differ.
            let rounded: f64 = format!("{value:.11e}").parse().unwrap();
            let read: f64 = shown(value).parse().unwrap();
            prop_assert!((read - rounded).abs() <= 1.01e-11 * value.abs(), "{value:e} {}", shown(value));
        }

        #[test]
        fn numbers_of_few_digits_are_exact(digits in -999_999_999i64..999_999_999, exponent in -300i32..290) {
            let value: f64 = format!("{digits}e{exponent}").parse().unwrap();
            prop_assert_eq!(shown(value).parse::<f64>().unwrap(), value);
        }

        #[test]
        fn ordinary_numbers_look_as_the_standard_library_prints_them(digits in 1i64..9_999_999, places in 0i32..7) {
            let value: f64 = format!("{digits}e-{places}").parse().unwrap();
            prop_assume!(value >= 1e-5);
            prop_assert_eq!(shown(value), value.to_string());
            let single = value as f32;
            prop_assert_eq!(Number::from(single).to_string(), single.to_string());
        }
    }

    #[cfg(feature = "mesh-tools")]
    #[test]
    fn reals_are_read_by_the_standard_librarys_rules() {
        for text in [
            "",
            "-",
            "+",
            ".",
            "1.",
            ".5",
            "-.5",
            "+1",
            "1e",
            "1e+",
            "1e-",
            "e5",
            "1e5",
            "1E5",
            "1.5e+3",
            "1e5.0",
            "1..2",
            "0x10",
            "--1",
            "1 ",
            " 1",
            "1_0",
            "1d5",
            "nan",
            "-NaN",
            "inf",
            "-Infinity",
            "infinit",
            "0",
            "-0",
            "00012",
            "0.000",
            "1e400",
            "-1e400",
            "1e-400",
            "5e-324",
            "2e-324",
            "1.7976931348623157e308",
            "2.2250738585072014e-308",
            "9007199254740993",
            "18446744073709551615",
            "18446744073709551616",
            "123456789012345678901234567890",
            "0.1000000000000000055511151231257827",
            "1e99999999999999999999",
            "0e99999999999999999999",
            "1e-99999999999999999999",
        ] {
            let expected = text.parse::<f64>().ok();
            let found = parse_real(text.as_bytes());
            assert_eq!(
                found.map(f64::to_bits),
                expected.map(f64::to_bits),
                "{text:?}"
            );
        }
        let long = format!("0.{}1e{}", "0".repeat(500), 501);
        assert_eq!(parse_real(long.as_bytes()), Some(1.0));
    }

    #[cfg(feature = "mesh-tools")]
    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]
        #[test]
        fn printed_floats_are_read_back(value in any::<f64>(), single in any::<f32>()) {
            for text in [format!("{value}"), format!("{value:e}"), format!("{value:.17e}"), format!("{single:e}"), format!("{single}")] {
                let expected: f64 = text.parse().unwrap();
                let found = parse_real(text.as_bytes()).unwrap();
                prop_assert_eq!(found.is_nan(), expected.is_nan());
                // Within a unit in the last place where there are more than 15 digits.
                prop_assert!(expected.is_nan() || found.to_bits().abs_diff(expected.to_bits()) <= 1, "{text}: {found:e}");
                prop_assert!(expected.is_nan() || found as f32 == expected as f32, "{text}: {found:e}");
            }
        }

        #[test]
        fn any_text_is_accepted_or_refused_alike(text in "[-+0-9.eEinfaINFA]{0,12}") {
            let expected = text.parse::<f64>().ok();
            prop_assert_eq!(parse_real(text.as_bytes()).map(f64::is_nan), expected.map(f64::is_nan), "{}", text);
        }
    }

    #[cfg(feature = "gpu")]
    #[test]
    fn numbers_are_rounded_to_the_digits_asked_for() {
        assert_eq!(Number::rounded(0.001_234_9, 3).to_string(), "0.00123");
        assert_eq!(Number::rounded(9.996e-8, 3).to_string(), "1e-7");
    }

    #[test]
    fn quotations_stay_on_one_line() {
        assert_eq!(
            Quoted("<a b=\"c\">\n\\é\u{1}").to_string(),
            r#""<a b=\"c\">\n\\é\u{1}""#
        );
    }
}
