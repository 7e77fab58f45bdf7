//! What loading makes of a mesh without a GPU, on any thread, and its way to the GPU.

use super::SimulationError;
use super::body::{BodyOptions, Pinned, set_pins};
use super::place::Placement;
use super::plan::OperatorState;
use super::surface::{DrawnSurface, HungSurface, check_images};
use crate::arrangement::Arrangement;
use crate::dynamics::FrequencyBounds;
use crate::embedding::Embedding;
use crate::gpu::{BodyBuffers, Gpu, InitialState, Pause};
use crate::mesh::TetMesh;
use crate::rest_state::{RestState, vertices_in_box};
use crate::settings::{Environment, Material, Scheme, SolverSettings};
use crate::solver::FrameClock;
use crate::surface::SurfaceMesh;
use crate::topology::Topology;

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
        let initial = Placement {
            transform,
            center: options.center,
            drop_to_floor: options.drop_to_floor,
            velocity: options.velocity,
        }
        .place(
            mesh.positions(),
            &|vertex| topology.tets_per_vertex[vertex] > 0,
            environment.floor,
        );
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
