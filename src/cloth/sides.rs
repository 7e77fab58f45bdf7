//! The sides of triangles, brought together edge by edge; measures of one triangle.

use glam::DVec3;

use crate::mesh::geometry::point;
use crate::sort::sort_rows;

/// One row per side of a triangle, sorted by edge: smaller vertex, larger vertex, triangle, corner where it begins.
/// Sides of one edge follow each other, in the order of their triangles.
pub fn sides(triangles: &[[u32; 3]]) -> Vec<[u32; 4]> {
    let mut rows = Vec::with_capacity(3 * triangles.len());
    for (triangle, corners) in (0u32..).zip(triangles) {
        for corner in 0..3 {
            let (a, b) = (corners[corner], corners[(corner + 1) % 3]);
            rows.push([a.min(b), a.max(b), triangle, corner as u32]);
        }
    }
    sort_rows(&mut rows, 2);
    rows
}

/// The sides of each edge.
pub fn edges(rows: &[[u32; 4]]) -> impl Iterator<Item = &[[u32; 4]]> {
    rows.chunk_by(|p, q| p[..2] == q[..2])
}

/// The vertex of a side's triangle that the side does not touch.
pub fn opposite(triangles: &[[u32; 3]], [.., triangle, corner]: [u32; 4]) -> u32 {
    triangles[triangle as usize][(corner as usize + 2) % 3]
}

/// Whether the triangle passes the side from its smaller vertex to the larger one.
pub fn ascends(triangles: &[[u32; 3]], [low, _, triangle, corner]: [u32; 4]) -> bool {
    triangles[triangle as usize][corner as usize] == low
}

/// Normal of a triangle times twice its area, m².
pub fn doubled(positions: &[[f32; 3]], triangle: [u32; 3]) -> DVec3 {
    let [a, b, c] = triangle.map(|vertex| point(positions[vertex as usize]));
    (b - a).cross(c - a)
}

/// `4·area/(√3·longest side²)`: 1 for an equilateral triangle, 0 for a flat one, and the same at every scale.
pub fn quality(positions: &[[f32; 3]], triangle: [u32; 3]) -> f64 {
    let [a, b, c] = triangle.map(|vertex| point(positions[vertex as usize]));
    let longest = [b - a, c - b, a - c]
        .map(DVec3::length_squared)
        .into_iter()
        .fold(0.0, f64::max);
    if longest == 0.0 {
        return 0.0;
    }
    2.0 / 3f64.sqrt() * (b - a).cross(c - a).length() / longest
}
