//! Numbers of binary files: types, byte orders, and a cursor whose errors say the byte.

use super::ImportError;
use super::error::Location;

/// The order of the bytes of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Endian {
    /// Least significant first.
    Little,
    /// Most significant first.
    Big,
}

/// The type of a number in an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scalar {
    /// Signed bytes.
    I8,
    /// Bytes.
    U8,
    /// 16 bits, signed.
    I16,
    /// 16 bits.
    U16,
    /// 32 bits, signed.
    I32,
    /// 32 bits.
    U32,
    /// 64 bits, signed.
    I64,
    /// 64 bits.
    U64,
    /// Single precision.
    F32,
    /// Double precision.
    F64,
}

fn word<const N: usize>(bytes: &[u8], endian: Endian) -> [u8; N] {
    let mut word = [0; N];
    word.copy_from_slice(&bytes[..N]);
    if endian == Endian::Big {
        word.reverse();
    }
    word
}

impl Scalar {
    /// Bytes of one number.
    pub fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }

    /// A number as a coordinate. `bytes` holds at least [`Scalar::size`] bytes.
    pub fn real(self, bytes: &[u8], endian: Endian) -> f32 {
        match self {
            Self::F32 => f32::from_le_bytes(word(bytes, endian)),
            Self::F64 => f64::from_le_bytes(word(bytes, endian)) as f32,
            _ => self.integer(bytes, endian).unwrap_or(i64::MAX) as f32,
        }
    }

    /// A whole number, if it is one and fits. `bytes` holds at least [`Scalar::size`] bytes.
    pub fn integer(self, bytes: &[u8], endian: Endian) -> Option<i64> {
        match self {
            Self::I8 => Some(i64::from(i8::from_le_bytes(word(bytes, endian)))),
            Self::U8 => Some(i64::from(bytes[0])),
            Self::I16 => Some(i64::from(i16::from_le_bytes(word(bytes, endian)))),
            Self::U16 => Some(i64::from(u16::from_le_bytes(word(bytes, endian)))),
            Self::I32 => Some(i64::from(i32::from_le_bytes(word(bytes, endian)))),
            Self::U32 => Some(i64::from(u32::from_le_bytes(word(bytes, endian)))),
            Self::I64 => Some(i64::from_le_bytes(word(bytes, endian))),
            Self::U64 => i64::try_from(u64::from_le_bytes(word(bytes, endian))).ok(),
            Self::F32 | Self::F64 => {
                let value = if self == Self::F32 {
                    f64::from(f32::from_le_bytes(word(bytes, endian)))
                } else {
                    f64::from_le_bytes(word(bytes, endian))
                };
                let whole = value as i64;
                (whole as f64 == value).then_some(whole)
            }
        }
    }
}

/// A place in a binary part of a file.
#[derive(Debug, Clone, Copy)]
pub struct Cursor<'a> {
    /// The format, for errors.
    pub format: &'static str,
    /// The byte order.
    pub endian: Endian,
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    /// At a byte of the file.
    pub fn new(format: &'static str, endian: Endian, bytes: &'a [u8], at: usize) -> Self {
        Self {
            format,
            endian,
            bytes,
            at: at.min(bytes.len()),
        }
    }

    /// Bytes from the beginning of the file.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Goes to a byte of the file.
    pub fn go_to(&mut self, at: usize) {
        self.at = at.min(self.bytes.len());
    }

    /// The next `count` numbers of this type as bytes.
    pub fn array(
        &mut self,
        scalar: Scalar,
        count: u64,
        what: &str,
    ) -> Result<&'a [u8], ImportError> {
        let left = &self.bytes[self.at..];
        let length = usize::try_from(count)
            .ok()
            .and_then(|count| count.checked_mul(scalar.size()))
            .filter(|&length| length <= left.len());
        let Some(length) = length else {
            return Err(self.malformed(
                self.at,
                format!(
                    "{what}: {count} × {} bytes expected, but {} bytes are left in the file",
                    scalar.size(),
                    left.len()
                ),
            ));
        };
        self.at += length;
        Ok(&left[..length])
    }

    /// An error at a byte.
    pub fn malformed(&self, at: usize, message: String) -> ImportError {
        ImportError::Malformed {
            format: self.format,
            location: Location::Byte(at),
            message,
        }
    }

    /// Something that is not supported, at a byte.
    pub fn unsupported(&self, at: usize, message: String) -> ImportError {
        ImportError::Unsupported {
            format: self.format,
            location: Location::Byte(at),
            message,
        }
    }

    /// The next whole number.
    pub fn integer(&mut self, scalar: Scalar, what: &str) -> Result<i64, ImportError> {
        let at = self.at;
        let bytes = self.array(scalar, 1, what)?;
        let endian = self.endian;
        scalar
            .integer(bytes, endian)
            .ok_or_else(|| self.malformed(at, format!("{what} is beyond 2^63")))
    }

    /// The next coordinate.
    pub fn real(&mut self, scalar: Scalar, what: &str) -> Result<f32, ImportError> {
        let bytes = self.array(scalar, 1, what)?;
        Ok(scalar.real(bytes, self.endian))
    }

    /// How many of `count` announced things of `bytes` bytes each can follow: what may be allocated.
    pub fn room(&self, count: u64, bytes: usize) -> usize {
        let room = (self.bytes.len() - self.at) / bytes + 1;
        usize::try_from(count).map_or(room, |count| count.min(room))
    }
}
