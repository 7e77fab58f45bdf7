//! glTF and GLB files: containers, hierarchy, geometry and skins. Looks and damage have files of their own.
#![cfg(all(feature = "mesh-tools", not(target_arch = "wasm32")))]

mod import_surface_support;

use import_surface_support::{F32, Gltf, area_and_volume, assert_close, read_ok, sample};
use serde_json::json;
use webgpu_softbody::surface::{SurfaceImage, SurfacePart};

#[test]
fn a_picture_twice_in_three_containers() {
    let glb = read_ok(&[("picture.glb", &sample("picture.glb"))]);
    let (gltf, bin, png) = (
        sample("picture.gltf"),
        sample("picture.bin"),
        sample("checker.png"),
    );
    let beside = read_ok(&[
        ("Checker.PNG", &png),
        ("some/folder/picture.bin", &bin),
        ("picture.gltf", &gltf),
    ]);
    let embedded = read_ok(&[("x.json", &sample("picture_embedded.gltf"))]);
    assert_eq!(glb.format, "glTF 2.0 binary (GLB)");
    assert_eq!(beside.format, "glTF 2.0");
    assert_eq!(glb.surface, beside.surface);
    assert_eq!(glb.surface, embedded.surface);
    let surface = &glb.surface;
    assert_eq!(
        surface.positions().len(),
        8,
        "seams and copies are not joined"
    );
    assert_eq!(
        surface.positions()[..3],
        [[0.0, 0.0, 2.0], [1.0, 0.0, 2.0], [1.0, 1.0, 2.0]]
    );
    assert_eq!(surface.positions()[5], [-1.0, 0.0, 2.0]);
    // The mirrored copy still faces +z.
    let (vector, area, _) = area_and_volume(surface);
    assert_close(area, 2.0);
    assert_close(vector[2], 2.0);
    let look = surface.look();
    assert_eq!(look.normals, [[0.0, 0.0, 1.0]; 8]);
    assert_eq!(
        look.uvs[..4],
        [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]
    );
    // Opaque whatever its alpha.
    assert_eq!(
        look.parts,
        [SurfacePart {
            triangles: 4,
            color: [1.0, 0.5, 0.25, 1.0],
            image: Some(0)
        }]
    );
    assert_eq!(
        look.images,
        [SurfaceImage::Encoded {
            mime: "image/png".to_owned(),
            bytes: png
        }]
    );
}

#[test]
fn without_material_there_are_no_parts() {
    let read = Gltf::triangle().read();
    assert!(read.surface.look().parts.is_empty());
    assert!(read.notes.is_empty());
    assert_eq!(read.surface.triangles(), [[0, 1, 2]]);
}

#[test]
fn transforms_multiply_down_the_hierarchy() {
    let mut gltf = Gltf::triangle();
    gltf.attribute(
        "NORMAL",
        "VEC3",
        &[0.6, 0.0, 0.8, 0.6, 0.0, 0.8, 0.6, 0.0, 0.8],
    );
    let half = std::f64::consts::FRAC_1_SQRT_2;
    gltf.json["nodes"] = json!([
        // A quarter turn about z, then 10 along x.
        {"translation": [10, 0, 0], "rotation": [0, 0, half, half], "children": [1]},
        // Twice as long in x, 1 up in y, as a matrix of columns.
        {"matrix": [2,0,0,0, 0,1,0,0, 0,0,1,0, 0,1,0,1], "children": [2]},
        {"mesh": 0, "scale": [1, 3, 1]},
    ]);
    let read = gltf.read();
    let expected = [[9.0, 0.0, 0.0], [9.0, 2.0, 0.0], [6.0, 0.0, 0.0]];
    for (found, expected) in read.surface.positions().iter().zip(expected) {
        for (x, e) in found.iter().zip(expected) {
            assert!((x - e).abs() < 1e-5f32, "{found:?} {expected:?}");
        }
    }
    // The normal's x is halved by the scale, then turned into y: (0, 0.3, 0.8) as a unit vector.
    let length = (0.3f32 * 0.3 + 0.8 * 0.8).sqrt();
    let normal = read.surface.look().normals[0];
    for (x, e) in normal.iter().zip([0.0, 0.3 / length, 0.8 / length]) {
        assert!((x - e).abs() < 1e-6, "{normal:?}");
    }
}

