//! The `surface` option, as `js/surface.js` packs it: a list of typed arrays whose kinds and lengths are checked there.

use super::host;
use crate::surface::{SurfaceImage, SurfaceLook, SurfaceMesh, SurfacePart};
use js_sys::{Array, Promise, Uint8Array, Uint32Array};
use std::sync::Arc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// The packed surface in the options of a body, once it is there: `index.js` puts a promise where a file was given.
pub async fn packed(value: Option<JsValue>) -> Result<Option<Array>, JsValue> {
    let Some(value) = value else { return Ok(None) };
    let packed = JsFuture::from(Promise::resolve(&value)).await?;
    Ok(Some(packed.unchecked_into()))
}

/// The surface in a packed one.
pub fn unpacked(packed: Option<&Array>) -> Result<Option<Arc<SurfaceMesh>>, JsValue> {
    let Some(packed) = packed else {
        return Ok(None);
    };
    surface(packed)
        .map(|surface| Some(Arc::new(surface)))
        .map_err(|error| host::error("invalid-mesh", &error.to_string()))
}

/// The order of the list is that of `PackedSurface` in `js/surface.js`; its floats come as their bits.
fn surface(list: &Array) -> Result<SurfaceMesh, crate::error::SurfaceError> {
    let vectors = |index| bytemuck::cast_vec(rows::<3>(list, index));
    let quads = |index| bytemuck::cast_vec(rows::<4>(list, index));
    let mut look = SurfaceLook {
        normals: vectors(1),
        uvs: bytemuck::cast_vec(rows::<2>(list, 2)),
        colors: quads(3),
        ..SurfaceLook::default()
    };
    for ([triangles, image], color) in rows(list, 5).into_iter().zip(quads(6)) {
        look.parts.push(SurfacePart {
            triangles,
            color,
            image: image.checked_sub(1),
        });
    }
    for (index, [width, height]) in (8..).zip(rows(list, 7)) {
        look.images.push(SurfaceImage::Rgba {
            width,
            height,
            texels: list.get(index).unchecked_into::<Uint8Array>().to_vec(),
        });
    }
    SurfaceMesh::new(vectors(0), rows(list, 4), look)
}

/// The numbers of an entry in rows of N; `surface.js` has refused any rest.
#[inline(never)]
fn rows<const N: usize>(list: &Array, index: u32) -> Vec<[u32; N]> {
    let numbers: Uint32Array = list.get(index).unchecked_into();
    let mut rows = vec![[0; N]; numbers.length() as usize / N];
    numbers.copy_to(rows.as_flattened_mut());
    rows
}
