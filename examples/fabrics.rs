//! Draws silk beside cotton natively and writes PNG files: `cargo run --example fabrics [directory]`.

#[path = "../tests/render_support/mod.rs"]
mod render_support;

use glam::{Vec2, Vec3};
use render_support::cloth::Sheet;
use render_support::{Image, Studio};
use std::path::{Path, PathBuf};
use webgpu_softbody::render::{Appearance, Camera, Markers, Scene};

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn main() -> Outcome {
    let directory = std::env::args()
        .nth(1)
        .map_or_else(|| PathBuf::from("target/screenshots"), PathBuf::from);
    std::fs::create_dir_all(&directory)?;
    let studio = Studio::new(800, 800);
    let silk = Appearance {
        color: Appearance::parse_color("#b01f4a")?,
        roughness: 0.45,
        metallic: 0.4,
        anisotropy: 0.8,
        sheen: 0.1,
        ..Appearance::default()
    };
    let cotton = Appearance {
        color: Appearance::parse_color("#d9cdb4")?,
        roughness: 0.85,
        anisotropy: 0.0,
        sheen: 0.3,
        ..Appearance::default()
    };
    let curtain = Camera {
        position: Vec3::new(1.0, 1.2, 3.1),
        target: Vec3::new(0.0, 0.72, 0.0),
        fov_y_degrees: 36.0,
    };
    let table = Camera {
        position: Vec3::new(1.3, 1.5, 1.9),
        target: Vec3::new(0.0, 0.3, 0.0),
        fov_y_degrees: 34.0,
    };
    for (name, sheet, camera) in [
        ("curtain", hanging(), curtain),
        ("curtain-behind", hanging(), curtain.orbit(2.9, 0.0)),
        ("table", draped(), table),
    ] {
        let body = studio.cloth(&sheet);
        let shots: Vec<Image> = [silk, cotton]
            .into_iter()
            .map(|appearance| {
                let held = [sheet.positions[0], sheet.positions[128 * 64 + 60]];
                let scene = Scene {
                    camera,
                    appearance,
                    floor: Some(0.0),
                    markers: Markers::new(&held.map(|p| p.to_array())),
                    ..Scene::default()
                };
                studio.shoot(Some(&body), &scene)
            })
            .collect();
        write_png(&directory.join(format!("{name}.png")), &beside(&shots))?;
    }
    println!("wrote {}", directory.display());
    Ok(())
}

/// A curtain: folds that widen downwards, and wander a little.
fn hanging() -> Sheet {
    let size = Vec2::new(2.0, 1.4);
    Sheet::new(size, 160, move |m| {
        let down = 1.0 - m.y / size.y;
        // The direction of the cloth seen from above winds to and fro along its width, which keeps its length.
        let steps = 100;
        let length = m.x / steps as f32;
        let spot: Vec2 = (0..steps)
            .map(|i| {
                let s = (i as f32 + 0.5) * length;
                let wander = 0.7 * (2.3 * s + 1.0).sin() * down + 0.9 * (3.1 * s).sin();
                let swing = 0.8 + 0.35 * down + 0.3 * (2.7 * s + 2.0 * down + 0.5).sin();
                length * Vec2::from_angle(swing * (17.0 * s + wander).sin())
            })
            .sum();
        Vec3::new(spot.x - 0.8, 0.06 + m.y, spot.y)
    })
}

/// A tablecloth: flat in the middle, falling in folds round it.
fn draped() -> Sheet {
    let size = Vec2::splat(1.9);
    Sheet::new(size, 160, move |m| {
        let flat = m - 0.5 * size;
        let (radius, angle) = (flat.length(), flat.y.atan2(flat.x));
        let edge = 0.42;
        let past = (radius - edge).max(0.0);
        // The rounded edge of the table, then down.
        let bend = 0.08;
        let turn = (past / bend).min(std::f32::consts::FRAC_PI_2);
        let below = (past - bend * std::f32::consts::FRAC_PI_2).max(0.0);
        let out = radius.min(edge) + bend * turn.sin();
        let fall = bend * (1.0 - turn.cos()) + below;
        let fold = (11.0 * angle + 0.7 * (3.0 * angle).sin()).sin();
        let flare = below * below / (below + 0.1) * (0.2 + 0.17 * fold);
        let spot = Vec2::from_angle(angle) * (out + flare);
        Vec3::new(spot.x, 0.62 - fall, -spot.y)
    })
}

/// Pictures of one height side by side.
fn beside(images: &[Image]) -> Image {
    let width = images.iter().map(|image| image.width).sum();
    let height = images[0].height;
    let mut rgba = Vec::with_capacity((4 * width * height) as usize);
    for y in 0..height as usize {
        for image in images {
            let row = 4 * image.width as usize;
            rgba.extend_from_slice(&image.rgba[y * row..(y + 1) * row]);
        }
    }
    Image {
        width,
        height,
        rgba,
    }
}

fn write_png(path: &Path, image: &Image) -> Outcome {
    let file = std::io::BufWriter::new(std::fs::File::create(path)?);
    let mut encoder = png::Encoder::new(file, image.width, image.height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    Ok(encoder.write_header()?.write_image_data(&image.rgba)?)
}
