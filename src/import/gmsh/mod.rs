//! Gmsh `.msh`, formats 2.x and 4.1, ASCII and binary.

mod elements;
mod input;
mod v2;
mod v4;

use super::binary::{Cursor, Endian, Scalar};
use super::cells::Cells;
use super::ids::{IdList, Ids};
use super::tokens::{Tokens, parse_real};
use super::{ImportError, Imported};
use input::Input;

const FORMAT: &str = "Gmsh";

/// How the file is written.
#[derive(Debug, Clone, Copy)]
struct Header {
    v4: bool,
    binary: Option<Endian>,
}

/// Nodes as far as they are read.
#[derive(Debug, Default)]
struct Nodes {
    positions: Vec<[f32; 3]>,
    tags: IdList,
}

/// Node numbers of elements to vertex numbers.
#[derive(Debug)]
struct Lookup {
    ids: Ids,
}

impl Lookup {
    fn vertex(
        &self,
        input: &Input,
        at: usize,
        element: u64,
        node: u64,
    ) -> Result<u32, ImportError> {
        self.ids.rank(node).ok_or_else(|| {
            input.malformed(
                at,
                format!(
                    "element {element} has node {node}, which is not given: {}",
                    self.ids.describe()
                ),
            )
        })
    }
}

/// Reads a file.
pub fn read(bytes: &[u8]) -> Result<Imported, ImportError> {
    let mut tokens = Tokens::new(FORMAT, bytes);
    let (header, variant) = header(&mut tokens, bytes)?;

    let mut nodes: Option<(Vec<[f32; 3]>, Lookup)> = None;
    let mut cells = Cells::default();
    let mut elements = false;
    let mut notes = Vec::new();
    while let Some(section) = tokens.next() {
        let Some(name) = section.text.strip_prefix(b"$") else {
            return Err(tokens.unexpected(section, "a section such as $Nodes"));
        };
        match name {
            b"Nodes" | b"ParametricNodes" if !(header.v4 && name == b"ParametricNodes") => {
                if nodes.is_some() {
                    return Err(tokens.malformed(section.at, "a second $Nodes section".to_owned()));
                }
                let parametric = name == b"ParametricNodes";
                let mut input = Input::new(tokens, header.binary, bytes);
                let read = if header.v4 {
                    v4::nodes(&mut input)?
                } else {
                    v2::nodes(&mut input, parametric)?
                };
                let ids = read.tags.finish(FORMAT)?;
                nodes = Some((read.positions, Lookup { ids }));
                tokens = input.after();
                end(
                    &mut tokens,
                    if parametric {
                        "$EndParametricNodes"
                    } else {
                        "$EndNodes"
                    },
                )?;
            }
            b"Elements" => {
                let Some((_, lookup)) = &nodes else {
                    return Err(tokens.malformed(section.at, "$Elements before $Nodes".to_owned()));
                };
                elements = true;
                let mut input = Input::new(tokens, header.binary, bytes);
                if header.v4 {
                    v4::elements(&mut input, lookup, &mut cells)?;
                } else {
                    v2::elements(&mut input, lookup, &mut cells)?;
                }
                tokens = input.after();
                end(&mut tokens, "$EndElements")?;
            }
            b"ParametricNodes" | b"NOD" | b"ELM" => {
                return Err(tokens.unsupported(
                    section.at,
                    "this section belongs to another format; save the mesh as format 4.1 or 2.2"
                        .to_owned(),
                ));
            }
            b"Periodic" => {
                notes.push("periodic links between nodes were ignored".to_owned());
                skip(&mut tokens, name)?;
            }
            _ => skip(&mut tokens, name)?,
        }
    }
    notes.dedup();
    let (positions, _) = nodes.ok_or_else(|| tokens.ended("a $Nodes section"))?;
    if !elements {
        return Err(tokens.ended("an $Elements section"));
    }
    cells.finish(FORMAT, variant, positions, notes)
}

fn header(tokens: &mut Tokens, bytes: &[u8]) -> Result<(Header, String), ImportError> {
    let first = tokens.word("$MeshFormat")?;
    if matches!(first.text, b"$NOD" | b"$ELM") {
        return Err(tokens.unsupported(
            first.at,
            "format 1.0; save the mesh as format 4.1 or 2.2".to_owned(),
        ));
    }
    if first.text != b"$MeshFormat" {
        return Err(tokens.unexpected(first, "$MeshFormat"));
    }
    let version = tokens.word("a format version such as 4.1")?;
    let kind = tokens.word("0 (ASCII) or 1 (binary)")?;
    let size = tokens.word("the size of a number, 8")?;
    let v4 = match parse_real(version.text) {
        Some(number) if (2.0..3.0).contains(&number) => false,
        Some(number) if (4.1..4.2).contains(&number) => true,
        Some(_) => {
            return Err(tokens.unsupported(
                version.at,
                format!(
                    "format {}; save the mesh as format 4.1 or 2.2 (gmsh FILE -save -format msh41 -o NEW)",
                    String::from_utf8_lossy(version.text)
                ),
            ));
        }
        None => return Err(tokens.unexpected(version, "a format version such as 4.1")),
    };
    let is_binary = match kind.text {
        b"0" => false,
        b"1" => true,
        _ => return Err(tokens.unexpected(kind, "0 (ASCII) or 1 (binary)")),
    };
    if is_binary && size.text != b"8" {
        return Err(tokens.unsupported(
            size.at,
            format!(
                "binary numbers of {} bytes; only 8 is read",
                super::error::quoted(size.text)
            ),
        ));
    }
    let binary = if is_binary {
        tokens.line();
        // The number 1 as the writer's machine stores it.
        let mut cursor = Cursor::new(FORMAT, Endian::Little, bytes, tokens.at());
        let at = cursor.at();
        let endian = match cursor.integer(Scalar::I32, "the byte order mark")? {
            1 => Endian::Little,
            0x0100_0000 => Endian::Big,
            other => {
                return Err(cursor.malformed(
                    at,
                    format!("expected the number 1 as byte order mark, found {other}"),
                ));
            }
        };
        *tokens = tokens.moved(cursor.at());
        Some(endian)
    } else {
        None
    };
    end(tokens, "$EndMeshFormat")?;
    let variant = format!(
        "Gmsh {} {}",
        String::from_utf8_lossy(&version.text[..version.text.len().min(8)]),
        if is_binary { "binary" } else { "ASCII" }
    );
    Ok((Header { v4, binary }, variant))
}

fn end(tokens: &mut Tokens, mark: &str) -> Result<(), ImportError> {
    let token = tokens.word(mark)?;
    if token.text == mark.as_bytes() {
        Ok(())
    } else {
        Err(tokens.unexpected(token, mark))
    }
}

/// Goes on after `$EndNAME`, whatever lies before.
fn skip(tokens: &mut Tokens, name: &[u8]) -> Result<(), ImportError> {
    let rest = tokens.rest();
    let mut at = 0;
    // Each `$` is looked at once.
    while let Some(next) = rest[at..].iter().position(|&byte| byte == b'$') {
        at += next + 1;
        if rest[at..]
            .strip_prefix(b"End")
            .and_then(|rest| rest.strip_prefix(name))
            .is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
        {
            tokens.advance(at + 3 + name.len());
            return Ok(());
        }
    }
    Err(tokens.moved(tokens.at() + rest.len()).ended(&format!(
        "$End{}",
        String::from_utf8_lossy(&name[..name.len().min(32)])
    )))
}
