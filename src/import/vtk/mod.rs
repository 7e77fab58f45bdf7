//! VTK legacy files, 2 to 5.1, ASCII and binary (big-endian): unstructured grids.

pub mod cell_types;
mod values;

use super::cells::{Cells, counted};
use super::error::quoted;
use super::tokens::{Token, Tokens};
use super::{ImportError, Imported};
use cell_types::{MOST_CORNERS, Refusal};
use values::{Values, scalar};

const FORMAT: &str = "VTK";

/// How cells name their points.
#[derive(Debug)]
enum Layout<'a> {
    /// Before 5.0: the number of points before the points of each cell.
    Counted(Values<'a>),
    /// From 5.0 on: where each cell begins, and all points in a row.
    Offsets(Values<'a>, Values<'a>),
}

/// Reads a file.
pub fn read(bytes: &[u8]) -> Result<Imported, ImportError> {
    let mut tokens = Tokens::new(FORMAT, bytes);
    let first = tokens.line();
    let version = first
        .text
        .strip_prefix(b"# vtk DataFile Version")
        .ok_or_else(|| tokens.unexpected(first, "# vtk DataFile Version"))?;
    let version = String::from_utf8_lossy(version.trim_ascii()).into_owned();
    tokens.line();
    let encoding = tokens.word("ASCII or BINARY")?;
    let binary = encoding.is("BINARY");
    if !binary && !encoding.is("ASCII") {
        return Err(tokens.unexpected(encoding, "ASCII or BINARY"));
    }
    dataset(&mut tokens)?;

    section(&mut tokens, "POINTS")?;
    let word = tokens.word("a number of points")?;
    let count = tokens.unsigned_of(word, "a number of points")?;
    let Some(numbers) = count.checked_mul(3) else {
        return Err(tokens.unexpected(word, "a number of points that a file can hold"));
    };
    let points = Values::new(&mut tokens, bytes, binary, None, numbers, "the points")?;
    let positions = positions(points, count, &mut tokens)?;

    section(&mut tokens, "CELLS")?;
    let first = tokens.unsigned("a number of cells")?;
    let size = tokens.unsigned("the size of the cell list")?;
    let layout = if tokens.peek().is_some_and(|next| next.is("OFFSETS")) {
        section(&mut tokens, "OFFSETS")?;
        let offsets = Values::new(&mut tokens, bytes, binary, None, first, "the offsets")?
            .skip(&mut tokens)?;
        section(&mut tokens, "CONNECTIVITY")?;
        let points = Values::new(&mut tokens, bytes, binary, None, size, "the connectivity")?;
        Layout::Offsets(offsets, points.skip(&mut tokens)?)
    } else {
        let scalar = scalar("int");
        let list = Values::new(&mut tokens, bytes, binary, scalar, size, "the cells")?;
        Layout::Counted(list.skip(&mut tokens)?)
    };
    section(&mut tokens, "CELL_TYPES")?;
    let word = tokens.word("a number of cells")?;
    let count = tokens.unsigned_of(word, "a number of cells")?;
    let expected = match layout {
        Layout::Counted(_) => first,
        Layout::Offsets(..) => first.saturating_sub(1),
    };
    if count != expected {
        return Err(tokens.malformed(word.at, format!("{count} cell types for {expected} cells")));
    }
    let types = Values::new(
        &mut tokens,
        bytes,
        binary,
        scalar("int"),
        count,
        "the cell types",
    )?;
    let cells = match layout {
        Layout::Counted(list) => counted_cells(list, types, positions.len())?,
        Layout::Offsets(offsets, points) => offset_cells(offsets, points, types, positions.len())?,
    };
    let variant = format!(
        "VTK legacy {} {}",
        version.chars().take(8).collect::<String>(),
        if binary { "binary" } else { "ASCII" }
    );
    cells.finish(FORMAT, variant, positions, Vec::new())
}

fn dataset(tokens: &mut Tokens) -> Result<(), ImportError> {
    section(tokens, "DATASET")?;
    let name = tokens.word("UNSTRUCTURED_GRID")?;
    if name.is("UNSTRUCTURED_GRID") {
        return Ok(());
    }
    let advice = if name.is("POLYDATA") {
        "it holds a surface: save that as OBJ, STL or PLY"
    } else {
        "only UNSTRUCTURED_GRID is read: convert the data set to one"
    };
    Err(tokens.unsupported(name.at, format!("data set {}; {advice}", quoted(name.text))))
}

