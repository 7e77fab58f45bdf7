//! Frame time of each preset on this machine's GPU, without and with the surface it shows:
//! `cargo run --release --features mesh-tools --example frame_time [substeps iterations]`.
//!
//! Times are per simulated frame of 1/60 s, from submission to completion of 60 frames at once, the median of seven
//! runs: what the solver costs when nothing waits for the CPU.

use std::f64::consts::TAU;
use std::sync::Arc;
use std::time::Instant;
use webgpu_softbody::gpu::Gpu;
use webgpu_softbody::meshing::{figures, presets};
use webgpu_softbody::settings::{Environment, SolverSettings};
use webgpu_softbody::simulation::{BodyOptions, Simulation};
use webgpu_softbody::surface::{SurfaceLook, SurfaceMesh};

const FRAMES: u32 = 60;
const RUNS: usize = 7;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u32>());
    let mut settings = SolverSettings::xpbd(20, 4);
    settings.substeps = numbers.next().transpose()?.or(settings.substeps);
    settings.iterations = numbers.next().transpose()?.unwrap_or(settings.iterations);
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let (gpu, _) = pollster::block_on(Gpu::request(&instance, None))?;
    println!("adapter: {}", gpu.adapter_name);
    println!(
        "{:?} substeps × {} iterations",
        settings.substeps, settings.iterations
    );
    println!(
        "| body | vertices | tets | surface triangles | ms per frame |\n| --- | --- | --- | --- | --- |"
    );
    for preset in figures().into_iter().chain(presets()) {
        let surfaces = match preset.slug {
            "torus" => vec![None, Some(fine_torus())],
            _ => vec![None, preset.surface()],
        };
        for (turn, surface) in surfaces.into_iter().enumerate() {
            if turn > 0 && surface.is_none() {
                continue;
            }
            let triangles = surface.as_ref().map_or(0, |mesh| mesh.triangles().len());
            let options = BodyOptions {
                surface: surface.map(Arc::new),
                ..BodyOptions::from(&preset)
            };
            let mut simulation = Simulation::new(gpu.clone(), Environment::default(), settings)?;
            let report = simulation.load(preset.mesh(), &options)?;
            let milliseconds = frame_milliseconds(&gpu, &mut simulation)?;
            println!(
                "| {} | {} | {} | {triangles} | {milliseconds:.3} |",
                preset.name, report.vertices, report.tets
            );
        }
    }
    Ok(())
}

/// Median over the runs.
fn frame_milliseconds(
    gpu: &Gpu,
    simulation: &mut Simulation,
) -> Result<f64, Box<dyn std::error::Error>> {
    let mut times = Vec::with_capacity(RUNS);
    // The first run warms caches and clocks, and is not counted.
    for run in 0..=RUNS {
        let begun = Instant::now();
        simulation.step(f64::from(FRAMES) / 60.0)?;
        gpu.device.poll(wgpu::PollType::wait_indefinitely())?;
        if run > 0 {
            times.push(begun.elapsed().as_secs_f64() * 1e3 / f64::from(FRAMES));
        }
    }
    times.sort_by(f64::total_cmp);
    Ok(times[RUNS / 2])
}

/// The preset torus in 70,400 triangles.
fn fine_torus() -> SurfaceMesh {
    let (around, across) = (352u32, 100u32);
    let mut positions = Vec::new();
    let mut triangles = Vec::new();
    for i in 0..around {
        let (sine, cosine) = (TAU * f64::from(i) / f64::from(around)).sin_cos();
        for j in 0..across {
            let (up, outward) = (TAU * f64::from(j) / f64::from(across)).sin_cos();
            let radius = 0.5 + 0.2 * outward;
            positions.push([radius * cosine, 0.2 * up, radius * sine].map(|x| x as f32));
            let vertex = |i: u32, j: u32| (i % around) * across + j % across;
            let [a, b, c, d] = [(0, 0), (0, 1), (1, 1), (1, 0)].map(|(k, l)| vertex(i + k, j + l));
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    SurfaceMesh::new(positions, triangles, SurfaceLook::default())
        .expect("invariant: every vertex of the grid exists")
}
