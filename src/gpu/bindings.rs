//! One table of bindings makes both a bind group's layout and the bind group.

/// How a shader sees a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BindingKind {
    /// `var<uniform>`.
    Uniform,
    /// `var<storage, read>`.
    Read,
    /// `var<storage, read_write>`.
    ReadWrite,
}

/// One row: the WGSL variable and how it is seen. Its index in the table is its `@binding`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Binding {
    /// Name of the WGSL variable.
    pub name: &'static str,
    /// How it is seen.
    pub kind: BindingKind,
}

/// The layout of a table, visible to compute shaders.
pub fn bind_group_layout(
    device: &wgpu::Device,
    label: &str,
    table: &[Binding],
) -> wgpu::BindGroupLayout {
    let entries: Vec<_> = (0..)
        .zip(table)
        .map(|(binding, row)| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty: match row.kind {
                    BindingKind::Uniform => wgpu::BufferBindingType::Uniform,
                    BindingKind::Read => wgpu::BufferBindingType::Storage { read_only: true },
                    BindingKind::ReadWrite => wgpu::BufferBindingType::Storage { read_only: false },
                },
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        })
        .collect();
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some(label),
        entries: &entries,
    })
}

/// A bind group with `buffers` in the order of the table.
pub fn bind_group(
    device: &wgpu::Device,
    label: &str,
    layout: &wgpu::BindGroupLayout,
    buffers: &[&wgpu::Buffer],
) -> wgpu::BindGroup {
    let whole: Vec<_> = buffers
        .iter()
        .map(|buffer| buffer.as_entire_buffer_binding())
        .collect();
    bind_ranges(device, label, layout, whole)
}

/// The same with parts of buffers.
pub fn bind_ranges(
    device: &wgpu::Device,
    label: &str,
    layout: &wgpu::BindGroupLayout,
    ranges: Vec<wgpu::BufferBinding<'_>>,
) -> wgpu::BindGroup {
    let entries: Vec<_> = (0..)
        .zip(ranges)
        .map(|(binding, range)| wgpu::BindGroupEntry {
            binding,
            resource: wgpu::BindingResource::Buffer(range),
        })
        .collect();
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some(label),
        layout,
        entries: &entries,
    })
}

/// Compiles a kernel of so much WGSL, by its label and entry point, with one bind group and override constants.
pub fn compute_pipeline(
    device: &wgpu::Device,
    (label, entry_point): (&str, &str),
    wgsl: String,
    layout: &wgpu::BindGroupLayout,
    constants: &[(&str, f64)],
) -> wgpu::ComputePipeline {
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(label),
        source: wgpu::ShaderSource::Wgsl(wgsl.into()),
    });
    let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(label),
        bind_group_layouts: &[Some(layout)],
        immediate_size: 0,
    });
    device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(label),
        layout: Some(&pipeline_layout),
        module: &module,
        entry_point: Some(entry_point),
        compilation_options: wgpu::PipelineCompilationOptions {
            constants,
            // Every kernel writes its workgroup memory before it reads it.
            zero_initialize_workgroup_memory: false,
        },
        cache: None,
    })
}
