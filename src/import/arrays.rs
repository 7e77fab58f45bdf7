//! The package's own two files: positions and tet indices as bare little-endian numbers. Their names tell them apart.

use super::error::Location;
use super::{Content, ImportError, Imported, NamedFile, detect};

const FORMAT: &str = "binary arrays";
const POSITIONS: &str = ".vec3f32bin";
const TETS: &str = ".vec4u32bin";
const STEMS: [&str; 2] = ["_positions", "_tet_indices"];

fn ends(name: &str, extension: &str) -> bool {
    name.len()
        .checked_sub(extension.len())
        .and_then(|at| name.get(at..))
        .is_some_and(|end| end.eq_ignore_ascii_case(extension))
}

/// Whether the name is that of one of the two.
pub fn named(name: &str) -> bool {
    ends(name, POSITIONS) || ends(name, TETS)
}

/// The name of the mesh: that of the file without what tells the two apart.
fn mesh(name: &str) -> &str {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    STEMS
        .iter()
        .find_map(|end| stem.strip_suffix(end))
        .unwrap_or(stem)
}

/// Reads the file at this index and the one beside it: that of the same mesh, or else the only one of its kind.
/// Indices are left to [`TetMesh`](crate::mesh::TetMesh), which says more about them.
pub fn read(files: &[NamedFile], index: usize) -> Result<Imported, ImportError> {
    let given = files[index];
    let is_tets = ends(given.name, TETS);
    let wanted = if is_tets { POSITIONS } else { TETS };
    let others = || files.iter().filter(|file| ends(file.name, wanted));
    let same = others().find(|file| mesh(file.name) == mesh(given.name));
    let mut rest = others();
    let companion = match (same, rest.next(), rest.next()) {
        (Some(same), ..) => same,
        (None, Some(only), None) => only,
        _ => {
            let stem = if is_tets { STEMS[0] } else { STEMS[1] };
            return Err(ImportError::MissingCompanion {
                format: FORMAT,
                name: given.name.to_owned(),
                missing: format!("{}{stem}{wanted}", mesh(given.name)),
            });
        }
    };
    let (positions, tets) = if is_tets {
        (*companion, given)
    } else {
        (given, *companion)
    };
    let positions: Vec<[f32; 3]> = words(&positions)?
        .map(|word| word.map(f32::from_le_bytes))
        .collect();
    let tets: Vec<[u32; 4]> = words(&tets)?
        .map(|word| word.map(u32::from_le_bytes))
        .collect();
    if tets.is_empty() {
        return Err(ImportError::NoTets {
            format: FORMAT,
            message: format!(
                "{} vertices and an empty file of tet indices",
                positions.len()
            ),
        });
    }
    Ok(Imported {
        format: FORMAT.to_owned(),
        notes: Vec::new(),
        content: Content::Tets { positions, tets },
    })
}

fn words<'a, const N: usize>(
    file: &NamedFile<'a>,
) -> Result<impl Iterator<Item = [[u8; 4]; N]> + use<'a, N>, ImportError> {
    if detect::is_html(file.bytes) {
        return Err(ImportError::Malformed {
            format: FORMAT,
            location: Location::File,
            message: format!(
                "{}: this is an HTML page; check the address that it came from",
                file.name
            ),
        });
    }
    let excess = file.bytes.len() % (4 * N);
    if excess != 0 {
        return Err(ImportError::Malformed {
            format: FORMAT,
            location: Location::File,
            message: format!(
                "{}: {} bytes is not a multiple of {} ({excess} bytes left over); the file is cut short or is something \
                 else",
                file.name,
                file.bytes.len(),
                4 * N
            ),
        });
    }
    Ok(file.bytes.chunks_exact(4 * N).map(|element| {
        let mut words = [[0; 4]; N];
        for (word, bytes) in words.iter_mut().zip(element.chunks_exact(4)) {
            word.copy_from_slice(bytes);
        }
        words
    }))
}
