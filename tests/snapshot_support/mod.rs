//! Shared by the tests of snapshots: bodies that move, their bits, and the bytes taken apart.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use super::common::{relative_positions, velocities, world};
use webgpu_softbody::mesh::TetMesh;
use webgpu_softbody::meshing::torus_mesh;
use webgpu_softbody::settings::{Environment, SolverSettings, Transform};
use webgpu_softbody::simulation::{BodyOptions, Simulation};

/// Explicit as it is chosen, explicit with too few substeps (so that the mass operator keeps impulses), XPBD.
pub const SCHEMES: [SolverSettings; 3] = [
    SolverSettings::explicit(None),
    SolverSettings::explicit(Some(3)),
    SolverSettings::xpbd(5, 2),
];
/// Bytes of the head, and of the tag and length before a section.
pub const HEAD: usize = 16;
pub const LEAD: usize = 8;

pub fn mesh() -> TetMesh {
    torus_mesh(0.3, 0.13, 4, 16).expect("in range")
}

/// Tilted, so that it rolls, slides and swings when it lands.
pub fn options() -> BodyOptions {
    BodyOptions {
        transform: Transform {
            translation: [3.7, 0.6, -12.4],
            rotation: [0.3, 0.1, 0.5, 0.8],
            scale: 1.0,
        },
        ..BodyOptions::default()
    }
}

pub fn falling(settings: SolverSettings) -> Simulation {
    world(Environment::default(), settings, mesh(), &options())
}

pub fn run(simulation: &mut Simulation, frames: u32) {
    for _ in 0..frames {
        simulation.step(1.0 / 60.0).expect("a body");
    }
}

pub fn snapshot(simulation: &Simulation) -> Vec<u8> {
    pollster::block_on(simulation.snapshot().expect("a body")).expect("read-back")
}

/// All the bits that decide how the body goes on.
pub fn bits(simulation: &Simulation) -> Vec<[u32; 3]> {
    let state = [relative_positions(simulation), velocities(simulation)].concat();
    state.iter().map(|v| v.map(f32::to_bits)).collect()
}

/// Where the content of a section begins, and its length.
pub fn section(bytes: &[u8], tag: &str) -> (usize, usize) {
    let mut start = HEAD;
    loop {
        let length = u32::from_le_bytes(bytes[start + 4..start + 8].try_into().unwrap()) as usize;
        if &bytes[start..start + 4] == tag.as_bytes() {
            return (start + LEAD, length);
        }
        start += LEAD + length;
    }
}

/// Bytes of the checksum with its tag and length, the last section.
pub const CHECKSUM: usize = 16;

/// The checksum of bytes as the format describes it, written once more.
pub fn fnv1(bytes: &[u8]) -> u64 {
    let mut padded = bytes.to_vec();
    padded.resize(bytes.len().next_multiple_of(4), 0);
    let mut hash: u64 = 14_695_981_039_346_656_037;
    for word in padded.chunks_exact(4) {
        hash ^= u64::from(u32::from_le_bytes(word.try_into().unwrap()));
        hash = hash.wrapping_mul(1_099_511_628_211);
    }
    hash
}

/// The same bytes with the checksum that belongs to them, as one who forges a snapshot would write it.
pub fn signed(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len() - 8;
    let sum = fnv1(&bytes[..end - LEAD]);
    bytes[end..].copy_from_slice(&sum.to_le_bytes());
    bytes
}
