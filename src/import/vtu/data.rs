//! The numbers of a VTU array: text, base64 or raw bytes, the latter two also compressed.

use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZFlush, MZStatus};

use crate::import::ImportError;
use crate::import::binary::{Endian, Scalar};
use crate::import::error::quoted;
use crate::import::tokens::Tokens;

/// How binary arrays of a file are stored.
#[derive(Debug, Clone, Copy)]
pub struct Encoding {
    /// Byte order of numbers and headers.
    pub endian: Endian,
    /// Type of the numbers in a header.
    pub header: Scalar,
    /// In zlib blocks.
    pub compressed: bool,
}

/// Where the bytes of an array are.
#[derive(Debug, Clone, Copy)]
pub enum Source<'a> {
    /// Words, until the end of this text.
    Text(Tokens<'a>),
    /// Bytes as they are.
    Raw(&'a [u8]),
    /// Base64.
    Base64(&'a [u8]),
}

/// An array.
#[derive(Debug, Clone, Copy)]
pub struct Array<'a> {
    /// The whole file, for errors.
    pub tokens: Tokens<'a>,
    /// Byte offset of its tag.
    pub at: usize,
    /// Its name.
    pub name: &'a [u8],
    /// Type of its numbers.
    pub scalar: Scalar,
    /// Its bytes.
    pub source: Source<'a>,
}

impl Array<'_> {
    /// An error about this array.
    pub fn malformed(&self, message: String) -> ImportError {
        self.tokens
            .malformed(self.at, format!("array {}: {message}", quoted(self.name)))
    }

    /// Hands the `count` coordinates of this array to `sink`; an error if it holds fewer or more.
    pub fn reals(
        &self,
        encoding: Encoding,
        count: u64,
        mut sink: impl FnMut(f32),
    ) -> Result<(), ImportError> {
        if let Source::Text(mut tokens) = self.source {
            for n in 0..count {
                let value = tokens
                    .real("a coordinate")
                    .map_err(|e| self.during(e, n, count))?;
                sink(value);
            }
            return self.nothing_more(tokens, count);
        }
        self.elements(encoding, count, |bytes| {
            sink(self.scalar.real(bytes, encoding.endian));
            Ok(())
        })
    }

    /// Hands the `count` whole numbers of this array to `sink`; an error if it holds fewer or more, or one beyond
    /// 0 to `largest`.
    pub fn integers(
        &self,
        encoding: Encoding,
        count: u64,
        largest: u32,
        mut sink: impl FnMut(u32),
    ) -> Result<(), ImportError> {
        let mut n = 0;
        let mut take = |value: Option<i64>| {
            let fits = value.and_then(|value| u32::try_from(value).ok());
            match fits.filter(|&value| value <= largest) {
                Some(value) => sink(value),
                None => {
                    let shown =
                        value.map_or_else(|| "no whole number".to_owned(), |v| v.to_string());
                    return Err(
                        self.malformed(format!("entry {n} is {shown}; it must be 0 to {largest}"))
                    );
                }
            }
            n += 1;
            Ok(())
        };
        if let Source::Text(mut tokens) = self.source {
            for n in 0..count {
                let value = tokens
                    .integer("a whole number")
                    .map_err(|error| self.during(error, n, count))?;
                take(Some(value))?;
            }
            return self.nothing_more(tokens, count);
        }
        self.elements(encoding, count, |bytes| {
            take(self.scalar.integer(bytes, encoding.endian))
        })
    }

    fn during(&self, error: ImportError, n: u64, count: u64) -> ImportError {
        error.during(|| format!("entry {n} of {count} of array {}", quoted(self.name)))
    }

    fn nothing_more(&self, mut tokens: Tokens, count: u64) -> Result<(), ImportError> {
        match tokens.next() {
            None => Ok(()),
            Some(token) => Err(self.tokens.unexpected(
                token,
                &format!(
                    "the end of array {} after {count} numbers",
                    quoted(self.name)
                ),
            )),
        }
    }

    /// Hands the bytes of each number to `sink`.
    fn elements(
        &self,
        encoding: Encoding,
        count: u64,
        mut sink: impl FnMut(&[u8]) -> Result<(), ImportError>,
    ) -> Result<(), ImportError> {
        let size = self.scalar.size();
        let expected = count.saturating_mul(size as u64);
        let mut source = match self.source {
            Source::Raw(bytes) => Bytes::Raw(bytes),
            Source::Base64(text) => Bytes::base64(text),
            // Text is read by the callers.
            Source::Text(_) => Bytes::Raw(&[]),
        };
        // A number may lie across two pieces.
        let mut carry = [0; 8];
        let mut carried = 0;
        let mut fed = 0;
        let mut feed = |mut piece: &[u8]| {
            fed += piece.len() as u64;
            if fed > expected {
                return Err(self.malformed(format!("more than the expected {expected} bytes")));
            }
            if carried > 0 {
                let missing = (size - carried).min(piece.len());
                carry[carried..carried + missing].copy_from_slice(&piece[..missing]);
                carried += missing;
                piece = &piece[missing..];
                if carried < size {
                    return Ok(());
                }
                sink(&carry[..size])?;
                carried = 0;
            }
            let mut whole = piece.chunks_exact(size);
            whole.by_ref().try_for_each(&mut sink)?;
            let rest = whole.remainder();
            carry[..rest.len()].copy_from_slice(rest);
            carried = rest.len();
            Ok(())
        };
        if encoding.compressed {
            self.blocks(encoding, &mut source, &mut feed)?;
        } else {
            let length = self.header(encoding, &mut source)?;
            if length != expected {
                return Err(self.malformed(format!("{length} bytes, not the expected {expected}")));
            }
            let mut buffer = [0; 4096];
            let mut left = expected;
            while left > 0 {
                let part = left.min(buffer.len() as u64) as usize;
                self.fill(&mut source, &mut buffer[..part])?;
                feed(&buffer[..part])?;
                left -= part as u64;
            }
        }
        if fed != expected {
            return Err(self.malformed(format!("{fed} bytes, not the expected {expected}")));
        }
        Ok(())
    }

    fn fill(&self, source: &mut Bytes, buffer: &mut [u8]) -> Result<(), ImportError> {
        source
            .fill(buffer)
            .map_err(|problem| self.malformed(problem))
    }

    fn header(&self, encoding: Encoding, source: &mut Bytes) -> Result<u64, ImportError> {
        let mut bytes = [0; 8];
        let size = encoding.header.size();
        self.fill(source, &mut bytes[..size])?;
        let value = encoding.header.integer(&bytes, encoding.endian);
        let value = value.and_then(|value| u64::try_from(value).ok());
        value.ok_or_else(|| self.malformed("a length beyond 2^63 in its header".to_owned()))
    }

    /// Zlib blocks after a header with their number, their size, the last one's size, and the compressed sizes.
    fn blocks(
        &self,
        encoding: Encoding,
        source: &mut Bytes,
        feed: &mut impl FnMut(&[u8]) -> Result<(), ImportError>,
    ) -> Result<(), ImportError> {
        let count = self.header(encoding, source)?;
        self.header(encoding, source)?;
        self.header(encoding, source)?;
        let mut sizes = Vec::new();
        for _ in 0..count {
            sizes.push(self.header(encoding, source)?);
        }
        let mut state = InflateState::new_boxed(DataFormat::Zlib);
        let mut output = vec![0; 1 << 14];
        for (block, size) in sizes.into_iter().enumerate() {
            state.reset(DataFormat::Zlib);
            let mut input = [0; 4096];
            let (mut left, mut begin, mut end) = (size, 0, 0);
            loop {
                if begin == end && left > 0 {
                    let part = left.min(input.len() as u64) as usize;
                    self.fill(source, &mut input[..part])?;
                    left -= part as u64;
                    (begin, end) = (0, part);
                }
                let step = inflate(&mut state, &input[begin..end], &mut output, MZFlush::None);
                begin += step.bytes_consumed;
                feed(&output[..step.bytes_written])?;
                let stuck = step.bytes_consumed == 0 && step.bytes_written == 0;
                match step.status {
                    Ok(MZStatus::StreamEnd) if left == 0 && begin == end => break,
                    Ok(MZStatus::Ok) if !stuck || (begin == end && left > 0) => {}
                    _ => {
                        return Err(self.malformed(format!(
                            "block {block} is no zlib stream of {size} bytes"
                        )));
                    }
                }
            }
        }
        Ok(())
    }
}

