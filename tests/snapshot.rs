//! Snapshots: restored bit for bit, also into another simulation, and every wrong one refused by name with nothing changed.
#![cfg(all(feature = "gpu", not(target_arch = "wasm32")))]

mod common;

use common::{gpu, positions, relative_positions, velocities, world};
use webgpu_softbody::mesh::TetMesh;
use webgpu_softbody::meshing::{box_mesh, torus_mesh};
use webgpu_softbody::settings::{Environment, Material, SolverSettings, Transform};
use webgpu_softbody::simulation::{BodyOptions, Simulation, SimulationError, SnapshotError};
use webgpu_softbody::solver::Method;

/// Explicit as it is chosen, explicit with too few substeps (so that the mass operator keeps impulses), XPBD.
const SCHEMES: [SolverSettings; 3] = [
    SolverSettings::explicit(None),
    SolverSettings::explicit(Some(3)),
    SolverSettings::xpbd(5, 2),
];
/// Bytes of the head, and of the tag and length before a section.
const HEAD: usize = 16;
const LEAD: usize = 8;

fn mesh() -> TetMesh {
    torus_mesh(0.3, 0.13, 4, 16).expect("in range")
}

/// Tilted, so that it rolls, slides and swings when it lands.
fn options() -> BodyOptions {
    BodyOptions {
        transform: Transform {
            translation: [3.7, 0.6, -12.4],
            rotation: [0.3, 0.1, 0.5, 0.8],
            scale: 1.0,
        },
        ..BodyOptions::default()
    }
}

fn falling(settings: SolverSettings) -> Simulation {
    world(Environment::default(), settings, mesh(), &options())
}

fn run(simulation: &mut Simulation, frames: u32) {
    for _ in 0..frames {
        simulation.step(1.0 / 60.0).expect("a body");
    }
}

fn snapshot(simulation: &Simulation) -> Vec<u8> {
    pollster::block_on(simulation.snapshot().expect("a body")).expect("read-back")
}

/// All the bits that decide how the body goes on.
fn bits(simulation: &Simulation) -> Vec<[u32; 3]> {
    let state = [relative_positions(simulation), velocities(simulation)].concat();
    state.iter().map(|v| v.map(f32::to_bits)).collect()
}

/// Where the content of a section begins, and its length.
fn section(bytes: &[u8], tag: &str) -> (usize, usize) {
    let mut start = HEAD;
    loop {
        let length = u32::from_le_bytes(bytes[start + 4..start + 8].try_into().unwrap()) as usize;
        if &bytes[start..start + 4] == tag.as_bytes() {
            return (start + LEAD, length);
        }
        start += LEAD + length;
    }
}

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
    assert_eq!(bytes[8..16], [1, 0, 0, 0, 8, 0, 0, 0]);
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
}

#[test]
fn sections_may_come_in_any_order_and_unknown_ones_are_skipped() {
    let mut simulation = falling(SCHEMES[1]);
    run(&mut simulation, 20);
    let taken = snapshot(&simulation);
    let then = bits(&simulation);
    let mut shuffled = taken[..HEAD].to_vec();
    shuffled[12] = 9;
    for tag in [
        "cont", "velo", "posn", "pins", "new!", "orig", "matl", "time", "mesh",
    ] {
        if tag == "new!" {
            shuffled.extend([b"new!".as_slice(), &[3, 0, 0, 0], b"abc"].concat());
        } else {
            let (at, length) = section(&taken, tag);
            shuffled.extend_from_slice(&taken[at - LEAD..at + length]);
        }
    }
    run(&mut simulation, 5);
    simulation.restore(&shuffled).unwrap();
    assert_eq!(bits(&simulation), then);
}

