//! Finds surface triangles that are none: faces inside the volume where neighbouring tets meet without sharing a face.
//!
//! Crossing face diagonals, hanging vertices and vertices that were never welded all leave two layers of triangles in
//! one plane, facing each other. Those pairs are searched with a bounding volume hierarchy.

use glam::{DVec2, DVec3};

use crate::mesh::Finding;
use crate::mesh::geometry::point;
use crate::topology::tree::{Bounds, Tree};

/// Triangles count as coplanar within this share of their longest edge, plus rounding.
const PLANE_TOLERANCE: f64 = 1e-5;
/// Cosine of the largest angle between facing normals.
const FACING: f64 = -0.999;
/// An overlap counts from this share of the smaller triangle's area.
const MIN_OVERLAP: f64 = 1e-3;
/// Tree nodes and boxes looked at per triangle, on average, before the search stops: ordinary meshes need some hundred,
/// and without a bound a heap of triangles in one place would take quadratic time.
const VISITS_PER_TRIANGLE: usize = 1000;
/// The same in all: a few seconds.
const MAX_VISITS: usize = 1 << 26;

struct Triangle {
    corners: [DVec3; 3],
    normal: DVec3,
    area: f64,
    tolerance: f64,
    owner: u32,
}

impl Triangle {
    fn new(positions: &[[f32; 3]], vertices: [u32; 3], owner: u32) -> Self {
        let corners = vertices.map(|vertex| point(positions[vertex as usize]));
        let [a, b, c] = corners;
        let twice = (b - a).cross(c - a);
        let longest = (b - a).length().max((c - b).length()).max((a - c).length());
        let farthest = corners
            .into_iter()
            .fold(0.0, |far: f64, p| far.max(p.abs().max_element()));
        Self {
            corners,
            normal: twice.normalize_or_zero(),
            area: 0.5 * twice.length(),
            tolerance: PLANE_TOLERANCE * longest + 2.0 * f64::from(f32::EPSILON) * farthest,
            owner,
        }
    }

    fn bounds(&self) -> Bounds {
        let [a, b, c] = self.corners;
        let margin = DVec3::splat(self.tolerance);
        Bounds {
            low: a.min(b).min(c) - margin,
            high: a.max(b).max(c) + margin,
        }
    }

    fn faces(&self, other: &Self) -> bool {
        let tolerance = self.tolerance.max(other.tolerance);
        self.owner != other.owner
            && self.normal.dot(other.normal) <= FACING
            && other
                .corners
                .iter()
                .all(|&p| (p - self.corners[0]).dot(self.normal).abs() <= tolerance)
            && self.overlap(other) > MIN_OVERLAP * self.area.min(other.area)
    }

    /// Area shared by the two, seen along this triangle's normal.
    fn overlap(&self, other: &Self) -> f64 {
        let u = self.normal.any_orthonormal_vector();
        let v = self.normal.cross(u);
        let flat =
            |p: DVec3| DVec2::new((p - self.corners[0]).dot(u), (p - self.corners[0]).dot(v));
        let mut polygon: Vec<DVec2> = other.corners.iter().map(|&p| flat(p)).collect();
        for side in 0..3 {
            let from = flat(self.corners[side]);
            let along = flat(self.corners[(side + 1) % 3]) - from;
            polygon = clip(&polygon, from, along);
        }
        let twice: f64 = (0..polygon.len())
            .map(|i| polygon[i].perp_dot(polygon[(i + 1) % polygon.len()]))
            .sum();
        0.5 * twice.abs()
    }
}

/// The part of a convex polygon to the left of a line (Sutherland and Hodgman 1974).
#[inline(never)]
fn clip(polygon: &[DVec2], from: DVec2, along: DVec2) -> Vec<DVec2> {
    let inside = |p: DVec2| along.perp_dot(p - from);
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (i, &p) in polygon.iter().enumerate() {
        let q = polygon[(i + 1) % polygon.len()];
        let (at_p, at_q) = (inside(p), inside(q));
        if at_p >= 0.0 {
            kept.push(p);
        }
        if (at_p >= 0.0) != (at_q >= 0.0) {
            kept.push(p.lerp(q, at_p / (at_p - at_q)));
        }
    }
    kept
}

