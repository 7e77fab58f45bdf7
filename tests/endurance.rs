//! Abuse of the explicit scheme at the substeps that it chooses itself: nothing explodes, and what is left alone recovers.
#![cfg(all(feature = "gpu", not(target_arch = "wasm32")))]

mod common;

use common::{Random, assert_finite, positions, tet_volumes, velocities, world};
use webgpu_softbody::mesh::TetMesh;
use webgpu_softbody::meshing::box_mesh;
use webgpu_softbody::settings::{Environment, Material, SolverSettings, Transform};
use webgpu_softbody::simulation::{BodyOptions, Simulation};

const AUTO: SolverSettings = SolverSettings::explicit(None);
const FRAME: f64 = 1.0 / 60.0;

fn dropped(mesh: TetMesh, height: f64, material: Material) -> Simulation {
    let options = BodyOptions {
        material,
        transform: Transform {
            translation: [0.0, height, 0.0],
            rotation: [0.3, 0.1, 0.5, 0.8],
            ..Default::default()
        },
        ..Default::default()
    };
    world(Environment::default(), AUTO, mesh, &options)
}

/// Runs so many frames; every one leaves numbers, above the floor and no farther away than `reach`.
fn run(simulation: &mut Simulation, frames: u32, reach: f32, what: &str) {
    for _ in 0..frames {
        simulation.step(FRAME).expect("a body");
    }
    let now = positions(simulation);
    assert_finite(&now, what);
    assert_finite(&velocities(simulation), what);
    for p in now {
        assert!(p[1] >= -1e-5, "{what}: {p:?} is below the floor");
        let far = p.iter().map(|c| c.abs()).fold(0.0, f32::max);
        assert!(far < reach, "{what}: {p:?} is farther away than {reach} m");
    }
}

/// Every tet the right way round, with its volume within `tolerance` of what it was.
fn assert_whole(simulation: &Simulation, rest: &[f64], tolerance: f64, what: &str) {
    let tets = simulation.body().expect("a body").mesh().tets();
    for (tet, (&now, &then)) in tet_volumes(tets, &positions(simulation))
        .iter()
        .zip(rest)
        .enumerate()
    {
        assert!(
            (now / then - 1.0).abs() < tolerance,
            "{what}: tet {tet} has {now} m³ in place of {then} m³"
        );
    }
}

#[test]
fn a_drop_from_twenty_metres() {
    for youngs_modulus in [1e5, 1e6, 1e9] {
        for poisson_ratio in [0.0, 0.45, 0.499] {
            let material = Material {
                youngs_modulus,
                poisson_ratio,
                damping: 0.5,
                ..Material::MEDIUM
            };
            let what = format!("{material:?}");
            let mesh = box_mesh([3; 3], [0.5; 3], [0.0; 3]).expect("a box");
            let rest = tet_volumes(mesh.tets(), mesh.positions());
            let mut simulation = dropped(mesh, 20.0, material);
            // 2 s of fall, then what the impact leaves.
            run(&mut simulation, 140, 100.0, &what);
            simulation
                .set_material(Material {
                    damping: 5.0,
                    ..material
                })
                .unwrap();
            run(&mut simulation, 360, 100.0, &what);
            // A block of 100 kPa is pressed together by its own weight.
            let pressed = if youngs_modulus < 1e6 { 0.5 } else { 0.1 };
            assert_whole(&simulation, &rest, pressed, &what);
        }
    }
}

#[test]
fn a_vertex_dragged_ten_lengths_away_in_a_frame() {
    for youngs_modulus in [1e5, 1e6, 1e9] {
        for poisson_ratio in [0.3, 0.499] {
            let material = Material {
                youngs_modulus,
                poisson_ratio,
                damping: 3.0,
                ..Material::MEDIUM
            };
            let what = format!("{material:?}");
            let mesh = box_mesh([3; 3], [0.5; 3], [0.0; 3]).expect("a box");
            let rest = tet_volumes(mesh.tets(), mesh.positions());
            let mut simulation = dropped(mesh, 1.0, material);
            run(&mut simulation, 10, 20.0, &what);
            let mut dragged = positions(&simulation);
            let speeds = velocities(&simulation);
            dragged[0][1] += 5.0;
            dragged[0][0] += 1.0;
            simulation.set_state(&dragged, &speeds).unwrap();
            simulation.pin(&[0]).unwrap();
            run(&mut simulation, 30, 50.0, &what);
            simulation.unpin(None).unwrap();
            run(&mut simulation, 420, 200.0, &what);
            let pressed = if youngs_modulus < 1e6 { 0.5 } else { 0.1 };
            assert_whole(&simulation, &rest, pressed, &what);
        }
    }
}

#[test]
fn slivers_of_condition_ten_thousand() {
    for youngs_modulus in [1e4, 1e7] {
        let material = Material {
            youngs_modulus,
            poisson_ratio: 0.45,
            damping: 3.0,
            ..Material::MEDIUM
        };
        let what = format!("{material:?}");
        // Cells of .25 × .25 m and 25 µm.
        let mesh = box_mesh([4, 4, 1], [1.0, 1.0, 2.5e-5], [0.0; 3]).expect("a sheet");
        let mut simulation = dropped(mesh, 2.0, material);
        let worst = simulation.report().unwrap().worst_condition_number;
        assert!(worst > 9e3, "the worst condition number is {worst}");
        run(&mut simulation, 400, 20.0, &what);
    }
}

/// 60 s in which every half second the material changes and something is done to the body.
#[test]
fn a_minute_of_drops_and_grabs() {
    let mut random = Random::new();
    let mesh = box_mesh([3; 3], [0.5; 3], [0.0; 3]).expect("a box");
    let rest = tet_volumes(mesh.tets(), mesh.positions());
    let mut simulation = dropped(mesh, 1.0, Material::SOFT);
    for event in 0..120 {
        let material = Material {
            youngs_modulus: 10_f64.powf(random.uniform(4.0, 9.0)),
            poisson_ratio: random.uniform(0.0, 0.499),
            density: 10_f64.powf(random.uniform(2.0, 4.0)),
            damping: random.uniform(0.0, 3.0),
            friction: random.uniform(0.0, 1.0),
        };
        simulation.set_material(material).unwrap();
        let (mut x, v) = (positions(&simulation), velocities(&simulation));
        let vertex = (random.next() % x.len() as u64) as usize;
        match random.next() % 5 {
            // Lifted and dropped again, brought back from wherever it went.
            0 => {
                let (cx, cz) = (x[0][0], x[0][2]);
                for p in &mut x {
                    *p = [p[0] - cx, p[1] + 2.0, p[2] - cz];
                }
                simulation.set_state(&x, &v).unwrap();
            }
            // A corner pulled away and let go.
            1 => {
                x[vertex][1] += 1.5;
                simulation.set_state(&x, &v).unwrap();
            }
            // Held by a vertex for half a second.
            2 => simulation.pin(&[vertex as u32]).unwrap(),
            // Squashed flat.
            3 => {
                for p in &mut x {
                    p[1] *= 0.05;
                }
                simulation.set_state(&x, &v).unwrap();
            }
            _ => {}
        }
        run(
            &mut simulation,
            30,
            2000.0,
            &format!("event {event}, {material:?}"),
        );
        simulation.unpin(None).unwrap();
    }
    simulation
        .set_material(Material {
            youngs_modulus: 1e6,
            damping: 5.0,
            ..Material::MEDIUM
        })
        .unwrap();
    run(&mut simulation, 240, 2000.0, "left alone");
    assert_whole(&simulation, &rest, 0.1, "left alone");
}
