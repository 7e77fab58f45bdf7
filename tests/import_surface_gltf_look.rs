//! glTF and GLB files: materials, images, texture coordinates and colours.
#![cfg(all(feature = "mesh-tools", not(target_arch = "wasm32")))]

mod import_surface_support;

use import_surface_support::{Gltf, read_ok, sample};
use serde_json::json;
use webgpu_softbody::import::surface::look_file_not_given;
use webgpu_softbody::surface::SurfaceImage;

/// A triangle with texture coordinates and the sample image.
fn textured() -> Gltf {
    let mut gltf = Gltf::triangle();
    gltf.attribute("TEXCOORD_0", "VEC2", &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
    let image = gltf.view(&sample("checker.png"));
    gltf.json["images"] = json!([{"bufferView": image, "mimeType": "image/png"}]);
    gltf.json["textures"] = json!([{"source": 0}]);
    gltf.json["materials"] = json!([{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]);
    gltf.primitive()["material"] = json!(0);
    gltf
}

#[test]
fn texture_coordinates_may_be_normalised_transformed_or_of_another_set() {
    let mut gltf = textured();
    let plain = gltf.read();
    assert_eq!(
        plain.surface.look().uvs,
        [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
    );
    let set = gltf.accessor(
        5123,
        "VEC2",
        3,
        &[0, 0, 0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff, 0, 0],
    );
    gltf.json["accessors"][set]["normalized"] = json!(true);
    gltf.primitive()["attributes"]["TEXCOORD_3"] = json!(set);
    gltf.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]["texCoord"] = json!(3);
    assert_eq!(
        gltf.read().surface.look().uvs,
        [[0.0, 1.0], [0.0, 0.0], [1.0, 0.0]]
    );
    gltf.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]["extensions"] = json!({
        "KHR_texture_transform": {
            "texCoord": 0, "offset": [0.25, 0.5], "scale": [2, 4],
            "rotation": std::f64::consts::FRAC_PI_2,
        }
    });
    let uvs = gltf.read().surface.look().uvs.clone();
    // A quarter turn counter-clockwise with v down takes u to −v and v to u.
    let expected = [[0.25, 0.5], [0.25, -1.5], [4.25, 0.5]];
    for (found, expected) in uvs.iter().flatten().zip(expected.iter().flatten()) {
        assert!((found - expected).abs() < 1e-6f32, "{uvs:?}");
    }
}

#[test]
fn vertex_colours_are_linear_whatever_their_type() {
    let mut gltf = Gltf::triangle();
    let expected = [
        [1.0, 0.0, 0.2, 1.0],
        [0.0, 1.0, 0.0, 1.0],
        [0.0, 0.0, 1.0, 1.0],
    ];
    gltf.attribute(
        "COLOR_0",
        "VEC3",
        &[1.0, 0.0, 0.2, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
    );
    let read = gltf.read();
    assert_eq!(read.surface.look().colors, expected);
    assert_eq!(read.surface.look().parts.len(), 1, "shown untinted");
    let bytes = gltf.accessor(
        5121,
        "VEC4",
        3,
        &[255, 0, 51, 255, 0, 255, 0, 255, 0, 0, 255, 255],
    );
    gltf.json["accessors"][bytes]["normalized"] = json!(true);
    gltf.primitive()["attributes"]["COLOR_0"] = json!(bytes);
    assert_eq!(gltf.read().surface.look().colors, expected);
    let words: Vec<u8> = [65535u16, 0, 13107, 0, 65535, 0, 0, 0, 65535]
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .collect();
    let words = gltf.accessor(5123, "VEC3", 3, &words);
    gltf.json["accessors"][words]["normalized"] = json!(true);
    gltf.primitive()["attributes"]["COLOR_0"] = json!(words);
    assert_eq!(gltf.read().surface.look().colors, expected);
}

#[test]
fn materials_become_parts_and_transparent_ones_keep_their_alpha() {
    let mut gltf = Gltf::triangle();
    let primitive = gltf.primitive().clone();
    gltf.json["materials"] = json!([
        {"pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 0.5]}, "alphaMode": "BLEND"},
        {"extensions": {"KHR_materials_pbrSpecularGlossiness": {"diffuseFactor": [0, 1, 0, 0.5]}}},
        {},
    ]);
    let with = |material: usize| {
        let mut primitive = primitive.clone();
        primitive["material"] = json!(material);
        primitive
    };
    gltf.json["meshes"][0]["primitives"] = json!([with(1), with(0), with(1), primitive, with(2)]);
    let read = gltf.read();
    let parts: Vec<_> = read
        .surface
        .look()
        .parts
        .iter()
        .map(|p| (p.triangles, p.color))
        .collect();
    assert_eq!(
        parts,
        [
            (2, [0.0, 1.0, 0.0, 1.0]),
            (1, [1.0, 0.0, 0.0, 0.5]),
            (1, [1.0; 4]),
            (1, [1.0; 4]),
        ]
    );
    // Each primitive has vertices of its own; the first material's second primitive was the third.
    assert_eq!(read.surface.triangles()[1], [6, 7, 8]);
}

#[test]
fn images_of_other_kinds_leave_the_colour() {
    let mut gltf = textured();
    let webp = gltf.view(b"RIFF\0\0\0\0WEBP");
    gltf.json["images"][0]["bufferView"] = json!(webp);
    let read = gltf.read();
    assert!(read.surface.look().images.is_empty() && read.surface.look().uvs.is_empty());
    assert_eq!(
        read.notes,
        ["images[0] is WebP, not PNG or JPEG: its material has its colour only"]
    );
    gltf.json["textures"] = json!([{"extensions": {"KHR_texture_basisu": {"source": 0}}}]);
    gltf.json["extensionsRequired"] = json!(["KHR_texture_basisu"]);
    assert_eq!(
        gltf.read().notes,
        ["textures[0] is KTX2, not PNG or JPEG: its material has its colour only"]
    );
}

#[test]
fn an_image_that_was_not_given_leaves_the_colour() {
    let (gltf, bin) = (sample("picture.gltf"), sample("picture.bin"));
    let files = [("picture.gltf", &gltf[..]), ("picture.bin", &bin[..])];
    let with = read_ok(&[files[0], files[1], ("checker.png", &sample("checker.png"))]);
    let without = read_ok(&files);
    assert_eq!(without.surface.triangles(), with.surface.triangles());
    let (bare, look) = (without.surface.look(), with.surface.look());
    assert_eq!((bare.images.len(), look.images.len()), (0, 1));
    assert_eq!(bare.parts[0].image, None);
    assert_eq!(bare.parts[0].color, look.parts[0].color);
    assert_eq!(
        without.notes,
        ["the image \"checker.png\" was not given: its material has its colour only"]
    );
    assert_eq!(look_file_not_given(&without.notes[0]), Some("checker.png"));
    assert_eq!(
        look_file_not_given("1 of 2 materials are in no library, \"z\" for one: they are white"),
        None
    );
}

#[test]
fn one_image_of_two_materials_is_kept_once() {
    let mut gltf = textured();
    let mut second = gltf.primitive().clone();
    second["material"] = json!(1);
    let first = gltf.primitive().clone();
    gltf.json["meshes"][0]["primitives"] = json!([first, second]);
    let material = gltf.json["materials"][0].clone();
    gltf.json["materials"]
        .as_array_mut()
        .unwrap()
        .push(material);
    let read = gltf.read();
    assert_eq!(read.surface.look().images.len(), 1);
    assert_eq!(read.surface.look().parts[1].image, Some(0));
}

#[test]
fn embedded_images_of_a_camera_are_jpeg() {
    let mut gltf = textured();
    let jpeg = gltf.view(b"\xff\xd8\xff\xe0rest");
    gltf.json["images"][0]["bufferView"] = json!(jpeg);
    let read = gltf.read();
    let SurfaceImage::Encoded { mime, bytes } = &read.surface.look().images[0] else {
        panic!("the bytes should be kept as they are");
    };
    assert_eq!(
        (mime.as_str(), bytes.as_slice()),
        ("image/jpeg", &b"\xff\xd8\xff\xe0rest"[..])
    );
}
