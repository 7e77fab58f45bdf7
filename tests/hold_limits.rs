//! Grabbing: nothing that a pointer does breaks a body, and what is wrong is refused by name.
#![cfg(all(feature = "gpu", not(target_arch = "wasm32")))]

mod common;
mod hold_support;

use common::*;
use glam::DVec3;
use hold_support::*;
use webgpu_softbody::settings::{Material, SolverSettings};
use webgpu_softbody::simulation::{GrabOptions, Hit, MAX_HOLDS, Simulation, SimulationError};

/// Ten body lengths away in one frame, then round and round, then let go.
fn is_thrown_about(
    settings: SolverSettings,
    cells: u32,
    youngs_modulus: f64,
    options: &GrabOptions,
) {
    let mesh = cube(cells, 1.0);
    let tets = mesh.tets().to_vec();
    let mut simulation = world(SPACE, settings, mesh, &made_of(youngs_modulus, 2.0));
    let rest = positions(&simulation);
    let corner = hit(&simulation, [0.5, 0.5, 0.4]);
    simulation.grab(1, &corner, options).unwrap();
    let what = format!("{settings:?}, E {youngs_modulus:e}, {options:?}");
    assert!(simulation.drag(1, [10.0, 0.0, 0.0]));
    run(&mut simulation, FRAME);
    let mut speed = 0.0f64;
    for frame in 0..300 {
        let (y, x) = (0.2 * f64::from(frame)).sin_cos();
        assert!(simulation.drag(1, [10.0 * x, 10.0 * y, 3.0 * y]));
        run(&mut simulation, FRAME);
        if frame % 20 == 0 {
            let speeds = velocities(&simulation);
            assert_finite(&speeds, &what);
            for v in speeds {
                speed = speed.max(DVec3::from(v.map(f64::from)).length());
            }
        }
    }
    assert_eq!(simulation.release(Some(1)), [1]);
    assert!(!simulation.drag(1, [0.0; 3]));
    let held = positions(&simulation);
    run(&mut simulation, 10.0);
    let now = positions(&simulation);
    assert_finite(&now, &what);
    let volumes = tet_volumes(&tets, &now);
    let least = volumes.iter().copied().fold(f64::INFINITY, f64::min) * tets.len() as f64;
    let shape = out_of_shape(&rest, &now);
    println!(
        "{what}: fastest {speed:.1} m/s, {:.3} out of shape while held, {shape:.5} after, least volume {least:.3}",
        out_of_shape(&rest, &held)
    );
    assert!(least > 0.5, "{what}: least volume {least} of a tet's own");
    assert!(shape < 0.01, "{what}: {shape} of its size out of shape");
}

#[test]
fn dragging_far_and_fast_breaks_nothing() {
    let usual = GrabOptions::default();
    for e in [1e4, 1e6] {
        is_thrown_about(EXPLICIT, 4, e, &usual);
        is_thrown_about(XPBD, 4, e, &usual);
    }
    is_thrown_about(XPBD, 4, 1e8, &usual);
}

#[test]
fn dragging_far_and_fast_breaks_nothing_with_the_mass_operator() {
    let usual = GrabOptions::default();
    is_thrown_about(FEW, 4, 1e6, &usual);
    is_thrown_about(FEW, 4, 1e8, &usual);
    // r = 23 and 47: where rigid motion is slowed too.
    is_thrown_about(FEW, 10, 1e8, &usual);
    is_thrown_about(SolverSettings::explicit(Some(5)), 10, 1e8, &usual);
}

#[test]
fn dragging_far_with_any_stiffness_breaks_nothing() {
    for (stiffness, settings) in [
        (1e-3, EXPLICIT),
        (1e12, EXPLICIT),
        (1e12, FEW),
        (1e12, XPBD),
    ] {
        let options = GrabOptions {
            stiffness: Some(stiffness),
            radius: None,
        };
        is_thrown_about(settings, 4, 1e5, &options);
    }
}

/// What loads or puts back a state, and what does not fit, leaves nothing held.
#[test]
fn holds_end_with_the_state_they_began_in() {
    let mut simulation = world(SPACE, EXPLICIT, cube(3, 0.5), &made_of(1e5, 0.0));
    let face = hit(&simulation, [0.25, 0.0, 0.0]);
    let grab = |simulation: &mut Simulation| {
        simulation.grab(1, &face, &GrabOptions::default()).unwrap();
        simulation.grab(2, &face, &GrabOptions::default()).unwrap();
        // The same pointer once more holds once.
        simulation.grab(1, &face, &GrabOptions::default()).unwrap();
        assert_eq!(simulation.holding(), [1, 2]);
    };
    let taken = pollster::block_on(simulation.snapshot().unwrap()).unwrap();
    grab(&mut simulation);
    simulation.reset().unwrap();
    assert_eq!(simulation.holding(), Vec::<u32>::new());
    grab(&mut simulation);
    simulation.restore(&taken).unwrap();
    assert_eq!(simulation.holding(), Vec::<u32>::new());
    grab(&mut simulation);
    assert_eq!(simulation.release(Some(2)), [2]);
    assert_eq!(simulation.release(Some(2)), Vec::<u32>::new());
    assert_eq!(simulation.holding(), [1]);
    simulation.load(cube(2, 0.5), &made_of(1e5, 0.0)).unwrap();
    assert_eq!(simulation.holding(), Vec::<u32>::new());
    assert_eq!(simulation.release(None), Vec::<u32>::new());
    let still = positions(&simulation);
    run(&mut simulation, 0.5);
    assert_eq!(positions(&simulation), still, "nothing pulls any more");
}

