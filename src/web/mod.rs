//! The exported JavaScript class. No logic of its own: options in, façade calls, errors out.
//!
//! Async members clone handles and hold no borrow across an await; nothing calls into JavaScript while borrowed, so a
//! listener may call any member.

mod cloth;
mod grab;
mod hands;
mod host;
mod object;
mod options;
mod pick;
mod prepare;
mod reader;
mod session;
mod shared;
mod surface;

use crate::simulation::BodyOptions;
use js_sys::{Array, Float32Array, Function, Promise, Uint8Array};
use prepare::Request;
use reader::Reader;
use serde::Serialize;
use session::{ReadBack, Session};
use shared::Shared;
use std::pin::Pin;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// A soft body on a canvas. Made by `SoftBody.create`; see `js/index.d.ts` for the contract.
#[wasm_bindgen(skip_typescript)]
pub struct SoftBody {
    shared: Rc<Shared>,
}

/// Boxed, because the code of a promise exists once per type of future.
fn future_to_promise(work: impl Future<Output = Result<JsValue, JsValue>> + 'static) -> Promise {
    let work: Pin<Box<dyn Future<Output = Result<JsValue, JsValue>>>> = Box::pin(work);
    wasm_bindgen_futures::future_to_promise(work)
}

/// Plain objects with camelCase keys, as JavaScript expects them.
fn to_object<T: Serialize>(value: &T) -> Result<JsValue, JsValue> {
    value
        .serialize(object::ToJs)
        .map_err(|error| host::error("internal", &error.to_string()))
}

/// Begins to download or copies the two files of a mesh.
fn read_sources(sources: [JsValue; 2], signal: &JsValue, on_progress: &JsValue) -> Promise {
    let labels = Array::of2(&"mesh.positions".into(), &"mesh.tets".into());
    let [positions, tets] = sources;
    host::read_all(&Array::of2(&positions, &tets), &labels, signal, on_progress)
}

#[wasm_bindgen]
impl SoftBody {
    /// Attaches to a canvas and loads the first body. Resolves to a `SoftBody`.
    #[wasm_bindgen(skip_typescript)]
    pub fn create(canvas: JsValue, options: JsValue) -> Promise {
        future_to_promise(async move {
            session::check_canvas(&canvas)?;
            let reader = Reader::new(&options, "options", "an object of options")?;
            let cloth = reader.get("cloth")?;
            let (body, sheet) = match &cloth {
                None => (options::body(&reader, options::create_names())?, None),
                Some(_) => {
                    let sheet = cloth::cloth_options(&reader, options::create_names())?;
                    (BodyOptions::default(), Some(sheet))
                }
            };
            let mut request = Request::new(&reader, &options, body, "create")?;
            let looks =
                options::appearance(&reader.get("appearance")?.unwrap_or(JsValue::UNDEFINED))?;
            let view = options::camera(&reader.get("camera")?.unwrap_or(JsValue::UNDEFINED))?;
            let environment = options::environment(&reader)?;
            let settings = options::solver(&reader, Default::default())?;
            let auto_resize = reader.boolean("autoResize")?.unwrap_or(true);
            let interactive = reader.boolean("interactive")?.unwrap_or(true);
            let on_progress = reader.get("onProgress")?.unwrap_or(JsValue::UNDEFINED);
            let air = match reader.get("wind")? {
                None => None,
                Some(value) => Some(cloth::wind(&value, Default::default())?),
            };
            let sheet = match (cloth, sheet) {
                (Some(value), Some(sheet)) => {
                    let source = cloth::Source::new(&value, &request.signal, &on_progress)?;
                    Some((source.mesh().await?, sheet))
                }
                _ => None,
            };
            let files: Option<Array> = match reader.get("mesh")? {
                None => None,
                Some(mesh) if sheet.is_some() => {
                    let expected = "left out where cloth is given: a scene holds one body";
                    return Err(reader::invalid("mesh", &mesh, expected));
                }
                Some(sources) => {
                    let sources = options::mesh_sources(&sources)?;
                    let bytes = read_sources(sources, &request.signal, &on_progress);
                    Some(JsFuture::from(bytes).await?.unchecked_into())
                }
            };
            let mut session = Session::open(&canvas, environment, settings).await?;
            session.apply_appearance(&looks);
            let blown = match air {
                None => Ok(()),
                Some(air) => {
                    let set = session.simulation.set_wind(air);
                    set.map_err(session::simulation_error)
                }
            };
            let loaded = match (files, sheet) {
                (_, Some((mesh, options))) => session.load_cloth(mesh, &options).map(drop),
                (Some(files), None) => {
                    let gpu = session.simulation.gpu().clone();
                    let body =
                        request.upload(&files, &gpu, &environment, &settings, Rc::new(|| Ok(())));
                    body.await.and_then(|body| session.adopt(body)).map(drop)
                }
                (None, None) => request.check(),
            };
            // A failed creation leaves nothing behind.
            let ready = blown
                .and(loaded)
                .and_then(|()| session.apply_camera(&view))
                .and_then(|()| session.render());
            if let Err(error) = ready {
                session.close();
                host::unconfigure_canvas(&canvas);
                return Err(error);
            }
            request.tell(1.0);
            let shared = Shared::new(canvas, session, auto_resize, interactive);
            Ok(Self { shared }.into())
        })
    }

