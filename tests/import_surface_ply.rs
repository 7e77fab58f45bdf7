//! PLY files in all three encodings: what is read of them, and what each damage is called.
#![cfg(all(feature = "mesh-tools", not(target_arch = "wasm32")))]

mod import_surface_support;

use import_surface_support::{Read, area_and_volume, assert_close, message, read_ok, sample};

fn ply(text: &str) -> Read {
    read_ok(&[("x.ply", text.as_bytes())])
}

fn wrong(text: &str) -> String {
    message(&[("x.ply", text.as_bytes())])
}

const XYZ: &str = "property float x\nproperty float y\nproperty float z\n";
const LIST: &str = "property list uchar int vertex_index\n";

fn text(vertex: &str, vertices: &[&str], face: &str, faces: &[&str]) -> String {
    format!(
        "ply\nformat ascii 1.0\nelement vertex {}\n{vertex}element face {}\n{face}end_header\n{}\n{}\n",
        vertices.len(),
        faces.len(),
        vertices.join("\n"),
        faces.join("\n")
    )
}

#[test]
fn all_encodings_give_the_same_coloured_tetrahedron() {
    let ascii = read_ok(&[("a.ply", &sample("tetrahedron_ascii.ply"))]);
    let little = read_ok(&[("l.ply", &sample("tetrahedron_little_endian.ply"))]);
    let big = read_ok(&[("b.ply", &sample("tetrahedron_big_endian.ply"))]);
    assert_eq!(ascii.format, "PLY ASCII");
    assert_eq!(little.format, "PLY binary little-endian");
    assert_eq!(big.format, "PLY binary big-endian");
    assert_eq!(ascii.surface, little.surface);
    assert_eq!(ascii.surface, big.surface);
    assert!(ascii.notes.is_empty());
    assert_eq!(ascii.surface.positions().len(), 4);
    assert_close(area_and_volume(&ascii.surface).2, 1.0 / 6.0);
    let colors = &ascii.surface.look().colors;
    assert_eq!(
        colors[..3],
        [
            [1.0, 0.0, 0.0, 1.0],
            [0.0, 1.0, 0.0, 1.0],
            [0.0, 0.0, 1.0, 1.0]
        ]
    );
    // sRGB 188 is about half of the light.
    assert!((colors[3][0] - 0.5029).abs() < 1e-3, "{:?}", colors[3]);
}

/// Every type in an order of its own, with lists before the coordinates and elements to be skipped.
fn mixed(big: bool) -> Vec<u8> {
    let mut file = format!(
        "ply\r\nformat binary_{}_endian 1.0\r\nobj_info made for a test\r\n\
         element camera 2\r\nproperty list ushort double weights\r\nproperty char c\r\n\
         element vertex 4\r\nproperty list uchar short tags\r\nproperty double z\r\nproperty float ny\r\n\
         property short y\r\nproperty float nx\r\nproperty uint x\r\nproperty float nz\r\nproperty float alpha\r\n\
         property ushort red\r\nproperty float s\r\nproperty float t\r\nproperty ushort green\r\n\
         property ushort blue\r\nproperty uint8 quality\r\n\
         element face 1\r\nproperty float32 area\r\nproperty list uint32 uint16 vertex_indices\r\n\
         element edge 1\r\nproperty int a\r\nend_header\r\n",
        if big { "big" } else { "little" }
    )
    .into_bytes();
    let mut put = |little: &[u8]| {
        let mut bytes = little.to_vec();
        if big {
            bytes.reverse();
        }
        file.extend_from_slice(&bytes);
    };
    for weights in [2u16, 0] {
        put(&weights.to_le_bytes());
        for _ in 0..weights {
            put(&0.5f64.to_le_bytes());
        }
        put(&[7]);
    }
    for (n, [x, y]) in [[0, 0], [2, 0], [2, 2], [0, 2]].into_iter().enumerate() {
        put(&[n as u8]);
        for _ in 0..n {
            put(&(-1i16).to_le_bytes());
        }
        put(&1.5f64.to_le_bytes());
        put(&0.0f32.to_le_bytes());
        put(&(y as i16 - 1).to_le_bytes());
        put(&0.0f32.to_le_bytes());
        put(&(x as u32).to_le_bytes());
        put(&2.0f32.to_le_bytes());
        put(&0.5f32.to_le_bytes());
        put(&u16::MAX.to_le_bytes());
        put(&0.25f32.to_le_bytes());
        put(&0.25f32.to_le_bytes());
        put(&0u16.to_le_bytes());
        put(&u16::MAX.to_le_bytes());
        put(&[9]);
    }
    put(&1.0f32.to_le_bytes());
    put(&4u32.to_le_bytes());
    for vertex in 0..4u16 {
        put(&vertex.to_le_bytes());
    }
    put(&3i32.to_le_bytes());
    file
}

