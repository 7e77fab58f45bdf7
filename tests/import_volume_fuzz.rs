//! No bytes make an importer panic: arbitrary ones, and changes to every stored file.
#![cfg(all(feature = "mesh-tools", not(target_arch = "wasm32")))]

#[path = "import_support/mutate.rs"]
mod mutate;
#[path = "import_support/seeds.rs"]
mod seeds;

use mutate::{Random, mutate};
use proptest::prelude::*;
use seeds::seeds;
use webgpu_softbody::import::{Content, ImportError, Imported, NamedFile, import};

/// Beginnings by which files are recognised, with a name.
const BEGINNINGS: [(&str, &str); 9] = [
    ("", "a"),
    ("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n", "a.msh"),
    (
        "$MeshFormat\n4.1 1 8\n\x01\0\0\0\n$EndMeshFormat\n$Nodes\n",
        "a.msh",
    ),
    ("MeshVersionFormatted 2\nVertices\n", "a.mesh"),
    (
        "# vtk DataFile Version 4.2\n\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n",
        "a.vtk",
    ),
    ("<VTKFile type=\"UnstructuredGrid\">", "a.vtu"),
    ("4 3 0 0\n", "a.node"),
    ("*NODE\n", "a.inp"),
    ("", "a.vec4u32bin"),
];

/// Whatever comes out must be whole: indices in range, and a message for every error.
fn sound(outcome: Result<Imported, ImportError>) {
    match outcome {
        Ok(imported) => {
            if let Content::Tets { positions, tets } = imported.content {
                assert!(!tets.is_empty());
                // The indices of the bare arrays are looked at by `TetMesh`.
                if imported.format != "binary arrays" {
                    let vertices = positions.len() as u32;
                    assert!(tets.iter().flatten().all(|&vertex| vertex < vertices));
                }
            }
        }
        Err(error) => assert!(error.to_string().len() > 10),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]
    #[test]
    fn arbitrary_bytes(
        beginning in 0..BEGINNINGS.len(),
        rest in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..300),
            prop::collection::vec(prop::sample::select(b"0123456789 .-+eE\n,<>/=\"*$#_ABCabc\0".to_vec()), 0..300),
        ],
    ) {
        let (start, name) = BEGINNINGS[beginning];
        let mut bytes = start.as_bytes().to_vec();
        bytes.extend(rest);
        sound(import(&[NamedFile { name, bytes: &bytes }]));
    }
}

#[test]
fn changed_files() {
    let seeds = seeds(&[]);
    assert!(seeds.len() > 40, "{} seeds", seeds.len());
    let mut random = Random(1);
    for _ in 0..150 {
        for n in 0..seeds.len() {
            let mut files = seeds[n].files.clone();
            let other = &seeds[random.below(seeds.len())].files[0].1;
            let target = random.below(files.len());
            mutate(&mut files[target].1, other, &mut random);
            let named: Vec<NamedFile> = files
                .iter()
                .map(|(name, bytes)| NamedFile { name, bytes })
                .collect();
            sound(import(&named));
        }
    }
}

#[test]
fn every_beginning_of_every_file() {
    for seed in seeds(&[]) {
        let bytes = &seed.files[0].1;
        let step = bytes.len() / 400 + 1;
        for length in (0..bytes.len()).step_by(step) {
            let mut files: Vec<NamedFile> = seed
                .files
                .iter()
                .map(|(name, bytes)| NamedFile { name, bytes })
                .collect();
            files[0].bytes = &bytes[..length];
            sound(import(&files));
        }
    }
}
