//! A GPU simulation beside the float64 reference of the same body.

use crate::reference::*;
use glam::DVec3;
use std::collections::HashMap;
use std::error::Error;
use std::f64::consts::TAU;
use std::rc::Rc;
use std::time::Instant;
use webgpu_softbody::gpu::Gpu;
use webgpu_softbody::mesh::TetMesh;
use webgpu_softbody::settings::{Environment, Material, Scheme, SolverSettings};
use webgpu_softbody::simulation::{BodyOptions, Pinned, Simulation};

pub type Outcome<T> = Result<T, Box<dyn Error>>;

/// Length of a frame unless a case says otherwise, s.
pub const FRAME: f64 = 1.0 / 60.0;

/// A body to be measured.
#[derive(Debug, Clone)]
pub struct Specimen {
    pub name: &'static str,
    pub mesh: TetMesh,
    pub pins: Vec<u32>,
    /// kg/m³.
    pub density: f64,
    /// Direction of gravity.
    pub down: DVec3,
    /// Young's modulus below which it would fold under 9.81 m/s²: there gravity is reduced in proportion.
    pub folds_below: f64,
    /// Vertices whose mean displacement is "the tip"; empty: the one that moves farthest.
    pub tip: Vec<usize>,
}

impl Specimen {
    /// Strength of gravity at which it is tested, m/s².
    pub fn gravity(&self, youngs_modulus: f64) -> f64 {
        9.81 * (youngs_modulus / self.folds_below).min(1.0)
    }

    /// Largest extent, m.
    pub fn size(&self) -> f64 {
        let (min, max) = self.mesh.used_bounds();
        (0..3)
            .map(|axis| f64::from(max[axis] - min[axis]))
            .fold(0.0, f64::max)
    }

    /// Its reference at one material.
    pub fn model(&self, youngs_modulus: f64, poisson_ratio: f64) -> Model {
        let solid = Solid {
            youngs_modulus,
            poisson_ratio,
            density: self.density,
        };
        let mut model = Model::new(self.mesh.positions(), self.mesh.tets(), solid, &self.pins);
        model.gravity = self.down * self.gravity(youngs_modulus);
        model
    }

    /// Undamped and without friction.
    pub fn material(&self, youngs_modulus: f64, poisson_ratio: f64) -> Material {
        Material {
            youngs_modulus,
            poisson_ratio,
            density: self.density,
            damping: 0.0,
            friction: 0.0,
        }
    }
}

/// What belongs to a specimen and ν whatever E is: frequencies are those of E = 1 Pa and grow with √E.
#[derive(Debug)]
pub struct Foundation {
    pub factor: Cholesky,
    /// The lowest two; none of a body that nothing holds.
    pub modes: Vec<Mode>,
    /// ω_b, rad/s.
    pub bound: f64,
}

impl Foundation {
    fn new(specimen: &Specimen, poisson_ratio: f64) -> Outcome<Self> {
        let model = specimen.model(1.0, poisson_ratio);
        let held = !specimen.pins.is_empty();
        let stiffness = Stiffness::new(&model, &model.rest);
        let factor = Cholesky::new(&stiffness, &model.pinned, if held { 0.0 } else { 1e-3 })?;
        let modes = match held {
            true => lowest_modes(&model, &factor, 2),
            false => Vec::new(),
        };
        Ok(Self {
            factor,
            modes,
            bound: frequency_bound(&model),
        })
    }

    /// Lowest natural frequency at E, rad/s; for a body that nothing holds, that of a column standing on its end.
    pub fn slowest(&self, specimen: &Specimen, youngs_modulus: f64) -> f64 {
        match self.modes.first() {
            Some(mode) => TAU * mode.frequency * youngs_modulus.sqrt(),
            None => 0.25 * TAU * (youngs_modulus / specimen.density).sqrt() / specimen.size(),
        }
    }
}

/// A way to run the solver.
#[derive(Debug, Clone)]
pub struct Way {
    pub name: String,
    pub settings: SolverSettings,
    /// Length of the frames asked for, s.
    pub frame: f64,
}

impl Way {
    pub fn new(settings: SolverSettings) -> Self {
        let substeps = settings
            .substeps
            .map_or("auto".to_owned(), |s| s.to_string());
        let name = match settings.scheme {
            Scheme::Explicit => format!("explicit {substeps}"),
            Scheme::Xpbd => format!("XPBD {substeps}×{}", settings.iterations),
        };
        Self {
            name,
            settings,
            frame: FRAME,
        }
    }
}

/// What a settled body looks like.
#[derive(Debug)]
pub struct Settled {
    pub positions: Vec<DVec3>,
    /// Empty, or that it still moved.
    pub note: String,
}

