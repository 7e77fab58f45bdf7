//! One thing that loading noticed about a mesh, with its count and first places.

use serde::Serialize;

/// How many places a finding names.
const MAX_EXAMPLES: usize = 8;

/// Something about the mesh that the user should know: a defect that was mended, or a warning.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// The condition in kebab case, stable across versions.
    pub code: &'static str,
    /// How often it occurs.
    pub count: u32,
    /// The first places, at most eight indices; the message says of what (tets, vertices, or pairs of them).
    pub examples: Vec<u32>,
    /// Whether the mesh was changed so that the condition is gone.
    pub mended: bool,
    /// A sentence for people, with numbers.
    pub message: String,
}

impl Finding {
    /// Tets of negative volume were turned round.
    pub const FLIPPED_TETS: &'static str = "flipped-tets";
    /// Tets without volume, or with a repeated vertex, were removed.
    pub const DEGENERATE_TETS: &'static str = "degenerate-tets";
    /// Tets with the same four vertices as an earlier one were removed.
    pub const DUPLICATE_TETS: &'static str = "duplicate-tets";
    /// Vertices that no tet uses; they are kept, without mass.
    pub const UNUSED_VERTICES: &'static str = "unused-vertices";
    /// Unused vertices without a usable position were moved to the centre of the mesh.
    pub const UNUSED_NON_FINITE: &'static str = "unused-vertices-non-finite";
    /// The mesh is so large or small that its units are probably not metres.
    pub const SUSPICIOUS_SCALE: &'static str = "suspicious-scale";
    /// The mesh is so far from the origin that single precision costs detail.
    pub const FAR_FROM_ORIGIN: &'static str = "far-from-origin";
    /// The mesh falls into parts that share no vertex.
    pub const MULTIPLE_COMPONENTS: &'static str = "multiple-components";
    /// Surface edges with other than two triangles.
    pub const NON_MANIFOLD_EDGES: &'static str = "non-manifold-edges";
    /// Faces with two tets on the same side, which therefore overlap.
    pub const SAME_ORIENTATION_FACES: &'static str = "same-orientation-faces";
    /// Surface triangles that lie against other surface triangles inside the volume.
    pub const NON_CONFORMING_FACES: &'static str = "non-conforming-faces";
    /// The search for such triangles was cut short.
    pub const NON_CONFORMING_UNCHECKED: &'static str = "non-conforming-unchecked";

    /// A finding; of `examples` the first eight are kept.
    #[inline(never)]
    pub(crate) fn new(
        code: &'static str,
        count: usize,
        examples: &[u32],
        mended: bool,
        message: String,
    ) -> Self {
        Self {
            code,
            count: u32::try_from(count).unwrap_or(u32::MAX),
            examples: examples.iter().copied().take(MAX_EXAMPLES).collect(),
            mended,
            message,
        }
    }
}
