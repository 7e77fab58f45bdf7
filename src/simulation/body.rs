//! A loaded body: the checked mesh, where it starts, what is pinned, and its buffers on the GPU.

use super::surface::{DrawnSurface, HungSurface};
use crate::gpu::{BodyBuffers, Gpu, InitialState};
use crate::mesh::TetMesh;
use crate::meshing::Preset;
use crate::rest_state::{MeshReport, RestState, vertices_in_box};
use crate::settings::{Environment, Material, Transform};
use crate::simulation::SimulationError;
use crate::solver::{BodyBindings, Solver};
use crate::surface::SurfaceMesh;
use crate::topology::Topology;
use glam::{DQuat, DVec3};
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
    mesh: TetMesh,
    topology: Topology,
    rest: RestState,
    pub(super) initial: InitialState,
    pub(super) material: Material,
    pinned: Vec<bool>,
    surface: Option<DrawnSurface>,
    pub(super) buffers: BodyBuffers,
    pub(super) bindings: BodyBindings,
}

impl Body {
    pub(super) fn new(
        gpu: &Gpu,
        solver: &Solver,
        mesh: TetMesh,
        options: &BodyOptions,
        environment: &Environment,
    ) -> Result<Self, SimulationError> {
        options.material.validate()?;
        let transform = options.transform.validate()?;
        // Weights are the same at every scale.
        let hung = match options.surface.as_deref() {
            None => None,
            Some(surface) => Some(HungSurface::new(&mesh, surface)?),
        };
        let mesh = if transform.scale == 1.0 {
            mesh
        } else {
            mesh.scaled(transform.scale)?
        };
        let topology = Topology::new(&mesh);
        let rest = RestState::new(&mesh);
        let pinned = pin_mask(&mesh, &options.pinned)?;
        let initial = place(&mesh, &topology, &transform, options, environment);
        let mut buffers = BodyBuffers::new(gpu, &mesh, &topology, &rest, &initial)?;
        buffers.write_vertices(gpu, &topology, &rest, &pinned);
        let surface = match hung {
            None => None,
            Some(hung) => Some(hung.upload(gpu, &mut buffers, &initial, transform.scale)?),
        };
        let bindings = solver.bind(gpu, &buffers);
        Ok(Self {
            mesh,
            topology,
            rest,
            initial,
            material: options.material,
            pinned,
            surface,
            buffers,
            bindings,
        })
    }

    /// What the renderer reads.
    pub fn buffers(&self) -> &BodyBuffers {
        &self.buffers
    }

    /// What loading found, with the mass at the present density.
    pub fn report(&self) -> MeshReport {
        let report = MeshReport::new(
            &self.mesh,
            &self.topology,
            &self.rest,
            self.material.density,
        );
        match &self.surface {
            None => report,
            Some(surface) => report.with_surface(surface.report),
        }
    }

    /// Where the body started, relative to its origin.
    pub fn initial(&self) -> &InitialState {
        &self.initial
    }

    /// The checked mesh.
    pub fn mesh(&self) -> &TetMesh {
        &self.mesh
    }

    /// The surface and adjacency.
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// Volumes and rest matrices.
    pub fn rest(&self) -> &RestState {
        &self.rest
    }

    /// Which vertices are held.
    pub fn pinned(&self) -> &[bool] {
        &self.pinned
    }

    /// Changes which vertices are held, on the GPU too; an error changes none.
    pub(super) fn change_pins(
        &mut self,
        gpu: &Gpu,
        change: impl FnOnce(&mut [bool]) -> Result<(), SimulationError>,
    ) -> Result<(), SimulationError> {
        change(&mut self.pinned)?;
        self.buffers
            .write_vertices(gpu, &self.topology, &self.rest, &self.pinned);
        Ok(())
    }

    /// World box round where the used vertices started, m.
    pub fn initial_bounds(&self) -> ([f32; 3], [f32; 3]) {
        let InitialState {
            origin, positions, ..
        } = &self.initial;
        bounds(*origin, positions, &|vertex| {
            self.topology.tets_per_vertex[vertex] > 0
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
        if self.pinned.iter().filter(|&&pinned| pinned).count() < 3 {
            return None;
        }
        let (mut min, mut max) = bounds(self.initial.origin, &self.initial.positions, &|vertex| {
            self.pinned[vertex]
        });
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

fn pin_mask(mesh: &TetMesh, pinned: &Pinned) -> Result<Vec<bool>, SimulationError> {
    let mut mask = vec![false; mesh.positions().len()];
    match pinned {
        Pinned::None => {}
        Pinned::Vertices(vertices) => set_pins(&mut mask, vertices, true)?,
        Pinned::Box { min, max } => set_pins(&mut mask, &vertices_in_box(mesh, *min, *max), true)?,
    }
    Ok(mask)
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
