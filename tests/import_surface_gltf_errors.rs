//! Damaged, incomplete and unsupported glTF files: each has its own message.
#![cfg(all(feature = "mesh-tools", not(target_arch = "wasm32")))]

mod import_surface_support;

use import_surface_support::{Gltf, glb, message, read_ok, sample, try_read};
use serde_json::{Value, json};
use webgpu_softbody::import::ImportError;

/// The message for the right triangle after a change of its JSON.
fn changed(change: impl FnOnce(&mut Value)) -> String {
    let mut gltf = Gltf::triangle();
    gltf.indices(&[0, 1, 2]);
    gltf.read();
    change(&mut gltf.json);
    gltf.message()
}

#[test]
fn containers() {
    let whole = Gltf::triangle().glb();
    let cut = |length: usize| message(&[("x.glb", &whole[..length])]);
    assert_eq!(
        cut(8),
        "glTF: byte 4: expected a header of 12 bytes, found 8 in all"
    );
    assert_eq!(
        cut(whole.len() - 1),
        format!(
            "glTF: byte 8: {} bytes were announced, but the file has {}: it is cut short",
            whole.len(),
            whole.len() - 1
        )
    );
    let mut bad = whole.clone();
    bad[4] = 1;
    assert_eq!(
        message(&[("x.glb", &bad)]),
        "glTF: byte 4: version 1 of GLB: convert the file to glTF 2.0"
    );
    let mut bad = whole.clone();
    bad[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
    assert_eq!(
        message(&[("x.glb", &bad)]),
        format!(
            "glTF: byte 12: a chunk of 4294967295 bytes was announced, but {} are left",
            whole.len() - 20
        )
    );
    let mut bad = whole.clone();
    bad[16..20].copy_from_slice(b"NOSJ");
    assert_eq!(
        message(&[("x.glb", &bad)]),
        "glTF: byte 12: expected a JSON chunk, found none"
    );
    let mut longer = whole.clone();
    longer.extend_from_slice(b"xx");
    assert_eq!(
        read_ok(&[("x.glb", &longer)]).notes,
        ["2 bytes after the end of the GLB were skipped"]
    );
    assert_eq!(
        message(&[("x.glb", &glb(b"{\"asset\":\n{]", None))]),
        "glTF: byte 31: the JSON is damaged: key must be a string"
    );
    assert_eq!(
        message(&[("x.gltf", b"{\"asset\":\n  {]")]),
        "glTF: line 2, column 4: the JSON is damaged: key must be a string"
    );
    let deep = format!("{{\"asset\": {}", "[".repeat(100_000));
    assert_eq!(
        message(&[("x.gltf", deep.as_bytes())]),
        "glTF: line 1, column 137: the JSON is damaged: recursion limit exceeded"
    );
}

#[test]
fn versions_and_extensions() {
    assert_eq!(
        changed(|json| json["asset"]["version"] = json!("1.0")),
        "glTF: version \"1.0\" (at least \"2.0\"): convert the file to glTF 2.0"
    );
    assert_eq!(
        changed(|json| json["asset"] = json!({})),
        "glTF: expected asset.version, which is missing"
    );
    assert_eq!(
        changed(|json| json["extensionsRequired"] = json!(["KHR_draco_mesh_compression"])),
        "glTF: the geometry is compressed (\"KHR_draco_mesh_compression\"): export without compression, or undo it, for example with gltf-transform"
    );
    assert_eq!(
        changed(|json| json["extensionsRequired"] = json!(["EXT_meshopt_compression"])),
        "glTF: the geometry is compressed (\"EXT_meshopt_compression\"): export without compression, or undo it, for example with gltf-transform"
    );
    assert_eq!(
        changed(|json| json["extensionsRequired"] = json!(["ACME_shape"])),
        "glTF: the file requires the extension \"ACME_shape\": export without it"
    );
    assert!(
        changed(|json| {
            json["meshes"][0]["primitives"][0]["extensions"] =
                json!({"KHR_draco_mesh_compression": {}});
            json["accessors"][0]
                .as_object_mut()
                .unwrap()
                .remove("bufferView");
        })
        .contains("compressed (\"KHR_draco_mesh_compression\")")
    );
    assert!(
        changed(|json| {
            json["buffers"]
                .as_array_mut()
                .unwrap()
                .push(json!({"byteLength": 36, "extensions": {"EXT_meshopt_compression": {"fallback": true}}}));
            json["bufferViews"][0]["buffer"] = json!(1);
        })
        .starts_with("glTF: buffers[1] is compressed (meshopt)")
    );
}

#[test]
fn companions() {
    let (gltf, bin) = (sample("picture.gltf"), sample("picture.bin"));
    assert!(matches!(
        try_read(&[("picture.gltf", &gltf)]).unwrap_err(),
        ImportError::MissingCompanion { .. }
    ));
    assert_eq!(
        message(&[("picture.gltf", &gltf), ("checker.png", b"\x89PNG")]),
        "glTF: picture.gltf needs \"picture.bin\" (buffers[0].uri) beside it"
    );
    assert_eq!(
        message(&[
            ("picture.gltf", &gltf),
            ("picture.bin", &bin[..100]),
            ("checker.png", b"\x89PNG")
        ]),
        "glTF: buffers[0] has 140 bytes as it says, but 100 were found: it is cut short"
    );
    let base64 = |text: &str| {
        changed(|json| json["buffers"][0]["uri"] = json!(format!("data:;base64,{text}")))
    };
    assert_eq!(
        base64("AA*A"),
        "glTF: buffers[0].uri: character 2 of the base64 text is no digit of it"
    );
    assert_eq!(
        base64("AAAAA"),
        "glTF: buffers[0].uri: the base64 text ends in the middle of a byte"
    );
    assert_eq!(
        base64("AAAA"),
        "glTF: buffers[0] has 42 bytes as it says, but 3 were found: it is cut short"
    );
    assert_eq!(
        changed(|json| json["buffers"][0]["uri"] = json!("data:nothing")),
        "glTF: buffers[0].uri: a data: address without a comma"
    );
    let without_bin = glb(Gltf::triangle().json.to_string().as_bytes(), None);
    assert_eq!(
        message(&[("x.glb", &without_bin)]),
        "glTF: buffers[0] has no uri, and the file no binary chunk for it"
    );
}

#[test]
fn nodes() {
    assert_eq!(
        changed(|json| json["nodes"] = json!([{"children": [1]}, {"children": [0]}])),
        "glTF: nodes[0] is met twice: the nodes are no tree"
    );
    assert_eq!(
        changed(|json| {
            json["nodes"] = json!([{"mesh": 0}, {"children": [2]}, {"children": [1]}]);
            json.as_object_mut().unwrap().remove("scene");
            json.as_object_mut().unwrap().remove("scenes");
        }),
        "glTF: nodes[1] is its own ancestor"
    );
    assert_eq!(
        changed(|json| json["nodes"] = json!([{"children": [1, 1]}, {"mesh": 0}])),
        "glTF: nodes[1] is met twice: the nodes are no tree"
    );
    assert_eq!(
        changed(|json| json["scenes"][0]["nodes"] = json!([7])),
        "glTF: nodes[7] is referred to, but there are 1"
    );
    assert_eq!(
        changed(|json| json["scene"] = json!(3)),
        "glTF: scenes[3] is referred to, but there are 1"
    );
    assert_eq!(
        changed(|json| json["nodes"][0]["mesh"] = json!(-1)),
        "glTF: expected a whole number from 0 on as nodes[0].mesh, found -1"
    );
    assert_eq!(
        changed(|json| json["nodes"][0]["matrix"] = json!([1, 2])),
        "glTF: expected 16 numbers as nodes[0].matrix, found an array of 2"
    );
    assert_eq!(
        changed(|json| json["nodes"][0]["scale"] = json!([1, "a", 1])),
        "glTF: expected 3 numbers as nodes[0].scale, found \"a\""
    );
    assert_eq!(
        changed(|json| json["nodes"][0]["rotation"] = json!([0, 0, 0, 0])),
        "glTF: expected a unit quaternion as nodes[0].rotation, found one of length 0"
    );
    assert_eq!(
        changed(|json| json["nodes"][0]["scale"] = json!([1e39, 1, 1])),
        "glTF: vertex 1 of the surface has a coordinate that is not finite"
    );
    assert_eq!(
        changed(|json| json["nodes"] = json!([{}])),
        "glTF: no tetrahedra: 1 node and 1 mesh in the file, but no triangle in its scene (0 primitives of lines or points)"
    );
    assert_eq!(
        changed(|json| json["nodes"] = json!({})),
        "glTF: expected an array as nodes, found an object"
    );
}

#[test]
fn accessors() {
    let accessor =
        |key: &'static str, value: Value| changed(move |json| json["accessors"][0][key] = value);
    assert_eq!(
        accessor("count", json!(4)),
        "glTF: accessors[0]: 4 elements of 12 bytes, 12 apart from byte 0 on, do not fit its view of 36 bytes"
    );
    assert_eq!(
        accessor("byteOffset", json!(u64::MAX)),
        "glTF: accessors[0]: 3 elements of 12 bytes, 12 apart from byte 18446744073709551615 on, do not fit its view of 36 bytes"
    );
    assert_eq!(
        accessor("count", json!(0)),
        "glTF: expected at least 1 as accessors[0].count, found 0"
    );
    assert_eq!(
        accessor("componentType", json!(5124)),
        "glTF: expected 5120 to 5123, 5125 or 5126 as accessors[0].componentType, found 5124"
    );
    assert_eq!(
        accessor("type", json!("VEC5")),
        "glTF: expected SCALAR, VEC2 to VEC4 or MAT2 to MAT4 as accessors[0].type, found \"VEC5\""
    );
    assert_eq!(
        accessor("type", json!("VEC2")),
        "glTF: meshes[0].primitives[0].attributes.POSITION has elements of 2 components, expected 3"
    );
    assert_eq!(
        accessor("normalized", json!(1)),
        "glTF: expected true or false as accessors[0].normalized, found 1"
    );
    assert_eq!(
        accessor("bufferView", json!(9)),
        "glTF: bufferViews[9] is referred to, but there are 2"
    );
    assert_eq!(
        changed(|json| json["bufferViews"][0]["byteStride"] = json!(8)),
        "glTF: accessors[0]: elements of 12 bytes are 8 bytes apart"
    );
    assert_eq!(
        changed(|json| json["bufferViews"][0]["byteLength"] = json!(100)),
        "glTF: bufferViews[0] is 100 bytes from byte 0 on, but the buffer has 44"
    );
    assert_eq!(
        changed(|json| json["bufferViews"][0]["byteOffset"] = json!(u64::MAX)),
        "glTF: bufferViews[0] is 36 bytes from byte 18446744073709551615 on, but the buffer has 44"
    );
    let huge = changed(|json| {
        json["accessors"][0] =
            json!({"componentType": 5126, "type": "VEC3", "count": 4_000_000_000u32});
    });
    assert_eq!(
        huge,
        "glTF: accessors[0] has no bufferView, and 4000000000 elements are more than a file of this size has use for"
    );
    let sparse = |indices: [u8; 2], count: u32| {
        let mut gltf = Gltf::triangle();
        let view = gltf.view(&indices);
        gltf.json["accessors"][0]["sparse"] = json!({
            "count": count,
            "indices": {"bufferView": view, "componentType": 5121},
            "values": {"bufferView": 0},
        });
        gltf.message()
    };
    assert_eq!(
        sparse([2, 1], 2),
        "glTF: accessors[0].sparse.indices: entry 1 is 1, expected rising numbers below 3"
    );
    assert_eq!(
        sparse([1, 3], 2),
        "glTF: accessors[0].sparse.indices: entry 1 is 3, expected rising numbers below 3"
    );
    assert_eq!(
        sparse([1, 2], 4),
        "glTF: expected 1 to 3 as accessors[0].sparse.count, found 4"
    );
}

#[test]
fn primitives() {
    let mut gltf = Gltf::triangle();
    gltf.indices(&[0, 1, 3]);
    assert_eq!(
        gltf.message(),
        "glTF: meshes[0].primitives[0].indices: entry 2 refers to vertex 3, but accessors[0] has 3"
    );
    let primitive = |key: &'static str, value: Value| {
        changed(move |json| json["meshes"][0]["primitives"][0][key] = value)
    };
    assert_eq!(
        primitive("mode", json!(7)),
        "glTF: expected 0 to 6 as meshes[0].primitives[0].mode, found 7"
    );
    assert_eq!(
        primitive("indices", json!(0)),
        "glTF: expected unsigned whole numbers in accessors[0] for meshes[0].primitives[0].indices"
    );
    assert_eq!(
        primitive("attributes", json!([])),
        "glTF: expected an object as meshes[0].primitives[0].attributes, found an array of 0"
    );
    assert_eq!(
        primitive("material", json!(0)),
        "glTF: materials[0] is referred to, but there are 0"
    );
    assert_eq!(
        changed(|json| json["meshes"][0]["primitives"] = json!([{}])),
        "glTF: expected meshes[0].primitives[0].attributes, which is missing"
    );
    let mut gltf = Gltf::triangle();
    gltf.attribute("NORMAL", "VEC3", &[0.0, 0.0, 1.0]);
    assert_eq!(
        gltf.message(),
        "glTF: meshes[0].primitives[0].attributes.NORMAL has 1 elements, but there are 3 positions"
    );
}

