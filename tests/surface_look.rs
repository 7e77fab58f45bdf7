//! Colours of embedded surfaces: textures the right way up, parts, vertex colours, and what cannot be drawn.
#![cfg(all(feature = "gpu", not(target_arch = "wasm32")))]

mod common;
mod render_support;

use common::{SPACE, world};
use glam::Vec3;
use render_support::fixture::{HEIGHT, WIDTH, pixel_of};
use render_support::surfaces::test_card;
use render_support::{Image, Studio};
use std::sync::Arc;
use webgpu_softbody::gpu::GpuError;
use webgpu_softbody::meshing::box_mesh;
use webgpu_softbody::render::{Appearance, Camera, Scene};
use webgpu_softbody::settings::SolverSettings;
use webgpu_softbody::simulation::{BodyOptions, SimulationError};
use webgpu_softbody::surface::{SurfaceImage, SurfaceLook, SurfaceMesh, SurfacePart};

/// A square of 0.8 m that looks along +z at the origin, two triangles in a thin slab of tets. (0, 0) of the image is
/// its upper left corner.
fn square(look: SurfaceLook) -> SurfaceMesh {
    let positions = vec![
        [-0.4, 0.4, 0.05],
        [-0.4, -0.4, 0.05],
        [0.4, -0.4, 0.05],
        [0.4, 0.4, 0.05],
    ];
    let uvs = vec![[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0]];
    SurfaceMesh::new(
        positions,
        vec![[0, 1, 2], [0, 2, 3]],
        SurfaceLook { uvs, ..look },
    )
    .expect("a sound surface")
}

fn facing() -> Scene {
    Scene {
        camera: Camera {
            position: Vec3::new(0.0, 0.0, 2.0),
            target: Vec3::ZERO,
            fov_y_degrees: 30.0,
        },
        appearance: Appearance {
            color: [0.02, 0.02, 0.8],
            roughness: 1.0,
            ..Appearance::default()
        },
        ..Scene::default()
    }
}

/// The picture of a square in this look.
fn picture(look: SurfaceLook) -> Image {
    let studio = Studio::new(WIDTH, HEIGHT);
    let slab = box_mesh([2, 2, 1], [1.0, 1.0, 0.1], [-0.5, -0.5, -0.05]).expect("in range");
    let simulation = studio.world(slab, square(look), &BodyOptions::default());
    studio.shoot(Some(&studio.drawn(&simulation)), &facing())
}

fn part(triangles: u32, color: [f32; 4], image: Option<u32>) -> SurfacePart {
    SurfacePart {
        triangles,
        color,
        image,
    }
}

/// The pixel at a point of the square, from −1 (left, lower) to 1.
fn at(image: &Image, x: f32, y: f32) -> [i32; 3] {
    let [u, v] = pixel_of(&facing().camera, image, Vec3::new(0.4 * x, 0.4 * y, 0.05));
    image.pixel(u, v).map(i32::from)
}

const WHITE: [f32; 4] = [1.0; 4];

#[test]
fn a_texture_is_drawn_the_right_way_up() {
    let look = SurfaceLook {
        parts: vec![part(2, WHITE, Some(0))],
        images: vec![test_card(128)],
        ..SurfaceLook::default()
    };
    let image = picture(look);
    let [r, g, b] = at(&image, -0.9, 0.9);
    assert!(r > b + 60 && g > b + 60, "yellow first texel: {r} {g} {b}");
    let [r, g, b] = at(&image, 0.9, 0.9);
    assert!(r > g + 60 && r > b + 60, "red along u: {r} {g} {b}");
    let [r, g, b] = at(&image, -0.9, -0.9);
    assert!(g > r + 40 && g > b + 40, "green along v: {r} {g} {b}");
    let stem = at(&image, -0.3, -0.3);
    let ground = at(&image, 0.3, -0.3);
    assert!(
        stem.iter().all(|&c| c > 150),
        "the letter is white: {stem:?}"
    );
    assert!(ground[2] > ground[0] + 60, "on blue: {ground:?}");
}

