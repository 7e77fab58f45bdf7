//! A loaded cloth: its mesh and elements, where it starts, what is pinned, and its buffers on the GPU.

use super::SimulationError;
use super::body::{Pinned, bounds, set_pins};
use super::hands::{Handled, Hands};
use super::place::Placement;
use crate::cloth::{Attachments, ClothElements, ClothMesh, depth};
use crate::gpu::{ClothBuffers, Gpu, InitialState, ParticleBuffers};
use crate::layout::ClothParams;
use crate::mesh::Finding;
use crate::rest_state::{Bounds, MeshReport};
use crate::settings::{ClothMaterial, SolverSettings, Transform};
use crate::solver::{ClothBindings, FrameClock, Solver};
use std::cell::Cell;

/// How a cloth enters the world.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ClothOptions {
    /// What it is made of.
    pub material: ClothMaterial,
    /// Where it starts; applied to the mesh as `translation + rotation · (scale · X)`.
    pub transform: Transform,
    /// Moves its bounding box centre to the origin before the transform.
    pub center: bool,
    /// Moves it so that its lowest point touches the floor, after the transform.
    pub drop_to_floor: bool,
    /// Particles that go nowhere by themselves.
    pub pinned: Pinned,
    /// Velocity of every particle at the start, m/s.
    pub velocity: [f64; 3],
}

/// Strain that the substeps may leave in a hanging cloth; silk hangs within 2 % then. A substep passes once over the
/// elements, so that the batch of threads solved first keeps a stretch of 2NgΔt² each, N being the particles that hang
/// on it (docs/notes/cloth.md).
const LEFT_STRAIN: f64 = 0.018;
/// The pull per mass that this is for, m/s².
const PULL: f64 = 9.81;
/// Fewest substeps per 1/60 s that a cloth chooses: drag and folds want some.
const LEAST_SUBSTEPS: f64 = 12.0;
/// Part of the mean thread by which cloth is held above the floor, so that neither is seen through the other.
const LIFT: f64 = 0.05;

/// A loaded cloth.
#[derive(Debug)]
pub struct Cloth {
    pub(super) mesh: ClothMesh,
    elements: ClothElements,
    pub(super) initial: InitialState,
    pub(super) pinned: Vec<bool>,
    pub(super) material: ClothMaterial,
    /// Most edges on the way from a particle to its pin, or more particles that hang on a thread there.
    depth: u32,
    /// Mean length of a thread between two particles, m.
    thread: f64,
    pub(super) lift: f64,
    pub(super) buffers: ClothBuffers,
    pub(super) bindings: ClothBindings,
    /// What hands have to do with it, once they have.
    pub(super) hands: Option<Hands>,
    /// What its kernels were told last.
    pub(super) written: Cell<Option<ClothParams>>,
}

impl Cloth {
    pub(super) fn new(
        gpu: &Gpu,
        solver: &Solver,
        mesh: ClothMesh,
        options: &ClothOptions,
        floor: Option<f64>,
    ) -> Result<Self, SimulationError> {
        options.material.validate()?;
        let transform = options.transform.validate()?;
        let mesh = match transform.scale {
            1.0 => mesh,
            scale => mesh.scaled(scale)?,
        };
        let elements = ClothElements::new(&mesh);
        let used = |vertex: usize| elements.vertex_areas[vertex] > 0.0;
        let mut pinned = vec![false; mesh.positions().len()];
        match &options.pinned {
            Pinned::None => {}
            Pinned::Vertices(vertices) => set_pins(&mut pinned, vertices, true)?,
            Pinned::Box { min, max } => {
                for (mask, position) in pinned.iter_mut().zip(mesh.positions()) {
                    *mask = (0..3).all(|axis| (min[axis]..=max[axis]).contains(&position[axis]));
                }
            }
        }
        let initial = Placement {
            transform,
            center: options.center,
            drop_to_floor: options.drop_to_floor,
            velocity: options.velocity,
        }
        .place(mesh.positions(), &used, floor);
        let buffers = ClothBuffers::new(gpu, &mesh, &elements, &initial)?;
        // At least three: a cloth has a triangle.
        let (mut threads, mut lengths) = (0u32, 0.0);
        for edge in elements.edges.iter().filter(|edge| !edge.shear) {
            threads += 1;
            lengths += f64::from(edge.length);
        }
        let thread = lengths / f64::from(threads);
        let mut cloth = Self {
            bindings: solver.bind_cloth(gpu, &buffers, mesh.grid_size()),
            lift: LIFT * thread,
            thread,
            mesh,
            elements,
            initial,
            pinned,
            material: options.material,
            depth: 0,
            buffers,
            hands: None,
            written: Cell::new(None),
        };
        cloth.write_pins(gpu);
        Ok(cloth)
    }

