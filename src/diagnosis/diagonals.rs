//! Cells that meet in a four-sided face which each side cuts along another diagonal: the classic fault of a grid of
//! cubes that are all split into five tets the same way.

use glam::DVec3;

use super::counted;
use super::faces::{Faces, triangle};
use super::weld::representatives;
use crate::mesh::geometry::{point, shape_quality};
use crate::mesh::{Finding, TetMesh};
use crate::sort::sorted4;

/// How far from flat the four corners may be, as the shape quality of their tet: a square whose corner is lifted by
/// a fifth of its side has 0.1, and a tet missing from an ordinary mesh leaves a hole of 0.2 or more.
const MAX_WARP: f64 = 0.1;
/// An edge with more surface triangles than this is left alone: no such cell has it, and pairs grow quadratically.
const MAX_TRIANGLES_AT_EDGE: usize = 8;

/// A four-sided face with both diagonals.
pub struct Crossing {
    /// Its corners, ascending.
    pub corners: [u32; 4],
    /// The tets of the two triangles on either side.
    pub tets: [[u32; 2]; 2],
}

/// Two surface triangles that make a four-sided face.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Quad {
    corners: [u32; 4],
    diagonal: [u32; 2],
    faces: [u32; 2],
}

/// Finds the crossings. Vertices at the same place count as one, so that unwelded cells are seen too.
pub fn find(mesh: &TetMesh, faces: &Faces) -> Vec<Crossing> {
    let target = representatives(mesh.positions(), mesh.tets().as_flattened(), 0.0);
    let tets: Vec<[u32; 4]> = mesh
        .tets()
        .iter()
        .map(|tet| tet.map(|vertex| target[vertex as usize]))
        .collect();
    let joined = (tets != mesh.tets()).then(|| Faces::new(&tets));
    let surface: Vec<u32> = joined
        .as_ref()
        .unwrap_or(faces)
        .groups()
        .filter(|group| group.len() == 1)
        .map(|group| group[0][3])
        .collect();

    let mut quads = quads(&tets, &surface);
    crate::sort::sort(&mut quads);
    let mut crossings = Vec::new();
    for group in quads.chunk_by(|a, b| a.corners == b.corners) {
        let pair = group.iter().enumerate().find_map(|(number, first)| {
            let second = group[number + 1..]
                .iter()
                .find(|second| cross(&tets, first, second))?;
            Some((first, second))
        });
        if let Some((first, second)) = pair
            && is_flat(mesh, first.corners)
        {
            crossings.push(Crossing {
                corners: first.corners,
                tets: [first, second].map(|quad| quad.faces.map(|face| face / 4)),
            });
        }
    }
    crossings
}

/// Every pair of surface triangles that share an edge in opposite directions.
fn quads(tets: &[[u32; 4]], surface: &[u32]) -> Vec<Quad> {
    #[derive(Clone)]
    struct Side {
        edge: [u32; 2],
        forward: bool,
        apex: u32,
        face: u32,
    }
    let mut sides: Vec<Side> = surface
        .iter()
        .flat_map(|&face| {
            let [a, b, c] = triangle(tets, face);
            [(a, b, c), (b, c, a), (c, a, b)].map(|(from, to, apex)| Side {
                edge: [from.min(to), from.max(to)],
                forward: from < to,
                apex,
                face,
            })
        })
        .collect();
    crate::sort::sort_by(&mut sides, |a, b| (a.edge, a.face).cmp(&(b.edge, b.face)));
    let mut quads = Vec::new();
    for group in sides.chunk_by(|a, b| a.edge == b.edge) {
        if group.len() > MAX_TRIANGLES_AT_EDGE {
            continue;
        }
        for (number, first) in group.iter().enumerate() {
            for second in &group[number + 1..] {
                if first.forward != second.forward && first.apex != second.apex {
                    let [a, c] = first.edge;
                    quads.push(Quad {
                        corners: sorted4([a, c, first.apex, second.apex]),
                        diagonal: first.edge,
                        faces: [first.face, second.face],
                    });
                }
            }
        }
    }
    quads
}

/// Whether two quads of the same corners have crossing diagonals, belong to different tets and face each other.
fn cross(tets: &[[u32; 4]], first: &Quad, second: &Quad) -> bool {
    let apart = second
        .diagonal
        .iter()
        .all(|end| !first.diagonal.contains(end));
    let strangers = !first
        .faces
        .iter()
        .any(|a| second.faces.iter().any(|b| a / 4 == b / 4));
    apart && strangers && {
        let edges = |quad: &Quad| -> Vec<[u32; 2]> {
            quad.faces
                .iter()
                .flat_map(|&face| {
                    let [a, b, c] = triangle(tets, face);
                    [[a, b], [b, c], [c, a]]
                })
                .filter(|&[a, b]| [a.min(b), a.max(b)] != quad.diagonal)
                .collect()
        };
        let theirs = edges(second);
        edges(first).iter().all(|&[a, b]| theirs.contains(&[b, a]))
    }
}

fn is_flat(mesh: &TetMesh, corners: [u32; 4]) -> bool {
    let corners: [DVec3; 4] = corners.map(|vertex| point(mesh.positions()[vertex as usize]));
    shape_quality(corners).abs() <= MAX_WARP
}

/// What the crossings mean and how to avoid them.
pub fn finding(mesh: &TetMesh, crossings: &[Crossing]) -> Option<Finding> {
    let [a, b, c, d] = crossings.first()?.corners;
    let tets: Vec<u32> = crossings
        .iter()
        .flat_map(|crossing| [crossing.tets[0][0], crossing.tets[1][0]])
        .collect();
    Some(Finding::new(
        Finding::MISMATCHED_DIAGONALS,
        crossings.len(),
        &tets,
        false,
        format!(
            "{} cut along one diagonal by the tets on one side and along the other by those on the other side, so the {} tets of the mesh share no face there and false surface lies inside the body; the first has \
             the corners {a}, {b}, {c}, {d} (examples are pairs of tets). Splitting every cube into five tets the same \
             way does this: mirror the split in every other cube (those with i + j + k odd), or split all into six",
            counted(
                crossings.len(),
                "four-sided face is",
                "four-sided faces are"
            ),
            mesh.tets().len(),
        ),
    ))
}
