//! Any file in, a body out: reads, fills surfaces with tets, examines, and reports. What the command and the browser
//! module stand on.

mod error;

use std::ops::ControlFlow;

pub use error::ConvertError;

use crate::diagnosis::{self, DoctorOptions, SurfaceReport};
use crate::import::{Content, Imported, NamedFile, import};
use crate::mesh::Finding;
use crate::meshing::{MeshingError, Resolution, Tetrahedralization, tetrahedralize};
use crate::rest_state::MeshReport;
use crate::surface::SurfaceMesh;
use crate::text::Number;

/// Tets that a surface is filled with where nothing else is asked for.
pub const DEFAULT_TETS: u32 = 5000;
/// The share of progress when the file is read, and when the surface is filled.
const READ: f64 = 0.05;
const FILLED: f64 = 0.95;

/// What is to be converted, and how.
#[derive(Debug, Clone)]
pub struct Job<'a> {
    /// The first file whose content is a mesh, and those that belong to it, in any order.
    pub files: &'a [NamedFile<'a>],
    /// How finely a surface is filled, in metres after scaling or by number of tets: [`DEFAULT_TETS`] if `None`. A file
    /// that holds tets is taken as it is.
    pub resolution: Option<Resolution>,
    /// Units, welding and place. Welding concerns tets only: a surface is filled without it.
    pub options: DoctorOptions,
}

/// A body made from files.
#[derive(Debug, Clone, PartialEq)]
pub struct Converted {
    /// The format that was read, as people call it: "Gmsh 4.1 binary".
    pub format: String,
    /// What was left out or reduced on the way, a sentence each.
    pub notes: Vec<String>,
    /// Vertex positions, metres; from a mesh of tets exactly those of the file where no option changes them.
    pub positions: Vec<[f32; 3]>,
    /// Vertices of each tet; order and winding of the file.
    pub tets: Vec<[u32; 4]>,
    /// What loading finds and mends, with the doctor's findings; those about the surface come last.
    pub report: MeshReport,
    /// The surface that was filled, in the place of the tets.
    pub surface: Option<SurfaceMesh>,
    /// How the surface was filled.
    pub filling: Option<Filling>,
}

/// How a surface was filled with tets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Filling {
    /// Side of the lattice's cells, metres.
    pub cell_size: f64,
    /// Smallest and largest angle between two faces of a tet, degrees.
    pub dihedral_degrees: (f64, f64),
    /// Tets left out: loose crumbs of places thinner than a cell.
    pub removed_tets: usize,
}

/// What is in files, without making anything of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Inspection {
    /// The format that was read, as people call it.
    pub format: String,
    /// What was left out or reduced on the way, a sentence each.
    pub notes: Vec<String>,
    /// The report of what was found.
    pub content: Inspected,
}

/// The report of a mesh of tets or of a surface.
#[derive(Debug, Clone, PartialEq)]
#[allow(
    clippy::large_enum_variant,
    reason = "one at a time is made, and shown"
)]
pub enum Inspected {
    /// Tets.
    Tets(MeshReport),
    /// A surface.
    Surface(SurfaceReport),
}

/// Converts files to a body. `progress` gets the share of the work done, 0 to 1 and never falling; it stops the
/// conversion with [`ControlFlow::Break`].
///
/// # Errors
/// [`ConvertError`]; after an error nothing is left behind.
pub fn convert(
    job: &Job<'_>,
    progress: &mut dyn FnMut(f64) -> ControlFlow<()>,
) -> Result<Converted, ConvertError> {
    job.options.check().map_err(ConvertError::Option)?;
    tell(progress, 0.0)?;
    let imported = read(job.files)?;
    convert_imported(
        &names(job.files),
        imported,
        job.resolution,
        &job.options,
        progress,
    )
}