/// Goes on after this keyword. Fields, metadata and other sections before it are passed over.
fn section<'a>(tokens: &mut Tokens<'a>, name: &str) -> Result<Token<'a>, ImportError> {
    let next = tokens.word(name)?;
    if next.is(name) {
        return Ok(next);
    }
    let rest = tokens.rest();
    let mut at = 0;
    while let Some(line) = rest[at..].iter().position(|&byte| byte == b'\n') {
        at += line + 1;
        let after = rest[at..].strip_prefix(name.as_bytes());
        if after.is_some_and(|after| after.first().is_some_and(u8::is_ascii_whitespace)) {
            tokens.advance(at);
            return tokens.word(name);
        }
    }
    Err(tokens.unexpected(next, name))
}

fn positions<'a>(
    mut points: Values<'a>,
    count: u64,
    tokens: &mut Tokens<'a>,
) -> Result<Vec<[f32; 3]>, ImportError> {
    let mut positions = Vec::with_capacity(points.room(count, 3));
    for n in 0..count {
        let mut position = [0.0; 3];
        for x in &mut position {
            *x = points
                .real()
                .map_err(|error| error.during(|| format!("point {n} of {count}")))?;
        }
        positions.push(position);
    }
    *tokens = points.after(*tokens);
    Ok(positions)
}

/// The points of one cell, of which the first are kept.
fn cell_points(
    list: &mut Values,
    cell: u64,
    nodes: u64,
    vertices: usize,
) -> Result<[u32; MOST_CORNERS], ImportError> {
    let mut corners = [0; MOST_CORNERS];
    for n in 0..nodes {
        let (point, at) = list.integer()?;
        if point < 0 || point as u64 >= vertices as u64 {
            return Err(list.malformed(
                at,
                format!(
                    "cell {cell} has point {point}, but there are {} (0 to {})",
                    counted(vertices as u64, "point"),
                    vertices.saturating_sub(1)
                ),
            ));
        }
        if let Some(corner) = corners.get_mut(n as usize) {
            *corner = point as u32;
        }
    }
    Ok(corners)
}

fn add(
    cells: &mut Cells,
    types: &mut Values,
    cell: u64,
    nodes: u64,
    corners: &[u32; MOST_CORNERS],
) -> Result<(), ImportError> {
    let (number, at) = types.integer()?;
    cell_types::add(cells, number, nodes, corners).map_err(|refusal| match refusal {
        Refusal::Wrong(message) => types.malformed(at, format!("cell {cell}: {message}")),
        Refusal::Unsupported(message) => types.unsupported(at, format!("cell {cell}: {message}")),
    })
}

fn counted_cells(
    mut list: Values,
    mut types: Values,
    vertices: usize,
) -> Result<Cells, ImportError> {
    let mut cells = Cells::default();
    for cell in 0..types.count() {
        let (nodes, at) = list.integer()?;
        let nodes = u64::try_from(nodes)
            .map_err(|_| list.malformed(at, format!("cell {cell} has {nodes} points")))?;
        let corners = cell_points(&mut list, cell, nodes, vertices)?;
        add(&mut cells, &mut types, cell, nodes, &corners)?;
    }
    Ok(cells)
}

fn offset_cells(
    mut offsets: Values,
    mut points: Values,
    mut types: Values,
    vertices: usize,
) -> Result<Cells, ImportError> {
    let mut cells = Cells::default();
    let mut begin = 0;
    for cell in 0..=types.count() {
        if offsets.count() == 0 {
            break;
        }
        let (end, at) = offsets.integer()?;
        if cell == 0 && end != 0 {
            return Err(offsets.malformed(at, format!("the first offset is {end}, not 0")));
        }
        if end < begin || end as u64 > points.count() {
            return Err(offsets.malformed(
                at,
                format!(
                    "offset {end} after {begin}, in a connectivity of length {}",
                    points.count()
                ),
            ));
        }
        if cell > 0 {
            let nodes = (end - begin) as u64;
            let corners = cell_points(&mut points, cell - 1, nodes, vertices)?;
            add(&mut cells, &mut types, cell - 1, nodes, &corners)?;
        }
        begin = end;
    }
    Ok(cells)
}