#[test]
fn scenes_choose_the_nodes() {
    let mut gltf = Gltf::triangle();
    gltf.json["nodes"] = json!([
        {"mesh": 0},
        {"mesh": 0, "translation": [1, 0, 0]},
        {"children": [1], "translation": [1, 0, 0]},
    ]);
    gltf.json["scenes"] = json!([{"nodes": [0]}, {"nodes": [2]}, {"nodes": [0, 2]}]);
    let firsts = |gltf: &Gltf| -> Vec<f32> {
        gltf.read()
            .surface
            .positions()
            .iter()
            .step_by(3)
            .map(|p| p[0])
            .collect()
    };
    gltf.json["scene"] = json!(1);
    assert_eq!(firsts(&gltf), [2.0]);
    gltf.json["scene"] = json!(2);
    assert_eq!(firsts(&gltf), [0.0, 2.0]);
    gltf.json.as_object_mut().unwrap().remove("scene");
    assert_eq!(firsts(&gltf), [0.0], "the first scene");
    gltf.json.as_object_mut().unwrap().remove("scenes");
    assert_eq!(firsts(&gltf), [0.0, 2.0], "all root nodes");
    gltf.json.as_object_mut().unwrap().remove("nodes");
    assert_eq!(firsts(&gltf), [0.0], "the meshes alone");
}

#[test]
fn strips_fans_and_indices_of_all_types() {
    let mut gltf = Gltf::default();
    let corners = [
        0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 2.0, 0.0,
    ];
    gltf.attribute("POSITION", "VEC3", &corners);
    gltf.primitive()["mode"] = json!(5);
    assert_eq!(
        gltf.read().surface.triangles(),
        [[0, 1, 2], [1, 3, 2], [2, 3, 4]]
    );
    let (vector, area, _) = area_and_volume(&gltf.read().surface);
    assert_close(vector[2], area);
    // Repeated corners sew strips together.
    gltf.indices(&[0, 1, 2, 3, 3, 4]);
    assert_eq!(gltf.read().surface.triangles(), [[0, 1, 2], [1, 3, 2]]);
    gltf.primitive()["mode"] = json!(6);
    gltf.indices(&[0, 1, 3, 2]);
    assert_eq!(gltf.read().surface.triangles(), [[0, 1, 2], [1, 3, 2]]);
    gltf.primitive()["mode"] = json!(4);
    let bytes = gltf.accessor(5121, "SCALAR", 3, &[2, 0, 1]);
    gltf.primitive()["indices"] = json!(bytes);
    let by_bytes = gltf.read();
    // Unused vertices are left out.
    assert_eq!(
        by_bytes.surface.positions(),
        [[0.0, 1.0, 0.0], [0.0; 3], [1.0, 0.0, 0.0]]
    );
    let words: Vec<u8> = [2u32, 0, 1].iter().flat_map(|i| i.to_le_bytes()).collect();
    let words = gltf.accessor(5125, "SCALAR", 3, &words);
    gltf.primitive()["indices"] = json!(words);
    assert_eq!(gltf.read().surface, by_bytes.surface);
}

#[test]
fn lines_points_skins_and_morphs_are_noted() {
    let mut gltf = Gltf::triangle();
    let triangle = gltf.primitive().clone();
    let mut line = triangle.clone();
    line["mode"] = json!(1);
    let mut point = triangle.clone();
    point["mode"] = json!(0);
    gltf.json["meshes"][0]["primitives"] = json!([triangle, line, point, {"attributes": {}}]);
    gltf.json["meshes"][0]["primitives"][0]["targets"] = json!([{"POSITION": 0}]);
    gltf.json["nodes"] = json!([{
        "mesh": 0, "translation": [5, 0, 0],
        "extensions": {"EXT_mesh_gpu_instancing": {"attributes": {}}},
    }]);
    assert_eq!(
        gltf.read().notes,
        [
            "1 primitive has morph targets, which are left out",
            "2 primitives of lines or points skipped",
            "1 primitive without positions skipped",
            "1 node has GPU instances, of which one is read",
        ]
    );
}

