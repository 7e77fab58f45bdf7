//! What can be wrong with a mesh: one enum whose messages carry the numbers that name the culprit.

use std::fmt;

use crate::text::{Number, Quoted};

/// Which of the files of a mesh an error speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeshFile {
    /// `.vec3f32bin`: three little-endian `f32` per vertex.
    Positions,
    /// `.vec4u32bin`: four little-endian `u32` per tetrahedron.
    TetIndices,
    /// Three little-endian `u32` per triangle of a cloth.
    TriangleIndices,
}

impl fmt::Display for MeshFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Positions => "positions (vec3f32bin)",
            Self::TetIndices => "tet indices (vec4u32bin)",
            Self::TriangleIndices => "triangle indices (vec3u32bin)",
        })
    }
}

/// What the whole set of indices suggests about an index that is out of range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexHint {
    /// Nothing in particular.
    None,
    /// The smallest index is 1 and the largest equals the vertex count.
    OneBased,
    /// With their bytes swapped all indices would be in range.
    BigEndian,
}

impl fmt::Display for IndexHint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "",
            Self::OneBased => {
                "; the smallest index is 1 and the largest equals the vertex count, so the indices look one-based: \
                 subtract 1 from each"
            }
            Self::BigEndian => {
                "; with swapped bytes every index would be in range, so the file looks big-endian: write it \
                 little-endian"
            }
        })
    }
}

/// Why a mesh was refused. Nothing is half built: after an error the caller's previous mesh is untouched and the next
/// load works.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum MeshError {
    /// The bytes are text, usually a server's error page. Check the URL and the response status.
    #[error(
        "{file}: {bytes} bytes that are text, not a mesh; this looks like {looks_like}, beginning with {}",
        Quoted(beginning)
    )]
    NotAMesh {
        /// The file in question.
        file: MeshFile,
        /// Its length.
        bytes: usize,
        /// `"HTML"` or `"plain text"`.
        looks_like: &'static str,
        /// At most its first 32 characters.
        beginning: String,
    },
    /// The length is no whole number of elements. The file is cut short, or is another format: export it again.
    #[error(
        "{file}: {bytes} bytes is not a multiple of {element_bytes} ({excess} bytes left over after {elements} elements); \
         the file is truncated or has another format"
    )]
    LengthNotMultiple {
        /// The file in question.
        file: MeshFile,
        /// Its length.
        bytes: usize,
        /// Bytes of one element: 12 for a position or a triangle, 16 for a tet.
        element_bytes: usize,
        /// Whole elements before the rest.
        elements: usize,
        /// Bytes after the last whole element.
        excess: usize,
    },
    /// There are no elements. Check that the right file was loaded.
    #[error(
        "{file}: 0 elements; a solid needs at least 4 vertices and 1 tet, a cloth 3 vertices and 1 triangle"
    )]
    Empty {
        /// The file in question.
        file: MeshFile,
    },
    /// More elements than 32-bit bookkeeping can count. Split or coarsen the mesh.
    #[error("{file}: {count} elements, more than the {limit} that can be indexed")]
    TooLarge {
        /// The file in question.
        file: MeshFile,
        /// Elements found.
        count: u64,
        /// Elements allowed.
        limit: u64,
    },
    /// A tet names a vertex that does not exist. Follow the hint, or check that the two files belong together.
    #[error(
        "tet {tet} corner {corner} refers to vertex {index}, but there are {vertices} vertices (0 to {last}){hint}",
        last = vertices.saturating_sub(1)
    )]
    IndexOutOfRange {
        /// The first tet at fault, counted from 0.
        tet: usize,
        /// Its corner, 0 to 3.
        corner: usize,
        /// The index there.
        index: u32,
        /// Vertices in the positions file, at least 1.
        vertices: usize,
        /// What all indices together suggest.
        hint: IndexHint,
    },
    /// A vertex that is in use has no finite position. Repair it in the tool that made the mesh.
    #[error("vertex {vertex} has {axis} = {value}; every vertex in use needs finite coordinates")]
    NonFinite {
        /// The first vertex at fault, counted from 0.
        vertex: usize,
        /// `'x'`, `'y'` or `'z'`.
        axis: char,
        /// `"NaN"`, `"Infinity"` or `"-Infinity"`.
        value: &'static str,
    },
    /// A coordinate is beyond what single precision can simulate. Scale the mesh, or check the byte order.
    #[error(
        "vertex {vertex} has {axis} = {} m, beyond the limit of ±{} m; check units and byte order",
        Number::from(*value), Number::from(*limit)
    )]
    CoordinateTooLarge {
        /// The first vertex at fault, counted from 0.
        vertex: usize,
        /// `'x'`, `'y'` or `'z'`.
        axis: char,
        /// The coordinate, metres.
        value: f32,
        /// The largest magnitude allowed, metres.
        limit: f32,
    },
    /// Every tet is flat or lists a vertex twice, so nothing is left to simulate. Check that the mesh is a volume mesh.
    #[error(
        "every tet is degenerate (of {tets}, with a vertex twice: {repeated}, flat: {flat}, of a shape quality of at \
         most {}); nothing is left to simulate",
        Number::from(*quality_limit)
    )]
    NoUsableTets {
        /// Tets in the file.
        tets: usize,
        /// Tets that list a vertex twice.
        repeated: usize,
        /// Tets without volume for their size.
        flat: usize,
        /// The shape quality at or below which a tet counts as flat.
        quality_limit: f64,
    },
    /// A well-shaped tet so small that its volume is lost in single precision. Scale the mesh up.
    #[error(
        "tet {tet} has a volume of {} m³, below the smallest usable {} m³; scale the mesh up",
        Number::from(*volume), Number::from(*limit)
    )]
    TetTooSmall {
        /// The first tet at fault, counted from 0 as in the file.
        tet: usize,
        /// Its volume, m³.
        volume: f64,
        /// The smallest volume allowed, m³.
        limit: f64,
    },
    /// A scale factor that is not positive and finite. Pass the metres that one unit of the file stands for.
    #[error("scale factor {} is not a positive, finite number", Number::from(*factor))]
    InvalidScale {
        /// The factor given.
        factor: f64,
    },
    /// Scaling rounded a tet flat. Use a factor nearer 1, or move the mesh nearer the origin first.
    #[error(
        "scaled by {}, tet {tet} has shape quality {}, at most the limit of {}",
        Number::from(*factor), Number::from(*quality), Number::from(*quality_limit)
    )]
    ScaleFlattens {
        /// The factor given.
        factor: f64,
        /// The first tet at fault, an index into the mesh that was to be scaled.
        tet: usize,
        /// Its signed shape quality after scaling.
        quality: f64,
        /// The shape quality at or below which a tet counts as flat.
        quality_limit: f64,
    },
    /// A generator's parameter is out of its range. The message says which and what it may be.
    #[error("{name} = {}; it must be {requirement}", Number::from(*value))]
    InvalidParameter {
        /// The parameter.
        name: &'static str,
        /// What was passed.
        value: f64,
        /// What is allowed.
        requirement: &'static str,
    },
}

