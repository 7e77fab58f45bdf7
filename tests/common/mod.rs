//! Shared by the GPU tests: a device that fails on any validation error, random numbers, small measures.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::sync::Arc;
use webgpu_softbody::gpu::{Gpu, read_vec3};
use webgpu_softbody::mesh::TetMesh;
use webgpu_softbody::settings::{Environment, Material, SolverSettings};
use webgpu_softbody::simulation::{BodyOptions, Simulation};

/// A device with WebGPU's default limits on any adapter of this system (lavapipe will do). Fails, never skips, without one; every validation
/// error of the test panics.
pub fn gpu() -> Gpu {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = wgpu::Backends::PRIMARY;
    let instance = wgpu::Instance::new(descriptor);
    let (gpu, _) = pollster::block_on(Gpu::request(&instance, None)).expect(
        "a GPU adapter is needed; on Debian: apt-get install mesa-vulkan-drivers libvulkan1",
    );
    gpu.device
        .on_uncaptured_error(Arc::new(|error| panic!("WebGPU validation: {error}")));
    gpu
}

/// An undamped, frictionless medium material: tests add what they study.
pub const PLAIN: Material = Material {
    youngs_modulus: 1e5,
    poisson_ratio: 0.3,
    density: 1000.0,
    damping: 0.0,
    friction: 0.0,
};

/// Substeps chosen from mesh and material.
pub const EXPLICIT: SolverSettings = SolverSettings::explicit(None);
/// The default of XPBD.
pub const XPBD: SolverSettings = SolverSettings::xpbd(20, 4);

/// Every test that is named, functions of [`SolverSettings`], for both schemes. In a file with `#[macro_use] mod common`.
#[allow(unused_macros, reason = "each test binary uses a part of this file")]
macro_rules! for_both_schemes {
    ($($test:ident),* $(,)?) => {
        mod explicit {
            $(#[test] fn $test() { super::$test(super::EXPLICIT); })*
        }
        mod xpbd {
            $(#[test] fn $test() { super::$test(super::XPBD); })*
        }
    };
}

/// A world without gravity and floor.
pub const SPACE: Environment = Environment {
    gravity: [0.0; 3],
    floor: None,
};

/// A world with gravity and no floor.
pub const FALL: Environment = Environment {
    gravity: [0.0, -9.81, 0.0],
    floor: None,
};

/// A simulation with one body.
pub fn world(
    environment: Environment,
    settings: SolverSettings,
    mesh: TetMesh,
    options: &BodyOptions,
) -> Simulation {
    let mut simulation = Simulation::new(gpu(), environment, settings).expect("settings in range");
    simulation.load(mesh, options).expect("a good mesh loads");
    simulation
}

/// World positions now.
pub fn positions(simulation: &Simulation) -> Vec<[f32; 3]> {
    pollster::block_on(simulation.read_positions().expect("a body")).expect("read-back")
}

/// Positions now, relative to the body's origin: world positions far away round away what moves.
pub fn relative_positions(simulation: &Simulation) -> Vec<[f32; 3]> {
    let body = simulation.body().expect("a body");
    let buffer = &body.buffers().surface.positions;
    let internal = pollster::block_on(read_vec3(simulation.gpu(), buffer)).expect("read-back");
    body.in_file_order(&internal)
}

/// Velocities now.
pub fn velocities(simulation: &Simulation) -> Vec<[f32; 3]> {
    pollster::block_on(simulation.read_velocities().expect("a body")).expect("read-back")
}

/// λ and C per tet now.
pub fn constraints(simulation: &Simulation) -> Vec<[f32; 4]> {
    pollster::block_on(simulation.read_constraints().expect("a body")).expect("read-back")
}

/// Signed volumes of all tets, m³.
pub fn tet_volumes(tets: &[[u32; 4]], positions: &[[f32; 3]]) -> Vec<f64> {
    let at = |i: u32| glam::DVec3::from(positions[i as usize].map(f64::from));
    tets.iter()
        .map(|&[a, b, c, d]| (at(b) - at(a)).dot((at(c) - at(a)).cross(at(d) - at(a))) / 6.0)
        .collect()
}

/// Masses at `density`, kg.
pub fn masses(simulation: &Simulation) -> Vec<f64> {
    let density = simulation.material().expect("a body").density;
    let body = simulation.body().expect("a body");
    body.rest().vertex_masses(density)
}

/// Linear momentum, kg m/s.
pub fn momentum(masses: &[f64], velocities: &[[f32; 3]]) -> glam::DVec3 {
    masses
        .iter()
        .zip(velocities)
        .map(|(&m, v)| m * glam::DVec3::from(v.map(f64::from)))
        .sum()
}

/// Angular momentum about the world origin, kg m²/s.
pub fn angular_momentum(
    masses: &[f64],
    positions: &[[f32; 3]],
    velocities: &[[f32; 3]],
) -> glam::DVec3 {
    let wide = |v: &[f32; 3]| glam::DVec3::from(v.map(f64::from));
    masses
        .iter()
        .zip(positions)
        .zip(velocities)
        .map(|((&m, x), v)| m * wide(x).cross(wide(v)))
        .sum()
}

/// Mass centre, m.
pub fn mass_center(masses: &[f64], positions: &[[f32; 3]]) -> glam::DVec3 {
    let total: f64 = masses.iter().sum();
    masses
        .iter()
        .zip(positions)
        .map(|(&m, x)| m * glam::DVec3::from(x.map(f64::from)))
        .sum::<glam::DVec3>()
        / total
}

/// Every coordinate is a number.
pub fn assert_finite(values: &[[f32; 3]], what: &str) {
    if let Some(index) = values.iter().position(|v| v.iter().any(|c| !c.is_finite())) {
        panic!("{what}: entry {index} is {:?}", values[index]);
    }
}

/// SplitMix64. The seed is new in every run and printed; `SEED=n` repeats a run.
pub struct Random(u64);

impl Random {
    pub fn new() -> Self {
        let seed = std::env::var("SEED")
            .ok()
            .and_then(|text| text.parse().ok())
            .unwrap_or_else(|| {
                let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
                now.expect("the clock is past 1970").as_nanos() as u64
            });
        println!("SEED={seed}");
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in [low, high).
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.next() >> 11) as f64 / (1u64 << 53) as f64)
    }

    /// Standard normal (Box–Muller).
    pub fn normal(&mut self) -> f64 {
        (-2.0 * self.uniform(f64::MIN_POSITIVE, 1.0).ln()).sqrt()
            * (std::f64::consts::TAU * self.uniform(0.0, 1.0)).cos()
    }

    /// Uniform in SO(3).
    pub fn rotation(&mut self) -> glam::DMat3 {
        let q = glam::DQuat::from_xyzw(self.normal(), self.normal(), self.normal(), self.normal());
        glam::DMat3::from_quat(q.normalize())
    }
}