    /// Replaces the body; a failed load leaves the running one alone. Resolves to its report.
    #[wasm_bindgen(skip_typescript)]
    pub fn load(&self, mesh: JsValue, body_options: JsValue) -> Result<Promise, JsValue> {
        // Options are read and arrays copied before this returns: the caller may change them at once.
        let shared = Rc::clone(&self.shared);
        shared.with(|_| Ok(()))?;
        let reader = Reader::new(&body_options, "options", "an object of options")?;
        let names = ["camera", "signal", "onProgress", "onPrepare"];
        let body = options::body(&reader, &names)?;
        let mut request = Request::new(&reader, &body_options, body, "load")?;
        let looks = options::appearance(&reader.get("appearance")?.unwrap_or(JsValue::UNDEFINED))?;
        let view = match reader.get("camera")? {
            None => None,
            Some(value) => Some(options::camera(&value)?),
        };
        let on_progress = reader.get("onProgress")?.unwrap_or(JsValue::UNDEFINED);
        let sources = options::mesh_sources(&mesh)?;
        let bytes = read_sources(sources, &request.signal, &on_progress);
        let number = shared.begin_load();
        Ok(future_to_promise(async move {
            let files: Array = JsFuture::from(bytes).await?.unchecked_into();
            let (gpu, environment, settings) = shared.with(|session| {
                let simulation = &session.simulation;
                let gpu = simulation.gpu().clone();
                Ok((gpu, simulation.environment(), simulation.settings()))
            })?;
            let loading = Rc::clone(&shared);
            let wanted = Rc::new(move || {
                loading.with(|_| Ok(()))?;
                loading.check_load(number)
            });
            let body = request.upload(&files, &gpu, &environment, &settings, wanted);
            let body = body.await?;
            request.check()?;
            shared.check_load(number)?;
            let report = shared.with(|session| {
                // Refused before anything is replaced.
                if let Some(view) = &view {
                    session.check_camera(view)?;
                }
                let report = session.adopt(body)?;
                session.apply_appearance(&looks);
                match &view {
                    Some(view) => session.apply_camera(view).map(|()| report),
                    None => Ok(report),
                }
            })?;
            shared.drop_hands();
            shared.show();
            request.tell(1.0);
            to_object(&report)
        }))
    }

    /// What loading found, with the mass at the present density.
    #[wasm_bindgen(skip_typescript)]
    pub fn report(&self, body: JsValue) -> Result<JsValue, JsValue> {
        only_body(&body)?;
        to_object(&self.shared.with(|session| session.report())?)
    }

    /// Puts the body back where it started.
    #[wasm_bindgen(skip_typescript)]
    pub fn reset(&self) -> Result<(), JsValue> {
        self.shared.with(|session| session.reset())?;
        self.shared.drop_hands();
        self.redraw()
    }

    /// Follows real time from now on.
    #[wasm_bindgen(skip_typescript)]
    pub fn start(&self) -> Result<(), JsValue> {
        self.shared.start()
    }

    /// Stops following real time.
    #[wasm_bindgen(skip_typescript)]
    pub fn stop(&self) -> Result<(), JsValue> {
        self.shared.stop()
    }

