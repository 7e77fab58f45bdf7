//! Parts of a mesh: how large they are, and which hang together by an edge or a vertex only.

use super::diagonals::Crossing;
use super::faces::Faces;
use super::{counted, finding_mut};
use crate::mesh::{Finding, TetMesh};
use crate::sort::sort_rows;
use crate::topology::Topology;

/// Corners of the six edges of a tet.
const EDGES: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
/// Sizes that a message lists.
const LISTED: usize = 6;

/// What the tets' connections by face, edge and vertex say about the parts of a mesh.
pub struct Parts {
    /// Tets of each part that is connected by faces, the largest first.
    sizes: Vec<usize>,
    /// Edges between such parts.
    edges: Vec<[u32; 2]>,
    /// Vertices between parts that are connected by faces and edges.
    vertices: Vec<u32>,
}

/// Union-find over the tets; the root of a set is its smallest member.
struct Sets(Vec<u32>);

impl Sets {
    fn root(&mut self, mut member: u32) -> u32 {
        while self.0[member as usize] != member {
            let above = self.0[self.0[member as usize] as usize];
            self.0[member as usize] = above;
            member = above;
        }
        member
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b) as usize] = a.min(b);
    }
}

impl Parts {
    /// Cells across a mismatched diagonal count as connected: that fault has a name of its own.
    pub fn new(mesh: &TetMesh, faces: &Faces, crossings: &[Crossing]) -> Self {
        let mut sets = Sets((0..mesh.tets().len() as u32).collect());
        for group in faces.groups() {
            for row in &group[1..] {
                sets.join(group[0][3] / 4, row[3] / 4);
            }
        }
        for crossing in crossings {
            for tet in crossing.tets.into_iter().flatten() {
                sets.join(crossing.tets[0][0], tet);
            }
        }
        let sizes = sizes((0..mesh.tets().len() as u32).map(|tet| sets.root(tet)));
        let (mut edges, mut vertices) = (Vec::new(), Vec::new());
        if sizes.len() > 1 {
            edges = joints(mesh, &mut sets, EDGES.map(|edge| edge.to_vec()));
            vertices = joints(mesh, &mut sets, [0, 1, 2, 3].map(|corner| vec![corner; 2]));
        }
        Self {
            sizes,
            edges,
            vertices: vertices.into_iter().map(|[vertex, _]| vertex).collect(),
        }
    }

    /// Parts that hang together by an edge.
    pub fn edge_joined(&self) -> Option<Finding> {
        let [a, b] = *self.edges.first()?;
        Some(Finding::new(
            Finding::EDGE_JOINED_PARTS,
            self.edges.len(),
            self.edges.as_flattened(),
            false,
            format!(
                "{} parts together that share no face, as a hinge; the first joins vertices {a} and {b} (examples are \
                 pairs of vertices). {}: mesh them so that they share faces, or give each part vertices of its own",
                counted(self.edges.len(), "edge holds", "edges hold"),
                self.sizes_by_face(),
            ),
        ))
    }

    /// Parts that hang together by a vertex.
    pub fn vertex_joined(&self) -> Option<Finding> {
        let first = self.vertices.first()?;
        Some(Finding::new(
            Finding::VERTEX_JOINED_PARTS,
            self.vertices.len(),
            &self.vertices,
            false,
            format!(
                "{} parts together that share no edge, as a ball joint; the first is vertex {first} (examples are \
                 vertices). {}: mesh them so that they share faces, or give each part vertices of its own",
                counted(self.vertices.len(), "vertex holds", "vertices hold"),
                self.sizes_by_face(),
            ),
        ))
    }

    fn sizes_by_face(&self) -> String {
        format!("Parts connected by faces have {}", listed(&self.sizes))
    }
}

/// Adds the sizes of the parts to what loading says about them.
pub fn add_sizes(findings: &mut [Finding], mesh: &TetMesh, topology: &Topology) {
    if let Some(finding) = finding_mut(findings, Finding::MULTIPLE_COMPONENTS) {
        let component = &topology.component_of_vertex;
        let sizes = sizes(mesh.tets().iter().map(|tet| component[tet[0] as usize]));
        finding.message.push_str("; they have ");
        finding.message.push_str(&listed(&sizes));
    }
}

/// How often each number occurs, the most frequent first.
fn sizes(numbers: impl Iterator<Item = u32>) -> Vec<usize> {
    let mut numbers: Vec<u32> = numbers.collect();
    crate::sort::sort(&mut numbers);
    let mut sizes: Vec<usize> = numbers.chunk_by(|a, b| a == b).map(<[u32]>::len).collect();
    crate::sort::sort_by(&mut sizes, |a, b| b.cmp(a));
    sizes
}

fn listed(sizes: &[usize]) -> String {
    let mut text = String::new();
    for (place, size) in sizes.iter().take(LISTED).enumerate() {
        if place > 0 {
            text.push_str(if place + 1 == sizes.len() {
                " and "
            } else {
                ", "
            });
        }
        text.push_str(&size.to_string());
    }
    if sizes.len() > LISTED {
        text.push_str(&format!(" and, the other {}, fewer", sizes.len() - LISTED));
    }
    text.push_str(" tets");
    text
}

/// The edges or vertices (given by two corners, or one twice) at which tets of different sets meet. Joins the sets.
fn joints<const N: usize>(
    mesh: &TetMesh,
    sets: &mut Sets,
    elements: [Vec<usize>; N],
) -> Vec<[u32; 2]> {
    let mut rows = Vec::with_capacity(N * mesh.tets().len());
    for (number, tet) in (0u32..).zip(mesh.tets()) {
        let part = sets.root(number);
        for element in &elements {
            let (a, b) = (tet[element[0]], tet[element[1]]);
            rows.push([a.min(b), a.max(b), part, 0]);
        }
    }
    sort_rows(&mut rows, 3);
    let mut found = Vec::new();
    for group in rows.chunk_by(|a, b| a[..2] == b[..2]) {
        let [a, b, first, _] = group[0];
        // Sorted by part, so the last differs from the first if any does.
        if group[group.len() - 1][2] != first {
            found.push([a, b]);
            for row in group {
                sets.join(first, row[2]);
            }
        }
    }
    found
}
