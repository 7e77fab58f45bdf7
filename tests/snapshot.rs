//! Snapshots: restored bit for bit, also into another simulation, in a format that later releases read.
#![cfg(all(feature = "gpu", not(target_arch = "wasm32")))]

mod common;
mod snapshot_support;

use common::{gpu, positions, relative_positions, velocities, world};
use snapshot_support::*;
use webgpu_softbody::meshing::box_mesh;
use webgpu_softbody::settings::{Environment, Material, SolverSettings, Transform};
use webgpu_softbody::simulation::{BodyOptions, Simulation, SimulationError, SnapshotError};
use webgpu_softbody::solver::Method;

#[test]
fn a_restored_body_goes_on_bit_for_bit() {
    for settings in SCHEMES {
        let mut simulation = falling(settings);
        run(&mut simulation, 100);
        simulation.pin(&[3, 40]).unwrap();
        let taken = snapshot(&simulation);
        let (then, progress) = (bits(&simulation), simulation.progress());
        run(&mut simulation, 100);
        let end = bits(&simulation);
        assert_ne!(then, end, "{settings:?}: it should still move");

        simulation.restore(&taken).unwrap();
        assert_eq!(bits(&simulation), then, "{settings:?}");
        assert_eq!(simulation.progress().frames, progress.frames);
        assert_eq!(
            simulation.progress().simulated_seconds,
            progress.simulated_seconds
        );
        assert_eq!(snapshot(&simulation), taken, "{settings:?}");
        run(&mut simulation, 100);
        assert_eq!(bits(&simulation), end, "{settings:?}");
    }
}

#[test]
fn it_goes_on_in_another_simulation_that_began_elsewhere_in_another_material() {
    for settings in SCHEMES {
        let mut first = falling(settings);
        first.set_material(Material::SOFT).unwrap();
        first.pin(&[7]).unwrap();
        run(&mut first, 50);
        let taken = snapshot(&first);
        run(&mut first, 50);

        let elsewhere = BodyOptions {
            transform: Transform {
                translation: [-100.0, 5.0, 0.0],
                ..Transform::default()
            },
            ..BodyOptions::default()
        };
        let mut second =
            Simulation::new(gpu(), Environment::default(), settings).expect("in range");
        second.load(mesh(), &elsewhere).expect("loads");
        let start = positions(&second);
        run(&mut second, 3);
        second.restore(&taken).unwrap();
        assert_eq!(second.material(), Some(Material::SOFT));
        assert!(second.body().expect("a body").pinned()[7]);
        run(&mut second, 50);
        assert_eq!(bits(&second), bits(&first), "{settings:?}");
        assert_eq!(positions(&second), positions(&first), "{settings:?}");
        assert_eq!(second.progress().frames, 100);

        // Its own start is where it always was.
        second.reset().unwrap();
        assert_eq!(positions(&second), start);
    }
}

#[test]
fn a_thousand_frames_repeat_bit_for_bit() {
    for settings in SCHEMES {
        let ends = [0, 1].map(|_| {
            let mut simulation = falling(settings);
            run(&mut simulation, 1000);
            bits(&simulation)
        });
        assert_eq!(ends[0], ends[1], "{settings:?}");
    }
}

#[test]
fn the_mass_operator_is_among_the_schemes() {
    let mut simulation = falling(SCHEMES[1]);
    let plan = simulation.plan(1.0 / 60.0).expect("a body");
    assert_eq!(plan.method, Method::Explicit { operator: true });
    run(&mut simulation, 200);
    let taken = snapshot(&simulation);
    let (at, length) = section(&taken, "cont");
    assert!(
        taken[at..at + length].iter().any(|&byte| byte != 0),
        "the floor carries it"
    );
}

#[test]
fn the_format_says_what_it_is() {
    let mut simulation = falling(SCHEMES[2]);
    run(&mut simulation, 2);
    simulation.pin(&[0, 33]).unwrap();
    let bytes = snapshot(&simulation);
    assert_eq!(&bytes[..8], b"softbody");
    assert_eq!(bytes[8..16], [2, 0, 0, 0, 9, 0, 0, 0]);
    let vertices = mesh().positions().len();
    let lengths = [
        ("mesh", 16),
        ("time", 16),
        ("matl", 40),
        ("orig", 12),
        ("pins", vertices),
        ("posn", 12 * vertices),
        ("velo", 12 * vertices),
        ("cont", 12 * vertices),
        ("fnv1", 8),
    ];
    for (tag, expected) in lengths {
        assert_eq!(section(&bytes, tag).1, expected, "{tag}");
    }
    let sizes: usize = lengths.iter().map(|(_, length)| LEAD + length).sum();
    assert_eq!(bytes.len(), HEAD + sizes);
    let (at, _) = section(&bytes, "time");
    assert_eq!(bytes[at..at + 8], 2u64.to_le_bytes());
    assert_eq!(bytes[at + 8..at + 16], (2.0f64 / 60.0).to_le_bytes());
    let (at, _) = section(&bytes, "pins");
    assert_eq!(bytes[at], 1);
    assert_eq!(bytes[at + 32..at + 35], [0, 1, 0]);
    let (at, _) = section(&bytes, "posn");
    let first = relative_positions(&simulation)[0];
    assert_eq!(bytes[at..at + 4], first[0].to_le_bytes());
    let end = bytes.len() - CHECKSUM;
    assert_eq!(section(&bytes, "fnv1").0, end + LEAD, "the last");
    assert_eq!(bytes[end + LEAD..], fnv1(&bytes[..end]).to_le_bytes());
}

