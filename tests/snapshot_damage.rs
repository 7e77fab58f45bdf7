//! Snapshots that are damaged or forged: every wrong one is refused by name with nothing changed.
#![cfg(all(feature = "gpu", not(target_arch = "wasm32")))]

mod common;
mod snapshot_support;

use common::gpu;
use snapshot_support::*;
use webgpu_softbody::meshing::box_mesh;
use webgpu_softbody::settings::Environment;
use webgpu_softbody::simulation::{BodyOptions, Simulation, SimulationError};

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
        signed(bytes)
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
        signed(bytes)
    };
    let cases: Vec<(&str, Vec<u8>, String)> =
        vec![
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
            head(8, 3),
            "version 3, but this release reads versions 1 to 2".into(),
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
            "snapshot: position 2 has the number NaN, but must have numbers within ±1e12 m".into(),
        ),
        (
            "no end",
            with("velo", 0, &f32::INFINITY.to_le_bytes()),
            "snapshot: velocity 0 has the number Infinity, but must have numbers within ±1e9 m/s"
                .into(),
        ),
        (
            "no place",
            with("orig", 8, &f32::NAN.to_le_bytes()),
            "snapshot: origin 0 has the number NaN".into(),
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
        (
            "a time without end",
            with("time", 8, &1e16f64.to_le_bytes()),
            "simulated seconds is 1e16, but must be a number from 0 to 1e15".into(),
        ),
        (
            "frames without end",
            with("time", 7, &[0x80]),
            "frames is 9.2".into(),
        ),
        (
            "beyond the stars",
            with("posn", 4 * 8, &1e30f32.to_le_bytes()),
            "position 2 has the number 1e30, but must have numbers within ±1e12 m".into(),
        ),
        (
            "faster than light",
            with("velo", 4 * 3, &(-2e9f32).to_le_bytes()),
            "velocity 1 has the number -2e9".into(),
        ),
        (
            "a blow",
            with("cont", 4, &1e30f32.to_le_bytes()),
            "contact impulse 0 has the number 1e30, but must have no more than".into(),
        ),
        (
            "half a pin",
            with("pins", 5, &[2]),
            "pin 5 has the number 2, but must have 0 or 1".into(),
        ),
        (
            "no checksum",
            {
                let mut bytes = taken[..length - CHECKSUM].to_vec();
                bytes[12] -= 1;
                bytes
            },
            "0 bytes in its section \"fnv1\", but must have 8".into(),
        ),
        (
            "a position moved a little",
            {
                let mut bytes = taken.clone();
                bytes[section(&taken, "posn").0] ^= 1;
                bytes
            },
            format!("is damaged: its checksum is {:x}", fnv1(&taken[..length - CHECKSUM])),
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
fn every_changed_bit_is_noticed() {
    let mut simulation = Simulation::new(gpu(), Environment::default(), SCHEMES[1]).unwrap();
    let cube = box_mesh([1; 3], [1.0; 3], [0.0; 3]).expect("a box");
    simulation.load(cube, &BodyOptions::default()).unwrap();
    let taken = snapshot(&simulation);
    for at in 0..taken.len() {
        for bit in 0..8 {
            let mut bytes = taken.clone();
            bytes[at] ^= 1 << bit;
            assert!(
                simulation.restore(&bytes).is_err(),
                "bit {bit} of byte {at}"
            );
        }
    }
    simulation.restore(&taken).unwrap();
}

/// Forged with the checksum that belongs to it, or of the version that had none: an error or a state, never a panic.
#[test]
fn forged_bytes_are_refused_or_harmless() {
    let mut simulation = Simulation::new(gpu(), Environment::default(), SCHEMES[1]).unwrap();
    let cube = box_mesh([1; 3], [1.0; 3], [0.0; 3]).expect("a box");
    simulation.load(cube, &BodyOptions::default()).unwrap();
    let taken = snapshot(&simulation);
    let mut old = taken[..taken.len() - CHECKSUM].to_vec();
    (old[8], old[12]) = (1, old[12] - 1);
    simulation
        .restore(&old)
        .expect("the first version without its checksum");
    let mut refused = [0, 0];
    for at in 0..old.len() {
        for bit in 0..8 {
            let (mut new, mut old) = (taken.clone(), old.clone());
            new[at] ^= 1 << bit;
            old[at] ^= 1 << bit;
            refused[0] += u32::from(simulation.restore(&signed(new)).is_err());
            refused[1] += u32::from(simulation.restore(&old).is_err());
        }
    }
    // The head, tags, lengths and the mesh: no bit of them may change.
    let structure = 8 * (HEAD + 8 * LEAD + 16) as u32;
    assert!(
        refused.iter().all(|&refused| refused >= structure),
        "{refused:?} of at least {structure}"
    );
}
