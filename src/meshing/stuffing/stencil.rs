//! How the inside of one tet of the lattice is filled: the stencils of isosurface stuffing.
//!
//! A tet has two long edges, opposite each other, and four short ones. What is kept of it is a tet, a pyramid or a
//! wedge, and the quadrilaterals on its faces must be halved as the neighbours halve them: by a rule that looks at the
//! face alone.

use glam::IVec3;

use super::cuts::{Side, Warped};
use super::lattice::{DIRECTIONS, NONE};

/// A vertex of the output: a lattice point or a cut point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vertex {
    Point(u32),
    Cut(u32),
}

/// Positive tets by side pattern at most.
const MAX_FILL: usize = 3;

/// One of the 12 tets at an even point: where its corners are seen from that point, positive orientation. Corners 0, 1
/// and corners 2, 3 are joined by long edges.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    offsets: [IVec3; 4],
    /// Direction from the even point to each corner; the first is of no use.
    to: [usize; 4],
    /// Direction from corner to corner.
    between: [[usize; 4]; 4],
}

fn direction_of(offset: IVec3) -> usize {
    DIRECTIONS
        .iter()
        .position(|&direction| direction == offset)
        .unwrap_or(NONE as usize)
}

/// The tets round the three long edges that leave an even point in positive directions. Every tet of the lattice has
/// one long edge between even points, so it occurs at one of them.
pub fn shapes() -> Vec<Shape> {
    let mut shapes = Vec::with_capacity(12);
    for along in 0..3 {
        for (across, third, handed) in [
            ((along + 1) % 3, (along + 2) % 3, 1),
            ((along + 2) % 3, (along + 1) % 3, -1),
        ] {
            for side in [-1, 1] {
                let axis = |axis: usize| IVec3::AXES[axis];
                let middle = axis(along) + side * axis(third);
                let mut pair = [middle - axis(across), middle + axis(across)];
                if side * handed > 0 {
                    pair.swap(0, 1);
                }
                let offsets = [IVec3::ZERO, 2 * axis(along), pair[0], pair[1]];
                shapes.push(Shape {
                    offsets,
                    to: offsets.map(direction_of),
                    between: offsets.map(|from| offsets.map(|to| direction_of(to - from))),
                });
            }
        }
    }
    shapes
}

/// The number of tets that each combination of sides leaves.
pub fn count(sides: [Side; 4]) -> usize {
    let positive = sides.iter().filter(|&&s| s == Side::Positive).count();
    let negative = sides.iter().filter(|&&s| s == Side::Negative).count();
    match (positive, negative) {
        (0, _) => 0,
        (_, 0) | (1, _) => 1,
        (2, 1) => 2,
        _ => MAX_FILL,
    }
}

/// Corners of a tet of the lattice, with what the stencils ask about them.
struct Corners<'a> {
    warped: &'a Warped,
    shape: &'a Shape,
    places: [u32; 4],
}

impl Corners<'_> {
    fn point(&self, corner: usize) -> Vertex {
        Vertex::Point(self.places[corner])
    }

    fn cut(&self, from: usize, to: usize) -> Vertex {
        Vertex::Cut(self.warped.cut_of[self.places[from] as usize][self.shape.between[from][to]])
    }

    fn is_long(from: usize, to: usize) -> bool {
        from / 2 == to / 2
    }

    /// On the face of corners p and q inside and n outside, what is kept is a quadrilateral; whether its diagonal runs
    /// from p (to the cut next to q) rather than from q.
    ///
    /// If one of the two cuts is on a long edge, the diagonal ends there. Otherwise the long edge joins p and q, and
    /// parity decides: the diagonal touches the one that exceeds n in an even number of coordinates. So the two faces
    /// at a long edge that one tet has get opposite diagonals, which is what its wedge can be filled with.
    fn diagonal_from_first(&self, p: usize, q: usize, n: usize) -> bool {
        if Self::is_long(p, n) {
            return false;
        }
        if Self::is_long(q, n) {
            return true;
        }
        let from_outside = self.shape.offsets[p] - self.shape.offsets[n];
        from_outside
            .to_array()
            .iter()
            .filter(|&&c| c > 0)
            .count()
            .is_multiple_of(2)
    }
}

/// Three corners `a` and three `b`, joined pairwise, as three tets. `first[k]` tells whether the diagonal of the
/// quadrilateral opposite edge k runs from the earlier of its two `a`s. (a0, a1, a2, b2) must be positive.
fn fill_wedge(
    a: [Vertex; 3],
    b: [Vertex; 3],
    first: [bool; 3],
    emit: &mut impl FnMut([Vertex; 4]),
) {
    // Diagonals leave the `a`s; ordered by how many leave each, every diagonal runs forwards.
    let mut leaving = [0; 3];
    for (opposite, (i, j)) in [(1, 2), (0, 2), (0, 1)].into_iter().enumerate() {
        leaving[if first[opposite] { i } else { j }] += 1;
    }
    let at = |count: i32| leaving.iter().position(|&c| c == count);
    let (Some(x), Some(y), Some(z)) = (at(2), at(1), at(0)) else {
        unreachable!("invariant: the diagonals of a wedge do not run in a circle");
    };
    let mut emit_wound = |tet: [Vertex; 4]| {
        let [p, q, r, s] = tet;
        let even = (x + 1) % 3 == y;
        emit(if even { tet } else { [p, q, s, r] });
    };
    emit_wound([a[x], a[y], a[z], b[z]]);
    emit_wound([a[x], a[y], b[z], b[y]]);
    emit_wound([a[x], b[x], b[y], b[z]]);
}

