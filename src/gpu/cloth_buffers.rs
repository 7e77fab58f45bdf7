//! The GPU copy of one cloth: particles, elements in batches, and the surface that is drawn.

use super::{Gpu, GpuError, InitialState, SurfaceBuffers};
use crate::cloth::{Attachments, ClothElements, ClothMesh};
use crate::layout::{BendRow, ClothParams, ClothVertex, EdgeRow, SurfaceParams, WindParams};
use crate::shaders::solver::WORKGROUP_SIZE;
use std::ops::Range;
use wgpu::BufferUsages as Usage;

/// Every buffer of a cloth. Particles stand in the order of its mesh.
#[derive(Debug)]
pub struct ClothBuffers {
    /// Particles and triangles, which the renderer reads.
    pub surface: SurfaceBuffers,
    /// `array<vec4<f32>>`, m/s.
    pub velocities: wgpu::Buffer,
    /// `array<vec4<f32>>`: way of the running substep, m, and inverse area, 1/m².
    pub displacements: wgpu::Buffer,
    /// Of a grid: the same between its two kinds of elements.
    pub other_displacements: Option<wgpu::Buffer>,
    /// [`ClothVertex`] per particle.
    pub vertices: wgpu::Buffer,
    /// [`ClothParams`].
    pub params: wgpu::Buffer,
    /// [`WindParams`].
    pub wind: wgpu::Buffer,
    /// [`EdgeRow`]s, each batch aligned to what a binding may begin at.
    pub edges: wgpu::Buffer,
    /// [`BendRow`]s, likewise.
    pub bends: wgpu::Buffer,
    /// Bytes of the batches in `edges`.
    pub edge_batches: Vec<Range<u64>>,
    /// Bytes of the batches in `bends`.
    pub bend_batches: Vec<Range<u64>>,
    /// [`SurfaceParams`].
    pub surface_params: wgpu::Buffer,
    /// Prefix sums of the triangles round each particle.
    pub triangle_offsets: wgpu::Buffer,
    /// Triangle numbers round each particle.
    pub incident_triangles: wgpu::Buffer,
}

/// Rows in batches, each of which begins at a multiple of 256 bytes; and the bytes of each.
fn aligned<T: bytemuck::Pod>(
    batches: &[Range<u32>],
    row: &dyn Fn(usize) -> T,
) -> (Vec<T>, Vec<Range<u64>>) {
    let size = size_of::<T>() as u64;
    let step = (256 / size) as usize;
    let mut rows = Vec::new();
    let mut ranges = Vec::new();
    for batch in batches {
        rows.resize(rows.len().next_multiple_of(step), T::zeroed());
        let first = rows.len() as u64 * size;
        rows.extend(batch.clone().map(|index| row(index as usize)));
        ranges.push(first..rows.len() as u64 * size);
    }
    (rows, ranges)
}

/// The triangles round each vertex: prefix sums, and the numbers they lead to.
fn triangles_round(vertex_count: usize, triangles: &[[u32; 3]]) -> (Vec<u32>, Vec<u32>) {
    let mut offsets = vec![0u32; vertex_count + 1];
    for &corner in triangles.as_flattened() {
        offsets[corner as usize + 1] += 1;
    }
    for vertex in 0..vertex_count {
        offsets[vertex + 1] += offsets[vertex];
    }
    let mut next = offsets.clone();
    let mut incident = vec![0u32; 3 * triangles.len()];
    for (number, triangle) in (0..).zip(triangles) {
        for &corner in triangle {
            let place = &mut next[corner as usize];
            incident[*place as usize] = number;
            *place += 1;
        }
    }
    (offsets, incident)
}

fn rows(vectors: &[[f32; 3]], fourth: f32) -> Vec<[f32; 4]> {
    vectors.iter().map(|&[x, y, z]| [x, y, z, fourth]).collect()
}

