//! Abaqus input files (`.inp`), also as CalculiX reads them: nodes and solid elements, flat or in parts.

mod elements;
mod keyword;
mod parts;

use super::cells::{Cells, counted};
use super::error::quoted;
use super::tokens::{Token, Tokens, parse_integer};
use super::{ImportError, Imported};
use elements::{Block, Kind, read_block};
use keyword::{Keyword, data_end, data_line, fields};
use parts::Parts;

const FORMAT: &str = "Abaqus";

/// Keywords that make or move nodes and elements: passing them over would read another mesh.
const REFUSED: [(&str, &str); 9] = [
    ("INCLUDE", "put the included file in its place"),
    ("NGEN", "write the nodes out"),
    ("NFILL", "write the nodes out"),
    ("NCOPY", "write the nodes out"),
    ("NMAP", "write the nodes out"),
    ("ELGEN", "write the elements out"),
    ("ELCOPY", "write the elements out"),
    ("SYSTEM", "write the nodes in global coordinates"),
    ("SUBMODEL", "export the whole model"),
];

/// Reads a file.
pub fn read(bytes: &[u8]) -> Result<Imported, ImportError> {
    let mut tokens = Tokens::new(FORMAT, bytes);
    let mut positions = Vec::new();
    let mut parts = Parts::default();
    let mut blocks: Vec<Block> = Vec::new();
    let mut cells = Cells::default();
    let mut any_nodes = false;
    while let Some(keyword) = Keyword::next(&mut tokens) {
        if keyword.is("NODE") {
            any_nodes = true;
            refuse_input(&tokens, &keyword)?;
            if let Some(system) = keyword.parameter("SYSTEM")
                && !system.eq_ignore_ascii_case(b"R")
            {
                return Err(tokens.unsupported(
                    keyword.at,
                    format!(
                        "*NODE with SYSTEM={}; write the nodes in rectangular coordinates",
                        String::from_utf8_lossy(&system[..system.len().min(16)])
                    ),
                ));
            }
            let space = parts.for_nodes(positions.len());
            nodes(&mut tokens, &mut positions, |id| space.push(id))?;
        } else if keyword.is("ELEMENT") {
            refuse_input(&tokens, &keyword)?;
            let begin = tokens.at();
            let end = data_end(&tokens);
            match Kind::of(&tokens, &keyword)? {
                Kind::Solid(kind) => blocks.push(Block {
                    space: parts.current(),
                    kind,
                    begin,
                    end,
                }),
                Kind::Skipped(name) => {
                    let count = elements::count(tokens.ending(end));
                    cells.skip_named(&format!("{name} element"), count);
                }
            }
            tokens = tokens.moved(end);
        } else if keyword.is("PART") {
            parts.begin(&tokens, &keyword, positions.len())?;
        } else if keyword.is("END PART") || keyword.is("END INSTANCE") {
            parts.end(positions.len());
        } else if keyword.is("INSTANCE") {
            parts.instance(&mut tokens, &keyword)?;
        } else if let Some((name, advice)) = REFUSED.iter().find(|(name, _)| keyword.is(name)) {
            return Err(tokens.unsupported(keyword.at, format!("*{name}; {advice}")));
        }
    }
    if !any_nodes {
        return Err(tokens.ended("a *NODE keyword"));
    }
    let (ids, notes) = parts.finish(&mut positions)?;
    for block in &blocks {
        read_block(&tokens, block, &ids, &mut cells)?;
    }
    cells.finish(FORMAT, "Abaqus input".to_owned(), positions, notes)
}

/// Data in another file.
fn refuse_input(tokens: &Tokens, keyword: &Keyword) -> Result<(), ImportError> {
    match keyword.parameter("INPUT") {
        None => Ok(()),
        Some(file) => Err(tokens.unsupported(
            keyword.at,
            format!(
                "data in the file {}; put its lines below the keyword",
                quoted(file)
            ),
        )),
    }
}

/// Lines of number, x, y, z until the next keyword; blank coordinates are 0.
fn nodes(
    tokens: &mut Tokens,
    positions: &mut Vec<[f32; 3]>,
    mut push: impl FnMut(u64),
) -> Result<(), ImportError> {
    while let Some(line) = data_line(tokens) {
        let mut fields = fields(line);
        let first = fields.next().unwrap_or(line);
        let id = parse_integer(first.text).and_then(|id| u64::try_from(id).ok());
        push(id.ok_or_else(|| tokens.unexpected(first, "a node number and a comma"))?);
        let mut position = [0.0; 3];
        for (x, field) in position.iter_mut().zip(fields) {
            if !field.text.is_empty() {
                *x = tokens.real_of(field, "a coordinate")?;
            }
        }
        positions.push(position);
    }
    Ok(())
}
