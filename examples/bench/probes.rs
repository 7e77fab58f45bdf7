//! The machine's roofs, measured in the same run: copy bandwidth, arithmetic, and what a dependent dispatch costs.

use crate::Failure;
use crate::machine::Machine;
use std::time::Instant;
use webgpu_softbody::gpu::{Binding, BindingKind, bind_group, bind_group_layout};
use webgpu_softbody::solver::PassTimer;

const PROBES: &str = include_str!("../../shaders/baseline/probes.wgsl");
const BINDINGS: [Binding; 2] = [
    Binding {
        name: "source",
        kind: BindingKind::Read,
    },
    Binding {
        name: "target_values",
        kind: BindingKind::ReadWrite,
    },
];
const GROUP: u32 = 256;
/// Operations of an invocation of `multiply_add`: 512 rounds of 32 multiply-adds, two each.
const OPERATIONS: f64 = 512.0 * 32.0 * 2.0;
const DISPATCHES: u32 = 1000;
/// Every probe runs so often; the fastest counts, because a roof is what can be reached.
const RUNS: usize = 7;

/// What this machine can do.
pub struct Probes {
    /// Size of each of the two arrays that are copied.
    pub copy_bytes: u64,
    /// Bytes read and written, per second.
    pub copy_bandwidth: f64,
    /// 32-bit floating-point operations per second; a multiply-add is two.
    pub flops: f64,
    /// Seconds per dispatch of one workgroup that waits for the one before it.
    pub dispatch_seconds: f64,
}

struct Probe<'a> {
    machine: &'a Machine,
    module: wgpu::ShaderModule,
    layout: wgpu::PipelineLayout,
}

impl Probe<'_> {
    /// Seconds of `count` dispatches in one pass, by the GPU where it has timestamps, else from submission to completion.
    fn time(
        &self,
        entry_point: &'static str,
        group: &wgpu::BindGroup,
        workgroups: u32,
        count: u32,
    ) -> Result<f64, Failure> {
        let gpu = &self.machine.gpu;
        let pipeline = gpu
            .device
            .create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(entry_point),
                layout: Some(&self.layout),
                module: &self.module,
                entry_point: Some(entry_point),
                compilation_options: Default::default(),
                cache: None,
            });
        let rows = workgroups.div_ceil(32768);
        let mut best = f64::INFINITY;
        // The first run is not counted.
        for run in 0..=RUNS {
            let mut timer = PassTimer::new(gpu, 1);
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            let mut pass = match &mut timer {
                Some(timer) => timer.begin(&mut encoder, entry_point),
                None => encoder.begin_compute_pass(&Default::default()),
            };
            pass.set_pipeline(&pipeline);
            pass.set_bind_group(0, group, &[]);
            for _ in 0..count {
                pass.dispatch_workgroups(workgroups.div_ceil(rows), rows, 1);
            }
            drop(pass);
            let commands = encoder.finish();
            let begun = Instant::now();
            gpu.queue.submit([commands]);
            self.machine.wait()?;
            let wall = begun.elapsed().as_secs_f64();
            let seconds = match timer {
                Some(mut timer) => pollster::block_on(timer.read(gpu))?[0].seconds,
                None => wall,
            };
            if run > 0 {
                best = best.min(seconds);
            }
        }
        Ok(best)
    }
}

/// Measures all of them.
pub fn run(machine: &Machine) -> Result<Probes, Failure> {
    let device = &machine.gpu.device;
    let group_layout = bind_group_layout(device, "probes", &BINDINGS);
    let probe = Probe {
        machine,
        module: device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("probes"),
            source: wgpu::ShaderSource::Wgsl(PROBES.into()),
        }),
        layout: device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("probes"),
            bind_group_layouts: &[Some(&group_layout)],
            immediate_size: 0,
        }),
    };
    // Beyond every cache, as far as the device lets one bind; a processor's caches are small.
    let wanted = if machine.software {
        64 << 20
    } else {
        512 << 20
    };
    let limits = device.limits();
    let copy_bytes = limits
        .max_storage_buffer_binding_size
        .min(limits.max_buffer_size)
        .min(wanted);
    let buffer = || {
        device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("probe"),
            size: copy_bytes,
            usage: wgpu::BufferUsages::STORAGE,
            mapped_at_creation: false,
        })
    };
    let (source, target) = (buffer(), buffer());
    let group = bind_group(device, "probes", &group_layout, &[&source, &target]);
    let copy_workgroups = (copy_bytes / 16).div_ceil(u64::from(GROUP)) as u32;
    let copy = probe.time("copy", &group, copy_workgroups, 1)?;
    let arithmetic_workgroups = if machine.software { 64 } else { 32768 };
    let arithmetic = probe.time("multiply_add", &group, arithmetic_workgroups, 1)?;
    let dispatch = probe.time("tick", &group, 1, DISPATCHES)?;
    source.destroy();
    target.destroy();
    Ok(Probes {
        copy_bytes,
        copy_bandwidth: 2.0 * copy_bytes as f64 / copy,
        flops: OPERATIONS * f64::from(arithmetic_workgroups * GROUP) / arithmetic,
        dispatch_seconds: dispatch / f64::from(DISPATCHES),
    })
}
