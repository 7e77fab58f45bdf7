//! The scheme of the article that the solver is compared with (shaders/baseline/article.wgsl), with buffers of its own.

use crate::Failure;
use crate::cases::{Case, placed};
use crate::machine::Machine;
use crate::measure::{FrameTimes, Frames};
use bytemuck::{Pod, Zeroable};
use webgpu_softbody::gpu::{Binding, BindingKind, bind_group, bind_group_layout, read_buffer};
use webgpu_softbody::rest_state::{RestState, vertices_in_box};
use webgpu_softbody::simulation::Pinned;
use webgpu_softbody::solver::PassTimer;
use webgpu_softbody::topology::Topology;
use wgpu::util::DeviceExt;

const ARTICLE: &str = concat!(
    include_str!("../../shaders/baseline/article.wgsl"),
    include_str!("../../shaders/baseline/article_svd.wgsl")
);
const SUBSTEPS: u32 = 10;
const ITERATIONS: u32 = 8;
/// Times that every tet is evaluated in a frame.
pub const EVALUATIONS: u32 = SUBSTEPS * ITERATIONS;
const GROUP: u32 = 64;
const BINDINGS: [(&str, BindingKind); 7] = [
    ("positions", BindingKind::ReadWrite),
    ("normals", BindingKind::ReadWrite),
    ("vertices", BindingKind::ReadWrite),
    ("tets", BindingKind::Read),
    ("multipliers", BindingKind::ReadWrite),
    ("triangles", BindingKind::Read),
    ("params", BindingKind::Uniform),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kernel {
    PredictPositions,
    ResetMultipliers,
    ClampAndCopy,
    SolveTets,
    UpdateVelocities,
    ClearNormals,
    AccumulateNormals,
    NormalizeNormals,
}

impl Kernel {
    const NAMES: [&str; 8] = [
        "predict_positions",
        "reset_multipliers",
        "clamp_and_copy",
        "solve_tets",
        "update_velocities",
        "clear_normals",
        "accumulate_normals",
        "normalize_normals",
    ];

    /// The dispatches of a frame in order.
    fn frame() -> Vec<Self> {
        let mut kernels = Vec::new();
        for _ in 0..SUBSTEPS {
            kernels.extend([Self::PredictPositions, Self::ResetMultipliers]);
            for _ in 0..ITERATIONS {
                kernels.extend([Self::ClampAndCopy, Self::SolveTets]);
            }
            kernels.push(Self::UpdateVelocities);
        }
        kernels.extend([
            Self::ClearNormals,
            Self::AccumulateNormals,
            Self::NormalizeNormals,
        ]);
        kernels
    }
}

/// `Params` of the shader.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Params {
    gravity: [f32; 3],
    substep_seconds: f32,
    lame_mu: f32,
    lame_lambda: f32,
    damping_factor: f32,
    friction: f32,
    floor_height: f32,
    vertex_count: u32,
    tet_count: u32,
    triangle_count: u32,
}

/// What was found.
pub struct Baseline {
    pub times: FrameTimes,
    pub dispatches: usize,
    /// Bytes on the GPU.
    pub memory: u64,
    /// Whether every position is still a number after the timed frames.
    pub finite: bool,
}

/// A body in this scheme.
pub struct Article<'a> {
    machine: &'a Machine,
    pipelines: Vec<wgpu::ComputePipeline>,
    group: wgpu::BindGroup,
    /// In the order of the bindings.
    buffers: Vec<wgpu::Buffer>,
    start: Vec<f32>,
    vertices: Vec<[f32; 12]>,
    frame: Vec<Kernel>,
    /// Per kernel.
    workgroups: [u32; 8],
}

