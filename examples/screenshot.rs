//! Draws the renderer's showcase natively and writes PNG files: `cargo run --example screenshot [directory]`.

#[path = "../tests/render_support/mod.rs"]
mod render_support;

use glam::Vec3;
use render_support::surfaces::{surface_of, textured_torus, unwelded};
use render_support::{Image, Shape, Studio};
use std::path::{Path, PathBuf};
use webgpu_softbody::meshing::{box_mesh, torus_mesh};
use webgpu_softbody::render::{Appearance, Camera, Scene};
use webgpu_softbody::settings::{Material, Transform};
use webgpu_softbody::simulation::BodyOptions;
use webgpu_softbody::surface::{SurfaceLook, SurfaceMesh};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directory = std::env::args()
        .nth(1)
        .map_or_else(|| PathBuf::from("target/screenshots"), PathBuf::from);
    std::fs::create_dir_all(&directory)?;
    let wide = Studio::new(1280, 720);
    let tall = Studio::new(360, 640);
    let save = |name: &str, image: &Image| write_png(&directory.join(name), image);

    let cube = slumped_cube();
    let scene = Scene {
        camera: looking_at(&cube, 16.0 / 9.0),
        floor: Some(0.0),
        ..Scene::default()
    };
    let body = wide.body(&cube, [0.0; 3]);
    save("cube.png", &wide.shoot(Some(&body), &scene))?;
    let wireframe = Appearance {
        wireframe: true,
        ..look("#3fa7ff", 0.3, 0.0)?
    };
    save(
        "wireframe.png",
        &wide.shoot(
            Some(&body),
            &Scene {
                appearance: wireframe,
                ..scene
            },
        ),
    )?;
    save(
        "metal.png",
        &wide.shoot(
            Some(&body),
            &Scene {
                appearance: look("#d9a441", 0.3, 1.0)?,
                ..scene
            },
        ),
    )?;
    save(
        "void.png",
        &wide.shoot(
            Some(&body),
            &Scene {
                floor: None,
                ..scene
            },
        ),
    )?;
    let above = Scene {
        camera: scene.camera.zoom(12.0),
        ..scene
    };
    save("far.png", &wide.shoot(Some(&body), &above))?;
    let close = Scene {
        camera: scene.camera.zoom(0.35).orbit(0.9, -0.3),
        ..scene
    };
    save("close.png", &wide.shoot(Some(&body), &close))?;
    let behind = Scene {
        camera: scene.camera.orbit(2.6, -0.05),
        appearance: look("#7fd13b", 0.2, 0.0)?,
        ..scene
    };
    save("behind.png", &wide.shoot(Some(&body), &behind))?;

    let torus = Shape::torus(0.3, 0.13, 96, 48)
        .map(|p| Vec3::new(p.x, 0.9 * p.y + 0.117 + 0.08 * (p.x + 0.43), p.z));
    let body = wide.body(&torus, [0.0; 3]);
    let camera = looking_at(&torus, 16.0 / 9.0);
    let orange = Scene {
        camera,
        appearance: look("#ff8a1f", 0.18, 0.0)?,
        ..scene
    };
    save("torus.png", &wide.shoot(Some(&body), &orange))?;

    let far = wide.body(&cube, [1000.25, 0.0, -730.5]);
    let offset = Vec3::new(1000.25, 0.0, -730.5);
    let camera = Camera {
        position: scene.camera.position + offset,
        target: scene.camera.target + offset,
        ..scene.camera
    };
    save(
        "kilometre.png",
        &wide.shoot(Some(&far), &Scene { camera, ..scene }),
    )?;

    let (beam, wall) = sagging_beam();
    let body = wide.body(&beam, [0.0; 3]);
    let camera = Camera {
        position: Vec3::new(1.6, 1.25, 2.6),
        target: Vec3::new(0.05, 0.45, 0.0),
        fov_y_degrees: 34.0,
    };
    let pinned = Scene {
        camera,
        appearance: look("#12b5a6", 0.25, 0.0)?,
        wall: Some(wall),
        ..scene
    };
    save("beam.png", &wide.shoot(Some(&body), &pinned))?;

    let body = tall.body(&cube, [0.0; 3]);
    let portrait = Scene {
        camera: looking_at(&cube, 9.0 / 16.0),
        appearance: look("#b05cff", 0.25, 0.0)?,
        ..scene
    };
    save("portrait.png", &tall.shoot(Some(&body), &portrait))?;
    for (name, image) in surfaces(&wide)? {
        save(name, &image)?;
    }
    println!("wrote {}", directory.display());
    Ok(())
}