#[test]
fn wrong_bytes_are_refused_by_name_and_change_nothing() {
    let mut simulation = falling(SCHEMES[1]);
    run(&mut simulation, 30);
    let taken = snapshot(&simulation);
    run(&mut simulation, 10);
    let before = (bits(&simulation), simulation.progress());
    let with = |tag: &str, offset: usize, content: &[u8]| {
        let mut bytes = taken.clone();
        let at = section(&bytes, tag).0 + offset;
        bytes[at..at + content.len()].copy_from_slice(content);
        bytes
    };
    let head = |offset: usize, byte: u8| {
        let mut bytes = taken.clone();
        bytes[offset] = byte;
        bytes
    };
    let length = taken.len();
    let velo = section(&taken, "velo").0;
    let renamed = |tag: &str| {
        let mut bytes = taken.clone();
        bytes[section(&taken, tag).0 - LEAD] = b'_';
        bytes
    };
    let cases: Vec<(&str, Vec<u8>, String)> = vec![
        ("nothing", vec![], "0 bytes of something else".into()),
        (
            "a short head",
            taken[..15].to_vec(),
            "15 bytes of something else".into(),
        ),
        (
            "another magic",
            head(0, b'S'),
            "does not begin with \"softbody\"".into(),
        ),
        (
            "a later version",
            head(8, 2),
            "version 2, but this release reads version 1".into(),
        ),
        (
            "cut short",
            taken[..length - 1].to_vec(),
            format!(
                "has {} bytes, but its sections reach to {length}",
                length - 1
            ),
        ),
        (
            "cut in a length",
            taken[..velo - 2].to_vec(),
            "cut short or damaged".into(),
        ),
        (
            "something after it",
            [&taken[..], &[0]].concat(),
            format!("reach to {length}"),
        ),
        ("fewer sections", head(12, 6), "cut short or damaged".into()),
        (
            "more sections",
            head(12, 255),
            "cut short or damaged".into(),
        ),
        (
            "an endless section",
            head(velo - 1, 0xff),
            "cut short or damaged".into(),
        ),
        (
            "no velocities",
            renamed("velo"),
            "0 bytes in its section \"velo\", but must have".into(),
        ),
        (
            "no mesh",
            renamed("mesh"),
            "section \"mesh\", but must have 16".into(),
        ),
        (
            "other counts",
            with("mesh", 0, &[9, 0, 0, 0]),
            "of another mesh: of 9 vertices".into(),
        ),
        (
            "other positions",
            with("mesh", 8, &[1, 2, 3]),
            "shape, units or scale differ".into(),
        ),
        (
            "a NaN",
            with("posn", 4 * 7, &f32::NAN.to_le_bytes()),
            "snapshot: position 2 is not finite".into(),
        ),
        (
            "no end",
            with("velo", 0, &f32::INFINITY.to_le_bytes()),
            "snapshot: velocity 0 is not finite".into(),
        ),
        (
            "no place",
            with("orig", 8, &f32::NAN.to_le_bytes()),
            "snapshot: origin 0 is not finite".into(),
        ),
        (
            "a material",
            with("matl", 8, &0.5f64.to_le_bytes()),
            "snapshot: material.poissonRatio is 0.5".into(),
        ),
        (
            "no time",
            with("time", 8, &f64::NAN.to_le_bytes()),
            "snapshot: simulated seconds is NaN".into(),
        ),
        (
            "a time before",
            with("time", 8, &(-1f64).to_le_bytes()),
            "simulated seconds is -1".into(),
        ),
    ];
    for (what, bytes, message) in &cases {
        let error = simulation.restore(bytes).expect_err(what);
        assert!(
            matches!(error, SimulationError::Snapshot(_)),
            "{what}: {error:?}"
        );
        let told = error.to_string();
        assert!(told.contains(message), "{what}: {told}");
        assert_eq!((bits(&simulation), simulation.progress()), before, "{what}");
    }
}

#[test]
fn every_changed_byte_of_the_structure_is_noticed_or_harmless() {
    let mut simulation = Simulation::new(gpu(), Environment::default(), SCHEMES[1]).unwrap();
    let cube = box_mesh([1; 3], [1.0; 3], [0.0; 3]).expect("a box");
    simulation.load(cube, &BodyOptions::default()).unwrap();
    let taken = snapshot(&simulation);
    let mut refused = 0;
    for at in 0..taken.len() {
        for bit in 0..8 {
            let mut bytes = taken.clone();
            bytes[at] ^= 1 << bit;
            // Either an error or a state, never a panic.
            refused += u32::from(simulation.restore(&bytes).is_err());
        }
    }
    // The head, tags, lengths and the mesh: no bit of them may change.
    let structure = 8 * (HEAD + 7 * LEAD + 16);
    assert!(
        refused as usize >= structure,
        "{refused} of at least {structure}"
    );
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
