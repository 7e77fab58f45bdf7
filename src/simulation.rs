//! The façade: one body in a world, natively and on the web alike.

use crate::error::MeshError;
use crate::gpu::{BodyBuffers, Gpu, GpuError, InitialState, read_buffer, read_vec3};
use crate::mesh::TetMesh;
use crate::rest_state::{MeshReport, RestState};
use crate::settings::{Environment, Material, SettingError, SolverSettings, Transform};
use crate::solver::{BodyBindings, FrameClock, Solver, solver_params};
use crate::text::Number;
use crate::topology::Topology;
use glam::{DQuat, DVec3};

/// Anything this crate's façade can refuse.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SimulationError {
    /// The mesh cannot be simulated; the message says which numbers are at fault.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// A setting is out of range; the message names it.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The GPU cannot do it.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// A vertex number beyond the mesh.
    #[error(
        "pinned vertex {vertex} does not exist: the mesh has {vertices} vertices, numbered from 0"
    )]
    PinOutOfRange {
        /// The number given.
        vertex: u32,
        /// Vertices of the mesh.
        vertices: u32,
    },
    /// Nothing is loaded yet.
    #[error("no body is loaded")]
    NoBody,
}

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
}

/// Which vertices are held still.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Pinned {
    /// None of them.
    #[default]
    None,
    /// These, by number.
    Vertices(Vec<u32>),
    /// Those inside a box of mesh coordinates (before the transform, after units and centring), bounds included.
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
    initial: InitialState,
    material: Material,
    pinned: Vec<bool>,
    buffers: BodyBuffers,
    bindings: BodyBindings,
}

/// Grid that body origins snap to, m: a body that starts near the world's origin has origin 0, one that starts far
/// away keeps small coordinates (the ulp of an f32 at 1 km is 6e-5 m, more than gravity moves it in a substep).
const ORIGIN_GRID: f64 = 16.0;

/// Longest time one `step` simulates, s.
pub const MAX_STEP_SECONDS: f64 = 60.0;

