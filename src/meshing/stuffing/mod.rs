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
mod search;
mod stencil;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;

use std::ops::ControlFlow;

use glam::DVec3;

use cuts::Warped;
pub use error::MeshingError;
use lattice::{MAX_COUNT, NONE};

use progress::Progress;
use search::{Input, farthest, least_cell_size};
use stencil::Vertex;

use crate::mesh::TetMesh;
use crate::surface::{SurfaceIndex, SurfaceMesh, SurfaceSurvey};

/// The most tets that may be asked for.
pub const MAX_TETS: u32 = MAX_COUNT;

/// How fine the tets are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Resolution {
    /// Length of the lattice's long edges, in units of the surface: a cell holds 12 tets. Parts of the surface thinner
    /// than about a cell may be lost.
    CellSize(f64),
    /// About so many tets, 1 to 4,000,000: met within 10 % from about 2,000 on; below, a layer of cells more or less may
    /// be too large a step, and a body thinner than the cells of so few tets cannot be filled with them. The cell size is
    /// searched for, if need be in a lattice that is turned against the axes.
    Tets(u32),
}

/// A filled surface.
#[derive(Debug, Clone, PartialEq)]
pub struct Tetrahedralization {
    /// The tets, in units of the surface. Their boundary is a closed 2-manifold: two triangles at each edge, one fan of
    /// triangles at each vertex.
    pub mesh: TetMesh,
    /// The cell size used, in units of the surface. Asking for it gives this mesh again, unless a number of tets was met
    /// in a turned lattice.
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
    let input = Input::new(surface, &index, &survey);
    let filling = match resolution {
        Resolution::CellSize(size) => input.fill(size, &mut progress)?,
        Resolution::Tets(tets) => input.fill_to_count(f64::from(tets), &mut progress)?,
    };
    progress.part(0.95, 1.0);
    let dihedral_degrees = quality::dihedral_degrees(&filling.positions, &filling.tets)?;
    progress.at(0.5)?;
    let mesh = TetMesh::new(filling.positions, filling.tets)?;
    progress.at(1.0)?;
    Ok(Tetrahedralization {
        mesh,
        cell_size: filling.cell_size,
        dihedral_degrees,
        removed_tets: filling.removed,
        survey,
    })
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
