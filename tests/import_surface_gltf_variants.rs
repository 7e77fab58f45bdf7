//! glTF and GLB files that are unusual but can be read: what programs write that the specification does not foresee.
#![cfg(all(feature = "mesh-tools", not(target_arch = "wasm32")))]

mod import_surface_support;

use import_surface_support::{Gltf, glb, message, read_ok};
use serde_json::json;

#[test]
fn zeros_behind_the_json_are_padding() {
    let model = Gltf::triangle();
    let padded = |padding: &[u8]| {
        let text = [model.json.to_string().as_bytes(), padding].concat();
        glb(&text, Some(&model.bin))
    };
    assert_eq!(
        read_ok(&[("x.glb", &padded(b" \0\0\0\0\0\0\0"))]).surface,
        model.read().surface
    );
    assert!(
        message(&[("x.glb", &padded(b"\0}"))])
            .ends_with("the JSON is damaged: trailing characters")
    );
}

#[test]
fn extensions_that_move_no_vertex_may_be_required() {
    let plain = Gltf::triangle().read();
    for extension in [
        "KHR_animation_pointer",
        "KHR_audio_emitter",
        "KHR_xmp_json_ld",
        "GODOT_single_root",
    ] {
        let mut gltf = Gltf::triangle();
        gltf.json["extensionsRequired"] = json!([extension]);
        assert_eq!(gltf.read().surface, plain.surface, "{extension}");
    }
}
