//! Embedded surfaces on a software GPU: carried exactly, and shaded by smooth and hard normals.
#![cfg(all(feature = "gpu", not(target_arch = "wasm32")))]

mod common;
mod render_support;

use common::{FALL, SPACE, world};
use glam::{DMat3, DVec3, Vec3};
use render_support::Shape;
use render_support::surfaces::{surface_of, textured_torus, unwelded};
use std::sync::Arc;
use webgpu_softbody::embedding::Embedding;
use webgpu_softbody::gpu::{SurfaceBuffers, read_vec3};
use webgpu_softbody::meshing::{box_mesh, torus_mesh};
use webgpu_softbody::settings::{SolverSettings, Transform};
use webgpu_softbody::simulation::{BodyOptions, Simulation};
use webgpu_softbody::surface::{SurfaceLook, SurfaceMesh};

const SETTINGS: SolverSettings = SolverSettings::xpbd(5, 1);

fn wide(p: [f32; 3]) -> DVec3 {
    DVec3::from(p.map(f64::from))
}

fn drawn(simulation: &Simulation) -> &SurfaceBuffers {
    simulation.body().expect("a body").buffers().drawn()
}

fn read(simulation: &Simulation, buffer: &wgpu::Buffer) -> Vec<[f32; 3]> {
    pollster::block_on(read_vec3(simulation.gpu(), buffer)).expect("read-back")
}

fn with_surface(surface: SurfaceMesh) -> BodyOptions {
    BodyOptions {
        surface: Some(Arc::new(surface)),
        ..BodyOptions::default()
    }
}

#[test]
fn a_turned_and_stretched_body_carries_its_surface_exactly() {
    let mesh = torus_mesh(0.3, 0.13, 4, 16).expect("in range");
    let surface = textured_torus(40, 24, 1.0);
    let embedding = Embedding::new(&mesh, &surface);
    let mut simulation = world(SPACE, SETTINGS, mesh, &with_surface(surface.clone()));
    let report = simulation.body().expect("a body").report();
    let about = report.surface.expect("a surface");
    assert_eq!((about.vertices, about.triangles), (41 * 25, 2 * 40 * 24));
    assert!(about.outside > 100 && about.farthest < 0.02, "{about:?}");

    // A rotation, then a stretch and a shear: both are affine, so the surface must follow the same map.
    let turn = DMat3::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 1.1);
    let shear = DMat3::from_cols_array(&[1.3, 0.0, 0.0, 0.4, 0.8, 0.0, 0.0, -0.2, 1.1]);
    for linear in [DMat3::IDENTITY, turn, turn * shear] {
        let start = simulation.body().expect("a body").initial().clone();
        let moved = |p: DVec3| linear * p + DVec3::new(0.2, 0.5, -0.1);
        let rest: Vec<DVec3> = simulation
            .body()
            .expect("a body")
            .mesh()
            .positions()
            .iter()
            .map(|&p| wide(p))
            .collect();
        let particles: Vec<[f32; 3]> = rest
            .iter()
            .map(|&p| moved(p).as_vec3().to_array())
            .collect();
        simulation
            .set_state(&particles, &vec![[0.0; 3]; particles.len()])
            .expect("a body");
        let positions = read(&simulation, &drawn(&simulation).positions);
        let expected: Vec<DVec3> = embedding
            .sources
            .iter()
            .map(|&v| moved(wide(surface.positions()[v as usize])) - wide(start.origin))
            .collect();
        assert_eq!(positions.len(), expected.len());
        for (found, expected) in positions.iter().zip(&expected) {
            assert!(
                wide(*found).distance(*expected) < 2e-6,
                "{found:?} for {expected}"
            );
        }

        // Normals: cross products of the triangles round each vertex in f64, and smooth over the seam of the texture.
        let normals = read(&simulation, &drawn(&simulation).normals);
        let sums: Vec<DVec3> = (0..positions.len())
            .map(|vertex| {
                let range = embedding.triangle_offsets[vertex] as usize
                    ..embedding.triangle_offsets[vertex + 1] as usize;
                let around = embedding.incident_triangles[range].iter();
                around
                    .map(|&triangle| {
                        let [a, b, c] =
                            embedding.triangles[triangle as usize].map(|v| expected[v as usize]);
                        (b - a).cross(c - a)
                    })
                    .sum()
            })
            .collect();
        for (normal, sum) in normals.iter().zip(&sums) {
            assert!(
                wide(*normal).distance(sum.normalize()) < 2e-4,
                "{normal:?} for {sum}"
            );
        }
        let mut seam = 0;
        for a in 0..positions.len() {
            for b in 0..a {
                if surface.positions()[embedding.sources[a] as usize]
                    == surface.positions()[embedding.sources[b] as usize]
                {
                    assert_eq!((positions[a], normals[a]), (positions[b], normals[b]));
                    seam += 1;
                }
            }
        }
        assert!(seam >= 40 + 24, "{seam} pairs across the seams");
    }
}

#[test]
fn the_surface_follows_every_frame_and_comes_back_on_reset() {
    let mesh = box_mesh([2, 2, 2], [1.0; 3], [-0.5; 3]).expect("in range");
    let shape = Shape::sphere(0.45, 6);
    let embedding = Embedding::new(&mesh, &surface_of(&shape, SurfaceLook::default()));
    let options = BodyOptions {
        transform: Transform {
            translation: [0.0, 3.0, 0.0],
            scale: 2.0,
            ..Transform::default()
        },
        ..with_surface(surface_of(&shape, SurfaceLook::default()))
    };
    let mut simulation = world(FALL, SETTINGS, mesh, &options);
    let start = read(&simulation, &drawn(&simulation).positions);
    let body = simulation.body().expect("a body");
    let (low, high) = body.drawn_bounds();
    // The unit of the mesh is doubled, and so is the ball in it.
    assert!((high[1] - low[1] - 1.8).abs() < 1e-4, "{low:?} to {high:?}");
    assert!((0.5 * (high[1] + low[1]) - 3.0).abs() < 1e-4);
    assert_eq!(body.report().surface.expect("a surface").outside, 0);
    let body_bounds = body.initial_bounds();
    assert!(
        (body_bounds.1[1] - body_bounds.0[1] - 2.0).abs() < 1e-4,
        "the mesh's own are kept"
    );

    simulation.step(0.1).expect("a step");
    let particles = read(
        &simulation,
        &simulation
            .body()
            .expect("a body")
            .buffers()
            .surface
            .positions,
    );
    let fallen = read(&simulation, &drawn(&simulation).positions);
    for (found, expected) in fallen.iter().zip(embedding.carried(&particles)) {
        assert!(wide(*found).distance(wide(expected)) < 1e-6);
    }
    assert!((start[0][1] - fallen[0][1]) > 0.04, "it did not fall");
    simulation.reset().expect("a body");
    assert_eq!(read(&simulation, &drawn(&simulation).positions), start);
}

#[test]
fn a_cube_from_separate_triangles_is_shaded_flat() {
    let mesh = box_mesh([2, 2, 2], [1.0; 3], [-0.5; 3]).expect("in range");
    let cube = surface_of(
        &Shape::rounded_box(Vec3::splat(0.4), 0.0001, 1),
        SurfaceLook::default(),
    );
    let simulation = world(SPACE, SETTINGS, mesh, &with_surface(unwelded(&cube)));
    let normals = read(&simulation, &drawn(&simulation).normals);
    assert_eq!(normals.len(), 24);
    for normal in normals {
        let largest = normal.iter().fold(0.0, |most: f32, c| most.max(c.abs()));
        assert!(largest > 0.999, "{normal:?}");
    }
}