/// Reports triangles that lie against others. `owners` gives the tet of each triangle.
pub fn check(positions: &[[f32; 3]], surface: &[[u32; 3]], owners: &[u32]) -> Vec<Finding> {
    let triangles: Vec<Triangle> = surface
        .iter()
        .zip(owners)
        .map(|(&vertices, &owner)| Triangle::new(positions, vertices, owner))
        .collect();
    let tree = Tree::new(triangles.iter().map(Triangle::bounds).collect());
    let mut inside = vec![false; triangles.len()];
    let mut budget = triangles
        .len()
        .saturating_mul(VISITS_PER_TRIANGLE)
        .min(MAX_VISITS);
    let mut checked = 0;
    let mut stack = Vec::new();
    for (number, triangle) in (0u32..).zip(&triangles) {
        let complete = tree.later_neighbours(number, &mut stack, &mut budget, |other| {
            if triangle.faces(&triangles[other as usize]) {
                inside[number as usize] = true;
                inside[other as usize] = true;
            }
        });
        if !complete {
            break;
        }
        checked += 1;
    }
    findings(surface, owners, &inside, checked)
}

fn findings(surface: &[[u32; 3]], owners: &[u32], inside: &[bool], checked: usize) -> Vec<Finding> {
    let mut findings = Vec::new();
    let total = surface.len();
    let places: Vec<usize> = (0..total).filter(|&place| inside[place]).collect();
    if let Some(&first) = places.first() {
        let tets: Vec<u32> = places.iter().map(|&place| owners[place]).collect();
        let [a, b, c] = surface[first];
        findings.push(Finding::new(
            Finding::NON_CONFORMING_FACES,
            places.len(),
            &tets,
            false,
            format!(
                "{} of {total} surface triangles lie inside the volume, against others that face them: neighbouring tets \
                 meet there without sharing a face (crossing diagonals, hanging or unwelded vertices) and can come apart; \
                 the first joins vertices {a}, {b}, {c} of tet {}",
                places.len(),
                owners[first]
            ),
        ));
    }
    if checked < total {
        findings.push(Finding::new(
            Finding::NON_CONFORMING_UNCHECKED,
            total - checked,
            &[],
            false,
            format!(
                "so many surface triangles crowd together that only {checked} of {total} were searched for faces inside the \
                 volume"
            ),
        ));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    const POSITIONS: [[f32; 3]; 6] = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [1.0, 1.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 0.1],
        [2.0, 0.0, 0.0],
    ];

    fn pair(first: [u32; 3], second: [u32; 3]) -> [Triangle; 2] {
        [(first, 0), (second, 1)]
            .map(|(vertices, owner)| Triangle::new(&POSITIONS, vertices, owner))
    }

    #[test]
    fn crossing_diagonals_overlap_by_a_quarter_of_the_square() {
        let [a, b] = pair([0, 1, 2], [0, 3, 1]);
        assert!((a.overlap(&b) - 0.25).abs() < 1e-12);
        assert!(a.faces(&b) && b.faces(&a));
    }

    #[test]
    fn neighbours_in_a_plane_and_layers_apart_do_not_face() {
        let cases = [
            ([0, 1, 2], [0, 2, 3], "share an edge, same side"),
            (
                [0, 1, 2],
                [0, 3, 2],
                "share an edge, opposite sides, no overlap",
            ),
            ([0, 1, 2], [0, 1, 3], "overlap, same side"),
            ([0, 1, 2], [4, 3, 1], "tilted"),
            ([0, 1, 3], [1, 2, 5], "touch in one vertex"),
        ];
        for (first, second, why) in cases {
            let [a, b] = pair(first, second);
            assert!(!a.faces(&b) && !b.faces(&a), "{why}");
        }
    }
}
