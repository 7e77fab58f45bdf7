//! Files people have, read by content: volume meshes and surfaces in the usual formats.

mod abaqus;
mod arrays;
mod binary;
mod cells;
mod detect;
mod error;
mod gmsh;
mod ids;
mod medit;
mod split;
pub mod surface;
mod tetgen;
mod tokens;
mod vtk;
mod vtu;

pub use error::{ImportError, Location};

use crate::surface::SurfaceMesh;
use crate::text::Quoted;

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

/// Whether a format holds tets or triangles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormatKind {
    /// Tetrahedra.
    Volume,
    /// Triangles.
    Surface,
}

/// A format that can be read, for help texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FormatInfo {
    /// What people call it, with the variants that are read.
    pub name: &'static str,
    /// Usual extensions, without the dot.
    pub extensions: &'static [&'static str],
    /// What it holds.
    pub kind: FormatKind,
}

const fn volume(name: &'static str, extensions: &'static [&'static str]) -> FormatInfo {
    FormatInfo {
        name,
        extensions,
        kind: FormatKind::Volume,
    }
}

const fn triangles(name: &'static str, extensions: &'static [&'static str]) -> FormatInfo {
    FormatInfo {
        name,
        extensions,
        kind: FormatKind::Surface,
    }
}

const FORMATS: [FormatInfo; 11] = [
    volume("Gmsh 2 and 4.1, ASCII and binary", &["msh"]),
    volume("Medit, ASCII", &["mesh"]),
    volume("VTK legacy 2 to 5.1, ASCII and binary", &["vtk"]),
    volume("VTK XML unstructured grid", &["vtu"]),
    volume("TetGen", &["node", "ele"]),
    volume("Abaqus input", &["inp"]),
    volume("binary arrays", &["vec3f32bin", "vec4u32bin"]),
    triangles("Wavefront OBJ", &["obj"]),
    triangles("STL, ASCII and binary", &["stl"]),
    triangles("PLY, ASCII and binary", &["ply"]),
    triangles("glTF 2.0", &["gltf", "glb"]),
];

/// Every format that [`import`] reads.
pub fn formats() -> &'static [FormatInfo] {
    &FORMATS
}

/// Reads a mesh or a surface. The first file whose content is recognised decides; the others are its companions
/// (TetGen's `.node` and `.ele` in any order, the buffers and images of a glTF). One that is a mesh of its own is left out
/// with a note. Names matter only where content does
/// not decide.
///
/// Memory stays within a small multiple of the files' size, whatever they claim to hold.
///
/// # Errors
/// [`ImportError`] names what was expected and what was found, and where: line and column in text, else the byte.
pub fn import(files: &[NamedFile]) -> Result<Imported, ImportError> {
    let (mut imported, read) = import_one(files)?;
    for (index, file) in files.iter().enumerate() {
        if index != read && is_mesh(file) {
            imported.notes.push(format!(
                "{} is a mesh of its own and was left out: files given together make one mesh",
                Quoted(file.name)
            ));
        }
    }
    Ok(imported)
}

/// Whether a file is a mesh by itself, rather than what another may need.
fn is_mesh(file: &NamedFile) -> bool {
    let file = std::slice::from_ref(file);
    surface::recognise(file).is_some()
        || detect::volume(file).is_some_and(|found| {
            found.evidence == detect::Evidence::Content && found.format != detect::Format::Arrays
        })
}

/// What was read, and the file that decided.
fn import_one(files: &[NamedFile]) -> Result<(Imported, usize), ImportError> {
    let volume = detect::volume(files);
    if let Some(index) = surface::recognise(files)
        && volume.is_none_or(|found| match found.evidence {
            detect::Evidence::Content => index < found.index,
            detect::Evidence::Numbers => index <= found.index,
            detect::Evidence::Name => true,
        })
    {
        return Ok((surface::read(files, index)?, index));
    }
    let Some(detect::Found { index, format, .. }) = volume else {
        return Err(detect::unknown(files));
    };
    let bytes = files[index].bytes;
    let imported = match format {
        detect::Format::Gmsh => gmsh::read(bytes),
        detect::Format::Medit => medit::read(bytes),
        detect::Format::Vtk => vtk::read(bytes),
        detect::Format::Vtu => vtu::read(bytes),
        detect::Format::TetGen => tetgen::read(files, index),
        detect::Format::Abaqus => abaqus::read(bytes),
        detect::Format::Arrays => arrays::read(files, index),
    }?;
    Ok((imported, index))
}
