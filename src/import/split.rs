//! Pyramids, prisms and hexahedra into tets whose faces agree between neighbours (Dompierre et al. 1999).

/// A cell that is split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Solid {
    /// Base 0 1 2 3, apex 4.
    Pyramid,
    /// Triangles 0 1 2 and 3 4 5.
    Prism,
    /// Quadrilaterals 0 1 2 3 and 4 5 6 7.
    Hexahedron,
}

/// Faces seen from outside, counter-clockwise where the cell is positive; a triangle repeats its last corner.
type Face = [usize; 4];
const PYRAMID: [Face; 5] = [
    [0, 3, 2, 1],
    [0, 1, 4, 4],
    [1, 2, 4, 4],
    [2, 3, 4, 4],
    [3, 0, 4, 4],
];
const PRISM: [Face; 5] = [
    [0, 2, 1, 1],
    [3, 4, 5, 5],
    [0, 1, 4, 3],
    [1, 2, 5, 4],
    [2, 0, 3, 5],
];
const HEXAHEDRON: [Face; 6] = [
    [0, 3, 2, 1],
    [4, 5, 6, 7],
    [0, 1, 5, 4],
    [1, 2, 6, 5],
    [2, 3, 7, 6],
    [3, 0, 4, 7],
];
/// The corner across the hexahedron, which shares no face with the first.
const OPPOSITE: [usize; 8] = [6, 7, 4, 5, 2, 3, 0, 1];

impl Solid {
    /// Its number of corners.
    pub fn corners(self) -> usize {
        match self {
            Self::Pyramid => 5,
            Self::Prism => 6,
            Self::Hexahedron => 8,
        }
    }

    fn faces(self) -> &'static [Face] {
        match self {
            Self::Pyramid => &PYRAMID,
            Self::Prism => &PRISM,
            Self::Hexahedron => &HEXAHEDRON,
        }
    }

    /// Splits a cell; its orientation becomes that of the tets. Every quadrilateral is cut from its smallest vertex
    /// number, by which two cells that share it agree (Dompierre, Labbé, Vallet & Camarero 1999, "How to subdivide
    /// pyramids, prisms and hexahedra into tetrahedra"): the faces away from the cell's smallest vertex are cut so
    /// and joined to it, which cuts the faces at that vertex from it too. A vertex that a cell lists twice makes tets
    /// without volume, which are left out.
    ///
    /// `cell` has [`Solid::corners`] entries.
    pub fn split(self, cell: &[u32], mut tet: impl FnMut([u32; 4])) {
        let Some((tip, &apex)) = cell.iter().enumerate().min_by_key(|&(_, &vertex)| vertex) else {
            return;
        };
        let mut emit = |[a, b, c]: [u32; 3]| {
            if apex != a && apex != b && apex != c && a != b && b != c && c != a {
                tet([apex, a, b, c]);
            }
        };
        // Where none of the three far diagonals meets the far corner, that corner is cut off whole: five tets, not six.
        let far = match self {
            Self::Hexahedron if distinct(cell) => Some(cell[OPPOSITE[tip]]).filter(|&far| {
                self.faces()
                    .iter()
                    .map(|face| face.map(|corner| cell[corner]))
                    .filter(|face| !face.contains(&apex))
                    .all(|face| {
                        let first = smallest(face);
                        face[first] != far && face[(first + 2) % 4] != far
                    })
            }),
            _ => None,
        };
        // The far corner's triangles, by the edge that faces it: together they are the fourth face of its tet.
        let mut cut = [[0; 2]; 3];
        let mut cuts = 0;
        for face in self.faces() {
            let face = face.map(|corner| cell[corner]);
            if face.contains(&apex) {
                continue;
            }
            if face[2] == face[3] {
                emit([face[0], face[1], face[2]]);
                continue;
            }
            let first = smallest(face);
            let [a, b, c, d] = [0, 1, 2, 3].map(|n| face[(first + n) % 4]);
            for triangle in [[a, b, c], [a, c, d]] {
                match triangle.iter().position(|&v| Some(v) == far) {
                    Some(corner) if cuts < 3 => {
                        cut[cuts] = [triangle[(corner + 1) % 3], triangle[(corner + 2) % 3]];
                        cuts += 1;
                    }
                    _ => emit(triangle),
                }
            }
        }
        if let (Some(far), 3) = (far, cuts) {
            let [a, b] = cut[0];
            let c = if cut[1][0] == b { cut[1][1] } else { cut[2][1] };
            emit([a, b, c]);
            tet([far, a, c, b]);
        }
    }
}

fn smallest(face: [u32; 4]) -> usize {
    let mut first = 0;
    for corner in 1..4 {
        if face[corner] < face[first] {
            first = corner;
        }
    }
    first
}

fn distinct(cell: &[u32]) -> bool {
    cell.iter()
        .enumerate()
        .all(|(n, vertex)| !cell[..n].contains(vertex))
}
