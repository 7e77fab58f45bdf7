//! The search for the cell size that gives a number of tets.

use glam::{DQuat, DVec3};

use super::cuts::Warped;
use super::lattice::{Lattice, MAX_COUNT};
use super::progress::Progress;
use super::{MeshingError, crumbs, filled};
use crate::mesh::geometry::{corners, signed_volume};
use crate::surface::{SurfaceIndex, SurfaceLook, SurfaceMesh, SurfaceSurvey};

/// A cell is at least this fraction of the surface's farthest coordinate: about 8000 times the spacing of
/// single-precision numbers there, so that rounding changes no dihedral angle by more than a few hundredths of a degree.
const LEAST_CELL: f64 = 1e-3;
/// Attempts at a number of tets, at most.
const ATTEMPTS: usize = 16;
/// A surface that encloses less than this fraction of the volume of its area is a sheet, if an attempt finds nothing inside.
const SHEET: f64 = 1e-3;
/// The search ends when a number of tets is met as closely as this, a logarithm, ...
const CLOSE_ENOUGH: f64 = 0.04;
/// ... or when sizes on both sides of it differ by this factor: then the number jumps there.
const NARROW: f64 = 1.002;
/// A result that is farther from the number asked for than this, a logarithm, is tried in other ways.
const TOLERANCE: f64 = 0.09;
/// The least part of the volume that a turned lattice has to fill, too.
const KEPT_VOLUME: f64 = 0.95;
/// A turn that brings no axis, diagonal or plane of the lattice near another: (1, 2, 3) by about 56°.
const TURN: DQuat = DQuat::from_xyzw(0.125, 0.25, 0.375, 0.883_883_476_483_184_4);

pub fn farthest(survey: &SurfaceSurvey) -> f64 {
    let (low, high) = survey.bounds;
    low.iter()
        .chain(&high)
        .fold(0.0, |far: f64, &x| far.max(f64::from(x).abs()))
}

pub fn least_cell_size(survey: &SurfaceSurvey) -> f64 {
    LEAST_CELL * farthest(survey)
}

/// A surface with what is asked about it.
pub struct Input<'a> {
    surface: &'a SurfaceMesh,
    index: &'a SurfaceIndex,
    survey: &'a SurfaceSurvey,
}

/// Tets in a surface, without crumbs.
pub struct Filling {
    pub positions: Vec<[f32; 3]>,
    pub tets: Vec<[u32; 4]>,
    pub cell_size: f64,
    /// Tets left out as crumbs.
    pub removed: usize,
}

impl Filling {
    /// How far the number of tets is from one asked for, as a logarithm.
    fn miss(&self, target: f64) -> f64 {
        (self.tets.len() as f64 / target).ln().abs()
    }

    fn volume(&self) -> f64 {
        let volume = |&tet| signed_volume(corners(&self.positions, tet));
        self.tets.iter().map(volume).sum()
    }
}

impl<'a> Input<'a> {
    pub fn new(
        surface: &'a SurfaceMesh,
        index: &'a SurfaceIndex,
        survey: &'a SurfaceSurvey,
    ) -> Self {
        Self {
            surface,
            index,
            survey,
        }
    }

    /// The surface filled with cells of one size.
    pub fn fill(
        &self,
        cell_size: f64,
        progress: &mut Progress<'_>,
    ) -> Result<Filling, MeshingError> {
        progress.part(0.0, 0.95);
        progress.span(0.05, 0.8);
        let (warped, _) = self.warp(cell_size, progress)?;
        swept(warped, progress)
    }

    /// The surface filled with about `target` tets.
    pub fn fill_to_count(
        &self,
        target: f64,
        progress: &mut Progress<'_>,
    ) -> Result<Filling, MeshingError> {
        progress.part(0.0, 0.85);
        let mut best = self.search(target, progress)?;
        if best.removed >= best.tets.len() {
            // More crumbs than body: no lattice makes sense of this surface.
            return Ok(best);
        }
        if best.removed > 0 && best.miss(target) > TOLERANCE {
            // Crumbs are in the count of the search and not in the result.
            progress.part(0.85, 0.9);
            let aim = target * target / best.tets.len() as f64;
            if let Some(second) = worth(self.search(aim, progress))?
                && second.miss(target) < best.miss(target)
            {
                best = second;
            }
        }
        if best.miss(target) > TOLERANCE {
            // Where flat faces lie along the lattice, whole layers of cells come and go at once.
            progress.part(0.9, 0.95);
            let turned = turned(self.surface, TURN)?;
            let (index, survey) = (SurfaceIndex::new(&turned), SurfaceSurvey::new(&turned));
            let attempt = Input::new(&turned, &index, &survey).search(target, progress);
            // A body that falls to pieces in fewer tets is no gain.
            if let Some(mut other) = worth(attempt)?
                && other.miss(target) < best.miss(target)
                && other.volume() > KEPT_VOLUME * best.volume()
            {
                let back = TURN.conjugate();
                for position in &mut other.positions {
                    *position = rotated(back, *position);
                }
                best = other;
            }
        }
        Ok(best)
    }

    fn search(&self, target: f64, progress: &mut Progress<'_>) -> Result<Filling, MeshingError> {
        let warped = self.warp_to_count(target, progress)?;
        swept(warped, progress)
    }

    /// The warped lattice for one cell size, and the number of tets it gives.
    fn warp(
        &self,
        cell_size: f64,
        progress: &mut Progress<'_>,
    ) -> Result<(Warped, usize), MeshingError> {
        let lattice = Lattice::new(self.surface, self.index, self.survey, cell_size, progress)?;
        let mut warped = Warped::new(lattice, self.index, self.survey, progress)?;
        warped.put_back_lonely();
        warped.put_back_pinched(progress)?;
        let count = warped.count();
        if count == 0 {
            return Err(self.nothing_inside(cell_size));
        }
        if count > MAX_COUNT as usize {
            return Err(self.too_many(cell_size));
        }
        Ok((warped, count))
    }