/// Emits the tets that fill one tet of the lattice, with positive volume.
fn fill(corners: &Corners<'_>, sides: [Side; 4], emit: &mut impl FnMut([Vertex; 4])) {
    // An even permutation that puts positive corners first, negative ones last where that matters; stencils with two
    // equal corners can always be reached by one.
    let positive = sides.iter().filter(|&&s| s == Side::Positive).count();
    let negative = sides.iter().filter(|&&s| s == Side::Negative).count();
    match (positive, negative) {
        (0, _) => {}
        (_, 0) => emit([0, 1, 2, 3].map(|corner| corners.point(corner))),
        (1, _) => {
            let kept = sides
                .iter()
                .position(|&s| s == Side::Positive)
                .expect("invariant: one corner is positive");
            emit([0, 1, 2, 3].map(|corner| {
                if sides[corner] == Side::Negative {
                    corners.cut(kept, corner)
                } else {
                    corners.point(corner)
                }
            }));
        }
        (2, 1) => {
            // A pyramid over the quadrilateral p, q, cut of q, cut of p, with the moved corner as its apex.
            let [p, q, z, n] = sorted(sides);
            let [vp, vq, apex] = [p, q, z].map(|corner| corners.point(corner));
            let (cp, cq) = (corners.cut(p, n), corners.cut(q, n));
            if corners.diagonal_from_first(p, q, n) {
                emit([vp, vq, apex, cq]);
                emit([vp, cq, apex, cp]);
            } else {
                emit([vp, vq, apex, cp]);
                emit([vq, cq, apex, cp]);
            }
        }
        (2, _) => {
            // A wedge between the triangles of p and of q with their cuts. The quadrilateral of the four cuts lies
            // within this tet; its diagonal is the one that goes with the two others.
            let [p, q, m, n] = sorted(sides);
            let from_p_near_m = corners.diagonal_from_first(p, q, m);
            let from_p_near_n = corners.diagonal_from_first(p, q, n);
            // The wedge's edges are p–q, the cuts near m, the cuts near n. Diagonals at p and q in one face each: the
            // third must meet both.
            let middle_from_m = !from_p_near_m;
            debug_assert_ne!(from_p_near_m, from_p_near_n);
            fill_wedge(
                [corners.point(p), corners.cut(p, m), corners.cut(p, n)],
                [corners.point(q), corners.cut(q, m), corners.cut(q, n)],
                [middle_from_m, from_p_near_n, from_p_near_m],
                emit,
            );
        }
        _ => {
            // The tet less its tip at n.
            let [p, q, r, n] = sorted(sides);
            fill_wedge(
                [p, q, r].map(|corner| corners.point(corner)),
                [p, q, r].map(|corner| corners.cut(corner, n)),
                [
                    corners.diagonal_from_first(q, r, n),
                    corners.diagonal_from_first(p, r, n),
                    corners.diagonal_from_first(p, q, n),
                ],
                emit,
            );
        }
    }
}

/// The corners with positive ones first and negative ones last, in an even permutation. Two of them must be alike.
fn sorted(sides: [Side; 4]) -> [usize; 4] {
    let rank = |corner: usize| match sides[corner] {
        Side::Positive => 0,
        Side::Zero => 1,
        Side::Negative => 2,
    };
    let mut order = [0, 1, 2, 3];
    let mut odd = false;
    for end in (1..4).rev() {
        for place in 0..end {
            if rank(order[place]) > rank(order[place + 1]) {
                order.swap(place, place + 1);
                odd = !odd;
            }
        }
    }
    if odd {
        // The first two are alike: with two or more positive corners they are both positive.
        order.swap(0, 1);
    }
    order
}

impl Warped {
    /// Calls `visit` with every tet of the lattice that has a corner inside.
    pub fn each_tet(&self, shapes: &[Shape], mut visit: impl FnMut(&Shape, [u32; 4], [Side; 4])) {
        for (place, point) in (0u32..).zip(&self.lattice.points) {
            if point.x % 2 != 0 {
                continue;
            }
            let neighbours = &self.lattice.neighbours[place as usize];
            for shape in shapes {
                let places = [
                    place,
                    neighbours[shape.to[1]],
                    neighbours[shape.to[2]],
                    neighbours[shape.to[3]],
                ];
                // A point inside has all its neighbours, so a tet that lacks a corner has none inside.
                if places.contains(&NONE) {
                    continue;
                }
                let sides = places.map(|place| self.sides[place as usize]);
                if sides.contains(&Side::Positive) {
                    visit(shape, places, sides);
                }
            }
        }
    }

    /// The number of tets that [`Warped::each_filled`] gives.
    pub fn count(&self) -> usize {
        let mut total = 0;
        self.each_tet(&shapes(), |_, _, sides| total += count(sides));
        total
    }

    /// Calls `emit` with every tet of the result.
    pub fn each_filled(&self, mut emit: impl FnMut([Vertex; 4])) {
        self.each_tet(&shapes(), |shape, places, sides| {
            let corners = Corners {
                warped: self,
                shape,
                places,
            };
            fill(&corners, sides, &mut emit);
        });
    }
}
