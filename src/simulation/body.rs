//! A loaded body: the checked mesh, where it starts, what is pinned, and its buffers on the GPU.

use super::hands::Hands;
use super::prepare::{Prepared, Uploaded};
use super::surface::DrawnSurface;
use crate::arrangement::Arrangement;
use crate::dynamics::FrequencyBounds;
use crate::gpu::{BodyBuffers, Gpu, InitialState, XpbdBuffers};
use crate::mesh::TetMesh;
use crate::meshing::Preset;
use crate::rest_state::{MeshReport, RestState};
use crate::settings::{Material, Transform};
use crate::simulation::SimulationError;
use crate::solver::{BodyBindings, Solver};
use crate::surface::SurfaceMesh;
use crate::topology::Topology;
use std::sync::Arc;

/// How a body enters the world.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BodyOptions {
    /// What it is made of.
    pub material: Material,
    /// Where it starts; applied to the mesh as `translation + rotation · (scale · X)`.
    pub transform: Transform,
    /// Moves the body's bounding box centre to the origin before the transform.
    pub center: bool,
    /// Moves the body so that its lowest point touches the floor, after the transform.
    pub drop_to_floor: bool,
    /// Vertices that never move.
    pub pinned: Pinned,
    /// Velocity of every vertex at the start, m/s.
    pub velocity: [f64; 3],
    /// A surface to draw in place of the faces of the tets, in the coordinates of the mesh as given: it is scaled,
    /// centred and placed with it. Shared, because the options may be kept while the body is loaded again.
    pub surface: Option<Arc<SurfaceMesh>>,
}

impl From<&Preset> for BodyOptions {
    /// Where a preset starts and what it is pinned by, in the default material.
    fn from(preset: &Preset) -> Self {
        Self {
            transform: Transform {
                translation: preset.translation,
                rotation: preset.rotation,
                scale: 1.0,
            },
            pinned: preset
                .pinned_box
                .map_or(Pinned::None, |(min, max)| Pinned::Box { min, max }),
            ..Self::default()
        }
    }
}

/// Which vertices are held still.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Pinned {
    /// None of them.
    #[default]
    None,
    /// These, by number.
    Vertices(Vec<u32>),
    /// Those inside a box, bounds included, in the mesh's coordinates after scaling: those of `MeshReport::bounds`.
    Box {
        /// Lower corner, m.
        min: [f32; 3],
        /// Upper corner, m.
        max: [f32; 3],
    },
}

/// A loaded body.
#[derive(Debug)]
pub struct Body {
    /// With material and pins as they are now.
    pub(super) prepared: Prepared,
    surface: Option<DrawnSurface>,
    pub(super) buffers: BodyBuffers,
    pub(super) bindings: BodyBindings,
    /// Whether the GPU has the mass operator as it was last made.
    pub(super) operator_written: bool,
    pub(super) xpbd: Option<XpbdBuffers>,
    /// Whether the impulses of contact on the GPU are older than frames that keep none or than the density.
    pub(super) stale_contacts: bool,
    /// What hands have to do with it, once they have.
    pub(super) hands: Option<Hands>,
}

impl Body {
    pub(super) fn new(gpu: &Gpu, solver: &Solver, uploaded: Uploaded) -> Self {
        let Uploaded {
            prepared,
            buffers,
            surface,
        } = uploaded;
        Self {
            bindings: solver.bind(gpu, &buffers),
            prepared,
            surface,
            buffers,
            operator_written: false,
            xpbd: None,
            stale_contacts: false,
            hands: None,
        }
    }

    /// What the renderer reads.
    pub fn buffers(&self) -> &BodyBuffers {
        &self.buffers
    }

    /// What loading found, with the mass at the present density.
    pub fn report(&self) -> MeshReport {
        let report = MeshReport::new(
            &self.prepared.mesh,
            &self.prepared.topology,
            &self.prepared.rest,
            self.prepared.material.density,
        );
        match &self.surface {
            None => report,
            Some(surface) => report.with_surface(surface.report),
        }
    }

    /// Where the body started, relative to its origin.
    pub fn initial(&self) -> &InitialState {
        &self.prepared.initial
    }

    /// The checked mesh.
    pub fn mesh(&self) -> &TetMesh {
        &self.prepared.mesh
    }

    /// The surface and adjacency.
    pub fn topology(&self) -> &Topology {
        &self.prepared.topology
    }

    /// In which order its vertices and tets stand on the GPU.
    pub fn arrangement(&self) -> &Arrangement {
        &self.prepared.arrangement
    }

    /// One entry per vertex in the order of the file, from entries in that of the GPU.
    pub fn in_file_order<T: Copy>(&self, internal: &[T]) -> Vec<T> {
        self.prepared
            .arrangement
            .internal_vertices
            .iter()
            .map(|&vertex| internal[vertex as usize])
            .collect()
    }

    /// Puts the body into a state given in the order of its file, with the impulses that the floor gave it in the last
    /// substep, or none.
    pub(super) fn write_state(
        &mut self,
        gpu: &Gpu,
        state: &InitialState,
        contacts: Option<&[[f32; 3]]>,
    ) {
        let none = vec![[0.0; 3]; state.positions.len()];
        self.buffers.write_state(
            gpu,
            &self.prepared.arrangement,
            state,
            contacts.unwrap_or(&none),
        );
        self.stale_contacts = false;
        self.release(None);
        if let Some(hands) = &mut self.hands {
            hands.targets.retain(&|_| false);
        }
    }

