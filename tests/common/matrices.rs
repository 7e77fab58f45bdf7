//! A kernel that maps matrices to results, run once on a GPU.

use glam::DMat3;
use webgpu_softbody::gpu::{Binding, BindingKind, Gpu, bind_group, bind_group_layout, read_buffer};

/// Columns padded to 16 bytes, as WGSL lays a mat3x3 out.
pub fn columns(m: &DMat3) -> [[f32; 4]; 3] {
    [m.x_axis, m.y_axis, m.z_axis].map(|c| [c.x as f32, c.y as f32, c.z as f32, 0.0])
}

/// Runs `entry` of `wgsl` with one invocation of 64 per matrix: `matrices` is bound as `array<mat3x3<f32>>`, three columns
/// of 16 bytes each, and the results, of `stride` bytes, are returned.
pub fn map_matrices(
    gpu: &Gpu,
    wgsl: String,
    entry: &str,
    matrices: &[[[f32; 4]; 3]],
    stride: usize,
) -> Vec<u8> {
    let device = &gpu.device;
    let buffer = |size: usize| {
        device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(entry),
            size: size as u64,
            usage: wgpu::BufferUsages::STORAGE
                | wgpu::BufferUsages::COPY_DST
                | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        })
    };
    let (inputs, outputs) = (
        buffer(size_of_val(matrices)),
        buffer(matrices.len() * stride),
    );
    gpu.queue
        .write_buffer(&inputs, 0, bytemuck::cast_slice(matrices));
    let row = |name, kind| Binding { name, kind };
    let table = [
        row("matrices", BindingKind::Read),
        row("results", BindingKind::ReadWrite),
    ];
    let layout = bind_group_layout(device, entry, &table);
    let group = bind_group(device, entry, &layout, &[&inputs, &outputs]);
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(entry),
        source: wgpu::ShaderSource::Wgsl(wgsl.into()),
    });
    let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(entry),
        bind_group_layouts: &[Some(&layout)],
        immediate_size: 0,
    });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(entry),
        layout: Some(&pipeline_layout),
        module: &module,
        entry_point: Some(entry),
        compilation_options: Default::default(),
        cache: None,
    });
    let mut encoder = device.create_command_encoder(&Default::default());
    {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups((matrices.len() as u32).div_ceil(64), 1, 1);
    }
    gpu.queue.submit([encoder.finish()]);
    pollster::block_on(read_buffer(gpu, &outputs)).expect("read-back")
}
