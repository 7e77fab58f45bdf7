//! The order in which the GPU keeps vertices and tets, the patches that a workgroup works on, and clusters of vertices.
//!
//! "Original" numbers are those of the mesh, "internal" numbers those of the buffers. Both orders come from recursive
//! coordinate bisection (Berger and Bokhari, "A partitioning strategy for nonuniform problems on multiprocessors", IEEE
//! Transactions on Computers C-36(5), 1987).

mod bisect;
mod clusters;
mod neighbours;

use bytemuck::{Pod, Zeroable};

use bisect::bisect;
pub use clusters::Clusters;
use neighbours::{Pieces, Rows};

#[cfg(feature = "gpu")]
use crate::sections::Sections;

/// The most tets in a patch.
pub const PATCH_TETS: usize = 128;
/// The most distinct vertices in a patch.
pub const PATCH_VERTICES: usize = 128;
/// The size that the larger parts of that tree are multiples of: clusters of it, a half, a quarter come out well filled.
const CLUSTER: usize = 256;
/// The most vertices in a leaf of the tree that orders the vertices.
const LEAF: usize = 16;

/// Tets that one workgroup works on.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
pub struct Patch {
    /// Its first internal tet.
    pub first_tet: u32,
    /// Number of its tets, 1 to [`PATCH_TETS`].
    pub tet_count: u32,
    /// Its first entry in [`Arrangement::patch_vertices`].
    pub first_vertex: u32,
    /// Number of distinct vertices, at most [`PATCH_VERTICES`].
    pub vertex_count: u32,
}

/// A vertex of a patch.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
pub struct PatchVertex {
    /// Internal vertex.
    pub vertex: u32,
    /// Where the patch's sum for this vertex goes; each place below the number of patch vertices is taken once.
    pub partial: u32,
    /// First slot of the vertex in the patch, and their number times 2¹⁶.
    pub slots: u32,
}

/// Which original vertex and tet stands where, and the patches. A function of the mesh alone.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Arrangement {
    /// The original number of each internal vertex. Vertices that no tet uses come last.
    pub original_vertices: Vec<u32>,
    /// The internal number of each original vertex.
    pub internal_vertices: Vec<u32>,
    /// The original number of each internal tet, patch by patch.
    pub original_tets: Vec<u32>,
    /// The patches; their tets and vertices follow one another.
    pub patches: Vec<Patch>,
    /// For each internal tet the local vertex of each corner: the entry of [`Arrangement::patch_vertices`] counted from
    /// the patch's first. Corners are in the order of the mesh.
    pub corners: Vec<[u8; 4]>,
    /// For each internal tet the slot of each corner, below 4 times the patch's tets. Slots of one local vertex follow
    /// one another, in the order of the tets.
    pub slots: Vec<[u16; 4]>,
    /// The distinct vertices of each patch, patch by patch, ascending in each.
    pub patch_vertices: Vec<PatchVertex>,
    /// One more than there are vertices: the sums of internal vertex v lie at
    /// `partial_offsets[v]..partial_offsets[v + 1]`, in the order of the patches.
    pub partial_offsets: Vec<u32>,
    /// Start and length, in internal vertices, of each part of the tree, a part before the parts it consists of.
    tree: Vec<[u32; 2]>,
}

impl Arrangement {
    /// Arranges a mesh: positions in metres, indices within them. Any positions will do, also equal ones.
    ///
    /// O(n log n) time; 60 to 80 bytes per tet at the peak, 25 of which remain.
    pub fn new(positions: &[[f32; 3]], tets: &[[u32; 4]]) -> Self {
        let mut arrangement = Self::order_vertices(positions, tets);
        // Of the boxes of the tets, not of the tets: those that make up a cell of a grid share it and stay together.
        // That makes a sixth less partial sums on grids and changes little elsewhere.
        let mut centres = vec![[0.0; 3]; tets.len()];
        for (centre, tet) in centres.iter_mut().zip(tets) {
            for (axis, middle) in centre.iter_mut().enumerate() {
                let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
                for &vertex in tet {
                    let x = positions[vertex as usize][axis];
                    low = if x < low { x } else { low };
                    high = if x > high { x } else { high };
                }
                *middle = low + high;
            }
        }
        let mut order: Vec<u32> = (0..tets.len() as u32).collect();
        let mut seen = vec![0; positions.len()];
        let mut round = 0;
        let mut fits = |part: &[u32]| {
            round += 1;
            let mut count = 0;
            for &tet in part {
                for vertex in tets[tet as usize] {
                    count +=
                        usize::from(std::mem::replace(&mut seen[vertex as usize], round) != round);
                }
            }
            count <= PATCH_VERTICES
        };
        let ends = bisect(
            &centres,
            &mut order,
            &[PATCH_TETS],
            &mut |part, lengths| lengths.push(part.len() as u32),
            &mut |_, part| part.len() <= PATCH_TETS && fits(part),
        );
        drop(centres);
        arrangement.original_tets = order;
        arrangement.fill_patches(tets, &ends);
        arrangement
    }