#[test]
fn materials() {
    let material = |material: Value| {
        changed(move |json| {
            json["materials"] = json!([material]);
            json["textures"] = json!([{"source": 0}]);
            json["images"] = json!([{}]);
            json["meshes"][0]["primitives"][0]["material"] = json!(0);
        })
    };
    let textured =
        |info: Value| material(json!({"pbrMetallicRoughness": {"baseColorTexture": info}}));
    assert_eq!(
        textured(json!({"index": 0})),
        "glTF: expected images[0].uri, which is missing"
    );
    assert_eq!(
        textured(json!({"index": 4})),
        "glTF: textures[4] is referred to, but there are 1"
    );
    assert_eq!(
        textured(json!({})),
        "glTF: expected materials[0].pbrMetallicRoughness.baseColorTexture.index, which is missing"
    );
    assert_eq!(
        material(json!({"pbrMetallicRoughness": {"baseColorFactor": [1, 1, 1]}})),
        "glTF: expected 4 numbers as materials[0].pbrMetallicRoughness.baseColorFactor, found an array of 3"
    );
    assert_eq!(
        material(json!({"alphaMode": 2})),
        "glTF: expected a string as materials[0].alphaMode, found 2"
    );
}

#[test]
fn repeated_instances_have_a_bound() {
    let mut gltf = Gltf::triangle();
    gltf.indices(&[0; 3000]);
    let nodes: Vec<Value> = (0..3000).map(|_| json!({"mesh": 0})).collect();
    gltf.json["scenes"][0]["nodes"] = json!((0..nodes.len()).collect::<Vec<_>>());
    gltf.json["nodes"] = json!(nodes);
    let message = gltf.message();
    assert!(
        message.starts_with("glTF: the scene repeats its meshes into more than 10"),
        "{message}"
    );
}
