//! What is seen: the renderer with its targets, the body's draw data, the camera. Same natively and on the web.

use crate::gpu::Gpu;
use crate::render::{Appearance, Camera, Markers, Renderer, Scene, SurfaceDraw, Targets};
use crate::simulation::{Drawn, Simulation};

/// A picture of a [`Simulation`], to be drawn into any texture view of the right format.
#[derive(Debug)]
pub struct Viewport {
    renderer: Renderer,
    targets: Targets,
    size: (u32, u32),
    draw: Option<SurfaceDraw>,
    scene: Scene,
}

impl Viewport {
    /// Compiles the render pipelines for `format`, with targets of `width` × `height` device pixels.
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat, width: u32, height: u32) -> Self {
        let renderer = Renderer::new(&gpu.device, format);
        let size = (width.max(1), height.max(1));
        let targets = Targets::new(&gpu.device, &renderer, size.0, size.1);
        let scene = Scene {
            camera: Camera::default(),
            appearance: Appearance::default(),
            floor: Some(0.0),
            wall: None,
            markers: Markers::default(),
        };
        Self {
            renderer,
            targets,
            size,
            draw: None,
            scene,
        }
    }

    /// Width and height in device pixels.
    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    /// New targets for another size; nothing happens if it is the present one.
    pub fn resize(&mut self, gpu: &Gpu, width: u32, height: u32) {
        let size = (width.max(1), height.max(1));
        if size != self.size {
            self.targets.destroy();
            self.targets = Targets::new(&gpu.device, &self.renderer, size.0, size.1);
            self.size = size;
        }
    }

    /// Draw data of what was newly loaded.
    pub fn attach(&mut self, gpu: &Gpu, drawn: &Drawn<'_>) {
        self.draw = Some(SurfaceDraw::new(
            &gpu.device,
            &self.renderer,
            drawn.surface,
            drawn.look,
        ));
        self.scene.wall = drawn.wall;
    }

    /// Points the camera so that the body's start and the floor under it are seen.
    pub fn frame(&mut self, drawn: &Drawn<'_>, floor: Option<f64>) {
        let (mut min, max) = drawn.initial_bounds;
        if let Some(floor) = floor {
            // A body high above the floor shows the floor it will land on; one below it does not widen the view.
            min[1] = min[1].min(floor as f32);
        }
        let aspect = self.size.0 as f32 / self.size.1 as f32;
        self.scene.camera = Camera::frame(min, max, self.scene.camera.fov_y_degrees, aspect);
    }

    /// From where the scene is seen.
    pub fn camera(&self) -> &Camera {
        &self.scene.camera
    }

    /// The camera, to be moved.
    pub fn camera_mut(&mut self) -> &mut Camera {
        &mut self.scene.camera
    }

    /// Colour, roughness, metallic, cloth's highlights and wireframe.
    pub fn appearance_mut(&mut self) -> &mut Appearance {
        &mut self.scene.appearance
    }

    /// Marks these points of the world, in metres, with small discs, in place of those before: what pointers hold. The
    /// first [`MAX_MARKERS`](crate::render::MAX_MARKERS) that are finite are drawn.
    pub fn set_markers(&mut self, points: &[[f32; 3]]) {
        self.scene.markers = Markers::new(points);
    }

    /// Records the shadow and scene passes of `simulation` into `target`.
    pub fn record(
        &mut self,
        simulation: &Simulation,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
    ) {
        self.scene.floor = simulation.environment().floor.map(|height| height as f32);
        let body = simulation
            .drawn()
            .map(|drawn| drawn.surface)
            .zip(self.draw.as_ref());
        self.renderer.record(
            &simulation.gpu().queue,
            encoder,
            target,
            &self.targets,
            body,
            &self.scene,
        );
    }

    /// Frees the targets and draw data; on the web dropping them would not.
    pub fn destroy(&mut self) {
        self.targets.destroy();
        self.renderer.destroy();
        self.draw = None;
    }
}
