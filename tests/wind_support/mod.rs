//! A kernel that is told of the air in a uniform and maps rows of numbers to vectors, run once on a GPU.
#![allow(dead_code, reason = "each test binary uses a part of it")]

pub mod plate;

use webgpu_softbody::gpu::{Binding, BindingKind, Gpu, bind_group, bind_group_layout, read_buffer};
use webgpu_softbody::layout::WindParams;
use webgpu_softbody::settings::Wind;
use webgpu_softbody::shaders::solver::WIND;
use webgpu_softbody::wind::Gusts;

const HEADER: &str = "
@group(0) @binding(0) var<uniform> wind: WindParams;
@group(0) @binding(1) var<storage, read> inputs: array<Input>;
@group(0) @binding(2) var<storage, read_write> results: array<vec4<f32>>;
@compute @workgroup_size(64)
fn map(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < arrayLength(&inputs)) { results[id.x] = vec4<f32>(value(inputs[id.x]), 0.0); }
}";

/// Values of `fn value(input: Input) -> vec3<f32>`, which `wgsl` defines together with `struct Input`.
pub fn map<T: bytemuck::Pod>(
    gpu: &Gpu,
    wind: &WindParams,
    wgsl: &str,
    inputs: &[T],
) -> Vec<glam::DVec3> {
    let device = &gpu.device;
    let buffer = |size: usize, usage| {
        device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("wind"),
            size: size as u64,
            usage: usage | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        })
    };
    let uniform = buffer(size_of_val(wind), wgpu::BufferUsages::UNIFORM);
    let given = buffer(size_of_val(inputs), wgpu::BufferUsages::STORAGE);
    let results = buffer(16 * inputs.len(), wgpu::BufferUsages::STORAGE);
    gpu.queue
        .write_buffer(&uniform, 0, bytemuck::bytes_of(wind));
    gpu.queue
        .write_buffer(&given, 0, bytemuck::cast_slice(inputs));
    let row = |name, kind| Binding { name, kind };
    let table = [
        row("wind", BindingKind::Uniform),
        row("inputs", BindingKind::Read),
        row("results", BindingKind::ReadWrite),
    ];
    let layout = bind_group_layout(device, "wind", &table);
    let group = bind_group(device, "wind", &layout, &[&uniform, &given, &results]);
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("wind"),
        source: wgpu::ShaderSource::Wgsl(format!("{wgsl}\n{HEADER}\n{WIND}").into()),
    });
    let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some("wind"),
        bind_group_layouts: &[Some(&layout)],
        immediate_size: 0,
    });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some("wind"),
        layout: Some(&pipeline_layout),
        module: &module,
        entry_point: Some("map"),
        compilation_options: Default::default(),
        cache: None,
    });
    let mut encoder = device.create_command_encoder(&Default::default());
    {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups((inputs.len() as u32).div_ceil(64), 1, 1);
    }
    gpu.queue.submit([encoder.finish()]);
    let bytes = pollster::block_on(read_buffer(gpu, &results)).expect("read-back");
    let rows: Vec<[f32; 4]> = bytemuck::pod_collect_to_vec(&bytes);
    rows.iter()
        .map(|r| glam::DVec3::new(r[0].into(), r[1].into(), r[2].into()))
        .collect()
}

/// The uniform of a steady wind in air of 1.2 kg/m³.
pub fn steady(velocity: [f64; 3]) -> WindParams {
    let wind = Wind {
        velocity,
        ..Wind::default()
    };
    Gusts::new(&wind).params(0.0, [0.0; 3])
}
