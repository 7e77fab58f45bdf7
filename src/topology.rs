//! How the tets of a mesh hang together: its surface, its parts, and who touches which vertex.

mod conformity;
pub(crate) mod tree;

use crate::mesh::geometry::FACES;
use crate::mesh::{Finding, TetMesh};
use crate::sort::{sort_rows, sorted3, union_root};

/// The component of a vertex that no tet uses.
pub const NO_COMPONENT: u32 = u32::MAX;

/// Connectivity derived from a [`TetMesh`]. All orders are deterministic functions of the mesh.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Topology {
    /// The boundary of the volume, counter-clockwise seen from outside, in the order of the tets that own them. It is
    /// always closed: each directed edge occurs as often as its reverse. A face with two tets on the same side (they
    /// overlap) appears twice rather than not at all.
    pub surface_triangles: Vec<[u32; 3]>,
    /// The edges of the surface, each once as `[smaller, larger]` vertex, sorted.
    pub surface_edges: Vec<[u32; 2]>,
    /// Tets at each vertex; 0 for an unused one.
    pub tets_per_vertex: Vec<u32>,
    /// The component of each vertex, counted from 0 in order of their smallest vertices, or [`NO_COMPONENT`]. Tets that
    /// share a vertex belong together.
    pub component_of_vertex: Vec<u32>,
    /// Number of components, at least 1.
    pub components: u32,
    /// Surface edges with other than two surface triangles.
    pub non_manifold_edges: u32,
    /// What is unusual about the connectivity: components, non-manifold edges, overlaps, non-conforming faces. Tets
    /// are named by their index in [`TetMesh::tets`].
    pub findings: Vec<Finding>,
    /// Length V + 1: vertex v owns the slots `slot_offsets[v]..slot_offsets[v + 1]`, one per tet corner at it.
    pub slot_offsets: Vec<u32>,
    /// For each tet corner its slot. Each of the 4·T slots occurs once; the slots of a vertex ascend with the tets.
    pub tet_slots: Vec<[u32; 4]>,
    /// Length V + 1: `incident_triangles[triangle_offsets[v]..triangle_offsets[v + 1]]` are the triangles at vertex v.
    pub triangle_offsets: Vec<u32>,
    /// Indices into [`Topology::surface_triangles`], ascending within each vertex.
    pub incident_triangles: Vec<u32>,
}

impl Topology {
    /// Derives the connectivity, by sorting: O(T log T) time, about 200 bytes per tet at the peak.
    pub fn new(mesh: &TetMesh) -> Self {
        let vertices = mesh.positions().len();
        let mut findings = Vec::new();

        let (slot_offsets, tet_slots) = incidence(vertices, mesh.tets());
        let tets_per_vertex = slot_offsets
            .windows(2)
            .map(|pair| pair[1] - pair[0])
            .collect();
        let (component_of_vertex, components) = components(vertices, mesh.tets());
        if components > 1 {
            findings.push(components_finding(&component_of_vertex, components));
        }

        let surface = Surface::new(mesh.tets());
        findings.extend(surface.overlap);
        let (surface_edges, non_manifold) = edges(&surface.triangles);
        if !non_manifold.is_empty() {
            findings.push(non_manifold_finding(&non_manifold));
        }
        findings.extend(conformity::check(
            mesh.positions(),
            &surface.triangles,
            &surface.owners,
        ));

        let (triangle_offsets, corner_places) = incidence(vertices, &surface.triangles);
        let mut incident_triangles = vec![0; 3 * surface.triangles.len()];
        for (triangle, places) in (0u32..).zip(corner_places) {
            for place in places {
                incident_triangles[place as usize] = triangle;
            }
        }

        Self {
            surface_triangles: surface.triangles,
            surface_edges,
            tets_per_vertex,
            component_of_vertex,
            components,
            non_manifold_edges: non_manifold.len() as u32,
            findings,
            slot_offsets,
            tet_slots,
            triangle_offsets,
            incident_triangles,
        }
    }

    /// Tets at the busiest vertex.
    pub fn max_valence(&self) -> u32 {
        self.tets_per_vertex.iter().copied().max().unwrap_or(0)
    }
}

/// Compressed rows: offsets per vertex, and for each corner of each element its place in the vertex's row.
pub(crate) fn incidence<const N: usize>(
    vertices: usize,
    elements: &[[u32; N]],
) -> (Vec<u32>, Vec<[u32; N]>) {
    let mut offsets = vec![0u32; vertices + 1];
    for &vertex in elements.as_flattened() {
        offsets[vertex as usize + 1] += 1;
    }
    for vertex in 0..vertices {
        offsets[vertex + 1] += offsets[vertex];
    }
    let mut next = offsets.clone();
    let places = elements
        .iter()
        .map(|element| {
            element.map(|vertex| {
                let place = next[vertex as usize];
                next[vertex as usize] += 1;
                place
            })
        })
        .collect();
    (offsets, places)
}

/// Union-find over the vertices of each tet or triangle; the root is the smallest vertex of its component.
pub(crate) fn components<const N: usize>(
    vertices: usize,
    elements: &[[u32; N]],
) -> (Vec<u32>, u32) {
    let mut parent: Vec<u32> = (0..vertices as u32).collect();
    let mut used = vec![false; vertices];
    for element in elements {
        let mut joined = union_root(&mut parent, element[0]);
        for &vertex in element {
            used[vertex as usize] = true;
            let other = union_root(&mut parent, vertex);
            parent[joined.max(other) as usize] = joined.min(other);
            joined = joined.min(other);
        }
    }
    let mut count = 0;
    let mut component = vec![NO_COMPONENT; vertices];
    for vertex in 0..vertices {
        if !used[vertex] {
            continue;
        }
        let root = union_root(&mut parent, vertex as u32) as usize;
        if root == vertex {
            component[vertex] = count;
            count += 1;
        } else {
            // The root is a smaller vertex, so it is numbered already.
            component[vertex] = component[root];
        }
    }
    (component, count)
}

