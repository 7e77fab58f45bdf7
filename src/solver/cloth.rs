//! Frames of cloth: a substep integrates, solves every batch of elements once, and finishes.

use super::{HandBindings, Solver};
use crate::gpu::{self, ClothBuffers, Gpu};
use crate::layout::{BendRow, ClothParams, EdgeRow};
use crate::math;
use crate::settings::{ClothMaterial, Environment};
use crate::shaders::solver::{Group, Kernel, TILE, WORKGROUP_SIZE};
use std::ops::Range;

/// One cloth's bind groups and domain sizes.
#[derive(Debug)]
pub struct ClothBindings {
    cloth: wgpu::BindGroup,
    motion: wgpu::BindGroup,
    surface: wgpu::BindGroup,
    edges: Vec<Batch>,
    bends: Vec<Batch>,
    tiles: Option<Tiles>,
    /// Whether a grid is solved tile by tile, or batch by batch: the same elements in the same order, in two dispatches
    /// per substep instead of fourteen. At first it is, but on a software adapter, which gains nothing by fewer
    /// dispatches and pays for what tiles do twice.
    pub by_tiles: bool,
    /// What hands do to the cloth.
    pub hands: HandBindings,
    vertex_workgroups: u32,
}

/// A grid in tiles.
#[derive(Debug)]
struct Tiles {
    bends: wgpu::BindGroup,
    edges: wgpu::BindGroup,
    across: u32,
    down: u32,
}

/// Elements of which no two share a particle.
#[derive(Debug)]
struct Batch {
    group: wgpu::BindGroup,
    workgroups: u32,
}

/// What the kernels are told about a frame: `grid` is columns, rows and spacing in m, `lift` how far above the floor the
/// cloth is held, m.
pub fn cloth_params(
    material: &ClothMaterial,
    environment: &Environment,
    cloth: &ClothBuffers,
    (grid, lift): (Option<(u32, u32, f64)>, f64),
    substep_seconds: f64,
) -> ClothParams {
    let (columns, rows, spacing) = grid.unwrap_or((0, 0, 1.0));
    // Areas stand for masses, so compliances are multiplied by the areal density.
    let scale = material.areal_density / (substep_seconds * substep_seconds);
    let origin = f64::from(cloth.surface.origin[1]);
    let height = environment.floor.unwrap_or(0.0) - origin + lift;
    ClothParams {
        gravity: environment.gravity.map(|g| g as f32),
        substep_seconds: substep_seconds as f32,
        floor_height: height as f32,
        floor_enabled: u32::from(environment.floor.is_some()),
        vertex_count: cloth.surface.vertex_count,
        damping_factor: math::exp(-material.damping * substep_seconds) as f32,
        friction: material.friction as f32,
        areal_density: material.areal_density as f32,
        stretch: (material.stretch * scale) as f32,
        shear: (material.shear * scale) as f32,
        bend: (material.bend * scale) as f32,
        longest: material
            .strain_limit
            .map_or(1e9, |limit| 1.0 + limit as f32),
        normal_drag: material.normal_drag as f32,
        tangential_drag: material.tangential_drag as f32,
        columns,
        rows,
        spacing: spacing as f32,
        diagonal: (spacing * 2f64.sqrt()) as f32,
        bend_weight: (1.0 / spacing) as f32,
        border_weight: (0.5f64.sqrt() / spacing) as f32,
        padding: [0; 2],
    }
}