    /// Whether the frame loop runs.
    #[wasm_bindgen(getter, skip_typescript)]
    pub fn running(&self) -> bool {
        self.shared.running()
    }

    /// Simulates `seconds` (1/60 if left out) at once.
    #[wasm_bindgen(skip_typescript)]
    pub fn step(&self, seconds: JsValue) -> Result<(), JsValue> {
        let seconds = match (seconds.is_undefined(), seconds.as_f64()) {
            (true, _) => crate::solver::FrameClock::FRAME_SECONDS,
            (_, Some(seconds)) => seconds,
            _ => {
                return Err(host::error(
                    "invalid-option",
                    "seconds must be a number from 1e-9 to 60",
                ));
            }
        };
        self.shared.with(|session| session.step(seconds))
    }

    /// Draws the present state.
    #[wasm_bindgen(skip_typescript)]
    pub fn render(&self) -> Result<(), JsValue> {
        self.shared.render()
    }

    /// Sets the canvas size in device pixels.
    #[wasm_bindgen(skip_typescript)]
    pub fn resize(&self, width: f64, height: f64) -> Result<(), JsValue> {
        self.shared.resize(width, height)
    }

    /// Resolves when the GPU has done all submitted work.
    #[wasm_bindgen(skip_typescript)]
    pub fn settled(&self) -> Promise {
        let shared = Rc::clone(&self.shared);
        future_to_promise(async move {
            let receiver = shared.with(|session| Ok(session.work_done()))?;
            receiver.await.map_err(|_| {
                host::error(
                    "device-lost",
                    "the device went away before its work was done",
                )
            })?;
            Ok(JsValue::UNDEFINED)
        })
    }

    /// Changes the material at once: a preset name, or numbers of which those left out keep their value.
    #[wasm_bindgen(js_name = setMaterial, skip_typescript)]
    pub fn set_material(&self, material: JsValue, body: JsValue) -> Result<(), JsValue> {
        only_body(&body)?;
        let sheet = self
            .shared
            .with(|session| Ok(session.simulation.cloth_material()))?;
        if let Some(base) = sheet {
            let material = cloth::material(Some(&material), base)?;
            return self.shared.with(|session| {
                let set = session.simulation.set_cloth_material(material);
                set.map_err(session::simulation_error)
            });
        }
        let base = self.shared.with(|session| session.material())?;
        let material = options::material(Some(&material), base)?;
        self.shared.with(|session| session.set_material(material))
    }

    /// Changes gravity at once, m/s².
    #[wasm_bindgen(js_name = setGravity, skip_typescript)]
    pub fn set_gravity(&self, gravity: JsValue) -> Result<(), JsValue> {
        let gravity = reader::vector::<3>(&gravity, "gravity")?;
        self.shared.with(|session| session.set_gravity(gravity))
    }

    /// Changes scheme, substeps and iterations at once.
    #[wasm_bindgen(js_name = setSolver, skip_typescript)]
    pub fn set_solver(&self, solver: JsValue) -> Result<(), JsValue> {
        let expected = "an object with scheme, substeps and iterations";
        let reader = Reader::new(&solver, "options", expected)?;
        reader.only(&["scheme", "substeps", "iterations"])?;
        let base = self.shared.with(|session| Ok(session.settings()))?;
        let settings = options::solver(&reader, base)?;
        self.shared.with(|session| session.set_settings(settings))
    }

    /// Moves the camera; parts left out stay.
    #[wasm_bindgen(js_name = setCamera, skip_typescript)]
    pub fn set_camera(&self, camera: JsValue) -> Result<(), JsValue> {
        let camera = options::camera(&camera)?;
        self.shared.with(|session| session.apply_camera(&camera))?;
        self.redraw()
    }

    /// Changes colour, roughness, metallic, anisotropy, sheen and wireframe; parts left out stay.
    #[wasm_bindgen(js_name = setAppearance, skip_typescript)]
    pub fn set_appearance(&self, appearance: JsValue) -> Result<(), JsValue> {
        let looks = options::appearance(&appearance)?;
        self.shared.with(|session| {
            session.apply_appearance(&looks);
            Ok(())
        })?;
        self.redraw()
    }

