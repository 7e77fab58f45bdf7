//! Cut points, where lattice edges leave the surface, and warping, which moves lattice points that are too close to one.

use glam::DVec3;

use super::MeshingError;
use super::lattice::{Lattice, NONE, is_long};
use super::progress::{Progress, map};
use crate::surface::{SurfaceIndex, SurfaceSurvey};

/// A lattice point moves onto a cut point that is nearer than this fraction of a long edge.
///
/// With these two thresholds every dihedral angle lies between 10.7° and 164.8°, wherever the cut points are (Labelle
/// and Shewchuk 2007). The pair 0.24999, 0.41189 that is often quoted has a smaller largest angle, but only 9.3° to
/// 161.7°: `docs/notes/isosurface-stuffing.md`.
pub const ALPHA_LONG: f64 = 0.285;
/// The same for short edges.
pub const ALPHA_SHORT: f64 = 0.3988;
/// Sides of a crossing are looked at this fraction of the edge away from it.
const ASIDE: f64 = 1e-6;
/// Where no triangle is crossed the place of the cut is found to this fraction of the edge.
const SHARPNESS: f64 = 1e-4;

/// Where a lattice point stands after warping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Inside.
    Positive,
    /// Outside.
    Negative,
    /// Moved onto the surface.
    Zero,
}

/// The lattice after warping, with the cut points that are left.
pub struct Warped {
    pub lattice: Lattice,
    pub positions: Vec<DVec3>,
    pub sides: Vec<Side>,
    pub cuts: Vec<DVec3>,
    /// Where each edge is cut, from its inner end.
    fractions: Vec<f64>,
    /// The cut of each edge at each point, or [`NONE`]. One that touches a moved point no longer counts.
    pub cut_of: Vec<[u32; 14]>,
}

impl Warped {
    /// Cuts the edges between points inside and outside, and warps the points.
    pub fn new(
        lattice: Lattice,
        index: &SurfaceIndex,
        survey: &SurfaceSurvey,
        progress: &mut Progress<'_>,
    ) -> Result<Self, MeshingError> {
        let edges = cut_edges(&lattice);
        let is_inside = |place: DVec3| survey.is_inside(index.winding_number(place));
        let fractions = map(&edges, progress, (0.6, 0.9), |&(place, direction)| {
            let start = lattice.position(place);
            let along = lattice.along(direction);
            let mut crossings = Vec::new();
            index.crossings(start, along, &mut crossings);
            exit(start, along, &crossings, survey.closed, is_inside)
        })?;
        progress.at(0.9)?;
        Ok(Self::warp(lattice, &edges, fractions))
    }

    /// Warps the points one after the other: one that is too close to cut points moves onto the closest, and all cut
    /// points at it are given up. `fractions` tell where each edge is cut, from its inner end.
    pub fn warp(lattice: Lattice, edges: &[(u32, usize)], fractions: Vec<f64>) -> Self {
        let mut cut_of = vec![[NONE; 14]; lattice.points.len()];
        let mut cuts = Vec::with_capacity(edges.len());
        for (&(place, direction), &fraction) in edges.iter().zip(&fractions) {
            let other = lattice.neighbours[place as usize][direction];
            cut_of[place as usize][direction] = cuts.len() as u32;
            cut_of[other as usize][13 - direction] = cuts.len() as u32;
            cuts.push(lattice.position(place) + fraction * lattice.along(direction));
        }
        let mut positions: Vec<DVec3> = (0..lattice.points.len() as u32)
            .map(|place| lattice.position(place))
            .collect();
        let mut sides: Vec<Side> = lattice
            .inside
            .iter()
            .map(|&inside| {
                if inside {
                    Side::Positive
                } else {
                    Side::Negative
                }
            })
            .collect();
        for place in 0..lattice.points.len() {
            let mut nearest = f64::INFINITY;
            let mut onto = NONE;
            for (direction, &cut) in cut_of[place].iter().enumerate() {
                if cut == NONE || sides[lattice.neighbours[place][direction] as usize] == Side::Zero
                {
                    continue;
                }
                let from_inside = fractions[cut as usize];
                let fraction = if lattice.inside[place] {
                    from_inside
                } else {
                    1.0 - from_inside
                };
                let (threshold, length) = if is_long(direction) {
                    (ALPHA_LONG, 1.0)
                } else {
                    (ALPHA_SHORT, 0.75f64.sqrt())
                };
                if fraction < threshold && fraction * length < nearest {
                    nearest = fraction * length;
                    onto = cut;
                }
            }
            if onto != NONE {
                positions[place] = cuts[onto as usize];
                sides[place] = Side::Zero;
            }
        }
        Self {
            lattice,
            positions,
            sides,
            cuts,
            fractions,
            cut_of,
        }
    }