impl Solver {
    /// Bind groups of a cloth, one per batch and kernel.
    pub fn bind_cloth(
        &self,
        gpu: &Gpu,
        cloth: &ClothBuffers,
        grid: Option<(u32, u32, f64)>,
    ) -> ClothBindings {
        let particles = &cloth.surface.positions;
        let batches = |group: Group, buffer: &wgpu::Buffer, ranges: &[Range<u64>], row: usize| {
            let batch = |range: &Range<u64>| {
                let size = range.end - range.start;
                Batch {
                    group: gpu::bind_ranges(
                        &gpu.device,
                        group.label(),
                        &self.layouts[group as usize],
                        vec![
                            cloth.params.as_entire_buffer_binding(),
                            particles.as_entire_buffer_binding(),
                            cloth.displacements.as_entire_buffer_binding(),
                            wgpu::BufferBinding {
                                buffer,
                                offset: range.start,
                                size: wgpu::BufferSize::new(size),
                            },
                        ],
                    ),
                    workgroups: ((size / row as u64) as u32).div_ceil(WORKGROUP_SIZE),
                }
            };
            ranges
                .iter()
                .filter(|range| !range.is_empty())
                .map(batch)
                .collect()
        };
        ClothBindings {
            cloth: self.bind_group(
                gpu,
                Group::Cloth,
                &[
                    &cloth.params,
                    particles,
                    &cloth.velocities,
                    &cloth.displacements,
                    &cloth.vertices,
                    &cloth.wind,
                    &cloth.surface.triangles,
                    &cloth.triangle_offsets,
                    &cloth.incident_triangles,
                ],
            ),
            motion: self.bind_group(
                gpu,
                Group::ClothMotion,
                &[
                    &cloth.params,
                    particles,
                    &cloth.velocities,
                    &cloth.displacements,
                ],
            ),
            surface: self.bind_group(
                gpu,
                Group::Surface,
                &[
                    &cloth.surface_params,
                    particles,
                    &cloth.surface.normals,
                    &cloth.surface.triangles,
                    &cloth.triangle_offsets,
                    &cloth.incident_triangles,
                ],
            ),
            edges: batches(
                Group::Edges,
                &cloth.edges,
                &cloth.edge_batches,
                size_of::<EdgeRow>(),
            ),
            bends: batches(
                Group::Bends,
                &cloth.bends,
                &cloth.bend_batches,
                size_of::<BendRow>(),
            ),
            tiles: grid.zip(cloth.other_displacements.as_ref()).map(
                |((columns, rows, _), other)| {
                    let bind = |before, after| {
                        let buffers = [&cloth.params, particles, before, after];
                        self.bind_group(gpu, Group::Tiles, &buffers)
                    };
                    Tiles {
                        bends: bind(&cloth.displacements, other),
                        edges: bind(other, &cloth.displacements),
                        across: columns.div_ceil(TILE),
                        down: rows.div_ceil(TILE),
                    }
                },
            ),
            by_tiles: !gpu.software,
            hands: HandBindings::default(),
            vertex_workgroups: cloth.surface.vertex_count.div_ceil(WORKGROUP_SIZE),
        }
    }

    /// Records one frame of a cloth: substeps of integrate → project → velocity, then the normals.
    pub fn record_cloth_frame(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        cloth: &ClothBindings,
        substeps: u32,
    ) {
        let workgroups = cloth.vertex_workgroups;
        if cloth.hands.pins_are_due() {
            self.dispatch_hands(pass, &cloth.hands, Kernel::MovePins, workgroups);
        }
        for _ in 0..substeps {
            self.dispatch_over(pass, Kernel::IntegrateCloth, &cloth.cloth, workgroups);
            if cloth.hands.holding() {
                let pull = Kernel::PullDisplacements;
                self.dispatch_hands(pass, &cloth.hands, pull, workgroups);
            }
            match &cloth.tiles {
                Some(tiles) if cloth.by_tiles => {
                    for (kernel, group) in [
                        (Kernel::BendTiles, &tiles.bends),
                        (Kernel::EdgeTiles, &tiles.edges),
                    ] {
                        pass.set_pipeline(&self.pipelines[kernel as usize]);
                        pass.set_bind_group(0, group, &[]);
                        pass.dispatch_workgroups(tiles.across, tiles.down, 1);
                    }
                }
                _ => {
                    for (kernel, batches) in [
                        (Kernel::SolveBends, &cloth.bends),
                        (Kernel::SolveEdges, &cloth.edges),
                    ] {
                        for batch in batches {
                            self.dispatch_over(pass, kernel, &batch.group, batch.workgroups);
                        }
                    }
                }
            }
            self.dispatch_over(
                pass,
                Kernel::FinishCloth,
                &cloth.motion,
                cloth.vertex_workgroups,
            );
        }
        self.record_cloth_surface(pass, cloth);
    }

    /// Records the normals alone, for a cloth that was just placed.
    pub fn record_cloth_surface(&self, pass: &mut wgpu::ComputePass<'_>, cloth: &ClothBindings) {
        self.dispatch_over(
            pass,
            Kernel::ComputeNormals,
            &cloth.surface,
            cloth.vertex_workgroups,
        );
    }

    /// Dispatches of a frame of so many substeps.
    pub fn cloth_dispatches(cloth: &ClothBindings, substeps: u32) -> u32 {
        let batches = match cloth.tiles {
            Some(_) if cloth.by_tiles => 2,
            _ => (cloth.edges.len() + cloth.bends.len()) as u32,
        };
        substeps * (2 + batches) + 1
    }

    fn dispatch_over(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        kernel: Kernel,
        group: &wgpu::BindGroup,
        workgroups: u32,
    ) {
        pass.set_pipeline(&self.pipelines[kernel as usize]);
        pass.set_bind_group(0, group, &[]);
        pass.dispatch_workgroups(workgroups, 1, 1);
    }
}
