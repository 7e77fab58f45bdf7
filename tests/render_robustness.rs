//! The renderer far away, on broken geometry, and on any size or format: the light follows, nothing is NaN or invalid.
#![cfg(all(feature = "gpu", not(target_arch = "wasm32")))]

mod render_support;

use glam::Vec3;
use render_support::Studio;
use render_support::fixture::{HEIGHT, WIDTH, ball, luma_at, scene, shadow_of, studio};
use webgpu_softbody::render::uniforms::Light;
use webgpu_softbody::render::{Camera, Scene, Targets};

fn light(studio: &Studio) -> Light {
    bytemuck::pod_read_unaligned(&studio.gpu.read(studio.targets.light()))
}

#[test]
fn the_light_box_holds_the_body_wherever_it_went() {
    let studio = studio();
    let rest = ball(Vec3::ZERO);
    let body = studio.body(&rest, [0.0; 3]);
    for center in [
        Vec3::Y,
        Vec3::new(70.0, 3.0, -40.0),
        Vec3::new(-0.01, 5000.0, 0.0),
    ] {
        let now = rest.clone().map(|p| p * Vec3::new(4.0, 0.3, 1.0) + center);
        studio.gpu.write_positions(&body.0, &now.positions);
        studio.shoot(Some(&body), &scene());
        let light = light(&studio);
        let (low, high) = now.bounds();
        assert_eq!(light.bounds_min[..3], low.to_array(), "around {center}");
        assert_eq!(light.bounds_max[..3], high.to_array(), "around {center}");
        assert_eq!((light.bounds_min[3], light.enabled), (1.0, 1.0));
        let clip = glam::Mat4::from_cols_array(&light.light_from_world);
        for point in now.positions {
            let p = clip.project_point3(point);
            assert!(
                p.x.abs() < 1.0 && p.y.abs() < 1.0 && p.z > 0.0 && p.z < 1.0,
                "{point} falls outside at {p}"
            );
        }
    }
}

#[test]
fn a_far_away_body_casts_its_shadow_too() {
    let studio = studio();
    let center = Vec3::new(60.0, 0.9, -35.0);
    let body = studio.body(&ball(Vec3::Y), [0.0; 3]);
    studio.gpu.write_positions(&body.0, &ball(center).positions);
    let near = scene();
    let by = Vec3::new(center.x, 0.0, center.z);
    let camera = Camera {
        position: near.camera.position + by,
        target: near.camera.target + by,
        ..near.camera
    };
    let scene = Scene { camera, ..near };
    let image = studio.shoot(Some(&body), &scene);
    assert!(image.reddish().len() > 50, "the body was culled");
    let at = shadow_of(center);
    let lit = luma_at(&scene, &image, Vec3::new(by.x - (at.x - by.x), 0.0, at.z));
    assert!(
        luma_at(&scene, &image, at) < 0.85 * lit,
        "no shadow at {at}"
    );
}

#[test]
fn geometry_that_is_not_finite_leaves_every_pixel_and_the_light_finite() {
    let studio = studio();
    let shape = ball(Vec3::new(0.0, 0.5, 0.0));
    let body = studio.body(&shape, [0.0; 3]);
    let scene = scene();
    let healthy = studio.shoot(Some(&body), &scene);
    let mut broken = shape.positions.clone();
    broken[3] = Vec3::NAN;
    broken[40] = Vec3::new(f32::INFINITY, 0.0, f32::NEG_INFINITY);
    broken[90] = Vec3::splat(3.0e38);
    studio.gpu.write_positions(&body.0, &broken);
    let normals = vec![[f32::NAN, 0.0, f32::INFINITY, 0.0]; shape.positions.len()];
    studio
        .gpu
        .queue
        .write_buffer(&body.0.normals, 0, bytemuck::cast_slice(&normals));
    let image = studio.shoot(Some(&body), &scene);
    // A NaN stored in a unorm target reads as black; nothing in this scene is black.
    let darkest = (0..HEIGHT)
        .flat_map(|y| (0..WIDTH).map(move |x| (x, y)))
        .map(|(x, y)| image.luma(x, y));
    let darkest = darkest.fold(f32::INFINITY, f32::min);
    assert!(darkest > 12.0, "darkest pixel {darkest}");
    let (seen, expected) = (image.reddish().len(), healthy.reddish().len());
    assert!(
        seen * 10 > expected * 8,
        "{seen} of {expected} red pixels left"
    );
    let light = light(&studio);
    assert!(
        bytemuck::cast_slice::<u8, f32>(bytemuck::bytes_of(&light))
            .iter()
            .all(|v| v.is_finite()),
        "{light:?}"
    );
    assert!(
        light.side < 2.0,
        "three bad vertices stretched the light to {} m",
        light.side
    );

    // A body with no finite vertex at all is not there.
    studio
        .gpu
        .write_positions(&body.0, &vec![Vec3::NAN; shape.positions.len()]);
    let gone = studio.shoot(Some(&body), &scene);
    assert!(gone.difference(&studio.shoot(None, &scene), 6) < 20);
}

