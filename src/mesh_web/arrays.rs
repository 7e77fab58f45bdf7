//! Surfaces, meshes and reports as JavaScript sees them: typed arrays that nobody else holds, and plain objects.

use js_sys::{Array, Float32Array, Object, Reflect, Uint8Array, Uint32Array};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::error::SurfaceError;
use crate::surface::{SurfaceImage, SurfaceLook, SurfaceMesh, SurfacePart};

/// Sets a property of an object made here, which takes any.
pub fn set(object: &Object, key: &str, value: impl Into<JsValue>) {
    // Only a frozen object or a proxy refuses: ours is neither.
    let _ = Reflect::set(object, &JsValue::from_str(key), &value.into());
}

/// The property, `undefined` where there is none; the object came out of a structured clone and has no getters.
pub fn get(object: &JsValue, key: &str) -> JsValue {
    Reflect::get(object, &JsValue::from_str(key)).unwrap_or(JsValue::UNDEFINED)
}

/// Plain objects with camelCase keys.
pub fn to_object<T: Serialize>(value: &T) -> JsValue {
    value
        .serialize(&serde_wasm_bindgen::Serializer::json_compatible())
        .unwrap_or_else(|error| error.into())
}

/// A `Float32Array` of its own.
pub fn floats<const N: usize>(rows: &[[f32; N]]) -> Float32Array {
    Float32Array::from(rows.as_flattened())
}

/// A `Uint32Array` of its own.
pub fn indices<const N: usize>(rows: &[[u32; N]]) -> Uint32Array {
    Uint32Array::from(rows.as_flattened())
}

/// A surface as `SurfaceSource` of `js/mesh.d.ts`, save that images may still be encoded: `{ mime, data }`.
pub fn surface_object(surface: &SurfaceMesh) -> Object {
    let object = Object::new();
    let look = surface.look();
    set(&object, "positions", floats(surface.positions()));
    set(&object, "triangles", indices(surface.triangles()));
    if !look.normals.is_empty() {
        set(&object, "normals", floats(&look.normals));
    }
    if !look.uvs.is_empty() {
        set(&object, "uvs", floats(&look.uvs));
    }
    if !look.colors.is_empty() {
        set(&object, "colors", floats(&look.colors));
    }
    if !look.parts.is_empty() {
        let parts: Array = look.parts.iter().map(part_object).collect();
        set(&object, "parts", parts);
    }
    if !look.images.is_empty() {
        let images: Array = look.images.iter().map(image_object).collect();
        set(&object, "images", images);
    }
    object
}

fn part_object(part: &SurfacePart) -> Object {
    let object = Object::new();
    let color: Array = part.color.iter().map(|&x| JsValue::from(x)).collect();
    set(&object, "triangles", part.triangles);
    set(&object, "color", color);
    if let Some(image) = part.image {
        set(&object, "image", image);
    }
    object
}

fn image_object(image: &SurfaceImage) -> Object {
    let object = Object::new();
    match image {
        SurfaceImage::Encoded { mime, bytes } => {
            set(&object, "mime", mime.as_str());
            set(&object, "data", Uint8Array::from(bytes.as_slice()));
        }
        SurfaceImage::Rgba {
            width,
            height,
            texels,
        } => {
            set(&object, "width", *width);
            set(&object, "height", *height);
            set(&object, "data", Uint8Array::from(texels.as_slice()));
        }
    }
    object
}

/// The surface of an object `{ positions, triangles }` whose arrays have whole rows. How it looks stays in JavaScript.
pub fn read_surface(value: &JsValue) -> Result<SurfaceMesh, SurfaceError> {
    let positions = Float32Array::new(&get(value, "positions")).to_vec();
    let triangles = Uint32Array::new(&get(value, "triangles")).to_vec();
    SurfaceMesh::new(
        positions.as_chunks().0.to_vec(),
        triangles.as_chunks().0.to_vec(),
        SurfaceLook::default(),
    )
}
