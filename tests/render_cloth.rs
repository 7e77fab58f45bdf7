//! Pixel properties of cloth on a software GPU: both sides, shadows, highlights along the threads, sheen; and markers.
#![cfg(all(feature = "gpu", not(target_arch = "wasm32")))]

mod render_support;

use glam::{Quat, Vec2, Vec3};
use render_support::cloth::Sheet;
use render_support::fixture::{ball, luma_at, pixel_of, shadow_of};
use render_support::{Image, Studio};
use webgpu_softbody::render::uniforms::TO_SUN;
use webgpu_softbody::render::{Appearance, Camera, MAX_MARKERS, Markers, Scene};

const SIDE: u32 = 160;

fn cotton() -> Appearance {
    Appearance {
        color: [0.5, 0.45, 0.4],
        roughness: 0.9,
        ..Appearance::default()
    }
}

fn scene(position: Vec3, target: Vec3) -> Scene {
    Scene {
        camera: Camera {
            position,
            target,
            fov_y_degrees: 30.0,
        },
        appearance: cotton(),
        floor: Some(0.0),
        ..Scene::default()
    }
}

/// A flat metre of cloth round `center` whose outer side faces `normal`.
fn flat(center: Vec3, normal: Vec3) -> Sheet {
    let turn = Quat::from_rotation_arc(Vec3::Y, normal.normalize());
    Sheet::new(Vec2::ONE, 24, |m| {
        center + turn * Vec3::new(m.x - 0.5, 0.0, 0.5 - m.y)
    })
}

fn darkest(image: &Image) -> f32 {
    let pixels = (0..image.height).flat_map(|y| (0..image.width).map(move |x| (x, y)));
    pixels.fold(f32::INFINITY, |least, (x, y)| least.min(image.luma(x, y)))
}

#[test]
fn both_sides_are_lit_and_neither_depends_on_the_winding() {
    let studio = Studio::new(SIDE, SIDE);
    let center = Vec3::new(0.0, 1.0, 0.0);
    let towards = Vec3::new(TO_SUN.x, 0.2, TO_SUN.z).normalize();
    let sheet = flat(center, towards);
    let bodies = [studio.cloth(&sheet), studio.cloth(&sheet.turned())];
    let luma = [3.0, -3.0].map(|distance| {
        let scene = scene(center + distance * towards, center);
        let [a, b] = [0, 1].map(|i| studio.shoot(Some(&bodies[i]), &scene));
        assert!(a.difference(&b, 3) < 30, "the winding shows");
        luma_at(&scene, &a, center)
    });
    // Sunlight on one side, on the other what passes and the light of the sky.
    assert!(luma[0] > 150.0 && luma[1] > 90.0, "{luma:?}");
    assert!(luma[0] > luma[1] + 30.0, "{luma:?}");
}

#[test]
fn a_shadow_that_falls_on_a_sheet_is_seen_from_both_sides() {
    let studio = Studio::new(SIDE, SIDE);
    let center = Vec3::new(0.0, 1.0, 0.0);
    let towards = Vec3::new(TO_SUN.x, 0.2, TO_SUN.z).normalize();
    let body = studio.cloth(&flat(center, towards));
    // A block between the middle of the sheet and the sun, out of the way of both cameras.
    let blocker = center + 0.6 * TO_SUN.normalize();
    let half = Vec3::splat(0.12);
    for distance in [3.0, -3.0] {
        let open = scene(center + distance * towards, center);
        let shaded = Scene {
            wall: Some(((blocker - half).to_array(), (blocker + half).to_array())),
            ..open
        };
        let [lit, dark] = [open, shaded].map(|scene| {
            let image = studio.shoot(Some(&body), &scene);
            luma_at(&scene, &image, center)
        });
        assert!(
            dark < 0.93 * lit,
            "from {distance} m: {dark} in the shadow, {lit} without it"
        );
    }
}

