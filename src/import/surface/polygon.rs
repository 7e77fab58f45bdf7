//! Polygons become triangles: a fan where they are convex, ear clipping where they are not.

use super::builder::{cross, sub};

/// Comparisons that ear clipping may spend on one file; polygons past it become fans.
const WORK: u64 = 200_000_000;

pub(super) struct Triangulator {
    work_left: u64,
    /// Concave polygons that had to become fans.
    pub fans: usize,
    flat: Vec<[f64; 2]>,
    triangles: Vec<[usize; 3]>,
}

impl Triangulator {
    pub fn new() -> Self {
        Self {
            work_left: WORK,
            fans: 0,
            flat: Vec::new(),
            triangles: Vec::new(),
        }
    }

    /// Triangles of a polygon, as numbers of its corners, in the polygon's direction.
    pub fn triangulate(
        &mut self,
        corners: usize,
        position: impl Fn(usize) -> [f32; 3],
    ) -> &[[usize; 3]] {
        self.triangles.clear();
        if corners > 3 && !self.flatten(corners, position) {
            let work = (corners as u64).pow(2) * 3;
            if work <= self.work_left {
                self.work_left -= work;
                self.clip_ears();
                return &self.triangles;
            }
            self.fans += 1;
        }
        self.triangles
            .extend((2..corners).map(|corner| [0, corner - 1, corner]));
        &self.triangles
    }

    /// Projects along the polygon's normal (Newell); true if no corner turns the other way.
    fn flatten(&mut self, corners: usize, position: impl Fn(usize) -> [f32; 3]) -> bool {
        let at = |corner: usize| position(corner % corners).map(f64::from);
        let origin = at(0);
        let mut normal = [0.0; 3];
        for corner in 0..corners {
            let area = cross(sub(at(corner), origin), sub(at(corner + 1), origin));
            for (sum, x) in normal.iter_mut().zip(area) {
                *sum += x;
            }
        }
        let axis = (0..3)
            .max_by(|&a, &b| normal[a].abs().total_cmp(&normal[b].abs()))
            .unwrap_or(2);
        if normal[axis] == 0.0 {
            return true;
        }
        // Seen against the normal's largest component, counter-clockwise.
        let (u, v) = match (axis, normal[axis] > 0.0) {
            (0, true) => (1, 2),
            (0, false) => (2, 1),
            (1, true) => (2, 0),
            (1, false) => (0, 2),
            (_, true) => (0, 1),
            (_, false) => (1, 0),
        };
        self.flat.clear();
        self.flat.extend((0..corners).map(|corner| {
            let p = sub(at(corner), origin);
            [p[u], p[v]]
        }));
        let flat = &self.flat;
        (0..corners).all(|b| {
            turn(
                flat[(b + corners - 1) % corners],
                flat[b],
                flat[(b + 1) % corners],
            ) >= 0.0
        })
    }

    /// Meisters' ears; a corner's state changes only when a neighbour is clipped, so that the whole is O(n²).
    fn clip_ears(&mut self) {
        let count = self.flat.len();
        let mut previous: Vec<usize> = (0..count).map(|n| (n + count - 1) % count).collect();
        let mut next: Vec<usize> = (0..count).map(|n| (n + 1) % count).collect();
        let mut ears: Vec<bool> = (0..count)
            .map(|corner| self.is_ear(corner, &previous, &next))
            .collect();
        let mut corner = 0;
        for left in (3..=count).rev() {
            // Without an ear the polygon crosses itself: any corner will do.
            for _ in 0..left {
                if ears[corner] {
                    break;
                }
                corner = next[corner];
            }
            let (before, after) = (previous[corner], next[corner]);
            self.triangles.push([before, corner, after]);
            next[before] = after;
            previous[after] = before;
            if left > 4 {
                ears[before] = self.is_ear(before, &previous, &next);
                ears[after] = self.is_ear(after, &previous, &next);
            }
            corner = after;
        }
    }

    fn is_ear(&self, corner: usize, previous: &[usize], next: &[usize]) -> bool {
        let flat = &self.flat;
        let (before, after) = (previous[corner], next[corner]);
        let (a, b, c) = (flat[before], flat[corner], flat[after]);
        if turn(a, b, c) <= 0.0 {
            return false;
        }
        let mut other = next[after];
        while other != before {
            let p = flat[other];
            let inside = turn(a, b, p) >= 0.0 && turn(b, c, p) >= 0.0 && turn(c, a, p) >= 0.0;
            if inside && p != a && p != b && p != c {
                return false;
            }
            other = next[other];
        }
        true
    }
}

/// Twice the signed area of a triangle.
fn turn(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}
