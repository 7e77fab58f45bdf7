//! Frame time of each preset on this machine's GPU: `cargo run --release --example frame_time [substeps iterations]`.
//!
//! Times are per simulated frame of 1/60 s, from submission to completion of 60 frames at once, the median of seven
//! runs: what the solver costs when nothing waits for the CPU.

use std::time::Instant;
use webgpu_softbody::gpu::Gpu;
use webgpu_softbody::meshing::presets;
use webgpu_softbody::settings::{Environment, SolverSettings};
use webgpu_softbody::simulation::{BodyOptions, Simulation};

const FRAMES: u32 = 60;
const RUNS: usize = 7;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u32>());
    let mut settings = SolverSettings::default();
    settings.substeps = numbers.next().transpose()?.unwrap_or(settings.substeps);
    settings.iterations = numbers.next().transpose()?.unwrap_or(settings.iterations);
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let (gpu, _) = pollster::block_on(Gpu::request(&instance, None))?;
    println!("adapter: {}", gpu.adapter_name);
    println!(
        "{} substeps × {} iterations",
        settings.substeps, settings.iterations
    );
    println!("| body | vertices | tets | ms per frame |\n| --- | --- | --- | --- |");
    for preset in presets() {
        let mut simulation = Simulation::new(gpu.clone(), Environment::default(), settings)?;
        let report = simulation.load(preset.mesh(), &BodyOptions::from(&preset))?;
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
        println!(
            "| {} | {} | {} | {:.3} |",
            preset.name,
            report.vertices,
            report.tets,
            times[RUNS / 2]
        );
    }
    Ok(())
}
