//! The rows of a PLY file, text or binary. Counts are believed only as far as the bytes that are left reach.

use super::super::{ImportError, Location};
use super::ply_header::{Element, FORMAT, Scalar};
use super::scan::{Scanner, shown};

/// What follows the header.
pub(super) enum Body<'a> {
    Ascii(Scanner<'a>),
    Binary {
        bytes: &'a [u8],
        at: usize,
        big_endian: bool,
    },
}

/// A row: its scalars in the places of their properties (0 for lists), and the list that was asked for.
#[derive(Default)]
pub(super) struct Row {
    pub scalars: Vec<f64>,
    pub list: Vec<f64>,
}

/// The rows of one element.
pub(super) struct Rows<'a, 'b> {
    body: &'b mut Body<'a>,
    element: &'b Element,
    done: u64,
    wanted: Option<usize>,
}

impl<'a> Body<'a> {
    pub fn ascii(scanner: Scanner<'a>) -> Self {
        Self::Ascii(scanner)
    }

    pub fn binary(bytes: &'a [u8], at: usize, big_endian: bool) -> Self {
        Self::Binary {
            bytes,
            at,
            big_endian,
        }
    }

    fn remaining(&self) -> usize {
        match self {
            Self::Ascii(scanner) => scanner.remaining(),
            Self::Binary { bytes, at, .. } => bytes.len() - at,
        }
    }

    fn here(&self) -> Location {
        match self {
            Self::Ascii(scanner) => scanner.here(),
            Self::Binary { at, .. } => Location::Byte(*at),
        }
    }

    /// The least that a value takes: in text a digit and, but for the last value, a blank.
    fn least(&self, scalar: Scalar) -> u64 {
        match self {
            Self::Ascii(_) => 2,
            Self::Binary { .. } => scalar.size() as u64,
        }
    }

    /// Begins to read an element, if its announced rows can fit what is left.
    #[inline(never)]
    pub fn element<'b>(&'b mut self, element: &'b Element) -> Result<Rows<'a, 'b>, ImportError> {
        let row: u64 = element
            .properties
            .iter()
            .map(|p| self.least(p.length.unwrap_or(p.scalar)))
            .sum();
        let needed = element.count.saturating_mul(row);
        let rows = Rows {
            body: self,
            element,
            done: 0,
            wanted: None,
        };
        let remaining = rows.body.remaining();
        // The text's last blank may be missing.
        if needed > remaining as u64 + 1 {
            return Err(rows.malformed(format!(
                "{} rows {} were announced, at least {needed} bytes, but {remaining} are left: the file is cut short",
                element.count,
                shown(&element.name),
            )));
        }
        Ok(rows)
    }

    #[inline(never)]
    fn value(&mut self, scalar: Scalar) -> Result<f64, ImportError> {
        match self {
            Self::Ascii(scanner) => {
                let word = scanner.word_anywhere();
                // "nan" is refused where it matters, by name.
                let value = word.and_then(|w| crate::text::parse_real(w.text));
                value.ok_or_else(|| scanner.unexpected(word, "a number"))
            }
            Self::Binary {
                bytes,
                at,
                big_endian,
            } => {
                let size = scalar.size();
                let Some(raw) = bytes.get(*at..*at + size) else {
                    return Err(ImportError::Malformed {
                        format: FORMAT,
                        location: Location::Byte(*at),
                        message: format!(
                            "expected a value of {size} bytes, found the end of the file {} bytes on",
                            bytes.len() - *at
                        ),
                    });
                };
                *at += size;
                let mut little = [0; 8];
                little[..size].copy_from_slice(raw);
                if *big_endian {
                    little[..size].reverse();
                }
                Ok(decode(scalar, little))
            }
        }
    }

    #[inline(never)]
    fn length(&mut self, scalar: Scalar, of: Scalar) -> Result<usize, ImportError> {
        if let Self::Ascii(scanner) = self {
            scanner.find_word();
        }
        let location = self.here();
        let length = self.value(scalar)?;
        let remaining = self.remaining();
        let most = (remaining as u64 + 1) / self.least(of);
        if length >= 0.0 && length.fract() == 0.0 && length <= most as f64 {
            return Ok(length as usize);
        }
        Err(ImportError::Malformed {
            format: FORMAT,
            location,
            message: format!(
                "expected the length of a list, at most {most} for the {remaining} bytes left, found {}",
                crate::text::Number::from(length)
            ),
        })
    }

    #[inline(never)]
    fn pass(&mut self, count: usize, scalar: Scalar) -> Result<(), ImportError> {
        if let Self::Binary { bytes, at, .. } = self
            && let Some(skipped) = count.checked_mul(scalar.size())
            && skipped <= bytes.len() - *at
        {
            *at += skipped;
            return Ok(());
        }
        for _ in 0..count {
            self.value(scalar)?;
        }
        Ok(())
    }
}

impl Rows<'_, '_> {
    /// Names the list property that rows shall hold.
    pub fn want(&mut self, property: usize) {
        self.wanted = Some(property);
    }

    /// Reads the next row; false after the last.
    pub fn next(&mut self, row: &mut Row) -> Result<bool, ImportError> {
        if self.done == self.element.count {
            return Ok(false);
        }
        row.scalars.clear();
        row.list.clear();
        for (place, property) in self.element.properties.iter().enumerate() {
            let mut scalar = 0.0;
            if let Some(length) = property.length {
                let length = self.body.length(length, property.scalar)?;
                if self.wanted == Some(place) {
                    row.list.reserve(length);
                    for _ in 0..length {
                        row.list.push(self.body.value(property.scalar)?);
                    }
                } else {
                    self.body.pass(length, property.scalar)?;
                }
            } else {
                scalar = self.body.value(property.scalar)?;
            }
            row.scalars.push(scalar);
        }
        self.done += 1;
        Ok(true)
    }

    /// Passes over all rows.
    pub fn skip(mut self) -> Result<(), ImportError> {
        if !self.element.properties.is_empty() {
            let mut row = Row::default();
            while self.next(&mut row)? {}
        }
        Ok(())
    }

    /// The element and the number of the row last read: "face 12".
    pub fn name(&self) -> String {
        format!(
            "{} {}",
            String::from_utf8_lossy(&self.element.name),
            self.done.saturating_sub(1)
        )
    }

    #[cold]
    #[inline(never)]
    pub fn malformed(&self, message: String) -> ImportError {
        ImportError::Malformed {
            format: FORMAT,
            location: self.body.here(),
            message,
        }
    }
}

/// A value from its bytes, the lowest first.
fn decode(scalar: Scalar, little: [u8; 8]) -> f64 {
    let [a, b, c, d, ..] = little;
    let word = [a, b, c, d];
    match scalar {
        Scalar::I8 => f64::from(a as i8),
        Scalar::U8 => f64::from(a),
        Scalar::I16 => f64::from(i16::from_le_bytes([a, b])),
        Scalar::U16 => f64::from(u16::from_le_bytes([a, b])),
        Scalar::I32 => f64::from(i32::from_le_bytes(word)),
        Scalar::U32 => f64::from(u32::from_le_bytes(word)),
        Scalar::F32 => f64::from(f32::from_le_bytes(word)),
        Scalar::F64 => f64::from_le_bytes(little),
    }
}