impl ClothBuffers {
    /// Allocates a cloth and uploads all but its pins ([`Self::write_vertices`]).
    ///
    /// # Errors
    /// [`GpuError::Limit`] if a buffer or dispatch would exceed the device's limits; nothing is allocated then.
    pub fn new(
        gpu: &Gpu,
        mesh: &ClothMesh,
        elements: &ClothElements,
        initial: &InitialState,
    ) -> Result<Self, GpuError> {
        let vertex_count = mesh.positions().len();
        let (edge_rows, edge_batches) = aligned(&elements.edge_batches, &|index| {
            let edge = &elements.edges[index];
            EdgeRow {
                a: edge.vertices[0],
                b: edge.vertices[1],
                length: edge.length,
                factor: if edge.shear {
                    -edge.factor
                } else {
                    edge.factor
                },
            }
        });
        let (bend_rows, bend_batches) = aligned(&elements.bend_batches, &|index| {
            let bend = &elements.bends[index];
            BendRow {
                particles: bend.vertices,
                weights: bend.weights,
                rest: bend.rest,
            }
        });
        let limits = gpu.device.limits();
        let binding = limits.max_storage_buffer_binding_size;
        let workgroups = u64::from(limits.max_compute_workgroups_per_dimension);
        let groups = |count: u64| count.div_ceil(u64::from(WORKGROUP_SIZE));
        let most = |batches: &[Range<u64>], size: usize| {
            batches
                .iter()
                .map(|range| (range.end - range.start) / size as u64)
                .max()
                .unwrap_or(0)
        };
        let edges = edge_rows.len() as u64 * size_of::<EdgeRow>() as u64;
        let bends = bend_rows.len() as u64 * size_of::<BendRow>() as u64;
        let vertices = vertex_count as u64;
        let largest = most(&edge_batches, size_of::<EdgeRow>())
            .max(most(&bend_batches, size_of::<BendRow>()));
        gpu.check(
            &[
                ("edges", edges, limits.max_buffer_size),
                ("bending elements", bends, limits.max_buffer_size),
                ("particles", vertices * 16, binding),
                ("triangles", mesh.triangles().len() as u64 * 12, binding),
                (
                    "one dispatch over the particles",
                    groups(vertices),
                    workgroups,
                ),
                ("one dispatch over a batch", groups(largest), workgroups),
            ],
            (vertices, "particles"),
            || format!("a cloth of {vertex_count} particles"),
        )?;

        let lines: Vec<[u32; 2]> = elements
            .edges
            .iter()
            .filter(|edge| !edge.shear)
            .map(|edge| edge.vertices)
            .collect();
        let (offsets, incident) = triangles_round(vertex_count, mesh.triangles());
        let create = |label, bytes: &[u8], usage| gpu.create(label, bytes, usage);
        let state = Usage::STORAGE | Usage::COPY_SRC;
        let positions = rows(&initial.positions, 1.0);
        let velocities = rows(&initial.velocities, 0.0);
        let surface_params = SurfaceParams {
            vertex_count: vertex_count as u32,
            padding: [0; 3],
        };
        Ok(Self {
            surface: SurfaceBuffers {
                positions: create(
                    "positions",
                    bytemuck::cast_slice(&positions),
                    state | Usage::VERTEX,
                ),
                normals: gpu.reserve("normals", 16 * vertex_count, state | Usage::VERTEX),
                triangles: create(
                    "triangles",
                    bytemuck::cast_slice(mesh.triangles()),
                    Usage::STORAGE | Usage::INDEX | Usage::COPY_SRC,
                ),
                triangle_index_count: 3 * mesh.triangles().len() as u32,
                edges: create("edges", bytemuck::cast_slice(&lines), Usage::INDEX),
                edge_index_count: 2 * lines.len() as u32,
                vertex_count: vertex_count as u32,
                origin: initial.origin,
                material_coordinates: Some(create(
                    "material_coordinates",
                    bytemuck::cast_slice(&mesh.material_coordinates()),
                    Usage::VERTEX,
                )),
            },
            velocities: create("velocities", bytemuck::cast_slice(&velocities), state),
            displacements: gpu.reserve("displacements", 16 * vertex_count, Usage::STORAGE),
            other_displacements: mesh
                .grid_size()
                .map(|_| gpu.reserve("other_displacements", 16 * vertex_count, Usage::STORAGE)),
            vertices: gpu.reserve(
                "cloth_vertices",
                vertex_count * size_of::<ClothVertex>(),
                Usage::STORAGE,
            ),
            params: gpu.reserve("params", size_of::<ClothParams>(), Usage::UNIFORM),
            wind: gpu.reserve("wind", size_of::<WindParams>(), Usage::UNIFORM),
            edges: create(
                "cloth_edges",
                bytemuck::cast_slice(&edge_rows),
                Usage::STORAGE,
            ),
            bends: create(
                "cloth_bends",
                bytemuck::cast_slice(&bend_rows),
                Usage::STORAGE,
            ),
            edge_batches,
            bend_batches,
            surface_params: create(
                "surface_params",
                bytemuck::bytes_of(&surface_params),
                Usage::UNIFORM,
            ),
            triangle_offsets: create(
                "triangle_offsets",
                bytemuck::cast_slice(&offsets),
                Usage::STORAGE,
            ),
            incident_triangles: create(
                "incident_triangles",
                bytemuck::cast_slice(&incident),
                Usage::STORAGE,
            ),
        })
    }

    /// Writes masses and pins: `pinned[v]` lets a particle go on with its own velocity alone.
    pub fn write_vertices(
        &self,
        gpu: &Gpu,
        elements: &ClothElements,
        attachments: &Attachments,
        pinned: &[bool],
    ) {
        let rows: Vec<ClothVertex> = (0..pinned.len())
            .map(|vertex| {
                let area = elements.vertex_areas[vertex];
                let anchor = attachments.pins[vertex];
                let none = anchor == u32::MAX;
                ClothVertex {
                    inverse_area: if pinned[vertex] || area == 0.0 {
                        0.0
                    } else {
                        1.0 / area
                    },
                    anchor: if none { vertex as u32 } else { anchor },
                    reach: if none {
                        0.0
                    } else {
                        attachments.distances[vertex]
                    },
                    share: elements.triangle_shares[vertex],
                }
            })
            .collect();
        gpu.queue
            .write_buffer(&self.vertices, 0, bytemuck::cast_slice(&rows));
    }

    /// Puts the cloth into a state.
    pub fn write_state(&mut self, gpu: &Gpu, state: &InitialState) {
        self.surface.origin = state.origin;
        for (buffer, vectors, fourth) in [
            (&self.surface.positions, &state.positions, 1.0),
            (&self.velocities, &state.velocities, 0.0),
        ] {
            gpu.queue
                .write_buffer(buffer, 0, bytemuck::cast_slice(&rows(vectors, fourth)));
        }
    }
}

impl Drop for ClothBuffers {
    /// On the web dropping a wgpu buffer frees nothing; destroying it does.
    fn drop(&mut self) {
        let SurfaceBuffers {
            positions,
            normals,
            triangles,
            edges,
            material_coordinates,
            ..
        } = &self.surface;
        let optional = [material_coordinates, &self.other_displacements];
        for buffer in optional.into_iter().flatten().chain([
            positions,
            normals,
            triangles,
            edges,
            &self.velocities,
            &self.displacements,
            &self.vertices,
            &self.params,
            &self.wind,
            &self.edges,
            &self.bends,
            &self.surface_params,
            &self.triangle_offsets,
            &self.incident_triangles,
        ]) {
            buffer.destroy();
        }
    }
}
