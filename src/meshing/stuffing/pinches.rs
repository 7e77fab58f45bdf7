//! Keeps the boundary a 2-manifold: where warping would make it touch itself, points stay where they were.
//!
//! At features about as thin as a cell, warping may leave parts of the body, or of the space round it, that touch in an
//! edge or a vertex only. That happens at moved points alone: round a cut point the boundary is always a disc. So a
//! moved point at such a pinch is put back, inside or outside as it was, and the cut points at it are shifted to the
//! thresholds that keep the angles. Points are only ever put back, so this ends; it keeps ears on.

use super::MeshingError;
use super::cuts::{Side, Warped};
use super::lattice::{DIRECTIONS, NONE};
use super::progress::Progress;

/// How the 14 neighbours of a point hang together: a triangulated sphere.
struct Link {
    /// Triangles, as directions.
    triangles: Vec<[usize; 3]>,
    edges: Vec<[usize; 2]>,
    /// Round each neighbour, those that adjoin it and the point, in turn.
    rings: [Vec<usize>; 14],
}

impl Link {
    fn new() -> Self {
        let adjoin = |a: usize, b: usize| DIRECTIONS.contains(&(DIRECTIONS[a] - DIRECTIONS[b]));
        let (mut triangles, mut edges) = (Vec::new(), Vec::new());
        for a in 0..14 {
            for b in (a + 1..14).filter(|&b| adjoin(a, b)) {
                edges.push([a, b]);
                triangles.extend(
                    (b + 1..14)
                        .filter(|&c| adjoin(a, c) && adjoin(b, c))
                        .map(|c| [a, b, c]),
                );
            }
        }
        let rings = std::array::from_fn(|centre| {
            let mut open: Vec<usize> = (0..14).filter(|&d| adjoin(centre, d)).collect();
            let mut ring: Vec<usize> = open.drain(..1).collect();
            while let Some(place) = ring
                .last()
                .and_then(|&last| open.iter().position(|&next| adjoin(last, next)))
            {
                ring.push(open.remove(place));
            }
            ring
        });
        Self {
            triangles,
            edges,
            rings,
        }
    }

    /// Whether the body at a moved point, whose neighbours lie on these sides, is anything but a half-space, all of
    /// space or nothing, up to bending.
    fn is_pinched(&self, sides: &[Side; 14]) -> bool {
        let positive = |d: usize| sides[d] == Side::Positive;
        let zero = |d: usize| sides[d] == Side::Zero;
        // Edges from the point to another moved one: one fan of tets round each.
        for centre in (0..14).filter(|&d| zero(d)) {
            let ring = &self.rings[centre];
            let next = |place: usize| ring[(place + 1) % ring.len()];
            let is_filled = |place: usize| positive(ring[place]) || positive(next(place));
            let fans = (0..ring.len())
                .filter(|&place| {
                    let joint = next(place);
                    let goes_on =
                        is_filled((place + 1) % ring.len()) && (positive(joint) || zero(joint));
                    is_filled(place) && !goes_on
                })
                .count();
            if fans > 1 {
                return true;
            }
        }
        // What the body covers of the sphere shrinks to a complex of points not outside, with the same parts and holes.
        let mut used = [false; 14];
        let mut triangles = 0;
        let mut root: [usize; 14] = std::array::from_fn(|d| d);
        let mut edges = 0;
        for &[a, b] in &self.edges {
            let kept = match (sides[a], sides[b]) {
                (Side::Negative, _) | (_, Side::Negative) => false,
                (Side::Zero, Side::Zero) => self.rings[a]
                    .iter()
                    .any(|&c| positive(c) && self.rings[b].contains(&c)),
                _ => true,
            };
            if kept {
                edges += 1;
                (used[a], used[b]) = (true, true);
                let (p, q) = (root[a], root[b]);
                for r in &mut root {
                    if *r == q {
                        *r = p;
                    }
                }
            }
        }
        for corners in &self.triangles {
            let outside = corners.iter().any(|&c| sides[c] == Side::Negative);
            if !outside && corners.iter().any(|&c| positive(c)) {
                triangles += 1;
            }
        }
        for (d, used) in used.iter_mut().enumerate() {
            *used |= positive(d);
        }
        let vertices = (0..14).filter(|&d| used[d]).count();
        let parts = (0..14)
            .filter(|&d| used[d] && (0..d).all(|e| !used[e] || root[e] != root[d]))
            .count();
        // Euler's number: a disc has 1, the sphere 2, a ring 0.
        parts > 1 || parts == 1 && vertices + triangles < edges + 1
    }
}

