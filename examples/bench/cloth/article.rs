//! The scheme of the article that the cloth is compared with (shaders/baseline/cloth.wgsl), with buffers of its own.

use crate::Failure;
use crate::cloth::GRAVITY;
use crate::machine::Machine;
use crate::measure::Frames;
use bytemuck::{Pod, Zeroable};
use webgpu_softbody::gpu::{Binding, BindingKind, bind_group, bind_group_layout, read_buffer};
use webgpu_softbody::solver::PassTimer;
use wgpu::util::DeviceExt;

/// Relaxation passes of a frame.
const PASSES: usize = 5;
const TILE: u32 = 8;
const BINDINGS: [(&str, BindingKind); 4] = [
    ("positions", BindingKind::ReadWrite),
    ("previous", BindingKind::ReadWrite),
    ("normals", BindingKind::ReadWrite),
    ("params", BindingKind::Uniform),
];
/// Kinds of springs: columns from the cell's left of the first and of the second end, and rows from the one to the other.
const KINDS: [(u32, u32, u32); 6] = [
    (0, 1, 0),
    (0, 0, 1),
    (0, 1, 1),
    (1, 0, 1),
    (0, 2, 0),
    (0, 0, 2),
];

/// `Params` of the shader.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Params {
    gravity: [f32; 3],
    frame_seconds: f32,
    wind: [f32; 3],
    side: u32,
    spacing: f32,
    padding: [f32; 3],
}

/// Springs of which no two share a particle.
#[derive(Debug, Clone, Copy)]
pub struct Batch {
    left: u32,
    right: u32,
    down: u32,
    parity: u32,
}

impl Batch {
    /// The twelve of a frame, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        KINDS.into_iter().flat_map(|(left, right, down)| {
            [0, 1].map(|parity| Self {
                left,
                right,
                down,
                parity,
            })
        })
    }

    /// How many neighbours begin a spring side by side.
    fn run(self) -> u32 {
        let across = self.right.max(self.left);
        across.max(self.down)
    }

    fn down_columns(self) -> bool {
        self.left == self.right
    }

    /// Springs in the way that they are counted, at most, for a grid of `side` particles a side.
    fn strides(self, side: u32) -> u32 {
        side.div_ceil(2 * self.run()) * self.run()
    }

    /// Its springs as the shader finds them.
    pub fn springs(self, side: u32) -> impl Iterator<Item = [u32; 2]> {
        let run = self.run();
        let strided = (0..self.strides(side)).map(move |n| {
            let gap = (n / run) * run;
            n + gap + self.parity * run
        });
        let plain = 0..side;
        let places: Box<dyn Iterator<Item = (u32, u32)>> = match self.down_columns() {
            true => Box::new(strided.flat_map(move |j| plain.clone().map(move |i| (i, j)))),
            false => Box::new(strided.flat_map(move |i| plain.clone().map(move |j| (i, j)))),
        };
        places
            .filter(move |(i, j)| i + self.left.max(self.right) < side && j + self.down < side)
            .map(move |(i, j)| {
                [
                    j * side + i + self.left,
                    (j + self.down) * side + i + self.right,
                ]
            })
    }

    fn constants(self) -> [(&'static str, f64); 5] {
        [
            ("left", self.left),
            ("right", self.right),
            ("down", self.down),
            ("parity", self.parity),
            ("run", self.run()),
        ]
        .map(|(name, value)| (name, f64::from(value)))
    }
}

/// A cloth in this scheme.
pub struct Article<'a> {
    machine: &'a Machine,
    group: wgpu::BindGroup,
    /// In the order of the bindings.
    buffers: Vec<wgpu::Buffer>,
    start: Vec<[f32; 4]>,
    side: u32,
    params: Params,
    /// In the order of a frame: pipeline and workgroups.
    frame: Vec<(wgpu::ComputePipeline, [u32; 2])>,
}

