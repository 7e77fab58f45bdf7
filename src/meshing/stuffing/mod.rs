//! A surface filled with tetrahedra by isosurface stuffing.
//!
//! François Labelle and Jonathan Richard Shewchuk, "Isosurface Stuffing: Fast Tetrahedral Meshes with Good Dihedral
//! Angles", ACM Transactions on Graphics 26(3), 2007. The variant here has cells of one size and the thresholds that
//! guarantee dihedral angles between 10.7° and 164.8°, whatever the surface. Inside is where the generalised winding
//! number exceeds 1/2, so surfaces may be open, intersect themselves and be non-manifold.

mod crumbs;
mod cuts;
mod error;
mod lattice;
mod pinches;
mod progress;
mod quality;
mod stencil;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;

use std::ops::ControlFlow;

use glam::DVec3;

use cuts::Warped;
pub use error::MeshingError;
use lattice::{Lattice, MAX_COUNT, NONE};
use progress::Progress;
use stencil::Vertex;

use crate::mesh::TetMesh;
use crate::surface::{SurfaceIndex, SurfaceMesh, SurfaceSurvey};

/// A cell is at least this fraction of the surface's farthest coordinate: about 8000 times the spacing of
/// single-precision numbers there, so that rounding changes no dihedral angle by more than a few hundredths of a degree.
const LEAST_CELL: f64 = 1e-3;
/// Attempts at a number of tets, at most.
const ATTEMPTS: usize = 16;
/// A number of tets is met when it is this close.
const CLOSE_ENOUGH: f64 = 0.04;

/// How fine the tets are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Resolution {
    /// Length of the lattice's long edges, in units of the surface: a cell holds 12 tets. Parts of the surface thinner
    /// than about a cell may be lost.
    CellSize(f64),
    /// About so many tets, 1 to 4,000,000: met within 10 % from about 2,000 on; below, a layer of
    /// cells more or less may be too large a step. The cell size is searched for.
    Tets(u32),
}

/// A filled surface.
#[derive(Debug, Clone, PartialEq)]
pub struct Tetrahedralization {
    /// The tets, in units of the surface. Their boundary is a closed 2-manifold: two triangles at each edge, one fan of
    /// triangles at each vertex.
    pub mesh: TetMesh,
    /// The cell size used, in units of the surface.
    pub cell_size: f64,
    /// Smallest and largest angle between two faces of one tet, in degrees, measured on the mesh as it is.
    pub dihedral_degrees: (f64, f64),
    /// Tets of crumbs that were left out.
    pub removed_tets: usize,
    /// What was found about the surface as it was given.
    pub survey: SurfaceSurvey,
}

/// Fills a surface with tets.
///
/// Holes are closed where the winding number passes 1/2, self-intersections are merged, and a surface that faces inwards
/// is filled all the same. Features thinner than a cell vanish or break: that is the method. Loose parts smaller than
/// eight cells and than a twentieth of the largest part are left out as crumbs of such features.
///
/// `progress` is called with a fraction that never falls, every few milliseconds of work (after the surface has been
/// indexed, which takes about a microsecond per triangle); [`ControlFlow::Break`] cancels. Equal input gives equal
/// output, bit for bit, on any number of threads.
///
/// Before all that, triangles that face the wrong way are turned round and copies left out, see
/// [`oriented`](crate::surface::oriented()).
///
/// # Errors
/// [`MeshingError`]: cancelled, nothing inside, a resolution that is out of range or too fine, or a result that
/// [`TetMesh::new`] refuses.
pub fn tetrahedralize(
    surface: &SurfaceMesh,
    resolution: Resolution,
    progress: &mut dyn FnMut(f64) -> ControlFlow<()>,
) -> Result<Tetrahedralization, MeshingError> {
    if progress(0.0).is_break() {
        return Err(MeshingError::Cancelled);
    }
    let oriented = crate::surface::oriented(surface);
    let mut result = fill(&oriented.surface, resolution, progress)?;
    if !std::ptr::eq(&*oriented.surface, surface) {
        result.survey = SurfaceSurvey::new(surface);
    }
    Ok(result)
}

