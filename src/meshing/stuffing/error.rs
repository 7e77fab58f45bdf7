//! Why a surface could not be filled with tets.

use crate::error::MeshError;
use crate::text::Number;

/// Why a surface could not be filled with tets.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum MeshingError {
    /// The progress function asked to stop. Nothing is kept.
    #[error("meshing was cancelled")]
    Cancelled,
    /// The surface holds no lattice point: it is empty, flat, open like a sheet, or thinner than a cell everywhere. Use
    /// smaller cells, or close the surface.
    #[error(
        "nothing to fill: with cells of {} the surface, {} across, has no lattice point inside (it encloses a volume of \
         {}, and {boundary_edges} edges are open); use smaller cells or close the surface",
        Number::from(*cell_size), Number::from(*extent), Number::from(*volume)
    )]
    NothingInside {
        /// Cell size, in units of the surface.
        cell_size: f64,
        /// Longest side of the surface's bounds.
        extent: f64,
        /// Enclosed volume.
        volume: f64,
        /// Edges with one triangle.
        boundary_edges: usize,
    },
    /// The cell size is not a positive finite number, or cells that small would be distorted by rounding to single
    /// precision. Move the surface nearer to the origin or use larger cells.
    #[error(
        "cells of {}: the size must be finite and at least {} for a surface whose coordinates reach {}; smaller cells need \
         the surface nearer to the origin (`center` moves it)",
        Number::from(*cell_size), Number::from(*least), Number::from(*farthest)
    )]
    CellSizeOutOfRange {
        /// What was asked for, in units of the surface.
        cell_size: f64,
        /// The smallest size that single precision allows here.
        least: f64,
        /// Largest coordinate of the surface in magnitude.
        farthest: f64,
    },
    /// The number of tets asked for is 0 or beyond the limit.
    #[error("{tets} tets: the number must be from 1 to {limit}")]
    TargetOutOfRange {
        /// What was asked for.
        tets: u32,
        /// The most that may be asked for.
        limit: u32,
    },
    /// Cells of this size would be too many. Use larger cells.
    #[error(
        "cells of {} make too many for a surface {} across: more than {limit} lattice points or tets",
        Number::from(*cell_size), Number::from(*extent)
    )]
    TooManyCells {
        /// Cell size, in units of the surface.
        cell_size: f64,
        /// Longest side of the surface's bounds.
        extent: f64,
        /// The limit on lattice points and on tets.
        limit: u32,
    },
    /// Rounding to single precision turned a tet over. Move the surface nearer to the origin or use larger cells.
    #[error("tet {tet} has the volume {} after rounding to single precision; use larger cells", Number::from(*volume))]
    Inverted {
        /// The first tet at fault.
        tet: usize,
        /// Its signed volume.
        volume: f64,
    },
    /// The mesh that came out cannot be simulated: the surface is far too large or too small for metres.
    #[error(transparent)]
    Mesh(#[from] MeshError),
}

impl MeshingError {
    /// A short code for programs.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Cancelled => "cancelled",
            Self::NothingInside { .. } => "nothing-inside",
            Self::CellSizeOutOfRange { .. } => "cell-size-out-of-range",
            Self::TargetOutOfRange { .. } => "target-out-of-range",
            Self::TooManyCells { .. } => "too-many-cells",
            Self::Inverted { .. } => "inverted",
            Self::Mesh(error) => error.kind(),
        }
    }
}
