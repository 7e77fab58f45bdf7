//! The tokenizer of the volume formats' texts: words and numbers over borrowed bytes, and errors with line and column.

use super::ImportError;
use super::error::{Location, quoted};

/// A word of the text and where it stands.
#[derive(Debug, Clone, Copy)]
pub struct Token<'a> {
    /// The word, never empty.
    pub text: &'a [u8],
    /// Byte offset of its first byte.
    pub at: usize,
}

impl Token<'_> {
    /// Whether it is this word in any case.
    pub fn is(&self, word: &str) -> bool {
        self.text.eq_ignore_ascii_case(word.as_bytes())
    }
}

/// A place in a text. Copying it remembers the place. Lines end with `\n`, `\r\n` or `\r`.
#[derive(Debug, Clone, Copy)]
pub struct Tokens<'a> {
    /// The format, for errors.
    pub format: &'static str,
    bytes: &'a [u8],
    at: usize,
    /// What begins a comment that goes to the end of the line.
    comment: Option<u8>,
    /// A separator beside white space.
    separator: Option<u8>,
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c)
}

impl<'a> Tokens<'a> {
    /// The beginning of a text, after a byte order mark.
    pub fn new(format: &'static str, bytes: &'a [u8]) -> Self {
        let at = if bytes.starts_with(b"\xef\xbb\xbf") {
            3
        } else {
            0
        };
        Self {
            format,
            bytes,
            at,
            comment: None,
            separator: None,
        }
    }

    /// With comments from this byte to the end of the line.
    pub fn comments(self, mark: u8) -> Self {
        Self {
            comment: Some(mark),
            ..self
        }
    }

    /// With another separator beside white space.
    pub fn separated_by(self, separator: u8) -> Self {
        Self {
            separator: Some(separator),
            ..self
        }
    }

    /// At another place of the same text.
    pub fn moved(self, at: usize) -> Self {
        Self { at, ..self }
    }

    /// As if the file ended there.
    pub fn ending(self, end: usize) -> Self {
        Self {
            bytes: &self.bytes[..end],
            ..self
        }
    }

    /// Byte offset of what comes next.
    pub fn at(&self) -> usize {
        self.at
    }

    /// What comes next, unread.
    pub fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    /// Goes on after this many bytes.
    pub fn advance(&mut self, bytes: usize) {
        self.at = (self.at + bytes).min(self.bytes.len());
    }

    fn skip_space(&mut self, over_lines: bool) {
        while let Some(&byte) = self.bytes.get(self.at) {
            if matches!(byte, b'\n' | b'\r') && !over_lines {
                return;
            }
            if self.comment == Some(byte) {
                self.at += line_length(self.rest());
            } else if is_space(byte) || self.separator == Some(byte) {
                self.at += 1;
            } else {
                return;
            }
        }
    }