#[test]
fn part_vertex_and_texture_colours_multiply() {
    let none = SurfaceLook::default;
    let plain = picture(none());
    let [r, g, b] = at(&plain, 0.5, 0.0);
    assert!(b > r + 60 && b > g + 60, "the body's own blue: {r} {g} {b}");

    let red = [0.8, 0.02, 0.02, 1.0];
    let green = [0.02, 0.6, 0.02, 0.0];
    let two = picture(SurfaceLook {
        parts: vec![
            part(1, red, None),
            part(0, WHITE, None),
            part(1, green, None),
        ],
        ..none()
    });
    let (lower, upper) = (at(&two, -0.5, -0.5), at(&two, 0.5, 0.5));
    assert!(lower[0] > lower[1] + 60, "first part red: {lower:?}");
    assert!(
        upper[1] > upper[0] + 60,
        "second part green, whatever its alpha: {upper:?}"
    );

    // White, shaded from the left to a colour that is red on the right.
    let ends = |right: [f32; 4]| vec![WHITE, WHITE, right, right];
    let shaded = picture(SurfaceLook {
        colors: ends([1.0, 0.0, 0.0, 1.0]),
        ..none()
    });
    let (left, right) = (at(&shaded, -0.9, 0.0), at(&shaded, 0.9, 0.0));
    assert!(
        left[1] > 150 && right[0] > right[1] + 60,
        "{left:?} to {right:?}"
    );

    // Yellow × cyan texel × white is green.
    let texel = SurfaceImage::Rgba {
        width: 1,
        height: 1,
        texels: vec![0, 255, 255, 255],
    };
    let product = picture(SurfaceLook {
        colors: vec![[1.0, 1.0, 0.0, 1.0]; 4],
        parts: vec![part(2, WHITE, Some(0))],
        images: vec![texel],
        ..none()
    });
    let [r, g, b] = at(&product, 0.0, 0.0);
    assert!(g > r + 60 && g > b + 60, "{r} {g} {b}");
}

#[test]
fn a_fine_pattern_seen_from_far_is_its_mean_in_linear_light() {
    // Black and white columns, 64 of each over some thirty pixels: a 50 % grey of light, sRGB 188.
    let stripes = |texels: Vec<u8>| SurfaceLook {
        parts: vec![part(2, WHITE, Some(0))],
        images: vec![SurfaceImage::Rgba {
            width: 128,
            height: 128,
            texels,
        }],
        ..SurfaceLook::default()
    };
    let columns = (0..128 * 128).flat_map(|i| if i % 2 == 0 { [255; 4] } else { [0, 0, 0, 255] });
    let striped = picture(stripes(columns.collect()));
    let grey = picture(stripes([188, 188, 188, 255].repeat(128 * 128)));
    assert_eq!(
        striped.difference(&grey, 4),
        0,
        "aliasing, or a mean of codes"
    );
}

#[test]
fn the_wireframe_is_that_of_the_surface() {
    let studio = Studio::new(WIDTH, HEIGHT);
    let slab = box_mesh([2, 2, 1], [1.0, 1.0, 0.1], [-0.5, -0.5, -0.05]).expect("in range");
    let simulation = studio.world(
        slab,
        square(SurfaceLook::default()),
        &BodyOptions::default(),
    );
    let body = studio.drawn(&simulation);
    assert_eq!(body.0.edge_index_count, 10, "four sides and a diagonal");
    let plain = studio.shoot(Some(&body), &facing());
    let mut scene = facing();
    scene.appearance.wireframe = true;
    let wired = studio.shoot(Some(&body), &scene);
    assert!(plain.difference(&wired, 12) > 60);
    let middle = |image| at(image, 0.0, 0.5);
    assert_eq!(middle(&plain), middle(&wired), "no edge of the tets");
}

#[test]
fn what_cannot_be_drawn_is_refused_by_name_and_the_body_before_stays() {
    let mesh = || box_mesh([1, 1, 1], [1.0; 3], [-0.5; 3]).expect("in range");
    let mut simulation = world(
        SPACE,
        SolverSettings::default(),
        mesh(),
        &BodyOptions::default(),
    );
    let mut refused = |image: SurfaceImage| {
        let look = SurfaceLook {
            parts: vec![part(2, WHITE, Some(0))],
            images: vec![image],
            ..SurfaceLook::default()
        };
        let error = simulation
            .load(
                mesh(),
                &BodyOptions {
                    surface: Some(Arc::new(square(look))),
                    ..BodyOptions::default()
                },
            )
            .expect_err("refused");
        assert!(
            simulation
                .body()
                .expect("still there")
                .report()
                .surface
                .is_none()
        );
        error
    };
    let encoded = SurfaceImage::Encoded {
        mime: "image/png".to_owned(),
        bytes: vec![1, 2, 3],
    };
    assert_eq!(
        refused(encoded).to_string(),
        "image 0 of the surface is still encoded (image/png, 3 bytes): decode it to RGBA first"
    );
    for (width, height, bytes) in [(0, 5, 0), (2, 2, 12), (65536, 65536, 0)] {
        let error = refused(SurfaceImage::Rgba {
            width,
            height,
            texels: vec![0; bytes],
        });
        let SimulationError::ImageSize {
            image, expected, ..
        } = error
        else {
            panic!("{error}")
        };
        assert_eq!(
            (image, expected),
            (0, 4 * u64::from(width) * u64::from(height))
        );
    }
    let long = refused(SurfaceImage::Rgba {
        width: 8193,
        height: 1,
        texels: vec![0; 4 * 8193],
    });
    let SimulationError::Gpu(GpuError::Limit {
        what,
        needed,
        allowed,
        ..
    }) = long
    else {
        panic!("{long}")
    };
    assert_eq!((needed, allowed), (8193, 8192));
    assert!(what.contains("image 0 of the surface"), "{what}");
}
