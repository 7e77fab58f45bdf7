//! A drawn surface carried by a tet mesh: which tet holds each of its vertices, and which triangles make its normals.

mod locate;
mod smoothing;

use crate::layout::SurfaceAnchor;
use crate::mesh::TetMesh;
use crate::mesh::geometry::point;
use crate::surface::SurfaceMesh;
use locate::Locator;
use smoothing::Smoothing;

/// A surface as it is drawn on a deforming tet mesh.
///
/// Its vertices are those of the [`SurfaceMesh`] that triangles use, joined where they lie in one place, look alike
/// and are smooth, and split at hard edges. All orders are deterministic functions of the input.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Embedding {
    /// Where each drawn vertex hangs.
    pub anchors: Vec<SurfaceAnchor>,
    /// The vertex of the [`SurfaceMesh`] that each drawn vertex has its texture coordinates and colour from.
    pub sources: Vec<u32>,
    /// Drawn vertices of each triangle, in the order of the [`SurfaceMesh`].
    pub triangles: Vec<[u32; 3]>,
    /// The edges, each once, for the wireframe.
    pub edges: Vec<[u32; 2]>,
    /// One more than drawn vertices: `incident_triangles[triangle_offsets[v]..triangle_offsets[v + 1]]` are the
    /// triangles whose area-weighted normals add up to that of vertex v.
    pub triangle_offsets: Vec<u32>,
    /// Indices into [`Embedding::triangles`].
    pub incident_triangles: Vec<u32>,
    /// Vertices of the surface that lie outside every tet by more than rounding.
    pub outside: u32,
    /// How far the farthest of those is from its tet, in the unit of the mesh.
    pub farthest: f64,
}

impl Embedding {
    /// Hangs `surface` into `mesh`; both in the same coordinates.
    ///
    /// A vertex gets the tet that contains it. One outside all of them gets the nearest, and moves as that tet would if
    /// it went on beyond its faces. Takes O(log tets) per vertex: less than half a second for 70,000 triangles in 6,000
    /// tets.
    ///
    /// Normals: two triangles that share an edge (by position, to the bit) are smooth there if their modelled normals
    /// differ by at most 3°, or, in a surface without any, if the triangles are bent by at most 50°. A hard edge splits
    /// its vertices; a seam of the texture does not show in the shading.
    pub fn new(mesh: &TetMesh, surface: &SurfaceMesh) -> Self {
        let smoothing = Smoothing::new(surface);
        let mut locator = Locator::new(mesh);
        let positions = surface.positions();

        // One search for all vertices in one place; they must also hang together to the bit.
        let mut found = vec![None; positions.len()];
        let (mut outside, mut farthest) = (0, 0.0f64);
        let mut used = vec![false; positions.len()];
        for &vertex in surface.triangles().as_flattened() {
            if std::mem::replace(&mut used[vertex as usize], true) {
                continue;
            }
            let place = smoothing.places[vertex as usize] as usize;
            let (_, distance) =
                *found[place].get_or_insert_with(|| locator.locate(point(positions[place])));
            if distance > locator.rounding {
                outside += 1;
                farthest = farthest.max(distance);
            }
        }
        let anchors = smoothing
            .sources
            .iter()
            .map(|&vertex| {
                let (anchor, _) = found[smoothing.places[vertex as usize] as usize]
                    .expect("invariant: a drawn vertex is a corner of a triangle");
                anchor
            })
            .collect();
        Self {
            anchors,
            sources: smoothing.sources,
            triangles: smoothing.triangles,
            edges: smoothing.edges,
            triangle_offsets: smoothing.triangle_offsets,
            incident_triangles: smoothing.incident_triangles,
            outside,
            farthest,
        }
    }

    /// Where the drawn vertices are while the particles are at `positions` (one per vertex of the mesh): the kernel
    /// `embed_surface` on the CPU.
    ///
    /// # Panics
    /// If there are fewer positions than vertices of the mesh.
    pub fn carried(&self, positions: &[[f32; 3]]) -> Vec<[f32; 3]> {
        self.anchors
            .iter()
            .map(|anchor| {
                let [a, b, c, d] = anchor.vertices.map(|vertex| positions[vertex as usize]);
                let [_, u, v, w] = anchor.weights;
                std::array::from_fn(|axis| {
                    let from = a[axis];
                    from + u * (b[axis] - from) + v * (c[axis] - from) + w * (d[axis] - from)
                })
            })
            .collect()
    }
}
