//! OBJ files and their material libraries: what is read of them, and what each damage is called.
#![cfg(all(feature = "mesh-tools", not(target_arch = "wasm32")))]

mod import_surface_support;

use import_surface_support::{Read, area_and_volume, assert_close, message, read_ok, sample};
use webgpu_softbody::surface::{SurfaceImage, SurfacePart};

fn obj(text: &str) -> Read {
    read_ok(&[("x.obj", text.as_bytes())])
}

fn wrong(text: &str) -> String {
    message(&[("x.obj", text.as_bytes())])
}

const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

#[test]
fn the_cube_has_its_parts_its_image_and_its_volume() {
    let png = sample("checker.png");
    let read = read_ok(&[
        ("checker.png", &png),
        ("cube.mtl", &sample("cube.mtl")),
        ("cube.obj", &sample("cube.obj")),
    ]);
    assert_eq!(read.format, "Wavefront OBJ");
    assert!(read.notes.is_empty(), "{:?}", read.notes);
    let surface = &read.surface;
    assert_eq!(surface.triangles().len(), 12);
    // Eight of the sides, and four of the top, which alone have texture coordinates.
    assert_eq!(surface.positions().len(), 12);
    let (_, area, volume) = area_and_volume(surface);
    assert_close(area, 6.0);
    assert_close(volume, 1.0);
    let look = surface.look();
    // sRGB 0.5 is 0.214 in linear light.
    let [r, g, b, a] = look.parts[0].color;
    assert_eq!([r, g, a], [1.0, 0.0, 0.25]);
    assert!((b - 0.214_041).abs() < 1e-5, "{b}");
    assert_eq!(look.parts[0].image, None);
    assert_eq!(look.parts[0].triangles, 10);
    assert_eq!(
        look.parts[1],
        SurfacePart {
            triangles: 2,
            color: [1.0; 4],
            image: Some(0)
        }
    );
    assert_eq!(
        look.images,
        [SurfaceImage::Encoded {
            mime: "image/png".to_owned(),
            bytes: png
        }]
    );
    // Its texture coordinates are 0 0: the image's lower left, where v, which runs down, is 1.
    let corner = surface
        .triangles()
        .iter()
        .flatten()
        .find(|&&vertex| {
            look.uvs[vertex as usize] != [0.0; 2]
                && surface.positions()[vertex as usize] == [0.0, 1.0, 1.0]
        })
        .unwrap();
    assert_eq!(look.uvs[*corner as usize], [0.0, 1.0]);
    assert_eq!(look.normals[*corner as usize], [0.0, 1.0, 0.0]);
    assert!(
        look.normals.iter().all(|n| {
            let length = n.iter().map(|x| x * x).sum::<f32>();
            (length - 1.0).abs() < 1e-5
        }),
        "corners without a normal get one"
    );
}

#[test]
fn all_forms_of_corners_count_alike() {
    let lists = "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvn 0 0 1\n";
    let plain = obj(&format!("{SQUARE}f 1 2 3 4\n"));
    assert!(plain.surface.look().uvs.is_empty() && plain.surface.look().normals.is_empty());
    assert_eq!(plain.surface.triangles(), [[0, 1, 2], [0, 2, 3]]);
    let texture = obj(&format!("{SQUARE}{lists}f 1/1 2/2 3/3 4/4\n"));
    assert_eq!(
        texture.surface.look().uvs,
        [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]
    );
    assert!(texture.surface.look().normals.is_empty());
    let normal = obj(&format!("{SQUARE}{lists}f 1//1 2//1 3//1 4//1\n"));
    assert_eq!(normal.surface.look().normals, [[0.0, 0.0, 1.0]; 4]);
    assert!(normal.surface.look().uvs.is_empty());
    let both = obj(&format!("{SQUARE}{lists}f 1/1/1 2/2/1 3/3/1 4/4/1\n"));
    let negative = obj(&format!(
        "{SQUARE}{lists}f -4/-4/-1 -3/-3/-1 -2/-2/-1 -1/-1/-1\n"
    ));
    assert_eq!(both.surface, negative.surface);
    assert_eq!(both.surface.look().uvs, texture.surface.look().uvs);
    // Faces before their vertices, which some writers produce.
    let forward = obj(&format!("f 1 2 3 4\n{SQUARE}"));
    assert_eq!(forward.surface, plain.surface);
}

#[test]
fn a_seam_keeps_both_texture_coordinates() {
    let read = obj(&format!(
        "{SQUARE}vt 0 0\nvt 0.5 0\nvt 1 0\nf 1/1 2/1 3/1\nf 1/2 3/1 4/3\n"
    ));
    assert_eq!(read.surface.positions().len(), 5);
    assert_eq!(read.surface.triangles(), [[0, 1, 2], [3, 2, 4]]);
}

