//! How long a pick takes on this machine's GPU, from the call to the answer:
//! `cargo run --release --example pick_time [largest number of triangles]`.
//!
//! Sheets of so many triangles stand still; nothing else is submitted. "idle" is a read-back of as many bytes with nothing
//! to find before it: what an answer costs at least. Medians of 101 calls.

use std::time::Instant;
use webgpu_softbody::gpu::{Gpu, read_buffer};
use webgpu_softbody::meshing::box_mesh;
use webgpu_softbody::settings::{Environment, SolverSettings};
use webgpu_softbody::simulation::{BodyOptions, Ray, Simulation};

const RUNS: usize = 101;
const SIZES: [u32; 3] = [50, 158, 500];

type Failure = Box<dyn std::error::Error>;

/// Median of so many calls, ms.
fn milliseconds(mut call: impl FnMut() -> Result<(), Failure>) -> Result<f64, Failure> {
    call()?;
    let mut times = Vec::new();
    for _ in 0..RUNS {
        let start = Instant::now();
        call()?;
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    Ok(times[RUNS / 2])
}

fn main() -> Result<(), Failure> {
    let largest = match std::env::args().nth(1) {
        Some(text) => text.parse()?,
        None => u32::MAX,
    };
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let (gpu, _) = pollster::block_on(Gpu::request(&instance, None))?;
    println!("adapter: {}", gpu.adapter_name);
    println!("| triangles | idle, ms | one ray, ms | 64 rays, ms |\n| ---: | ---: | ---: | ---: |");
    let staging = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("idle"),
        size: 3072,
        usage: wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    });
    for cells in SIZES.into_iter().filter(|n| 4 * n * n <= largest) {
        let sheet = box_mesh([cells, cells, 1], [1.0, 1.0, 0.02], [-0.5, 0.0, 0.0])?;
        let (environment, settings) = (Environment::default(), SolverSettings::default());
        let mut simulation = Simulation::new(gpu.clone(), environment, settings)?;
        let report = simulation.load(sheet, &BodyOptions::default())?;
        let ray = |number: u32| Ray {
            origin: [0.013 * f64::from(number) - 0.4, 0.4, 2.0],
            direction: [0.0, 0.0, -1.0],
        };
        let rays: Vec<Ray> = (0..64).map(ray).collect();
        let pick = |rays: &[Ray]| {
            let hits = pollster::block_on(simulation.pick_all(rays)?)?;
            match hits.iter().all(Option::is_some) {
                true => Ok(()),
                false => Err("a ray missed the sheet".into()),
            }
        };
        let idle = milliseconds(|| {
            pollster::block_on(read_buffer(&gpu, &staging))?;
            Ok(())
        })?;
        let one = milliseconds(|| pick(&rays[..1]))?;
        let all = milliseconds(|| pick(&rays))?;
        println!(
            "| {} | {idle:.3} | {one:.3} | {all:.3} |",
            report.surface_triangles
        );
    }
    Ok(())
}
