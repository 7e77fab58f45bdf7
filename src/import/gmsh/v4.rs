//! Sections of Gmsh's format 4.1: nodes and elements in blocks, one for each entity of the model.

use super::elements::{MOST_CORNERS, element_type};
use super::{Cells, ImportError, Input, Lookup, Nodes};
use crate::import::cells::Shape;

/// `$Nodes`: in each block first the numbers, then the coordinates.
pub fn nodes(input: &mut Input) -> Result<Nodes, ImportError> {
    let mut nodes = Nodes::default();
    let blocks = input.size("a number of node blocks")?;
    let total = input.size("a number of nodes")?;
    input.size("the smallest node number")?;
    input.size("the largest node number")?;
    let room = input.room(total, 8, 32);
    nodes.positions.reserve(room);
    nodes.tags.reserve(room);
    for block in 1..=blocks {
        let place = |error: ImportError| error.during(|| format!("node block {block} of {blocks}"));
        let at = input.at();
        let dimension = input.int("the dimension of an entity").map_err(place)?;
        if !(0..=3).contains(&dimension) {
            return Err(place(
                input.malformed(at, format!("an entity of dimension {dimension}")),
            ));
        }
        input.int("the number of an entity").map_err(place)?;
        let at = input.at();
        // Parametric nodes carry their one to three parameters on the entity after the coordinates.
        let parameters = match input.int("0 or 1 for parametric nodes").map_err(place)? {
            0 => 0,
            1 => dimension,
            other => {
                return Err(place(input.malformed(
                    at,
                    format!("expected 0 or 1 for parametric nodes, found {other}"),
                )));
            }
        };
        let count = input.size("a number of nodes").map_err(place)?;
        for _ in 0..count {
            nodes.tags.push(input.size("a node number").map_err(place)?);
        }
        for _ in 0..count {
            let mut position = [0.0; 3];
            for (x, axis) in position.iter_mut().zip(["x", "y", "z"]) {
                *x = input.real(axis).map_err(place)?;
            }
            for _ in 0..parameters {
                input.real("a parameter").map_err(place)?;
            }
            nodes.positions.push(position);
        }
    }
    Ok(nodes)
}

/// `$Elements`: each block is of one type.
pub fn elements(input: &mut Input, lookup: &Lookup, cells: &mut Cells) -> Result<(), ImportError> {
    let blocks = input.size("a number of element blocks")?;
    input.size("a number of elements")?;
    input.size("the smallest element number")?;
    input.size("the largest element number")?;
    for block in 1..=blocks {
        let place =
            |error: ImportError| error.during(|| format!("element block {block} of {blocks}"));
        input.int("the dimension of an entity").map_err(place)?;
        input.int("the number of an entity").map_err(place)?;
        let at = input.at();
        let number = input.int("an element type").map_err(place)?;
        let kind = element_type(input, at, number)?;
        let count = input.size("a number of elements").map_err(place)?;
        if kind.shape == Shape::Tet {
            cells.reserve(input.room(count, 10, 8 * (kind.nodes + 1)));
        }
        let mut corners = [0; MOST_CORNERS];
        for _ in 0..count {
            let element = input.size("an element number").map_err(place)?;
            for n in 0..kind.nodes {
                let (node, at) = input.size_at("a node number").map_err(place)?;
                // The nodes of skipped elements need not exist.
                if kind.shape != Shape::Flat {
                    let vertex = lookup.vertex(input, at, element, node).map_err(place)?;
                    if let Some(corner) = corners.get_mut(n) {
                        *corner = vertex;
                    }
                }
            }
            cells.add(&kind, &corners);
        }
    }
    Ok(())
}
