//! What the class, the frame loop and the host's callbacks share; it holds the session until `dispose` ends it.

use super::grab::Hands;
use super::host::{self, Emitter, View};
use super::session::{Session, simulation_error};
use super::to_object;
use crate::render::Camera;
use crate::solver::FrameClock;
use crate::text::Number;
use js_sys::{Object, Reflect};
use serde::Serialize;
use std::cell::{Cell, RefCell, RefMut};
use std::rc::{Rc, Weak};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use wasm_bindgen::prelude::*;
use web_sys::{HtmlCanvasElement, OffscreenCanvas};

/// Submitted pictures the GPU may be behind before the loop waits for it.
const PICTURES_IN_FLIGHT: u32 = 2;

/// How far the GPU is behind, written when it reports work as done.
#[derive(Default)]
struct Pace {
    in_flight: AtomicU32,
    /// Longest time from submission to completion per simulated frame of the last picture, µs.
    frame_micros: AtomicU32,
}

impl Pace {
    /// Frames worth simulating for the next picture. A GPU that needs longer for a frame than the frame lasts will not
    /// catch up by being given three of them; it would only show fewer pictures.
    fn limit(&self) -> u32 {
        // Up to two pictures share the time measured.
        let slow =
            f64::from(self.frame_micros.load(Ordering::Relaxed)) > 2e6 * FrameClock::FRAME_SECONDS;
        if slow { 1 } else { FrameClock::MAX_CATCH_UP }
    }
}

/// Sum of what a frame did, as the `frame` event reports it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FrameStats {
    frame: f64,
    simulated_seconds: f64,
    substeps: u32,
    cpu_ms: f64,
    dropped_seconds: f64,
}

#[derive(Serialize)]
struct Size {
    width: u32,
    height: u32,
}

/// `Fn`, because one may be called inside another: an event of the first may dispose.
type Handler = Closure<dyn Fn(f64, f64, f64, f64) -> JsValue>;
/// What a handler does with up to four numbers.
type Method = fn(&Rc<Shared>, [f64; 4]) -> Result<JsValue, JsValue>;

/// The answer of a handler that gives none.
fn done(result: Result<(), JsValue>) -> Result<JsValue, JsValue> {
    result.map(|()| JsValue::UNDEFINED)
}

/// What the class and the frame loop share.
pub struct Shared {
    canvas: JsValue,
    session: RefCell<Option<Session>>,
    emitter: Emitter,
    hands: RefCell<Hands>,
    view: RefCell<Option<View>>,
    handlers: RefCell<Vec<Handler>>,
    running: Cell<bool>,
    pace: Arc<Pace>,
    loads: Cell<u32>,
    last_frame: Cell<Option<f64>>,
    shown: Cell<f64>,
    failed: RefCell<Option<String>>,
}

impl Shared {
    pub fn new(
        canvas: JsValue,
        session: Session,
        auto_resize: bool,
        interactive: bool,
    ) -> Rc<Self> {
        let device = session.simulation.gpu().device.clone();
        let shared = Rc::new(Self {
            canvas: canvas.clone(),
            session: RefCell::new(Some(session)),
            emitter: Emitter::new(),
            hands: RefCell::default(),
            view: RefCell::new(None),
            handlers: RefCell::new(Vec::new()),
            running: Cell::new(false),
            pace: Arc::default(),
            loads: Cell::new(0),
            last_frame: Cell::new(None),
            shown: Cell::new(0.0),
            failed: RefCell::new(None),
        });
        let handlers = Object::new();
        // Already the eye's own movement: radians, fractions of the picture's height, a factor of the distance.
        let methods: [(&str, Method); 9] = [
            ("frame", |shared, [now, ..]| done(shared.frame(now))),
            ("resize", |shared, [width, height, ..]| {
                done(shared.resize(width, height))
            }),
            ("orbit", |shared, [right, up, ..]| {
                done(shared.move_camera(|camera| camera.orbit(right as f32, up as f32)))
            }),
            ("pan", |shared, [right, up, ..]| {
                done(shared.move_camera(|camera| camera.pan(right as f32, up as f32)))
            }),
            ("zoom", |shared, [factor, ..]| {
                done(shared.move_camera(|camera| camera.zoom(factor as f32)))
            }),
            ("grab", |shared, numbers| {
                Ok(shared.grab_by_hand(numbers).into())
            }),
            ("drag", |shared, [x, y, pointer, _]| {
                done(shared.drag_by_hand(x, y, pointer))
            }),
            ("release", |shared, [pointer, ..]| {
                done(shared.release_by_hand(pointer))
            }),
            ("pull", |shared, numbers| done(shared.pull(numbers))),
        ];
        for (name, method) in methods {
            shared.handler(&handlers, name, method);
        }
        let view = View::new(&canvas, &handlers);
        view.set_auto_resize(auto_resize);
        view.set_interactive(interactive);
        *shared.view.borrow_mut() = Some(view);
        shared.watch(&device);
        shared
    }

