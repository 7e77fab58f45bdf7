//! A surface made fit for filling: triangles that face the wrong way turned round, copies left out.

use std::borrow::Cow;
use std::collections::VecDeque;

use glam::DVec3;

use super::survey::welded_triangles;
use super::{SurfaceLook, SurfaceMesh};
use crate::sort::union_root;

const NONE: u32 = u32::MAX;

/// A surface whose triangles face the same way wherever their edges tell.
#[derive(Debug, Clone, PartialEq)]
pub struct Oriented<'a> {
    /// The surface: the given one where nothing was to be done, otherwise one without look.
    pub surface: Cow<'a, SurfaceMesh>,
    /// Triangles that were turned round.
    pub turned: usize,
    /// Triangles left out, because they have the three vertices of an earlier one.
    pub dropped: usize,
}

/// Turns triangles round so that neighbours across an edge of exactly two triangles face the same way.
///
/// Of each set of triangles that hang together by such edges the majority keeps its winding. A set that cannot be
/// oriented, such as a Möbius strip, is turned as far as it leaves fewer edges between opposite triangles.
///
/// Of triangles with the same three vertices, whichever way round, the first is kept: the windings of a surface whose
/// triangles are all there both ways round cancel, and nothing would be inside. Only a wall between two parts keeps its
/// copies, one of each part: there cancelling is right.
///
/// Vertices at bit-identical positions count as one. O(n log n) time; equal surfaces give equal results.
pub fn oriented(surface: &SurfaceMesh) -> Oriented<'_> {
    let triangles = welded_triangles(surface);
    let copies = Copies::new(&triangles);
    let kept = copies.kept(&triangles);
    let dropped = triangles.len() - kept.len();
    let turn = Patches::new(&triangles, &kept).turned(&copies, surface);
    let turned = turn.iter().filter(|&&turn| turn).count();
    if turned == 0 && dropped == 0 {
        return Oriented {
            surface: Cow::Borrowed(surface),
            turned,
            dropped,
        };
    }
    let triangles = kept
        .iter()
        .map(|&number| {
            let [a, b, c] = surface.triangles()[number as usize];
            if turn[number as usize] {
                [a, c, b]
            } else {
                [a, b, c]
            }
        })
        .collect();
    let result = SurfaceMesh::new(
        surface.positions().to_vec(),
        triangles,
        SurfaceLook::default(),
    )
    .expect("invariant: some triangles of a valid surface, one at least");
    Oriented {
        surface: Cow::Owned(result),
        turned,
        dropped,
    }
}

/// A side of a triangle.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Side {
    ends: [u32; 2],
    triangle: u32,
    /// 0, 1 or 2.
    corner: u8,
    /// From the smaller vertex to the larger one.
    forward: bool,
}

/// The sides of some triangles, those at one edge next to each other; none of triangles with a vertex twice.
fn sides(triangles: &[[u32; 3]], numbers: impl Iterator<Item = u32>) -> Vec<Side> {
    let mut sides = Vec::new();
    for number in numbers {
        let [a, b, c] = triangles[number as usize];
        if a == b || b == c || c == a {
            continue;
        }
        for (corner, (from, to)) in (0u8..).zip([(a, b), (b, c), (c, a)]) {
            sides.push(Side {
                ends: [from.min(to), from.max(to)],
                triangle: number,
                corner,
                forward: from < to,
            });
        }
    }
    crate::sort::sort(&mut sides);
    sides
}

/// Which triangles have the same three vertices.
struct Copies {
    /// For each triangle the first one with its vertices.
    first: Vec<u32>,
    /// For each of those: whether there are others.
    repeated: Vec<bool>,
    /// And whether they are there both ways round.
    two_way: Vec<bool>,
}

impl Copies {
    fn new(triangles: &[[u32; 3]]) -> Self {
        let mut sorted: Vec<([u32; 3], u32)> = triangles
            .iter()
            .map(|&corners| crate::sort::sorted3(corners))
            .zip(0..)
            .collect();
        crate::sort::sort(&mut sorted);
        let mut copies = Self {
            first: (0..triangles.len() as u32).collect(),
            repeated: vec![false; triangles.len()],
            two_way: vec![false; triangles.len()],
        };
        for group in sorted.chunk_by(|p, q| p.0 == q.0).filter(|g| g.len() > 1) {
            let first = group[0].1;
            let [a, b, c] = triangles[first as usize];
            copies.repeated[first as usize] = true;
            for &(_, number) in group {
                copies.first[number as usize] = first;
                let same_way =
                    [[a, b, c], [b, c, a], [c, a, b]].contains(&triangles[number as usize]);
                copies.two_way[first as usize] |= !same_way;
            }
        }
        copies
    }