    fn write_pins(&mut self, gpu: &Gpu) {
        let attachments = Attachments::new(&self.mesh, &self.elements, &self.pinned);
        // What hangs on one thread of a lone pin. Counting all of it would take 128² by four corners beyond the budget, and
        // finer sheets would sag more than coarse ones.
        let pins = self.pinned.iter().filter(|&&pinned| pinned).count();
        let part = self.pinned.len() / (8 * pins.max(1));
        let way = depth(&self.mesh, &self.elements, &self.pinned);
        self.depth = match pins {
            0 => way,
            _ => way.max(part as u32),
        };
        self.buffers
            .write_vertices(gpu, &self.elements, &attachments, &self.pinned);
    }

    /// Changes which particles are held, on the GPU too; an error changes none.
    pub(super) fn change_pins(
        &mut self,
        gpu: &Gpu,
        change: impl FnOnce(&mut [bool]) -> Result<(), SimulationError>,
    ) -> Result<(), SimulationError> {
        change(&mut self.pinned)?;
        self.write_pins(gpu);
        let shares = self.shares();
        if let Some(hands) = &mut self.hands {
            hands.write_shares(gpu, &shares);
            hands.targets.retain(&|vertex| self.pinned[vertex as usize]);
        }
        Ok(())
    }

    /// Puts the cloth into a state; hands let go.
    pub(super) fn write_state(&mut self, gpu: &Gpu, state: &InitialState) {
        self.buffers.write_state(gpu, state);
        if let Some(hands) = &mut self.hands {
            hands.release(&mut self.bindings.hands, None);
            hands.targets.retain(&|_| false);
        }
    }

    pub(super) fn mass(&self) -> f64 {
        self.elements.total_area * self.material.areal_density
    }

    /// Each particle's part of the mass; 0 for one that goes nowhere by itself.
    fn shares(&self) -> Vec<f32> {
        let areas = self.elements.vertex_areas.iter().zip(&self.pinned);
        let share = |(&area, &pinned): (&f32, &bool)| match pinned {
            true => 0.0,
            false => (f64::from(area) / self.elements.total_area) as f32,
        };
        areas.map(share).collect()
    }

    /// Makes what hands need, where that is not done yet.
    pub(super) fn touch(&mut self, gpu: &Gpu, solver: &Solver) {
        if self.hands.is_none() {
            let shares = self.shares();
            let Handled {
                particles,
                bindings,
                ..
            } = self.handled();
            let mut hands = Hands::new((gpu, solver), bindings, &particles);
            hands.write_shares(gpu, &shares);
            self.hands = Some(hands);
        }
    }

