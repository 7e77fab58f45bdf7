//! Hands on cloth: a curtain is picked, grabbed, carried by its pins, pushed, and taken back to a snapshot.
#![cfg(all(feature = "gpu", not(target_arch = "wasm32")))]

mod common;

use common::{FALL, SPACE, gpu, positions, velocities};
use webgpu_softbody::cloth::ClothMesh;
use webgpu_softbody::settings::{ClothMaterial, Environment, SolverSettings, Wind};
use webgpu_softbody::simulation::{ClothOptions, GrabOptions, Pinned, Simulation};

const SIDE: u32 = 17;

/// A curtain of a metre that hangs from its upper edge between y = 0 and 1, in still air.
fn curtain(environment: Environment, pinned: Pinned) -> Simulation {
    let settings = SolverSettings::explicit(None);
    let mut simulation = Simulation::new(gpu(), environment, settings).expect("in range");
    let options = ClothOptions {
        material: ClothMaterial {
            damping: 2.0,
            ..ClothMaterial::COTTON
        },
        pinned,
        ..ClothOptions::default()
    };
    let mesh = ClothMesh::grid(SIDE, SIDE, 1.0 / 16.0).expect("a grid");
    simulation.load_cloth(mesh, &options).expect("a cloth");
    simulation
}

fn hung() -> Pinned {
    Pinned::Vertices((0..SIDE).collect())
}

fn apart(a: [f32; 3], b: [f64; 3]) -> f64 {
    (0..3)
        .map(|axis| (f64::from(a[axis]) - b[axis]).powi(2))
        .sum::<f64>()
        .sqrt()
}

#[test]
fn a_corner_follows_the_pointer_and_returns() {
    let mut simulation = curtain(FALL, hung());
    simulation.step(1.0).expect("a step");
    let corner = (SIDE * SIDE - 1) as usize;
    let rest = positions(&simulation)[corner];
    let eye = [f64::from(rest[0]) - 0.01, f64::from(rest[1]) + 0.01, 3.0];
    let hit = pollster::block_on(simulation.pick(eye, [0.0, 0.0, -1.0]).expect("a ray"))
        .expect("an answer")
        .expect("the curtain is there");
    assert_eq!(hit.vertex as usize, corner);
    simulation
        .grab(3, &hit, &GrabOptions::default())
        .expect("a free pointer");
    let target = [hit.point[0] - 0.2, hit.point[1] + 0.1, hit.point[2] + 0.3];
    assert!(simulation.drag(3, target));
    simulation.step(2.0).expect("a step");
    let held = positions(&simulation)[corner];
    let off = apart(held, target);
    // The spring gives its part of the weight: 2.5 cm for the whole of it.
    assert!(off < 0.05, "{held:?} is {off} m from {target:?}");
    assert_eq!(simulation.release(Some(3)), [3]);
    simulation.step(4.0).expect("a step");
    let back = positions(&simulation)[corner];
    let off = apart(back, rest.map(f64::from));
    assert!(off < 0.01, "{back:?} is {off} m from {rest:?}");
}

#[test]
fn pins_carry_the_cloth_along() {
    let mut simulation = curtain(FALL, hung());
    simulation.step(0.5).expect("a step");
    let vertices: Vec<u32> = (0..SIDE).collect();
    let start = positions(&simulation);
    for frame in 1..=30 {
        let shift = 0.02 * f64::from(frame);
        let targets: Vec<[f64; 3]> = vertices
            .iter()
            .map(|&v| {
                let [x, y, z] = start[v as usize].map(f64::from);
                [x, y, z + shift]
            })
            .collect();
        simulation.pin_at(&vertices, &targets).expect("as many");
        simulation.step(1.0 / 60.0).expect("a step");
        let now = positions(&simulation);
        for (&v, target) in vertices.iter().zip(&targets) {
            let off = apart(now[v as usize], *target);
            assert!(off < 1e-5, "pin {v} is {off} m from its target");
        }
        // No spikes: threads stay within a few per cent.
        for edge in &simulation.cloth().expect("a cloth").elements().edges {
            let [a, b] = edge.vertices.map(|v| now[v as usize]);
            let strain = apart(a, b.map(f64::from)) / f64::from(edge.length) - 1.0;
            assert!(edge.shear || strain < 0.05, "strain {strain}");
        }
    }
    simulation.step(1.0 / 60.0).expect("a step");
    assert_eq!(velocities(&simulation)[0], [0.0; 3], "pins rest again");
    simulation.step(3.0).expect("a step");
    let low = positions(&simulation)[(SIDE * SIDE - 1) as usize];
    assert!(
        (low[2] - 0.6).abs() < 0.1,
        "the lower edge comes along: {low:?}"
    );
}

#[test]
fn an_impulse_gives_its_velocity_to_free_particles_near_it() {
    let mut simulation = curtain(SPACE, Pinned::Vertices(vec![0]));
    simulation
        .impulse([0.0, 0.0, 2.0], Some(([0.5, 0.0, 0.0], 0.3)))
        .expect("in range");
    let pushed = velocities(&simulation);
    let corner = (SIDE * SIDE - 1) as usize;
    assert!(
        (pushed[corner][2] - 2.0).abs() < 1e-3,
        "{:?}",
        pushed[corner]
    );
    assert_eq!(pushed[0], [0.0; 3]);
    assert_eq!(pushed[SIDE as usize * 8], [0.0; 3]);
    simulation.impulse([1.0, 0.0, 0.0], None).expect("in range");
    let all = velocities(&simulation);
    assert_eq!(all[0], [0.0; 3], "a pin stays");
    assert!((all[40][0] - 1.0).abs() < 1e-6);
}

#[test]
fn a_snapshot_of_cloth_goes_on_bit_for_bit() {
    let mut simulation = curtain(FALL, hung());
    let wind = Wind {
        velocity: [3.0, 0.0, 2.0],
        gusts: 0.3,
        ..Wind::default()
    };
    simulation.set_wind(wind).expect("in range");
    simulation.step(0.5).expect("a step");
    let bytes = pollster::block_on(simulation.snapshot().expect("a cloth")).expect("read-back");
    simulation.step(0.5).expect("a step");
    let first = (positions(&simulation), velocities(&simulation));
    simulation.unpin(None).expect("a cloth");
    simulation
        .set_cloth_material(ClothMaterial::RUBBER)
        .expect("in range");
    simulation.step(0.2).expect("a step");
    simulation.restore(&bytes).expect("its own snapshot");
    assert_eq!(simulation.progress().simulated_seconds, 0.5);
    simulation.step(0.5).expect("a step");
    assert_eq!(first, (positions(&simulation), velocities(&simulation)));

    let other = ClothMesh::grid(SIDE, SIDE, 0.1).expect("a grid");
    simulation
        .load_cloth(other, &ClothOptions::default())
        .expect("a cloth");
    let refused = simulation.restore(&bytes).unwrap_err().to_string();
    assert!(refused.contains("another mesh"), "{refused}");
}
