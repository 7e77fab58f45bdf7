//! What loading makes of a mesh without a GPU, on any thread, and its way to the GPU.

use super::SimulationError;
use super::body::{BodyOptions, Pinned, set_pins};
use super::plan::OperatorState;
use super::surface::{DrawnSurface, HungSurface, check_images};
use crate::arrangement::Arrangement;
use crate::dynamics::FrequencyBounds;
use crate::embedding::Embedding;
use crate::gpu::{BodyBuffers, Gpu, InitialState, Pause};
use crate::mesh::TetMesh;
use crate::rest_state::{RestState, vertices_in_box};
use crate::settings::{Environment, Material, Scheme, SolverSettings, Transform};
use crate::solver::FrameClock;
use crate::surface::SurfaceMesh;
use crate::topology::Topology;
use glam::{DQuat, DVec3};

/// A body that is ready to be uploaded: everything that takes long. It needs no GPU, may be made on another thread and
/// sent as a list of sections.
#[derive(Debug)]
pub struct Prepared {
    pub(super) mesh: TetMesh,
    pub(super) topology: Topology,
    pub(super) rest: RestState,
    pub(super) arrangement: Arrangement,
    /// Bounds of each tet as if nothing were pinned, 1/m²; empty once they are uploaded.
    pub(super) stiffness: Vec<f32>,
    /// With the pins as they are.
    pub(super) bounds: FrequencyBounds,
    pub(super) initial: InitialState,
    pub(super) material: Material,
    pub(super) pinned: Vec<bool>,
    /// Of the surface in the options, made before the mesh was scaled.
    pub(super) embedding: Option<Embedding>,
    pub(super) scale: f64,
    /// Where the first frame needs one.
    pub(super) operator: Option<OperatorState>,
}

impl Prepared {
    /// Prepares a body for a world and the settings that it is first simulated with. `progress` is told how much is done,
    /// from 0 to 1: fractions of the time that boxes of a million tets take.
    ///
    /// # Errors
    /// Settings out of range, pins beyond the mesh, images that are not decoded, a mesh that cannot be scaled.
    pub fn new(
        mesh: TetMesh,
        options: &BodyOptions,
        environment: &Environment,
        settings: &SolverSettings,
        progress: &mut dyn FnMut(f64),
    ) -> Result<Self, SimulationError> {
        options.material.validate()?;
        let transform = options.transform.validate()?;
        // Weights are the same at every scale.
        let embedding = match options.surface.as_deref() {
            None => None,
            Some(surface) => {
                check_images(surface)?;
                Some(Embedding::new(&mesh, surface))
            }
        };
        let mesh = if transform.scale == 1.0 {
            mesh
        } else {
            mesh.scaled(transform.scale)?
        };
        progress(0.02);
        let topology = Topology::new(&mesh);
        progress(0.2);
        let rest = RestState::new(&mesh);
        progress(0.37);
        let pinned = pin_mask(&mesh, &options.pinned)?;
        let initial = place(&mesh, &topology, &transform, options, environment);
        let arrangement = Arrangement::new(mesh.positions(), mesh.tets());
        progress(0.63);
        // Forces are bounded as if nothing were pinned: pins come and go, and fewer only lower the bounds.
        let free = FrequencyBounds::new(mesh.tets(), &rest, &vec![false; pinned.len()]);
        progress(0.73);
        let stiffness = free.tets.clone();
        let bounds = match pinned.contains(&true) {
            false => free,
            true => FrequencyBounds::new(mesh.tets(), &rest, &pinned),
        };
        progress(0.78);
        let mut prepared = Self {
            mesh,
            topology,
            rest,
            arrangement,
            stiffness,
            bounds,
            initial,
            material: options.material,
            pinned,
            embedding,
            scale: transform.scale,
            operator: None,
        };
        if settings.scheme == Scheme::Explicit {
            let (_, _, made_for) = prepared.explicit_step(settings, FrameClock::FRAME_SECONDS);
            if let Some(made_for) = made_for {
                prepared.choose_clusters(made_for);
            }
        }
        progress(1.0);
        Ok(prepared)
    }