impl Body {
    fn new(
        gpu: &Gpu,
        solver: &Solver,
        mesh: TetMesh,
        options: &BodyOptions,
        environment: &Environment,
    ) -> Result<Self, SimulationError> {
        options.material.validate()?;
        let transform = options.transform.validate()?;
        let mesh = if transform.scale == 1.0 {
            mesh
        } else {
            mesh.scaled(transform.scale)?
        };
        let topology = Topology::new(&mesh);
        let rest = RestState::new(&mesh);
        let (min, max) = mesh.used_bounds();
        let center = if options.center {
            (DVec3::from(min.map(f64::from)) + DVec3::from(max.map(f64::from))) / 2.0
        } else {
            DVec3::ZERO
        };
        let pinned = pin_mask(&mesh, &options.pinned, center)?;
        let initial = place(&mesh, &transform, center, options, environment);
        let buffers = BodyBuffers::new(gpu, &mesh, &topology, &rest, &initial)?;
        buffers.write_vertices(gpu, &topology, &rest, &pinned);
        let bindings = solver.bind(gpu, &buffers);
        Ok(Self {
            mesh,
            topology,
            rest,
            initial,
            material: options.material,
            pinned,
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
        MeshReport::new(
            &self.mesh,
            &self.topology,
            &self.rest,
            self.material.density,
        )
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

    /// World box round where the used vertices started, m.
    pub fn initial_bounds(&self) -> ([f32; 3], [f32; 3]) {
        bounds(&self.initial, |vertex| {
            self.topology.tets_per_vertex[vertex] > 0
        })
    }

    /// The block that a flat pinned face is fixed to: world box, or `None` where nothing is pinned or the pinned
    /// vertices do not lie in one axis-aligned plane.
    pub fn wall(&self) -> Option<([f32; 3], [f32; 3])> {
        if self.pinned.iter().filter(|&&pinned| pinned).count() < 3 {
            return None;
        }
        let (mut min, mut max) = bounds(&self.initial, |vertex| self.pinned[vertex]);
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
fn bounds(initial: &InitialState, chosen: impl Fn(usize) -> bool) -> ([f32; 3], [f32; 3]) {
    let mut min = [f32::INFINITY; 3];
    let mut max = [f32::NEG_INFINITY; 3];
    for (vertex, position) in initial.positions.iter().enumerate() {
        if chosen(vertex) {
            for axis in 0..3 {
                let world = position[axis] + initial.origin[axis];
                min[axis] = min[axis].min(world);
                max[axis] = max[axis].max(world);
            }
        }
    }
    (min, max)
}

fn pin_mask(mesh: &TetMesh, pinned: &Pinned, center: DVec3) -> Result<Vec<bool>, SimulationError> {
    let mut mask = vec![false; mesh.positions().len()];
    match pinned {
        Pinned::None => {}
        Pinned::Vertices(vertices) => set_pins(&mut mask, vertices, true)?,
        Pinned::Box { min, max } => {
            for (vertex, position) in mesh.positions().iter().enumerate() {
                let local = DVec3::from(position.map(f64::from)) - center;
                mask[vertex] = (0..3).all(|axis| {
                    (f64::from(min[axis])..=f64::from(max[axis])).contains(&local[axis])
                });
            }
        }
    }
    Ok(mask)
}

fn set_pins(mask: &mut [bool], vertices: &[u32], value: bool) -> Result<(), SimulationError> {
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
    transform: &Transform,
    center: DVec3,
    options: &BodyOptions,
    environment: &Environment,
) -> InitialState {
    let rotation = DQuat::from_array(transform.rotation);
    let identity = rotation == DQuat::IDENTITY;
    let mut translation = DVec3::from(transform.translation);
    let rotate = |x: DVec3| if identity { x } else { rotation * x };
    let place = |position: &[f32; 3], translation: DVec3| {
        rotate(DVec3::from(position.map(f64::from)) - center) + translation
    };
    let used: Vec<bool> = {
        let mut used = vec![false; mesh.positions().len()];
        mesh.tets()
            .iter()
            .flatten()
            .for_each(|&vertex| used[vertex as usize] = true);
        used
    };
    if options.drop_to_floor {
        let lowest = mesh
            .positions()
            .iter()
            .zip(&used)
            .filter(|(_, used)| **used)
            .map(|(position, _)| place(position, translation).y)
            .fold(f64::INFINITY, f64::min);
        translation.y += environment.floor.unwrap_or(0.0) - lowest;
    }
    let (min, max) = mesh.used_bounds();
    let middle = (DVec3::from(min.map(f64::from)) + DVec3::from(max.map(f64::from))) / 2.0;
    let world_middle = rotate(middle - center) + translation;
    let origin = (world_middle / ORIGIN_GRID).round() * ORIGIN_GRID;
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

/// Time simulated and what it took.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Progress {
    /// Frames of up to 1/60 s simulated so far.
    pub frames: u64,
    /// Simulated time, s.
    pub simulated_seconds: f64,
    /// Substeps of the last call.
    pub substeps: u32,
}

/// A world with a body, a clock and a solver.
#[derive(Debug)]
pub struct Simulation {
    gpu: Gpu,
    solver: Solver,
    environment: Environment,
    settings: SolverSettings,
    clock: FrameClock,
    progress: Progress,
    body: Option<Body>,
}

impl Simulation {
    /// An empty world. Compiles the kernels.
    ///
    /// # Errors
    /// [`SettingError`] for settings out of range.
    pub fn new(
        gpu: Gpu,
        environment: Environment,
        settings: SolverSettings,
    ) -> Result<Self, SimulationError> {
        environment.validate()?;
        settings.validate()?;
        let solver = Solver::new(&gpu);
        Ok(Self {
            gpu,
            solver,
            environment,
            settings,
            clock: FrameClock::new(),
            progress: Progress::default(),
            body: None,
        })
    }

    /// The device this world lives on.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// The body, once one is loaded.
    pub fn body(&self) -> Option<&Body> {
        self.body.as_ref()
    }

    /// Replaces the body. On an error the running one stays as it is.
    ///
    /// # Errors
    /// Settings out of range, pins beyond the mesh, a mesh the device cannot hold.
    pub fn load(
        &mut self,
        mesh: TetMesh,
        options: &BodyOptions,
    ) -> Result<MeshReport, SimulationError> {
        let body = Body::new(&self.gpu, &self.solver, mesh, options, &self.environment)?;
        let report = body.report();
        self.body = Some(body);
        self.progress = Progress::default();
        self.clock.resume();
        self.refresh_normals();
        Ok(report)
    }

    /// Puts the body back where it started, at simulated time 0. Pins and settings stay.
    ///
    /// # Errors
    /// [`SimulationError::NoBody`].
    pub fn reset(&mut self) -> Result<(), SimulationError> {
        let body = self.body.as_ref().ok_or(SimulationError::NoBody)?;
        body.buffers.write_state(&self.gpu, &body.initial);
        self.progress = Progress::default();
        self.clock.resume();
        self.refresh_normals();
        Ok(())
    }

    /// Starts the body from other positions and velocities (world, m and m/s), as tests of recovery do.
    ///
    /// # Errors
    /// [`SimulationError::NoBody`].
    ///
    /// # Panics
    /// If the lengths differ from the number of vertices.
    pub fn set_state(
        &mut self,
        positions: &[[f32; 3]],
        velocities: &[[f32; 3]],
    ) -> Result<(), SimulationError> {
        let body = self.body.as_ref().ok_or(SimulationError::NoBody)?;
        let origin = body.initial.origin;
        assert_eq!(
            positions.len(),
            body.initial.positions.len(),
            "one position per vertex"
        );
        assert_eq!(velocities.len(), positions.len(), "one velocity per vertex");
        let relative = |p: &[f32; 3]| [p[0] - origin[0], p[1] - origin[1], p[2] - origin[2]];
        let state = InitialState {
            origin,
            positions: positions.iter().map(relative).collect(),
            velocities: velocities.to_vec(),
        };
        body.buffers.write_state(&self.gpu, &state);
        self.refresh_normals();
        Ok(())
    }

    fn refresh_normals(&self) {
        let Some(body) = &self.body else { return };
        let mut encoder = self
            .gpu
            .device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor {
                label: Some("normals"),
            });
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: Some("normals"),
                timestamp_writes: None,
            });
            self.solver.record_normals(&mut pass, &body.bindings);
        }
        self.gpu.queue.submit([encoder.finish()]);
    }

    /// Simulates `seconds` (0 to [`MAX_STEP_SECONDS`]) in frames of at most 1/60 s, each cut into the set substeps.
    /// Records and submits; nothing is read back.
    ///
    /// # Errors
    /// [`SettingError`] for a time out of range, [`SimulationError::NoBody`].
    pub fn step(&mut self, seconds: f64) -> Result<Progress, SimulationError> {
        if !(seconds > 0.0 && seconds <= MAX_STEP_SECONDS) {
            let expected = "a time above 0 and up to 60 s";
            return Err(SettingError {
                option: "seconds",
                value: Number::from(seconds).to_string(),
                expected,
            }
            .into());
        }
        // 0.05 s is three frames although 0.05 · 60 is a little more than 3 in f64.
        let frames = (seconds / FrameClock::FRAME_SECONDS - 1e-6).ceil().max(1.0) as u32;
        self.run(frames, seconds / f64::from(frames))
    }

    /// Follows real time: simulates the whole frames due after `elapsed` more seconds, at most
    /// [`FrameClock::MAX_CATCH_UP`] of them.
    ///
    /// # Errors
    /// [`SimulationError::NoBody`].
    pub fn advance(&mut self, elapsed: f64) -> Result<Progress, SimulationError> {
        let frames = self.clock.advance(elapsed).frames;
        self.run(frames, FrameClock::FRAME_SECONDS)
    }

    /// Forgets real time that has passed unobserved, as after a pause.
    pub fn resume(&mut self) {
        self.clock.resume();
    }

    /// Real time given up to stay responsive, s.
    pub fn dropped_seconds(&self) -> f64 {
        self.clock.dropped_seconds()
    }

    /// What has been simulated since the last load or reset.
    pub fn progress(&self) -> Progress {
        self.progress
    }

    fn run(&mut self, frames: u32, frame_seconds: f64) -> Result<Progress, SimulationError> {
        let body = self.body.as_ref().ok_or(SimulationError::NoBody)?;
        let params = solver_params(
            &body.buffers,
            &body.material,
            &self.environment,
            self.settings,
            frame_seconds,
        );
        self.gpu
            .queue
            .write_buffer(&body.buffers.params, 0, bytemuck::bytes_of(&params));
        for _ in 0..frames {
            // One submission per frame: a long `step` must not become one command buffer of a million dispatches.
            let mut encoder =
                self.gpu
                    .device
                    .create_command_encoder(&wgpu::CommandEncoderDescriptor {
                        label: Some("frame"),
                    });
            {
                let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                    label: Some("frame"),
                    timestamp_writes: None,
                });
                self.solver
                    .record_frame(&mut pass, &body.bindings, self.settings);
            }
            self.gpu.queue.submit([encoder.finish()]);
        }
        self.progress.frames += u64::from(frames);
        self.progress.simulated_seconds += f64::from(frames) * frame_seconds;
        self.progress.substeps = frames * self.settings.substeps;
        Ok(self.progress)
    }

    /// Changes the material from the next frame on, with no re-upload.
    ///
    /// # Errors
    /// Numbers out of range, [`SimulationError::NoBody`].
    pub fn set_material(&mut self, material: Material) -> Result<(), SimulationError> {
        material.validate()?;
        self.body.as_mut().ok_or(SimulationError::NoBody)?.material = material;
        Ok(())
    }

    /// The body's material.
    pub fn material(&self) -> Option<Material> {
        self.body.as_ref().map(|body| body.material)
    }

    /// Changes gravity and floor from the next frame on.
    ///
    /// # Errors
    /// Numbers out of range.
    pub fn set_environment(&mut self, environment: Environment) -> Result<(), SimulationError> {
        environment.validate()?;
        self.environment = environment;
        Ok(())
    }

    /// Gravity and floor.
    pub fn environment(&self) -> Environment {
        self.environment
    }

    /// Changes substeps and iterations from the next frame on.
    ///
    /// # Errors
    /// Counts out of range.
    pub fn set_settings(&mut self, settings: SolverSettings) -> Result<(), SimulationError> {
        settings.validate()?;
        self.settings = settings;
        Ok(())
    }

    /// Substeps and iterations.
    pub fn settings(&self) -> SolverSettings {
        self.settings
    }

    /// Holds vertices where they are now.
    ///
    /// # Errors
    /// A number beyond the mesh (then none is pinned), [`SimulationError::NoBody`].
    pub fn pin(&mut self, vertices: &[u32]) -> Result<(), SimulationError> {
        self.change_pins(|mask| set_pins(mask, vertices, true))
    }

    /// Lets vertices go, or all of them.
    ///
    /// # Errors
    /// As [`Self::pin`].
    pub fn unpin(&mut self, vertices: Option<&[u32]>) -> Result<(), SimulationError> {
        self.change_pins(|mask| match vertices {
            Some(vertices) => set_pins(mask, vertices, false),
            None => {
                mask.fill(false);
                Ok(())
            }
        })
    }

    fn change_pins(
        &mut self,
        change: impl FnOnce(&mut [bool]) -> Result<(), SimulationError>,
    ) -> Result<(), SimulationError> {
        let body = self.body.as_mut().ok_or(SimulationError::NoBody)?;
        change(&mut body.pinned)?;
        body.buffers
            .write_vertices(&self.gpu, &body.topology, &body.rest, &body.pinned);
        Ok(())
    }

    /// World positions of all vertices in the order of the file, m.
    ///
    /// # Errors
    /// [`GpuError::ReadBack`], [`SimulationError::NoBody`].
    pub fn read_positions(
        &self,
    ) -> Result<impl Future<Output = Result<Vec<[f32; 3]>, GpuError>> + use<>, SimulationError>
    {
        let body = self.body.as_ref().ok_or(SimulationError::NoBody)?;
        let (gpu, buffer, origin) = (
            self.gpu.clone(),
            body.buffers.surface.positions.clone(),
            body.initial.origin,
        );
        Ok(async move {
            let mut positions = read_vec3(&gpu, &buffer).await?;
            for position in &mut positions {
                for axis in 0..3 {
                    position[axis] += origin[axis];
                }
            }
            Ok(positions)
        })
    }

    /// Velocities of all vertices, m/s.
    ///
    /// # Errors
    /// As [`Self::read_positions`].
    pub fn read_velocities(
        &self,
    ) -> Result<impl Future<Output = Result<Vec<[f32; 3]>, GpuError>> + use<>, SimulationError>
    {
        let body = self.body.as_ref().ok_or(SimulationError::NoBody)?;
        let (gpu, buffer) = (self.gpu.clone(), body.buffers.velocities.clone());
        Ok(async move { read_vec3(&gpu, &buffer).await })
    }

    /// λ_shape, λ_volume, C_shape and C_volume per tet, as the last iteration left them.
    ///
    /// # Errors
    /// As [`Self::read_positions`].
    pub fn read_constraints(
        &self,
    ) -> Result<impl Future<Output = Result<Vec<[f32; 4]>, GpuError>> + use<>, SimulationError>
    {
        let body = self.body.as_ref().ok_or(SimulationError::NoBody)?;
        let (gpu, buffer) = (self.gpu.clone(), body.buffers.multipliers.clone());
        Ok(async move {
            Ok(bytemuck::pod_collect_to_vec(
                &read_buffer(&gpu, &buffer).await?,
            ))
        })
    }
}
