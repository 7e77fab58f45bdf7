//! One way to read numbers for both kinds of Gmsh file: words of text or numbers in bytes.

use crate::import::ImportError;
use crate::import::binary::{Cursor, Endian, Scalar};
use crate::import::tokens::Tokens;

/// A place in a section.
#[derive(Debug, Clone, Copy)]
pub enum Input<'a> {
    /// Words.
    Text(Tokens<'a>),
    /// Bytes, and the text they lie in.
    Binary(Cursor<'a>, Tokens<'a>),
}

impl<'a> Input<'a> {
    /// What follows a section's name.
    pub fn new(mut tokens: Tokens<'a>, binary: Option<Endian>, bytes: &'a [u8]) -> Self {
        match binary {
            None => Self::Text(tokens),
            Some(endian) => {
                tokens.line();
                Self::Binary(
                    Cursor::new(tokens.format, endian, bytes, tokens.at()),
                    tokens,
                )
            }
        }
    }

    /// Whether numbers are bytes.
    pub fn is_binary(&self) -> bool {
        matches!(self, Self::Binary(..))
    }

    /// The text after what was read.
    pub fn after(self) -> Tokens<'a> {
        match self {
            Self::Text(tokens) => tokens,
            Self::Binary(cursor, tokens) => tokens.moved(cursor.at()),
        }
    }

    /// Where the next number stands, for errors.
    pub fn at(&self) -> usize {
        match self {
            Self::Text(tokens) => tokens.peek().map_or(tokens.at(), |token| token.at),
            Self::Binary(cursor, _) => cursor.at(),
        }
    }

    /// A count that stands as text even in binary files of format 2.
    pub fn text_count(&mut self, what: &str) -> Result<u64, ImportError> {
        match self {
            Self::Text(tokens) => tokens.unsigned(what),
            Self::Binary(cursor, tokens) => {
                let mut text = tokens.moved(cursor.at());
                let count = text.unsigned(what)?;
                text.line();
                cursor.go_to(text.at());
                Ok(count)
            }
        }
    }

    /// A small number: `int`.
    pub fn int(&mut self, what: &str) -> Result<i64, ImportError> {
        match self {
            Self::Text(tokens) => tokens.integer(what),
            Self::Binary(cursor, _) => cursor.integer(Scalar::I32, what),
        }
    }

    /// A small number that is not negative, and where it stands.
    pub fn count_at(&mut self, what: &str) -> Result<(u64, usize), ImportError> {
        let (value, at) = match self {
            Self::Text(tokens) => {
                let token = tokens.word(what)?;
                (tokens.integer_of(token, what)?, token.at)
            }
            Self::Binary(cursor, _) => {
                let at = cursor.at();
                (cursor.integer(Scalar::I32, what)?, at)
            }
        };
        match u64::try_from(value) {
            Ok(value) => Ok((value, at)),
            Err(_) => Err(self.malformed(at, format!("{what} is {value}"))),
        }
    }

    /// A small number that is not negative.
    pub fn count(&mut self, what: &str) -> Result<u64, ImportError> {
        Ok(self.count_at(what)?.0)
    }

    /// A count or tag of format 4: `size_t`; and where it stands.
    pub fn size_at(&mut self, what: &str) -> Result<(u64, usize), ImportError> {
        match self {
            Self::Text(tokens) => {
                let token = tokens.word(what)?;
                Ok((tokens.unsigned_of(token, what)?, token.at))
            }
            Self::Binary(cursor, _) => {
                let at = cursor.at();
                let value = cursor.integer(Scalar::I64, what)?;
                match u64::try_from(value) {
                    Ok(value) => Ok((value, at)),
                    Err(_) => Err(cursor.malformed(at, format!("{what} is beyond 2^63"))),
                }
            }
        }
    }

    /// A count or tag of format 4: `size_t`.
    pub fn size(&mut self, what: &str) -> Result<u64, ImportError> {
        Ok(self.size_at(what)?.0)
    }

    /// A coordinate.
    pub fn real(&mut self, what: &str) -> Result<f32, ImportError> {
        match self {
            Self::Text(tokens) => tokens.real(what),
            Self::Binary(cursor, _) => cursor.real(Scalar::F64, what),
        }
    }

    /// How many of `count` announced things can follow, given their least size as text and in bytes.
    pub fn room(&self, count: u64, text: usize, binary: usize) -> usize {
        match self {
            Self::Text(tokens) => tokens.room(count, text),
            Self::Binary(cursor, _) => cursor.room(count, binary),
        }
    }

    /// An error there.
    pub fn malformed(&self, at: usize, message: String) -> ImportError {
        match self {
            Self::Text(tokens) => tokens.malformed(at, message),
            Self::Binary(cursor, _) => cursor.malformed(at, message),
        }
    }

    /// Something that is not supported there.
    pub fn unsupported(&self, at: usize, message: String) -> ImportError {
        match self {
            Self::Text(tokens) => tokens.unsupported(at, message),
            Self::Binary(cursor, _) => cursor.unsupported(at, message),
        }
    }
}
