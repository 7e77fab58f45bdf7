//! Time of hanging a surface of 70,000 triangles into 6,000 tets: `cargo run --release --example embedding_time`.

use std::f64::consts::TAU;
use std::time::Instant;

use webgpu_softbody::embedding::Embedding;
use webgpu_softbody::meshing::torus_mesh;
use webgpu_softbody::surface::{SurfaceLook, SurfaceMesh};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mesh = torus_mesh(0.5, 0.2, 5, 40)?;
    // A little thicker than the tets: every vertex looks for the nearest of them, which is the slowest case.
    let (around, across, minor) = (265u32, 132u32, 0.201);
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for i in 0..around {
        let (sine, cosine) = (TAU * f64::from(i) / f64::from(around)).sin_cos();
        for j in 0..across {
            let (up, outward) = (TAU * f64::from(j) / f64::from(across)).sin_cos();
            let ring = 0.5 + minor * outward;
            positions.push([ring * cosine, minor * up, ring * sine].map(|x| x as f32));
            let at = |i: u32, j: u32| (i % around) * across + j % across;
            let [a, b, c, d] = [at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    let surface = SurfaceMesh::new(positions, triangles, SurfaceLook::default())?;
    let begun = Instant::now();
    let embedding = Embedding::new(&mesh, &surface);
    println!(
        "{} triangles, {} vertices in {} tets: {:.0} ms; {} outside, at most {:.4} m",
        surface.triangles().len(),
        embedding.sources.len(),
        mesh.tets().len(),
        begun.elapsed().as_secs_f64() * 1e3,
        embedding.outside,
        embedding.farthest,
    );
    Ok(())
}