    /// Volumes and rest matrices.
    pub fn rest(&self) -> &RestState {
        &self.prepared.rest
    }

    /// Which vertices are held.
    pub fn pinned(&self) -> &[bool] {
        &self.prepared.pinned
    }

    /// Changes which vertices are held, on the GPU too; an error changes none.
    pub(super) fn change_pins(
        &mut self,
        gpu: &Gpu,
        change: impl FnOnce(&mut [bool]) -> Result<(), SimulationError>,
    ) -> Result<(), SimulationError> {
        change(&mut self.prepared.pinned)?;
        self.buffers.write_vertices(
            gpu,
            &self.prepared.arrangement,
            &self.prepared.rest,
            &self.prepared.pinned,
        );
        if let Some(xpbd) = &self.xpbd {
            self.write_xpbd_vertices(gpu, xpbd);
        }
        self.write_shares(gpu);
        if let Some(hands) = &mut self.hands {
            let original = &self.prepared.arrangement.original_vertices;
            let pinned = &self.prepared.pinned;
            hands
                .targets
                .retain(&|vertex| pinned[original[vertex as usize] as usize]);
        }
        self.prepared.bounds = FrequencyBounds::new(
            self.prepared.mesh.tets(),
            &self.prepared.rest,
            &self.prepared.pinned,
        );
        // Pinned vertices are no part of a cluster's mass: it is made anew when it is needed.
        self.prepared.operator = None;
        self.operator_written = false;
        Ok(())
    }

    pub(super) fn write_xpbd_vertices(&self, gpu: &Gpu, buffers: &XpbdBuffers) {
        let Prepared {
            arrangement,
            topology,
            rest,
            pinned,
            ..
        } = &self.prepared;
        buffers.write_vertices(gpu, arrangement, topology, rest, pinned);
    }

    /// World box round where the used vertices started, m.
    pub fn initial_bounds(&self) -> ([f32; 3], [f32; 3]) {
        let InitialState {
            origin, positions, ..
        } = &self.prepared.initial;
        bounds(*origin, positions, &|vertex| {
            self.prepared.topology.tets_per_vertex[vertex] > 0
        })
    }

    /// World box round where what is drawn started, m: an embedded surface or the mesh.
    pub fn drawn_bounds(&self) -> ([f32; 3], [f32; 3]) {
        match &self.surface {
            None => self.initial_bounds(),
            Some(surface) => surface.initial_bounds,
        }
    }

    /// The block that a flat pinned face is fixed to: world box, or `None` where nothing is pinned or the pinned
    /// vertices do not lie in one axis-aligned plane.
    pub fn wall(&self) -> Option<([f32; 3], [f32; 3])> {
        if self
            .prepared
            .pinned
            .iter()
            .filter(|&&pinned| pinned)
            .count()
            < 3
        {
            return None;
        }
        let (mut min, mut max) = bounds(
            self.prepared.initial.origin,
            &self.prepared.initial.positions,
            &|vertex| self.prepared.pinned[vertex],
        );
        let (body_min, body_max) = self.initial_bounds();
        let extent: Vec<f32> = (0..3).map(|axis| max[axis] - min[axis]).collect();
        let body_size = (0..3)
            .map(|axis| body_max[axis] - body_min[axis])
            .fold(0.0, f32::max);
        let axis = (0..3).find(|&axis| extent[axis] < 1e-3 * body_size)?;
        let overhang = 0.35 * extent.iter().copied().fold(0.0, f32::max);
        let thickness = 0.15 * body_size;
        let body_center = (body_min[axis] + body_max[axis]) / 2.0;
        let behind = min[axis] < body_center;
        for other in 0..3 {
            if other != axis {
                min[other] -= overhang;
                max[other] += overhang;
            }
        }
        if behind {
            min[axis] -= thickness;
        } else {
            max[axis] += thickness;
        }
        Some((min, max))
    }
}

/// World box round the chosen vertices.
#[inline(never)]
pub(super) fn bounds(
    origin: [f32; 3],
    positions: &[[f32; 3]],
    chosen: &dyn Fn(usize) -> bool,
) -> ([f32; 3], [f32; 3]) {
    let mut min = [f32::INFINITY; 3];
    let mut max = [f32::NEG_INFINITY; 3];
    for (vertex, position) in positions.iter().enumerate() {
        if chosen(vertex) {
            for axis in 0..3 {
                let world = position[axis] + origin[axis];
                min[axis] = min[axis].min(world);
                max[axis] = max[axis].max(world);
            }
        }
    }
    (min, max)
}

pub(super) fn set_pins(
    mask: &mut [bool],
    vertices: &[u32],
    value: bool,
) -> Result<(), SimulationError> {
    let count = mask.len() as u32;
    // All numbers are checked before any is applied.
    if let Some(&vertex) = vertices.iter().find(|&&vertex| vertex >= count) {
        return Err(SimulationError::PinOutOfRange {
            vertex,
            vertices: count,
        });
    }
    for &vertex in vertices {
        mask[vertex as usize] = value;
    }
    Ok(())
}
