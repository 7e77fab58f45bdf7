//! One canvas with its device: the façade and the viewport on it, errors as the package's own.

use super::host;
use super::options::{AppearanceOptions, CameraOptions};
use crate::cloth::ClothMesh;
use crate::gpu::{Gpu, GpuError};
use crate::render::Camera;
use crate::rest_state::MeshReport;
use crate::settings::{Environment, Material, SolverSettings};
use crate::simulation::{ClothOptions, Simulation, SimulationError, Uploaded};
use crate::viewport::Viewport;
use std::pin::Pin;
use wasm_bindgen::prelude::*;
use web_sys::{HtmlCanvasElement, OffscreenCanvas};

#[inline(never)]
pub fn simulation_error(error: SimulationError) -> JsValue {
    let code = match &error {
        SimulationError::Mesh(_) | SimulationError::Cloth(_) => "invalid-mesh",
        SimulationError::Gpu(gpu) => gpu_code(gpu),
        _ => "invalid-option",
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

/// A snapshot on its way back.
pub type SnapshotRead = Pin<Box<dyn Future<Output = Result<Vec<u8>, GpuError>>>>;

/// Everything that `dispose` ends.
pub struct Session {
    pub(super) simulation: Simulation,
    pub(super) viewport: Viewport,
    surface: wgpu::Surface<'static>,
    pub(super) config: wgpu::SurfaceConfiguration,
    /// Whether the user has set a camera; until then loading frames the body.
    pub(super) camera_set: bool,
}

/// Refuses what is no canvas, before anything is downloaded for it.
pub fn check_canvas(canvas: &JsValue) -> Result<(), JsValue> {
    canvas_target(canvas).map(drop)
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
        let limit = gpu.device.limits().max_texture_dimension_2d;
        if width.max(height) > limit {
            gpu.device.destroy();
            let message = format!(
                "canvas is {width} × {height} device pixels, but this GPU allows {limit} on a side"
            );
            return Err(host::error("limits", &message));
        }
        let (width, height) = (width.max(1), height.max(1));
        let Some(mut config) = surface.get_default_config(&adapter, width, height) else {
            gpu.device.destroy();
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
    pub fn adopt(&mut self, body: Uploaded) -> Result<MeshReport, JsValue> {
        let report = self.simulation.adopt(body).map_err(simulation_error)?;
        self.attach();
        Ok(report)
    }

    /// The same by a cloth.
    pub fn load_cloth(
        &mut self,
        mesh: ClothMesh,
        options: &ClothOptions,
    ) -> Result<MeshReport, JsValue> {
        let loaded = self.simulation.load_cloth(mesh, options);
        let report = loaded.map_err(simulation_error)?;
        self.attach();
        Ok(report)
    }

    /// Draws what was just loaded from now on.
    fn attach(&mut self) {
        let floor = self.simulation.environment().floor;
        if let Some(drawn) = self.simulation.drawn() {
            self.viewport.attach(self.simulation.gpu(), &drawn);
            if !self.camera_set {
                self.viewport.frame(&drawn, floor);
            }
        }
    }

    /// What loading found.
    pub fn report(&mut self) -> Result<MeshReport, JsValue> {
        self.simulation.report().map_err(simulation_error)
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

    pub fn pin(&mut self, vertices: &[u32], targets: Option<&[[f64; 3]]>) -> Result<(), JsValue> {
        match targets {
            None => self.simulation.pin(vertices),
            Some(targets) => self.simulation.pin_at(vertices, targets),
        }
        .map_err(simulation_error)
    }

    pub fn impulse(
        &mut self,
        velocity: [f64; 3],
        at: Option<([f64; 3], f64)>,
    ) -> Result<(), JsValue> {
        self.simulation
            .impulse(velocity, at)
            .map_err(simulation_error)
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

    pub fn snapshot(&self) -> Result<SnapshotRead, JsValue> {
        Ok(Box::pin(
            self.simulation.snapshot().map_err(simulation_error)?,
        ))
    }

    pub fn restore(&mut self, snapshot: &[u8]) -> Result<(), JsValue> {
        self.simulation.restore(snapshot).map_err(simulation_error)
    }

    /// Where the given parts would put the camera, or why they cannot.
    pub fn check_camera(&self, options: &CameraOptions) -> Result<Camera, JsValue> {
        let camera = self.viewport.camera();
        let vector = |given: Option<[f64; 3]>, present| match given {
            Some(v) => v.map(|number| number as f32).into(),
            None => present,
        };
        let position = vector(options.position, camera.position);
        let target = vector(options.target, camera.target);
        if position == target {
            let message = "camera.position and camera.target are the same point";
            return Err(host::error("invalid-option", message));
        }
        let fov_y_degrees = match options.fov_y_degrees {
            Some(degrees) => degrees as f32,
            None => camera.fov_y_degrees,
        };
        Ok(Camera {
            position,
            target,
            fov_y_degrees,
        })
    }

    /// Moves the camera, or refuses and leaves it.
    pub fn apply_camera(&mut self, options: &CameraOptions) -> Result<(), JsValue> {
        *self.viewport.camera_mut() = self.check_camera(options)?;
        self.camera_set |= options.position.is_some() || options.target.is_some();
        Ok(())
    }

    pub fn apply_appearance(&mut self, options: &AppearanceOptions) {
        let appearance = self.viewport.appearance_mut();
        appearance.color = options.color.unwrap_or(appearance.color);
        appearance.roughness = options.roughness.unwrap_or(appearance.roughness);
        appearance.metallic = options.metallic.unwrap_or(appearance.metallic);
        appearance.anisotropy = options.anisotropy.unwrap_or(appearance.anisotropy);
        appearance.sheen = options.sheen.unwrap_or(appearance.sheen);
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

    pub(super) fn resize(&mut self, width: u32, height: u32) {
        self.config.width = width.max(1);
        self.config.height = height.max(1);
        self.surface
            .configure(&self.simulation.gpu().device, &self.config);
        self.viewport.resize(self.simulation.gpu(), width, height);
    }

    pub(super) fn render(&mut self) -> Result<(), JsValue> {
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
        self.viewport.set_markers(&self.simulation.held_points());
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