    /// Puts the body on the GPU: `surface` is that of its options. Between slices of the work `pause` is awaited, so that
    /// whoever else uses this thread is not kept waiting.
    ///
    /// # Errors
    /// A mesh or surface that the device cannot hold.
    pub async fn upload(
        mut self,
        gpu: &Gpu,
        surface: Option<&SurfaceMesh>,
        pause: &Pause,
    ) -> Result<Uploaded, SimulationError> {
        pause().await;
        let mut buffers = BodyBuffers::new(
            gpu,
            &self.mesh,
            &self.topology,
            &self.arrangement,
            &self.initial,
        )?;
        pause().await;
        let stiffness = std::mem::take(&mut self.stiffness);
        buffers
            .write_tets(gpu, &self.arrangement, &stiffness, pause)
            .await;
        buffers.write_vertices(gpu, &self.arrangement, &self.rest, &self.pinned);
        pause().await;
        let surface = match (self.embedding.take(), surface) {
            (Some(embedding), Some(surface)) => {
                let hung = HungSurface::new(surface, embedding)?;
                let (arrangement, initial) = (&self.arrangement, &self.initial);
                Some(hung.upload(gpu, &mut buffers, arrangement, initial, self.scale)?)
            }
            _ => None,
        };
        Ok(Uploaded {
            prepared: self,
            buffers,
            surface,
        })
    }
}

/// A body on the GPU that is in no world yet.
#[derive(Debug)]
pub struct Uploaded {
    pub(super) prepared: Prepared,
    pub(super) buffers: BodyBuffers,
    pub(super) surface: Option<DrawnSurface>,
}

fn pin_mask(mesh: &TetMesh, pinned: &Pinned) -> Result<Vec<bool>, SimulationError> {
    let mut mask = vec![false; mesh.positions().len()];
    match pinned {
        Pinned::None => {}
        Pinned::Vertices(vertices) => set_pins(&mut mask, vertices, true)?,
        Pinned::Box { min, max } => set_pins(&mut mask, &vertices_in_box(mesh, *min, *max), true)?,
    }
    Ok(mask)
}

/// Start positions in f64, stored relative to a snapped origin.
fn place(
    mesh: &TetMesh,
    topology: &Topology,
    transform: &Transform,
    options: &BodyOptions,
    environment: &Environment,
) -> InitialState {
    let rotation = DQuat::from_array(transform.rotation);
    let identity = rotation == DQuat::IDENTITY;
    let mut translation = DVec3::from(transform.translation);
    let (min, max) = mesh.used_bounds();
    let middle = (DVec3::from(min.map(f64::from)) + DVec3::from(max.map(f64::from))) / 2.0;
    let center = if options.center { middle } else { DVec3::ZERO };
    let rotate = |x: DVec3| if identity { x } else { rotation * x };
    let place = |position: &[f32; 3], translation: DVec3| {
        rotate(DVec3::from(position.map(f64::from)) - center) + translation
    };
    if options.drop_to_floor {
        let lowest = mesh
            .positions()
            .iter()
            .zip(&topology.tets_per_vertex)
            .filter(|(_, tets)| **tets > 0)
            .map(|(position, _)| place(position, translation).y)
            .fold(f64::INFINITY, f64::min);
        translation.y += environment.floor.unwrap_or(0.0) - lowest;
    }
    let world_middle = rotate(middle - center) + translation;
    // Coordinates stay as small as the body, wherever it is: the ulp of an f32 at 1 km is 6e-5 m, more than gravity
    // moves a vertex in a substep. A power of two, so that the origin is exact in f32.
    let extent = f64::from(
        (0..3)
            .map(|axis| max[axis] - min[axis])
            .fold(f32::MIN_POSITIVE, f32::max),
    );
    let grid = extent.log2().ceil().exp2();
    let origin = (world_middle / grid).round() * grid;
    InitialState {
        origin: origin.as_vec3().to_array(),
        positions: mesh
            .positions()
            .iter()
            .map(|position| (place(position, translation) - origin).as_vec3().to_array())
            .collect(),
        velocities: vec![options.velocity.map(|v| v as f32); mesh.positions().len()],
    }
}
