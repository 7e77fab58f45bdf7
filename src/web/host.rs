//! The JavaScript side: host modules in `js/` that the class leans on.
//!
//! Three files, not five: wasm-bindgen's test runner serves with four threads that Chromium's kept-alive connections
//! hold on to, and a fifth module asked for at the same time is never sent (half of all runs hung).

use js_sys::{Function, Promise};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/js/report.js")]
extern "C" {
    /// The package's one error class.
    pub type SoftBodyError;
    #[wasm_bindgen(constructor)]
    pub fn new(code: &str, message: &str) -> SoftBodyError;
}

#[wasm_bindgen(module = "/js/source.js")]
extern "C" {
    /// Resolves to one `Uint8Array` per source, in order.
    #[wasm_bindgen(js_name = readAll)]
    pub fn read_all(
        sources: &js_sys::Array,
        labels: &js_sys::Array,
        signal: &JsValue,
        on_progress: &JsValue,
    ) -> Promise;
}

#[wasm_bindgen(module = "/js/source.js")]
extern "C" {
    /// Resolves to the sections of the body, prepared in a worker; to `undefined` where there is none or the body is no
    /// longer `wanted`.
    #[wasm_bindgen(js_name = prepareElsewhere)]
    pub fn prepare_elsewhere(
        module: &JsValue,
        positions: &js_sys::Uint8Array,
        tets: &js_sys::Uint8Array,
        options: &JsValue,
        surface: &js_sys::Array,
        floor: f64,
        settings: f64,
        signal: &JsValue,
        wanted: &Function,
        on_prepare: &JsValue,
    ) -> Promise;
    /// Calls `onPrepare`, where there is one; what it throws is reported.
    pub fn tell(on_prepare: &JsValue, fraction: f64);
    /// Resolves after a turn of the event loop.
    pub fn turn() -> Promise;
}

#[wasm_bindgen(module = "/js/report.js")]
extern "C" {
    /// Listeners by event name.
    pub type Emitter;
    #[wasm_bindgen(constructor)]
    pub fn new() -> Emitter;
    #[wasm_bindgen(method, catch)]
    pub fn on(this: &Emitter, event: &JsValue, listener: &JsValue) -> Result<Function, JsValue>;
    #[wasm_bindgen(method)]
    pub fn emit(this: &Emitter, event: &str, data: &JsValue);
    #[wasm_bindgen(method)]
    pub fn clear(this: &Emitter);
}

#[wasm_bindgen(module = "/js/view.js")]
extern "C" {
    /// Frame loop, resize observation and pointer input of a canvas.
    pub type View;
    #[wasm_bindgen(constructor)]
    pub fn new(canvas: &JsValue, handlers: &JsValue) -> View;
    #[wasm_bindgen(method)]
    pub fn start(this: &View);
    #[wasm_bindgen(method)]
    pub fn stop(this: &View);
    #[wasm_bindgen(method, js_name = setAutoResize)]
    pub fn set_auto_resize(this: &View, on: bool);
    #[wasm_bindgen(method, js_name = setInteractive)]
    pub fn set_interactive(this: &View, on: bool);
    #[wasm_bindgen(method)]
    pub fn dispose(this: &View);
}

#[wasm_bindgen(module = "/js/view.js")]
extern "C" {
    /// Reports uncaptured errors and the loss of a raw device.
    #[wasm_bindgen(js_name = watchDevice)]
    pub fn watch_device(device: &JsValue, on_error: &Function, on_lost: &Function);
    /// Milliseconds of a clock that never goes back.
    pub fn milliseconds() -> f64;
    /// Takes the WebGPU configuration off a canvas, which stays usable.
    #[wasm_bindgen(js_name = unconfigureCanvas)]
    pub fn unconfigure_canvas(canvas: &JsValue);
}

/// An error of the package as a thrown value.
pub fn error(code: &str, message: &str) -> JsValue {
    SoftBodyError::new(code, message).into()
}
