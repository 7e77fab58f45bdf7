//! One canvas with its device: the façade, the viewport, the frame loop, and what ends them.

use super::host::{self, Emitter, View};
use super::options::{AppearanceOptions, CameraOptions};
use super::to_object;
use crate::gpu::{Gpu, GpuError};
use crate::mesh::TetMesh;
use crate::render::Camera;
use crate::rest_state::MeshReport;
use crate::settings::{Environment, Material, SolverSettings};
use crate::simulation::{BodyOptions, Simulation, SimulationError};
use crate::text::Number;
use crate::viewport::Viewport;
use js_sys::{Object, Reflect};
use serde::Serialize;
use std::cell::{Cell, RefCell, RefMut};
use std::pin::Pin;
use std::rc::{Rc, Weak};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use wasm_bindgen::prelude::*;
use web_sys::{HtmlCanvasElement, OffscreenCanvas};

/// Submitted frames the GPU may be behind before the loop waits for it.
const FRAMES_IN_FLIGHT: u32 = 2;

#[inline(never)]
fn simulation_error(error: SimulationError) -> JsValue {
    let code = match &error {
        SimulationError::Mesh(_) => "invalid-mesh",
        SimulationError::Setting(_) | SimulationError::PinOutOfRange { .. } => "invalid-option",
        SimulationError::NoBody => "invalid-option",
        SimulationError::Gpu(gpu) => gpu_code(gpu),
    };
    host::error(code, &error.to_string())
}

fn gpu_code(error: &GpuError) -> &'static str {
    match error {
        GpuError::NoAdapter(_) | GpuError::NoDevice(_) => "no-adapter",
        GpuError::Limit { .. } => "limits",
        GpuError::ReadBack(_) => "device-lost",
    }
}

/// Vectors on their way back from the GPU; boxed so that both kinds share the code that waits for them.
pub type ReadBack = Pin<Box<dyn Future<Output = Result<Vec<[f32; 3]>, GpuError>>>>;

/// Everything that `dispose` ends.
pub struct Session {
    simulation: Simulation,
    viewport: Viewport,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    /// Whether the user has set a camera; until then loading frames the body.
    camera_set: bool,
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

fn canvas_target(canvas: &JsValue) -> Result<(wgpu::SurfaceTarget<'static>, u32, u32), JsValue> {
    if let Some(canvas) = canvas.dyn_ref::<HtmlCanvasElement>() {
        return Ok((
            wgpu::SurfaceTarget::Canvas(canvas.clone()),
            canvas.width(),
            canvas.height(),
        ));
    }
    if let Some(canvas) = canvas.dyn_ref::<OffscreenCanvas>() {
        return Ok((
            wgpu::SurfaceTarget::OffscreenCanvas(canvas.clone()),
            canvas.width(),
            canvas.height(),
        ));
    }
    Err(host::error(
        "invalid-option",
        "canvas must be an HTMLCanvasElement or an OffscreenCanvas",
    ))
}

impl Session {
    /// Finds a device that can present to `canvas` and builds everything on it.
    pub async fn open(
        canvas: &JsValue,
        environment: Environment,
        settings: SolverSettings,
    ) -> Result<Self, JsValue> {
        let (target, width, height) = canvas_target(canvas)?;
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        descriptor.backends = wgpu::Backends::BROWSER_WEBGPU;
        let instance = wgpu::Instance::new(descriptor);
        let surface = instance.create_surface(target).map_err(|error| {
            host::error(
                "canvas-context",
                &format!("the canvas gives no WebGPU context ({error}); does it have another one?"),
            )
        })?;
        let (gpu, adapter) = Gpu::request(&instance, Some(&surface))
            .await
            .map_err(|error| host::error(gpu_code(&error), &error.to_string()))?;
        let (width, height) = (width.max(1), height.max(1));
        let Some(mut config) = surface.get_default_config(&adapter, width, height) else {
            return Err(host::error(
                "canvas-context",
                "the adapter cannot present to this canvas",
            ));
        };
        // The first format listed is the one the browser prefers; the renderer encodes sRGB itself.
        config.format = surface.get_capabilities(&adapter).formats[0];
        surface.configure(&gpu.device, &config);
        let viewport = Viewport::new(&gpu, config.format, width, height);
        let simulation = Simulation::new(gpu, environment, settings).map_err(simulation_error)?;
        Ok(Self {
            simulation,
            viewport,
            surface,
            config,
            camera_set: false,
        })
    }

    /// Replaces the body, or leaves everything as it was.
    pub fn load(&mut self, mesh: TetMesh, options: &BodyOptions) -> Result<MeshReport, JsValue> {
        let report = self
            .simulation
            .load(mesh, options)
            .map_err(simulation_error)?;
        let floor = self.simulation.environment().floor;
        if let Some(body) = self.simulation.body() {
            self.viewport.attach(self.simulation.gpu(), body);
            if !self.camera_set {
                self.viewport.frame(body, floor);
            }
        }
        Ok(report)
    }

