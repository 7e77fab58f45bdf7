//! One thing that loading noticed about a mesh, with its count and first places.

#[cfg(feature = "gpu")]
use crate::sections::Sections;
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
    /// Vertices that no tet (no triangle of a cloth) uses; they are kept, without mass.
    pub const UNUSED_VERTICES: &'static str = "unused-vertices";
    /// Unused vertices without a usable position were moved to the centre of the mesh.
    pub const UNUSED_NON_FINITE: &'static str = "unused-vertices-non-finite";
    /// The mesh is so large or small that its units are probably not metres.
    pub const SUSPICIOUS_SCALE: &'static str = "suspicious-scale";
    /// The mesh is so far from the origin that single precision costs detail.
    pub const FAR_FROM_ORIGIN: &'static str = "far-from-origin";
    /// The mesh falls into parts that share no vertex.
    pub const MULTIPLE_COMPONENTS: &'static str = "multiple-components";
    /// Surface edges with other than two triangles; edges of a cloth with more than two.
    pub const NON_MANIFOLD_EDGES: &'static str = "non-manifold-edges";
    /// Faces with two tets on the same side, which therefore overlap.
    pub const SAME_ORIENTATION_FACES: &'static str = "same-orientation-faces";
    /// Surface triangles that lie against other surface triangles inside the volume.
    pub const NON_CONFORMING_FACES: &'static str = "non-conforming-faces";
    /// The search for such triangles was cut short.
    pub const NON_CONFORMING_UNCHECKED: &'static str = "non-conforming-unchecked";
    /// A drawn surface reaches so far beyond the tets that carry it that it is drawn stretched.
    pub const SURFACE_OUTSIDE_TETS: &'static str = "surface-outside-tets";
    /// The mesh is so stiff and fine for the substeps that its fastest vibrations are slowed.
    pub const SCALED_DYNAMICS: &'static str = "scaled-dynamics";
    /// Tets so thin that they stiffen the body or cost accuracy (`diagnosis`).
    pub const SLIVERS: &'static str = "slivers";
    /// Vertices at the place of an earlier one (`diagnosis`).
    pub const DUPLICATE_VERTICES: &'static str = "duplicate-vertices";
    /// Faces that more than two tets share (`diagnosis`).
    pub const OVERFULL_FACES: &'static str = "overfull-faces";
    /// Four-sided faces between cells whose two sides are cut along different diagonals (`diagnosis`).
    pub const MISMATCHED_DIAGONALS: &'static str = "mismatched-diagonals";
    /// Edges at which parts that share no face hang together (`diagnosis`).
    pub const EDGE_JOINED_PARTS: &'static str = "edge-joined-parts";
    /// Vertices at which parts that share no edge hang together (`diagnosis`).
    pub const VERTEX_JOINED_PARTS: &'static str = "vertex-joined-parts";
    /// Vertices around which the tets fill more than the space there is (`diagnosis`).
    pub const OVERLAPPING_TETS: &'static str = "overlapping-tets";
    /// Edges of a surface with one triangle: the rims of holes (`diagnosis`).
    pub const OPEN_SURFACE: &'static str = "open-surface";
    /// Edges of a surface with more than two triangles (`diagnosis`).
    pub const NON_MANIFOLD_SURFACE_EDGES: &'static str = "non-manifold-surface-edges";
    /// Edges of a surface (`diagnosis`) or of a cloth whose two triangles face opposite ways.
    pub const INCONSISTENT_TRIANGLES: &'static str = "inconsistent-triangles";
    /// The surface faces inwards (`diagnosis`).
    pub const INSIDE_OUT_SURFACE: &'static str = "inside-out-surface";
    /// Triangles of a cloth were turned round to face the same way as their neighbours.
    pub const FLIPPED_TRIANGLES: &'static str = "flipped-triangles";
    /// Triangles of a surface (`diagnosis`) or of a cloth without area.
    pub const DEGENERATE_TRIANGLES: &'static str = "degenerate-triangles";
    /// Triangles of a surface (`diagnosis`) or of a cloth with the three vertices of an earlier one.
    pub const DUPLICATE_TRIANGLES: &'static str = "duplicate-triangles";
    /// Parts of a surface that share no vertex (`diagnosis`).
    pub const MULTIPLE_SHELLS: &'static str = "multiple-shells";

    /// What a mesh and its topology may have; another thread names them by their place.
    #[cfg(feature = "gpu")]
    const OF_LOADING: [&'static str; 12] = [
        Self::FLIPPED_TETS,
        Self::DEGENERATE_TETS,
        Self::DUPLICATE_TETS,
        Self::UNUSED_VERTICES,
        Self::UNUSED_NON_FINITE,
        Self::SUSPICIOUS_SCALE,
        Self::FAR_FROM_ORIGIN,
        Self::MULTIPLE_COMPONENTS,
        Self::NON_MANIFOLD_EDGES,
        Self::SAME_ORIENTATION_FACES,
        Self::NON_CONFORMING_FACES,
        Self::NON_CONFORMING_UNCHECKED,
    ];

    /// Writes findings of loading, or reads them.
    #[cfg(feature = "gpu")]
    pub(crate) fn exchange(findings: &mut Vec<Self>, sections: &mut Sections) {
        let mut length = findings.len() as u32;
        sections.count(&mut length);
        findings.resize_with(length as usize, || {
            Self::new("", 0, &[], false, String::new())
        });
        for finding in findings {
            let place = Self::OF_LOADING
                .iter()
                .position(|&code| code == finding.code);
            let mut code = place.unwrap_or(0) as u32;
            let mut mended = u32::from(finding.mended);
            for number in [&mut code, &mut finding.count, &mut mended] {
                sections.count(number);
            }
            finding.code = Self::OF_LOADING[code as usize];
            finding.mended = mended != 0;
            sections.list(&mut finding.examples);
            sections.text(&mut finding.message);
        }
    }

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
