//! Pixel properties of the renderer on a software GPU: shadow, silhouette, wireframe, wall block and grid.
#![cfg(all(feature = "gpu", not(target_arch = "wasm32")))]

mod render_support;

use glam::Vec3;
use render_support::fixture::{HEIGHT, WIDTH, ball, luma_at, pixel_of, scene, shadow_of, studio};
use render_support::{Image, Shape, centroid};
use webgpu_softbody::render::{Appearance, Camera, Scene};

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
fn a_tilted_lit_face_has_no_acne() {
    let studio = studio();
    // Turned away from the sun until it meets the face at a slant, where a shadow map is at its worst.
    let turn = glam::Quat::from_rotation_z(-0.75);
    let center = Vec3::new(0.0, 0.8, 0.0);
    let slab = Shape::rounded_box(Vec3::new(0.6, 0.2, 0.6), 0.02, 24);
    let body = studio.body(&slab.map(|p| center + turn * p), [0.0; 3]);
    let camera = Camera {
        position: center + 4.0 * (turn * Vec3::new(0.2, 1.0, 0.3)),
        target: center,
        fov_y_degrees: 25.0,
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
    let at = |i: i32, j: i32| {
        let on_face = Vec3::new(0.05 * i as f32, 0.2, 0.05 * j as f32);
        luma_at(&scene, &image, center + turn * on_face)
    };
    // Light varies slowly over the face: a point and the mean of its neighbours are nearly the same.
    let roughest = (-8..=8)
        .flat_map(|i| (-8..=8).map(move |j| (i, j)))
        .map(|(i, j)| {
            (at(i, j) - 0.25 * (at(i - 1, j) + at(i + 1, j) + at(i, j - 1) + at(i, j + 1))).abs()
        })
        .fold(0.0, f32::max);
    assert!(roughest < 2.5, "the face is rough by {roughest}");
}

#[test]
fn the_shadow_touches_the_contact() {
    let studio = studio();
    // A metre wide and two centimetres high: a bias of that size would detach or swallow its shadow.
    let half = Vec3::new(0.5, 0.01, 0.5);
    let plate = Shape::rounded_box(half, 0.001, 24).translated(Vec3::new(0.0, half.y, 0.0));
    let body = studio.body(&plate, [0.0; 3]);
    // From the side away from the sun, close enough that a pixel is two millimetres.
    let foot = Vec3::new(0.5, 0.0, 0.0);
    let camera = Camera {
        position: foot + Vec3::new(0.2, 0.15, 0.0),
        target: foot,
        fov_y_degrees: 25.0,
    };
    let scene = Scene { camera, ..scene() };
    let with = studio.shoot(Some(&body), &scene);
    let beside = |distance: f32| luma_at(&scene, &with, foot + distance * Vec3::X);
    // The shadow reaches 0.02 m × 0.42 / 0.80 = 10.5 mm.
    let lit = beside(0.025);
    for distance in [0.003, 0.005] {
        let dark = beside(distance);
        assert!(
            dark < 0.75 * lit,
            "{distance} m beside the foot {dark}, lit {lit}"
        );
    }
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
        with > 10.0,
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