#[test]
fn any_order_and_any_type_will_do() {
    let little = read_ok(&[("x", &mixed(false))]);
    let big = read_ok(&[("x", &mixed(true))]);
    assert_eq!(little.surface, big.surface);
    let surface = &little.surface;
    assert_eq!(
        surface.positions(),
        [
            [0.0, -1.0, 1.5],
            [2.0, -1.0, 1.5],
            [2.0, 1.0, 1.5],
            [0.0, 1.0, 1.5]
        ]
    );
    assert_eq!(surface.triangles(), [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(surface.look().normals, [[0.0, 0.0, 1.0]; 4]);
    assert_eq!(surface.look().uvs, [[0.25, 0.75]; 4]);
    assert_eq!(surface.look().colors, [[1.0, 0.0, 1.0, 0.5]; 4]);
    assert_eq!(
        little.notes,
        [
            "2 \"camera\" were skipped",
            "2 further properties of the vertices were skipped",
            "1 \"edge\" were skipped"
        ]
    );
}

#[test]
fn polygons_strips_and_small_faces() {
    let square = ["0 0 0", "1 0 0", "1 1 0", "0 1 0"];
    let read = ply(&text(XYZ, &square, LIST, &["4 0 1 2 3", "2 0 1"]));
    assert_eq!(read.surface.triangles(), [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(read.notes, ["1 face of fewer than 3 corners were skipped"]);
    let strips = text(XYZ, &square, LIST, &["9 0 1 3 2 -1 0 1 1 3"]).replace("face", "tristrips");
    let read = ply(&strips);
    assert_eq!(read.surface.triangles(), [[0, 1, 3], [3, 1, 2]]);
}

#[test]
fn an_image_named_in_a_comment_is_used() {
    let vertex = format!("{XYZ}property float u\nproperty float v\n");
    let file = text(
        &vertex,
        &["0 0 0 0 0", "1 0 0 1 0", "0 1 0 0 1"],
        LIST,
        &["3 0 1 2"],
    )
    .replace(
        "element vertex",
        "comment TextureFile Checker.png\nelement vertex",
    );
    let png = sample("checker.png");
    let read = read_ok(&[("x.ply", file.as_bytes()), ("checker.png", &png)]);
    assert_eq!(read.surface.look().parts[0].image, Some(0));
    assert_eq!(read.surface.look().uvs[2], [0.0, 0.0]);
    let read = ply(&file);
    assert_eq!(
        read.notes,
        ["the image \"Checker.png\" was not given: left out"]
    );
}

#[test]
fn damage_is_named_with_its_place() {
    let ok = text(XYZ, &["0 0 0", "1 0 0", "0 1 0"], LIST, &["3 0 1 2"]);
    ply(&ok);
    let change = |from: &str, to: &str| {
        assert!(ok.contains(from));
        wrong(&ok.replacen(from, to, 1))
    };
    assert_eq!(
        change("ascii 1.0", "octal 1.0"),
        "PLY: line 2, column 8: expected ascii, binary_little_endian or binary_big_endian, found \"octal\""
    );
    assert_eq!(
        change("1.0", "2.0"),
        "PLY: line 2, column 14: expected version 1.0, found \"2.0\""
    );
    assert_eq!(
        change("format ascii 1.0", "comment"),
        "PLY: line 9, column 1: expected a \"format\" line before the header's end, found \"end_header\""
    );
    assert_eq!(
        change("vertex 3", "vertex many"),
        "PLY: line 3, column 16: expected the number of elements, found \"many\""
    );
    assert_eq!(
        change("element vertex 3", "element"),
        "PLY: line 3, column 8: expected the element's name, found the end of the line"
    );
    assert_eq!(
        change("element vertex 3\n", ""),
        "PLY: line 3, column 1: expected an element before its properties, found \"property\""
    );
    assert_eq!(
        change("float x", "float16 x"),
        "PLY: line 4, column 10: expected a type: char, uchar, short, ushort, int, uint, float, double or int8 to float64, found \"float16\""
    );
    assert_eq!(
        change("float x", "float"),
        "PLY: line 4, column 15: expected the property's name, found the end of the line"
    );
    assert_eq!(
        change("property float y", "properly float y"),
        "PLY: line 5, column 1: expected format, element, property, comment, obj_info or end_header, found \"properly\""
    );
    assert_eq!(
        change("end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", ""),
        "PLY: line 9, column 1: expected end_header, found the end of the file"
    );
    assert_eq!(
        change("float z", "float w"),
        "PLY: line 10, column 1: expected the properties x, y and z of the vertices, found \"x\", \"y\", \"w\""
    );
    assert_eq!(
        change("vertex_index", "corners"),
        "PLY: line 12, column 6: expected a list vertex_indices or vertex_index of the faces, found none"
    );
    assert_eq!(
        change("vertex 3", "vertex 4000000000"),
        "PLY: line 10, column 1: 4000000000 rows \"vertex\" were announced, at least 24000000000 bytes, but 26 are left: the file is cut short"
    );
    assert_eq!(
        change("1 0 0", "1 nan 0"),
        "PLY: line 11, column 8: expected finite coordinates of vertex 1, found 1, NaN and 0"
    );
    assert_eq!(
        change("1 0 0", "1 x 0"),
        "PLY: line 11, column 3: expected a number, found \"x\""
    );
    assert_eq!(
        change("3 0 1 2", "3 0 1 3"),
        "PLY: line 13, column 8: face 0 refers to vertex 3, but there are 3 before it"
    );
    assert_eq!(
        change("3 0 1 2", "3 0 1 -2"),
        "PLY: line 13, column 9: face 0 refers to vertex -2, but there are 3 before it"
    );
    assert_eq!(
        change("3 0 1 2", "300 0 1 2"),
        "PLY: line 13, column 1: expected the length of a list, at most 4 for the 7 bytes left, found 300"
    );
    assert_eq!(
        change("3 0 1 2\n", "3 0 1\n"),
        "PLY: line 14, column 1: expected a number, found the end of the file"
    );
    assert_eq!(
        wrong(&text(XYZ, &["0 0 0", "1 0 0"], "", &[]).replace("element face 0\n", "")),
        "PLY: no tetrahedra: a point cloud of 2 points without faces: reconstruct a surface from it first"
    );

    let binary = sample("tetrahedron_little_endian.ply");
    assert_eq!(
        message(&[("x.ply", &binary[..binary.len() - 1])]),
        "PLY: byte 358: expected a value of 4 bytes, found the end of the file 3 bytes on"
    );
    assert_eq!(
        message(&[("x.ply", &binary[..binary.len() - 60])]),
        "PLY: byte 250: 4 rows \"vertex\" were announced, at least 60 bytes, but 52 are left: the file is cut short"
    );
}
