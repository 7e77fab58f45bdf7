//! Words and numbers of a text file with the line and column of each.

use super::super::{ImportError, Location};
use crate::text::{Number, Quoted};

/// A run of bytes that are not white space.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word<'a> {
    pub text: &'a [u8],
    pub location: Location,
}

/// Reads a text from its beginning. Lines end with `\n`, `\r\n` or `\r`.
pub(super) struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
    line_start: usize,
    format: &'static str,
    /// Whether a backslash before the end of a line continues it.
    continuations: bool,
}

impl<'a> Scanner<'a> {
    pub fn new(bytes: &'a [u8], format: &'static str) -> Self {
        let at = bytes.len() - super::recognise::after_mark(bytes).len();
        Self {
            bytes,
            at,
            line: 1,
            line_start: at,
            format,
            continuations: false,
        }
    }

    pub fn with_continuations(bytes: &'a [u8], format: &'static str) -> Self {
        Self {
            continuations: true,
            ..Self::new(bytes, format)
        }
    }

    /// The place of the next byte.
    pub fn here(&self) -> Location {
        Location::Text {
            line: self.line,
            column: self.at - self.line_start + 1,
        }
    }

    /// Bytes read so far.
    pub fn offset(&self) -> usize {
        self.at
    }

    pub fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// Length of the line end at a place, 0 if there is none.
    fn break_at(&self, at: usize) -> usize {
        match self.bytes.get(at) {
            Some(b'\n') => 1,
            Some(b'\r') if self.bytes.get(at + 1) == Some(&b'\n') => 2,
            Some(b'\r') => 1,
            _ => 0,
        }
    }

    fn pass_break(&mut self, length: usize) {
        self.at += length;
        self.line += 1;
        self.line_start = self.at;
    }

    /// The next word of this line.
    #[inline(never)]
    pub fn word(&mut self) -> Option<Word<'a>> {
        loop {
            match self.bytes.get(self.at)? {
                b'\n' | b'\r' => return None,
                b if b.is_ascii_whitespace() || *b == 0x0b => self.at += 1,
                b'\\' if self.continuations && self.break_at(self.at + 1) > 0 => {
                    self.at += 1;
                    self.pass_break(self.break_at(self.at));
                }
                _ => break,
            }
        }
        let (start, location) = (self.at, self.here());
        while let Some(b) = self.bytes.get(self.at) {
            if b.is_ascii_whitespace()
                || *b == 0x0b
                || (*b == b'\\' && self.continuations && self.break_at(self.at + 1) > 0)
            {
                break;
            }
            self.at += 1;
        }
        Some(Word {
            text: &self.bytes[start..self.at],
            location,
        })
    }

    /// The next word of the file.
    #[inline(never)]
    pub fn word_anywhere(&mut self) -> Option<Word<'a>> {
        loop {
            if let Some(word) = self.word() {
                return Some(word);
            }
            if !self.next_line() {
                return None;
            }
        }
    }

    /// Goes to the next word of the file without reading it, so that [`Self::here`] is its place.
    pub fn find_word(&mut self) {
        if let Some(Word { text, .. }) = self.word_anywhere() {
            self.at -= text.len();
        }
    }

    /// What is left of this line, without white space around it.
    #[inline(never)]
    pub fn rest(&mut self) -> &'a [u8] {
        let start = self.at;
        while self.at < self.bytes.len() && self.break_at(self.at) == 0 {
            self.at += 1;
        }
        self.bytes[start..self.at].trim_ascii()
    }

    /// Goes to the beginning of the next line; false if there is none. Continuations are followed.
    #[inline(never)]
    pub fn next_line(&mut self) -> bool {
        while self.at < self.bytes.len() {
            let length = self.break_at(self.at);
            if length > 0 {
                let continued =
                    self.continuations && self.at > 0 && self.bytes[self.at - 1] == b'\\';
                self.pass_break(length);
                if !continued {
                    return true;
                }
            } else {
                self.at += 1;
            }
        }
        false
    }

    #[cold]
    #[inline(never)]
    pub fn malformed(&self, location: Location, message: String) -> ImportError {
        ImportError::Malformed {
            format: self.format,
            location,
            message,
        }
    }

    /// The error for a word that is not what is `expected`, or for the end of the line or the file.
    #[cold]
    #[inline(never)]
    pub fn unexpected(&self, found: Option<Word>, expected: &str) -> ImportError {
        match found {
            Some(word) => self.malformed(
                word.location,
                format!("expected {expected}, found {}", shown(word.text)),
            ),
            None if self.at >= self.bytes.len() => self.malformed(
                self.here(),
                format!("expected {expected}, found the end of the file"),
            ),
            None => self.malformed(
                self.here(),
                format!("expected {expected}, found the end of the line"),
            ),
        }
    }

    /// Reads a word as a finite number.
    #[inline(never)]
    pub fn number(&self, word: Option<Word>, expected: &str) -> Result<f64, ImportError> {
        word.and_then(|word| number(word.text))
            .ok_or_else(|| self.unexpected(word, expected))
    }

    /// Reads a word as a finite number that single precision holds.
    #[inline(never)]
    pub fn single(&self, word: Option<Word>, expected: &str) -> Result<f32, ImportError> {
        let value = self.number(word, expected)?;
        let single = value as f32;
        if single.is_finite() {
            return Ok(single);
        }
        Err(self.malformed(
            word.map_or_else(|| self.here(), |word| word.location),
            format!(
                "expected {expected}, found {}, more than single precision holds",
                Number::from(value)
            ),
        ))
    }
}

/// A finite number, or nothing.
#[inline(never)]
pub(super) fn number(text: &[u8]) -> Option<f64> {
    let value = crate::text::parse_real(text)?;
    value.is_finite().then_some(value)
}

/// Bytes of a file in a message: quoted, and not longer than a message should be.
#[cold]
#[inline(never)]
pub(super) fn shown(text: &[u8]) -> String {
    const LONGEST: usize = 40;
    let head = String::from_utf8_lossy(&text[..text.len().min(LONGEST)]);
    let more = if text.len() > LONGEST { "…" } else { "" };
    format!("{}{more}", Quoted(&head))
}