#[test]
fn sparse_arrays_replace_some_elements() {
    let mut gltf = Gltf::triangle();
    let indices = gltf.view(&[1, 0, 2, 0]);
    let values: Vec<u8> = [3.0f32, 0.0, 0.0, 0.0, 4.0, 0.0]
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .collect();
    let values = gltf.view(&values);
    let sparse = json!({
        "count": 2,
        "indices": {"bufferView": indices, "componentType": 5123},
        "values": {"bufferView": values},
    });
    gltf.json["accessors"][0]["sparse"] = sparse;
    let expected = [[0.0; 3], [3.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
    assert_eq!(gltf.read().surface.positions(), expected);
    // Without a view the others are zeros.
    gltf.json["accessors"][0]
        .as_object_mut()
        .unwrap()
        .remove("bufferView");
    assert_eq!(gltf.read().surface.positions(), expected);
}

#[test]
fn interleaved_arrays_are_read_with_their_stride() {
    let mut gltf = Gltf::default();
    let mut bytes = Vec::new();
    for n in 0..3u8 {
        for x in [f32::from(n), f32::from(n * n), 0.5, 0.0, 0.0, -2.0] {
            bytes.extend_from_slice(&x.to_le_bytes());
        }
    }
    let view = gltf.view(&bytes);
    gltf.json["bufferViews"][view]["byteStride"] = json!(24);
    gltf.json["accessors"] = json!([
        {"bufferView": view, "componentType": F32, "type": "VEC3", "count": 3},
        {"bufferView": view, "byteOffset": 12, "componentType": F32, "type": "VEC3", "count": 3},
    ]);
    gltf.primitive()["attributes"] = json!({"POSITION": 0, "NORMAL": 1});
    let read = gltf.read();
    assert_eq!(
        read.surface.positions(),
        [[0.0, 0.0, 0.5], [1.0, 1.0, 0.5], [2.0, 4.0, 0.5]]
    );
    assert_eq!(read.surface.look().normals, [[0.0, 0.0, -1.0]; 3]);
}

#[test]
fn quantised_attributes_are_scaled_as_they_say() {
    let mut gltf = Gltf::default();
    gltf.json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
    let words =
        |values: &[i16]| -> Vec<u8> { values.iter().flat_map(|x| x.to_le_bytes()).collect() };
    // Padded to 8 bytes an element, as the extension demands.
    let bytes = words(&[0, 0, -32768, 0, 32767, 0, 0, 0, 0, 32767, 0, 0]);
    let position = gltf.accessor(5122, "VEC3", 3, &bytes);
    gltf.json["bufferViews"][0]["byteStride"] = json!(8);
    gltf.json["accessors"][position]["normalized"] = json!(true);
    let normal = gltf.accessor(
        5120,
        "VEC3",
        3,
        &[0, 0, 127, 0, 0, 0, 127, 0, 0, 0, 0x81, 0],
    );
    gltf.json["bufferViews"][1]["byteStride"] = json!(4);
    gltf.json["accessors"][normal]["normalized"] = json!(true);
    gltf.primitive()["attributes"] = json!({"POSITION": position, "NORMAL": normal});
    let read = gltf.read();
    assert_eq!(
        read.surface.positions(),
        [[0.0, 0.0, -1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    );
    assert_eq!(
        read.surface.look().normals,
        [[0.0, 0.0, 1.0], [0.0, 0.0, 1.0], [0.0, 0.0, -1.0]]
    );
    gltf.json["accessors"][position]["normalized"] = json!(false);
    gltf.json["nodes"][0]["scale"] = json!([0.001, 0.001, 0.001]);
    assert_eq!(gltf.read().surface.positions()[1], [32.767, 0.0, 0.0]);
}

#[test]
fn missing_normals_of_one_primitive_are_filled_in() {
    let mut gltf = Gltf::triangle();
    let without = gltf.primitive().clone();
    gltf.attribute(
        "NORMAL",
        "VEC3",
        &[0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0],
    );
    let with = gltf.primitive().clone();
    gltf.json["meshes"][0]["primitives"] = json!([without, with]);
    let (y, z) = ([0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
    assert_eq!(gltf.read().surface.look().normals, [z, z, z, y, y, z]);
}

#[test]
fn an_uncompressed_copy_beside_draco_is_read() {
    let mut gltf = Gltf::triangle();
    gltf.json["extensionsUsed"] = json!(["KHR_draco_mesh_compression"]);
    gltf.primitive()["extensions"] = json!({"KHR_draco_mesh_compression": {"bufferView": 0}});
    assert_eq!(gltf.read().surface.triangles().len(), 1);
}

/// A triangle on two joints: the first moves it 10 up, the second doubles it.
fn skinned() -> Gltf {
    let mut gltf = Gltf::triangle();
    gltf.attribute(
        "NORMAL",
        "VEC3",
        &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0],
    );
    let joints = gltf.accessor(5121, "VEC4", 3, &[0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
    // The first and third vertex have one joint, the second half of each, with weights that sum to 2.
    let weights = [
        1.0f32, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0,
    ];
    gltf.attribute("WEIGHTS_0", "VEC4", &weights);
    gltf.primitive()["attributes"]["JOINTS_0"] = json!(joints);
    let mut matrices = Vec::new();
    for x in [-1.0f32, 0.0] {
        let matrix = [
            1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, x, 0.0, 0.0, 1.0,
        ];
        matrices.extend(matrix.iter().flat_map(|x| x.to_le_bytes()));
    }
    let bind = gltf.accessor(F32, "MAT4", 2, &matrices);
    gltf.json["skins"] = json!([{"joints": [1, 2], "inverseBindMatrices": bind}]);
    gltf.json["scenes"] = json!([{"nodes": [0, 1]}]);
    gltf.json["nodes"] = json!([
        {"mesh": 0, "skin": 0, "translation": [0, 0, 100]},
        {"translation": [1, 10, 0], "children": [2]},
        {"scale": [2, 2, 2], "translation": [-1, -10, 0]},
    ]);
    gltf
}

#[test]
fn joints_place_skinned_meshes_and_their_node_does_not() {
    let mut gltf = skinned();
    let read = gltf.read();
    // The second vertex, at x = 1: (1, 10) by one joint and (2, 0) by the other.
    assert_eq!(
        read.surface.positions(),
        [[0.0, 10.0, 0.0], [1.5, 5.0, 0.0], [0.0, 2.0, 0.0]]
    );
    assert_eq!(read.surface.look().normals, [[0.0, 0.0, 1.0]; 3]);
    assert_eq!(
        read.notes,
        ["1 skinned mesh is in the pose that the joints have in the file: animation is left out"]
    );
    // Mirrored joints turn the triangles round.
    gltf.json["nodes"][1]["scale"] = json!([-1, 1, 1]);
    assert_eq!(gltf.read().surface.triangles(), [[0, 2, 1]]);
    // Without the joints in the scene the mesh keeps its bind pose.
    gltf.json["scenes"] = json!([{"nodes": [0]}]);
    let read = gltf.read();
    assert_eq!(read.surface.positions()[1], [1.0, 0.0, 0.0]);
    assert_eq!(
        read.notes,
        ["1 skinned mesh is in bind pose: the scene lacks joints of it"]
    );
    // A primitive without joints stays at its node.
    let mut gltf = skinned();
    gltf.primitive()["attributes"]
        .as_object_mut()
        .unwrap()
        .remove("JOINTS_0");
    assert_eq!(gltf.read().surface.positions()[1], [1.0, 0.0, 100.0]);
}

#[test]
fn damaged_skins_are_named() {
    let changed = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut gltf = skinned();
        change(&mut gltf.json);
        gltf.message()
    };
    assert_eq!(
        changed(&|json| json["skins"][0]["joints"] = json!([1])),
        "glTF: a vertex refers to joint 1, but skins[0] has 1"
    );
    assert_eq!(
        changed(&|json| json["skins"][0]["joints"] = json!([1, 2, 2])),
        "glTF: expected 3 matrices in accessors[4] for skins[0].inverseBindMatrices, found 2 elements of 16 components"
    );
    assert_eq!(
        changed(&|json| json["skins"][0]["joints"] = json!([])),
        "glTF: expected skins[0].joints, which is missing"
    );
    assert_eq!(
        changed(&|json| json["skins"][0]["joints"] = json!([1, 9])),
        "glTF: nodes[9] is referred to, but there are 3"
    );
    assert_eq!(
        changed(&|json| json["nodes"][0]["skin"] = json!(1)),
        "glTF: skins[1] is referred to, but there are 1"
    );
}
