//! An array of a VTK legacy file, read where it stands: words of text or big-endian numbers.

use crate::import::ImportError;
use crate::import::binary::{Cursor, Endian, Scalar};
use crate::import::tokens::Tokens;

/// The type of this name.
pub fn scalar(name: &str) -> Option<Scalar> {
    Some(match name {
        "char" | "vtktypeint8" => Scalar::I8,
        "unsigned_char" | "vtktypeuint8" => Scalar::U8,
        "short" | "vtktypeint16" => Scalar::I16,
        "unsigned_short" | "vtktypeuint16" => Scalar::U16,
        "int" | "vtktypeint32" => Scalar::I32,
        "unsigned_int" | "vtktypeuint32" => Scalar::U32,
        "long" | "vtktypeint64" | "vtkidtype" => Scalar::I64,
        "unsigned_long" | "vtktypeuint64" => Scalar::U64,
        "float" => Scalar::F32,
        "double" => Scalar::F64,
        _ => return None,
    })
}

#[derive(Debug, Clone, Copy)]
enum Source<'a> {
    Text(Tokens<'a>),
    Binary(Cursor<'a>, Scalar),
}

/// An array and the place in it.
#[derive(Debug, Clone, Copy)]
pub struct Values<'a> {
    source: Source<'a>,
    count: u64,
    left: u64,
    what: &'static str,
}

impl<'a> Values<'a> {
    /// The array of `count` numbers that follows; its type stands before it unless it is `known`.
    pub fn new(
        tokens: &mut Tokens<'a>,
        bytes: &'a [u8],
        binary: bool,
        known: Option<Scalar>,
        count: u64,
        what: &'static str,
    ) -> Result<Self, ImportError> {
        let scalar = match known {
            Some(scalar) => scalar,
            None => {
                let word = tokens.word("a data type")?;
                let name = String::from_utf8_lossy(&word.text[..word.text.len().min(32)]);
                scalar(&name.to_ascii_lowercase())
                    .ok_or_else(|| tokens.unexpected(word, "a data type such as float or int"))?
            }
        };
        let source = if binary {
            tokens.line();
            let cursor = Cursor::new(tokens.format, Endian::Big, bytes, tokens.at());
            cursor.clone().array(scalar, count, what)?;
            Source::Binary(cursor, scalar)
        } else {
            Source::Text(*tokens)
        };
        Ok(Self {
            source,
            count,
            left: count,
            what,
        })
    }

    /// The array, to be read later; `tokens` goes on after it.
    pub fn skip(self, tokens: &mut Tokens<'a>) -> Result<Self, ImportError> {
        match self.source {
            Source::Text(mut text) => {
                for _ in 0..self.count {
                    text.word(self.what)?;
                }
                *tokens = text;
            }
            Source::Binary(mut cursor, scalar) => {
                cursor.array(scalar, self.count, self.what)?;
                *tokens = tokens.moved(cursor.at());
            }
        }
        Ok(self)
    }

    /// The text after what was read.
    pub fn after(&self, tokens: Tokens<'a>) -> Tokens<'a> {
        match self.source {
            Source::Text(text) => text,
            Source::Binary(cursor, _) => tokens.moved(cursor.at()),
        }
    }

    /// Numbers in all.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Where the next number stands.
    fn at(&self) -> usize {
        match &self.source {
            Source::Text(tokens) => tokens.peek().map_or(tokens.at(), |token| token.at),
            Source::Binary(cursor, _) => cursor.at(),
        }
    }

    /// How many groups of `width` numbers can follow.
    pub fn room(&self, count: u64, width: usize) -> usize {
        match &self.source {
            Source::Text(tokens) => tokens.room(count, 2 * width),
            Source::Binary(cursor, scalar) => cursor.room(count, scalar.size() * width),
        }
    }

    fn take(&mut self) -> Result<(), ImportError> {
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(self.malformed(
                self.at(),
                format!(
                    "{} end after {} numbers, but a cell goes on",
                    self.what, self.count
                ),
            )),
        }
    }

    /// The next number as a coordinate.
    pub fn real(&mut self) -> Result<f32, ImportError> {
        self.take()?;
        match &mut self.source {
            Source::Text(tokens) => tokens.real("a coordinate"),
            Source::Binary(cursor, scalar) => cursor.real(*scalar, self.what),
        }
    }

    /// The next number as a whole one, and where it stands.
    pub fn integer(&mut self) -> Result<(i64, usize), ImportError> {
        self.take()?;
        match &mut self.source {
            Source::Text(tokens) => {
                let token = tokens.word("a whole number")?;
                Ok((tokens.integer_of(token, "a whole number")?, token.at))
            }
            Source::Binary(cursor, scalar) => {
                let at = cursor.at();
                Ok((cursor.integer(*scalar, self.what)?, at))
            }
        }
    }

    /// An error there.
    pub fn malformed(&self, at: usize, message: String) -> ImportError {
        match &self.source {
            Source::Text(tokens) => tokens.malformed(at, message),
            Source::Binary(cursor, _) => cursor.malformed(at, message),
        }
    }

    /// Something that is not supported there.
    pub fn unsupported(&self, at: usize, message: String) -> ImportError {
        match &self.source {
            Source::Text(tokens) => tokens.unsupported(at, message),
            Source::Binary(cursor, _) => cursor.unsupported(at, message),
        }
    }
}