/// Why a triangle surface was refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SurfaceError {
    /// There is nothing to draw or to fill. Check that the file holds faces.
    #[error("the surface has {vertices} vertices but no triangle")]
    Empty {
        /// Vertices given.
        vertices: usize,
    },
    /// A triangle names a vertex that does not exist.
    #[error(
        "triangle {triangle} corner {corner} refers to vertex {index}, but there are {vertices} vertices"
    )]
    IndexOutOfRange {
        /// The first triangle at fault, counted from 0.
        triangle: usize,
        /// Its corner, 0 to 2.
        corner: usize,
        /// The index there.
        index: u32,
        /// Vertices given.
        vertices: usize,
    },
    /// A vertex has no finite position. Repair it in the tool that made the surface.
    #[error("vertex {vertex} of the surface has a coordinate that is not finite")]
    NonFinite {
        /// The first vertex at fault, counted from 0.
        vertex: usize,
    },
    /// An array that goes with the vertices has another length.
    #[error("the surface's {array} have {length} entries, but there are {expected} vertices")]
    LengthMismatch {
        /// `"normals"`, `"uvs"` or `"colors"`.
        array: &'static str,
        /// Its entries.
        length: usize,
        /// Vertices given.
        expected: usize,
    },
    /// The parts do not add up to the triangles.
    #[error("the surface's parts cover {covered} triangles, but there are {triangles}")]
    PartsMismatch {
        /// Sum over the parts.
        covered: u64,
        /// Triangles given.
        triangles: usize,
    },
    /// A part names an image that does not exist.
    #[error("part {part} of the surface refers to image {image}, but there are {images} images")]
    NoSuchImage {
        /// The part at fault, counted from 0.
        part: usize,
        /// The index there.
        image: u32,
        /// Images given.
        images: usize,
    },
}

impl MeshError {
    /// The condition's name in kebab case, stable across versions, for code that tells errors apart.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::NotAMesh { .. } => "not-a-mesh",
            Self::LengthNotMultiple { .. } => "length-not-multiple",
            Self::Empty { .. } => "empty",
            Self::TooLarge { .. } => "too-large",
            Self::IndexOutOfRange { .. } => "index-out-of-range",
            Self::NonFinite { .. } => "non-finite",
            Self::CoordinateTooLarge { .. } => "coordinate-too-large",
            Self::NoUsableTets { .. } => "no-usable-tets",
            Self::TetTooSmall { .. } => "tet-too-small",
            Self::InvalidScale { .. } => "invalid-scale",
            Self::ScaleFlattens { .. } => "scale-flattens",
            Self::InvalidParameter { .. } => "invalid-parameter",
        }
    }
}