impl<'a> Article<'a> {
    /// Uploads it.
    pub fn new(machine: &'a Machine, case: &Case) -> Result<Self, Failure> {
        let device = &machine.gpu.device;
        let (mesh, material) = (case.mesh, case.options.material);
        let topology = Topology::new(mesh);
        let rest = RestState::new(mesh);
        let mut masses = rest.vertex_masses(material.density);
        for vertex in match &case.options.pinned {
            Pinned::None => Vec::new(),
            Pinned::Vertices(vertices) => vertices.clone(),
            Pinned::Box { min, max } => vertices_in_box(mesh, *min, *max),
        } {
            masses[vertex as usize] = 0.0;
        }
        let vertices: Vec<[f32; 12]> = masses
            .iter()
            .map(|&mass| {
                let mut vertex = [0.0; 12];
                vertex[3] = if mass > 0.0 { (1.0 / mass) as f32 } else { 0.0 };
                vertex
            })
            .collect();
        let tets: Vec<[u32; 16]> = mesh
            .tets()
            .iter()
            .enumerate()
            .map(|(tet, &[a, b, c, d])| {
                let valence = |vertex: u32| topology.tets_per_vertex[vertex as usize];
                let most = [a, b, c, d].map(valence).into_iter().max().unwrap_or(1);
                let relaxation = (1.8 / most as f32).clamp(0.08, 0.5);
                let [b1, b2, b3] = rest.inverse_edges[tet].map(|row| row.map(f32::to_bits));
                let (volume, relaxation) = (rest.volumes[tet].to_bits(), relaxation.to_bits());
                [
                    a, b, c, d, b1[0], b1[1], b1[2], volume, b2[0], b2[1], b2[2], relaxation,
                    b3[0], b3[1], b3[2], 0,
                ]
            })
            .collect();
        let substep_seconds = 1.0 / 60.0 / f64::from(SUBSTEPS);
        let params = Params {
            gravity: [0.0, -9.81, 0.0],
            substep_seconds: substep_seconds as f32,
            lame_mu: material.lame_mu() as f32,
            lame_lambda: material.lame_lambda() as f32,
            damping_factor: (-material.damping * substep_seconds).exp() as f32,
            friction: material.friction as f32,
            floor_height: 0.0,
            vertex_count: vertices.len() as u32,
            tet_count: tets.len() as u32,
            triangle_count: topology.surface_triangles.len() as u32,
        };
        let start: Vec<f32> = mesh
            .positions()
            .iter()
            .flat_map(|&position| placed(&case.options, position))
            .collect();
        let zeros = vec![0u8; start.len() * 4];
        let multipliers = vec![0u8; tets.len() * 16];
        let contents: [&[u8]; 7] = [
            bytemuck::cast_slice(&start),
            &zeros,
            bytemuck::cast_slice(&vertices),
            bytemuck::cast_slice(&tets),
            &multipliers,
            bytemuck::cast_slice(&topology.surface_triangles),
            bytemuck::bytes_of(&params),
        ];
        let limit = device.limits().max_storage_buffer_binding_size;
        let mut buffers = Vec::new();
        for ((name, kind), bytes) in BINDINGS.into_iter().zip(contents) {
            if bytes.len() as u64 > limit {
                return Err(format!(
                    "the baseline's {name} need {} bytes, but this device binds {limit}",
                    bytes.len()
                )
                .into());
            }
            let kind = match kind {
                BindingKind::Uniform => wgpu::BufferUsages::UNIFORM,
                _ => wgpu::BufferUsages::STORAGE,
            };
            buffers.push(
                device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                    label: Some(name),
                    contents: bytes,
                    usage: kind | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
                }),
            );
        }
        let table = BINDINGS.map(|(name, kind)| Binding { name, kind });
        let layout = bind_group_layout(device, "article", &table);
        let group = bind_group(
            device,
            "article",
            &layout,
            &buffers.iter().collect::<Vec<_>>(),
        );
        let [per_vertex, per_tet, per_triangle] =
            [params.vertex_count, params.tet_count, params.triangle_count]
                .map(|n| n.div_ceil(GROUP));
        Ok(Self {
            pipelines: pipelines(device, &layout),
            machine,
            group,
            buffers,
            start,
            vertices,
            frame: Kernel::frame(),
            workgroups: [
                per_vertex,
                per_tet,
                per_vertex,
                per_tet,
                per_vertex,
                per_vertex,
                per_triangle,
                per_vertex,
            ],
        })
    }

    /// What there is to say once its frames are timed.
    pub fn report(self, times: FrameTimes) -> Result<Baseline, Failure> {
        let positions = self.positions()?;
        Ok(Baseline {
            times,
            dispatches: self.frame.len(),
            memory: self.buffers.iter().map(wgpu::Buffer::size).sum(),
            finite: positions.iter().flatten().all(|p| p.is_finite()),
        })
    }

    /// Where its vertices are now, m.
    pub fn positions(&self) -> Result<Vec<[f32; 3]>, Failure> {
        let bytes = pollster::block_on(read_buffer(&self.machine.gpu, &self.buffers[0]))?;
        Ok(bytemuck::pod_collect_to_vec(&bytes))
    }

    fn record(&self, pass: &mut wgpu::ComputePass) {
        pass.set_bind_group(0, &self.group, &[]);
        for &kernel in &self.frame {
            pass.set_pipeline(&self.pipelines[kernel as usize]);
            pass.dispatch_workgroups(self.workgroups[kernel as usize], 1, 1);
        }
    }
}

fn pipelines(device: &wgpu::Device, layout: &wgpu::BindGroupLayout) -> Vec<wgpu::ComputePipeline> {
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("article"),
        source: wgpu::ShaderSource::Wgsl(ARTICLE.into()),
    });
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some("article"),
        bind_group_layouts: &[Some(layout)],
        immediate_size: 0,
    });
    Kernel::NAMES
        .map(|name| {
            device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(name),
                layout: Some(&layout),
                module: &module,
                entry_point: Some(name),
                compilation_options: Default::default(),
                cache: None,
            })
        })
        .into()
}

#[cfg(test)]
impl Article<'_> {
    /// Turns the body inside out: x ↦ −x.
    pub fn mirror(&mut self) {
        let mirrored: Vec<f32> = self
            .start
            .iter()
            .enumerate()
            .map(|(i, &x)| if i % 3 == 0 { -x } else { x })
            .collect();
        self.machine
            .gpu
            .queue
            .write_buffer(&self.buffers[0], 0, bytemuck::cast_slice(&mirrored));
    }
}

impl Frames for Article<'_> {
    fn reset(&mut self) -> Result<(), Failure> {
        let queue = &self.machine.gpu.queue;
        queue.write_buffer(&self.buffers[0], 0, bytemuck::cast_slice(&self.start));
        queue.write_buffer(&self.buffers[2], 0, bytemuck::cast_slice(&self.vertices));
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
        self.record(&mut timer.begin(&mut encoder, "article"));
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
