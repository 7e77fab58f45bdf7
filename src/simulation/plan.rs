//! How a body's next frame is simulated: the scheme, its substeps, and what of it has to be on the GPU.

use super::SimulationError;
use super::body::Body;
use super::prepare::Prepared;
use crate::arrangement::Clusters;
use crate::dynamics::{self, CoarseMesh, MassOperator, STABLE};
use crate::gpu::{Gpu, OperatorBuffers, XpbdBuffers};
use crate::rest_state::DynamicsReport;
use crate::settings::{Material, Scheme, SolverSettings};
use crate::solver::{FrameClock, Method, Solver};
use glam::Vec3;

/// How one frame is simulated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    /// Which kernels run.
    pub method: Method,
    /// Substeps of the frame.
    pub substeps: u32,
    /// Length of each, s.
    pub substep_seconds: f64,
    /// What E is multiplied with: below 1 only where ωΔt exceeds 300.
    pub softening: f64,
}

/// Above that many tets the first clusters are taken: a million tets take a second to condense.
const SEARCHED_TETS: usize = 200_000;

/// The mass operator of a body, kept while its pins are the same.
#[derive(Debug, Default)]
pub struct OperatorState {
    /// Clusters of the sizes that were looked at so far.
    pub(super) meshes: Vec<Condensed>,
    /// Vertices per cluster of the one in use.
    pub(super) target: u32,
    /// The material and substep that `operator` is made for.
    pub(super) made_for: (Material, f64),
    pub(super) operator: MassOperator,
    /// Those of clusters of so many vertices; made when a frame is planned.
    pub(super) buffers: Option<(u32, OperatorBuffers)>,
}

/// Clusters of about `target` vertices.
#[derive(Debug, Default)]
pub struct Condensed {
    pub(super) target: u32,
    pub(super) clusters: Clusters,
    pub(super) coarse: CoarseMesh,
    /// A third of the radius of each cluster, m.
    pub(super) reach: Vec<f32>,
}

/// A third of the root-mean-square distance of the vertices from their middle, m.
fn reach(positions: &[[f32; 3]], vertices: &[u32]) -> f32 {
    let points = || {
        vertices
            .iter()
            .map(|&vertex| Vec3::from_array(positions[vertex as usize]))
    };
    let count = vertices.len() as f32;
    let middle = points().sum::<Vec3>() / count;
    let square: f32 = points().map(|point| point.distance_squared(middle)).sum();
    (square / count).sqrt() / 3.0
}

/// Substeps of an explicit frame of `frame_seconds`, for a body whose highest frequency is below `omega`, rad/s.
fn explicit_substeps(settings: &SolverSettings, omega: f64, frame_seconds: f64) -> u32 {
    settings.substeps.unwrap_or_else(|| {
        let full = dynamics::substeps(omega);
        // A shorter frame needs fewer; the slack is for 1/60 written in decimals.
        let part = f64::from(full) * frame_seconds / FrameClock::FRAME_SECONDS;
        ((part - 1e-6).ceil() as u32).max(1)
    })
}

impl Prepared {
    /// Substeps of an explicit frame of `frame_seconds`, and the softened material and substep that need the mass
    /// operator, if they do.
    pub(super) fn explicit_step(
        &self,
        settings: &SolverSettings,
        frame_seconds: f64,
    ) -> (u32, f64, Option<(Material, f64)>) {
        let omega = self.bounds.omega(&self.material);
        let substeps = explicit_substeps(settings, omega, frame_seconds);
        let seconds = frame_seconds / f64::from(substeps);
        // The bound is met exactly where the substeps are chosen from it; f64 may differ in the last digit.
        if omega * seconds <= STABLE * (1.0 + 1e-9) {
            return (substeps, 1.0, None);
        }
        let softening = (SolverSettings::SOFTENED_FROM / (omega * seconds))
            .powi(2)
            .min(1.0);
        let made_for = (self.material.softened(softening), seconds);
        (substeps, softening, Some(made_for))
    }

    /// Chooses the clusters of which the fewest vibrations are slowed. What that depends on is the material and the
    /// substep alone, not what was chosen before.
    pub(super) fn choose_clusters(&mut self, made_for: (Material, f64)) {
        let OperatorState {
            mut meshes,
            buffers,
            ..
        } = self.operator.take().unwrap_or_default();
        let omega = self.bounds.omega(&made_for.0);
        let mut target = dynamics::cluster_target(omega * made_for.1);
        let mut operator = self.condensed(&mut meshes, target, &made_for);
        // The estimate is made for boxes; irregular meshes, whose few stiffest tets set the substep, do with less.
        while target > dynamics::SMALLEST_CLUSTER && self.mesh.tets().len() < SEARCHED_TETS {
            let next = self.condensed(&mut meshes, target / 2, &made_for);
            if next.slowest_scaled_hz <= operator.slowest_scaled_hz {
                break;
            }
            target /= 2;
            operator = next;
        }
        self.operator = Some(OperatorState {
            meshes,
            target: target as u32,
            made_for,
            operator,
            buffers,
        });
    }