#[test]
fn neither_side_has_acne_at_any_slant() {
    let studio = Studio::new(SIDE, SIDE);
    let sun = TO_SUN.normalize();
    let across = sun.cross(Vec3::Y).normalize();
    let center = Vec3::new(0.0, 1.5, 0.0);
    for degrees in [0.0_f32, 40.0, 70.0, 82.0, 88.0] {
        let normal = Quat::from_axis_angle(across, degrees.to_radians()) * sun;
        let sheet = flat(center, normal);
        let body = studio.cloth(&sheet);
        for side in [1.0, -1.0] {
            let eye = (side * normal + 0.2 * across).normalize();
            let scene = Scene {
                floor: None,
                ..scene(center + 3.0 * eye, center)
            };
            let image = studio.shoot(Some(&body), &scene);
            let turn = Quat::from_rotation_arc(Vec3::Y, normal);
            let at = |i: i32, j: i32| {
                let on_sheet = 0.025 * Vec3::new(i as f32, 0.0, j as f32);
                luma_at(&scene, &image, center + turn * on_sheet)
            };
            let roughest = (-16..=16)
                .flat_map(|i| (-16..=16).map(move |j| (i, j)))
                .map(|(i, j)| {
                    let around = at(i - 1, j) + at(i + 1, j) + at(i, j - 1) + at(i, j + 1);
                    (at(i, j) - 0.25 * around).abs()
                })
                .fold(0.0, f32::max);
            assert!(
                roughest < 2.5,
                "{degrees}° from the sun, side {side}: rough by {roughest}"
            );
        }
    }
}

#[test]
fn the_ground_under_a_sheet_is_dark_whichever_way_it_faces() {
    let studio = Studio::new(SIDE, SIDE);
    let center = Vec3::new(0.0, 0.9, 0.0);
    let sheet = Sheet::level(0.8, center);
    let scene = scene(Vec3::new(0.0, 2.4, 4.6), Vec3::new(0.2, 0.3, 0.0));
    let at = shadow_of(center);
    let lit = luma_at(&scene, &studio.shoot(None, &scene), at);
    for sheet in [sheet.clone(), sheet.turned()] {
        let image = studio.shoot(Some(&studio.cloth(&sheet)), &scene);
        let dark = luma_at(&scene, &image, at);
        assert!(dark < 0.75 * lit, "shadow {dark}, lit {lit}");
    }
}

/// A cap of a sphere of 1 m seen so that the sun's reflection is on its top.
fn cap() -> Sheet {
    Sheet::new(Vec2::ONE, 48, |m| {
        let p = m - 0.5;
        Vec3::new(p.x, 1.0 + (1.0 - p.length_squared()).sqrt() - 1.0, -p.y)
    })
}

/// Extent of the highlight along warp and weft of the `cap`, metres, in this look.
fn highlight(studio: &Studio, sheet: &Sheet, anisotropy: f32) -> Vec2 {
    let top = Vec3::Y;
    let mirrored = Vec3::new(-TO_SUN.x, TO_SUN.y, -TO_SUN.z).normalize();
    let scene = Scene {
        appearance: Appearance {
            color: [0.01; 3],
            roughness: 0.35,
            anisotropy,
            ..Appearance::default()
        },
        floor: None,
        ..scene(top + 3.0 * mirrored, top)
    };
    let image = studio.shoot(Some(&studio.cloth(sheet)), &scene);
    let lumas: Vec<(Vec2, f32)> = sheet
        .positions
        .iter()
        .zip(&cap().material)
        .filter(|(_, m)| (**m - 0.5).length() < 0.4)
        .map(|(&p, &m)| (m - 0.5, luma_at(&scene, &image, p)))
        .collect();
    let brightest = lumas
        .iter()
        .fold(0.0, |most: f32, (_, luma)| most.max(*luma));
    let (sum, squares) = lumas
        .iter()
        .fold((0.0, Vec2::ZERO), |(sum, squares), (m, luma)| {
            let weight = (luma - 0.6 * brightest).max(0.0);
            (sum + weight, squares + weight * *m * *m)
        });
    let extent = squares / sum;
    Vec2::new(extent.x.sqrt(), extent.y.sqrt())
}

#[test]
fn highlights_stretch_along_the_warp_and_turn_with_it() {
    let studio = Studio::new(SIDE, SIDE);
    let (sheet, swapped) = (cap(), cap().swapped());
    let round = highlight(&studio, &sheet, 0.0);
    assert!((round.x / round.y - 1.0).abs() < 0.25, "round: {round}");
    let along = highlight(&studio, &sheet, 0.9);
    assert!(along.x > 1.5 * along.y, "along the warp: {along}");
    let turned = highlight(&studio, &swapped, 0.9);
    assert!(turned.y > 1.5 * turned.x, "warp and weft swapped: {turned}");
    let weft = highlight(&studio, &sheet, -0.9);
    assert!(weft.y > 1.5 * weft.x, "along the weft: {weft}");
    // It is the directions of the coordinates that count, not their scale or where they begin.
    let mut scaled = sheet.clone();
    for m in &mut scaled.material {
        *m = 7.0 * *m + Vec2::new(40.0, -3.0);
    }
    let again = highlight(&studio, &scaled, 0.9);
    assert!(again.distance(along) < 0.01, "{again} for {along}");
}