impl<'a> Article<'a> {
    /// A square grid of `side` particles a side that starts at `positions`, m, its upper row held, in a wind, which here is
    /// an acceleration.
    pub fn new(
        machine: &'a Machine,
        side: u32,
        spacing: f64,
        positions: &[[f32; 3]],
        wind: [f64; 3],
    ) -> Result<Self, Failure> {
        let device = &machine.gpu.device;
        let start: Vec<[f32; 4]> = (0..)
            .zip(positions)
            .map(|(particle, &[x, y, z])| [x, y, z, if particle < side { 0.0 } else { 1.0 }])
            .collect();
        let params = Params {
            gravity: GRAVITY.map(|g| g as f32),
            frame_seconds: 1.0 / 60.0,
            wind: wind.map(|w| w as f32),
            side,
            spacing: spacing as f32,
            padding: [0.0; 3],
        };
        let bytes: &[u8] = bytemuck::cast_slice(&start);
        let limit = device.limits().max_storage_buffer_binding_size;
        if bytes.len() as u64 > limit {
            return Err(format!(
                "the baseline's particles need {} bytes, but this device binds {limit}",
                bytes.len()
            )
            .into());
        }
        let contents = [bytes, bytes, bytes, bytemuck::bytes_of(&params)];
        let buffers: Vec<wgpu::Buffer> = BINDINGS
            .into_iter()
            .zip(contents)
            .map(|((name, kind), contents)| {
                let kind = match kind {
                    BindingKind::Uniform => wgpu::BufferUsages::UNIFORM,
                    _ => wgpu::BufferUsages::STORAGE,
                };
                device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                    label: Some(name),
                    contents,
                    usage: kind | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
                })
            })
            .collect();
        let table = BINDINGS.map(|(name, kind)| Binding { name, kind });
        let layout = bind_group_layout(device, "article_cloth", &table);
        let group = bind_group(
            device,
            "article_cloth",
            &layout,
            &buffers.iter().collect::<Vec<_>>(),
        );
        Ok(Self {
            frame: frame(device, &layout, side),
            machine,
            group,
            buffers,
            start,
            side,
            params,
        })
    }

    /// Changes the wind, m/s², from the next frame on.
    pub fn set_wind(&mut self, wind: [f64; 3]) {
        self.params.wind = wind.map(|w| w as f32);
        let queue = &self.machine.gpu.queue;
        queue.write_buffer(&self.buffers[3], 0, bytemuck::bytes_of(&self.params));
    }

    /// Dispatches of a frame.
    pub fn dispatches(&self) -> usize {
        self.frame.len()
    }

    /// Springs that a frame relaxes, each as often as it does.
    pub fn solves(&self) -> u64 {
        let springs = Batch::all().map(|batch| batch.springs(self.side).count() as u64);
        PASSES as u64 * springs.sum::<u64>()
    }

    /// Bytes on the GPU.
    pub fn memory(&self) -> u64 {
        self.buffers.iter().map(wgpu::Buffer::size).sum()
    }

    /// Where its particles are now, m.
    pub fn positions(&self) -> Result<Vec<[f32; 3]>, Failure> {
        let bytes = pollster::block_on(read_buffer(&self.machine.gpu, &self.buffers[0]))?;
        let rows: Vec<[f32; 4]> = bytemuck::pod_collect_to_vec(&bytes);
        Ok(rows.into_iter().map(|[x, y, z, _]| [x, y, z]).collect())
    }

    fn record(&self, pass: &mut wgpu::ComputePass) {
        pass.set_bind_group(0, &self.group, &[]);
        for (pipeline, [across, down]) in &self.frame {
            pass.set_pipeline(pipeline);
            pass.dispatch_workgroups(*across, *down, 1);
        }
    }
}

/// The dispatches of a frame.
fn frame(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    side: u32,
) -> Vec<(wgpu::ComputePipeline, [u32; 2])> {
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("article_cloth"),
        source: wgpu::ShaderSource::Wgsl(
            include_str!("../../../shaders/baseline/cloth.wgsl").into(),
        ),
    });
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some("article_cloth"),
        bind_group_layouts: &[Some(layout)],
        immediate_size: 0,
    });
    let pipeline = |name: &str, constants: &[(&str, f64)]| {
        device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(name),
            layout: Some(&layout),
            module: &module,
            entry_point: Some(name),
            compilation_options: wgpu::PipelineCompilationOptions {
                constants,
                ..Default::default()
            },
            cache: None,
        })
    };
    let whole = [side.div_ceil(TILE); 2];
    let batches: Vec<_> = Batch::all()
        .map(|batch| {
            let strided = batch.strides(side).div_ceil(TILE);
            let workgroups = match batch.down_columns() {
                true => [whole[0], strided],
                false => [strided, whole[1]],
            };
            (pipeline("relax", &batch.constants()), workgroups)
        })
        .collect();
    let mut frame = vec![(pipeline("move_particles", &[]), whole)];
    for _ in 0..PASSES {
        frame.extend(batches.iter().cloned());
    }
    frame.push((pipeline("compute_normals", &[]), whole));
    frame
}

impl Frames for Article<'_> {
    fn reset(&mut self) -> Result<(), Failure> {
        let queue = &self.machine.gpu.queue;
        for buffer in &self.buffers[..2] {
            queue.write_buffer(buffer, 0, bytemuck::cast_slice(&self.start));
        }
        Ok(())
    }

    fn submit(&mut self, frames: u32) -> Result<(), Failure> {
        for _ in 0..frames {
            let device = &self.machine.gpu.device;
            let mut encoder = device.create_command_encoder(&Default::default());
            self.record(&mut encoder.begin_compute_pass(&Default::default()));
            self.machine.gpu.queue.submit([encoder.finish()]);
        }
        Ok(())
    }

    fn submit_timed(&mut self, timer: &mut PassTimer) -> Result<(), Failure> {
        let device = &self.machine.gpu.device;
        let mut encoder = device.create_command_encoder(&Default::default());
        self.record(&mut timer.begin(&mut encoder, "article_cloth"));
        self.machine.gpu.queue.submit([encoder.finish()]);
        Ok(())
    }
}

impl Drop for Article<'_> {
    fn drop(&mut self) {
        for buffer in &self.buffers {
            buffer.destroy();
        }
    }
}