/// Surfaces carried by coarse meshes, half a second after they were dropped.
fn surfaces(studio: &Studio) -> Result<Vec<(&'static str, Image)>, Box<dyn std::error::Error>> {
    let torus = || torus_mesh(0.3, 0.13, 4, 20);
    let options = BodyOptions {
        material: Material::SOFT,
        transform: Transform {
            translation: [0.0, 0.3, 0.0],
            rotation: [0.174, 0.0, 0.0, 0.985],
            scale: 1.0,
        },
        ..BodyOptions::default()
    };
    let plain = textured_torus(160, 80, 4.0);
    let colors = plain.positions().iter().map(|p| {
        let [x, y, z] = p.map(|c| 0.5 + 1.2 * c);
        [x, y, z, 1.0]
    });
    let colored = SurfaceLook {
        colors: colors.collect(),
        ..SurfaceLook::default()
    };
    let bare =
        |look| SurfaceMesh::new(plain.positions().to_vec(), plain.triangles().to_vec(), look);
    let crate_shape = Shape::rounded_box(Vec3::splat(0.25), 0.001, 1);
    let bodies = [
        ("surface-texture.png", torus()?, plain.clone()),
        ("surface-colors.png", torus()?, bare(colored)?),
        ("surface-plain.png", torus()?, bare(SurfaceLook::default())?),
        (
            "surface-cube.png",
            box_mesh([3, 3, 3], [0.5; 3], [-0.25; 3])?,
            unwelded(&surface_of(&crate_shape, SurfaceLook::default())),
        ),
    ];
    let mut images = Vec::new();
    for (name, mesh, surface) in bodies {
        let mut simulation = studio.world(mesh, surface, &options);
        let (low, high) = simulation.body().expect("just loaded").drawn_bounds();
        simulation.step(0.5)?;
        let camera = Camera::frame([low[0], 0.0, low[2]], high, 32.0, 16.0 / 9.0);
        let scene = Scene {
            camera,
            floor: Some(0.0),
            ..Scene::default()
        };
        images.push((name, studio.shoot(Some(&studio.drawn(&simulation)), &scene)));
    }
    Ok(images)
}

fn look(
    color: &str,
    roughness: f32,
    metallic: f32,
) -> Result<Appearance, Box<dyn std::error::Error>> {
    Ok(Appearance {
        color: Appearance::parse_color(color)?,
        roughness,
        metallic,
        ..Appearance::default()
    })
}

fn looking_at(shape: &Shape, aspect: f32) -> Camera {
    let (low, high) = shape.bounds();
    Camera::frame(low.to_array(), high.to_array(), 32.0, aspect)
}

/// A jelly cube caught mid-wobble: bulging at the foot, twisted and leaning above it.
fn slumped_cube() -> Shape {
    Shape::rounded_box(Vec3::splat(0.3), 0.07, 40).map(|p| {
        let height = (p.y + 0.3) / 0.6;
        let widen = 1.0 + 0.16 * (1.0 - height).powi(2) * (2.0 - height);
        let (sin, cos) = (0.35 * height * height).sin_cos();
        let flat = Vec3::new(cos * p.x + sin * p.z, p.y, -sin * p.x + cos * p.z);
        let lean = 0.10 * height * height;
        Vec3::new(
            flat.x * widen + lean,
            0.55 * height - 0.02 * height * height,
            flat.z * widen,
        )
    })
}

/// A beam pinned to a block at its left end, bent by its own weight.
fn sagging_beam() -> (Shape, ([f32; 3], [f32; 3])) {
    let beam = Shape::rounded_box(Vec3::new(0.6, 0.1, 0.12), 0.02, 40).map(|p| {
        let along = p.x + 0.6;
        let angle = 0.75 * along / 1.2;
        let (sin, cos) = angle.sin_cos();
        let radius = 1.2 / 0.75;
        let x = radius * sin + p.y * sin;
        let y = radius * (cos - 1.0) + p.y * cos;
        Vec3::new(x - 0.6, y + 0.75, p.z)
    });
    (beam, ([-0.85, 0.0, -0.3], [-0.58, 1.0, 0.3]))
}

fn write_png(path: &Path, image: &Image) -> Result<(), Box<dyn std::error::Error>> {
    let file = std::io::BufWriter::new(std::fs::File::create(path)?);
    let mut encoder = png::Encoder::new(file, image.width, image.height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&image.rgba)?;
    writer.finish()?;
    Ok(())
}
