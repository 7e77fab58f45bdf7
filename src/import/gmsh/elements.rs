//! Gmsh's element types by number.

use super::Input;
use crate::import::ImportError;
use crate::import::cells::{CellType, Shape, cell};
use crate::import::split::Solid;

const FLAT: Shape = Shape::Flat;
const TET: Shape = Shape::Tet;
const HEXAHEDRON: Shape = Shape::Solid(Solid::Hexahedron);
const PRISM: Shape = Shape::Solid(Solid::Prism);
const PYRAMID: Shape = Shape::Solid(Solid::Pyramid);

/// The most corners of a type below.
pub const MOST_CORNERS: usize = 8;

/// The element type of this number; `at` is where it stands.
pub fn element_type(input: &Input, at: usize, number: i64) -> Result<CellType, ImportError> {
    Ok(match number {
        1 => cell("line", 2, FLAT),
        2 => cell("triangle", 3, FLAT),
        3 => cell("quadrilateral", 4, FLAT),
        4 => cell("tet", 4, TET),
        5 => cell("hexahedron", 8, HEXAHEDRON),
        6 => cell("prism", 6, PRISM),
        7 => cell("pyramid", 5, PYRAMID),
        8 => cell("3-node line", 3, FLAT),
        9 => cell("6-node triangle", 6, FLAT),
        10 => cell("9-node quadrilateral", 9, FLAT),
        11 => cell("10-node tet", 10, TET),
        12 => cell("27-node hexahedron", 27, HEXAHEDRON),
        13 => cell("18-node prism", 18, PRISM),
        14 => cell("14-node pyramid", 14, PYRAMID),
        15 => cell("point", 1, FLAT),
        16 => cell("8-node quadrilateral", 8, FLAT),
        17 => cell("20-node hexahedron", 20, HEXAHEDRON),
        18 => cell("15-node prism", 15, PRISM),
        19 => cell("13-node pyramid", 13, PYRAMID),
        20 => cell("9-node triangle", 9, FLAT),
        21 => cell("10-node triangle", 10, FLAT),
        22 => cell("12-node triangle", 12, FLAT),
        23 | 24 => cell("15-node triangle", 15, FLAT),
        25 => cell("21-node triangle", 21, FLAT),
        26 => cell("4-node line", 4, FLAT),
        27 => cell("5-node line", 5, FLAT),
        28 => cell("6-node line", 6, FLAT),
        29 => cell("20-node tet", 20, TET),
        30 => cell("35-node tet", 35, TET),
        31 => cell("56-node tet", 56, TET),
        36 => cell("16-node quadrilateral", 16, FLAT),
        37 => cell("25-node quadrilateral", 25, FLAT),
        38 => cell("36-node quadrilateral", 36, FLAT),
        90 => cell("40-node prism", 40, PRISM),
        91 => cell("75-node prism", 75, PRISM),
        92 => cell("64-node hexahedron", 64, HEXAHEDRON),
        93 => cell("125-node hexahedron", 125, HEXAHEDRON),
        118 => cell("30-node pyramid", 30, PYRAMID),
        119 => cell("55-node pyramid", 55, PYRAMID),
        _ => {
            return Err(input.unsupported(
                at,
                format!(
                    "element type {number}; points, lines, triangles, quadrilaterals, tets, hexahedra, prisms and \
                     pyramids are read: save the mesh with elements of order 1"
                ),
            ));
        }
    })
}