/// Fills a surface as it is.
fn fill(
    surface: &SurfaceMesh,
    resolution: Resolution,
    progress: &mut dyn FnMut(f64) -> ControlFlow<()>,
) -> Result<Tetrahedralization, MeshingError> {
    let mut progress = Progress::new(progress);
    progress.at(0.0)?;
    let survey = SurfaceSurvey::new(surface);
    let least = least_cell_size(&survey);
    match resolution {
        // Written so that NaN fails it.
        Resolution::CellSize(size) if !(size.is_finite() && size > 0.0 && size >= least) => {
            return Err(MeshingError::CellSizeOutOfRange {
                cell_size: size,
                least,
                farthest: farthest(&survey),
            });
        }
        Resolution::Tets(tets) if !(1..=MAX_COUNT).contains(&tets) => {
            return Err(MeshingError::TargetOutOfRange {
                tets,
                limit: MAX_COUNT,
            });
        }
        _ => {}
    }
    progress.at(0.0)?;
    let index = SurfaceIndex::new(surface);
    let input = Input {
        surface,
        index: &index,
        survey: &survey,
    };
    let (warped, _) = match resolution {
        Resolution::CellSize(size) => {
            progress.span(0.05, 0.8);
            input.warp(size, &mut progress)?
        }
        Resolution::Tets(tets) => input.warp_to_count(f64::from(tets), least, &mut progress)?,
    };
    progress.span(0.8, 1.0);
    let cell_size = warped.lattice.cell_size;
    let (positions, tets) = filled(warped, &mut progress)?;
    progress.at(0.4)?;
    let (positions, tets, removed_tets) = crumbs::swept(positions, tets, cell_size);
    progress.at(0.6)?;
    let dihedral_degrees = quality::dihedral_degrees(&positions, &tets)?;
    progress.at(0.8)?;
    let mesh = TetMesh::new(positions, tets)?;
    progress.at(1.0)?;
    Ok(Tetrahedralization {
        mesh,
        cell_size,
        dihedral_degrees,
        removed_tets,
        survey,
    })
}

fn farthest(survey: &SurfaceSurvey) -> f64 {
    let (low, high) = survey.bounds;
    low.iter()
        .chain(&high)
        .fold(0.0, |far: f64, &x| far.max(f64::from(x).abs()))
}

fn least_cell_size(survey: &SurfaceSurvey) -> f64 {
    LEAST_CELL * farthest(survey)
}

struct Input<'a> {
    surface: &'a SurfaceMesh,
    index: &'a SurfaceIndex,
    survey: &'a SurfaceSurvey,
}

impl Input<'_> {
    /// The warped lattice for one cell size, and the number of tets it gives.
    fn warp(
        &self,
        cell_size: f64,
        progress: &mut Progress<'_>,
    ) -> Result<(Warped, usize), MeshingError> {
        let lattice = Lattice::new(self.surface, self.index, self.survey, cell_size, progress)?;
        let mut warped = Warped::new(
            lattice,
            self.index,
            self.survey.inside_out,
            self.survey.closed,
            progress,
        )?;
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
        least: f64,
        progress: &mut Progress<'_>,
    ) -> Result<(Warped, usize), MeshingError> {
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
        let mut best: Option<(f64, Warped, usize)> = None;
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
                        best = Some((miss.abs(), warped, count));
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
                    large = guess;
                    failure = Some(error);
                }
                Err(error) => return Err(error),
            }
            guess = step
                .filter(|step| (small..large).contains(step) && *step != small)
                .unwrap_or((small * large).sqrt());
            if large / small < 1.0005 {
                break;
            }
        }
        match (best, failure) {
            (Some((_, warped, count)), _) => Ok((warped, count)),
            (None, Some(error)) => Err(error),
            (None, None) => unreachable!("invariant: every attempt succeeds or fails"),
        }
    }
}

/// Positions and tets.
type Arrays = (Vec<[f32; 3]>, Vec<[u32; 4]>);

/// The vertices and tets of the warped lattice; vertices are numbered as the tets first use them.
fn filled(warped: Warped, progress: &mut Progress<'_>) -> Result<Arrays, MeshingError> {
    let mut point_number = vec![NONE; warped.positions.len()];
    let mut cut_number = vec![NONE; warped.cuts.len()];
    let mut positions: Vec<[f32; 3]> = Vec::new();
    let mut tets = Vec::with_capacity(warped.count());
    progress.at(0.1)?;
    warped.each_filled(|tet| {
        tets.push(tet.map(|vertex| {
            let (number, position): (&mut u32, DVec3) = match vertex {
                Vertex::Point(place) => (
                    &mut point_number[place as usize],
                    warped.positions[place as usize],
                ),
                Vertex::Cut(cut) => (&mut cut_number[cut as usize], warped.cuts[cut as usize]),
            };
            if *number == NONE {
                *number = positions.len() as u32;
                positions.push(position.as_vec3().to_array());
            }
            *number
        }));
    });
    Ok((positions, tets))
}