#[test]
fn concave_polygons_keep_their_area_and_direction() {
    // An arrow head, whose fan from the first corner would leave it, in all three planes and both directions.
    let arrow = [[-1.0, -1.0], [2.0, 0.0], [-1.0, 1.0], [0.0, 0.0]];
    let comb = [
        [0.0, 0.0],
        [7.0, 0.0],
        [7.0, 3.0],
        [6.0, 3.0],
        [6.0, 1.0],
        [5.0, 1.0],
        [5.0, 3.0],
        [4.0, 3.0],
        [4.0, 1.0],
        [3.0, 1.0],
        [3.0, 3.0],
        [2.0, 3.0],
        [2.0, 1.0],
        [1.0, 1.0],
        [1.0, 3.0],
        [0.0, 3.0],
    ];
    for (polygon, area) in [(&arrow[..], 2.0), (&comb[..], 15.0)] {
        for plane in 0..3 {
            for shift in 0..polygon.len() {
                for reversed in [false, true] {
                    let mut corners = polygon.to_vec();
                    corners.rotate_left(shift);
                    if reversed {
                        corners.reverse();
                    }
                    let mut text = String::new();
                    for [u, v] in &corners {
                        let mut p = [0.5; 3];
                        p[(plane + 1) % 3] = *u;
                        p[(plane + 2) % 3] = *v;
                        text += &format!("v {} {} {}\n", p[0], p[1], p[2]);
                    }
                    text += "f";
                    for n in 1..=corners.len() {
                        text += &format!(" {n}");
                    }
                    let read = obj(&text);
                    assert_eq!(read.surface.triangles().len(), corners.len() - 2);
                    let (vector, sum, _) = area_and_volume(&read.surface);
                    assert_close(sum, area);
                    assert_close(vector[plane], if reversed { -area } else { area });
                }
            }
        }
    }
}

#[test]
fn materials_in_turn_are_gathered_into_parts() {
    let read = obj(&format!(
        "mtllib none.mtl\n{SQUARE}usemtl a\nf 1 2 3\nusemtl b\nf 1 2 4\nusemtl a\nf 1 3 4\n"
    ));
    assert_eq!(read.surface.triangles(), [[0, 1, 2], [0, 2, 3], [0, 1, 3]]);
    let counts: Vec<u32> = read
        .surface
        .look()
        .parts
        .iter()
        .map(|p| p.triangles)
        .collect();
    assert_eq!(counts, [2, 1]);
    assert_eq!(
        read.notes,
        ["the material library \"none.mtl\" was not given: the materials are white"]
    );
}

#[test]
fn libraries_and_images_are_found_by_their_last_name() {
    let png = sample("checker.png");
    let text = format!(
        "mtllib ./Models\\Colours.MTL\n{SQUARE}vt 0 0\nusemtl a\nf 1/1 2/1 3/1\nusemtl z\nf 1 2 4\n"
    );
    let library = b"newmtl a\nKd 1\nTr 0.5\nmap_Kd ../textures/my%20PICTURE.png\n";
    let read = read_ok(&[
        ("x.obj", text.as_bytes()),
        ("colours.mtl", library),
        ("My picture.png", &png),
    ]);
    assert_eq!(read.surface.look().parts[0].color, [1.0, 1.0, 1.0, 0.5]);
    assert_eq!(read.surface.look().parts[0].image, Some(0));
    assert_eq!(
        read.notes,
        ["1 of 2 materials are in no library, \"z\" for one: they are white"]
    );
    let read = read_ok(&[("x.obj", text.as_bytes()), ("colours.mtl", library)]);
    assert!(
        read.notes[0].contains("my%20PICTURE.png\" was not given"),
        "{:?}",
        read.notes
    );
    let read = read_ok(&[
        ("x.obj", text.as_bytes()),
        ("colours.mtl", library),
        ("my picture.png", b"BM rest"),
    ]);
    assert!(
        read.notes[0].contains("is BMP, not PNG or JPEG"),
        "{:?}",
        read.notes
    );
}

#[test]
fn vertex_colours_become_linear() {
    let read = obj("v 0 0 0 1 0.5 0\nv 1 0 0 0 0 0\nv 0 1 0 1 1 1\nf 1 2 3\n");
    let colors = &read.surface.look().colors;
    assert_eq!(colors[0][0], 1.0);
    assert!((colors[0][1] - 0.214_041).abs() < 1e-5);
    assert_eq!(colors[2], [1.0; 4]);
    assert_eq!(
        read.surface.look().parts.len(),
        1,
        "so that they are shown untinted"
    );
    let bytes = obj("v 0 0 0 255 127.5 0\nv 1 0 0 0 0 0\nv 0 1 0 255 255 255\nf 1 2 3\n");
    assert_eq!(&bytes.surface.look().colors, colors);
    assert_eq!(
        bytes.notes,
        ["vertex colours were taken as 0 to 255: some are above 1"]
    );
    // A little more than 1 is bright, and does not make the rest black.
    let bright = obj("v 0 0 0 1.02 0.5 0\nv 1 0 0 0 0 0\nv 0 1 0 1 1 1\nf 1 2 3\n");
    assert_eq!(&bright.surface.look().colors, colors);
    assert!(bright.notes.is_empty());
    let primary = obj("v 0 0 0 255 0 0\nv 1 0 0 0 255 0\nv 0 1 0 2 2 2\nf 1 2 3\n");
    assert_eq!(primary.surface.look().colors[0], [1.0, 0.0, 0.0, 1.0]);
    // A weight is no colour.
    let weights = obj("v 0 0 0 1\nv 1 0 0 1\nv 0 1 0 1\nf 1 2 3\n");
    assert!(weights.surface.look().colors.is_empty());
}

