//! glTF and GLB files that are unusual but can be read: what programs write that the specification does not foresee.
#![cfg(all(feature = "mesh-tools", not(target_arch = "wasm32")))]

mod import_surface_support;

use import_surface_support::{Gltf, glb, message, read_ok};

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
