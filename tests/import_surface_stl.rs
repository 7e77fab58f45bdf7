//! STL files, ASCII and binary: what is read of them, and what each damage is called.
#![cfg(all(feature = "mesh-tools", not(target_arch = "wasm32")))]

mod import_surface_support;

use import_surface_support::{area_and_volume, assert_close, message, read_ok, sample};
use webgpu_softbody::import::{Content, NamedFile, import};

fn binary(header: &[u8], facets: &[[f32; 9]], attribute: u16) -> Vec<u8> {
    let mut file = header.to_vec();
    file.resize(80, 0);
    file.extend_from_slice(&(facets.len() as u32).to_le_bytes());
    for facet in facets {
        file.extend_from_slice(&[0xff; 12]);
        for x in facet {
            file.extend_from_slice(&x.to_le_bytes());
        }
        file.extend_from_slice(&attribute.to_le_bytes());
    }
    file
}

const FACETS: [[f32; 9]; 2] = [
    [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0],
    [-0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0],
];

#[test]
fn both_forms_give_the_same_closed_tetrahedron() {
    let ascii = read_ok(&[("a.stl", &sample("tetrahedron_ascii.stl"))]);
    let binary = read_ok(&[("b.stl", &sample("tetrahedron_binary.stl"))]);
    assert_eq!(ascii.format, "STL ASCII");
    assert_eq!(
        binary.format, "STL binary",
        "its header begins with \"solid\""
    );
    assert_eq!(ascii.surface, binary.surface);
    assert_eq!(ascii.surface.positions().len(), 4);
    assert_eq!(
        ascii.notes,
        ["12 corners of 4 facets were joined where positions are equal, leaving 4 vertices"]
    );
    let (vector, _, volume) = area_and_volume(&ascii.surface);
    assert!(vector.iter().all(|x| x.abs() < 1e-12));
    assert_close(volume, 1.0 / 6.0);
}

#[test]
fn corners_are_joined_at_equal_positions_only() {
    let read = read_ok(&[("x", &binary(b"", &FACETS, 0))]);
    assert_eq!(read.surface.positions().len(), 4, "-0 is where 0 is");
    let mut apart = FACETS;
    apart[1][0] = f32::from_bits(1);
    let read = read_ok(&[("x", &binary(b"", &apart, 0))]);
    assert_eq!(
        read.surface.positions().len(),
        5,
        "the least difference counts"
    );
}

#[test]
fn magics_colours_make_parts() {
    // Red 31, green 0, blue 0; the second file's facets take the object's colour.
    let read = read_ok(&[("x", &binary(b"COLOR=\xff\xff\xff\x80", &FACETS, 31))]);
    assert_eq!(read.surface.look().parts.len(), 1);
    assert_eq!(read.surface.look().parts[0].color, [1.0, 0.0, 0.0, 1.0]);
    let read = read_ok(&[("x", &binary(b"COLOR=\xff\x00\xff\x80", &FACETS, 0x8000))]);
    assert_eq!(
        read.surface.look().parts[0].color,
        [1.0, 0.0, 1.0, 128.0 / 255.0]
    );
    let read = read_ok(&[("x", &binary(b"no colours", &FACETS, 31))]);
    assert!(read.surface.look().parts.is_empty());
}

#[test]
fn ascii_may_be_upper_case_in_several_solids_with_odd_normals() {
    let text = "SOLID a b c\r\nFACET NORMAL nan -nan(ind) 1\rOUTER LOOP VERTEX 0 0 0 VERTEX 1e0 0 0\n\
                VERTEX 0 +1. 0 ENDLOOP ENDFACET\nENDSOLID a b c\nsolid\nfacet normal 0 0 1\nouter loop\n\
                vertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\nendloop\nendfacet\nendsolid";
    let read = read_ok(&[("x.stl", text.as_bytes())]);
    assert_eq!(read.surface.triangles(), [[0, 1, 2], [0, 1, 3]]);
    assert_eq!(read.notes[0], "2 solids were taken as one surface");
}

