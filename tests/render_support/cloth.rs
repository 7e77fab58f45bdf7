//! Sheets of cloth to draw: what the solver would hold of them, with exact normals.

use super::{Gpu, Studio};
use glam::{Vec2, Vec3};
use webgpu_softbody::gpu::surface::SurfaceBuffers;
use webgpu_softbody::render::SurfaceDraw;

/// A sheet of triangles that knows where along warp and weft its vertices are, metres.
#[derive(Clone)]
pub struct Sheet {
    pub positions: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
    pub material: Vec<Vec2>,
}

impl Sheet {
    /// `size` metres of cloth in `cells` × `cells`, where `place` puts a point of it; warp is x, weft is y. The side whose
    /// normal is warp × weft is the outer one.
    pub fn new(size: Vec2, cells: u32, place: impl Fn(Vec2) -> Vec3) -> Self {
        let at = |i: u32, j: u32| size * Vec2::new(i as f32, j as f32) / cells as f32;
        let step = 1e-3;
        let slope = |m: Vec2, by: Vec2| place(m + by) - place(m - by);
        let material: Vec<Vec2> = (0..=cells)
            .flat_map(|j| (0..=cells).map(move |i| at(i, j)))
            .collect();
        let index = |i: u32, j: u32| j * (cells + 1) + i;
        let quads = (0..cells).flat_map(|j| (0..cells).map(move |i| (i, j)));
        Self {
            positions: material.iter().map(|&m| place(m)).collect(),
            normals: material
                .iter()
                .map(|&m| slope(m, step * Vec2::X).cross(slope(m, step * Vec2::Y)))
                .map(Vec3::normalize_or_zero)
                .collect(),
            triangles: quads
                .flat_map(|(i, j)| {
                    let [a, b, c, d] = [
                        index(i, j),
                        index(i + 1, j),
                        index(i + 1, j + 1),
                        index(i, j + 1),
                    ];
                    // Diagonals alternate, so that they prefer no direction.
                    if (i + j) % 2 == 0 {
                        [[a, b, c], [a, c, d]]
                    } else {
                        [[a, b, d], [b, c, d]]
                    }
                })
                .collect(),
            material,
        }
    }

    /// A level square of `side` metres whose middle is at `center`; warp is along x.
    pub fn level(side: f32, center: Vec3) -> Self {
        Self::new(Vec2::splat(side), 24, |m| {
            center + Vec3::new(m.x - 0.5 * side, 0.0, 0.5 * side - m.y)
        })
    }

    /// The other side out.
    #[must_use]
    pub fn turned(mut self) -> Self {
        self.triangles = self.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
        self.normals = self.normals.iter().map(|&n| -n).collect();
        self
    }

    /// Warp for weft.
    #[must_use]
    pub fn swapped(mut self) -> Self {
        self.material = self.material.iter().map(|m| Vec2::new(m.y, m.x)).collect();
        self
    }
}

impl Gpu {
    /// Uploads a sheet as the solver would hold it.
    pub fn upload_sheet(&self, sheet: &Sheet) -> SurfaceBuffers {
        let shape = super::Shape {
            positions: sheet.positions.clone(),
            triangles: sheet.triangles.clone(),
        };
        let surface = self.upload(&shape, [0.0; 3]);
        let normals = super::padded(&sheet.normals);
        self.queue
            .write_buffer(&surface.normals, 0, bytemuck::cast_slice(&normals));
        let material: Vec<[f32; 2]> = sheet.material.iter().map(Vec2::to_array).collect();
        SurfaceBuffers {
            material_coordinates: Some(self.buffer(
                "material coordinates",
                wgpu::BufferUsages::VERTEX,
                bytemuck::cast_slice(&material),
            )),
            ..surface
        }
    }
}

impl Studio {
    pub fn cloth(&self, sheet: &Sheet) -> (SurfaceBuffers, SurfaceDraw) {
        let surface = self.gpu.upload_sheet(sheet);
        let draw = SurfaceDraw::new(&self.gpu.device, &self.renderer, &surface, None);
        (surface, draw)
    }
}
