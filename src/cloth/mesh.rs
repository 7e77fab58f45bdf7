//! The cloth as the solver may rely on it: a grid, or any triangle mesh that was checked and mended.

use super::{ClothError, material, repair};
use crate::error::MeshFile;
use crate::mesh::{Finding, parse};

/// Particles along a side of a grid, at most: 16,777,216 in all.
pub const MAX_GRID_SIDE: u32 = 4096;
/// Distances of neighbours that a grid may have, metres.
pub const SPACING_RANGE: std::ops::RangeInclusive<f64> = 1e-6..=1e3;

/// A cloth that is fit to simulate.
///
/// Whatever the input, a `ClothMesh` that exists has at least one triangle; every index is in range, every coordinate
/// finite and at most [`crate::mesh::MAX_COORDINATE`] in magnitude; every triangle has area, is not degenerate and
/// occurs once. Vertices keep the order and number of the input, including those that no triangle uses. What was
/// changed on the way is in [`ClothMesh::findings`].
#[derive(Debug, Clone, PartialEq)]
pub struct ClothMesh {
    pub(super) positions: Vec<[f32; 3]>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// Columns, rows, and their distance in metres.
    pub(super) grid: Option<(u32, u32, f64)>,
    pub(super) findings: Vec<Finding>,
}

impl ClothMesh {
    /// A grid of `columns` × `rows` particles, `spacing` metres apart, that hangs in the plane z = 0.
    ///
    /// Particle (column i, row j) has number `j·columns + i` and stands at
    /// `((i − (columns−1)/2)·spacing, (rows−1−j)·spacing, 0)`: row 0 is the upper edge, the lower one lies on y = 0.
    /// Normals point towards +z. The diagonals of the cells alternate, so that no direction is preferred.
    ///
    /// # Errors
    /// A side outside 2 to [`MAX_GRID_SIDE`] or a spacing outside [`SPACING_RANGE`].
    pub fn grid(columns: u32, rows: u32, spacing: f64) -> Result<Self, ClothError> {
        let invalid = |name, value, requirement| ClothError::InvalidGrid {
            name,
            value,
            requirement,
        };
        for (name, side) in [("columns", columns), ("rows", rows)] {
            if !(2..=MAX_GRID_SIDE).contains(&side) {
                return Err(invalid(name, f64::from(side), "from 2 to 4096"));
            }
        }
        if !SPACING_RANGE.contains(&spacing) {
            return Err(invalid("spacing", spacing, "from 1e-6 to 1000 m"));
        }
        let mut positions = Vec::with_capacity((columns * rows) as usize);
        let mut triangles = Vec::with_capacity(2 * ((columns - 1) * (rows - 1)) as usize);
        for j in 0..rows {
            for i in 0..columns {
                let right = f64::from(i) - 0.5 * f64::from(columns - 1);
                let up = f64::from(rows - 1 - j);
                positions.push([(right * spacing) as f32, (up * spacing) as f32, 0.0]);
                if i + 1 == columns || j + 1 == rows {
                    continue;
                }
                let a = j * columns + i;
                let [b, c, d] = [a + 1, a + columns, a + columns + 1];
                // The corner of the right angle comes first.
                triangles.extend(if (i + j) % 2 == 0 {
                    [[c, d, a], [b, a, d]]
                } else {
                    [[a, c, b], [d, b, c]]
                });
            }
        }
        Ok(Self {
            positions,
            triangles,
            grid: Some((columns, rows, spacing)),
            findings: Vec::new(),
        })
    }

    /// Checks and mends a triangle mesh given as arrays (positions in metres).
    ///
    /// Mended and reported: triangles without area and repeats of a triangle (either way round) are removed;
    /// triangles are turned round to face the way of their neighbours, the fewer of each part; vertices that no
    /// triangle uses get a finite position when theirs is not. Reported only: such vertices, edges with more than two
    /// triangles (they are stretched but do not bend), edges at which no turning helps, parts that share no vertex,
    /// and sizes that suggest another unit.
    ///
    /// # Errors
    /// Empty arrays, indices out of range, coordinates of used vertices that are not finite or too large, no triangle
    /// left that is not degenerate, one smaller than [`super::MIN_TRIANGLE_AREA`], or more than
    /// [`super::MAX_TRIANGLES_AT_VERTEX`] at one vertex.
    pub fn new(positions: Vec<[f32; 3]>, triangles: Vec<[u32; 3]>) -> Result<Self, ClothError> {
        repair::mesh(positions, triangles)
    }

    /// Reads the two headerless little-endian files: `f32` x, y, z per vertex (metres) and `u32` ×3 per triangle. The
    /// slices need no alignment.
    ///
    /// # Errors
    /// Text instead of numbers, lengths that are no multiple of 12 bytes, and those of [`ClothMesh::new`].
    pub fn from_bytes(positions: &[u8], triangles: &[u8]) -> Result<Self, ClothError> {
        parse::check_bytes(positions, (MeshFile::TriangleIndices, triangles, 12))?;
        Self::new(parse::positions(positions), parse::elements(triangles))
    }

    /// The same cloth with every coordinate multiplied by `factor` (in double precision, then rounded): 0.001 for a
    /// file in millimetres. Findings about size and place are made anew, the others are kept.
    ///
    /// # Errors
    /// A factor that is not positive and finite, or a result that leaves the range of sizes that [`ClothMesh::new`] or
    /// [`ClothMesh::grid`] accepts.
    pub fn scaled(self, factor: f64) -> Result<Self, ClothError> {
        repair::scaled(self, factor)
    }

    /// Vertex positions, metres, in the order of the input.
    pub fn positions(&self) -> &[[f32; 3]] {
        &self.positions
    }

    /// Vertex indices of each triangle, counter-clockwise seen from where its normal points.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Columns, rows and spacing in metres of a cloth made by [`ClothMesh::grid`].
    pub fn grid_size(&self) -> Option<(u32, u32, f64)> {
        self.grid
    }

    /// What was found in the input: mended defects first, then warnings. Empty for a cloth with nothing to say about.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Where each vertex lies in the fabric: metres along warp and along weft.
    ///
    /// On a grid `(i, j)·spacing`. On a mesh the vertices of each part are projected onto one plane: the one across
    /// the mean normal where the part has a side that it mostly faces, otherwise (a tube, a sphere) the plane across
    /// the shortest side of its bounds. Warp is the world axis that lies best in it (x before y before z). Vertices
    /// that no triangle uses have (0, 0).
    pub fn material_coordinates(&self) -> Vec<[f32; 2]> {
        material::coordinates(self)
    }
}
