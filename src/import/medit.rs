//! Medit `.mesh` (ASCII), as INRIA's meshers, Gmsh, TetGen and fTetWild write it.

use super::cells::{CellType, Cells, Shape, cell};
use super::split::Solid;
use super::tokens::Tokens;
use super::{ImportError, Imported};

const FORMAT: &str = "Medit";

/// Sections with solid cells. What a section of another name holds is skipped, and counted where it is a kind of cell.
const SOLIDS: [(&str, CellType); 5] = [
    ("Tetrahedra", cell("tet", 4, Shape::Tet)),
    ("TetrahedraP2", cell("10-node tet", 10, Shape::Tet)),
    (
        "Hexahedra",
        cell("hexahedron", 8, Shape::Solid(Solid::Hexahedron)),
    ),
    ("Prisms", cell("prism", 6, Shape::Solid(Solid::Prism))),
    ("Pyramids", cell("pyramid", 5, Shape::Solid(Solid::Pyramid))),
];
const FLAT: [(&str, &str); 5] = [
    ("Edges", "edge"),
    ("Triangles", "triangle"),
    ("TrianglesP2", "6-node triangle"),
    ("Quadrilaterals", "quadrilateral"),
    ("EdgesP2", "3-node edge"),
];
/// Solid cells of these sections would silently be missing.
const REFUSED: [&str; 6] = [
    "TetrahedraP3",
    "TetrahedraP4",
    "HexahedraQ2",
    "PrismsP2",
    "PyramidsP2",
    "Polyhedra",
];

/// Reads a file.
pub fn read(bytes: &[u8]) -> Result<Imported, ImportError> {
    let mut tokens = Tokens::new(FORMAT, bytes).comments(b'#');
    let first = tokens.word("MeshVersionFormatted")?;
    if !first.is("MeshVersionFormatted") {
        return Err(tokens.unexpected(first, "MeshVersionFormatted"));
    }
    tokens.unsigned("a version number")?;

    let mut dimension = 3;
    let mut positions = None;
    let mut cells = Cells::default();
    // Cells may stand before the vertices: they are read once the vertices are known.
    let mut sections: Vec<(usize, usize)> = Vec::new();
    while let Some(keyword) = tokens.next() {
        if !keyword.text[0].is_ascii_alphabetic() {
            return Err(tokens.unexpected(keyword, "a keyword such as Vertices"));
        }
        if keyword.is("End") {
            break;
        }
        if keyword.is("Dimension") {
            dimension = tokens.unsigned("a dimension")?;
            if dimension != 2 && dimension != 3 {
                return Err(tokens.malformed(
                    keyword.at,
                    format!("dimension {dimension}; a mesh has 2 or 3"),
                ));
            }
        } else if keyword.is("Vertices") {
            if positions.is_some() {
                return Err(tokens.malformed(keyword.at, "a second Vertices section".to_owned()));
            }
            positions = Some(vertices(&mut tokens, dimension)?);
        } else if let Some(kind) = SOLIDS.iter().position(|(name, _)| keyword.is(name)) {
            sections.push((kind, tokens.at()));
            skip(&mut tokens);
        } else if let Some((_, name)) = FLAT.iter().find(|(name, _)| keyword.is(name)) {
            cells.skip(name, tokens.unsigned("a number of cells")?);
            skip(&mut tokens);
        } else if let Some(name) = REFUSED.iter().find(|name| keyword.is(name)) {
            return Err(tokens.unsupported(
                keyword.at,
                format!("{name} are not read; save linear or quadratic tets, or linear cells"),
            ));
        } else {
            skip(&mut tokens);
        }
    }
    let positions = positions.ok_or_else(|| tokens.ended("a Vertices section"))?;
    for (kind, at) in sections {
        solids(
            &SOLIDS[kind].1,
            tokens.moved(at),
            positions.len(),
            &mut cells,
        )?;
    }
    cells.finish(FORMAT, "Medit ASCII".to_owned(), positions, Vec::new())
}

/// Goes on at the next keyword: everything else is numbers.
fn skip(tokens: &mut Tokens) {
    while let Some(next) = tokens.peek() {
        if next.text[0].is_ascii_alphabetic() {
            return;
        }
        tokens.next();
    }
}

fn vertices(tokens: &mut Tokens, dimension: u64) -> Result<Vec<[f32; 3]>, ImportError> {
    let count = tokens.unsigned("a number of vertices")?;
    let mut positions = Vec::with_capacity(tokens.room(count, 8));
    for n in 1..=count {
        let mut position = [0.0; 3];
        for axis in 0..dimension as usize {
            position[axis] = tokens
                .real(["x", "y", "z"][axis])
                .map_err(|error| error.during(|| format!("vertex {n} of {count}")))?;
        }
        tokens
            .integer("a reference number")
            .map_err(|error| error.during(|| format!("vertex {n} of {count}")))?;
        positions.push(position);
    }
    Ok(positions)
}

fn solids(
    kind: &CellType,
    mut tokens: Tokens,
    vertices: usize,
    cells: &mut Cells,
) -> Result<(), ImportError> {
    let count = tokens.unsigned("a number of cells")?;
    if kind.shape == Shape::Tet {
        cells.reserve(tokens.room(count, 10));
    }
    let mut corners = [0; 10];
    for n in 1..=count {
        for corner in &mut corners[..kind.nodes] {
            let place =
                |error: ImportError| error.during(|| format!("{} {n} of {count}", kind.name));
            let token = tokens.word("a vertex number").map_err(place)?;
            let id = tokens.integer_of(token, "a vertex number").map_err(place)?;
            if id < 1 || id as u64 > vertices as u64 {
                return Err(tokens.malformed(
                    token.at,
                    format!(
                        "{} {n} of {count} has vertex {id}, but there are {vertices} vertices (1 to {vertices})",
                        kind.name
                    ),
                ));
            }
            *corner = (id - 1) as u32;
        }
        tokens
            .integer("a reference number")
            .map_err(|error| error.during(|| format!("{} {n} of {count}", kind.name)))?;
        cells.add(kind, &corners[..kind.nodes]);
    }
    Ok(())
}
