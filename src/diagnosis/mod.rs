//! The mesh doctor: everything that is worth knowing about a mesh before it becomes a body, by name and number.
//!
//! Loading a [`TetMesh`] finds what the solver cannot live with. The doctor goes on from there: shapes of tets,
//! vertices that should have been welded, parts that hang together by an edge, cells whose diagonals do not meet.
//! What each finding means and where its thresholds come from is in `docs/notes/mesh-doctor.md`.

mod diagonals;
mod faces;
mod joints;
mod overlap;
mod placement;
mod shape;
mod surface;
mod weld;

pub use placement::{Placement, Unit};
pub use surface::{SurfaceReport, diagnose_surface};
pub(crate) use surface::{examine as examine_surface, moved, placed};

use crate::error::MeshError;
use crate::mesh::{Finding, TetMesh};
use crate::rest_state::{MeshReport, RestState, ShapeReport};
use crate::settings::Material;
use crate::topology::Topology;
use faces::Faces;

/// What to change about a mesh on the way in. The default changes nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DoctorOptions {
    /// Metres per unit of the file, positive and finite; see [`Unit::metres`]. Default 1.
    pub scale: f64,
    /// Merge vertices at most this far apart, metres (after scaling); `Some(0.0)` merges identical positions only.
    /// Not negative, finite. Default none.
    pub weld: Option<f64>,
    /// Move the middle of the bounding box to the origin.
    pub center: bool,
    /// Move the lowest vertex to y = 0, after centring.
    pub drop_to_floor: bool,
}

impl Default for DoctorOptions {
    fn default() -> Self {
        Self {
            scale: 1.0,
            weld: None,
            center: false,
            drop_to_floor: false,
        }
    }
}

impl DoctorOptions {
    /// Refuses numbers out of range.
    ///
    /// # Errors
    /// [`MeshError::InvalidScale`], and [`MeshError::InvalidParameter`] for `weld`.
    pub fn check(&self) -> Result<(), MeshError> {
        placement::check_scale(self.scale)?;
        match self.weld {
            Some(distance) if !(distance.is_finite() && distance >= 0.0) => {
                Err(MeshError::InvalidParameter {
                    name: "weld",
                    value: distance,
                    requirement: "a distance in metres, finite and not negative",
                })
            }
            _ => Ok(()),
        }
    }
}

/// A mesh with everything the doctor found.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnosis {
    /// Vertex positions, metres: exactly the input where no option changes them.
    pub positions: Vec<[f32; 3]>,
    /// Tets in the order and winding of the input; other vertex numbers, and fewer tets, only after welding.
    pub tets: Vec<[u32; 4]>,
    /// What loading makes of the two arrays above.
    pub mesh: TetMesh,
    /// The report of loading with the doctor's findings; its `shape` is set.
    pub report: MeshReport,
    /// The shapes of the tets, the same as in the report.
    pub shape: ShapeReport,
    /// How the positions were moved.
    pub placement: Placement,
}

/// Examines a mesh given as arrays, after applying the options: scale, weld, center, drop to floor, in this order.
///
/// Findings about tets name them by their index in [`TetMesh::tets`], as those of loading do; the two differ from the
/// indices of the input only behind a tet that was removed. O(T log T) time.
///
/// # Errors
/// Those of [`DoctorOptions::check`] and of [`TetMesh::new`].
pub fn diagnose(
    positions: Vec<[f32; 3]>,
    tets: Vec<[u32; 4]>,
    options: &DoctorOptions,
) -> Result<Diagnosis, MeshError> {
    examine(positions, tets, options, options.scale)
}

/// The same for a mesh made from something that was scaled by `scaled` in all, for advice on units.
pub(crate) fn examine(
    positions: Vec<[f32; 3]>,
    tets: Vec<[u32; 4]>,
    options: &DoctorOptions,
    scaled: f64,
) -> Result<Diagnosis, MeshError> {
    let (mut positions, mut tets) = (positions, tets);
    options.check()?;
    placement::scale(&mut positions, options.scale);
    let welded = weld::apply(&mut positions, &mut tets, options.weld);
    let mut mesh = TetMesh::new(positions.clone(), tets.clone())?;
    let shift = placement::shift(mesh.used_bounds(), options);
    if shift != [0.0; 3] {
        placement::translate(&mut positions, shift);
        mesh = TetMesh::new(positions.clone(), tets.clone())?;
    }
    let topology = Topology::new(&mesh);
    let rest = RestState::new(&mesh);
    let mut report = MeshReport::new(&mesh, &topology, &rest, Material::default().density);

    let faces = Faces::new(mesh.tets());
    let diagonals = diagonals::find(&mesh, &faces);
    let parts = joints::Parts::new(&mesh, &faces, &diagonals);
    let (shape, slivers) = shape::measure(&mesh, &rest);

    placement::advise_units(&mut report, scaled);
    if let Some(finding) = finding_mut(&mut report.findings, Finding::FAR_FROM_ORIGIN) {
        finding.message.push_str(" (`center` moves it)");
    }
    joints::add_sizes(&mut report.findings, &mesh, &topology);
    let found = [
        welded,
        faces.overfull(),
        overlap::finding(&mesh),
        diagonals::finding(&mesh, &diagonals),
        parts.edge_joined(),
        parts.vertex_joined(),
        slivers,
    ];
    report.findings.extend(found.into_iter().flatten());
    // Mended defects first; the sort keeps the order of equals.
    crate::sort::sort_by(&mut report.findings, |a, b| b.mended.cmp(&a.mended));
    report.shape = Some(shape.clone());
    Ok(Diagnosis {
        positions,
        tets,
        mesh,
        report,
        shape,
        placement: Placement {
            scale: options.scale,
            shift,
        },
    })
}

/// `count` and the noun in singular or plural, for messages.
fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// The findings of the given code, for changing their message.
fn finding_mut<'a>(findings: &'a mut [Finding], code: &str) -> Option<&'a mut Finding> {
    findings.iter_mut().find(|finding| finding.code == code)
}
