//! Every stored volume mesh imports to exactly the arrays, or fails for the reason, that its manifest states.
#![cfg(all(feature = "mesh-tools", not(target_arch = "wasm32")))]

mod import_support;

use import_support::{faces, folder, manifest, read, reference, tets_of, volume_of};
use webgpu_softbody::import::{Content, FormatKind, ImportError, NamedFile, formats, import};

/// The files that belong to an entry of the manifest: the .ele stands beside the .node.
fn files_of(name: &str) -> Vec<(String, Vec<u8>)> {
    let mut files = vec![(name.to_owned(), read(&folder().join(name)))];
    if let Some(stem) = name.strip_suffix(".node") {
        let beside = format!("{stem}.ele");
        let bytes = read(&folder().join(&beside));
        files.push((beside, bytes));
    }
    files
}

#[test]
fn stored_files_have_their_outcome() {
    let mut ok = 0;
    let mut errors = 0;
    for (name, entry) in manifest() {
        let files = files_of(&name);
        let named: Vec<NamedFile> = files
            .iter()
            .map(|(name, bytes)| NamedFile { name, bytes })
            .collect();
        let outcome = import(&named);
        if entry["outcome"] == "error" {
            outcome.expect_err(&name);
            errors += 1;
            continue;
        }
        let imported = outcome.unwrap_or_else(|error| panic!("{name}: {error}"));
        let (positions, tets) = tets_of(&imported, &name);
        assert_eq!(
            positions.len() as u64,
            entry["vertices"].as_u64().expect("a count"),
            "{name}"
        );
        if let Some(volume) = entry["volume"].as_f64() {
            let found = volume_of(positions, tets);
            assert!(
                (found - volume).abs() < 1e-5,
                "{name}: volume {found}, not {volume}"
            );
            assert!(
                !imported.notes.is_empty(),
                "{name}: a split is worth a note"
            );
            let boundary = faces(tets).values().filter(|&&count| count == 1).count();
            assert_eq!(
                boundary as u64,
                entry["boundary"].as_u64().expect("a count"),
                "{name}"
            );
            ok += 1;
            continue;
        }
        let stem = entry["reference"].as_str().expect("a reference");
        let (expected_positions, expected_tets) = reference(stem);
        assert_eq!(tets, &expected_tets[..], "{name}: tets");
        assert_eq!(
            positions.len(),
            expected_positions.len(),
            "{name}: vertices"
        );
        for (n, (found, expected)) in positions.iter().zip(&expected_positions).enumerate() {
            for (a, b) in found.iter().zip(expected) {
                let ulp = (b.abs().next_up() - b.abs()).max(f32::MIN_POSITIVE);
                assert!((a - b).abs() <= ulp, "{name}: vertex {n}: {a} is not {b}");
            }
        }
        // Written in any order and without a name, the content is still recognised.
        let nameless: Vec<NamedFile> = named
            .iter()
            .rev()
            .map(|file| NamedFile {
                name: "",
                bytes: file.bytes,
            })
            .collect();
        let again =
            import(&nameless).unwrap_or_else(|error| panic!("{name} without name: {error}"));
        assert_eq!(again.content, imported.content, "{name}");
        ok += 1;
    }
    assert!(
        ok >= 13 && errors >= 2,
        "{ok} good files and {errors} bad ones were met"
    );
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let by_name = |name: &str| {
        let bytes = read(&folder().join(name));
        import(&[NamedFile {
            name,
            bytes: &bytes,
        }])
        .expect_err(name)
        .to_string()
    };
    assert_eq!(
        by_name("pair_no_tets.msh"),
        "Gmsh: no tetrahedra: the file holds 3 nodes and 1 triangle; save the volume mesh with its solid elements, or \
         give the surface as OBJ, STL, PLY or glTF"
    );
    assert_eq!(
        by_name("pair_truncated.mesh"),
        "Medit: line 7, column 1: expected x, but the file ends (vertex 3 of 5)"
    );
    assert_eq!(
        by_name("box_tetgen.ele"),
        "TetGen: box_tetgen.ele needs box_tetgen.node beside it"
    );
}

