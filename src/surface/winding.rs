//! Generalised winding numbers: solid angles of near triangles, and a Taylor expansion for those far away.
//!
//! The winding number of a closed surface is 1 inside, 0 outside; that of an open or self-intersecting surface falls off
//! smoothly across its holes (Jacobson, Kavan, Sorkine-Hornung 2013). The hierarchy is that of Barill, Dickson, Schmidt,
//! Levin, Jacobson, "Fast Winding Numbers for Soups and Clouds", ACM Transactions on Graphics 37(4), 2018.

use std::f64::consts::PI;

use glam::{DMat3, DVec3};

use super::tree::{MAX_DEPTH, Tree};

/// What a cluster of triangles looks like from afar: the terms of the expansion of ∫ n·g dA round its centre with
/// g(x) = (x − q)/|x − q|³, up to the second derivatives of g.
#[derive(Debug, Clone, Copy)]
pub struct Moments {
    centre: DVec3,
    /// Of a ball round the centre that holds the cluster, squared.
    radius_squared: f64,
    /// ∫ n dA.
    dipole: DVec3,
    /// ∫ n·d dA, where d is measured from the centre.
    trace: f64,
    /// Symmetric part of ∫ n dᵀ dA: xx, yy, zz, and the sums xy+yx, yz+zy, zx+xz.
    quadratic: [f64; 6],
    /// ∫ (2 (n·d) d + n d²) dA.
    vector: DVec3,
    /// ∫ (n·r)(d·r)² dA as a form in r: coefficients of xxx, yyy, zzz, xxy, xxz, yyx, yyz, zzx, zzy, xyz.
    cubic: [f64; 10],
}

/// Integrals about one point common to all nodes, so that those of a node are the sum of its children's.
#[derive(Clone, Copy)]
struct Sums {
    area: f64,
    centroid: DVec3,
    zeroth: DVec3,
    /// Row i is ∫ n_i d dA.
    first: [DVec3; 3],
    /// Entry i is ∫ n_i d dᵀ dA.
    second: [DMat3; 3],
}

fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

impl Sums {
    const ZERO: Self = Self {
        area: 0.0,
        centroid: DVec3::ZERO,
        zeroth: DVec3::ZERO,
        first: [DVec3::ZERO; 3],
        second: [DMat3::ZERO; 3],
    };

    fn of_triangle(corners: [DVec3; 3], about: DVec3) -> Self {
        let [a, b, c] = corners.map(|corner| corner - about);
        let normal = 0.5 * (b - a).cross(c - a);
        let centroid = (a + b + c) / 3.0;
        // ∫ d dᵀ dA over a triangle is A/12 (Σ vvᵀ + 9 ccᵀ).
        let spread = (outer(a, a) + outer(b, b) + outer(c, c) + outer(centroid, centroid) * 9.0)
            * (1.0 / 12.0);
        let area = normal.length();
        Self {
            area,
            centroid: area * centroid,
            zeroth: normal,
            first: [0, 1, 2].map(|i| normal[i] * centroid),
            second: [0, 1, 2].map(|i| spread * normal[i]),
        }
    }

    fn add(&mut self, other: &Self) {
        self.area += other.area;
        self.centroid += other.centroid;
        self.zeroth += other.zeroth;
        for i in 0..3 {
            self.first[i] += other.first[i];
            self.second[i] += other.second[i];
        }
    }

    fn moments(&self, about: DVec3, low: DVec3, high: DVec3) -> Moments {
        let middle = 0.5 * (low + high) - about;
        let shift = if self.area > 0.0 {
            self.centroid / self.area
        } else {
            middle
        };
        let centre = about + shift;
        let n = self.zeroth;
        // Moved from `about` to the centre: d' = d − shift.
        let first: [DVec3; 3] = [0, 1, 2].map(|i| self.first[i] - n[i] * shift);
        let second: [DMat3; 3] = [0, 1, 2].map(|i| {
            self.second[i] - outer(self.first[i], shift) - outer(shift, self.first[i])
                + outer(shift, shift) * n[i]
        });
        let t = |i: usize, j: usize, k: usize| second[i].col(j)[k];
        let vector = [0, 1, 2].map(|k| (0..3).map(|i| 2.0 * t(i, i, k) + t(k, i, i)).sum::<f64>());
        let (x, y, z) = (0, 1, 2);
        // r_a² r_b: the normal's component may be either a (twice, for d_a d_b) or b.
        let square = |a: usize, b: usize| 2.0 * t(a, a, b) + t(b, a, a);
        Moments {
            centre,
            radius_squared: (high - centre).max(centre - low).length_squared(),
            dipole: n,
            trace: first[x].x + first[y].y + first[z].z,
            quadratic: [
                first[x].x,
                first[y].y,
                first[z].z,
                first[x].y + first[y].x,
                first[y].z + first[z].y,
                first[z].x + first[x].z,
            ],
            vector: DVec3::from_array(vector),
            cubic: [
                t(x, x, x),
                t(y, y, y),
                t(z, z, z),
                square(x, y),
                square(x, z),
                square(y, x),
                square(y, z),
                square(z, x),
                square(z, y),
                2.0 * (t(x, y, z) + t(y, z, x) + t(z, x, y)),
            ],
        }
    }
}

