//! From the files of a mesh to a body on the GPU: large ones are prepared in a worker, and no slice of the rest is long.

use super::session::simulation_error;
use super::{host, is_aborted, options, reader::Reader, surface};
use crate::gpu::{BodyBuffers, BodySize, Gpu, GpuError};
use crate::mesh::TetMesh;
use crate::settings::{Environment, Scheme, SolverSettings};
use crate::simulation::{BodyOptions, Prepared, Uploaded};
use js_sys::{Array, Function, Uint8Array, Uint32Array};
use std::cell::Cell;
use std::future::poll_fn;
use std::pin::pin;
use std::rc::Rc;
use std::task::Poll;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// Tets from which on a body is prepared in a worker: below, the worker starts no sooner than the body is ready.
const LARGE: u32 = 50_000;
/// Bytes of a tet in its file.
const TET_BYTES: u32 = 16;
/// Bytes of a vertex in its file.
const VERTEX_BYTES: u32 = 12;
/// How long the thread is used before others get a turn, ms.
const SLICE_MS: f64 = 8.0;
/// Words that are copied in one go: 4 MB.
const SLICE_WORDS: usize = 1 << 20;
/// The part of the worker's time that reading and checking the mesh takes.
const CHECKED: f64 = 0.12;
/// The part of the progress that the worker tells.
const PREPARED: f64 = 0.95;
/// The part with the worker's answer copied; uploading is the rest.
const COPIED: f64 = 0.97;

/// What a body is made of, from the options of `create` or `load`.
pub struct Request {
    pub body: BodyOptions,
    /// The surface as it was given, packed, or a promise of that.
    pub surface: Option<JsValue>,
    /// The options that `body` was read from: a worker reads them again.
    pub given: JsValue,
    pub signal: JsValue,
    on_prepare: JsValue,
    /// `load` or `create`, for messages.
    pub what: &'static str,
}

impl Request {
    /// Reads what both functions have; `body` is read from the same options.
    pub fn new(
        reader: &Reader,
        given: &JsValue,
        body: BodyOptions,
        what: &'static str,
    ) -> Result<Self, JsValue> {
        let on_prepare = reader.get("onPrepare")?.unwrap_or(JsValue::UNDEFINED);
        if !on_prepare.is_undefined() && !on_prepare.is_function() {
            return Err(super::reader::invalid(
                "onPrepare",
                &on_prepare,
                "a function",
            ));
        }
        Ok(Self {
            body,
            surface: reader.get("surface")?,
            given: given.clone(),
            signal: reader.get("signal")?.unwrap_or(JsValue::UNDEFINED),
            on_prepare,
            what,
        })
    }

    /// Tells how much is done.
    pub fn tell(&self, fraction: f64) {
        host::tell(&self.on_prepare, fraction);
    }

    /// Refuses to go on once the caller has changed its mind.
    pub fn check(&self) -> Result<(), JsValue> {
        match is_aborted(&self.signal) {
            false => Ok(()),
            true => Err(host::error("aborted", &format!("{}: aborted", self.what))),
        }
    }

    /// Prepares and uploads the body in the two files. `wanted` refuses to go on where the result has become useless; it
    /// must not call back into JavaScript.
    pub async fn upload(
        &mut self,
        files: &Array,
        gpu: &Gpu,
        environment: &Environment,
        settings: &SolverSettings,
        wanted: Rc<dyn Fn() -> Result<(), JsValue>>,
    ) -> Result<Uploaded, JsValue> {
        let file = |index| files.get(index).unchecked_into::<Uint8Array>();
        let (positions, tets) = (file(0), file(1));
        let packed = surface::packed(self.surface.take()).await?;
        self.body.surface = surface::unpacked(packed.as_ref())?;
        self.check()?;
        let mut received = None;
        if tets.length() >= LARGE * TET_BYTES {
            check_size(gpu, &positions, &tets).map_err(|error| simulation_error(error.into()))?;
            let still = Rc::clone(&wanted);
            let still = Closure::<dyn Fn() -> bool>::new(move || still().is_ok());
            let answer = JsFuture::from(host::prepare_elsewhere(
                &wasm_bindgen::module(),
                &positions,
                &tets,
                &self.given,
                packed.as_ref().unwrap_or(&Array::new()),
                environment.floor.unwrap_or(f64::NAN),
                settings_code(settings),
                &self.signal,
                still.as_ref().unchecked_ref(),
                &self.on_prepare,
            ))
            .await?;
            wanted()?;
            received = answer.dyn_into::<Array>().ok();
        }
        let pause = pauses();
        let prepared = match received {
            Some(lists) => {
                let prepared = copied(&lists, &*pause).await;
                self.tell(COPIED);
                prepared
            }
            None => {
                let mesh = mesh(&positions, &tets)?;
                Prepared::new(mesh, &self.body, environment, settings, &mut |_| ())
                    .map_err(simulation_error)?
            }
        };
        let surface = self.body.surface.clone();
        let mut upload = pin!(prepared.upload(gpu, surface.as_deref(), &*pause));
        poll_fn(|context| match self.check().and_then(|()| wanted()) {
            Err(error) => Poll::Ready(Err(error)),
            Ok(()) => upload.as_mut().poll(context).map_err(simulation_error),
        })
        .await
    }
}