#[test]
fn own_arrays_are_told_apart_by_their_names() {
    let positions = read(&folder().join("ref_pair_positions.vec3f32bin"));
    let tets = read(&folder().join("ref_pair_tet_indices.vec4u32bin"));
    let positions_file = NamedFile {
        name: "a_positions.vec3f32bin",
        bytes: &positions,
    };
    let tets_file = NamedFile {
        name: "a_tet_indices.vec4u32bin",
        bytes: &tets,
    };
    let (expected_positions, expected_tets) = reference("ref_pair");
    for files in [[positions_file, tets_file], [tets_file, positions_file]] {
        let imported = import(&files).expect("two arrays");
        assert_eq!(
            imported.content,
            Content::Tets {
                positions: expected_positions.clone(),
                tets: expected_tets.clone(),
            }
        );
    }
    assert!(matches!(
        import(&[tets_file]),
        Err(ImportError::MissingCompanion { missing, .. }) if missing == "a_positions.vec3f32bin"
    ));
    let cut = NamedFile {
        bytes: &tets[..17],
        ..tets_file
    };
    let error = import(&[positions_file, cut])
        .expect_err("a cut file")
        .to_string();
    assert!(
        error.contains("17 bytes is not a multiple of 16 (1 bytes left over)"),
        "{error}"
    );
    let page = NamedFile {
        bytes: b"\n<!doctype HTML>",
        ..tets_file
    };
    let error = import(&[positions_file, page])
        .expect_err("a page")
        .to_string();
    assert!(
        error.contains("a_tet_indices.vec4u32bin: this is an HTML page"),
        "{error}"
    );
    let empty = NamedFile {
        bytes: &[],
        ..tets_file
    };
    assert!(matches!(
        import(&[positions_file, empty]),
        Err(ImportError::NoTets { .. })
    ));
}

#[test]
fn the_first_file_that_is_known_decides() {
    let mesh = read(&folder().join("pair_crlf.mesh"));
    let inp = read(&folder().join("box_abaqus.inp"));
    let file = |name, bytes| NamedFile { name, bytes };
    let readme = file("readme.txt", b"Meshes of a box.\n".as_slice());
    let first = import(&[readme, file("a.mesh", &mesh), file("b.inp", &inp)]).expect("a mesh");
    assert_eq!(first.format, "Medit ASCII");
    let first = import(&[readme, file("b.inp", &inp), file("a.mesh", &mesh)]).expect("a mesh");
    assert_eq!(first.format, "Abaqus input");
    // The content decides against the name.
    let misnamed = import(&[file("a.vtk", &mesh)]).expect("a mesh");
    assert_eq!(misnamed.format, "Medit ASCII");
}

#[test]
fn what_is_no_mesh_is_named() {
    let cases: [(&str, &[u8], &str); 9] = [
        ("a.msh", b"", "0 bytes; the file is empty"),
        ("a.bin", b"\x89HDF\r\n\x1a\n", "it looks like HDF5"),
        (
            "a.mesh",
            b"\x01\0\0\0\x02\0\0\0\x03\0\0\0",
            "a binary .meshb file",
        ),
        ("a.mesh", b"\0\0\0\x01\0\0\0\x04", "a binary .meshb file"),
        ("a.vtu.gz", b"\x1f\x8b\x08", "gzip; unpack it first"),
        (
            "a",
            b"<!DOCTYPE html><html>",
            "it looks like an HTML page; check the address",
        ),
        ("a", b"<note/>", "XML that begins with \"<note/>\""),
        (
            "a.txt",
            b"Hello, mesh",
            "text that begins with \"Hello, mesh\"",
        ),
        (
            "a.dat",
            b"\0\x07\x03",
            "it is binary; what can be read: .msh, .mesh, .vtk",
        ),
    ];
    for (name, bytes, expected) in cases {
        let error = import(&[NamedFile { name, bytes }]).expect_err(name);
        assert!(
            matches!(error, ImportError::UnknownFormat { .. }),
            "{name}: {error:?}"
        );
        assert!(error.to_string().contains(expected), "{name}: {error}");
    }
    let error = import(&[]).expect_err("no files").to_string();
    assert!(error.contains("none was given"), "{error}");
}

#[test]
fn every_format_is_listed_once() {
    let mut extensions: Vec<&str> = formats()
        .iter()
        .flat_map(|f| f.extensions)
        .copied()
        .collect();
    let count = extensions.len();
    extensions.sort_unstable();
    extensions.dedup();
    assert_eq!(extensions.len(), count);
    let volume = formats()
        .iter()
        .filter(|f| f.kind == FormatKind::Volume)
        .count();
    assert_eq!((volume, formats().len()), (7, 11));
}
