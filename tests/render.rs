//! Pixel properties of the renderer on a software GPU: shadow, silhouette, wireframe, wall, grid, and bad geometry.
#![cfg(feature = "gpu")]

mod render_support;

use glam::Vec3;
use render_support::{Image, Shape, Studio, centroid};
use webgpu_softbody::render::uniforms::{Light, TO_SUN};
use webgpu_softbody::render::{Appearance, Camera, Scene, Targets};

const WIDTH: u32 = 96;
const HEIGHT: u32 = 64;

fn scene() -> Scene {
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
            wireframe: false,
        },
        floor: Some(0.0),
        wall: None,
    }
}

fn studio() -> Studio {
    Studio::new(WIDTH, HEIGHT)
}

/// A ball that hangs at `center`: its shadow lies apart from what it darkens underneath.
fn ball(center: Vec3) -> Shape {
    Shape::sphere(0.3, 16).translated(center)
}

/// Pixel that shows a world point.
fn pixel_of(camera: &Camera, image: &Image, world: Vec3) -> [u32; 2] {
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

fn luma_at(scene: &Scene, image: &Image, world: Vec3) -> f32 {
    let [x, y] = pixel_of(&scene.camera, image, world);
    image.luma(x, y)
}

/// Where the sun throws the shadow of `point` on the ground at height 0.
fn shadow_of(point: Vec3) -> Vec3 {
    point - TO_SUN * (point.y / TO_SUN.y)
}

fn light(studio: &Studio) -> Light {
    bytemuck::pod_read_unaligned(&studio.gpu.read(studio.targets.light()))
}

#[test]
fn a_frame_shows_the_body_the_ground_and_the_sky() {
    let studio = studio();
    let body = studio.body(&ball(Vec3::new(0.0, 0.5, 0.0)), [0.0; 3]);
    let image = studio.shoot(Some(&body), &scene());
    let red = image.reddish();
    // The disk of the ball covers a known area; perspective and the anti-aliased rim leave some slack.
    let radius =
        HEIGHT as f32 * 0.5 * 0.3 / (20.0_f32.to_radians().tan() * scene().camera.distance());
    let expected = std::f32::consts::PI * radius * radius;
    assert!(
        (red.len() as f32 - expected).abs() < 0.25 * expected,
        "{} red pixels, expected {expected}",
        red.len()
    );
    let colors: std::collections::HashSet<_> = image.rgba.chunks(4).collect();
    assert!(colors.len() > 100, "only {} colours", colors.len());
    assert!(
        image.rgba.chunks(4).all(|pixel| pixel[3] == 255),
        "the image has to be opaque"
    );
}

#[test]
fn the_shadow_is_darker_than_the_lit_ground_and_lies_where_the_sun_puts_it() {
    let studio = studio();
    let center = Vec3::new(0.0, 0.9, 0.0);
    let body = studio.body(&ball(center), [0.0; 3]);
    let scene = scene();
    let with = studio.shoot(Some(&body), &scene);
    let without = studio.shoot(None, &scene);
    let at = shadow_of(center);
    let (dark, lit) = (luma_at(&scene, &with, at), luma_at(&scene, &without, at));
    assert!(dark < 0.85 * lit, "shadow {dark}, lit {lit}");
    // Away from the shadow the ground is as it was.
    let mirrored = Vec3::new(-at.x, 0.0, 0.6);
    let (a, b) = (
        luma_at(&scene, &with, mirrored),
        luma_at(&scene, &without, mirrored),
    );
    assert!(
        (a - b).abs() < 6.0,
        "lit ground {a} with the body, {b} without"
    );
}

#[test]
fn new_positions_move_silhouette_shadow_and_light_with_no_other_call() {
    let studio = studio();
    let (from, to) = (Vec3::new(-0.5, 0.9, 0.0), Vec3::new(0.4, 0.7, -0.2));
    let body = studio.body(&ball(from), [0.0; 3]);
    let scene = scene();
    let before = studio.shoot(Some(&body), &scene);
    studio.gpu.write_positions(&body.0, &ball(to).positions);
    let after = studio.shoot(Some(&body), &scene);

    for (image, center) in [(&before, from), (&after, to)] {
        let [x, y] = centroid(&image.reddish());
        let [u, v] = pixel_of(&scene.camera, image, center).map(|c| c as f32 + 0.5);
        assert!(
            (x - u).abs() < 2.0 && (y - v).abs() < 2.0,
            "ball at ({x}, {y}), expected ({u}, {v})"
        );
    }
    let (old, new) = (shadow_of(from), shadow_of(to));
    assert!(
        luma_at(&scene, &before, old) < 0.85 * luma_at(&scene, &after, old),
        "old shadow stayed"
    );
    assert!(
        luma_at(&scene, &after, new) < 0.85 * luma_at(&scene, &before, new),
        "shadow did not follow"
    );
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
fn a_flat_lit_face_has_no_acne_and_the_shadow_touches_the_contact() {
    let studio = studio();
    let slab = Shape::rounded_box(Vec3::new(0.6, 0.25, 0.6), 0.02, 24)
        .translated(Vec3::new(0.0, 0.25, 0.0));
    let body = studio.body(&slab, [0.0; 3]);
    let camera = Camera {
        position: Vec3::new(1.2, 3.2, 2.0),
        target: Vec3::new(0.2, 0.2, 0.0),
        fov_y_degrees: 35.0,
    };
    let scene = Scene {
        camera,
        appearance: Appearance {
            roughness: 1.0,
            ..scene().appearance
        },
        ..scene()
    };
    let image = studio.shoot(Some(&body), &scene);
    let face: Vec<f32> = (0..100)
        .map(|i| {
            Vec3::new(
                0.08 * (i % 10) as f32 - 0.36,
                0.5,
                0.08 * (i / 10) as f32 - 0.36,
            )
        })
        .map(|p| luma_at(&scene, &image, p))
        .collect();
    let (low, high) = face
        .iter()
        .fold((f32::INFINITY, 0.0_f32), |(l, h), &v| (l.min(v), h.max(v)));
    assert!(
        high - low < 0.12 * high,
        "top face between {low} and {high}"
    );
    // A few centimetres beside the foot, on the side away from the sun.
    let beside = luma_at(&scene, &image, Vec3::new(0.68, 0.0, 0.0));
    let lit = luma_at(
        &scene,
        &studio.shoot(None, &scene),
        Vec3::new(0.68, 0.0, 0.0),
    );
    assert!(beside < 0.75 * lit, "beside the foot {beside}, lit {lit}");
}

#[test]
fn the_wireframe_draws_over_the_body_and_only_there() {
    let studio = studio();
    let body = studio.body(&ball(Vec3::new(0.0, 0.5, 0.0)), [0.0; 3]);
    let plain = scene();
    let wired = Scene {
        appearance: Appearance {
            wireframe: true,
            ..plain.appearance
        },
        ..plain
    };
    let (a, b) = (
        studio.shoot(Some(&body), &plain),
        studio.shoot(Some(&body), &wired),
    );
    let changed = a.difference(&b, 12);
    assert!(changed > 60, "{changed} pixels changed");
    assert!(
        changed < a.reddish().len() + 60,
        "{changed} pixels changed, more than the body covers"
    );
}

#[test]
fn the_wall_block_is_drawn_lit_and_casts_a_shadow_without_a_body() {
    let studio = studio();
    let (low, high) = (Vec3::new(-0.4, 0.0, -0.2), Vec3::new(-0.2, 1.0, 0.2));
    let plain = scene();
    let walled = Scene {
        wall: Some((low.to_array(), high.to_array())),
        ..plain
    };
    let (without, with) = (studio.shoot(None, &plain), studio.shoot(None, &walled));
    // The face towards the camera is darker than the ground behind it; from outside, every face is there.
    let front = Vec3::new(-0.3, 0.5, 0.2);
    assert!(luma_at(&walled, &with, front) < 0.8 * luma_at(&walled, &without, front));
    let shadow = shadow_of(Vec3::new(-0.2, 0.6, 0.0));
    assert!(luma_at(&walled, &with, shadow) < 0.85 * luma_at(&walled, &without, shadow));
    // Corners given the wrong way round are the same block.
    let swapped = Scene {
        wall: Some((high.to_array(), low.to_array())),
        ..plain
    };
    assert_eq!(studio.shoot(None, &swapped).difference(&with, 0), 0);
}

#[test]
fn every_face_of_the_wall_block_faces_outwards() {
    let studio = studio();
    let walled = Scene {
        wall: Some(([-0.3, 0.1, -0.3], [0.3, 0.7, 0.3])),
        floor: None,
        ..scene()
    };
    let target = Vec3::new(0.0, 0.4, 0.0);
    for eye in [
        Vec3::X,
        Vec3::NEG_X,
        Vec3::Z,
        Vec3::NEG_Z,
        Vec3::Y,
        Vec3::NEG_Y,
    ] {
        let camera = Camera {
            position: target + 2.0 * eye,
            target,
            fov_y_degrees: 40.0,
        };
        let seen = Scene { camera, ..walled };
        let (with, without) = (
            studio.shoot(None, &seen),
            studio.shoot(None, &Scene { wall: None, ..seen }),
        );
        // The near face: 0.3 m at 1.7 m; the far face through a missing near one would cover only (1.7/2.3)² of it.
        let side = 0.6 * HEIGHT as f32 / (2.0 * 1.7 * 20.0_f32.to_radians().tan());
        let changed = with.difference(&without, 8) as f32;
        assert!(
            (changed - side * side).abs() < 0.15 * side * side,
            "from {eye}: {changed} of {}",
            side * side
        );
    }
}

#[test]
fn the_grid_is_on_the_ground_and_nowhere_without_one() {
    let studio = studio();
    let largest_step = |image: &Image| {
        let steps = (0..HEIGHT).flat_map(|y| (1..WIDTH).map(move |x| (x, y)));
        steps
            .map(|(x, y)| (image.luma(x, y) - image.luma(x - 1, y)).abs())
            .fold(0.0, f32::max)
    };
    let near = Scene {
        camera: scene().camera.zoom(0.3),
        ..scene()
    };
    let with = largest_step(&studio.shoot(None, &near));
    let without = largest_step(&studio.shoot(
        None,
        &Scene {
            floor: None,
            ..scene()
        },
    ));
    assert!(
        with > 15.0,
        "grid lines differ from the ground by only {with}"
    );
    assert!(
        without < 2.5,
        "without a floor neighbours differ by {without}"
    );
    // From below there is no ground either.
    let camera = Camera {
        position: Vec3::new(0.0, -2.0, 4.0),
        target: Vec3::new(0.0, -1.0, 0.0),
        fov_y_degrees: 40.0,
    };
    let below = studio.shoot(None, &Scene { camera, ..scene() });
    assert!(largest_step(&below) < 2.5, "the ground shows from below");
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