#[test]
fn sheen_brightens_grazing_angles() {
    let studio = Studio::new(SIDE, SIDE);
    // A roller whose axis lies across the picture, seen from the front.
    let radius = 0.3;
    let roller = Sheet::new(Vec2::new(std::f32::consts::TAU * radius, 1.0), 96, |m| {
        let angle = m.x / radius;
        Vec3::new(m.y - 0.5, 1.0 - radius * angle.cos(), radius * angle.sin())
    });
    let body = studio.cloth(&roller);
    let center = Vec3::Y;
    let plain = Scene {
        appearance: Appearance {
            color: [0.05, 0.05, 0.2],
            roughness: 0.9,
            ..Appearance::default()
        },
        floor: None,
        ..scene(center + 3.0 * Vec3::Z, center)
    };
    let furry = Scene {
        appearance: Appearance {
            sheen: 1.0,
            ..plain.appearance
        },
        ..plain
    };
    let images = [plain, furry].map(|scene| studio.shoot(Some(&body), &scene));
    let gain = |degrees: f32| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let at = center + radius * Vec3::new(0.0, sin, cos);
        luma_at(&plain, &images[1], at) - luma_at(&plain, &images[0], at)
    };
    let (facing, grazing) = (gain(0.0), gain(75.0));
    assert!(facing > 0.0, "facing {facing}");
    assert!(grazing > 1.8 * facing, "facing {facing}, grazing {grazing}");
}

#[test]
fn coordinates_that_lead_nowhere_leave_the_highlight_round() {
    let studio = Studio::new(SIDE, SIDE);
    let sheet = cap();
    let silk = |anisotropy| Scene {
        appearance: Appearance {
            roughness: 0.35,
            anisotropy,
            sheen: 0.5,
            ..cotton()
        },
        ..scene(Vec3::new(1.0, 2.5, 2.0), Vec3::Y)
    };
    let round = studio.shoot(Some(&studio.cloth(&sheet)), &silk(0.0));
    assert!(darkest(&round) > 12.0);
    type Spoil = fn(Vec2) -> Vec2;
    let spoils: [(&str, Spoil); 5] = [
        ("zero", |_| Vec2::ZERO),
        ("the same", |_| Vec2::new(0.37, 12.3)),
        ("on a line", |m| Vec2::splat(m.x)),
        ("not a number", |_| Vec2::NAN),
        ("infinite", |m| m * f32::INFINITY),
    ];
    for (name, spoil) in spoils {
        let mut spoilt = sheet.clone();
        for m in &mut spoilt.material {
            *m = spoil(*m);
        }
        let image = studio.shoot(Some(&studio.cloth(&spoilt)), &silk(0.9));
        // Nothing in this scene is black; a NaN would be.
        assert!(
            darkest(&image) > 12.0,
            "{name}: darkest {}",
            darkest(&image)
        );
        let changed = image.difference(&round, 2);
        assert!(changed < 5, "{name}: {changed} pixels differ");
    }
    // And the sound ones do stretch it.
    let stretched = studio.shoot(Some(&studio.cloth(&sheet)), &silk(0.9));
    assert!(stretched.difference(&round, 2) > 500);
}