    /// The triangles without copies, ascending; walls between parts keep theirs.
    fn kept(&self, triangles: &[[u32; 3]]) -> Vec<u32> {
        let all = 0..triangles.len() as u32;
        if !self.repeated.contains(&true) {
            return all.collect();
        }
        let is_first = |number: &u32| self.first[*number as usize] == *number;
        let sides = sides(triangles, all.clone().filter(is_first));
        let edges = || sides.chunk_by(|p, q| p.ends == q.ends);
        let repeated_at = |edge: &[Side]| -> Vec<u32> {
            let triangles = edge.iter().map(|side| side.triangle);
            triangles
                .filter(|&number| self.repeated[number as usize])
                .collect()
        };
        // Sets of repeated triangles that hang together by edges.
        let mut parent: Vec<u32> = all.clone().collect();
        for edge in edges() {
            for pair in repeated_at(edge).windows(2) {
                let (p, q) = (
                    union_root(&mut parent, pair[0]),
                    union_root(&mut parent, pair[1]),
                );
                parent[p.max(q) as usize] = p.min(q);
            }
        }
        // At its rim a wall meets a triangle of either part, and what fills a hole a single one.
        let mut wall = vec![0i64; triangles.len()];
        for edge in edges() {
            if let [number] = repeated_at(edge)[..] {
                let votes = &mut wall[union_root(&mut parent, number) as usize];
                match edge.len() - 1 {
                    0 => {}
                    single if single % 2 == 0 => *votes += 1,
                    _ => *votes -= 1,
                }
            }
        }
        all.filter(|&number| {
            let first = self.first[number as usize];
            first == number || wall[union_root(&mut parent, first) as usize] > 0
        })
        .collect()
    }
}

/// Triangles and their neighbours across edges of exactly two.
struct Patches<'a> {
    kept: &'a [u32],
    /// Across each side the neighbour, and whether it faces the other way; [`NONE`] where there is not exactly one.
    neighbours: Vec<[(u32, bool); 3]>,
    inconsistent: bool,
}

impl<'a> Patches<'a> {
    fn new(triangles: &[[u32; 3]], kept: &'a [u32]) -> Self {
        let mut neighbours = vec![[(NONE, false); 3]; triangles.len()];
        let mut inconsistent = false;
        let sides = sides(triangles, kept.iter().copied());
        for edge in sides.chunk_by(|p, q| p.ends == q.ends) {
            if let [p, q] = edge {
                let opposite = p.forward == q.forward;
                inconsistent |= opposite;
                neighbours[p.triangle as usize][p.corner as usize] = (q.triangle, opposite);
                neighbours[q.triangle as usize][q.corner as usize] = (p.triangle, opposite);
            }
        }
        Self {
            kept,
            neighbours,
            inconsistent,
        }
    }

    /// For each triangle whether it is to be turned round.
    fn turned(&self, copies: &Copies, surface: &SurfaceMesh) -> Vec<bool> {
        let mut turn = vec![false; self.neighbours.len()];
        if !self.inconsistent {
            return turn;
        }
        let mut seen = vec![false; self.neighbours.len()];
        let mut queue = VecDeque::new();
        for &start in self.kept {
            if std::mem::replace(&mut seen[start as usize], true) {
                continue;
            }
            let mut patch = vec![start];
            queue.push_back(start);
            while let Some(number) = queue.pop_front() {
                for (other, opposite) in self.neighbours[number as usize] {
                    if other != NONE && !std::mem::replace(&mut seen[other as usize], true) {
                        turn[other as usize] = turn[number as usize] ^ opposite;
                        patch.push(other);
                        queue.push_back(other);
                    }
                }
            }
            self.settle(&patch, &mut turn, copies, surface);
        }
        turn
    }

    /// Of the two ways to orient a patch that was flooded, or none of them, takes the best.
    fn settle(&self, patch: &[u32], turn: &mut [bool], copies: &Copies, surface: &SurfaceMesh) {
        let (mut before, mut after) = (0, 0);
        for &number in patch {
            for (other, opposite) in self.neighbours[number as usize] {
                if other != NONE {
                    before += usize::from(opposite);
                    after += usize::from(opposite ^ turn[number as usize] ^ turn[other as usize]);
                }
            }
        }
        if after >= before {
            for &number in patch {
                turn[number as usize] = false;
            }
            return;
        }
        // A triangle that was there both ways round has no say.
        let balance: i64 = patch
            .iter()
            .filter(|&&number| !copies.two_way[copies.first[number as usize] as usize])
            .map(|&number| if turn[number as usize] { 1 } else { -1 })
            .sum();
        if balance > 0 || (balance == 0 && volume(patch, turn, surface) < 0.0) {
            for &number in patch {
                turn[number as usize] ^= true;
            }
        }
    }
}

/// What a patch encloses as it is turned, closed by a cone to the mean of its corners.
fn volume(patch: &[u32], turn: &[bool], surface: &SurfaceMesh) -> f64 {
    let corners = |number: u32| {
        surface.triangles()[number as usize]
            .map(|vertex| DVec3::from_array(surface.positions()[vertex as usize].map(f64::from)))
    };
    let sum: DVec3 = patch.iter().flat_map(|&number| corners(number)).sum();
    let centre = sum / (3 * patch.len()) as f64;
    patch
        .iter()
        .map(|&number| {
            let [a, b, c] = corners(number).map(|corner| corner - centre);
            let volume = a.dot(b.cross(c)) / 6.0;
            if turn[number as usize] {
                -volume
            } else {
                volume
            }
        })
        .sum()
}
