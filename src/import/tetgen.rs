//! TetGen: nodes in a `.node` file, tets in an `.ele` file beside it.

use super::cells::{CellType, Cells, Shape, cell};
use super::ids::{IdList, Ids};
use super::tokens::{Tokens, parse_integer};
use super::{ImportError, Imported, NamedFile};

const FORMAT: &str = "TetGen";
const NODE: &str = ".node";
const ELE: &str = ".ele";

/// Which of the two files it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// `.node`
    Nodes,
    /// `.ele`
    Elements,
}

/// Which of the two a file is: by its name, or else by its first line of two to four numbers, the second the dimension or
/// the nodes of a tet. The numbers of Triangle, which gives its files the same names, would mislead.
pub fn part(file: &NamedFile) -> Option<Part> {
    let named = if has_extension(file.name, NODE) {
        Some(Part::Nodes)
    } else if has_extension(file.name, ELE) {
        Some(Part::Elements)
    } else {
        None
    };
    let mut tokens = Tokens::new(FORMAT, file.bytes).comments(b'#');
    let mut header = [0; 4];
    let mut length = 0;
    let mut next = tokens.next();
    while let Some(token) = next {
        let number = parse_integer(token.text).filter(|&number| number >= 0)?;
        *header.get_mut(length)? = number;
        length += 1;
        next = tokens.next_on_line();
    }
    match (length, header) {
        (1..=4, _) if named.is_some() => named,
        (2..=4, [_, 3, _, 0 | 1]) => Some(Part::Nodes),
        (2..=3, [_, 4 | 10, _, _]) => Some(Part::Elements),
        _ => None,
    }
}

fn has_extension(name: &str, extension: &str) -> bool {
    name.len() > extension.len()
        && name
            .get(name.len() - extension.len()..)
            .is_some_and(|end| end.eq_ignore_ascii_case(extension))
}

fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Reads the file at this index and the one beside it: that of the same name, or else the only one of its kind.
pub fn read(files: &[NamedFile], index: usize) -> Result<Imported, ImportError> {
    let given = files[index];
    let given_part = part(&given).unwrap_or(Part::Nodes);
    let (wanted, missing) = match given_part {
        Part::Nodes => (Part::Elements, ELE),
        Part::Elements => (Part::Nodes, NODE),
    };
    let others = || {
        let others = files.iter().enumerate().filter(|&(n, _)| n != index);
        others
            .filter(|(_, file)| part(file) == Some(wanted))
            .map(|(_, file)| file)
    };
    let same = others().find(|file| stem(file.name).eq_ignore_ascii_case(stem(given.name)));
    let mut candidates = others();
    let companion = match (same, candidates.next(), candidates.next()) {
        (Some(same), ..) => same,
        (None, Some(only), None) => only,
        (None, None, _) => {
            return Err(ImportError::MissingCompanion {
                format: FORMAT,
                name: shown(&given),
                missing: format!("{}{missing}", stem(given.name)),
            });
        }
        (None, Some(_), Some(_)) => {
            return Err(ImportError::MissingCompanion {
                format: FORMAT,
                name: shown(&given),
                missing: format!("{}{missing} (several others were given)", stem(given.name)),
            });
        }
    };
    let (nodes, elements) = match given_part {
        Part::Nodes => (given, *companion),
        Part::Elements => (*companion, given),
    };
    let (positions, ids) = read_nodes(&nodes).map_err(|error| error.during(|| shown(&nodes)))?;
    let cells =
        read_elements(&elements, &ids).map_err(|error| error.during(|| shown(&elements)))?;
    cells.finish(FORMAT, FORMAT.to_owned(), positions, Vec::new())
}

fn shown(file: &NamedFile) -> String {
    if file.name.is_empty() {
        "a file without a name".to_owned()
    } else {
        file.name.to_owned()
    }
}

fn read_nodes(file: &NamedFile) -> Result<(Vec<[f32; 3]>, Ids), ImportError> {
    let mut tokens = Tokens::new(FORMAT, file.bytes).comments(b'#');
    let at = tokens.peek().map_or(0, |token| token.at);
    let count = tokens.unsigned("a number of nodes")?;
    let dimension = match tokens.next_on_line() {
        Some(token) => tokens.unsigned_of(token, "the dimension, 3")?,
        None => 3,
    };
    if dimension != 3 {
        return Err(tokens.unsupported(
            at,
            format!("nodes in {dimension} dimensions; a tet mesh has 3"),
        ));
    }
    if count == 0 {
        return Err(tokens.unsupported(
            at,
            "0 nodes: they are in the .poly file; write a .node file of their own".to_owned(),
        ));
    }
    skip_line(&mut tokens);
    let room = tokens.room(count, 8);
    let mut positions = Vec::with_capacity(room);
    let mut ids = IdList::default();
    ids.reserve(room);
    for n in 1..=count {
        let place = |error: ImportError| error.during(|| format!("node {n} of {count}"));
        ids.push(tokens.unsigned("a node number").map_err(place)?);
        let mut position = [0.0; 3];
        for (x, axis) in position.iter_mut().zip(["x", "y", "z"]) {
            let token = tokens.next_on_line();
            let token = token.ok_or_else(|| place(line_ended(&tokens, axis)))?;
            *x = tokens.real_of(token, axis).map_err(place)?;
        }
        positions.push(position);
        // Attributes and a boundary marker.
        skip_line(&mut tokens);
    }
    Ok((positions, ids.finish(FORMAT)?))
}

fn read_elements(file: &NamedFile, ids: &Ids) -> Result<Cells, ImportError> {
    let mut tokens = Tokens::new(FORMAT, file.bytes).comments(b'#');
    let count = tokens.unsigned("a number of tets")?;
    let kind: CellType = match tokens.next_on_line() {
        None => cell("tet", 4, Shape::Tet),
        Some(token) => match tokens.unsigned_of(token, "the nodes of a tet, 4 or 10")? {
            4 => cell("tet", 4, Shape::Tet),
            10 => cell("10-node tet", 10, Shape::Tet),
            3 | 6 => {
                return Err(tokens.unsupported(
                    token.at,
                    "triangles, as the program Triangle writes them; a tet has 4 or 10 nodes"
                        .to_owned(),
                ));
            }
            _ => return Err(tokens.unexpected(token, "the nodes of a tet, 4 or 10")),
        },
    };
    skip_line(&mut tokens);
    let mut cells = Cells::default();
    cells.reserve(tokens.room(count, 10));
    for n in 1..=count {
        let place = |error: ImportError| error.during(|| format!("tet {n} of {count}"));
        tokens.unsigned("the number of a tet").map_err(place)?;
        let mut corners = [0; 10];
        for corner in &mut corners[..kind.nodes] {
            let token = tokens.next_on_line();
            let token = token.ok_or_else(|| place(line_ended(&tokens, "a node number")))?;
            let id = tokens.unsigned_of(token, "a node number").map_err(place)?;
            *corner = ids.rank(id).ok_or_else(|| {
                place(tokens.malformed(
                    token.at,
                    format!("node {id} is not given: {}", ids.describe()),
                ))
            })?;
        }
        cells.add(&kind, &corners[..kind.nodes]);
        // Attributes.
        skip_line(&mut tokens);
    }
    Ok(cells)
}

fn line_ended(tokens: &Tokens, expected: &str) -> ImportError {
    tokens.malformed(
        tokens.at(),
        format!("expected {expected}, but the line ends"),
    )
}

fn skip_line(tokens: &mut Tokens) {
    tokens.line();
}