#[test]
fn the_highlight_of_a_fold_as_thin_as_a_few_pixels_does_not_flicker() {
    let side = 80;
    let studio = Studio::new(side, side);
    let center = Vec3::Y;
    let camera = scene(center + 3.0 * Vec3::Z, center).camera;
    let pixel = 3.0 * 2.0 * camera.half_height() / side as f32;
    let radius = 8.0 * pixel;
    let roller = Sheet::new(Vec2::new(std::f32::consts::TAU * radius, 1.0), 32, |m| {
        let angle = m.x / radius;
        center + Vec3::new(m.y - 0.5, -radius * angle.cos(), radius * angle.sin())
    });
    let body = studio.cloth(&roller);
    // All the light of the middle column, as the camera rises by fractions of a pixel.
    let light = (0..8).map(|shift| {
        let by = shift as f32 / 8.0 * pixel * Vec3::Y;
        let camera = Camera {
            position: camera.position + by,
            target: camera.target + by,
            ..camera
        };
        let scene = Scene {
            camera,
            appearance: Appearance {
                color: [0.0; 3],
                roughness: 0.15,
                anisotropy: -0.9,
                ..Appearance::default()
            },
            floor: None,
            ..Scene::default()
        };
        let image = studio.shoot(Some(&body), &scene);
        let rows = side / 2 - 7..side / 2 + 4;
        rows.map(|y| (image.luma(side / 2, y) / 255.0).powf(2.2))
            .sum::<f32>()
    });
    let light: Vec<f32> = light.collect();
    // It changes evenly if it does not depend on where the middles of pixels are: by 0.12 of the mean from step to step,
    // and by 0.44 if the normal within a pixel is not heeded.
    let mean = light.iter().sum::<f32>() / light.len() as f32;
    let bends = light.windows(3).map(|l| (l[0] - 2.0 * l[1] + l[2]).abs());
    let uneven = bends.sum::<f32>() / (light.len() - 2) as f32 / mean;
    assert!(uneven < 0.25, "uneven by {uneven}: {light:?}");
}

#[test]
fn a_solid_has_neither_threads_nor_sheen() {
    let studio = Studio::new(SIDE, SIDE);
    let body = studio.body(&ball(Vec3::new(0.0, 0.5, 0.0)), [0.0; 3]);
    let plain = scene(Vec3::new(0.0, 1.5, 2.5), Vec3::new(0.0, 0.5, 0.0));
    let silk = Scene {
        appearance: Appearance {
            anisotropy: 0.8,
            sheen: 0.9,
            ..plain.appearance
        },
        ..plain
    };
    let [a, b] = [plain, silk].map(|scene| studio.shoot(Some(&body), &scene));
    assert_eq!(a.difference(&b, 0), 0);
}

#[test]
fn markers_are_discs_of_nine_pixels_that_the_surface_under_them_does_not_hide() {
    let studio = Studio::new(SIDE, SIDE);
    let center = Vec3::new(0.0, 0.5, 0.0);
    let body = studio.body(&ball(center), [0.0; 3]);
    for distance in [2.0, 6.0] {
        let eye = Vec3::new(0.0, 0.3, 1.0).normalize();
        let plain = scene(center + distance * eye, center);
        let marked = |points: &[Vec3]| {
            let points: Vec<[f32; 3]> = points.iter().map(Vec3::to_array).collect();
            let scene = Scene {
                markers: Markers::new(&points),
                ..plain
            };
            studio.shoot(Some(&body), &scene)
        };
        let without = studio.shoot(Some(&body), &plain);
        // On the surface, tilted by 45° to the viewer.
        let held = center + 0.3 * (eye + Vec3::X).normalize();
        let with = marked(&[held]);
        let [x, y] = pixel_of(&plain.camera, &with, held);
        assert!(with.luma(x, y) > 240.0, "{}", with.luma(x, y));
        let rim = (0..6).map(|d| with.luma(x + d, y)).fold(255.0, f32::min);
        assert!(rim < 60.0, "the rim is as bright as {rim}");
        let changed = without.difference(&with, 8) as f32;
        let area = std::f32::consts::PI * 4.5 * 4.5;
        assert!((changed - area).abs() < 0.4 * area, "{changed} pixels");
        // Behind the body, behind the camera, nowhere.
        let hidden = [
            center - 0.3 * eye,
            center + 2.0 * distance * eye,
            Vec3::splat(f32::NAN),
        ];
        assert_eq!(marked(&hidden).difference(&without, 0), 0);
        // As many as there may be.
        let many: Vec<Vec3> = (0..MAX_MARKERS + 4)
            .map(|i| center + Vec3::new(0.02 * i as f32 - 0.2, 0.35, 0.0))
            .collect();
        let (all, most) = (marked(&many), marked(&many[..MAX_MARKERS]));
        assert_eq!(all.difference(&most, 0), 0);
        assert!(marked(&many[..MAX_MARKERS - 1]).difference(&most, 8) > 10);
    }
}
