//! Why a conversion gave nothing.

use std::fmt;

use crate::error::{MeshError, SurfaceError};
use crate::import::ImportError;
use crate::meshing::MeshingError;

/// Why a conversion gave nothing. Every message names the culprit.
#[derive(Debug, Clone, PartialEq)]
pub enum ConvertError {
    /// An option is out of range. The message says which and what it may be.
    Option(MeshError),
    /// The files could not be read.
    Import {
        /// Names of the files, for the message.
        name: String,
        /// What was wrong, and where.
        source: ImportError,
    },
    /// The arrays in the file make no mesh.
    Mesh {
        /// Names of the files, for the message.
        name: String,
        /// What is wrong with them.
        source: MeshError,
    },
    /// The surface in the file is none once it is scaled.
    Surface {
        /// Names of the files, for the message.
        name: String,
        /// What is wrong with it.
        source: SurfaceError,
    },
    /// The surface could not be filled with tets.
    Meshing {
        /// Names of the files, for the message.
        name: String,
        /// Why not.
        source: MeshingError,
    },
    /// The progress callback asked to stop.
    Cancelled,
}

impl ConvertError {
    /// The condition's name in kebab case, stable across versions, for code that tells errors apart:
    /// `unknown-format`, `malformed`, `unsupported`, `no-tets`, `missing-companion`, `invalid-mesh`, `nothing-inside`,
    /// `cancelled` or `invalid-option`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Option(_) => "invalid-option",
            Self::Import { source, .. } => match source {
                ImportError::UnknownFormat { .. } => "unknown-format",
                ImportError::Malformed { .. } => "malformed",
                ImportError::Unsupported { .. } => "unsupported",
                ImportError::NoTets { .. } => "no-tets",
                ImportError::MissingCompanion { .. } => "missing-companion",
                ImportError::Surface { .. } => "invalid-mesh",
            },
            Self::Mesh { .. } | Self::Surface { .. } => "invalid-mesh",
            Self::Meshing { source, .. } => match source {
                MeshingError::Cancelled => "cancelled",
                MeshingError::NothingInside { .. } => "nothing-inside",
                MeshingError::CellSizeOutOfRange { .. }
                | MeshingError::TargetOutOfRange { .. }
                | MeshingError::TooManyCells { .. } => "invalid-option",
                MeshingError::Inverted { .. } | MeshingError::Mesh { .. } => "invalid-mesh",
            },
            Self::Cancelled => "cancelled",
        }
    }
}

impl fmt::Display for ConvertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Option(error) => error.fmt(f),
            // These two name the file themselves.
            Self::Import {
                source:
                    error @ (ImportError::UnknownFormat { .. } | ImportError::MissingCompanion { .. }),
                ..
            } => error.fmt(f),
            Self::Import { name, source } => write!(f, "{name}: {source}"),
            Self::Mesh { name, source } => write!(f, "{name}: {source}"),
            Self::Surface { name, source } => write!(f, "{name}: {source}"),
            Self::Meshing { name, source } => write!(f, "{name}: {source}"),
            Self::Cancelled => f.write_str("cancelled"),
        }
    }
}

impl std::error::Error for ConvertError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Option(source) | Self::Mesh { source, .. } => Some(source),
            Self::Import { source, .. } => Some(source),
            Self::Surface { source, .. } => Some(source),
            Self::Meshing { source, .. } => Some(source),
            Self::Cancelled => None,
        }
    }
}
