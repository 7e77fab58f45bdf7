//! Questions to a surface: how often it winds round a point, and where it is closest.

use glam::DVec3;

use super::SurfaceMesh;
use super::tree::Tree;
use super::winding::{Moments, moments, winding_number};

/// Clusters of triangles count as far away beyond this many of their radii. The winding number is then right to better
/// than 0.01 (`tests/surface.rs`; 0.003 on the bunny), far from what tells inside from outside.
const DEFAULT_ACCURACY: f64 = 2.0;

/// A surface prepared for questions. Building takes O(n log n), a question about O(log n).
#[derive(Debug, Clone)]
pub struct SurfaceIndex {
    tree: Tree,
    moments: Vec<Moments>,
    accuracy: f64,
}

/// The point of a surface that is closest to a query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClosestPoint {
    /// Number of its triangle in [`SurfaceMesh::triangles`].
    pub triangle: u32,
    /// The point, in the units of the surface.
    pub point: DVec3,
    /// Its distance from the query, same units.
    pub distance: f64,
}

impl SurfaceIndex {
    /// Sorts the triangles into a tree. Equal surfaces give equal answers, bit for bit.
    pub fn new(surface: &SurfaceMesh) -> Self {
        let tree = Tree::new(surface);
        Self {
            moments: moments(&tree),
            tree,
            accuracy: DEFAULT_ACCURACY,
        }
    }

    /// The same index with clusters of triangles expanded beyond `radii` times their radius rather than 2 times.
    /// Larger is slower and more exact; infinity sums every triangle. Values below 1 count as 1.
    #[must_use]
    pub fn with_accuracy(mut self, radii: f64) -> Self {
        self.accuracy = radii.max(1.0);
        self
    }

    /// How often the surface winds round a point: 1 inside a closed surface that faces outwards, 0 outside it, −1
    /// inside one that faces inwards, 2 where two overlap, and something between at the holes of an open one.
    ///
    /// Jacobson, Kavan, Sorkine-Hornung, "Robust Inside-Outside Segmentation using Generalized Winding Numbers", 2013.
    pub fn winding_number(&self, query: DVec3) -> f64 {
        winding_number(&self.tree, &self.moments, self.accuracy, query)
    }

    /// The closest point of the surface.
    pub fn closest_point(&self, query: DVec3) -> ClosestPoint {
        let (place, point) = self.tree.closest(query);
        ClosestPoint {
            triangle: self.tree.numbers[place],
            point,
            distance: point.distance(query),
        }
    }

    /// Distance to the surface, negative where the winding number exceeds 1/2.
    pub fn signed_distance(&self, query: DVec3) -> f64 {
        let distance = self.closest_point(query).distance;
        if self.winding_number(query) > 0.5 {
            -distance
        } else {
            distance
        }
    }

    /// Where the segment from `start` to `start + along` meets triangles, as ascending fractions of it in `found`.
    pub(crate) fn crossings(&self, start: DVec3, along: DVec3, found: &mut Vec<f64>) {
        self.tree.crossings(start, along, found);
    }
}