impl Warped {
    /// Puts moved points back that would otherwise take a thin feature with them: those inside with no neighbour left
    /// inside. Without this, parts thinner than a cell vanish though the lattice has points in them; with it they
    /// come out somewhat too thick.
    pub fn put_back_lonely(&mut self) {
        let lonely: Vec<u32> = (0..self.sides.len() as u32)
            .filter(|&place| {
                self.lattice.inside[place as usize]
                    && self.sides[place as usize] == Side::Zero
                    && self.lattice.neighbours[place as usize]
                        .iter()
                        .all(|&neighbour| self.sides[neighbour as usize] != Side::Positive)
            })
            .collect();
        for place in lonely {
            self.put_back(place);
        }
    }

    /// Puts moved points back where the boundary would otherwise touch itself.
    pub fn put_back_pinched(&mut self, progress: &mut Progress<'_>) -> Result<(), MeshingError> {
        let link = Link::new();
        let mut open: Vec<u32> = (0..self.sides.len() as u32).collect();
        while !open.is_empty() {
            let mut touched = Vec::new();
            for (number, &place) in open.iter().enumerate() {
                if number % (1 << 14) == 0 {
                    progress.at(1.0)?;
                }
                if self.sides[place as usize] != Side::Zero {
                    continue;
                }
                let neighbours = &self.lattice.neighbours[place as usize];
                let sides = neighbours.map(|neighbour| match neighbour {
                    NONE => Side::Negative,
                    neighbour => self.sides[neighbour as usize],
                });
                if link.is_pinched(&sides) {
                    touched.extend(neighbours.iter().filter(|&&neighbour| neighbour != NONE));
                    self.put_back(place);
                }
            }
            crate::sort::sort(&mut touched);
            touched.dedup();
            open = touched;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_link_of_a_point_is_a_sphere() {
        let link = Link::new();
        assert_eq!((link.edges.len(), link.triangles.len()), (36, 24));
        for (direction, ring) in link.rings.iter().enumerate() {
            let expected = if super::super::lattice::is_long(direction) {
                4
            } else {
                6
            };
            assert_eq!(ring.len(), expected);
            let (first, last) = (ring[0], ring[ring.len() - 1]);
            assert!(DIRECTIONS.contains(&(DIRECTIONS[first] - DIRECTIONS[last])));
        }
    }

    #[test]
    fn pinches_are_told_from_discs() {
        let link = Link::new();
        let sides = |side: fn(usize) -> Side| std::array::from_fn(side);
        let by = |positive: bool| {
            if positive {
                Side::Positive
            } else {
                Side::Negative
            }
        };
        assert!(!link.is_pinched(&[Side::Positive; 14]));
        assert!(!link.is_pinched(&[Side::Negative; 14]));
        assert!(!link.is_pinched(&[Side::Zero; 14]));
        // A half-space, and its boundary moved onto the surface.
        assert!(!link.is_pinched(&std::array::from_fn(|d| by(DIRECTIONS[d].x > 0))));
        assert!(
            !link.is_pinched(&std::array::from_fn(|d| match DIRECTIONS[d].x {
                0 => Side::Zero,
                x => by(x > 0),
            }))
        );
        // Two opposite neighbours only; all but two opposite ones.
        assert!(link.is_pinched(&sides(|d| if d == 0 || d == 13 {
            Side::Positive
        } else {
            Side::Negative
        })));
        assert!(link.is_pinched(&sides(|d| if d == 0 || d == 13 {
            Side::Negative
        } else {
            Side::Positive
        })));
        // Two wedges that meet in the edge to a moved neighbour: of the four round it, two opposite ones are inside.
        let ring = &link.rings[0];
        let mut wedges = [Side::Negative; 14];
        wedges[0] = Side::Zero;
        (wedges[ring[0]], wedges[ring[2]]) = (Side::Positive, Side::Positive);
        assert!(link.is_pinched(&wedges));
    }
}
