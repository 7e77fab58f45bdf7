//! VTK's cell types by number, for the legacy and the XML format.

use crate::import::cells::{CellType, Cells, Shape, cell};
use crate::import::split::Solid;

const TET: Shape = Shape::Tet;
const HEXAHEDRON: Shape = Shape::Solid(Solid::Hexahedron);
const PRISM: Shape = Shape::Solid(Solid::Prism);
const PYRAMID: Shape = Shape::Solid(Solid::Pyramid);
const VOXEL: i64 = 11;

/// The most nodes of a cell that are corners.
pub const MOST_CORNERS: usize = 8;

/// Why a cell is not taken.
#[derive(Debug)]
pub enum Refusal {
    /// The file is wrong.
    Wrong(String),
    /// The type is not supported.
    Unsupported(String),
}

/// Solid cells. The Lagrange and Bézier ones have any number of nodes from this on, corners first.
fn solid(number: i64) -> Option<CellType> {
    Some(match number {
        10 => cell("tet", 4, TET),
        VOXEL => cell("voxel", 8, HEXAHEDRON),
        12 => cell("hexahedron", 8, HEXAHEDRON),
        13 => cell("wedge", 6, PRISM),
        14 => cell("pyramid", 5, PYRAMID),
        24 => cell("10-node tet", 10, TET),
        25 => cell("20-node hexahedron", 20, HEXAHEDRON),
        26 => cell("15-node wedge", 15, PRISM),
        27 => cell("13-node pyramid", 13, PYRAMID),
        29 => cell("27-node hexahedron", 27, HEXAHEDRON),
        31 => cell("12-node wedge", 12, PRISM),
        32 => cell("18-node wedge", 18, PRISM),
        33 => cell("24-node hexahedron", 24, HEXAHEDRON),
        37 => cell("19-node pyramid", 19, PYRAMID),
        71 => cell("Lagrange tet", 5, TET),
        72 => cell("Lagrange hexahedron", 8, HEXAHEDRON),
        73 => cell("Lagrange wedge", 6, PRISM),
        74 => cell("Lagrange pyramid", 5, PYRAMID),
        78 => cell("Bézier tet", 5, TET),
        79 => cell("Bézier hexahedron", 8, HEXAHEDRON),
        80 => cell("Bézier wedge", 6, PRISM),
        81 => cell("Bézier pyramid", 5, PYRAMID),
        _ => return None,
    })
}

/// Cells without volume: left out.
fn flat(number: i64) -> Option<&'static str> {
    Some(match number {
        0 => "empty cell",
        1 | 2 => "point",
        3 | 4 | 21 | 35 | 68 | 75 => "line",
        5 | 22 | 34 | 69 | 76 => "triangle",
        6 => "triangle strip",
        7 | 36 => "polygon",
        8 => "pixel",
        9 | 23 | 28 | 30 | 70 | 77 => "quadrilateral",
        _ => return None,
    })
}

/// The most tets that a cell of this type becomes.
pub fn most_tets(number: u32) -> u64 {
    match solid(i64::from(number)).map(|kind| kind.shape) {
        Some(Shape::Tet) => 1,
        Some(Shape::Solid(Solid::Pyramid)) => 2,
        Some(Shape::Solid(Solid::Prism)) => 3,
        Some(Shape::Solid(Solid::Hexahedron)) => 6,
        Some(Shape::Flat) | None => 0,
    }
}

/// Takes a cell: its type, its number of nodes, and its corners as far as [`MOST_CORNERS`].
pub fn add(
    cells: &mut Cells,
    number: i64,
    nodes: u64,
    corners: &[u32; MOST_CORNERS],
) -> Result<(), Refusal> {
    if let Some(name) = flat(number) {
        cells.skip(name, 1);
        return Ok(());
    }
    let Some(kind) = solid(number) else {
        let name = match number {
            15 => "pentagonal prism",
            16 => "hexagonal prism",
            41 => "convex point set",
            42 => "polyhedron",
            _ => "unknown to this reader",
        };
        return Err(Refusal::Unsupported(format!(
            "cell type {number} ({name}); tets, hexahedra, voxels, wedges and pyramids are read: convert the cells to \
             tets first"
        )));
    };
    // One of first order has no more nodes than the linear cell.
    let any_order = (71..=81).contains(&number);
    if (any_order && nodes < kind.corners() as u64) || (!any_order && nodes != kind.nodes as u64) {
        return Err(Refusal::Wrong(format!(
            "a {} (cell type {number}) has {}, not {nodes} nodes",
            kind.name, kind.nodes
        )));
    }
    let mut corners = *corners;
    if number == VOXEL {
        // A voxel counts x fastest, a hexahedron goes round each face.
        corners.swap(2, 3);
        corners.swap(6, 7);
    }
    cells.add(&kind, &corners[..kind.corners()]);
    Ok(())
}
