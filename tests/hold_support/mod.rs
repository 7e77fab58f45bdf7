//! Shared by the tests of holds: cubes, hits on them as a pick would say, and how far from its shape a body is.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use crate::common::{PLAIN, positions};
use glam::DVec3;
use webgpu_softbody::mesh::TetMesh;
use webgpu_softbody::meshing::box_mesh;
use webgpu_softbody::settings::{Material, SolverSettings};
use webgpu_softbody::simulation::{BodyOptions, Hit, Simulation};

pub const FRAME: f64 = 1.0 / 60.0;

/// So few substeps that the mass operator acts where the material is stiff.
pub const FEW: SolverSettings = SolverSettings::explicit(Some(10));

/// The corner of the surface nearest to a point, as a pick of it would say: in a triangle at that corner.
pub fn hit(simulation: &Simulation, near: [f64; 3]) -> Hit {
    let body = simulation.body().expect("a body");
    let now = positions(simulation);
    let at = |v: u32| DVec3::from(now[v as usize].map(f64::from));
    let middle = |t: &[u32; 3]| (at(t[0]) + at(t[1]) + at(t[2])) / 3.0;
    let near = DVec3::from(near);
    let distance = |t: &[u32; 3]| middle(t).distance(near);
    let triangle = *body
        .topology()
        .surface_triangles
        .iter()
        .min_by(|a, b| distance(a).total_cmp(&distance(b)))
        .expect("a surface");
    Hit {
        body: 0,
        vertex: triangle[0],
        triangle,
        barycentric: [1.0 / 3.0; 3],
        point: middle(&triangle).into(),
        distance: 1.0,
    }
}

pub fn cube(cells: u32, side: f32) -> TetMesh {
    box_mesh([cells; 3], [side; 3], [-0.5 * side; 3]).expect("a box")
}

pub fn made_of(youngs_modulus: f64, damping: f64) -> BodyOptions {
    BodyOptions {
        material: Material {
            youngs_modulus,
            damping,
            ..PLAIN
        },
        ..BodyOptions::default()
    }
}

pub fn run(simulation: &mut Simulation, seconds: f64) {
    simulation.step(seconds).expect("a body");
}

/// Root mean square distance from the rest shape, placed as well as it can be, over the largest extent of 1 m.
pub fn out_of_shape(rest: &[[f32; 3]], now: &[[f32; 3]]) -> f64 {
    let wide = |points: &[[f32; 3]]| -> Vec<DVec3> {
        let points: Vec<DVec3> = points.iter().map(|p| p.map(f64::from).into()).collect();
        let middle = points.iter().sum::<DVec3>() / points.len() as f64;
        points.into_iter().map(|p| p - middle).collect()
    };
    let (rest, now) = (wide(rest), wide(now));
    let mut rotation = glam::DMat3::ZERO;
    for (r, n) in rest.iter().zip(&now) {
        rotation += glam::DMat3::from_cols(*n * r.x, *n * r.y, *n * r.z);
    }
    // Newton's iteration for the polar factor.
    for _ in 0..60 {
        rotation = (rotation + rotation.transpose().inverse()) * 0.5;
    }
    let square: f64 = rest
        .iter()
        .zip(&now)
        .map(|(r, n)| (rotation * *r).distance_squared(*n))
        .sum();
    (square / rest.len() as f64).sqrt()
}
