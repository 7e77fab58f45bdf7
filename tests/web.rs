//! In a browser: the device, the same kernels, and the exported class' building blocks do real GPU work.
#![cfg(target_arch = "wasm32")]

use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use webgpu_softbody::gpu::{Gpu, GpuError};
use webgpu_softbody::meshing::presets;
use webgpu_softbody::settings::{Environment, Material, SolverSettings, Transform};
use webgpu_softbody::simulation::{BodyOptions, Simulation};

wasm_bindgen_test_configure!(run_in_browser);

async fn gpu() -> Result<Gpu, GpuError> {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = wgpu::Backends::BROWSER_WEBGPU;
    let instance = wgpu::Instance::new(descriptor);
    Ok(Gpu::request(&instance, None).await?.0)
}

#[wasm_bindgen_test]
async fn the_device_has_the_default_limits() {
    let gpu = gpu().await.expect("a WebGPU adapter");
    assert_eq!(gpu.device.limits().max_storage_buffers_per_shader_stage, 8);
}

/// A budget that a software adapter finishes in time: the arithmetic is the same at any.
const SETTINGS: SolverSettings = SolverSettings::xpbd(10, 2);

/// A preset falls on a floor 6 cm below it: y follows the closed form until there, and nothing goes through.
async fn falls(slug: &str) {
    let preset = presets()
        .into_iter()
        .find(|preset| preset.slug == slug)
        .expect("a preset of this name");
    let gpu = gpu().await.expect("a WebGPU adapter");
    let scope = gpu.device.push_error_scope(wgpu::ErrorFilter::Validation);
    let mut simulation =
        Simulation::new(gpu.clone(), Environment::default(), SETTINGS).expect("in range");
    let options = BodyOptions {
        material: Material {
            damping: 0.0,
            ..Material::MEDIUM
        },
        ..BodyOptions::from(&preset)
    };
    let report = simulation
        .load(preset.mesh(), &options)
        .expect("a preset loads");
    assert!(
        report.tets > 1000 && report.findings.is_empty(),
        "{report:?}"
    );
    let body = simulation.body().expect("a body");
    let held = body.pinned().to_vec();
    let floor = f64::from(body.initial_bounds().0[1]) - 0.06;
    let environment = Environment {
        floor: Some(floor),
        ..Environment::default()
    };
    simulation.set_environment(environment).expect("in range");

    let read = |simulation: &Simulation| simulation.read_positions().expect("a body");
    let start = read(&simulation).await.expect("read-back");
    simulation.step(0.1).expect("a step");
    let fallen = read(&simulation).await.expect("read-back");
    if preset.pinned_box.is_none() {
        // n = 60 substeps of Δt = 1/600 s: g Δt² n(n+1)/2.
        let expected = 9.81 * 60.0 * 61.0 / 2.0 / 600.0_f32.powi(2);
        for (vertex, (a, b)) in start.iter().zip(&fallen).enumerate() {
            let drop = a[1] - b[1];
            assert!(
                (drop - expected).abs() < 1e-4,
                "vertex {vertex} fell {drop} m"
            );
        }
    } else {
        let moved = |v: usize| start[v] != fallen[v];
        assert!(
            (0..start.len()).all(|v| !(held[v] && moved(v))),
            "a pinned vertex moved"
        );
        let sag = (0..start.len()).map(|v| start[v][1] - fallen[v][1]);
        assert!(sag.fold(0.0, f32::max) > 0.01, "the beam does not sag");
    }
    simulation.step(0.15).expect("a step");
    let landed = read(&simulation).await.expect("read-back");
    assert!(landed.iter().flatten().all(|c| c.is_finite()), "not finite");
    let lowest = landed.iter().map(|p| p[1]).fold(f32::INFINITY, f32::min);
    // An ulp of the height above the floor that the preset starts from.
    assert!(
        lowest >= floor as f32 - 1e-6,
        "{lowest} m, floor at {floor} m"
    );
    let touched = lowest - (floor as f32) < 1e-3;
    assert_eq!(
        touched,
        preset.pinned_box.is_none(),
        "touched the floor: {touched}"
    );
    let error = scope.pop().await.map(|error| error.to_string());
    assert_eq!(error, None, "validation");
}

#[wasm_bindgen_test]
async fn the_cube_falls_on_the_floor() {
    falls("cube").await;
}

#[wasm_bindgen_test]
async fn the_torus_falls_on_the_floor() {
    falls("torus").await;
}

#[wasm_bindgen_test]
async fn the_pinned_beam_sags() {
    falls("beam").await;
}

/// The same bits from two runs in the browser, too.
#[wasm_bindgen_test]
async fn runs_repeat_bit_for_bit() {
    let mut results = Vec::new();
    for _ in 0..2 {
        let gpu = gpu().await.expect("a WebGPU adapter");
        let mut simulation =
            Simulation::new(gpu, Environment::default(), SETTINGS).expect("settings");
        let preset = &presets()[0];
        let transform = Transform {
            translation: [0.0, 0.2, 0.0],
            rotation: preset.rotation,
            scale: 1.0,
        };
        simulation
            .load(
                preset.mesh(),
                &BodyOptions {
                    transform,
                    ..Default::default()
                },
            )
            .expect("it loads");
        simulation.step(0.25).expect("a step");
        results.push(
            simulation
                .read_positions()
                .expect("a body")
                .await
                .expect("read-back"),
        );
    }
    assert!(results[0] == results[1], "two runs differ");
}