/// One device, one simulation, and the references computed so far.
pub struct Lab {
    gpu: Gpu,
    simulation: Simulation,
    foundations: HashMap<(&'static str, u64), Rc<Foundation>>,
    equilibria: HashMap<(&'static str, u64, u64), Rc<Vec<DVec3>>>,
    way: Way,
    /// Whether the first frame since loading has run: what is made for it is not counted as time per frame.
    warm: bool,
    seconds: f64,
    frames: u32,
}

impl Lab {
    pub fn new(gpu: Gpu) -> Outcome<Self> {
        let way = Way::new(SolverSettings::default());
        Ok(Self {
            simulation: Simulation::new(gpu.clone(), Environment::default(), way.settings)?,
            gpu,
            foundations: HashMap::new(),
            equilibria: HashMap::new(),
            way,
            warm: false,
            seconds: 0.0,
            frames: 0,
        })
    }

    /// Computed once per specimen and ν.
    pub fn foundation(&mut self, specimen: &Specimen, nu: f64) -> Outcome<Rc<Foundation>> {
        let key = (specimen.name, nu.to_bits());
        if let Some(known) = self.foundations.get(&key) {
            return Ok(known.clone());
        }
        let new = Rc::new(Foundation::new(specimen, nu)?);
        self.foundations.insert(key, new.clone());
        Ok(new)
    }

    /// Equilibrium under the specimen's gravity. It depends on ν and gravity/E alone.
    pub fn equilibrium(&mut self, specimen: &Specimen, e: f64, nu: f64) -> Outcome<Rc<Vec<DVec3>>> {
        let load = (specimen.gravity(e) / e) as f32;
        let key = (specimen.name, nu.to_bits(), u64::from(load.to_bits()));
        if let Some(known) = self.equilibria.get(&key) {
            return Ok(known.clone());
        }
        let foundation = self.foundation(specimen, nu)?;
        let model = specimen.model(e, nu);
        let found = minimise(&model, &foundation.factor, &model.rest)?;
        let new = Rc::new(found.positions);
        self.equilibria.insert(key, new.clone());
        Ok(new)
    }

    /// Loads a specimen at rest.
    pub fn load(
        &mut self,
        specimen: &Specimen,
        way: &Way,
        material: Material,
        environment: Environment,
    ) -> Outcome<()> {
        let options = BodyOptions {
            material,
            pinned: Pinned::Vertices(specimen.pins.clone()),
            ..Default::default()
        };
        self.load_with(specimen, way, environment, &options)
    }

    /// The same with all options.
    pub fn load_with(
        &mut self,
        specimen: &Specimen,
        way: &Way,
        environment: Environment,
        options: &BodyOptions,
    ) -> Outcome<()> {
        self.simulation.set_settings(way.settings)?;
        self.simulation.set_environment(environment)?;
        self.simulation.load(specimen.mesh.clone(), options)?;
        self.way = way.clone();
        (self.warm, self.seconds, self.frames) = (false, 0.0, 0);
        Ok(())
    }

    /// Starts from other positions and velocities.
    pub fn set_state(&mut self, positions: &[DVec3], velocities: &[DVec3]) -> Outcome<()> {
        let single = |vectors: &[DVec3]| -> Vec<[f32; 3]> {
            vectors.iter().map(|v| v.as_vec3().to_array()).collect()
        };
        Ok(self
            .simulation
            .set_state(&single(positions), &single(velocities))?)
    }

    /// Runs and waits for so many frames.
    pub fn run(&mut self, frames: u32) -> Outcome<()> {
        let mut counted = frames;
        if !self.warm {
            self.step(1)?;
            self.warm = true;
            counted -= 1;
        }
        let begun = Instant::now();
        self.step(counted)?;
        self.seconds += begun.elapsed().as_secs_f64();
        self.frames += counted;
        Ok(())
    }

    fn step(&mut self, frames: u32) -> Outcome<()> {
        if frames > 0 && self.way.frame == FRAME {
            self.simulation.step(f64::from(frames) * FRAME)?;
        } else {
            for _ in 0..frames {
                self.simulation.step(self.way.frame)?;
            }
        }
        self.gpu.device.poll(wgpu::PollType::wait_indefinitely())?;
        Ok(())
    }

    /// Frames of the present way in `seconds`, at least one.
    pub fn frames_in(&self, seconds: f64) -> u32 {
        (seconds / self.way.frame).round().max(1.0) as u32
    }

    pub fn positions(&self) -> Outcome<Vec<DVec3>> {
        let read = pollster::block_on(self.simulation.read_positions()?)?;
        Ok(read.iter().map(|x| DVec3::from(x.map(f64::from))).collect())
    }

    pub fn velocities(&self) -> Outcome<Vec<DVec3>> {
        let read = pollster::block_on(self.simulation.read_velocities()?)?;
        Ok(read.iter().map(|x| DVec3::from(x.map(f64::from))).collect())
    }

    /// Milliseconds per frame since loading, without the first frame.
    pub fn milliseconds(&self) -> f64 {
        1e3 * self.seconds / f64::from(self.frames)
    }

    /// Substeps of a frame of 1/60 s as it runs now.
    pub fn substeps(&mut self) -> Outcome<u32> {
        Ok(self.simulation.step(FRAME)?.substeps)
    }

    /// Runs until nothing moves any more. With damping of 2 `omega` the slowest mode, of `omega` rad/s, comes to
    /// rest within 1e-4 in 12/`omega`.
    pub fn settle(&mut self, rest: &[DVec3], size: f64, omega: f64) -> Outcome<Settled> {
        let (least, most, chunk) = (12.0 / omega, 80.0 / omega, 4.0 / omega);
        let frames = self.frames_in(chunk).max(2);
        let mut time = 0.0;
        let mut before = rest.to_vec();
        loop {
            self.run(frames)?;
            time += f64::from(frames) * self.way.frame;
            let positions = self.positions()?;
            let farthest = |from: &[DVec3]| {
                let distances = positions.iter().zip(from).map(|(a, b)| a.distance(*b));
                distances.fold(0.0, f64::max)
            };
            let moved = farthest(&before);
            // Read-backs are single precision.
            let enough = (5e-5 * farthest(rest)).max(1e-7 * size);
            let settled = moved <= enough && time >= least;
            if settled || time >= most || !moved.is_finite() {
                let note = match settled {
                    true => String::new(),
                    false => format!("moves {moved:.1e} m in {chunk:.2} s after {time:.1} s"),
                };
                return Ok(Settled { positions, note });
            }
            before = positions;
        }
    }
}