    /// Writes the arrangement, which is then empty, or reads it.
    #[cfg(feature = "gpu")]
    pub(crate) fn exchange(&mut self, sections: &mut Sections) {
        let Self {
            original_vertices,
            internal_vertices,
            original_tets,
            patches,
            corners,
            slots,
            patch_vertices,
            partial_offsets,
            tree,
        } = self;
        for list in [
            original_vertices,
            internal_vertices,
            original_tets,
            partial_offsets,
        ] {
            sections.list(list);
        }
        sections.list(patches);
        sections.packed(corners);
        sections.packed(slots);
        sections.list(patch_vertices);
        sections.list(tree);
    }

    fn order_vertices(positions: &[[f32; 3]], tets: &[[u32; 4]]) -> Self {
        let vertices = positions.len();
        let mut pieces = Pieces::new(vertices, tets);
        let mut unused = vec![0; vertices];
        for (vertex, unused) in unused.iter_mut().enumerate() {
            *unused = u32::from(pieces.corners_at.row(vertex).is_empty());
        }
        let by_use = Rows::places(2, &unused);
        let (mut order, used) = (by_use.values, by_use.offsets[1] as usize);
        let mut tree = Vec::new();
        bisect(
            positions,
            &mut order[..used],
            &[CLUSTER, LEAF],
            &mut |part, lengths| pieces.group(part, lengths),
            &mut |start, part| {
                tree.push([start as u32, part.len() as u32]);
                part.len() <= LEAF
            },
        );
        Self {
            // Each vertex is in one place of the order.
            internal_vertices: Rows::places(vertices, &order).values,
            original_vertices: order,
            original_tets: Vec::new(),
            patches: Vec::new(),
            corners: vec![[0; 4]; tets.len()],
            slots: vec![[0; 4]; tets.len()],
            patch_vertices: Vec::new(),
            partial_offsets: Vec::new(),
            tree,
        }
    }

    /// Makes the patches, given the end of each in the internal tets: all vertices in ascending order, and the corners
    /// at each in the order of the tets, give the orders that the fields promise.
    fn fill_patches(&mut self, tets: &[[u32; 4]], ends: &[u32]) {
        let mut patch_of = Vec::with_capacity(tets.len());
        for (patch, &end) in ends.iter().enumerate() {
            let first_tet = patch_of.len() as u32;
            self.patches.push(Patch {
                first_tet,
                tet_count: end - first_tet,
                first_vertex: 0,
                vertex_count: 0,
            });
            patch_of.resize(end as usize, patch as u32);
        }
        let mut vertices = Vec::with_capacity(4 * tets.len());
        for &tet in &self.original_tets {
            for vertex in tets[tet as usize] {
                vertices.push(self.internal_vertices[vertex as usize]);
            }
        }
        let corners_at = Rows::places(self.internal_vertices.len(), &vertices);
        drop(vertices);
        let corners = self.corners.as_flattened_mut();
        let slots = self.slots.as_flattened_mut();
        let mut next_slot = vec![0; ends.len()];
        // By vertex, with the patch of each.
        let mut entries: Vec<PatchVertex> = Vec::new();
        let mut patch_of_entry = Vec::new();
        self.partial_offsets.push(0);
        for vertex in 0..self.internal_vertices.len() {
            let mut last = u32::MAX;
            for &corner in corners_at.row(vertex) {
                let patch = patch_of[corner as usize / 4];
                let vertex_count = &mut self.patches[patch as usize].vertex_count;
                let slot = &mut next_slot[patch as usize];
                if patch != last {
                    last = patch;
                    *vertex_count += 1;
                    patch_of_entry.push(patch);
                    entries.push(PatchVertex {
                        vertex: vertex as u32,
                        partial: entries.len() as u32,
                        slots: u32::from(*slot),
                    });
                }
                if let Some(entry) = entries.last_mut() {
                    entry.slots += 1 << 16;
                }
                corners[corner as usize] = (*vertex_count - 1) as u8;
                slots[corner as usize] = *slot;
                *slot += 1;
            }
            self.partial_offsets.push(entries.len() as u32);
        }
        let by_patch = Rows::places(ends.len(), &patch_of_entry);
        for (patch, &first) in self.patches.iter_mut().zip(&by_patch.offsets) {
            patch.first_vertex = first;
        }
        for &entry in &by_patch.values {
            self.patch_vertices.push(entries[entry as usize]);
        }
    }
}
