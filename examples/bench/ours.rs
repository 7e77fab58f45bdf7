//! The product's solver under measurement.

use crate::Failure;
use crate::arguments::Arguments;
use crate::cases::{Case, Mesh, kuhn_box, with_modulus};
use crate::machine::Machine;
use crate::measure::{FrameTimes, Frames};
use crate::traffic::{self, Row};
use std::time::Instant;
use webgpu_softbody::gpu::GpuError;
use webgpu_softbody::mesh::TetMesh;
use webgpu_softbody::settings::{Environment, Scheme, SolverSettings};
use webgpu_softbody::shaders::solver::Kernel;
use webgpu_softbody::simulation::{BodyOptions, Simulation, SimulationError};
use webgpu_softbody::solver::PassTimer;

/// Frames that the times of kernels are summed over.
const KERNEL_FRAMES: u32 = 5;
const FRAME_SECONDS: f64 = 1.0 / 60.0;

/// A kernel's part of a frame.
pub struct KernelTime {
    pub name: &'static str,
    pub dispatches: usize,
    /// Milliseconds per frame, each dispatch in a pass of its own; `None` without timestamps.
    pub milliseconds: Option<f64>,
    /// Bytes that a frame's dispatches of it have to move.
    pub bytes: u64,
}

/// What was found.
pub struct Ours {
    pub tets: u32,
    pub vertices: u32,
    pub substeps: u32,
    /// Times that every tet is evaluated in a frame.
    pub evaluations: u32,
    /// Bound of the mesh's highest frequency × 1/60 s ÷ substeps: up to 1.5 every motion is resolved.
    pub r: f64,
    pub dispatches: usize,
    pub times: FrameTimes,
    pub kernels: Vec<KernelTime>,
    pub traffic: Vec<Row>,
    /// Bytes on the GPU.
    pub memory: Option<u64>,
    /// From the mesh in memory to a body that can be stepped, s.
    pub load_seconds: f64,
}

/// A body that is loaded and simulated.
pub struct Running {
    simulation: Simulation,
    substeps: u32,
    memory: Option<u64>,
    load_seconds: f64,
}

impl Frames for Running {
    fn reset(&mut self) -> Result<(), Failure> {
        Ok(self.simulation.reset()?)
    }

    fn submit(&mut self, frames: u32) -> Result<(), Failure> {
        for _ in 0..frames {
            self.simulation.step(FRAME_SECONDS)?;
        }
        Ok(())
    }

    fn submit_timed(&mut self, timer: &mut PassTimer) -> Result<(), Failure> {
        Ok(self.simulation.time_frame(timer)?)
    }
}

impl Running {
    pub fn new(machine: &Machine, arguments: &Arguments, case: &Case) -> Result<Self, Failure> {
        let before = machine.memory()?;
        let begun = Instant::now();
        let mut simulation = load(
            machine,
            arguments.settings,
            case.mesh.clone(),
            &case.options,
        )?;
        machine.wait()?;
        let load_seconds = begun.elapsed().as_secs_f64();
        let memory = machine.memory()?.zip(before);
        Ok(Self {
            substeps: simulation.step(FRAME_SECONDS)?.substeps,
            simulation,
            memory: memory.map(|(after, before)| after.saturating_sub(before)),
            load_seconds,
        })
    }

    /// Everything there is to say, once its frames are timed.
    pub fn report(mut self, machine: &Machine, times: FrameTimes) -> Result<Ours, Failure> {
        let settings = self.simulation.settings();
        let kernels_of_frame = self.simulation.frame_kernels()?;
        let traffic = traffic::rows(&self.simulation.buffer_bytes()?);
        let kernels = kernels(machine, &mut self.simulation, &kernels_of_frame, &traffic)?;
        let omega = self.simulation.frequency_bound()?;
        let body = self.simulation.body().ok_or(SimulationError::NoBody)?;
        Ok(Ours {
            tets: body.mesh().tets().len() as u32,
            vertices: body.mesh().positions().len() as u32,
            substeps: self.substeps,
            evaluations: match settings.scheme {
                Scheme::Explicit => self.substeps,
                Scheme::Xpbd => self.substeps * settings.iterations,
            },
            r: omega * FRAME_SECONDS / f64::from(self.substeps),
            dispatches: kernels_of_frame.len(),
            kernels,
            times,
            traffic,
            memory: self.memory,
            load_seconds: self.load_seconds,
        })
    }
}

fn load(
    machine: &Machine,
    settings: SolverSettings,
    mesh: TetMesh,
    options: &BodyOptions,
) -> Result<Simulation, SimulationError> {
    let mut simulation = Simulation::new(machine.gpu.clone(), Environment::default(), settings)?;
    simulation.load(mesh, options)?;
    Ok(simulation)
}

/// Where a frame's time goes, from the state that the frames before left.
fn kernels(
    machine: &Machine,
    simulation: &mut Simulation,
    frame: &[Kernel],
    traffic: &[Row],
) -> Result<Vec<KernelTime>, Failure> {
    let mut found: Vec<KernelTime> = Vec::new();
    for kernel in frame {
        let name = kernel.source().name;
        match found.iter_mut().find(|kernel| kernel.name == name) {
            Some(kernel) => kernel.dispatches += 1,
            None => found.push(KernelTime {
                name,
                dispatches: 1,
                milliseconds: None,
                bytes: 0,
            }),
        }
    }
    for kernel in &mut found {
        let rows = traffic.iter().filter(|row| row.kernel == kernel.name);
        kernel.bytes = kernel.dispatches as u64 * rows.map(|row| row.bytes).sum::<u64>();
    }
    for _ in 0..KERNEL_FRAMES {
        let Some(mut timer) = PassTimer::new(&machine.gpu, PassTimer::MAX_PASSES) else {
            return Ok(found);
        };
        simulation.time_kernels(&mut timer)?;
        for pass in pollster::block_on(timer.read(&machine.gpu))? {
            let kernel = found.iter_mut().find(|kernel| kernel.name == pass.label);
            let kernel = kernel.ok_or("a pass without a kernel was timed")?;
            *kernel.milliseconds.get_or_insert(0.0) +=
                pass.seconds * 1e3 / f64::from(KERNEL_FRAMES);
        }
    }
    Ok(found)
}

/// The largest Kuhn box of at most `cells` cells a side that this device takes.
pub fn largest_that_fits(
    machine: &Machine,
    mesh: &Mesh,
    mut cells: u32,
) -> Result<(TetMesh, BodyOptions), Failure> {
    loop {
        let tets = kuhn_box(cells)?;
        let options = with_modulus(&mesh.options, 1e5);
        match load(machine, SolverSettings::default(), tets.clone(), &options) {
            Ok(_) => return Ok((tets, options)),
            Err(SimulationError::Gpu(GpuError::Limit {
                needed, allowed, ..
            })) => {
                let shrunk = f64::from(cells) * (allowed as f64 / needed as f64).cbrt();
                cells = (shrunk as u32).clamp(1, cells - 1);
            }
            Err(other) => return Err(other.into()),
        }
    }
}