#[test]
fn a_binary_file_with_bytes_behind_is_read_with_a_note() {
    let mut file = binary(b"", &FACETS, 0);
    file.extend_from_slice(b"\0\0\0");
    let read = read_ok(&[("x.stl", &file)]);
    assert_eq!(read.notes[0], "3 bytes after the last facet were skipped");
}

#[test]
fn damage_is_named_with_its_place() {
    let ascii = |text: &str| message(&[("x.stl", text.as_bytes())]);
    assert_eq!(
        ascii("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 zero\n"),
        "STL: line 4, column 12: expected a coordinate, found \"zero\""
    );
    assert_eq!(
        ascii("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0\nvertex 1 0 0"),
        "STL: line 4, column 11: expected a coordinate, found the end of the line"
    );
    assert_eq!(
        ascii("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 1e39\n"),
        "STL: line 4, column 12: expected a coordinate, found 1e39, more than single precision holds"
    );
    assert_eq!(
        ascii("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 nan\n"),
        "STL: line 4, column 12: expected a coordinate, found \"nan\""
    );
    assert_eq!(
        ascii("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nendloop\n"),
        "STL: line 5, column 1: expected \"vertex\" in facet 0, found \"endloop\""
    );
    assert_eq!(
        ascii("solid a\nfacet normal 0 0 1\nvertex 1 1 1"),
        "STL: line 3, column 1: expected \"outer\" in facet 0, found \"vertex\""
    );
    let whole = String::from_utf8(sample("tetrahedron_ascii.stl")).unwrap();
    let cut = &whole[..whole.rfind("endsolid").unwrap()];
    assert_eq!(
        ascii(cut),
        "STL: line 30, column 1: expected \"facet\" or \"endsolid\" after 4 facets, found the end of the file"
    );
    assert_eq!(
        ascii(&format!("{whole}rubbish")),
        "STL: line 31, column 1: expected \"solid\", found \"rubbish\""
    );
    assert_eq!(
        ascii("solid a\nendsolid a\n"),
        "STL: no tetrahedra: the file is sound but has no facet"
    );

    let whole = binary(b"", &FACETS, 0);
    assert_eq!(
        message(&[("x.stl", &whole[..whole.len() - 1])]),
        "STL: byte 80: 2 facets are announced, 184 bytes, but the file has 183 bytes, 1 facet whole: it is cut short"
    );
    assert_eq!(
        message(&[("x.stl", &binary(b"", &[], 0))]),
        "STL: no tetrahedra: the file is sound but has no facet"
    );
    let mut bad = FACETS;
    bad[1][4] = f32::INFINITY;
    assert_eq!(
        message(&[("x", &binary(b"", &bad, 0))]),
        "STL: byte 162: expected a finite coordinate, found Infinity in corner 1 of facet 1"
    );
}

#[test]
fn the_header_of_a_binary_file_may_begin_like_any_format() {
    let plain = read_ok(&[("a.stl", &binary(b"", &FACETS, 0))]).surface;
    for header in [
        "solid x\nfacet ",
        "** exported",
        "*Node",
        "# vtk DataFile Version 3.0",
        "$MeshFormat",
        "<VTKFile",
        "MeshVersionFormatted",
        "4 3 0 0\n",
        "glTF",
        "ply\n",
        "{\"asset\" \"meshes\"",
        "v 0 0 0\n",
    ] {
        let bytes = binary(header.as_bytes(), &FACETS, 0);
        for name in ["a.stl", "", "a.inp"] {
            let imported = import(&[NamedFile {
                name,
                bytes: &bytes,
            }])
            .unwrap_or_else(|error| panic!("{header:?}: {error}"));
            assert_eq!(imported.format, "STL binary", "{header:?}");
            let Content::Surface(surface) = imported.content else {
                panic!("{header:?} gave tets");
            };
            assert_eq!(surface, plain, "{header:?}");
        }
    }
}
