//! How a body looks: base colour, roughness, metallic, cloth's highlights, wireframe; and the parser of its CSS colour.

use crate::math::linear_from_srgb;
use crate::text::Quoted;
use thiserror::Error;

/// How the surface of a body is shaded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Appearance {
    /// Base colour, linear, 0 to 1 per channel. [`Appearance::parse_color`] makes one from a CSS colour.
    pub color: [f32; 3],
    /// Perceptual roughness, 0 (mirror) to 1 (matte); values outside are clamped when drawing.
    pub roughness: f32,
    /// 0 for jelly, rubber and other dielectrics, 1 for metal; values outside are clamped when drawing.
    pub metallic: f32,
    /// Of cloth: how far highlights stretch along the warp (to 1) or the weft (to −1); 0 leaves them round. Values outside
    /// are clamped when drawing. At ±1 a highlight is 10 times as long as wide (Burley 2012).
    pub anisotropy: f32,
    /// Of cloth: how much light fibres that stand off it scatter at grazing angles, 0 to 1; values outside are clamped when
    /// drawing (Estevez & Kulla 2017).
    pub sheen: f32,
    /// Draws the edges of the surface on top of it.
    pub wireframe: bool,
}

impl Default for Appearance {
    /// A raspberry jelly.
    fn default() -> Self {
        Self {
            color: [0.86, 0.075, 0.13],
            roughness: 0.22,
            metallic: 0.0,
            anisotropy: 0.0,
            sheen: 0.0,
            wireframe: false,
        }
    }
}

/// Why a colour could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ColorError {
    /// Neither `#rgb` nor `#rrggbb`: the caller should pass one of those.
    #[error(
        "colour {} has {digits} characters after '#'; expected \"#rgb\" or \"#rrggbb\"",
        Quoted(text)
    )]
    Length {
        /// The text as given.
        text: String,
        /// How many characters follow the `#`.
        digits: usize,
    },
    /// The text does not begin with `#`; colour names are not supported.
    #[error(
        "colour {} does not start with '#'; expected \"#rgb\" or \"#rrggbb\"",
        Quoted(text)
    )]
    Prefix {
        /// The text as given.
        text: String,
    },
    /// A character that is not a hexadecimal digit.
    #[error(
        "colour {} has '{character}' at position {position}, which is not a hexadecimal digit",
        Quoted(text)
    )]
    Digit {
        /// The text as given.
        text: String,
        /// The culprit.
        character: char,
        /// Its position in characters, counted from 0 at the `#`.
        position: usize,
    },
}

impl Appearance {
    /// Linear colour of a CSS hexadecimal colour `#rgb` or `#rrggbb`, which is sRGB; case and surrounding white space
    /// do not matter.
    ///
    /// # Errors
    /// [`ColorError`] names what is wrong with the text.
    pub fn parse_color(text: &str) -> Result<[f32; 3], ColorError> {
        let Some(digits) = text.trim().strip_prefix('#') else {
            return Err(ColorError::Prefix {
                text: text.to_owned(),
            });
        };
        let mut values = Vec::with_capacity(6);
        for (index, character) in digits.chars().enumerate() {
            let Some(value) = character.to_digit(16) else {
                return Err(ColorError::Digit {
                    text: text.to_owned(),
                    character,
                    position: index + 1,
                });
            };
            values.push(value);
        }
        let bytes = match values[..] {
            [r, g, b] => [r * 17, g * 17, b * 17],
            [r1, r0, g1, g0, b1, b0] => [r1 * 16 + r0, g1 * 16 + g0, b1 * 16 + b0],
            _ => {
                return Err(ColorError::Length {
                    text: text.to_owned(),
                    digits: values.len(),
                });
            }
        };
        Ok(bytes.map(|byte| linear_from_srgb(byte as f32 / 255.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_lengths_give_the_same_colour() {
        assert_eq!(
            Appearance::parse_color("#f80"),
            Appearance::parse_color(" #FF8800 ")
        );
        let [r, g, b] = Appearance::parse_color("#ff8000").unwrap();
        assert_eq!((r, b), (1.0, 0.0));
        // 128/255 is 0.21586 linear by IEC 61966-2-1.
        assert!((g - 0.215_86).abs() < 1e-5, "{g}");
    }

    #[test]
    fn bad_colours_name_the_culprit() {
        assert!(matches!(
            Appearance::parse_color("red"),
            Err(ColorError::Prefix { .. })
        ));
        assert!(matches!(
            Appearance::parse_color("#12345"),
            Err(ColorError::Length { digits: 5, .. })
        ));
        assert!(matches!(
            Appearance::parse_color("#"),
            Err(ColorError::Length { digits: 0, .. })
        ));
        assert!(matches!(
            Appearance::parse_color("#12g"),
            Err(ColorError::Digit {
                character: 'g',
                position: 3,
                ..
            })
        ));
        assert!(matches!(
            Appearance::parse_color("#é12"),
            Err(ColorError::Digit {
                character: 'é',
                position: 1,
                ..
            })
        ));
    }
}