/// Reads files without examining what they hold.
///
/// # Errors
/// [`ConvertError::Import`].
pub fn read(files: &[NamedFile<'_>]) -> Result<Imported, ConvertError> {
    import(files).map_err(|source| ConvertError::Import {
        name: names(files),
        source,
    })
}

/// As [`convert`], of what has been read already; messages call it `name`.
///
/// # Errors
/// [`ConvertError`], but none of reading.
pub fn convert_imported(
    name: &str,
    imported: Imported,
    resolution: Option<Resolution>,
    options: &DoctorOptions,
    progress: &mut dyn FnMut(f64) -> ControlFlow<()>,
) -> Result<Converted, ConvertError> {
    options.check().map_err(ConvertError::Option)?;
    let Imported {
        format,
        mut notes,
        content,
    } = imported;
    let name = || name.to_owned();
    tell(progress, READ)?;
    let invalid_mesh = |source| ConvertError::Mesh {
        name: name(),
        source,
    };
    let converted = match content {
        Content::Tets { positions, tets } => {
            if resolution.is_some() {
                notes.push(format!(
                    "the file holds {} tets, which are taken as they are: a resolution is for surfaces",
                    tets.len()
                ));
            }
            let found = diagnosis::diagnose(positions, tets, options).map_err(invalid_mesh)?;
            Converted {
                format,
                notes,
                positions: found.positions,
                tets: found.tets,
                report: found.report,
                surface: None,
                filling: None,
            }
        }
        Content::Surface(surface) => {
            if options.weld.is_some() {
                notes.push(
                    "welding was not needed: a surface is filled by winding number, whatever its seams".to_owned(),
                );
            }
            let invalid_surface = |source| ConvertError::Surface {
                name: name(),
                source,
            };
            // Placed first, so that a surface far away is not meshed where single precision is coarse.
            let surface = diagnosis::placed(surface, options).map_err(invalid_surface)?;
            let resolution = resolution.unwrap_or(Resolution::Tets(DEFAULT_TETS));
            let filled = tetrahedralize(&surface, resolution, &mut |share| {
                progress(READ + (FILLED - READ) * share)
            })
            .map_err(|source| match source {
                MeshingError::Cancelled => ConvertError::Cancelled,
                source => ConvertError::Meshing {
                    name: name(),
                    source,
                },
            })?;
            // The surface is in metres already, and the tets of a lattice share their vertices. Placing them again sets
            // the tets themselves on the floor, not the surface they stand in for.
            let placing = DoctorOptions {
                scale: 1.0,
                weld: None,
                ..*options
            };
            let found = diagnosis::examine(
                filled.mesh.positions().to_vec(),
                filled.mesh.tets().to_vec(),
                &placing,
                options.scale,
            )
            .map_err(invalid_mesh)?;
            let surface = diagnosis::moved(surface, found.placement).map_err(invalid_surface)?;
            let mut report = found.report;
            let about =
                diagnosis::examine_surface(&surface, options.scale, Some(report.components));
            // Where inside and outside cannot be told apart, smaller cells change nothing.
            let is_twisted = about
                .findings
                .iter()
                .any(|finding| finding.code == Finding::INCONSISTENT_TRIANGLES && !finding.mended);
            if let Some(finding) = report.findings.iter_mut().find(|finding| {
                finding.code == Finding::MULTIPLE_COMPONENTS
                    && finding.count > about.components
                    && !is_twisted
            }) {
                finding.message.push_str(&format!(
                    ". The surface has {}: smaller cells keep thin places whole",
                    about.components
                ));
            }
            if let Resolution::Tets(asked) = resolution {
                notes.extend(missed_count(asked, found.tets.len(), &filled));
            }
            if filled.removed_tets > 0 {
                notes.push(format!(
                    "{} tets were left out: loose crumbs of places thinner than a cell of {} m",
                    filled.removed_tets,
                    Number::from(filled.cell_size as f32)
                ));
            }
            let mut seen = about.findings;
            // The size of the tets is that of the surface: one warning is enough.
            seen.retain(|finding| {
                report
                    .findings
                    .iter()
                    .all(|other| other.code != finding.code)
            });
            report.findings.extend(seen);
            Converted {
                format,
                notes,
                positions: found.positions,
                tets: found.tets,
                report,
                surface: Some(surface),
                filling: Some(Filling {
                    cell_size: filled.cell_size,
                    dihedral_degrees: filled.dihedral_degrees,
                    removed_tets: filled.removed_tets,
                }),
            }
        }
    };
    tell(progress, 1.0)?;
    Ok(converted)
}

/// Reads files and examines what they hold: tets as [`convert`] would, a surface without filling it.
///
/// # Errors
/// [`ConvertError`], but none of meshing.
pub fn inspect(
    files: &[NamedFile<'_>],
    options: &DoctorOptions,
) -> Result<Inspection, ConvertError> {
    options.check().map_err(ConvertError::Option)?;
    let name = || names(files);
    let imported = read(files)?;
    let content = match imported.content {
        Content::Tets { positions, tets } => Inspected::Tets(
            diagnosis::diagnose(positions, tets, options)
                .map_err(|source| ConvertError::Mesh {
                    name: name(),
                    source,
                })?
                .report,
        ),
        Content::Surface(surface) => {
            let surface =
                diagnosis::placed(surface, options).map_err(|source| ConvertError::Surface {
                    name: name(),
                    source,
                })?;
            Inspected::Surface(diagnosis::examine_surface(&surface, options.scale, None))
        }
    };
    Ok(Inspection {
        format: imported.format,
        notes: imported.notes,
        content,
    })
}

fn tell(progress: &mut dyn FnMut(f64) -> ControlFlow<()>, share: f64) -> Result<(), ConvertError> {
    match progress(share) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(ConvertError::Cancelled),
    }
}

/// Says so where the number of tets is not the one asked for: nobody looks for a body of another size than they chose.
fn missed_count(asked: u32, made: usize, filled: &Tetrahedralization) -> Option<String> {
    let ratio = made as f64 / f64::from(asked);
    if (0.9..=1.1).contains(&ratio) {
        return None;
    }
    let (low, high) = filled.survey.bounds;
    let reach = low
        .iter()
        .chain(&high)
        .fold(0.0, |far: f32, x| far.max(x.abs()));
    // Cells are at least a thousandth of the farthest coordinate.
    let why = if made < asked as usize && filled.cell_size < 1.1e-3 * f64::from(reach) {
        "so far from the origin cells can be no smaller; move the mesh to the origin (`center`)"
    } else {
        "no cell size that was tried comes nearer without losing the thin parts of the surface"
    };
    Some(format!(
        "{asked} tets were asked for and {made} made: {why}"
    ))
}

/// The files as a message names them.
fn names(files: &[NamedFile<'_>]) -> String {
    let names: Vec<&str> = files
        .iter()
        .map(|file| {
            if file.name.is_empty() {
                "the file"
            } else {
                file.name
            }
        })
        .collect();
    names.join(", ")
}
