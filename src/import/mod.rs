//! Files people have, read by content: volume meshes and surfaces in the usual formats.

mod error;

pub use error::{ImportError, Location};

use crate::surface::SurfaceMesh;

/// A file with its name, which helps to tell formats and companions apart.
#[derive(Debug, Clone, Copy)]
pub struct NamedFile<'a> {
    /// File name without folders; may be empty.
    pub name: &'a str,
    /// Its content.
    pub bytes: &'a [u8],
}

/// What a file held.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    /// The format it was recognised as, as people call it: "Gmsh 4.1 binary".
    pub format: String,
    /// What was left out or reduced, a sentence each: "12 triangles were skipped: only tets are simulated".
    pub notes: Vec<String>,
    /// The mesh or the surface.
    pub content: Content,
}

/// The two kinds of content.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// Tets exactly as in the file: order, winding and unused vertices untouched; positions in the file's units.
    Tets {
        /// Vertex positions.
        positions: Vec<[f32; 3]>,
        /// Vertex numbers, counted from 0 in the order of the file.
        tets: Vec<[u32; 4]>,
    },
    /// A triangle surface, to be filled with tets.
    Surface(SurfaceMesh),
}
