//! The scene that the render tests share, and where to look in its picture.

use super::{Image, Shape, Studio};
use glam::Vec3;
use webgpu_softbody::render::uniforms::TO_SUN;
use webgpu_softbody::render::{Appearance, Camera, Scene};

pub const WIDTH: u32 = 96;
pub const HEIGHT: u32 = 64;

pub fn scene() -> Scene {
    Scene {
        camera: Camera {
            position: Vec3::new(0.0, 2.0, 4.0),
            target: Vec3::new(0.0, 0.4, 0.0),
            fov_y_degrees: 40.0,
        },
        appearance: Appearance {
            color: [0.8, 0.03, 0.03],
            roughness: 0.4,
            metallic: 0.0,
            ..Appearance::default()
        },
        floor: Some(0.0),
        ..Scene::default()
    }
}

pub fn studio() -> Studio {
    Studio::new(WIDTH, HEIGHT)
}

/// A ball that hangs at `center`: its shadow lies apart from what it darkens underneath.
pub fn ball(center: Vec3) -> Shape {
    Shape::sphere(0.3, 16).translated(center)
}

/// Pixel that shows a world point.
pub fn pixel_of(camera: &Camera, image: &Image, world: Vec3) -> [u32; 2] {
    let aspect = image.width as f32 / image.height as f32;
    let ndc = camera.clip_from_world(aspect).project_point3(world);
    assert!(
        ndc.x.abs() < 1.0 && ndc.y.abs() < 1.0,
        "{world} is outside the image at {ndc}"
    );
    [
        (0.5 + 0.5 * ndc.x) * image.width as f32,
        (0.5 - 0.5 * ndc.y) * image.height as f32,
    ]
    .map(|c| c as u32)
}

pub fn luma_at(scene: &Scene, image: &Image, world: Vec3) -> f32 {
    let [x, y] = pixel_of(&scene.camera, image, world);
    image.luma(x, y)
}

/// Where the sun throws the shadow of `point` on the ground at height 0.
pub fn shadow_of(point: Vec3) -> Vec3 {
    point - TO_SUN * (point.y / TO_SUN.y)
}
