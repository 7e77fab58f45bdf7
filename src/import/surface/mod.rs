//! Surface formats: OBJ, STL, PLY and glTF 2.0, recognised by content and read into a [`SurfaceMesh`].
//!
//! The readers are our own. Of the crates that exist, `tobj`, `stl_io` and `ply-rs` give no line and column of an
//! error, and `gltf` 1.4 refuses quantised attributes and panics on some files with one number changed (7 of 603);
//! JSON, which is worth a crate, is read by `serde_json`.

mod builder;
mod companion;
mod gltf;
mod obj;
mod obj_material;
mod ply;
mod ply_body;
mod ply_header;
mod polygon;
mod recognise;
mod scan;
mod stl;

pub use companion::look_file_not_given;

use super::{Content, ImportError, Imported, Location, NamedFile};
use crate::surface::SurfaceMesh;
use recognise::Kind;
pub(super) use recognise::is_binary_stl;

/// Index of the file that is a surface this module reads, or `None`. Content counts first; of several candidates the
/// one whose name agrees wins, then the first.
pub fn recognise(files: &[NamedFile]) -> Option<usize> {
    let mut best = None;
    for (index, file) in files.iter().enumerate() {
        if let Some((_, score)) = recognise::kind(file)
            && best.is_none_or(|(_, highest)| score > highest)
        {
            best = Some((index, score));
        }
    }
    best.map(|(index, _)| index)
}

/// Reads the surface in `files[index]`; the others are what it may refer to: buffers, images, materials.
///
/// # Errors
/// [`ImportError::UnknownFormat`] if there is no such file or it is no surface, otherwise what is wrong with it.
pub fn read(files: &[NamedFile], index: usize) -> Result<Imported, ImportError> {
    let file = files.get(index);
    let Some((file, (kind, _))) = file.and_then(|f| Some((f, recognise::kind(f)?))) else {
        return Err(ImportError::UnknownFormat {
            name: file.map_or("", |f| f.name).to_owned(),
            bytes: file.map_or(0, |f| f.bytes.len()),
            hint: "no surface was recognised; OBJ, STL, PLY, glTF and GLB are read".to_owned(),
        });
    };
    if file.bytes.len() > MAX_BYTES {
        return Err(ImportError::Unsupported {
            format: "surface",
            location: Location::File,
            message: format!(
                "the file has {} bytes, the most that is read is {MAX_BYTES}: simplify the surface first",
                file.bytes.len()
            ),
        });
    }
    let mut notes = Vec::new();
    let (format, surface) = match kind {
        Kind::Gltf | Kind::Glb => gltf::read(files, index, &mut notes)?,
        Kind::StlAscii => ("STL ASCII", stl::read_ascii(file.bytes, &mut notes)?),
        Kind::StlBinary => ("STL binary", stl::read_binary(file.bytes, &mut notes)?),
        Kind::Ply => ply::read(files, index, &mut notes)?,
        Kind::Obj => ("Wavefront OBJ", obj::read(files, index, &mut notes)?),
    };
    Ok(imported(format, notes, surface))
}

/// More than this does not fit vertex numbers of 32 bits, however the bytes are used.
const MAX_BYTES: usize = 2_000_000_000;

fn imported(format: &str, notes: Vec<String>, surface: SurfaceMesh) -> Imported {
    Imported {
        format: format.to_owned(),
        notes,
        content: Content::Surface(surface),
    }
}

/// A count with its noun: "1 vertex", "3 vertices".
#[cold]
#[inline(never)]
fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