    /// Puts a moved point back. The cut points between it and the points that are not moved stand where the surface is
    /// or, where that is too close to an end, at the threshold.
    pub fn put_back(&mut self, place: u32) {
        let inside = self.lattice.inside[place as usize];
        let (own, other) = if inside {
            (Side::Positive, Side::Negative)
        } else {
            (Side::Negative, Side::Positive)
        };
        self.positions[place as usize] = self.lattice.position(place);
        self.sides[place as usize] = own;
        for (direction, &neighbour) in self.lattice.neighbours[place as usize].iter().enumerate() {
            if neighbour == NONE || self.sides[neighbour as usize] != other {
                continue;
            }
            let cut = self.cut_of[place as usize][direction];
            let fraction = self.fractions[cut as usize];
            let from_here = if inside { fraction } else { 1.0 - fraction };
            let threshold = if is_long(direction) {
                ALPHA_LONG
            } else {
                ALPHA_SHORT
            };
            // Not clamp, whose check of its bounds brings the printing of floats into the module.
            self.cuts[cut as usize] = self.positions[place as usize]
                + from_here.max(threshold).min(1.0 - threshold) * self.lattice.along(direction);
        }
    }
}

/// The edges from a point inside to one outside: the point inside, and the direction.
pub fn cut_edges(lattice: &Lattice) -> Vec<(u32, usize)> {
    let mut edges = Vec::new();
    for place in 0..lattice.points.len() as u32 {
        if !lattice.inside[place as usize] {
            continue;
        }
        for (direction, &other) in lattice.neighbours[place as usize].iter().enumerate() {
            // All neighbours of a point inside are in the lattice.
            if !lattice.inside[other as usize] {
                edges.push((place, direction));
            }
        }
    }
    edges
}

/// Where an edge that starts inside and ends outside leaves, as a fraction of it: a crossing of the surface, or, at a
/// hole, the place where the winding number passes 1/2.
fn exit(
    start: DVec3,
    along: DVec3,
    crossings: &[f64],
    closed: bool,
    is_inside: impl Fn(DVec3) -> bool,
) -> f64 {
    let inside_at = |fraction: f64| is_inside(start + fraction * along);
    // Inside at `low`, outside at `high`, all along.
    let (mut low, mut high) = (0.0, 1.0);
    // The crossings strictly between, as a range of places.
    let (mut first, mut last) = (0, crossings.len());
    while first < last {
        if closed && crossings[last - 1] - crossings[first] < ASIDE {
            // Winding numbers are whole and change nowhere else. Two triangles met at their common edge count as one.
            return crossings[(first + last) / 2];
        }
        let middle = (first + last) / 2;
        let crossing = crossings[middle];
        let (before, after) = ((crossing - ASIDE).max(low), (crossing + ASIDE).min(high));
        let inside_before = before <= low || inside_at(before);
        let inside_after = after < high && inside_at(after);
        if inside_before && !inside_after {
            return crossing;
        }
        if inside_before {
            low = after;
            first = middle + 1;
            while first < last && crossings[first] <= low {
                first += 1;
            }
        } else {
            high = before;
            last = middle;
            while first < last && crossings[last - 1] >= high {
                last -= 1;
            }
        }
    }
    while high - low > SHARPNESS {
        let middle = 0.5 * (low + high);
        if inside_at(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}
