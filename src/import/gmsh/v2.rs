//! Sections of Gmsh's format 2: nodes with their numbers, elements with any number of tags.

use super::elements::{MOST_CORNERS, element_type};
use super::{Cells, ImportError, Input, Lookup, Nodes};
use crate::import::cells::{CellType, Shape};

/// `$Nodes`: a count in text, then number, x, y, z of each. In `$ParametricNodes` the dimension and number of the entity
/// that the node lies on follow, and on a curve or surface one or two parameters.
pub fn nodes(input: &mut Input, parametric: bool) -> Result<Nodes, ImportError> {
    let mut nodes = Nodes::default();
    let count = input.text_count("a number of nodes")?;
    let room = input.room(count, 8, 28);
    nodes.positions.reserve(room);
    nodes.tags.reserve(room);
    for n in 1..=count {
        let place = |error: ImportError| error.during(|| format!("node {n} of {count}"));
        let tag = input.count("a node number").map_err(place)?;
        nodes.tags.push(tag);
        let mut position = [0.0; 3];
        for (x, axis) in position.iter_mut().zip(["x", "y", "z"]) {
            *x = input.real(axis).map_err(place)?;
        }
        if parametric {
            let at = input.at();
            let dimension = input.int("the dimension of an entity").map_err(place)?;
            input.int("the number of an entity").map_err(place)?;
            let parameters = match dimension {
                0 | 3 => 0,
                1 | 2 => dimension,
                _ => {
                    return Err(place(
                        input.malformed(at, format!("an entity of dimension {dimension}")),
                    ));
                }
            };
            for _ in 0..parameters {
                input.real("a parameter").map_err(place)?;
            }
        }
        nodes.positions.push(position);
    }
    Ok(nodes)
}

/// `$Elements`: number, type, tags and nodes of each; in binary files in blocks of one type and number of tags.
pub fn elements(input: &mut Input, lookup: &Lookup, cells: &mut Cells) -> Result<(), ImportError> {
    let count = input.text_count("a number of elements")?;
    let mut n = 0;
    while n < count {
        let place = |error: ImportError| error.during(|| format!("element {} of {count}", n + 1));
        if input.is_binary() {
            let at = input.at();
            let number = input.int("an element type").map_err(place)?;
            let kind = element_type(input, at, number)?;
            let block_at = input.at();
            let block = input
                .count("a number of elements of one type")
                .map_err(place)?;
            if block == 0 || block > count - n {
                return Err(input.malformed(
                    block_at,
                    format!(
                        "a block of {block} elements, but {} are left of {count}",
                        count - n
                    ),
                ));
            }
            let tags = input.count("a number of tags").map_err(place)?;
            for _ in 0..block {
                n += 1;
                let place = |error: ImportError| error.during(|| format!("element {n} of {count}"));
                let element = input.count("an element number").map_err(place)?;
                element_nodes(input, &kind, tags, element, lookup, cells).map_err(place)?;
            }
        } else {
            let element = input.count("an element number").map_err(place)?;
            let at = input.at();
            let number = input.int("an element type").map_err(place)?;
            let kind = element_type(input, at, number)?;
            let tags = input.count("a number of tags").map_err(place)?;
            element_nodes(input, &kind, tags, element, lookup, cells).map_err(place)?;
            n += 1;
        }
    }
    Ok(())
}

fn element_nodes(
    input: &mut Input,
    kind: &CellType,
    tags: u64,
    element: u64,
    lookup: &Lookup,
    cells: &mut Cells,
) -> Result<(), ImportError> {
    for _ in 0..tags {
        input.int("a tag")?;
    }
    let mut corners = [0; MOST_CORNERS];
    for n in 0..kind.nodes {
        let (node, at) = input.count_at("a node number")?;
        // The nodes of skipped elements need not exist.
        if kind.shape != Shape::Flat {
            let vertex = lookup.vertex(input, at, element, node)?;
            if let Some(corner) = corners.get_mut(n) {
                *corner = vertex;
            }
        }
    }
    cells.add(kind, &corners);
    Ok(())
}
