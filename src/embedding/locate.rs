//! Finds the tet that contains a point, or the nearest one, and the point's barycentric weights in it.

use glam::DVec3;

use crate::layout::SurfaceAnchor;
use crate::mesh::TetMesh;
use crate::mesh::geometry::{FACES, corners, edges};
use crate::topology::tree::{Bounds, Tree};

/// Squared distances closer than this share count as equal: neighbours that share the nearest corner or edge.
const SAME: f64 = 1e-9;
/// Tets looked at for one point before the nearest so far has to do. Ordinary meshes need some dozens; without a bound
/// thousands of tets in one place would take quadratic time.
const MAX_TETS: u32 = 10_000;

/// The tets of a mesh, to be searched.
pub struct Locator<'a> {
    mesh: &'a TetMesh,
    tree: Tree,
    stack: Vec<usize>,
    /// Distances up to this are rounding of the single-precision coordinates.
    pub rounding: f64,
}

impl<'a> Locator<'a> {
    pub fn new(mesh: &'a TetMesh) -> Self {
        let boxes = mesh.tets().iter().map(|&tet| {
            let [a, b, c, d] = corners(mesh.positions(), tet);
            Bounds {
                low: a.min(b).min(c).min(d),
                high: a.max(b).max(c).max(d),
            }
        });
        let (min, max) = mesh.used_bounds();
        let largest = min
            .iter()
            .chain(&max)
            .fold(0.0, |most: f32, x| most.max(x.abs()));
        Self {
            mesh,
            tree: Tree::new(boxes.collect()),
            stack: Vec::new(),
            rounding: 4.0 * f64::from(f32::EPSILON * largest),
        }
    }

    /// The anchor of a point and how far outside of its tet it lies. Of tets equally near the one that has to be
    /// continued least is taken: its motion is the least exaggerated.
    pub fn locate(&mut self, point: DVec3) -> (SurfaceAnchor, f64) {
        let Self {
            mesh, tree, stack, ..
        } = self;
        let (mut best, mut nearest, mut least) = (0, f64::INFINITY, f64::NEG_INFINITY);
        let mut visits = 0;
        tree.near(point, stack, |tet| {
            let corners = corners(mesh.positions(), mesh.tets()[tet as usize]);
            let weights = weights(corners, point);
            let lowest = weights.into_iter().fold(f64::INFINITY, f64::min);
            let distance = distance_squared(corners, weights, point);
            let nearer = distance < nearest * (1.0 - SAME);
            if nearer || (distance <= nearest * (1.0 + SAME) && lowest > least) {
                (best, nearest, least) = (tet, distance, lowest);
            }
            visits += 1;
            // A negative limit ends the search.
            match nearest == 0.0 || visits == MAX_TETS {
                true => -1.0,
                false => nearest * (1.0 + SAME),
            }
        });
        let vertices = mesh.tets()[best as usize];
        let [_, u, v, w] = weights(corners(mesh.positions(), vertices), point).map(|w| w as f32);
        // Rounded so that they add up to 1 once more.
        let first = 1.0 - (f64::from(u) + f64::from(v) + f64::from(w));
        let anchor = SurfaceAnchor {
            vertices,
            weights: [first as f32, u, v, w],
        };
        (anchor, nearest.sqrt())
    }
}

/// Barycentric coordinates, which add up to 1.
#[inline(never)]
fn weights(corners: [DVec3; 4], point: DVec3) -> [f64; 4] {
    let [e1, e2, e3] = edges(corners);
    let r = point - corners[0];
    let determinant = e1.dot(e2.cross(e3));
    let [u, v, w] = [e2.cross(e3), e3.cross(e1), e1.cross(e2)].map(|row| r.dot(row) / determinant);
    [1.0 - u - v - w, u, v, w]
}

/// Squared distance of a point with these weights to the tet. The nearest point lies on a face that the point is
/// outside of.
fn distance_squared(corners: [DVec3; 4], weights: [f64; 4], point: DVec3) -> f64 {
    let mut nearest = f64::INFINITY;
    for (face, weight) in FACES.iter().zip(weights) {
        if weight < 0.0 {
            nearest = nearest.min(to_triangle(face.map(|corner| corners[corner]), point));
        }
    }
    if nearest == f64::INFINITY {
        0.0
    } else {
        nearest
    }
}

/// Squared distance of a point to a triangle: to its plane where the point lies above it, else to its nearest edge.
#[inline(never)]
fn to_triangle(corners: [DVec3; 3], point: DVec3) -> f64 {
    let [a, b, c] = corners;
    let normal = (b - a).cross(c - a);
    let (mut above, mut nearest) = (true, f64::INFINITY);
    for side in 0..3 {
        let from = corners[side];
        let along = corners[(side + 1) % 3] - from;
        let to_point = point - from;
        above &= along.cross(to_point).dot(normal) >= 0.0;
        let share = (to_point.dot(along) / along.length_squared()).clamp(0.0, 1.0);
        nearest = nearest.min((share * along - to_point).length_squared());
    }
    if above {
        let height = (point - a).dot(normal);
        nearest = height * height / normal.length_squared();
    }
    nearest
}
