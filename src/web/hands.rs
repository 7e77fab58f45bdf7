//! Hands in the exported class: pins, impulses, picking and grabbing.

use super::{SoftBody, future_to_promise, grab, host, only_body, options, reader, to_object};
use js_sys::Promise;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl SoftBody {
    /// Holds vertices where they are now, or moves them to targets in the next frame.
    #[wasm_bindgen(skip_typescript)]
    pub fn pin(&self, vertices: JsValue, body: JsValue, targets: JsValue) -> Result<(), JsValue> {
        only_body(&body)?;
        let vertices = options::vertices(&vertices, "vertices")?;
        let targets = options::targets(&targets, vertices.len())?;
        self.shared
            .with(|session| session.pin(&vertices, targets.as_deref()))
    }

    /// Adds a velocity to the whole body, or to a part of it.
    #[wasm_bindgen(skip_typescript)]
    pub fn impulse(&self, velocity: JsValue, body: JsValue, at: JsValue) -> Result<(), JsValue> {
        only_body(&body)?;
        let velocity = reader::vector::<3>(&velocity, "velocity")?;
        let at = options::region(&at)?;
        self.shared.with(|session| session.impulse(velocity, at))
    }

    /// Lets vertices go, all of them if none are named.
    #[wasm_bindgen(skip_typescript)]
    pub fn unpin(&self, vertices: JsValue, body: JsValue) -> Result<(), JsValue> {
        only_body(&body)?;
        let vertices = match vertices.is_undefined() {
            true => None,
            false => Some(options::vertices(&vertices, "vertices")?),
        };
        self.shared
            .with(|session| session.unpin(vertices.as_deref()))
    }

    /// The first point of the body under a point of the canvas in CSS pixels, or null.
    #[wasm_bindgen(skip_typescript)]
    pub fn pick(&self, x: f64, y: f64) -> Result<Promise, JsValue> {
        let read = self.shared.pick(x, y, 0.0)?;
        let shared = Rc::clone(&self.shared);
        Ok(future_to_promise(async move {
            let hit = read.await;
            shared.with(|_| Ok(()))?;
            match hit.map_err(|error| host::error("device-lost", &error.to_string()))? {
                None => Ok(JsValue::NULL),
                Some(hit) => to_object(&hit),
            }
        }))
    }

    /// Takes hold of what is under a point of the canvas. Resolves to whether there was anything.
    #[wasm_bindgen(skip_typescript)]
    pub fn grab(&self, x: f64, y: f64, options: JsValue) -> Result<Promise, JsValue> {
        let (pointer, options) = grab::options(&options)?;
        let grabbing = self.shared.grab((x, y), 0.0, pointer, options)?;
        Ok(future_to_promise(async move {
            Ok((grabbing.await? == Some(true)).into())
        }))
    }

    /// Moves a pointer that holds something.
    #[wasm_bindgen(skip_typescript)]
    pub fn drag(&self, x: f64, y: f64, pointer: JsValue) -> Result<(), JsValue> {
        self.shared.drag(x, y, grab::pointer_or_none(&pointer)?)
    }

    /// Lets a pointer go, or all of them.
    #[wasm_bindgen(skip_typescript)]
    pub fn release(&self, pointer: JsValue) -> Result<(), JsValue> {
        self.shared.release(grab::pointer(&pointer)?)
    }
}