/// The mesh in the two files, checked.
fn mesh(positions: &Uint8Array, tets: &Uint8Array) -> Result<TetMesh, JsValue> {
    TetMesh::from_bytes(&positions.to_vec(), &tets.to_vec())
        .map_err(|error| host::error("invalid-mesh", &error.to_string()))
}

/// Refuses what cannot fit before it is prepared. Mending only makes a mesh smaller, in patches of up to 256 tets.
fn check_size(gpu: &Gpu, positions: &Uint8Array, tets: &Uint8Array) -> Result<(), GpuError> {
    let tets = u64::from(tets.length() / TET_BYTES);
    let vertices = u64::from(positions.length() / VERTEX_BYTES);
    BodyBuffers::check(
        gpu,
        BodySize {
            tets,
            vertices,
            ..BodySize::default()
        },
    )
}

/// The settings that a prepared body depends on: −1 for XPBD, else the substeps, 0 where they are chosen.
fn settings_code(settings: &SolverSettings) -> f64 {
    match settings.scheme {
        Scheme::Xpbd => -1.0,
        Scheme::Explicit => f64::from(settings.substeps.unwrap_or(0)),
    }
}

/// Waits for a turn of the event loop wherever the thread has been used for a while.
fn pauses() -> Box<crate::gpu::Pause> {
    let since = Rc::new(Cell::new(host::milliseconds()));
    Box::new(move || {
        let since = Rc::clone(&since);
        Box::pin(async move {
            if host::milliseconds() - since.get() > SLICE_MS {
                // A promise that cannot fail.
                let _ = JsFuture::from(host::turn()).await;
                since.set(host::milliseconds());
            }
        })
    })
}

/// The body in the worker's answer.
async fn copied(lists: &Array, pause: &crate::gpu::Pause) -> Prepared {
    let mut sections = Vec::new();
    for list in lists.iter() {
        let list: Uint32Array = list.unchecked_into();
        let length = list.length() as usize;
        let mut words = Vec::with_capacity(length);
        while words.len() < length {
            let start = words.len();
            let end = length.min(start + SLICE_WORDS);
            words.resize(end, 0);
            list.subarray(start as u32, end as u32)
                .copy_to(&mut words[start..]);
            pause().await;
        }
        sections.push(words);
    }
    Prepared::from_sections(sections)
}

/// What the worker does: the sections of the body in the two files, each told as it is made.
#[wasm_bindgen(js_name = prepareBody, skip_typescript)]
pub fn prepare_body(
    positions: &Uint8Array,
    tets: &Uint8Array,
    given: &JsValue,
    packed_surface: Array,
    floor: f64,
    settings: f64,
    tell: &Function,
) -> Result<Array, JsValue> {
    let reader = Reader::new(given, "options", "an object of options")?;
    let mut body = options::body(&reader, &[])?;
    body.surface = surface::unpacked(Some(&packed_surface).filter(|list| list.length() > 0))?;
    let environment = Environment {
        floor: Some(floor).filter(|floor| !floor.is_nan()),
        ..Environment::default()
    };
    let settings = match settings {
        code if code < 0.0 => SolverSettings::xpbd(1, 1),
        code => SolverSettings::explicit(Some(code as u32).filter(|&substeps| substeps > 0)),
    };
    let told = |fraction: f64| {
        // The worker's own function, which does not throw.
        let _ = tell.call1(&JsValue::UNDEFINED, &(PREPARED * fraction).into());
    };
    let mesh = mesh(positions, tets)?;
    told(CHECKED);
    let mut progress = |fraction: f64| told(CHECKED + (1.0 - CHECKED) * fraction);
    let prepared = Prepared::new(mesh, &body, &environment, &settings, &mut progress)
        .map_err(simulation_error)?;
    let lists = Array::new();
    for words in prepared.into_sections() {
        lists.push(&Uint32Array::from(&words[..]));
    }
    Ok(lists)
}