    /// World positions, 3 per vertex in the order of the file.
    #[wasm_bindgen(js_name = readPositions, skip_typescript)]
    pub fn read_positions(&self, body: JsValue, out: JsValue) -> Result<Promise, JsValue> {
        self.read_back(&body, out, Session::read_positions)
    }

    /// Velocities, 3 per vertex in the order of the file.
    #[wasm_bindgen(js_name = readVelocities, skip_typescript)]
    pub fn read_velocities(&self, body: JsValue, out: JsValue) -> Result<Promise, JsValue> {
        self.read_back(&body, out, Session::read_velocities)
    }

    /// The body as it is now, as bytes. Takes the copy at once.
    #[wasm_bindgen(skip_typescript)]
    pub fn snapshot(&self) -> Result<Promise, JsValue> {
        let read = self.shared.with(|session| session.snapshot())?;
        let shared = Rc::clone(&self.shared);
        Ok(future_to_promise(async move {
            let bytes = read.await;
            shared.with(|_| Ok(()))?;
            let bytes = bytes.map_err(|error| host::error("device-lost", &error.to_string()))?;
            Ok(Uint8Array::from(&bytes[..]).into())
        }))
    }

    /// Takes the body back to a snapshot.
    #[wasm_bindgen(skip_typescript)]
    pub fn restore(&self, snapshot: JsValue) -> Result<(), JsValue> {
        let Some(bytes) = snapshot.dyn_ref::<Uint8Array>() else {
            let expected = "a Uint8Array that snapshot() gave";
            return Err(reader::invalid("snapshot", &snapshot, expected));
        };
        let bytes = bytes.to_vec();
        self.shared.with(|session| session.restore(&bytes))?;
        self.shared.drop_hands();
        self.redraw()
    }

    /// Calls `listener` on every `event`. Returns the function that ends it.
    #[wasm_bindgen(skip_typescript)]
    pub fn on(&self, event: JsValue, listener: JsValue) -> Result<Function, JsValue> {
        self.shared.with(|_| Ok(()))?;
        self.shared.emitter().on(&event, &listener)
    }

    /// Ends everything and frees the GPU. May be called again.
    #[wasm_bindgen(skip_typescript)]
    pub fn dispose(&self) {
        self.shared.dispose();
    }

    /// Takes the copy at once: what is submitted later does not show in it.
    fn read_back(
        &self,
        body: &JsValue,
        out: JsValue,
        read: fn(&Session) -> Result<ReadBack, JsValue>,
    ) -> Result<Promise, JsValue> {
        only_body(body)?;
        let read = self.shared.with(|session| read(session))?;
        let shared = Rc::clone(&self.shared);
        Ok(future_to_promise(async move {
            let vectors = read.await;
            // Whatever ended the reading, `disposed` says more.
            shared.with(|_| Ok(()))?;
            fill(
                &vectors.map_err(|error| host::error("device-lost", &error.to_string()))?,
                &out,
            )
        }))
    }

    fn redraw(&self) -> Result<(), JsValue> {
        self.shared.redraw()
    }
}

/// There is one body so far, number 0.
fn only_body(body: &JsValue) -> Result<(), JsValue> {
    match body.is_undefined() || body.as_f64() == Some(0.0) {
        true => Ok(()),
        false => Err(host::error(
            "invalid-option",
            "body must be left out or 0: there is one body",
        )),
    }
}

fn is_aborted(signal: &JsValue) -> bool {
    signal.is_object()
        && js_sys::Reflect::get(signal, &"aborted".into()).is_ok_and(|aborted| aborted.is_truthy())
}

/// Copies vectors into `out`, or into a new array where none is given.
fn fill(vectors: &[[f32; 3]], out: &JsValue) -> Result<JsValue, JsValue> {
    let numbers: &[f32] = bytemuck::cast_slice(vectors);
    if out.is_undefined() {
        return Ok(Float32Array::from(numbers).into());
    }
    match out.dyn_ref::<Float32Array>() {
        Some(array) if array.length() as usize == numbers.len() => {
            array.copy_from(numbers);
            Ok(out.clone())
        }
        _ => {
            let expected = format!(
                "out must be a Float32Array of {} numbers, 3 per vertex",
                numbers.len()
            );
            Err(host::error("invalid-option", &expected))
        }
    }
}
