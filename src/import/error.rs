//! Why a file could not be read, and where in it.

use std::fmt;

use crate::error::SurfaceError;
use crate::text::Quoted;

/// A place in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Location {
    /// In a text file, both counted from 1; columns are bytes.
    Text {
        /// Line.
        line: usize,
        /// Column.
        column: usize,
    },
    /// In a binary file, bytes from its beginning.
    Byte(usize),
    /// The file as a whole.
    File,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text { line, column } => write!(f, "line {line}, column {column}: "),
            Self::Byte(byte) => write!(f, "byte {byte}: "),
            Self::File => Ok(()),
        }
    }
}

/// Why a file could not be read.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ImportError {
    /// No reader knows the content. The message lists what was tried.
    #[error("{name}: not a mesh format this package knows ({bytes} bytes; {hint})")]
    UnknownFormat {
        /// The file's name.
        name: String,
        /// Its length.
        bytes: usize,
        /// What it looks like, and what could be read.
        hint: String,
    },
    /// The file breaks its own format: it is damaged, cut short or says something impossible.
    #[error("{format}: {location}{message}")]
    Malformed {
        /// The format it was read as.
        format: &'static str,
        /// Where.
        location: Location,
        /// What was expected and what was found.
        message: String,
    },
    /// The file is sound but uses a part of its format that is not supported, which the message names.
    #[error("{format}: {location}{message}")]
    Unsupported {
        /// The format it was read as.
        format: &'static str,
        /// Where.
        location: Location,
        /// What is not supported, and what to do instead.
        message: String,
    },
    /// The file is sound but holds no tetrahedra and no surface, or none in the right dimension.
    #[error("{format}: no tetrahedra: {message}")]
    NoTets {
        /// The format it was read as.
        format: &'static str,
        /// What it holds instead.
        message: String,
    },
    /// A file that this one needs was not given.
    #[error("{format}: {name} needs {missing} beside it")]
    MissingCompanion {
        /// The format it was read as.
        format: &'static str,
        /// The file that was given.
        name: String,
        /// What is missing.
        missing: String,
    },
    /// The arrays read do not make a surface.
    #[error("{format}: {source}")]
    Surface {
        /// The format it was read as.
        format: &'static str,
        /// What is wrong with it.
        source: SurfaceError,
    },
}

impl ImportError {
    /// The same error, saying what was being read.
    pub(super) fn during(self, what: impl FnOnce() -> String) -> Self {
        match self {
            Self::Malformed {
                format,
                location,
                message,
            } => Self::Malformed {
                format,
                location,
                message: format!("{message} ({})", what()),
            },
            other => other,
        }
    }
}

/// A piece of a file as messages quote it: at most 32 characters, whatever the bytes.
pub(super) fn quoted(bytes: &[u8]) -> String {
    const LONGEST: usize = 32;
    // Four bytes a character at most: no more of a long word is decoded than is shown.
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * LONGEST + 4)]);
    let mut shown: String = text.chars().take(LONGEST).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    Quoted(&shown).to_string()
}