    /// Puts a method under `name`; a thrown error becomes an `error` event, because nobody is there to catch it.
    fn handler(self: &Rc<Self>, handlers: &Object, name: &str, method: Method) {
        let weak: Weak<Self> = Rc::downgrade(self);
        let closure: Handler = Closure::new(move |a: f64, b: f64, c: f64, d: f64| {
            let Some(shared) = weak.upgrade() else {
                return JsValue::UNDEFINED;
            };
            method(&shared, [a, b, c, d]).unwrap_or_else(|error| {
                shared.emitter.emit("error", &error);
                JsValue::UNDEFINED
            })
        });
        // Setting a property of a fresh plain object cannot fail.
        let _ = Reflect::set(handlers, &name.into(), closure.as_ref());
        self.handlers.borrow_mut().push(closure);
    }

    fn watch(self: &Rc<Self>, device: &wgpu::Device) {
        let Some(raw) = device.as_webgpu() else {
            return;
        };
        let weak = Rc::downgrade(self);
        let on_error = Closure::<dyn FnMut(String)>::new(move |message: String| {
            if let Some(shared) = weak.upgrade() {
                shared.emitter.emit(
                    "error",
                    &host::error("internal", &format!("WebGPU: {message}")),
                );
            }
        });
        let weak = Rc::downgrade(self);
        let on_lost =
            Closure::<dyn FnMut(String, String)>::new(move |reason: String, message: String| {
                let Some(shared) = weak.upgrade() else { return };
                // Our own dispose destroys the device, after the session is gone.
                if shared.session.borrow().is_none() {
                    return;
                }
                let message =
                    format!("the GPU device was lost ({reason}): {message}; create a new instance");
                *shared.failed.borrow_mut() = Some(message.clone());
                shared.halt();
                shared.drop_hands();
                shared
                    .emitter
                    .emit("error", &host::error("device-lost", &message));
            });
        // They live as long as the device, which outlives this object by an unknown time: JavaScript's garbage
        // collector frees them.
        host::watch_device(
            raw.as_ref(),
            on_error.into_js_value().unchecked_ref(),
            on_lost.into_js_value().unchecked_ref(),
        );
    }

    /// Runs `action` on the session. Never calls into JavaScript that could call back.
    pub fn with<T>(
        &self,
        action: impl FnOnce(&mut Session) -> Result<T, JsValue>,
    ) -> Result<T, JsValue> {
        action(&mut *self.open_session()?)
    }

