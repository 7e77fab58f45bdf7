//! What the façade refuses.

use super::SnapshotError;
use crate::cloth::ClothError;
use crate::error::MeshError;
use crate::gpu::GpuError;
use crate::settings::SettingError;

/// Anything this crate's façade can refuse.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SimulationError {
    /// The mesh cannot be simulated; the message says which numbers are at fault.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The cloth cannot be simulated; the message says which numbers are at fault.
    #[error(transparent)]
    Cloth(#[from] ClothError),
    /// A setting is out of range; the message names it.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The GPU cannot do it.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// A vertex to pin or to unpin beyond the mesh.
    #[error(
        "pins: vertex {vertex} does not exist: the mesh has {vertices} vertices, numbered from 0"
    )]
    PinOutOfRange {
        /// The number given.
        vertex: u32,
        /// Vertices of the mesh.
        vertices: u32,
    },
    /// Not a target for each vertex that is to be pinned.
    #[error("{vertices} vertices are to be pinned at {targets} targets: each needs one")]
    PinTargetCount {
        /// Vertices given.
        vertices: usize,
        /// Targets given.
        targets: usize,
    },
    /// A target that is no place.
    #[error(
        "target {index}, of vertex {vertex}, has the coordinate {}, but must have numbers within ±1e7 m",
        crate::text::Number::from(*value)
    )]
    PinTarget {
        /// Its number, counted from 0.
        index: usize,
        /// The vertex it is for.
        vertex: u32,
        /// The coordinate.
        value: f64,
    },
    /// A hit that is not of the loaded body.
    #[error(
        "grabbed vertex {vertex} does not exist: the mesh has {vertices} vertices, numbered from 0"
    )]
    GrabOutOfRange {
        /// The number given.
        vertex: u32,
        /// Vertices of the mesh.
        vertices: u32,
    },
    /// One pointer too many.
    #[error(
        "pointer {pointer} cannot grab: {} pointers hold something already",
        super::MAX_HOLDS
    )]
    TooManyHolds {
        /// The one that came last.
        pointer: u32,
    },
    /// An image of the surface that only a browser or an image library can read. Decode it to RGBA first.
    #[error(
        "image {image} of the surface is still encoded ({mime}, {bytes} bytes): decode it to RGBA first"
    )]
    EncodedImage {
        /// Its number, counted from 0.
        image: usize,
        /// What it is encoded as.
        mime: String,
        /// Its length.
        bytes: usize,
    },
    /// An image of the surface whose texels do not fill its size.
    #[error(
        "image {image} of the surface has {bytes} bytes, but {width} × {height} RGBA texels take {expected}; it needs at \
         least one"
    )]
    ImageSize {
        /// Its number, counted from 0.
        image: usize,
        /// Texels per row.
        width: u32,
        /// Rows.
        height: u32,
        /// Bytes given.
        bytes: usize,
        /// Bytes of that size.
        expected: u64,
    },
    /// Bytes that are no snapshot of the loaded body; the message says why.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// Nothing is loaded yet.
    #[error("no body is loaded")]
    NoBody,
    /// No cloth is loaded, but what was asked for is a cloth's.
    #[error("no cloth is loaded")]
    NoCloth,
}