    /// The operator on clusters of `target` vertices, which are put into `meshes` if they are not there.
    fn condensed(
        &self,
        meshes: &mut Vec<Condensed>,
        target: usize,
        (material, substep_seconds): &(Material, f64),
    ) -> MassOperator {
        let known = |mesh: &Condensed| mesh.target == target as u32;
        let place = meshes.iter().position(known).unwrap_or(meshes.len());
        if place == meshes.len() {
            let clusters = self.arrangement.clusters(self.mesh.tets(), target);
            let mut original = clusters.vertices.clone();
            for vertex in &mut original {
                *vertex = self.arrangement.original_vertices[*vertex as usize];
            }
            let coarse = CoarseMesh::new(
                self.mesh.positions(),
                self.mesh.tets(),
                &self.rest,
                &self.pinned,
                &clusters.offsets,
                &original,
            );
            let reach = clusters
                .offsets
                .windows(2)
                .map(|range| {
                    reach(
                        self.mesh.positions(),
                        &original[range[0] as usize..range[1] as usize],
                    )
                })
                .collect();
            meshes.push(Condensed {
                target: target as u32,
                clusters,
                coarse,
                reach,
            });
        }
        (meshes[place].coarse).operator(&self.bounds, material, *substep_seconds)
    }
}

impl Body {
    /// How the explicit scheme moves it with these settings; `None` for XPBD.
    pub(super) fn dynamics(&self, settings: &SolverSettings) -> Option<DynamicsReport> {
        if settings.scheme != Scheme::Explicit {
            return None;
        }
        let frame = FrameClock::FRAME_SECONDS;
        let (substeps, softening, made_for) = self.prepared.explicit_step(settings, frame);
        let omega = self.prepared.bounds.omega(&self.prepared.material);
        // One that an earlier setting asked for stays for the next that does.
        let operator = self.prepared.operator.as_ref();
        let operator = operator.filter(|_| made_for.is_some());
        Some(DynamicsReport {
            substeps,
            r: omega * frame / f64::from(substeps),
            slowest_scaled_hz: operator.and_then(|state| state.operator.slowest_scaled_hz),
            softening: (softening < 1.0).then_some(softening),
        })
    }

    /// Makes ready what a frame of `frame_seconds` needs on the GPU.
    ///
    /// # Errors
    /// XPBD on a mesh that the device cannot hold.
    pub(super) fn plan(
        &mut self,
        gpu: &Gpu,
        solver: &Solver,
        settings: &SolverSettings,
        frame_seconds: f64,
    ) -> Result<Plan, SimulationError> {
        let mut softening = 1.0;
        let (method, substeps) = match settings.scheme {
            Scheme::Xpbd => {
                self.prepare_xpbd(gpu, solver)?;
                let iterations = settings.iterations;
                let substeps = settings.substeps.unwrap_or(SolverSettings::XPBD_SUBSTEPS);
                (Method::Xpbd { iterations }, substeps)
            }
            Scheme::Explicit => {
                let (substeps, soft, made_for) =
                    self.prepared.explicit_step(settings, frame_seconds);
                softening = soft;
                let operator = made_for.is_some();
                if let Some(made_for) = made_for {
                    self.prepare_operator(gpu, solver, made_for);
                }
                (Method::Explicit { operator }, substeps)
            }
        };
        self.plan_hands(gpu, solver, method);
        Ok(Plan {
            method,
            substeps,
            substep_seconds: frame_seconds / f64::from(substeps),
            softening,
        })
    }

    /// Before frames of this method run: impulses of contact that are of no more use are forgotten where they are needed.
    pub(super) fn begin_frames(&mut self, gpu: &Gpu, method: Method) {
        let operator = method == Method::Explicit { operator: true };
        if operator && self.stale_contacts {
            let contacts = &self.buffers.explicit.contacts;
            let zeros = vec![0; contacts.size() as usize];
            gpu.queue.write_buffer(contacts, 0, &zeros);
        }
        self.stale_contacts = !operator;
    }

    fn prepare_xpbd(&mut self, gpu: &Gpu, solver: &Solver) -> Result<(), SimulationError> {
        if self.xpbd.is_some() {
            return Ok(());
        }
        let buffers = XpbdBuffers::new(
            gpu,
            &self.prepared.mesh,
            &self.prepared.topology,
            &self.prepared.rest,
            &self.prepared.arrangement,
        )?;
        self.write_xpbd_vertices(gpu, &buffers);
        solver.bind_xpbd(gpu, &mut self.bindings, &self.buffers, &buffers);
        self.xpbd = Some(buffers);
        Ok(())
    }

    fn prepare_operator(&mut self, gpu: &Gpu, solver: &Solver, made_for: (Material, f64)) {
        let ready = |state: &OperatorState| state.made_for == made_for;
        if !self.prepared.operator.as_ref().is_some_and(ready) {
            self.prepared.choose_clusters(made_for);
        } else if self.operator_written {
            return;
        }
        let free = !self.prepared.pinned.contains(&true);
        let Some(state) = &mut self.prepared.operator else {
            return;
        };
        let target = state.target;
        let Some(mesh) = state.meshes.iter().find(|mesh| mesh.target == target) else {
            return;
        };
        let Clusters { offsets, vertices } = &mesh.clusters;
        let of_others = |(of, _): &(u32, OperatorBuffers)| *of != target;
        if state.buffers.as_ref().is_none_or(of_others) {
            let buffers = OperatorBuffers::new(gpu, offsets, vertices);
            solver.bind_operator(gpu, &mut self.bindings, &self.buffers, &buffers);
            state.buffers = Some((target, buffers));
        }
        if let Some((_, buffers)) = &state.buffers {
            let MassOperator { p0, p1, .. } = &state.operator;
            buffers.write(gpu, offsets, (p0, *p1), free, &mesh.reach);
        }
        self.operator_written = true;
    }
}
