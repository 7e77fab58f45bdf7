//! The tetrahedral mesh as the solver may rely on it: parsed, checked, mended where that is safe, and nothing silent.

mod finding;
pub mod geometry;
pub(crate) mod parse;
mod survey;
pub(crate) mod validate;

pub use finding::Finding;
#[cfg(feature = "mesh-tools")]
pub(crate) use survey::USUAL_EXTENT;
pub(crate) use survey::{bounds, note_size_and_place, note_unused};

use crate::error::{MeshError, MeshFile};
#[cfg(feature = "gpu")]
use crate::sections::Sections;

/// The largest coordinate magnitude accepted, metres. It keeps volumes and their sums finite in single precision.
pub const MAX_COORDINATE: f32 = 1e9;
/// The smallest tet volume accepted, m³ (a tet of about a picometre). GPUs may flush smaller numbers to zero.
pub const MIN_TET_VOLUME: f64 = 1e-36;
/// A tet whose shape quality (see [`geometry::shape_quality`]) is at or below this counts as degenerate.
pub const MIN_SHAPE_QUALITY: f64 = 1e-7;

/// A tetrahedral mesh that is fit to simulate.
///
/// Whatever the input, a `TetMesh` that exists has at least one tet; every index is in range, every coordinate finite
/// and at most [`MAX_COORDINATE`] in magnitude; every tet `[a, b, c, d]` has positive volume
/// `(b−a)·((c−a)×(d−a))/6`, is not degenerate and occurs once. Vertices keep the order and number of the input,
/// including those that no tet uses. What was changed on the way is in [`TetMesh::findings`].
#[derive(Debug, Clone, PartialEq)]
pub struct TetMesh {
    positions: Vec<[f32; 3]>,
    tets: Vec<[u32; 4]>,
    findings: Vec<Finding>,
    used_bounds: ([f32; 3], [f32; 3]),
}

impl TetMesh {
    /// Reads the two headerless little-endian files: `f32` x, y, z per vertex (metres) and `u32` ×4 per tet. The
    /// slices need no alignment.
    ///
    /// # Errors
    /// Every [`MeshError`] about files, indices, coordinates and degenerate meshes; the first problem met is reported.
    pub fn from_bytes(positions: &[u8], tets: &[u8]) -> Result<Self, MeshError> {
        // Both are looked at before either is decoded: an HTML page must be called one whichever file it replaced.
        parse::check_bytes(positions, (MeshFile::TetIndices, tets, 16))?;
        Self::new(parse::positions(positions), parse::elements(tets))
    }

    /// Checks and mends a mesh given as arrays (positions in metres).
    ///
    /// Mended and reported: negative tets are turned round, degenerate tets and repeats of a tet are removed, and
    /// vertices that no tet uses get a finite position when theirs is not.
    ///
    /// # Errors
    /// Empty arrays, indices out of range, coordinates of used vertices that are not finite or beyond
    /// [`MAX_COORDINATE`], a tet smaller than [`MIN_TET_VOLUME`], or no tet left that is not degenerate.
    pub fn new(positions: Vec<[f32; 3]>, tets: Vec<[u32; 4]>) -> Result<Self, MeshError> {
        validate::mesh(positions, tets)
    }

    /// Vertex positions, metres, in the order of the input.
    pub fn positions(&self) -> &[[f32; 3]] {
        &self.positions
    }

    /// Vertex indices of each tet, wound so that its volume is positive.
    pub fn tets(&self) -> &[[u32; 4]] {
        &self.tets
    }

    /// The same mesh with every coordinate multiplied by `factor` (in double precision, then rounded): 0.001 for a
    /// file in millimetres. Findings about size and place are made anew, the others are kept.
    ///
    /// # Errors
    /// A factor that is not positive and finite, or a result that leaves the range of sizes that [`TetMesh::new`]
    /// accepts.
    pub fn scaled(self, factor: f64) -> Result<Self, MeshError> {
        validate::scaled(self, factor)
    }

    /// What was found in the input: mended defects first, then warnings. Empty for a mesh with nothing to say about.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The count of the finding with this code, 0 without one.
    pub fn finding_count(&self, code: &str) -> u32 {
        self.findings
            .iter()
            .find(|finding| finding.code == code)
            .map_or(0, |finding| finding.count)
    }

    /// The smallest and largest coordinates of the vertices that a tet uses, metres.
    pub fn used_bounds(&self) -> ([f32; 3], [f32; 3]) {
        self.used_bounds
    }

    /// A checked mesh from another thread: nothing is checked again.
    #[cfg(feature = "gpu")]
    pub(crate) fn received(sections: &mut Sections) -> Self {
        let mut mesh = Self {
            positions: Vec::new(),
            tets: Vec::new(),
            findings: Vec::new(),
            used_bounds: Default::default(),
        };
        mesh.exchange(sections);
        mesh
    }

    /// Writes the mesh, which is then empty, or reads it.
    #[cfg(feature = "gpu")]
    pub(crate) fn exchange(&mut self, sections: &mut Sections) {
        let Self {
            positions,
            tets,
            findings,
            used_bounds: (low, high),
        } = self;
        sections.list(positions);
        sections.list(tets);
        Finding::exchange(findings, sections);
        let mut bounds = vec![*low, *high];
        sections.list(&mut bounds);
        if let [read_low, read_high] = bounds[..] {
            (*low, *high) = (read_low, read_high);
        }
    }

    /// The positions as the bytes of a `.vec3f32bin` file.
    pub fn position_bytes(&self) -> Vec<u8> {
        self.positions
            .iter()
            .flatten()
            .flat_map(|x| x.to_le_bytes())
            .collect()
    }

    /// The tets as the bytes of a `.vec4u32bin` file.
    pub fn tet_bytes(&self) -> Vec<u8> {
        self.tets
            .iter()
            .flatten()
            .flat_map(|i| i.to_le_bytes())
            .collect()
    }
}