impl Moments {
    /// Solid angle of the cluster, `r` from the query to its centre.
    fn solid_angle(&self, r: DVec3, squared: f64) -> f64 {
        let per_square = 1.0 / squared;
        let per_cube = per_square * per_square.sqrt();
        let q = &self.quadratic;
        let form = q[0] * r.x * r.x
            + q[1] * r.y * r.y
            + q[2] * r.z * r.z
            + q[3] * r.x * r.y
            + q[4] * r.y * r.z
            + q[5] * r.z * r.x;
        let c = &self.cubic;
        let cubic = r.x * r.x * (c[0] * r.x + c[3] * r.y + c[4] * r.z)
            + r.y * r.y * (c[1] * r.y + c[5] * r.x + c[6] * r.z)
            + r.z * r.z * (c[2] * r.z + c[7] * r.x + c[8] * r.y)
            + c[9] * r.x * r.y * r.z;
        per_cube
            * (self.dipole.dot(r) + self.trace
                - per_square * (3.0 * form + 1.5 * self.vector.dot(r))
                + 7.5 * per_square * per_square * cubic)
    }
}

/// The moments of every node.
pub fn moments(tree: &Tree) -> Vec<Moments> {
    let root = &tree.nodes[0];
    let about = 0.5 * (root.low + root.high);
    let mut sums = vec![Sums::ZERO; tree.nodes.len()];
    // Children come after their parents.
    for place in (0..tree.nodes.len()).rev() {
        let node = &tree.nodes[place];
        let mut sum = Sums::ZERO;
        if node.second == 0 {
            for &corners in &tree.corners[node.triangles()] {
                sum.add(&Sums::of_triangle(corners, about));
            }
        } else {
            sum.add(&sums[place + 1]);
            sum.add(&sums[node.second as usize]);
        }
        sums[place] = sum;
    }
    tree.nodes
        .iter()
        .zip(&sums)
        .map(|(node, sum)| sum.moments(about, node.low, node.high))
        .collect()
}

/// Clusters farther than `beta` times their radius are expanded, the others opened.
pub fn winding_number(tree: &Tree, moments: &[Moments], beta: f64, query: DVec3) -> f64 {
    let beta_squared = beta * beta;
    let mut angle = 0.0;
    let mut stack = [0u32; MAX_DEPTH + 1];
    let mut height = 1;
    while height > 0 {
        height -= 1;
        let place = stack[height];
        let cluster = &moments[place as usize];
        let r = cluster.centre - query;
        let squared = r.length_squared();
        if squared > beta_squared * cluster.radius_squared {
            angle += cluster.solid_angle(r, squared);
            continue;
        }
        let node = &tree.nodes[place as usize];
        if node.second != 0 {
            stack[height] = node.second;
            stack[height + 1] = place + 1;
            height += 2;
            continue;
        }
        for &corners in &tree.corners[node.triangles()] {
            angle += solid_angle(corners, query);
        }
    }
    angle / (4.0 * PI)
}

/// The solid angle of a triangle, positive where it is seen from behind (Van Oosterom and Strackee 1983).
pub fn solid_angle(corners: [DVec3; 3], query: DVec3) -> f64 {
    let [a, b, c] = corners.map(|corner| corner - query);
    let (la, lb, lc) = (a.length(), b.length(), c.length());
    let numerator = a.dot(b.cross(c));
    let denominator = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    2.0 * numerator.atan2(denominator)
}