    // Apart from `with`, whose code exists once per action.
    #[inline(never)]
    fn open_session(&self) -> Result<RefMut<'_, Session>, JsValue> {
        let session = RefMut::filter_map(self.session.borrow_mut(), Option::as_mut)
            .map_err(|_| host::error("disposed", "this SoftBody was disposed"))?;
        match self.failed.borrow().as_ref() {
            Some(message) => Err(host::error("device-lost", message)),
            None => Ok(session),
        }
    }

    pub fn hands(&self) -> RefMut<'_, Hands> {
        self.hands.borrow_mut()
    }

    pub fn canvas(&self) -> &JsValue {
        &self.canvas
    }

    pub fn emitter(&self) -> &Emitter {
        &self.emitter
    }

    pub fn running(&self) -> bool {
        self.running.get()
    }

    pub fn start(&self) -> Result<(), JsValue> {
        self.with(|session| {
            session.simulation.loaded().map_err(simulation_error)?;
            session.simulation.resume();
            Ok(())
        })?;
        self.last_frame.set(None);
        self.running.set(true);
        if let Some(view) = self.view.borrow().as_ref() {
            view.start();
        }
        Ok(())
    }

    pub fn stop(&self) -> Result<(), JsValue> {
        self.with(|_| Ok(()))?;
        self.halt();
        Ok(())
    }

    fn halt(&self) {
        self.running.set(false);
        if let Some(view) = self.view.borrow().as_ref() {
            view.stop();
        }
    }

    pub fn render(&self) -> Result<(), JsValue> {
        self.with(Session::render)
    }

    /// Draws unless the frame loop will.
    pub fn redraw(&self) -> Result<(), JsValue> {
        match self.running() {
            true => Ok(()),
            false => self.render(),
        }
    }

    /// The same where a failure is an event, for what led here has succeeded.
    pub fn show(&self) {
        if let Err(error) = self.redraw() {
            self.emitter.emit("error", &error);
        }
    }

    pub fn resize(&self, width: f64, height: f64) -> Result<(), JsValue> {
        let size = |name: &str, number: f64| match number.fract() == 0.0
            && (1.0..=8192.0).contains(&number)
        {
            true => Ok(number as u32),
            false => {
                let message = format!(
                    "{name} is {}, but must be an integer from 1 to 8192 device pixels",
                    Number::from(number)
                );
                Err(host::error("invalid-option", &message))
            }
        };
        let (width, height) = (size("width", width)?, size("height", height)?);
        let present = self.with(|session| Ok((session.config.width, session.config.height)))?;
        if (width, height) == present {
            return Ok(());
        }
        if let Some(canvas) = self.canvas.dyn_ref::<HtmlCanvasElement>() {
            canvas.set_width(width);
            canvas.set_height(height);
        } else if let Some(canvas) = self.canvas.dyn_ref::<OffscreenCanvas>() {
            canvas.set_width(width);
            canvas.set_height(height);
        }
        self.with(|session| {
            session.resize(width, height);
            session.render()
        })?;
        self.emitter
            .emit("resize", &to_object(&Size { width, height })?);
        Ok(())
    }

    fn move_camera(&self, change: impl FnOnce(&Camera) -> Camera) -> Result<(), JsValue> {
        self.with(|session| {
            let camera = session.viewport.camera_mut();
            *camera = change(camera);
            session.camera_set = true;
            Ok(())
        })?;
        self.redraw()
    }

    /// One animation frame at `now` milliseconds.
    fn frame(&self, now: f64) -> Result<(), JsValue> {
        if !self.running() || self.pace.in_flight.load(Ordering::Relaxed) >= PICTURES_IN_FLIGHT {
            // A GPU that is behind gets no more work; the time shows up as dropped.
            return Ok(());
        }
        let last = self.last_frame.replace(Some(now));
        let elapsed = last.map_or(FrameClock::FRAME_SECONDS, |last| (now - last) / 1e3);
        let begun = host::milliseconds();
        let stats = self.with(|session| {
            let simulation = &mut session.simulation;
            let before = simulation.progress().frames;
            let limit = self.pace.limit();
            let progress = simulation
                .advance(elapsed, limit)
                .map_err(simulation_error)?;
            let frames = progress.frames - before;
            let dropped_seconds = simulation.dropped_seconds();
            session.render()?;
            self.pace.in_flight.fetch_add(1, Ordering::Relaxed);
            let pace = Arc::clone(&self.pace);
            session
                .simulation
                .gpu()
                .queue
                .on_submitted_work_done(move || {
                    pace.in_flight.fetch_sub(1, Ordering::Relaxed);
                    if frames > 0 {
                        let micros = (host::milliseconds() - begun) * 1e3 / frames as f64;
                        pace.frame_micros.store(micros as u32, Ordering::Relaxed);
                    }
                });
            self.shown.set(self.shown.get() + 1.0);
            Ok(FrameStats {
                frame: self.shown.get(),
                simulated_seconds: progress.simulated_seconds,
                substeps: progress.substeps,
                cpu_ms: host::milliseconds() - begun,
                dropped_seconds,
            })
        });
        match stats {
            Ok(stats) => {
                self.emitter.emit("frame", &to_object(&stats)?);
                Ok(())
            }
            Err(error) => {
                // The same failure sixty times a second helps nobody.
                self.halt();
                Err(error)
            }
        }
    }

    /// The number of a load that begins now; it is the current one until another begins.
    pub fn begin_load(&self) -> u32 {
        self.loads.set(self.loads.get().wrapping_add(1));
        self.loads.get()
    }

    /// Refuses a load that a later one has overtaken: what was asked for last is what is seen.
    pub fn check_load(&self, number: u32) -> Result<(), JsValue> {
        match number == self.loads.get() {
            true => Ok(()),
            false => Err(host::error(
                "aborted",
                "load: a later call of load took its place",
            )),
        }
    }

    pub fn dispose(&self) {
        self.running.set(false);
        // Taken out first: letting go calls listeners, who may call any member.
        let view = self.view.borrow_mut().take();
        if let Some(view) = view {
            view.dispose();
        }
        self.drop_hands();
        // Taken out first: destroying the device calls back.
        let session = self.session.borrow_mut().take();
        if let Some(mut session) = session {
            session.close();
            drop(session);
            host::unconfigure_canvas(&self.canvas);
        }
        self.emitter.clear();
    }
}
