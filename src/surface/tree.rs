//! A tree of boxes over the triangles of a surface: closest points and crossings without looking at every triangle.

use glam::DVec3;

use super::SurfaceMesh;

/// Triangles in a leaf, at most.
const LEAF: usize = 4;
/// Levels of the tree, at most: it is halved by count, and triangles are numbered in 32 bits.
pub const MAX_DEPTH: usize = 40;

/// A node; its first child follows it.
#[derive(Debug, Clone, Copy)]
pub struct Node {
    pub low: DVec3,
    pub high: DVec3,
    /// Triangles of the subtree, in the order of the tree.
    pub first: u32,
    pub count: u32,
    /// The second child, or 0 in a leaf.
    pub second: u32,
}

impl Node {
    pub fn triangles(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

/// Triangles in the order of the tree, and its nodes in preorder.
#[derive(Debug, Clone)]
pub struct Tree {
    pub corners: Vec<[DVec3; 3]>,
    /// The number each triangle has in the surface.
    pub numbers: Vec<u32>,
    pub nodes: Vec<Node>,
}

impl Tree {
    /// Halves the triangles at the median of their centroids along the longest side of those, again and again.
    pub fn new(surface: &SurfaceMesh) -> Self {
        let point =
            |vertex: u32| DVec3::from_array(surface.positions()[vertex as usize].map(f64::from));
        let corners_of = |triangle: u32| surface.triangles()[triangle as usize].map(point);
        let centroid = |triangle: u32| {
            let [a, b, c] = corners_of(triangle);
            a + b + c
        };
        let mut numbers: Vec<u32> = (0..surface.triangles().len() as u32).collect();
        let mut nodes: Vec<Node> = Vec::new();
        // Subtrees still to be made, each with the node that awaits it as its second child.
        let mut open = vec![(0, numbers.len(), None::<usize>)];
        while let Some((first, count, parent)) = open.pop() {
            let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
            let (mut low_centroid, mut high_centroid) = (low, high);
            for &triangle in &numbers[first..first + count] {
                for corner in corners_of(triangle) {
                    low = low.min(corner);
                    high = high.max(corner);
                }
                low_centroid = low_centroid.min(centroid(triangle));
                high_centroid = high_centroid.max(centroid(triangle));
            }
            let place = nodes.len();
            if let Some(parent) = parent {
                nodes[parent].second = place as u32;
            }
            nodes.push(Node {
                low,
                high,
                first: first as u32,
                count: count as u32,
                second: 0,
            });
            if count > LEAF {
                let size = high_centroid - low_centroid;
                let axis = (0..3).fold(
                    0,
                    |best, axis| {
                        if size[axis] > size[best] { axis } else { best }
                    },
                );
                let half = count / 2;
                numbers[first..first + count].select_nth_unstable_by(half, |&p, &q| {
                    // Numbers decide between equals, or the order would be the sort's own affair.
                    centroid(p)[axis]
                        .total_cmp(&centroid(q)[axis])
                        .then(p.cmp(&q))
                });
                open.push((first + half, count - half, Some(place)));
                open.push((first, half, None));
            }
        }
        let corners = numbers.iter().map(|&number| corners_of(number)).collect();
        Self {
            corners,
            numbers,
            nodes,
        }
    }

    /// Where the segment from `start` to `start + along` meets triangles, as fractions of it, ascending; each meeting
    /// once per triangle. A segment through an edge may meet both its triangles or, by rounding, none.
    pub fn crossings(&self, start: DVec3, along: DVec3, found: &mut Vec<f64>) {
        found.clear();
        let end = start + along;
        let (low, high) = (start.min(end), start.max(end));
        let mut stack = [0u32; MAX_DEPTH + 1];
        let mut height = 1;
        while height > 0 {
            height -= 1;
            let place = stack[height];
            let node = &self.nodes[place as usize];
            if node.low.cmpgt(high).any() || node.high.cmplt(low).any() {
                continue;
            }
            if node.second != 0 {
                stack[height] = node.second;
                stack[height + 1] = place + 1;
                height += 2;
                continue;
            }
            found.extend(
                self.corners[node.triangles()]
                    .iter()
                    .filter_map(|&corners| crossing(corners, start, along)),
            );
        }
        crate::sort::sort_by(found, f64::total_cmp);
    }

    /// The closest point of any triangle: place in the tree's order, and the point. Of equals the first one wins.
    pub fn closest(&self, query: DVec3) -> (usize, DVec3) {
        let distance_to = |place: u32| {
            let node = &self.nodes[place as usize];
            (query.clamp(node.low, node.high) - query).length_squared()
        };
        let mut best = (0, self.corners[0][0]);
        let mut nearest = f64::INFINITY;
        let mut stack = [(0u32, 0.0f64); MAX_DEPTH + 1];
        let mut height = 1;
        while height > 0 {
            height -= 1;
            let (place, distance) = stack[height];
            if distance >= nearest {
                continue;
            }
            let node = &self.nodes[place as usize];
            if node.second == 0 {
                for triangle in node.triangles() {
                    let point = closest_on_triangle(self.corners[triangle], query);
                    let distance = (point - query).length_squared();
                    if distance < nearest {
                        nearest = distance;
                        best = (triangle, point);
                    }
                }
                continue;
            }
            let (near, far) = (place + 1, node.second);
            let mut children = [(near, distance_to(near)), (far, distance_to(far))];
            // The nearer one is popped first.
            if children[0].1 <= children[1].1 {
                children.swap(0, 1);
            }
            stack[height..height + 2].copy_from_slice(&children);
            height += 2;
        }
        best
    }
}

/// Where a segment passes through a triangle (Möller and Trumbore 1997), as a fraction of it.
fn crossing([a, b, c]: [DVec3; 3], start: DVec3, along: DVec3) -> Option<f64> {
    let (e1, e2) = (b - a, c - a);
    let p = along.cross(e2);
    let determinant = e1.dot(p);
    if determinant == 0.0 {
        return None;
    }
    let s = start - a;
    let u = s.dot(p) / determinant;
    let q = s.cross(e1);
    let v = along.dot(q) / determinant;
    let t = e2.dot(q) / determinant;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && (0.0..=1.0).contains(&t)).then_some(t)
}

/// The closest point of a triangle (Ericson, Real-Time Collision Detection, 5.1.5). Any triangle will do, also one that
/// is a segment or a point.
pub fn closest_on_triangle([a, b, c]: [DVec3; 3], query: DVec3) -> DVec3 {
    let (ab, ac, ap) = (b - a, c - a, query - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return a;
    }
    let bp = query - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return b;
    }
    let cp = query - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return c;
    }
    let (va, vb, vc) = (d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2);
    // A triangle without area has va = vb = vc = 0 up to rounding: its closest point is on one of the sides.
    if va > 0.0 && vb > 0.0 && vc > 0.0 {
        let scale = 1.0 / (va + vb + vc);
        return a + ab * (vb * scale) + ac * (vc * scale);
    }
    let side = |from: DVec3, to: DVec3| {
        let along = to - from;
        let squared = along.length_squared();
        if squared == 0.0 {
            return from;
        }
        from + along * ((query - from).dot(along) / squared).clamp(0.0, 1.0)
    };
    let mut best = side(a, b);
    for point in [side(b, c), side(c, a)] {
        if (point - query).length_squared() < (best - query).length_squared() {
            best = point;
        }
    }
    best
}
