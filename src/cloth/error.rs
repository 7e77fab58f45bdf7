//! Why a cloth was refused: messages carry the numbers that name the culprit.

use crate::error::{IndexHint, MeshError};
use crate::text::Number;

/// Why a cloth was refused. Nothing is half built.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ClothError {
    /// What a cloth shares with solids: files that are no mesh, empty arrays, coordinates that are not finite or too
    /// large, a factor that does not scale.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// A number of a grid is out of its range.
    #[error("cloth.grid.{name} is {}; it must be {requirement}", Number::from(*value))]
    InvalidGrid {
        /// `"columns"`, `"rows"` or `"spacing"`.
        name: &'static str,
        /// What was passed.
        value: f64,
        /// What is allowed.
        requirement: &'static str,
    },
    /// A triangle names a vertex that does not exist. Follow the hint, or check that the two files belong together.
    #[error(
        "triangle {triangle} corner {corner} refers to vertex {index}, but there are {vertices} vertices (0 to {last}){hint}",
        last = vertices.saturating_sub(1)
    )]
    IndexOutOfRange {
        /// The first triangle at fault, counted from 0.
        triangle: usize,
        /// Its corner, 0 to 2.
        corner: usize,
        /// The index there.
        index: u32,
        /// Vertices given, at least 1.
        vertices: usize,
        /// What all indices together suggest.
        hint: IndexHint,
    },
    /// Every triangle lists a vertex twice or has no area, so nothing is left to simulate.
    #[error(
        "every triangle is degenerate (of {triangles}, with a vertex twice: {repeated}, without area: {flat}, of a shape \
         quality of at most {}); nothing is left to simulate",
        Number::from(*quality_limit)
    )]
    NoUsableTriangles {
        /// Triangles given.
        triangles: usize,
        /// Those that list a vertex twice.
        repeated: usize,
        /// Those without area for their size.
        flat: usize,
        /// The shape quality at or below which a triangle counts as flat.
        quality_limit: f64,
    },
    /// A well-shaped triangle so small that single precision loses it. Scale the cloth up.
    #[error(
        "triangle {triangle} has an area of {} m², below the smallest usable {} m²; scale the cloth up",
        Number::from(*area as f32), Number::from(*limit)
    )]
    TriangleTooSmall {
        /// The first triangle at fault, counted from 0 as given.
        triangle: usize,
        /// Its area, m².
        area: f64,
        /// The smallest area allowed, m².
        limit: f64,
    },
    /// Scaling rounded a triangle flat. Use a factor nearer 1, or move the cloth nearer the origin first.
    #[error(
        "scaled by {}, triangle {triangle} has shape quality {}, at most the limit of {}",
        Number::from(*factor), Number::from(*quality), Number::from(*quality_limit)
    )]
    ScaleFlattens {
        /// The factor given.
        factor: f64,
        /// The first triangle at fault, an index into the cloth that was to be scaled.
        triangle: usize,
        /// Its shape quality after scaling.
        quality: f64,
        /// The shape quality at or below which a triangle counts as flat.
        quality_limit: f64,
    },
    /// So many triangles meet in a vertex that their elements, which are solved one after the other, would take
    /// hundreds of passes. Divide the fan into rings.
    #[error(
        "{triangles} triangles meet in vertex {vertex}, more than the {limit} allowed; divide the fan round it into rings"
    )]
    CrowdedVertex {
        /// The first vertex at fault, counted from 0.
        vertex: u32,
        /// Triangles at it.
        triangles: u32,
        /// Triangles allowed.
        limit: u32,
    },
}
