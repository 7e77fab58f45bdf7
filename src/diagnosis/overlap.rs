//! Tets that overlap around a vertex: together they fill more than the full sphere of directions.

use std::f64::consts::PI;

use super::counted;
use super::shape::dihedral_degrees;
use crate::mesh::geometry::corners;
use crate::mesh::{Finding, TetMesh};
use crate::text::Number;

/// Rounding of the sum, as a share of the full sphere. Real overlaps are larger by far.
const TOLERANCE: f64 = 1e-6;

/// A tangled mesh is one whose tets were dragged through each other. After negative tets are turned round, the tets at
/// an inner vertex then no longer fit into the 4π steradians around it.
pub fn finding(mesh: &TetMesh) -> Option<Finding> {
    let mut sums = vec![0.0f64; mesh.positions().len()];
    for &tet in mesh.tets() {
        let angles = dihedral_degrees(corners(mesh.positions(), tet)).map(f64::to_radians);
        // Angle n lies between faces i and j, at the edge of the two corners that are neither.
        let pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
        for (corner, vertex) in tet.into_iter().enumerate() {
            let at_corner: f64 = pairs
                .iter()
                .zip(angles)
                .filter(|&(&(i, j), _)| i != corner && j != corner)
                .map(|(_, angle)| angle)
                .sum();
            // The area of a spherical triangle is its angle sum less π.
            sums[vertex as usize] += at_corner - PI;
        }
    }
    let crowded: Vec<u32> = (0u32..)
        .zip(&sums)
        .filter(|&(_, &sum)| sum > 4.0 * PI * (1.0 + TOLERANCE))
        .map(|(vertex, _)| vertex)
        .collect();
    let &first = crowded.first()?;
    let share = sums[first as usize] / (4.0 * PI) * 100.0;
    Some(Finding::new(
        Finding::OVERLAPPING_TETS,
        crowded.len(),
        &crowded,
        false,
        format!(
            "around {} the tets overlap; the first is vertex {first}, where they fill {} % of the space there is (examples \
             are vertices). The mesh is folded onto itself there: mesh it again, or move the vertices back",
            counted(crowded.len(), "vertex", "vertices"),
            Number::from((share * 10.0).round() / 10.0),
        ),
    ))
}
