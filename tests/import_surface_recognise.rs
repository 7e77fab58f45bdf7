//! Which files are taken for surfaces, and which are left to other readers.
#![cfg(all(feature = "mesh-tools", not(target_arch = "wasm32")))]

mod import_surface_support;

use import_surface_support::{Gltf, read_ok, sample};
use webgpu_softbody::import::surface::{read, recognise};
use webgpu_softbody::import::{ImportError, NamedFile};

fn found(name: &str, bytes: &[u8]) -> bool {
    recognise(&[NamedFile { name, bytes }]).is_some()
}

#[test]
fn content_is_enough() {
    for (name, format) in [
        ("cube.obj", "Wavefront OBJ"),
        ("tetrahedron_ascii.stl", "STL ASCII"),
        ("tetrahedron_binary.stl", "STL binary"),
        ("tetrahedron_ascii.ply", "PLY ASCII"),
        ("tetrahedron_little_endian.ply", "PLY binary little-endian"),
        ("picture.glb", "glTF 2.0 binary (GLB)"),
        ("picture_embedded.gltf", "glTF 2.0"),
    ] {
        for named in [
            name,
            "",
            "file",
            "wrong.msh",
            "wrong.stl",
            "wrong.obj",
            "wrong.ply",
        ] {
            assert_eq!(
                read_ok(&[(named, &sample(name))]).format,
                format,
                "{name} as {named:?}"
            );
        }
    }
}

#[test]
fn other_files_are_left_alone() {
    let others: [(&str, &[u8]); 18] = [
        ("empty", b""),
        ("empty.obj", b""),
        ("a.node", b"4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n"),
        ("a.ele", b"# elements\n1 4 0\n1 1 2 3 4\n"),
        ("a.msh", b"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n0\n$EndNodes\n"),
        ("a.mesh", b"MeshVersionFormatted 2\nDimension 3\nVertices\n1\n0 0 0 0\n"),
        ("a.vtk", b"# vtk DataFile Version 4.2\nv v v\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 1 float\n0 0 0\n"),
        ("a.vtu", b"<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\"/>"),
        ("a.inp", b"*Heading\n** v\n*Node\n1, 0., 0., 0.\n*Element, type=C3D4\n"),
        ("a.html", b"<!doctype html>\n<html><body>solid f v</body></html>"),
        ("a.json", b"{\"asset\": \"none\", \"name\": \"x\"}"),
        ("package.json", b"{\"name\": \"x\", \"version\": \"1.0\"}"),
        ("a.txt", b"v is a letter\nand so is this\nf\n"),
        ("a.txt", b"solid ground is what we stand on\n"),
        ("a.bin", &[0; 400]),
        ("a.mtl", b"newmtl red\nKd 1 0 0\n"),
        ("a.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
        ("a.off", b"OFF\n4 4 6\n0 0 0\n"),
    ];
    for (name, bytes) in others {
        assert!(
            !found(name, bytes),
            "{name}: {:?}",
            String::from_utf8_lossy(bytes)
        );
    }
}

#[test]
fn names_break_ties_and_claim_what_is_damaged() {
    // Cut short, so that only the name says what it was.
    let binary = sample("tetrahedron_binary.stl");
    assert!(found("x.stl", &binary[..200]) && found("x.STL", &binary[..200]));
    assert!(found("x.gltf", b"{ \"asset\"") && !found("x.json", b"{ \"asset\""));
    assert!(found(
        "x.obj",
        b"v 0 0 0\nhalf of a line\nsomething\nelse\n"
    ));
    let (obj, glb) = (sample("cube.obj"), Gltf::triangle().glb());
    let two = [
        NamedFile {
            name: "a.mtl",
            bytes: b"newmtl a\n",
        },
        NamedFile {
            name: "a.obj",
            bytes: &obj,
        },
        NamedFile {
            name: "b.glb",
            bytes: &glb,
        },
    ];
    assert_eq!(
        recognise(&two),
        Some(2),
        "a magic number is surer than lines of text"
    );
    assert_eq!(recognise(&two[..2]), Some(1));
    let ties = [
        NamedFile {
            name: "a",
            bytes: &glb,
        },
        NamedFile {
            name: "b.glb",
            bytes: &glb,
        },
        NamedFile {
            name: "c.glb",
            bytes: &glb,
        },
    ];
    assert_eq!(recognise(&ties), Some(1));
}

#[test]
fn reading_what_is_no_surface_is_an_error() {
    let files = [NamedFile {
        name: "a.html",
        bytes: b"<html>",
    }];
    let message = |index| match read(&files, index) {
        Err(error @ ImportError::UnknownFormat { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        message(0),
        "a.html: not a mesh format this package knows (6 bytes; no surface was recognised; OBJ, STL, PLY, glTF and GLB are read)"
    );
    assert!(message(1).starts_with(": not a mesh format"));
}
