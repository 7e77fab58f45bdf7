//! The structs shared with `shaders/render/types.wgsl`, and how a scene becomes one.

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

use super::markers::MAX_MARKERS;
use super::renderer::Scene;
use crate::gpu::surface::SurfaceBuffers;

/// Side of the shadow map in texels.
pub const SHADOW_MAP_SIZE: u32 = 2048;
/// Radius of a marker's disc, pixels of the image.
const MARKER_RADIUS: f32 = 4.5;
/// Direction from the scene towards the sun; normalised when used.
pub const TO_SUN: Vec3 = Vec3::new(-0.42, 0.80, 0.34);

/// Everything that is the same for a whole frame. Twin of `Frame` in `types.wgsl`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[allow(
    missing_docs,
    reason = "documented field by field in types.wgsl, and compared with it by a test"
)]
pub struct Frame {
    pub clip_from_world: [f32; 16],
    pub eye: [f32; 4],
    pub ray_right: [f32; 4],
    pub ray_up: [f32; 4],
    pub ray_forward: [f32; 4],
    pub light_right: [f32; 4],
    pub light_up: [f32; 4],
    pub to_sun: [f32; 4],
    pub color: [f32; 4],
    pub wall_min: [f32; 4],
    pub wall_max: [f32; 4],
    pub ground_center: [f32; 2],
    pub ground_fade: f32,
    pub floor_height: f32,
    pub grid_offset: [f32; 2],
    pub viewport: [f32; 2],
    pub metallic: f32,
    pub anisotropy: f32,
    pub sheen: f32,
    pub through: f32,
    pub has_floor: u32,
    pub encode_srgb: u32,
    pub triangle_index_count: u32,
    pub is_cloth: u32,
    pub markers: [[f32; 4]; MAX_MARKERS],
}

/// Where the light is now; written and read by shaders only. Twin of `Light` in `types.wgsl`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[allow(
    missing_docs,
    reason = "documented field by field in types.wgsl, and compared with it by a test"
)]
pub struct Light {
    pub light_from_world: [f32; 16],
    pub bounds_min: [f32; 4],
    pub bounds_max: [f32; 4],
    pub side: f32,
    pub depth: f32,
    pub texel: f32,
    pub enabled: f32,
}

impl Frame {
    /// The frame of a scene, in a world moved by the body's origin, or by the camera's target without a body.
    pub(super) fn new(
        scene: &Scene,
        body: Option<&SurfaceBuffers>,
        size: [u32; 2],
        encode_srgb: bool,
    ) -> Self {
        let origin = body.map_or_else(|| scene.camera.target.to_array(), |surface| surface.origin);
        let camera = scene.camera.relative_to(origin);
        let [width, height] = size.map(|side| side.max(1) as f32);
        let aspect = width / height;
        let axes = camera.axes();
        let half = camera.half_height();
        let to_sun = TO_SUN.normalize();
        let light_right = Vec3::Y.cross(to_sun).normalize();
        let light_up = to_sun.cross(light_right);
        let [red, green, blue] = scene.appearance.color;
        let wall = scene.wall.map(|(min, max)| {
            (
                Vec3::from(min) - Vec3::from(origin),
                Vec3::from(max) - Vec3::from(origin),
            )
        });
        let (wall_min, wall_max) = wall.unwrap_or_default();
        // Jelly is clear, and a sheet scatters what passes it away from its shadow.
        let cloth = body.is_some_and(|surface| surface.material_coordinates.is_some());
        let through = if cloth { 0.12 } else { 0.42 };
        let mut markers = [[0.0; 4]; MAX_MARKERS];
        for (marker, point) in markers.iter_mut().zip(scene.markers.points()) {
            *marker = (Vec3::from(*point) - Vec3::from(origin))
                .extend(MARKER_RADIUS)
                .to_array();
        }
        Self {
            clip_from_world: camera.clip_from_world(aspect).to_cols_array(),
            eye: camera.position.extend(0.0).to_array(),
            ray_right: (axes.right * half * aspect).extend(0.0).to_array(),
            ray_up: (axes.up * half).extend(0.0).to_array(),
            ray_forward: (-axes.back).extend(0.0).to_array(),
            light_right: light_right.extend(0.0).to_array(),
            light_up: light_up.extend(0.0).to_array(),
            to_sun: to_sun.extend(SHADOW_MAP_SIZE as f32).to_array(),
            color: [red, green, blue, scene.appearance.roughness],
            wall_min: wall_min
                .min(wall_max)
                .extend(if wall.is_some() { 1.0 } else { 0.0 })
                .to_array(),
            wall_max: wall_min.max(wall_max).extend(0.0).to_array(),
            ground_center: [camera.target.x, camera.target.z],
            ground_fade: 6.0 * camera.distance() + 3.0,
            floor_height: scene.floor.map_or(0.0, |height| height - origin[1]),
            // Not by `rem_euclid`, which links a function of 600 bytes.
            grid_offset: [origin[0], origin[2]].map(|x| x - 10.0 * (x / 10.0).floor()),
            viewport: [width, height],
            metallic: scene.appearance.metallic,
            anisotropy: scene.appearance.anisotropy,
            sheen: scene.appearance.sheen,
            through: through * (1.0 - scene.appearance.metallic),
            has_floor: u32::from(scene.floor.is_some()),
            encode_srgb: u32::from(encode_srgb),
            triangle_index_count: body.map_or(0, |surface| surface.triangle_index_count),
            is_cloth: u32::from(cloth),
            markers,
        }
    }
}