    /// What loading found.
    pub fn report(&self) -> Result<MeshReport, JsValue> {
        let body = self
            .simulation
            .body()
            .ok_or_else(|| simulation_error(SimulationError::NoBody))?;
        Ok(body.report())
    }

    pub fn reset(&mut self) -> Result<(), JsValue> {
        self.simulation.reset().map_err(simulation_error)
    }

    pub fn step(&mut self, seconds: f64) -> Result<(), JsValue> {
        self.simulation
            .step(seconds)
            .map(drop)
            .map_err(simulation_error)
    }

    pub fn material(&self) -> Result<Material, JsValue> {
        self.simulation
            .material()
            .ok_or_else(|| simulation_error(SimulationError::NoBody))
    }

    pub fn set_material(&mut self, material: Material) -> Result<(), JsValue> {
        self.simulation
            .set_material(material)
            .map_err(simulation_error)
    }

    pub fn set_gravity(&mut self, gravity: [f64; 3]) -> Result<(), JsValue> {
        let environment = Environment {
            gravity,
            ..self.simulation.environment()
        };
        self.simulation
            .set_environment(environment)
            .map_err(simulation_error)
    }

    pub fn settings(&self) -> SolverSettings {
        self.simulation.settings()
    }

    pub fn set_settings(&mut self, settings: SolverSettings) -> Result<(), JsValue> {
        self.simulation
            .set_settings(settings)
            .map_err(simulation_error)
    }

    pub fn pin(&mut self, vertices: &[u32]) -> Result<(), JsValue> {
        self.simulation.pin(vertices).map_err(simulation_error)
    }

    pub fn unpin(&mut self, vertices: Option<&[u32]>) -> Result<(), JsValue> {
        self.simulation.unpin(vertices).map_err(simulation_error)
    }

    pub fn read_positions(&self) -> Result<ReadBack, JsValue> {
        Ok(Box::pin(
            self.simulation.read_positions().map_err(simulation_error)?,
        ))
    }

    pub fn read_velocities(&self) -> Result<ReadBack, JsValue> {
        Ok(Box::pin(
            self.simulation
                .read_velocities()
                .map_err(simulation_error)?,
        ))
    }

    pub fn apply_camera(&mut self, options: &CameraOptions) {
        let camera = self.viewport.camera_mut();
        let vector = |v: [f64; 3]| v.map(|number| number as f32).into();
        if let Some(position) = options.position {
            camera.position = vector(position);
        }
        if let Some(target) = options.target {
            camera.target = vector(target);
        }
        if let Some(degrees) = options.fov_y_degrees {
            camera.fov_y_degrees = degrees as f32;
        }
        self.camera_set |= options.position.is_some() || options.target.is_some();
    }

    pub fn apply_appearance(&mut self, options: &AppearanceOptions) {
        let appearance = self.viewport.appearance_mut();
        appearance.color = options.color.unwrap_or(appearance.color);
        appearance.roughness = options.roughness.unwrap_or(appearance.roughness);
        appearance.metallic = options.metallic.unwrap_or(appearance.metallic);
        appearance.wireframe = options.wireframe.unwrap_or(appearance.wireframe);
    }

    /// Resolves when all work submitted so far is done.
    pub fn work_done(&self) -> futures_channel::oneshot::Receiver<()> {
        let (sender, receiver) = futures_channel::oneshot::channel();
        // The receiver only goes away with its promise; then nobody waits.
        self.simulation.gpu().queue.on_submitted_work_done(move || {
            let _ = sender.send(());
        });
        receiver
    }

    fn resize(&mut self, width: u32, height: u32) {
        self.config.width = width.max(1);
        self.config.height = height.max(1);
        self.surface
            .configure(&self.simulation.gpu().device, &self.config);
        self.viewport.resize(self.simulation.gpu(), width, height);
    }

    fn render(&mut self) -> Result<(), JsValue> {
        let texture = match self.surface.get_current_texture() {
            wgpu::CurrentSurfaceTexture::Success(texture)
            | wgpu::CurrentSurfaceTexture::Suboptimal(texture) => texture,
            wgpu::CurrentSurfaceTexture::Lost => {
                return Err(host::error(
                    "canvas-context",
                    "the canvas lost its WebGPU context",
                ));
            }
            _ => {
                return Err(host::error(
                    "canvas-context",
                    "the canvas gave no texture to draw on",
                ));
            }
        };
        let gpu = self.simulation.gpu().clone();
        let view = texture.texture.create_view(&wgpu::TextureViewDescriptor {
            label: Some("canvas"),
            ..Default::default()
        });
        let mut encoder = gpu
            .device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor {
                label: Some("picture"),
            });
        self.viewport.record(&self.simulation, &mut encoder, &view);
        gpu.queue.submit([encoder.finish()]);
        gpu.queue.present(texture);
        Ok(())
    }

    /// Frees the GPU side.
    pub fn close(&mut self) {
        self.viewport.destroy();
        self.simulation.gpu().device.destroy();
    }
}

type Handler = Closure<dyn FnMut(f64, f64)>;

