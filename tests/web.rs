//! In a browser: the device, the same kernels, and the exported class' building blocks do real GPU work.
#![cfg(target_arch = "wasm32")]

use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use webgpu_softbody::gpu::{Gpu, GpuError};
use webgpu_softbody::meshing::presets;
use webgpu_softbody::settings::{Environment, Material, SolverSettings, Transform};
use webgpu_softbody::simulation::{BodyOptions, Pinned, Simulation};

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

/// Every preset falls for a second: y follows the closed form until the floor, and nothing goes below it.
#[wasm_bindgen_test]
async fn presets_fall_and_stay_above_the_floor() {
    for preset in presets() {
        let gpu = gpu().await.expect("a WebGPU adapter");
        let scope = gpu.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let mut simulation = Simulation::new(
            gpu.clone(),
            Environment::default(),
            SolverSettings::default(),
        )
        .expect("settings in range");
        let options = BodyOptions {
            material: Material {
                damping: 0.0,
                ..Material::MEDIUM
            },
            transform: Transform {
                translation: preset.translation,
                rotation: preset.rotation,
                scale: 1.0,
            },
            pinned: preset
                .pinned_box
                .map_or(Pinned::None, |(min, max)| Pinned::Box { min, max }),
            ..Default::default()
        };
        let report = simulation
            .load(preset.mesh(), &options)
            .expect("a preset loads");
        assert!(
            report.tets > 1000 && report.findings.is_empty(),
            "{}: {report:?}",
            preset.slug
        );

        let read = |simulation: &Simulation| simulation.read_positions().expect("a body");
        let start = read(&simulation).await.expect("read-back");
        simulation.step(0.1).expect("a step");
        let fallen = read(&simulation).await.expect("read-back");
        let free = (0..start.len()).filter(|&v| !simulation.body().expect("a body").pinned()[v]);
        if preset.pinned_box.is_none() {
            // n = 120 substeps of Δt = 1/1200 s: g Δt² n(n+1)/2.
            let expected = 9.81 * 120.0 * 121.0 / 2.0 / 1200.0_f32.powi(2);
            for vertex in free {
                let drop = start[vertex][1] - fallen[vertex][1];
                assert!(
                    (drop - expected).abs() < 1e-4,
                    "{}: vertex {vertex} fell {drop} m",
                    preset.slug
                );
            }
        } else {
            let held = simulation.body().expect("a body").pinned().to_vec();
            assert!(
                (0..start.len()).all(|v| !held[v] || start[v] == fallen[v]),
                "a pinned vertex moved"
            );
            assert!(
                free.into_iter().any(|v| start[v][1] - fallen[v][1] > 0.01),
                "the beam does not sag"
            );
        }
        simulation.step(0.9).expect("a step");
        let landed = read(&simulation).await.expect("read-back");
        assert!(
            landed.iter().flatten().all(|c| c.is_finite()),
            "{}: not finite",
            preset.slug
        );
        let lowest = landed.iter().map(|p| p[1]).fold(f32::INFINITY, f32::min);
        assert!(
            lowest >= -1e-6,
            "{}: {lowest} m below the floor",
            preset.slug
        );
        assert_eq!(
            scope.pop().await.map(|error| error.to_string()),
            None,
            "{}",
            preset.slug
        );
    }
}

/// The same bits from two runs in the browser, too.
#[wasm_bindgen_test]
async fn runs_repeat_bit_for_bit() {
    let mut results = Vec::new();
    for _ in 0..2 {
        let gpu = gpu().await.expect("a WebGPU adapter");
        let mut simulation =
            Simulation::new(gpu, Environment::default(), SolverSettings::default())
                .expect("settings");
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
        simulation.step(0.5).expect("a step");
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
