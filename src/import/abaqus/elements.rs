//! Abaqus element types, and the data lines of elements.

use super::{Keyword, Tokens, data_line};
use crate::import::ImportError;
use crate::import::cells::{CellType, Cells, Shape, cell};
use crate::import::error::quoted;
use crate::import::ids::Ids;
use crate::import::split::Solid;

/// The most nodes of an element type that is read.
const MOST_NODES: usize = 20;

/// Solid elements of types that are not read: skipping them would leave holes.
const REFUSED: [&str; 8] = [
    "SC6", "SC8", "CSS8", "COH3D", "EC3D", "PC3D", "CIN3D", "CC3D",
];

/// What becomes of the elements of a block.
#[derive(Debug)]
pub enum Kind {
    /// Tets, or split into tets.
    Solid(CellType),
    /// Shells, beams and the like, by their type.
    Skipped(String),
}

/// Elements to be read once all nodes are known.
#[derive(Debug)]
pub struct Block {
    /// Whose nodes they name.
    pub space: usize,
    /// Their type.
    pub kind: CellType,
    /// The first byte of their data.
    pub begin: usize,
    /// The byte after it.
    pub end: usize,
}

impl Kind {
    /// By the TYPE of an *ELEMENT keyword.
    pub fn of(tokens: &Tokens, keyword: &Keyword) -> Result<Self, ImportError> {
        let Some(name) = keyword.parameter("TYPE") else {
            return Err(tokens.malformed(keyword.at, "*ELEMENT without TYPE=".to_owned()));
        };
        let name = String::from_utf8_lossy(&name[..name.len().min(16)]).to_ascii_uppercase();
        // Heat transfer and acoustic elements have the nodes of the mechanical ones.
        let solid = ["C3D", "DC3D", "AC3D"]
            .iter()
            .find_map(|prefix| name.strip_prefix(prefix));
        let refuse = || {
            Err(tokens.unsupported(
                keyword.at,
                format!(
                    "element type {}; C3D4, C3D10, C3D5, C3D6, C3D15, C3D8 and C3D20 are read",
                    quoted(name.as_bytes())
                ),
            ))
        };
        let Some(solid) = solid else {
            if REFUSED.iter().any(|prefix| name.starts_with(prefix)) {
                return refuse();
            }
            return Ok(Self::Skipped(name));
        };
        let letters = solid
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(solid.len());
        let (nodes, variant) = solid.split_at(letters);
        if variant.starts_with('V') {
            return refuse();
        }
        Ok(Self::Solid(match nodes {
            "4" => cell("tet", 4, Shape::Tet),
            "10" => cell("10-node tet", 10, Shape::Tet),
            "5" => cell("pyramid", 5, Shape::Solid(Solid::Pyramid)),
            "6" => cell("prism", 6, Shape::Solid(Solid::Prism)),
            "15" => cell("15-node prism", 15, Shape::Solid(Solid::Prism)),
            "8" => cell("hexahedron", 8, Shape::Solid(Solid::Hexahedron)),
            "20" => cell("20-node hexahedron", 20, Shape::Solid(Solid::Hexahedron)),
            _ => return refuse(),
        }))
    }
}

/// How many elements these data lines hold: a comma at the end goes on in the next line.
pub fn count(mut data: Tokens) -> u64 {
    let mut count = 0;
    let mut goes_on = false;
    while let Some(line) = data_line(&mut data) {
        if !goes_on {
            count += 1;
        }
        goes_on = line.text.trim_ascii_end().ends_with(b",");
    }
    count
}

/// Reads the elements of a block: number and nodes of each, over as many lines as they take.
pub fn read_block(
    file: &Tokens,
    block: &Block,
    ids: &[Ids],
    cells: &mut Cells,
) -> Result<(), ImportError> {
    let kind = &block.kind;
    // Within a block a star can only begin a comment.
    let mut tokens = file
        .ending(block.end)
        .moved(block.begin)
        .comments(b'*')
        .separated_by(b',');
    let ids = &ids[block.space];
    while let Some(first) = tokens.next() {
        let element = tokens.unsigned_of(first, "an element number")?;
        let mut corners = [0; MOST_NODES];
        for (n, corner) in (1..).zip(&mut corners[..kind.nodes]) {
            let Some(token) = tokens.next() else {
                return Err(tokens.malformed(
                    first.at,
                    format!(
                        "element {element} ends before node {n} of {} (a {})",
                        kind.nodes, kind.name
                    ),
                ));
            };
            let node = tokens.unsigned_of(token, "a node number")?;
            *corner = ids.rank(node).ok_or_else(|| {
                tokens.malformed(
                    token.at,
                    format!(
                        "element {element} has node {node}, which is not given: {}",
                        ids.describe()
                    ),
                )
            })?;
        }
        cells.add(kind, &corners[..kind.nodes]);
    }
    Ok(())
}
