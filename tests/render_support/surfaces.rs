//! Surfaces to embed, a picture to put on them, and bodies that carry them.

use super::{Shape, Studio};
use glam::Vec3;
use std::sync::Arc;
use webgpu_softbody::gpu::{Gpu, SurfaceBuffers};
use webgpu_softbody::mesh::TetMesh;
use webgpu_softbody::render::SurfaceDraw;
use webgpu_softbody::settings::{Environment, SolverSettings};
use webgpu_softbody::simulation::{BodyOptions, Simulation};
use webgpu_softbody::surface::{SurfaceImage, SurfaceLook, SurfaceMesh, SurfacePart};

impl Studio {
    /// A world on this studio's device with one body in it, placed so that it touches the floor.
    pub fn world(&self, mesh: TetMesh, surface: SurfaceMesh, options: &BodyOptions) -> Simulation {
        let gpu = Gpu {
            device: self.gpu.device.clone(),
            queue: self.gpu.queue.clone(),
            adapter_name: String::new(),
            software: true,
        };
        let mut simulation =
            Simulation::new(gpu, Environment::default(), SolverSettings::default())
                .expect("defaults are in range");
        let options = BodyOptions {
            surface: Some(Arc::new(surface)),
            ..options.clone()
        };
        simulation.load(mesh, &options).expect("a sound body");
        simulation
    }

    /// What is drawn of a world's body.
    pub fn drawn(&self, simulation: &Simulation) -> (SurfaceBuffers, SurfaceDraw) {
        let buffers = simulation.body().expect("a body").buffers();
        let look = buffers.embedded.as_ref().and_then(|e| e.look.as_ref());
        let surface = buffers.drawn().clone();
        let draw = SurfaceDraw::new(&self.gpu.device, &self.renderer, &surface, look);
        (surface, draw)
    }
}

/// A picture whose every corner differs: yellow first texel, red along u, green along v, with a white F that reads
/// from the left to the right and from the top down.
pub fn test_card(side: u32) -> SurfaceImage {
    // In a 10 × 10 grid: stem, upper bar, middle bar.
    let letter = |x: u32, y: u32| {
        (x == 3 && (2..8).contains(&y))
            || (y == 2 && (3..7).contains(&x))
            || (y == 4 && (3..6).contains(&x))
    };
    let mut texels = Vec::new();
    for y in 0..side {
        for x in 0..side {
            let (column, row) = (10 * x / side, 10 * y / side);
            let shade = if (column + row) % 2 == 0 { 40 } else { 0 };
            let color = match (column, row) {
                (0, 0) => [250, 220, 30],
                (9, 0) => [220, 40, 40],
                (0, 9) => [40, 180, 60],
                _ if letter(column, row) => [245, 245, 245],
                _ => [30 + shade, 70 + shade, 150 + shade],
            };
            texels.extend(color);
            texels.push(255);
        }
    }
    SurfaceImage::Rgba {
        width: side,
        height: side,
        texels,
    }
}

/// A torus with texture coordinates, seams included: u goes round `turns` times, v from the hole over the top, down outside and back below.
pub fn textured_torus(around: u32, across: u32, turns: f32) -> SurfaceMesh {
    let (mut positions, mut uvs, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
    for i in 0..=around {
        for j in 0..=across {
            let u = std::f32::consts::TAU * (i % around) as f32 / around as f32;
            let v = std::f32::consts::TAU * (j % across) as f32 / across as f32;
            let ring = 0.3 - 0.13 * v.cos();
            positions.push([ring * u.sin(), 0.13 * v.sin(), ring * u.cos()]);
            uvs.push([turns * i as f32 / around as f32, j as f32 / across as f32]);
            if i < around && j < across {
                let at = |i: u32, j: u32| i * (across + 1) + j;
                let [a, b, c, d] = [at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)];
                triangles.extend([[a, c, b], [a, d, c]]);
            }
        }
    }
    let look = SurfaceLook {
        uvs,
        parts: vec![SurfacePart {
            triangles: triangles.len() as u32,
            color: [1.0; 4],
            image: Some(0),
        }],
        images: vec![test_card(512)],
        ..SurfaceLook::default()
    };
    SurfaceMesh::new(positions, triangles, look).expect("a sound surface")
}

/// A shape as a surface in this look.
pub fn surface_of(shape: &Shape, look: SurfaceLook) -> SurfaceMesh {
    let positions = shape.positions.iter().map(Vec3::to_array).collect();
    SurfaceMesh::new(positions, shape.triangles.clone(), look).expect("a sound surface")
}

/// The same with three vertices of its own for each triangle, as STL files have it.
pub fn unwelded(surface: &SurfaceMesh) -> SurfaceMesh {
    let corners = surface.triangles().as_flattened();
    let positions = corners
        .iter()
        .map(|&vertex| surface.positions()[vertex as usize])
        .collect();
    let triangles = (0..corners.len() as u32 / 3)
        .map(|t| [3 * t, 3 * t + 1, 3 * t + 2])
        .collect();
    SurfaceMesh::new(positions, triangles, SurfaceLook::default()).expect("a sound surface")
}