#[test]
fn a_kilometre_from_the_origin_looks_the_same() {
    let studio = studio();
    let shape = ball(Vec3::new(0.0, 0.5, 0.0));
    let near = scene();
    let origin = [1000.0, 0.0, -730.0];
    let by = Vec3::from(origin);
    let camera = Camera {
        position: near.camera.position + by,
        target: near.camera.target + by,
        ..near.camera
    };
    let here = studio.shoot(Some(&studio.body(&shape, [0.0; 3])), &near);
    let there = studio.shoot(
        Some(&studio.body(&shape, origin)),
        &Scene { camera, ..near },
    );
    let changed = here.difference(&there, 6);
    assert!(
        changed < (WIDTH * HEIGHT / 100) as usize,
        "{changed} pixels differ"
    );
}

#[test]
fn an_srgb_target_stores_the_same_picture() {
    let shape = ball(Vec3::new(0.0, 0.5, 0.0));
    let [plain, encoded] = [
        wgpu::TextureFormat::Rgba8Unorm,
        wgpu::TextureFormat::Rgba8UnormSrgb,
    ]
    .map(|format| {
        let studio = Studio::with_format(WIDTH, HEIGHT, format);
        studio.shoot(Some(&studio.body(&shape, [0.0; 3])), &scene())
    });
    // Edges differ: one resolves encoded samples, the other linear ones.
    let changed = plain.difference(&encoded, 3);
    assert!(
        changed < (WIDTH * HEIGHT / 20) as usize,
        "{changed} pixels differ"
    );
}

#[test]
fn any_size_and_any_camera_draw_without_a_validation_error() {
    let mut studio = studio();
    let shape = ball(Vec3::new(0.0, 0.5, 0.0));
    let body = studio.body(&shape, [0.0; 3]);
    let base = scene();
    let inside = Camera {
        position: Vec3::new(0.0, 0.5, 0.0),
        target: Vec3::new(0.0, 0.5, 0.1),
        fov_y_degrees: 90.0,
    };
    let degenerate = Camera {
        position: Vec3::Y,
        target: Vec3::Y,
        fov_y_degrees: f32::NAN,
    };
    let cameras = [
        base.camera,
        base.camera.zoom(1e9),
        base.camera.zoom(1e-9),
        inside,
        degenerate,
    ];
    for (width, height) in [(1, 1), (37, 91), (200, 16)] {
        studio.targets = Targets::new(&studio.gpu.device, &studio.renderer, width, height);
        for camera in cameras {
            let image = studio.shoot(Some(&body), &Scene { camera, ..base });
            assert_eq!(image.rgba.len(), (4 * width * height) as usize);
        }
    }
    let mut empty = body.clone();
    empty.0.triangle_index_count = 0;
    studio.targets = Targets::new(&studio.gpu.device, &studio.renderer, WIDTH, HEIGHT);
    assert_eq!(
        studio
            .shoot(Some(&empty), &base)
            .difference(&studio.shoot(None, &base), 0),
        0
    );
    studio.targets.destroy();
    studio.renderer.destroy();
}