    /// For hands.
    pub(super) fn handled(&mut self) -> Handled<'_> {
        let surface = &self.buffers.surface;
        Handled {
            particles: ParticleBuffers {
                positions: &surface.positions,
                velocities: &self.buffers.velocities,
                count: surface.vertex_count,
                origin: surface.origin,
            },
            bindings: &mut self.bindings.hands,
            hands: &mut self.hands,
            internal: None,
            pinned: &self.pinned,
        }
    }

    /// Makes ready what pointers need in frames of so many substeps.
    pub(super) fn plan_hands(
        &mut self,
        (gpu, solver): (&Gpu, &Solver),
        (frame_seconds, substeps): (f64, u32),
    ) {
        let mass = self.mass();
        let displacements = self.buffers.displacements.clone();
        self.handled()
            .send_pins(gpu, solver, (frame_seconds, substeps));
        let Handled {
            particles,
            bindings,
            hands: Some(hands),
            ..
        } = self.handled()
        else {
            return;
        };
        for (index, hold) in hands.holds.iter().enumerate() {
            let buffers = (&hands.buffers, &hold.buffers);
            let of = (&particles, &displacements);
            solver.bind_pull_displacements(gpu, bindings, index, buffers, of);
        }
        let substep_seconds = frame_seconds / f64::from(substeps);
        hands.refresh(gpu, mass, 1.0, substep_seconds);
    }

    /// Substeps of a frame of `frame_seconds`.
    pub(super) fn substeps(&self, settings: &SolverSettings, frame_seconds: f64) -> u32 {
        settings.substeps.unwrap_or_else(|| {
            let full = (FrameClock::FRAME_SECONDS
                * (2.0 * f64::from(self.depth) * PULL / (LEFT_STRAIN * self.thread)).sqrt())
            .clamp(LEAST_SUBSTEPS, f64::from(SolverSettings::BUDGET));
            let part = full * frame_seconds / FrameClock::FRAME_SECONDS;
            ((part - 1e-6).ceil() as u32).max(1)
        })
    }

    /// The checked mesh.
    pub fn mesh(&self) -> &ClothMesh {
        &self.mesh
    }

    /// Edges, bending elements and areas.
    pub fn elements(&self) -> &ClothElements {
        &self.elements
    }

    /// What the renderer reads.
    pub fn buffers(&self) -> &ClothBuffers {
        &self.buffers
    }

    /// Which particles are held.
    pub fn pinned(&self) -> &[bool] {
        &self.pinned
    }

    /// Where it started, relative to its origin.
    pub fn initial(&self) -> &InitialState {
        &self.initial
    }

    /// World box round where its used particles started, m.
    pub fn initial_bounds(&self) -> ([f32; 3], [f32; 3]) {
        bounds(self.initial.origin, &self.initial.positions, &|vertex| {
            self.elements.vertex_areas[vertex] > 0.0
        })
    }

    /// What loading found, with the mass at the present areal density.
    pub fn report(&self) -> MeshReport {
        let findings = self.mesh.findings();
        let count = |code| {
            findings
                .iter()
                .find(|finding| finding.code == code)
                .map_or(0, |finding| finding.count)
        };
        let (min, max) = bounds([0.0; 3], self.mesh.positions(), &|vertex| {
            self.elements.vertex_areas[vertex] > 0.0
        });
        let mut valence = vec![0u32; self.pinned.len()];
        for &corner in self.mesh.triangles().as_flattened() {
            valence[corner as usize] += 1;
        }
        MeshReport {
            vertices: self.mesh.positions().len() as u32,
            tets: 0,
            surface_triangles: self.mesh.triangles().len() as u32,
            components: count(Finding::MULTIPLE_COMPONENTS).max(1),
            flipped_tets: 0,
            removed_degenerate_tets: 0,
            removed_duplicate_tets: 0,
            unused_vertices: count(Finding::UNUSED_VERTICES),
            non_manifold_edges: count(Finding::NON_MANIFOLD_EDGES),
            max_valence: valence.into_iter().max().unwrap_or(0),
            worst_condition_number: 1.0,
            volume: 0.0,
            mass: self.mass(),
            bounds: Bounds { min, max },
            surface: None,
            dynamics: None,
            findings: findings.to_vec(),
            #[cfg(feature = "mesh-tools")]
            shape: None,
        }
    }
}
