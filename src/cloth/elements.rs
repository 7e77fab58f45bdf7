//! What holds a cloth together: springs along and across its edges, bends, and the area that each vertex stands for.

use std::ops::Range;

use super::{ClothMesh, grid, triangles};

/// A spring: ½ k (l − length)² with k = 1/α.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClothEdge {
    /// Its ends.
    pub vertices: [u32; 2],
    /// Length at rest, m.
    pub length: f32,
    /// Its compliance α in m/N is this, without unit, times the material's `stretch`, or `shear` where [`Self::shear`]
    /// says so.
    pub factor: f32,
    /// Whether it resists shear.
    pub shear: bool,
}

/// A linear element of curvature: ½ B (|c| − rest)² with c = Σ wᵢ xᵢ and B = 1/`bend`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClothBend {
    /// Its vertices; the fourth is [`super::NO_VERTEX`] where there are three.
    pub vertices: [u32; 4],
    /// Weights of the first three. The fourth weight is minus their sum, as all sum to 0; with three vertices these do.
    pub weights: [f32; 3],
    /// |c| of the rest shape; 0 where that is flat.
    pub rest: f32,
}

/// The elements of a cloth, sorted into batches: no vertex occurs twice in a batch, so its elements can be solved at
/// once. They belong to the sheet: another resolution of the same sheet is as stiff.
///
/// # Grids
/// A structural spring stands for a strip as wide as the cells beside it and as long as itself. Its energy
/// ½ k (ε h)² equals that of the strip, ½ (ε²/`stretch`)·width·h, for k = (1/`stretch`)·width/h. So its factor is 1
/// between two cells and 2 along the border.
///
/// A shear angle γ stretches the diagonals of a cell of side h, √2 h long, by ±γ h/√2 each. Two springs of stiffness k
/// then hold 2·½ k γ² h²/2 = ½ k γ² h², which is the sheet's ½ G γ² h² for k = G = 1/`shear`: their factor is 1. They
/// also stretch: a strain ε along a row lengthens both by ε h/√2. The modulus along warp and weft is
/// 1/`stretch` + 1/`shear` where the sheet is held across (a tenth to a third above 1/`stretch` for the presets), and
/// (K² + 2 K G)/(K + G) with K = 1/`stretch` where it is not.
///
/// A bend spans three neighbours of a row or column, c = (x₋ − 2x + x₊)/h·√(width/h), so that ½ B |c|² is ½ B κ² times
/// the area h·width. Twist is left free, as the threads of a woven sheet leave it: along a diagonal the sheet bends half
/// as stiffly.
///
/// Batches: structural springs along rows by even and odd column, along columns by even and odd row, then the diagonals of
/// either direction by even and odd column; bends by their first column (row) modulo 3. Batches without elements,
/// as small grids have them, are left out.
///
/// # Triangle meshes
/// Every edge is a structural spring with k = (c/`stretch`)·(area of its triangles)/length² (Van Gelder, Approximate
/// simulation of elastic membranes by triangulated spring meshes, 1998), c = [`super::MODULUS_FACTOR`]. Every edge of two
/// triangles adds a shear spring between the two vertices across from it, by the same rule with `shear` (none where the
/// rest shape is folded so sharply that these nearly touch; one for two edges across from the same vertices). A network
/// of springs in all directions cannot shear softly: its shear modulus is a third of its modulus held across, whatever
/// `shear` says. In units of 1/`stretch` + 1/`shear`, to which each kind adds its part, measured by
/// `tests/cloth_energy.rs`:
///
/// | triangles | along, held across | along, free across | in shear |
/// | --- | --- | --- | --- |
/// | equilateral | 1.01 | 0.90 | 0.34 |
/// | Delaunay's of random vertices | 1.02 | 0.90 | 0.34 |
/// | right-angled, alternating | 1.13 | 1.08 | 0.23 |
///
/// A cloth whose weave matters is better a grid.
///
/// Every edge of two triangles bends: the quadratic element of Bergou, Wardetzky, Harmon, Zorin and Grinspun (A
/// Quadratic Bending Model for Inextensible Surfaces, 2006), whose weights are sums of cotangents, times
/// √(c/(A₀ + A₁)). The paper's √(3/(A₀ + A₁)) makes a regular triangulation three times as stiff against cylinders: only
/// one edge in three lies along the axis. Scaled so, a cylinder of curvature κ holds, in units of ½ B κ² per area, 0.90
/// on equilateral triangles, 0.93 to 1.04 on Delaunay's of random vertices and 0.90 (along) to 1.35 (on the bias) on
/// right-angled ones. A sphere holds 4/3 of that: a plate of Poisson's ratio −1/3.
///
/// Batches by greedy colouring, the elements at the busiest vertices first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ClothElements {
    /// The springs, sorted by batch.
    pub edges: Vec<ClothEdge>,
    /// Which of [`Self::edges`] each batch holds: they follow each other without gaps.
    pub edge_batches: Vec<Range<u32>>,
    /// The bends, sorted by batch.
    pub bends: Vec<ClothBend>,
    /// Which of [`Self::bends`] each batch holds.
    pub bend_batches: Vec<Range<u32>>,
    /// Area that each vertex stands for, m²; its mass is the areal density times it. On grids a quarter of the cells
    /// round it, so that a symmetrical sheet hangs symmetrically however its cells are cut; on meshes a third of the
    /// triangles. 0 for a vertex that no triangle uses.
    pub vertex_areas: Vec<f32>,
    /// Of a load on the triangles round a vertex, such as wind, the share that the vertex takes: with it loads and
    /// masses match. ⅓ on meshes; on grids ½ for the vertices where the triangles have their right angle and ¼ for
    /// those at the ends of diagonals. The shares of a triangle sum to 1.
    pub triangle_shares: Vec<f32>,
    /// Sum of the areas of the triangles, m².
    pub total_area: f64,
}

impl ClothElements {
    /// Derives the elements: O(n) time on grids and O(n · batches) on meshes.
    pub fn new(mesh: &ClothMesh) -> Self {
        match mesh.grid {
            Some(size) => grid::elements(size),
            None => triangles::elements(mesh),
        }
    }
}
