//! The faces of tets grouped by their vertices: who shares which face.

use super::counted;
use crate::mesh::Finding;
use crate::mesh::geometry::FACES;
use crate::sort::{sort_rows, sorted3};

/// All faces, sorted by their vertices; face `4·t + i` is that of tet t opposite corner i.
pub struct Faces {
    /// Three vertices ascending, then the face.
    rows: Vec<[u32; 4]>,
}

impl Faces {
    pub fn new(tets: &[[u32; 4]]) -> Self {
        let mut rows: Vec<[u32; 4]> = (0..4 * tets.len() as u32)
            .map(|face| {
                let [a, b, c] = sorted3(triangle(tets, face));
                [a, b, c, face]
            })
            .collect();
        sort_rows(&mut rows, 3);
        Self { rows }
    }

    /// The rows of each face in turn, one per tet at it.
    pub fn groups(&self) -> impl Iterator<Item = &[[u32; 4]]> {
        self.rows.chunk_by(|a, b| a[..3] == b[..3])
    }

    /// Faces that more than two tets share.
    pub fn overfull(&self) -> Option<Finding> {
        let overfull: Vec<&[[u32; 4]]> = self.groups().filter(|group| group.len() > 2).collect();
        let first = overfull.first()?;
        let [a, b, c, face] = first[0];
        let tets: Vec<u32> = overfull
            .iter()
            .flat_map(|g| g.iter().map(|row| row[3] / 4))
            .collect();
        Some(Finding::new(
            Finding::OVERFULL_FACES,
            overfull.len(),
            &tets,
            false,
            format!(
                "{} shared by more than two tets, so some of those overlap; the first, of vertices {a}, {b}, {c}, belongs \
                 to {} tets, tet {} among them (examples are tets). Remove the tets that are too many",
                counted(overfull.len(), "face is", "faces are"),
                first.len(),
                face / 4,
            ),
        ))
    }
}

/// The vertices of a face, counter-clockwise seen from outside.
pub fn triangle(tets: &[[u32; 4]], face: u32) -> [u32; 3] {
    FACES[face as usize % 4].map(|corner| tets[face as usize / 4][corner])
}