/// Bytes to come.
enum Bytes<'a> {
    Raw(&'a [u8]),
    Base64 {
        text: &'a [u8],
        ready: [u8; 3],
        /// The bytes of `ready` that are still to be handed out.
        next: usize,
        last: usize,
    },
}

impl<'a> Bytes<'a> {
    fn base64(text: &'a [u8]) -> Self {
        Self::Base64 {
            text,
            ready: [0; 3],
            next: 0,
            last: 0,
        }
    }

    fn fill(&mut self, buffer: &mut [u8]) -> Result<(), String> {
        match self {
            Self::Raw(bytes) => {
                let Some((head, tail)) = bytes.split_at_checked(buffer.len()) else {
                    return Err(format!(
                        "{} bytes needed, but {} are left",
                        buffer.len(),
                        bytes.len()
                    ));
                };
                buffer.copy_from_slice(head);
                *bytes = tail;
            }
            Self::Base64 {
                text,
                ready,
                next,
                last,
            } => {
                for byte in buffer {
                    while next == last {
                        *last = quad(text, ready)?;
                        *next = 0;
                    }
                    *byte = ready[*next];
                    *next += 1;
                }
            }
        }
        Ok(())
    }
}

/// Decodes four characters. Padding may stand inside: header and data are often encoded one by one.
fn quad(text: &mut &[u8], ready: &mut [u8; 3]) -> Result<usize, String> {
    let mut bits = 0u32;
    let mut padding = 0;
    for n in 0..4 {
        *text = text.trim_ascii_start();
        let Some((&byte, rest)) = text.split_first() else {
            return Err("its base64 text is too short".to_owned());
        };
        *text = rest;
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' if n >= 2 => {
                padding += 1;
                0
            }
            _ => return Err(format!("{} is not base64", quoted(&[byte]))),
        };
        if padding > 0 && byte != b'=' {
            return Err("base64 goes on inside its padding".to_owned());
        }
        bits = bits << 6 | u32::from(value);
    }
    ready.copy_from_slice(&bits.to_be_bytes()[1..]);
    Ok(3 - padding)
}