    /// Points may be inside and yet all be moved onto the surface.
    fn nothing_inside(&self, cell_size: f64) -> MeshingError {
        MeshingError::NothingInside {
            cell_size,
            extent: self.survey.extent(),
            volume: self.survey.volume,
            boundary_edges: self.survey.boundary_edges,
        }
    }

    fn too_many(&self, cell_size: f64) -> MeshingError {
        MeshingError::TooManyCells {
            cell_size,
            extent: self.survey.extent(),
            limit: MAX_COUNT,
        }
    }

    /// Searches for the cell size that gives a number of tets. The number falls with the size, but not smoothly, so the
    /// best attempt counts.
    fn warp_to_count(
        &self,
        target: f64,
        progress: &mut Progress<'_>,
    ) -> Result<Warped, MeshingError> {
        let least = least_cell_size(self.survey);
        let (volume, area) = (self.survey.volume.abs(), self.survey.area);
        // Twelve tets per cell of volume and, measured on many shapes, about eight more per cell of area.
        let expected = |size: f64| 12.0 * volume / size.powi(3) + 8.0 * area / size.powi(2);
        // Far below the size that the area alone would fill with so many tets there is nothing to find.
        let fine = 0.25 * (8.0 * area / target.max(1000.0)).sqrt();
        let (mut small, mut large) = (least.max(fine), 2.0 * self.survey.extent());
        // A surface without extent, or one so far from the origin that no cell is small enough.
        if small >= large {
            return Err(MeshingError::CellSizeOutOfRange {
                cell_size: large,
                least,
                farthest: farthest(self.survey),
            });
        }
        let mut guess = {
            let (mut low, mut high) = (small.ln(), large.ln());
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if expected(middle.exp()) > target {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            (0.5 * (low + high)).exp()
        };
        let mut best: Option<(f64, Warped)> = None;
        let mut failure = None;
        let mut last: Option<(f64, f64)> = None;
        let mut done = 0.05;
        for _ in 0..ATTEMPTS {
            let share = 0.5 * (0.8 - done);
            progress.span(done, done + share);
            done += share;
            let mut step = None;
            match self.warp(guess, progress) {
                Ok((warped, count)) => {
                    let miss = (count as f64 / target).ln();
                    if best.as_ref().is_none_or(|(least, ..)| miss.abs() < *least) {
                        best = Some((miss.abs(), warped));
                    }
                    if miss.abs() < CLOSE_ENOUGH {
                        break;
                    }
                    if miss > 0.0 {
                        small = guess;
                    } else {
                        large = guess;
                    }
                    // Newton's step in logarithms with the slope of the last two attempts.
                    let slope = last
                        .map(|(size, other)| (miss - other) / (guess / size).ln())
                        .filter(|slope| slope.is_finite())
                        .map_or(-2.6, |slope| slope.clamp(-4.0, -1.5));
                    last = Some((guess, miss));
                    step = Some(guess * (-miss / slope).exp());
                }
                Err(error @ MeshingError::TooManyCells { .. }) => {
                    small = guess;
                    failure.get_or_insert(error);
                }
                Err(error @ MeshingError::NothingInside { .. }) => {
                    // A sheet, most likely: what the smallest cells do not find, no others will.
                    if best.is_none() && volume < SHEET * area.powf(1.5) {
                        if guess == small {
                            return Err(error);
                        }
                        step = failure.is_none().then_some(small);
                    }
                    large = guess;
                    failure = Some(error);
                }
                Err(error) => return Err(error),
            }
            guess = step
                .filter(|step| (small..large).contains(step) && (*step != small || last.is_none()))
                .unwrap_or((small * large).sqrt());
            if large / small < NARROW {
                break;
            }
        }
        match (best, failure) {
            (Some((_, warped)), _) => Ok(warped),
            (None, Some(error)) => Err(error),
            (None, None) => unreachable!("invariant: every attempt succeeds or fails"),
        }
    }
}

/// The tets of a warped lattice, without crumbs.
fn swept(warped: Warped, progress: &mut Progress<'_>) -> Result<Filling, MeshingError> {
    progress.span(0.8, 1.0);
    let cell_size = warped.lattice.cell_size;
    let (positions, tets) = filled(warped, progress)?;
    progress.at(0.6)?;
    let (positions, tets, removed) = crumbs::swept(positions, tets, cell_size);
    progress.at(1.0)?;
    Ok(Filling {
        positions,
        tets,
        cell_size,
        removed,
    })
}

/// A second attempt's result. If it only failed, the first one stands.
fn worth(attempt: Result<Filling, MeshingError>) -> Result<Option<Filling>, MeshingError> {
    match attempt {
        Ok(filling) => Ok(Some(filling)),
        Err(MeshingError::Cancelled) => Err(MeshingError::Cancelled),
        Err(_) => Ok(None),
    }
}

fn rotated(turn: DQuat, position: [f32; 3]) -> [f32; 3] {
    (turn * DVec3::from_array(position.map(f64::from)))
        .as_vec3()
        .to_array()
}

/// The surface turned about the origin.
fn turned(surface: &SurfaceMesh, turn: DQuat) -> Result<SurfaceMesh, MeshingError> {
    let positions = surface
        .positions()
        .iter()
        .map(|&position| rotated(turn, position))
        .collect();
    Ok(SurfaceMesh::new(
        positions,
        surface.triangles().to_vec(),
        SurfaceLook::default(),
    )
    .expect("invariant: turning a surface keeps it sound"))
}
