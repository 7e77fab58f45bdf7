//! Shared by the import tests: the stored files, their manifest and references, and meshes to write.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;
use webgpu_softbody::import::{Content, ImportError, Imported, NamedFile, import};

/// Where the stored volume meshes are.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/import")
}

/// A file, or a panic that names it.
pub fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The entries of the manifest by file name. Every mesh in the folder has one.
pub fn manifest() -> BTreeMap<String, Value> {
    let manifest: Value =
        serde_json::from_slice(&read(&folder().join("manifest.json"))).expect("manifest is JSON");
    let entries: BTreeMap<String, Value> = manifest["files"]
        .as_object()
        .expect("manifest has files")
        .clone()
        .into_iter()
        .collect();
    for entry in std::fs::read_dir(folder()).expect("folder exists") {
        let name = entry
            .expect("entry")
            .file_name()
            .to_string_lossy()
            .into_owned();
        let companion =
            name.ends_with(".ele") || name.starts_with("ref_") || name == "manifest.json";
        assert!(
            companion || entries.contains_key(&name),
            "{name} is in no manifest"
        );
    }
    entries
}

/// Positions and tets of a reference.
pub fn reference(stem: &str) -> (Vec<[f32; 3]>, Vec<[u32; 4]>) {
    let positions = read(&folder().join(format!("{stem}_positions.vec3f32bin")));
    let tets = read(&folder().join(format!("{stem}_tet_indices.vec4u32bin")));
    let word = |bytes: &[u8], n: usize| -> [u8; 4] { bytes[4 * n..4 * n + 4].try_into().unwrap() };
    (
        positions
            .chunks_exact(12)
            .map(|p| [0, 1, 2].map(|n| f32::from_le_bytes(word(p, n))))
            .collect(),
        tets.chunks_exact(16)
            .map(|t| [0, 1, 2, 3].map(|n| u32::from_le_bytes(word(t, n))))
            .collect(),
    )
}

/// The tets of an import, or a panic that names the file.
pub fn tets_of<'a>(imported: &'a Imported, name: &str) -> (&'a [[f32; 3]], &'a [[u32; 4]]) {
    match &imported.content {
        Content::Tets { positions, tets } => (positions, tets),
        Content::Surface(_) => panic!("{name} was read as a surface"),
    }
}

/// Six times the signed volume of a tet.
pub fn det(positions: &[[f32; 3]], tet: [u32; 4]) -> f64 {
    let at = |n: usize| positions[tet[n] as usize].map(f64::from);
    let o = at(0);
    let [a, b, c] = [1, 2, 3].map(|n| {
        let p = at(n);
        [p[0] - o[0], p[1] - o[1], p[2] - o[2]]
    });
    a[0] * (b[1] * c[2] - b[2] * c[1])
        + a[1] * (b[2] * c[0] - b[0] * c[2])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
}

/// The sum of the volumes, whatever their signs.
pub fn volume_of(positions: &[[f32; 3]], tets: &[[u32; 4]]) -> f64 {
    tets.iter()
        .map(|&tet| det(positions, tet).abs() / 6.0)
        .sum()
}

/// Faces of one tet, by their sorted vertices, with how often they occur.
pub fn faces(tets: &[[u32; 4]]) -> BTreeMap<[u32; 3], u32> {
    let mut faces = BTreeMap::new();
    for &[a, b, c, d] in tets {
        for mut face in [[b, c, d], [a, c, d], [a, b, d], [a, b, c]] {
            face.sort_unstable();
            *faces.entry(face).or_insert(0) += 1;
        }
    }
    faces
}

/// The error that reading a file gives.
pub fn error(name: &str, bytes: &[u8]) -> ImportError {
    import(&[NamedFile { name, bytes }]).expect_err("an error")
}

/// Every case: a text and what its error must say, from the beginning.
pub fn check(name: &str, cases: &[(&str, &str)]) {
    let mut wrong = String::new();
    for (text, expected) in cases {
        let outcome = import(&[NamedFile {
            name,
            bytes: text.as_bytes(),
        }]);
        let found = outcome.map_or_else(|error| error.to_string(), |_| "ok".to_owned());
        if !found.starts_with(expected) {
            wrong += &format!("{text:?}\n  gives {found:?}\n  not   {expected:?}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