#[test]
fn wrong_grabs_are_refused_by_name() {
    let mut simulation = world(SPACE, EXPLICIT, cube(3, 0.5), &made_of(1e5, 0.0));
    let face = hit(&simulation, [0.25, 0.0, 0.0]);
    let usual = GrabOptions::default();
    let refused = |simulation: &mut Simulation, hit: &Hit, options: &GrabOptions, text: &str| {
        let error = simulation.grab(99, hit, options).unwrap_err();
        assert!(error.to_string().contains(text), "{error}");
    };
    for (stiffness, text) in [
        (0.0, "stiffness is 0,"),
        (-3.0, "stiffness is -3,"),
        (f64::NAN, "stiffness is NaN,"),
        (2e15, "stiffness is 2e15,"),
    ] {
        let options = GrabOptions {
            stiffness: Some(stiffness),
            radius: None,
        };
        refused(&mut simulation, &face, &options, text);
    }
    let wide = GrabOptions {
        radius: Some(f64::INFINITY),
        ..usual
    };
    refused(&mut simulation, &face, &wide, "radius is Infinity,");
    let far = Hit {
        triangle: [0, 1, 64],
        ..face
    };
    refused(
        &mut simulation,
        &far,
        &usual,
        "vertex 64 does not exist: the mesh has 64",
    );
    let nowhere = Hit {
        point: [0.0, f64::NAN, 0.0],
        ..face
    };
    refused(&mut simulation, &nowhere, &usual, "hit.point is NaN");
    let outside = Hit {
        barycentric: [0.0, 0.0, 5.0],
        ..face
    };
    refused(&mut simulation, &outside, &usual, "hit.barycentric is 5");
    assert_eq!(simulation.holding(), Vec::<u32>::new());

    for pointer in 0..MAX_HOLDS as u32 {
        simulation.grab(pointer, &face, &usual).unwrap();
    }
    assert_eq!(
        simulation.grab(99, &face, &usual),
        Err(SimulationError::TooManyHolds { pointer: 99 })
    );
    run(&mut simulation, 0.1);
    assert_finite(&positions(&simulation), "held by ten");
    assert!(!simulation.drag(99, [0.0; 3]));
    assert!(!simulation.drag(3, [f64::NAN, 0.0, 0.0]));
    assert!(!simulation.drag(3, [0.0, 1e8, 0.0]));
    assert_eq!(simulation.release(Some(4)), [4]);
    simulation.grab(99, &face, &usual).unwrap();
    assert_eq!(simulation.release(None).len(), MAX_HOLDS);

    let mut empty = Simulation::new(gpu(), SPACE, EXPLICIT).unwrap();
    assert_eq!(empty.grab(1, &face, &usual), Err(SimulationError::NoBody));
    assert!(!empty.drag(1, [0.0; 3]));
    assert_eq!(empty.release(None), Vec::<u32>::new());
}

/// Scheme, substeps, density and pins may change under the hand; what is pulled repeats bit for bit.
#[test]
fn everything_may_change_while_something_is_held() {
    let once = || {
        let mut simulation = world(FALL, EXPLICIT, cube(6, 0.5), &made_of(1e7, 2.0));
        let top = hit(&simulation, [0.0, 0.25, 0.0]);
        let wide = GrabOptions {
            radius: Some(0.15),
            ..GrabOptions::default()
        };
        simulation.grab(1, &top, &wide).unwrap();
        let start = positions(&simulation);
        let height = |simulation: &Simulation| {
            let now = positions(simulation);
            assert_finite(&now, "held");
            let masses = masses(simulation);
            mass_center(&masses, &now).y - mass_center(&masses, &start).y
        };
        for (settings, density) in [
            (EXPLICIT, 1000.0),
            (XPBD, 1000.0),
            (FEW, 1000.0),
            (FEW, 300.0),
            (XPBD, 4000.0),
        ] {
            simulation.set_settings(settings).unwrap();
            let material = simulation.material().expect("a body");
            let material = Material {
                density,
                ..material
            };
            simulation.set_material(material).unwrap();
            run(&mut simulation, 3.0);
            // By default its stiffness follows the mass.
            let sag = height(&simulation);
            assert!((0.02..0.03).contains(&-sag), "{settings:?}: {sag}");
        }
        // Pinned under the hand: what is pinned stays, the rest of the patch pulls on.
        let corner = top.triangle[0];
        simulation.pin(&[corner]).unwrap();
        let there = positions(&simulation)[corner as usize];
        assert!(simulation.drag(1, [0.0, 5.0, 0.0]));
        for settings in [XPBD, FEW] {
            simulation.set_settings(settings).unwrap();
            run(&mut simulation, 0.3);
            assert_eq!(positions(&simulation)[corner as usize], there);
        }
        height(&simulation);
        positions(&simulation)
    };
    assert_eq!(once(), once());
}