/// What the class and the frame loop share.
pub struct Shared {
    canvas: JsValue,
    session: RefCell<Option<Session>>,
    emitter: Emitter,
    view: RefCell<Option<View>>,
    handlers: RefCell<Vec<Handler>>,
    running: Cell<bool>,
    in_flight: Arc<AtomicU32>,
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
            view: RefCell::new(None),
            handlers: RefCell::new(Vec::new()),
            running: Cell::new(false),
            in_flight: Arc::new(AtomicU32::new(0)),
            last_frame: Cell::new(None),
            shown: Cell::new(0.0),
            failed: RefCell::new(None),
        });
        let handlers = Object::new();
        shared.handler(&handlers, "frame", |shared, now, _| shared.frame(now));
        shared.handler(&handlers, "resize", |shared, width, height| {
            shared.resize(width, height)
        });
        // Already the eye's own movement: radians, fractions of the picture's height, a factor of the distance.
        shared.handler(&handlers, "orbit", |shared, right, up| {
            shared.move_camera(|camera| camera.orbit(right as f32, up as f32))
        });
        shared.handler(&handlers, "pan", |shared, right, up| {
            shared.move_camera(|camera| camera.pan(right as f32, up as f32))
        });
        shared.handler(&handlers, "zoom", |shared, factor, _| {
            shared.move_camera(|camera| camera.zoom(factor as f32))
        });
        let view = View::new(&canvas, &handlers);
        view.set_auto_resize(auto_resize);
        view.set_interactive(interactive);
        *shared.view.borrow_mut() = Some(view);
        shared.watch(&device);
        shared
    }

    /// Puts a method under `name`; a thrown error becomes an `error` event, because nobody is there to catch it.
    fn handler(
        self: &Rc<Self>,
        handlers: &Object,
        name: &str,
        method: fn(&Rc<Self>, f64, f64) -> Result<(), JsValue>,
    ) {
        let weak: Weak<Self> = Rc::downgrade(self);
        let closure: Handler = Closure::new(move |a: f64, b: f64| {
            if let Some(shared) = weak.upgrade()
                && let Err(error) = method(&shared, a, b)
            {
                shared.emitter.emit("error", &error);
            }
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
                shared
                    .emitter
                    .emit("error", &host::error("device-lost", &message));
            });
        host::watch_device(
            raw.as_ref(),
            on_error.as_ref().unchecked_ref(),
            on_lost.as_ref().unchecked_ref(),
        );
        // They live as long as the device, which outlives this object by an unknown time.
        on_error.forget();
        on_lost.forget();
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
        if let Some(message) = self.failed.borrow().as_ref() {
            return Err(host::error("device-lost", message));
        }
        RefMut::filter_map(self.session.borrow_mut(), Option::as_mut)
            .map_err(|_| host::error("disposed", "this SoftBody was disposed"))
    }

    pub fn emitter(&self) -> &Emitter {
        &self.emitter
    }

    pub fn running(&self) -> bool {
        self.running.get()
    }

    pub fn start(&self) -> Result<(), JsValue> {
        self.with(|session| {
            session
                .simulation
                .body()
                .ok_or_else(|| simulation_error(SimulationError::NoBody))?;
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

    pub fn resize(&self, width: f64, height: f64) -> Result<(), JsValue> {
        let size = |name: &str, number: f64| match (1.0..=8192.0).contains(&number) {
            true => Ok(number as u32),
            false => {
                let message = format!(
                    "{name} is {}, but must be 1 to 8192 device pixels",
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
        if self.running() {
            Ok(())
        } else {
            self.render()
        }
    }

    /// One animation frame at `now` milliseconds.
    fn frame(&self, now: f64) -> Result<(), JsValue> {
        if !self.running() || self.in_flight.load(Ordering::Relaxed) >= FRAMES_IN_FLIGHT {
            // A GPU that is behind gets no more work; the time shows up as dropped.
            return Ok(());
        }
        let elapsed = self
            .last_frame
            .replace(Some(now))
            .map_or(crate::solver::FrameClock::FRAME_SECONDS, |last| {
                (now - last) / 1e3
            });
        let begun = js_sys::Date::now();
        let stats = self.with(|session| {
            let substeps_before = session.simulation.progress().frames;
            let progress = session
                .simulation
                .advance(elapsed)
                .map_err(simulation_error)?;
            session.render()?;
            let in_flight = Arc::clone(&self.in_flight);
            in_flight.fetch_add(1, Ordering::Relaxed);
            let done = move || {
                in_flight.fetch_sub(1, Ordering::Relaxed);
            };
            session.simulation.gpu().queue.on_submitted_work_done(done);
            let frames = progress.frames - substeps_before;
            self.shown.set(self.shown.get() + 1.0);
            Ok(FrameStats {
                frame: self.shown.get(),
                simulated_seconds: progress.simulated_seconds,
                substeps: frames as u32 * session.simulation.settings().substeps,
                cpu_ms: js_sys::Date::now() - begun,
                dropped_seconds: session.simulation.dropped_seconds(),
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

    pub fn dispose(&self) {
        self.running.set(false);
        if let Some(view) = self.view.borrow_mut().take() {
            view.dispose();
        }
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