    fn word_here(&mut self) -> Option<Token<'a>> {
        let (comment, separator) = (self.comment, self.separator);
        let ends = |&byte: &u8| is_space(byte) || comment == Some(byte) || separator == Some(byte);
        let rest = self.rest();
        let length = rest.iter().position(ends).unwrap_or(rest.len());
        let token = Token {
            text: &rest[..length],
            at: self.at,
        };
        self.at += length;
        (length > 0).then_some(token)
    }

    /// The next word, if there is one.
    pub fn next(&mut self) -> Option<Token<'a>> {
        self.skip_space(true);
        self.word_here()
    }

    /// The next word of this line, if there is one.
    pub fn next_on_line(&mut self) -> Option<Token<'a>> {
        self.skip_space(false);
        self.word_here()
    }

    /// The next word, unread.
    pub fn peek(&self) -> Option<Token<'a>> {
        let mut ahead = *self;
        ahead.next()
    }

    /// The rest of this line without its end; the next line comes next.
    pub fn line(&mut self) -> Token<'a> {
        let rest = self.rest();
        let length = line_length(rest);
        let token = Token {
            text: &rest[..length],
            at: self.at,
        };
        let end = if rest[length..].starts_with(b"\r\n") {
            2
        } else {
            1
        };
        self.advance(length + end);
        token
    }

    /// The next word. Errors say what was expected.
    pub fn word(&mut self, expected: &str) -> Result<Token<'a>, ImportError> {
        self.next().ok_or_else(|| self.ended(expected))
    }

    /// The next word as a whole number.
    pub fn integer(&mut self, expected: &str) -> Result<i64, ImportError> {
        let token = self.word(expected)?;
        self.integer_of(token, expected)
    }

    /// This word as a whole number.
    pub fn integer_of(&self, token: Token, expected: &str) -> Result<i64, ImportError> {
        parse_integer(token.text).ok_or_else(|| self.unexpected(token, expected))
    }

    /// The next word as a number that counts or names something.
    pub fn unsigned(&mut self, expected: &str) -> Result<u64, ImportError> {
        let token = self.word(expected)?;
        self.unsigned_of(token, expected)
    }

    /// This word as a number that counts or names something.
    pub fn unsigned_of(&self, token: Token, expected: &str) -> Result<u64, ImportError> {
        let value = self.integer_of(token, expected)?;
        u64::try_from(value).map_err(|_| self.unexpected(token, expected))
    }

    /// The next word as a coordinate.
    pub fn real(&mut self, expected: &str) -> Result<f32, ImportError> {
        let token = self.word(expected)?;
        self.real_of(token, expected)
    }

    /// This word as a coordinate: read in double precision, then rounded.
    pub fn real_of(&self, token: Token, expected: &str) -> Result<f32, ImportError> {
        let value = parse_real(token.text).ok_or_else(|| self.unexpected(token, expected))?;
        let single = value as f32;
        if value.is_finite() && !single.is_finite() {
            return Err(self.malformed(
                token.at,
                format!(
                    "{expected} is {}, more than single precision holds (3.4e38)",
                    quoted(token.text)
                ),
            ));
        }
        Ok(single)
    }

    /// An error at a byte of this text.
    pub fn malformed(&self, at: usize, message: String) -> ImportError {
        ImportError::Malformed {
            format: self.format,
            location: self.location(at),
            message,
        }
    }

    /// Something that is not supported, at a byte of this text.
    pub fn unsupported(&self, at: usize, message: String) -> ImportError {
        ImportError::Unsupported {
            format: self.format,
            location: self.location(at),
            message,
        }
    }

    /// This word is not what was expected.
    pub fn unexpected(&self, token: Token, expected: &str) -> ImportError {
        self.malformed(
            token.at,
            format!("expected {expected}, found {}", quoted(token.text)),
        )
    }

    /// The file ends where something was expected.
    pub fn ended(&self, expected: &str) -> ImportError {
        self.malformed(
            self.bytes.len(),
            format!("expected {expected}, but the file ends"),
        )
    }

    /// Line and column of a byte: counted only once something is wrong.
    pub fn location(&self, at: usize) -> Location {
        let before = &self.bytes[..at.min(self.bytes.len())];
        let ends = |n: &usize| match before[*n] {
            b'\r' => self.bytes.get(n + 1) != Some(&b'\n'),
            byte => byte == b'\n',
        };
        let line = (0..before.len()).filter(ends).count() + 1;
        let start = (0..before.len()).rfind(ends).map_or(0, |n| n + 1);
        Location::Text {
            line,
            column: before.len() - start + 1,
        }
    }

    /// How many of `count` announced things, of at least `bytes` bytes each, can follow: what may be allocated.
    pub fn room(&self, count: u64, bytes: usize) -> usize {
        let room = self.rest().len() / bytes + 1;
        usize::try_from(count).map_or(room, |count| count.min(room))
    }
}

fn line_length(rest: &[u8]) -> usize {
    rest.iter()
        .position(|&byte| matches!(byte, b'\n' | b'\r'))
        .unwrap_or(rest.len())
}

/// A decimal whole number.
pub fn parse_integer(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    if digits.is_empty() {
        return None;
    }
    let mut value = 0i64;
    for &digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        // Counted downwards: the smallest number has no positive counterpart.
        value = value
            .checked_mul(10)?
            .checked_sub(i64::from(digit - b'0'))?;
    }
    if negative {
        Some(value)
    } else {
        value.checked_neg()
    }
}

/// A decimal number, also with a Fortran exponent (`1.5D-3`).
pub fn parse_real(text: &[u8]) -> Option<f64> {
    if let Some(value) = crate::text::parse_real(text) {
        return Some(value);
    }
    let mut fortran = [0; 40];
    let copy = fortran.get_mut(..text.len())?;
    copy.copy_from_slice(text);
    let exponent = copy.iter().position(|byte| matches!(byte, b'd' | b'D'))?;
    copy[exponent] = b'e';
    crate::text::parse_real(copy)
}
