//! Stored meshes and short names for what the doctor says about them.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::path::Path;

use webgpu_softbody::diagnosis::{Diagnosis, DoctorOptions, diagnose};
use webgpu_softbody::mesh::{Finding, TetMesh};

/// Code, count and whether it was mended.
pub type Code = (&'static str, u32, bool);
pub type Outcome = Result<&'static [Code], &'static str>;
pub type Mesh = (Vec<[f32; 3]>, Vec<[u32; 4]>);

pub fn read(folder: &str, case: &str, suffix: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(folder)
        .join(format!("{case}_{suffix}"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The arrays of a stored mesh as they are, unmended. Lengths that do not fit are cut.
pub fn stored(folder: &str, case: &str) -> Mesh {
    let word = |bytes: &[u8]| [bytes[0], bytes[1], bytes[2], bytes[3]];
    let positions = read(folder, case, "positions.vec3f32bin")
        .chunks_exact(12)
        .map(|p| [0, 4, 8].map(|at| f32::from_le_bytes(word(&p[at..]))))
        .collect();
    let tets = read(folder, case, "tet_indices.vec4u32bin")
        .chunks_exact(16)
        .map(|t| [0, 4, 8, 12].map(|at| u32::from_le_bytes(word(&t[at..]))))
        .collect();
    (positions, tets)
}

pub fn examine((positions, tets): Mesh, options: &DoctorOptions) -> Diagnosis {
    diagnose(positions, tets, options).expect("a mesh that loads")
}

pub fn plain(mesh: Mesh) -> Diagnosis {
    examine(mesh, &DoctorOptions::default())
}

pub fn arrays(mesh: &TetMesh) -> Mesh {
    (mesh.positions().to_vec(), mesh.tets().to_vec())
}

pub fn codes(diagnosis: &Diagnosis) -> Vec<Code> {
    let mut codes: Vec<_> = diagnosis
        .report
        .findings
        .iter()
        .map(|finding| (finding.code, finding.count, finding.mended))
        .collect();
    codes.sort_unstable();
    codes
}

pub fn finding<'a>(diagnosis: &'a Diagnosis, code: &str) -> &'a Finding {
    diagnosis
        .report
        .findings
        .iter()
        .find(|finding| finding.code == code)
        .unwrap_or_else(|| panic!("no {code} in {:#?}", diagnosis.report.findings))
}
