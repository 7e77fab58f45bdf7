//! A grid solved tile by tile moves as it does batch by batch.
#![cfg(all(feature = "gpu", not(target_arch = "wasm32")))]

mod common;

use common::{FALL, gpu, positions};
use webgpu_softbody::cloth::ClothMesh;
use webgpu_softbody::settings::{ClothMaterial, SolverSettings, Wind};
use webgpu_softbody::simulation::{ClothOptions, Pinned, Simulation};

/// Positions of a grid after some frames, shaken so that every element matters.
fn moved(start: &[[f32; 3]], columns: u32, rows: u32, by_tiles: bool) -> Vec<[f32; 3]> {
    let settings = SolverSettings::explicit(Some(7));
    let mut simulation = Simulation::new(gpu(), FALL, settings).expect("settings in range");
    let options = ClothOptions {
        material: ClothMaterial {
            bend: 1e3,
            ..ClothMaterial::COTTON
        },
        pinned: Pinned::Vertices(vec![0, columns / 2, columns * rows - 1]),
        ..ClothOptions::default()
    };
    let mesh = ClothMesh::grid(columns, rows, 0.03).expect("a grid");
    simulation.load_cloth(mesh, &options).expect("a cloth");
    let still = Wind {
        air_density: 0.0,
        ..Wind::default()
    };
    simulation.set_wind(still).expect("wind in range");
    simulation.set_cloth_tiles(by_tiles);
    simulation
        .set_state(start, &vec![[0.0; 3]; start.len()])
        .expect("a state");
    simulation.step(1.0 / 60.0).expect("a step");
    positions(&simulation)
}

/// Sizes below, at and above a tile, of every remainder modulo 2 and 3.
#[test]
fn tiles_give_what_batches_give() {
    let mut random = common::Random::new();
    for (columns, rows) in [(2, 2), (3, 5), (16, 16), (17, 33), (40, 19), (64, 50)] {
        let mesh = ClothMesh::grid(columns, rows, 0.03).expect("a grid");
        let mut start: Vec<[f32; 3]> = mesh.positions().to_vec();
        for coordinate in start.as_flattened_mut() {
            *coordinate += random.uniform(-0.01, 0.01) as f32;
        }
        let tiles = moved(&start, columns, rows, true);
        let batches = moved(&start, columns, rows, false);
        let farthest = tiles
            .iter()
            .zip(&batches)
            .flat_map(|(a, b)| (0..3).map(move |axis| (a[axis] - b[axis]).abs()))
            .fold(0.0, f32::max);
        // Both round alike; a compiler may contract products and sums differently in either kernel.
        assert!(farthest < 1e-6, "{columns} × {rows}: {farthest} m apart");
        println!("{columns} x {rows}: {farthest}");
    }
}