#[test]
fn sections_may_come_in_any_order_and_unknown_ones_are_skipped() {
    let mut simulation = falling(SCHEMES[1]);
    run(&mut simulation, 20);
    let taken = snapshot(&simulation);
    let then = bits(&simulation);
    let mut shuffled = taken[..HEAD].to_vec();
    shuffled[12] = 10;
    for tag in [
        "cont", "velo", "posn", "pins", "new!", "orig", "matl", "time", "mesh", "fnv1",
    ] {
        if tag == "new!" {
            shuffled.extend([b"new!".as_slice(), &[3, 0, 0, 0], b"abc"].concat());
        } else {
            let (at, length) = section(&taken, tag);
            shuffled.extend_from_slice(&taken[at - LEAD..at + length]);
        }
    }
    run(&mut simulation, 5);
    simulation.restore(&signed(shuffled)).unwrap();
    assert_eq!(bits(&simulation), then);
}

#[test]
fn the_same_mesh_in_another_scale_is_another_mesh() {
    let mut simulation = falling(SCHEMES[1]);
    let taken = snapshot(&simulation);
    let larger = BodyOptions {
        transform: Transform {
            scale: 2.0,
            ..options().transform
        },
        ..options()
    };
    simulation.load(mesh(), &larger).unwrap();
    assert!(matches!(
        simulation.restore(&taken),
        Err(SimulationError::Snapshot(SnapshotError::OtherMesh { vertices, own_vertices, .. }))
            if vertices == own_vertices
    ));
    let empty = Simulation::new(simulation.gpu().clone(), Environment::default(), SCHEMES[1]);
    let mut empty = empty.unwrap();
    assert!(matches!(
        empty.snapshot().err(),
        Some(SimulationError::NoBody)
    ));
    assert_eq!(empty.restore(&taken), Err(SimulationError::NoBody));
}

/// A box of the first version of the format, which landed in 61 frames of one substep each.
const VERSION_1: &[u8] = include_bytes!("data/snapshots/version-1-box.bin");

#[test]
fn the_first_version_is_still_read() {
    let settings = SolverSettings::explicit(Some(1));
    let mesh = box_mesh([1; 3], [1.0; 3], [-0.5, 0.0, -0.5]).expect("a box");
    let options = BodyOptions::default();
    let mut simulation = world(Environment::default(), settings, mesh, &options);
    simulation.restore(VERSION_1).unwrap();
    assert_eq!(simulation.material(), Some(Material::STIFF));
    assert_eq!(simulation.progress().frames, 61);
    assert!(simulation.body().expect("a body").pinned()[7]);
    let bytes = |vectors: &[[f32; 3]]| bytemuck::cast_slice::<_, u8>(vectors).to_vec();
    for (tag, now) in [
        ("posn", bytes(&relative_positions(&simulation))),
        ("velo", bytes(&velocities(&simulation))),
    ] {
        let (at, length) = section(VERSION_1, tag);
        assert_eq!(now, VERSION_1[at..at + length], "{tag}");
    }
    // Its impulses too are taken over and told on.
    let again = snapshot(&simulation);
    let (old, length) = section(VERSION_1, "cont");
    let (new, _) = section(&again, "cont");
    assert_eq!(again[new..new + length], VERSION_1[old..old + length]);
    assert!(VERSION_1[old..old + length].iter().any(|&byte| byte != 0));
    simulation.step(1.0 / 60.0).unwrap();
    let fastest = velocities(&simulation).into_iter().flatten();
    assert!(fastest.fold(0.0, |most: f32, v| most.max(v.abs())) < 0.5);
}

#[test]
fn frames_that_keep_no_impulses_of_contact_leave_none_in_a_snapshot() {
    // The operator keeps impulses, then frames run without it, then with it again.
    for between in [SolverSettings::explicit(Some(200)), SCHEMES[2]] {
        let mut simulation = falling(SCHEMES[1]);
        run(&mut simulation, 200);
        simulation.set_settings(between).unwrap();
        let method = simulation.plan(1.0 / 60.0).unwrap().method;
        assert_ne!(method, Method::Explicit { operator: true });
        run(&mut simulation, 1);
        let taken = snapshot(&simulation);
        let then_with_operator = |simulation: &mut Simulation| {
            simulation.set_settings(SCHEMES[1]).unwrap();
            run(simulation, 20);
            bits(simulation)
        };
        let end = then_with_operator(&mut simulation);
        simulation.set_settings(between).unwrap();
        simulation.restore(&taken).unwrap();
        assert_eq!(then_with_operator(&mut simulation), end, "{between:?}");
    }
}

#[test]
fn a_report_changes_nothing() {
    let ends = [false, true].map(|asked| {
        let mut simulation = falling(SCHEMES[1]);
        run(&mut simulation, 200);
        if asked {
            simulation.set_settings(SCHEMES[2]).unwrap();
            simulation.report().unwrap();
            simulation.plan(1.0 / 60.0).unwrap();
            // No frame is due.
            simulation.advance(0.0, 1).unwrap();
            simulation.set_settings(SCHEMES[1]).unwrap();
        }
        run(&mut simulation, 20);
        bits(&simulation)
    });
    assert_eq!(ends[0], ends[1]);
}

#[test]
fn a_change_of_density_between_frames_survives_a_snapshot() {
    let mut simulation = falling(SCHEMES[1]);
    run(&mut simulation, 200);
    let light = Material {
        density: 400.0,
        ..Material::default()
    };
    simulation.set_material(light).unwrap();
    let taken = snapshot(&simulation);
    run(&mut simulation, 20);
    let end = bits(&simulation);
    simulation.restore(&taken).unwrap();
    run(&mut simulation, 20);
    assert_eq!(bits(&simulation), end);
}