#[test]
fn what_is_no_polygon_is_skipped_with_a_note() {
    let read = obj(&format!(
        "\u{feff}# comment\n{SQUARE}v 9 9 9 # aside\nvt 0.5 # aside\ns off\no name\nl 1 2\np 1\ncurv 0 1 1 2\nbevel on\nf 2 3\nf 1 2 3 # end\nf\nf 4 # end\n"
    ));
    assert_eq!(read.surface.triangles(), [[0, 1, 2]]);
    assert_eq!(read.surface.positions()[1], [1.0, 0.0, 0.0]);
    assert_eq!(
        read.notes,
        [
            "2 statements of lines or points were skipped",
            "1 statement of free-form curves and surfaces were skipped",
            "3 faces of fewer than 3 corners were skipped"
        ]
    );
}

#[test]
fn damage_is_named_with_its_place() {
    assert_eq!(
        wrong(&format!("{SQUARE}f 1 2 five\n")),
        "OBJ: line 5, column 7: expected a corner: v, v/vt, v//vn or v/vt/vn, each a whole number but 0, found \"five\""
    );
    assert!(
        wrong(&format!("{SQUARE}f 1 2 0\n"))
            .starts_with("OBJ: line 5, column 7: expected a corner")
    );
    assert_eq!(
        wrong(&format!("{SQUARE}f 1 2 3\nf 1 2 5\n")),
        "OBJ: line 6, column 7: the corner refers to vertex 5, but the file has 4"
    );
    assert_eq!(
        wrong(&format!("{SQUARE}f 1 2 -5\n")),
        "OBJ: line 5, column 7: the corner \"-5\" refers to vertex -5, but there are 4 so far"
    );
    assert_eq!(
        wrong(&format!("{SQUARE}f 1 2 99999999999\n")),
        "OBJ: line 5, column 7: the corner \"99999999999\" refers to vertex 99999999999, but there are 4 so far"
    );
    assert_eq!(
        wrong(&format!("{SQUARE}vt 0 0\nf 1/1 2/2 3/1\n")),
        "OBJ: line 6, column 7: the corner refers to texture coordinate 2, but the file has 1"
    );
    assert_eq!(
        wrong(&format!("{SQUARE}f 1//1 2//1 3//1\n")),
        "OBJ: line 5, column 3: the corner refers to normal 1, but the file has 0"
    );
    assert_eq!(
        wrong(&format!("{SQUARE}f 1/1/1/1 2 3\n")),
        "OBJ: line 5, column 3: expected a corner of at most three indices, found \"1/1/1/1\""
    );
    assert_eq!(
        wrong(&format!("{SQUARE}f 1 2\n")),
        "OBJ: no tetrahedra: 4 vertices but no face (lines and points: 0, free-form statements: 0, faces of fewer than 3 corners: 1): export polygons"
    );
    assert_eq!(
        wrong("v 0 0 0\nv 1 0\nf 1 1 1\n"),
        "OBJ: line 2, column 6: expected a coordinate, found the end of the line"
    );
    assert_eq!(
        wrong("v 0 0 0\nv 1 0 1,5\nf 1 1 1\n"),
        "OBJ: line 2, column 7: expected a coordinate, found \"1,5\""
    );
    assert_eq!(
        wrong(&format!("{SQUARE}vt x\nf 1 2 3\n")),
        "OBJ: line 5, column 4: expected a texture coordinate, found \"x\""
    );
    assert_eq!(
        wrong(&format!("{SQUARE}vn 0 0 x\nf 1 2 3\n")),
        "OBJ: line 5, column 8: expected a component of a normal, found \"x\""
    );
    assert_eq!(
        wrong(&format!("{SQUARE}l 1 2\nsurf 0 1 0 1 1\n")),
        "OBJ: no tetrahedra: 4 vertices but no face (lines and points: 1, free-form statements: 1, faces of fewer than 3 corners: 0): export polygons"
    );
    // The column counts on over a continued line, whose number is its own.
    assert_eq!(
        wrong(&format!("{SQUARE}f 1 2 \\\n  3 x\n")),
        "OBJ: line 6, column 5: expected a corner: v, v/vt, v//vn or v/vt/vn, each a whole number but 0, found \"x\""
    );
}