pub(crate) fn components_finding(component_of_vertex: &[u32], components: u32) -> Finding {
    let mut first = Vec::new();
    for (vertex, &component) in (0u32..).zip(component_of_vertex) {
        if component == first.len() as u32 {
            first.push(vertex);
        }
    }
    Finding::new(
        Finding::MULTIPLE_COMPONENTS,
        components as usize,
        &first,
        false,
        format!(
            "the mesh has {components} parts that share no vertex and move independently; the second begins at vertex {}",
            first[1]
        ),
    )
}

struct Surface {
    triangles: Vec<[u32; 3]>,
    /// The tet that each triangle is a face of.
    owners: Vec<u32>,
    overlap: Option<Finding>,
}

impl Surface {
    /// The boundary of the tets as a chain: for each face the tets on one side less those on the other.
    fn new(tets: &[[u32; 4]]) -> Self {
        // Sorted vertices and the face's number; sorting brings the sides of a face together.
        let mut faces = Vec::with_capacity(4 * tets.len());
        for face in 0..4 * tets.len() as u32 {
            let [a, b, c] = sorted3(triangle(tets, face));
            faces.push([a, b, c, face]);
        }
        sort_rows(&mut faces, 3);

        let mut on_boundary = vec![false; faces.len()];
        let mut pairs = Vec::new();
        let mut overlaps = 0;
        let (mut front, mut back) = (Vec::new(), Vec::new());
        for group in faces.chunk_by(|a, b| a[..3] == b[..3]) {
            if let [[.., only]] = group {
                on_boundary[*only as usize] = true;
                continue;
            }
            front.clear();
            back.clear();
            for &[.., face] in group {
                let side = if is_even(triangle(tets, face)) {
                    &mut front
                } else {
                    &mut back
                };
                side.push(face);
            }
            for side in [&front, &back] {
                if let [first, second, ..] = side[..] {
                    overlaps += 1;
                    pairs.extend([first / 4, second / 4]);
                }
            }
            let (more, less) = if front.len() > back.len() {
                (&front, &back)
            } else {
                (&back, &front)
            };
            for &face in &more[less.len()..] {
                on_boundary[face as usize] = true;
            }
        }
        let boundary: Vec<u32> = (0..faces.len() as u32)
            .filter(|&face| on_boundary[face as usize])
            .collect();
        let overlap = (overlaps > 0).then(|| {
            Finding::new(
                Finding::SAME_ORIENTATION_FACES,
                overlaps,
                &pairs,
                false,
                format!(
                    "faces with two or more tets on the same side, which therefore overlap: {overlaps}; the first are \
                     tets {} and {} (examples are pairs of tets)",
                    pairs[0], pairs[1]
                ),
            )
        });
        Self {
            triangles: boundary.iter().map(|&face| triangle(tets, face)).collect(),
            owners: boundary.iter().map(|&face| face / 4).collect(),
            overlap,
        }
    }
}

fn triangle(tets: &[[u32; 4]], face: u32) -> [u32; 3] {
    FACES[face as usize % 4].map(|corner| tets[face as usize / 4][corner])
}

/// Whether the vertices are an even permutation of ascending order.
fn is_even([a, b, c]: [u32; 3]) -> bool {
    (a < b) ^ (b < c) ^ (a < c)
}

/// The surface's edges, and those of them without exactly two triangles.
fn edges(triangles: &[[u32; 3]]) -> (Vec<[u32; 2]>, Vec<[u32; 2]>) {
    let mut sides: Vec<[u32; 4]> = triangles
        .iter()
        .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
        .map(|[a, b]| [a.min(b), a.max(b), 0, 0])
        .collect();
    sort_rows(&mut sides, 2);
    let mut edges = Vec::with_capacity(sides.len() / 2);
    let mut non_manifold = Vec::new();
    for group in sides.chunk_by(|a, b| a == b) {
        let [a, b, ..] = group[0];
        edges.push([a, b]);
        if group.len() != 2 {
            non_manifold.push([a, b]);
        }
    }
    (edges, non_manifold)
}

fn non_manifold_finding(edges: &[[u32; 2]]) -> Finding {
    Finding::new(
        Finding::NON_MANIFOLD_EDGES,
        edges.len(),
        edges.as_flattened(),
        false,
        format!(
            "{} surface edges have other than two surface triangles, so the surface is no manifold there; the first joins \
             vertices {} and {} (examples are pairs of vertices)",
            edges.len(),
            edges[0][0],
            edges[0][1]
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parity_follows_the_permutation() {
        for even in [[1, 2, 3], [2, 3, 1], [3, 1, 2]] {
            assert!(is_even(even), "{even:?}");
        }
        for odd in [[2, 1, 3], [1, 3, 2], [3, 2, 1]] {
            assert!(!is_even(odd), "{odd:?}");
        }
    }

    #[test]
    fn components_are_numbered_by_their_smallest_vertex() {
        let (component, count) = components(
            14,
            &[[9, 10, 11, 12], [0, 6, 7, 8], [1, 2, 3, 4], [4, 12, 2, 1]],
        );
        assert_eq!(count, 2);
        let none = NO_COMPONENT;
        assert_eq!(component, [0, 1, 1, 1, 1, none, 0, 0, 0, 1, 1, 1, 1, none]);
    }
}
