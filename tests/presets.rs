//! The preset bodies: counts, volumes, watertight surfaces, starting places, and the committed files.
#![cfg(all(feature = "mesh-tools", not(target_arch = "wasm32")))]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use glam::{DQuat, DVec3};
use webgpu_softbody::embedding::Embedding;
use webgpu_softbody::meshing::{Preset, box_mesh, figures, presets, torus_mesh};
use webgpu_softbody::rest_state::{RestState, vertices_in_box};
use webgpu_softbody::topology::Topology;

fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("www/public/models")
}

fn all() -> impl Iterator<Item = Preset> {
    figures().into_iter().chain(presets())
}

fn preset(slug: &str) -> Preset {
    all()
        .find(|preset| preset.slug == slug)
        .expect("preset exists")
}

#[test]
fn counts_and_volumes() {
    // A torus of straight segments: cross-section (a 16-gon) times the path of its centroid, by Pappus for chords:
    // n·sin(2π/n)·R·A.
    let gon = 8.0 * 0.2f64.powi(2) * (std::f64::consts::TAU / 16.0).sin();
    let torus = 24.0 * (std::f64::consts::TAU / 24.0).sin() * 0.5 * gon;
    let expected = [
        ("cube", 343, 1296, 6 * 72, 1.0),
        ("torus", 600, 2304, 24 * 16 * 2, torus),
        ("beam", 325, 1152, 2 * (2 * 16 + 4 * 48), 0.192),
    ];
    assert_eq!(presets().len(), expected.len());
    for (slug, vertices, tets, triangles, volume) in expected {
        let mesh = preset(slug).mesh();
        assert_eq!(mesh.findings(), [], "{slug}");
        assert_eq!(
            (mesh.positions().len(), mesh.tets().len()),
            (vertices, tets),
            "{slug}"
        );
        let rest = RestState::new(&mesh);
        assert!(
            (rest.total_volume / volume - 1.0).abs() < 1e-6,
            "{slug}: {} for {volume}",
            rest.total_volume
        );
        assert!(rest.volumes.iter().all(|&v| v > 0.0), "{slug}");
        assert_eq!(
            Topology::new(&mesh).surface_triangles.len(),
            triangles,
            "{slug}"
        );
    }
}

#[test]
fn figures_keep_their_limbs() {
    // Volumes are those of the surfaces scaled to a metre of height. Coarse cells cut corners off.
    for (slug, tets, volume) in [
        ("bunny", 4400..5200, 0.215_66),
        ("hand", 4700..5300, 0.036_00),
    ] {
        let mesh = preset(slug).mesh();
        assert_eq!(mesh.findings(), [], "{slug}");
        assert!(
            tets.contains(&mesh.tets().len()),
            "{slug}: {} tets",
            mesh.tets().len()
        );
        let ratio = RestState::new(&mesh).total_volume / volume;
        assert!((0.95..1.0).contains(&ratio), "{slug}: {ratio}");
        let (low, high) = mesh.used_bounds();
        // Both ears and all fingers in full: half the surface's bounds, which are centred in x and z.
        let half = if slug == "bunny" {
            [0.4961, 0.4138]
        } else {
            [0.1816, 0.3441]
        };
        for (axis, expected) in [
            (0, [-half[0], half[0]]),
            (1, [0.0, 1.0]),
            (2, [-half[1], half[1]]),
        ] {
            let found = [f64::from(low[axis]), f64::from(high[axis])];
            for (found, expected) in found.into_iter().zip(expected) {
                assert!(
                    (found - expected).abs() < 0.03,
                    "{slug}: axis {axis} ends at {found} rather than {expected}"
                );
            }
        }
    }
}

#[test]
fn all_files_together_stay_small() {
    // With the samples that are not generated: everything the page offers.
    let bytes: u64 = std::fs::read_dir(models())
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.file_name().to_string_lossy().ends_with("bin"))
        .map(|entry| entry.metadata().unwrap().len())
        .sum();
    assert!((300_000..=400_000).contains(&bytes), "{bytes} bytes");
}

#[test]
fn surfaces_are_closed_manifolds_of_the_right_genus() {
    for (slug, euler) in [
        ("cube", 2),
        ("torus", 0),
        ("beam", 2),
        ("bunny", 2),
        ("hand", 2),
    ] {
        let topology = Topology::new(&preset(slug).mesh());
        assert_eq!(topology.findings, [], "{slug}");
        assert_eq!(
            (topology.components, topology.non_manifold_edges),
            (1, 0),
            "{slug}"
        );
        let mut directed = BTreeMap::new();
        for &[a, b, c] in &topology.surface_triangles {
            for edge in [[a, b], [b, c], [c, a]] {
                assert!(
                    directed.insert(edge, ()).is_none(),
                    "{slug}: {edge:?} occurs twice"
                );
            }
        }
        assert!(
            directed
                .keys()
                .all(|&[a, b]| directed.contains_key(&[b, a])),
            "{slug} is open"
        );
        let on_surface = topology
            .triangle_offsets
            .windows(2)
            .filter(|row| row[0] < row[1])
            .count() as i64;
        let (edges, triangles) = (
            topology.surface_edges.len() as i64,
            topology.surface_triangles.len() as i64,
        );
        assert_eq!(on_surface - edges + triangles, euler, "{slug}");
    }
}

#[test]
fn bodies_start_above_the_floor() {
    for preset in all() {
        let rotation = DQuat::from_array(preset.rotation);
        assert!(rotation.is_normalized(), "{}", preset.slug);
        let translation = DVec3::from_array(preset.translation);
        let lowest = preset
            .mesh()
            .positions()
            .iter()
            .map(|p| (rotation * DVec3::from_array(p.map(f64::from)) + translation).y)
            .fold(f64::INFINITY, f64::min);
        assert!(
            (0.5..=1.5).contains(&lowest),
            "{} starts at {lowest} m",
            preset.slug
        );
    }
    let tilt = DQuat::from_array(preset("cube").rotation);
    assert!(tilt.mul_vec3(DVec3::Y).y < 0.95, "the cube starts tilted");
}

#[test]
fn the_beam_is_pinned_by_its_left_face_and_the_hand_by_its_wrist() {
    assert_eq!(preset("cube").pinned_box, None);
    assert_eq!(preset("torus").pinned_box, None);
    assert_eq!(preset("bunny").pinned_box, None);
    let hand = preset("hand");
    let (min, max) = hand.pinned_box.expect("the hand is pinned");
    let mesh = hand.mesh();
    let pinned = vertices_in_box(&mesh, min, max);
    let above = mesh.positions().iter().filter(|p| p[1] >= 0.9).count();
    assert_eq!(pinned.len(), above);
    assert!((10..250).contains(&above), "{above} vertices are pinned");
    let beam = preset("beam");
    let (min, max) = beam.pinned_box.expect("the beam is pinned");
    let mesh = beam.mesh();
    let pinned = vertices_in_box(&mesh, min, max);
    assert_eq!(pinned, (0..25).collect::<Vec<u32>>());
    assert!(
        pinned
            .iter()
            .all(|&v| mesh.positions()[v as usize][0] == 0.0)
    );
}

#[test]
fn committed_files_are_what_the_generator_gives() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("presets");
    let status = Command::new(env!("CARGO_BIN_EXE_generate-presets"))
        .arg(&folder)
        .stdout(std::process::Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    let mut compared = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let fresh = entry.unwrap().path();
        let stored = models().join(fresh.file_name().unwrap());
        let bytes =
            std::fs::read(&stored).unwrap_or_else(|error| panic!("{}: {error}", stored.display()));
        assert!(
            std::fs::read(&fresh).unwrap() == bytes,
            "{} differs: run the generate-presets program",
            stored.display()
        );
        compared += 1;
    }
    assert_eq!(compared, 2 * 3 + 4 * 2);
}

#[test]
fn figures_show_surfaces_that_their_tets_carry() {
    for preset in all() {
        let Some(surface) = preset.surface() else {
            assert!(presets().contains(&preset), "{}", preset.slug);
            continue;
        };
        let embedding = Embedding::new(&preset.mesh(), &surface);
        // Half a cell of the bunny: limbs thinner than that are lost.
        assert!(
            embedding.farthest < 0.043,
            "{}: {} m outside",
            preset.slug,
            embedding.farthest
        );
    }
}

#[test]
fn generators_number_vertices_as_documented_and_refuse_nonsense() {
    let mesh = box_mesh([2, 3, 4], [2.0, 3.0, 4.0], [10.0, 20.0, 30.0]).unwrap();
    for (i, j, k) in [(0, 0, 0), (2, 3, 4), (1, 2, 3), (0, 3, 1)] {
        let expected = [10.0 + i as f32, 20.0 + j as f32, 30.0 + k as f32];
        assert_eq!(mesh.positions()[(i * 4 + j) * 5 + k], expected);
    }
    // Round the main diagonal: every tet of the only cell has corners 000 and 111.
    let cell = box_mesh([1; 3], [1.0; 3], [0.0; 3]).unwrap();
    assert!(
        cell.tets()
            .iter()
            .all(|tet| tet.contains(&0) && tet.contains(&7))
    );

    for error in [
        box_mesh([0, 1, 1], [1.0; 3], [0.0; 3]),
        box_mesh([1, 1, 1001], [1.0; 3], [0.0; 3]),
        box_mesh([1; 3], [1.0, f32::NAN, 1.0], [0.0; 3]),
        box_mesh([1; 3], [1.0, -1.0, 1.0], [0.0; 3]),
        torus_mesh(0.2, 0.2, 4, 24),
        torus_mesh(0.5, 0.2, 1, 24),
        torus_mesh(0.5, 0.2, 4, 2),
        torus_mesh(f64::INFINITY, 0.2, 4, 24),
    ] {
        let error = error.expect_err("out of range");
        assert_eq!(error.kind(), "invalid-parameter", "{error}");
    }
    assert_eq!(
        box_mesh([1; 3], [1.0; 3], [f32::NAN; 3])
            .unwrap_err()
            .kind(),
        "non-finite"
    );
    // Within the limit on each axis, but a billion cells: refused before anything is allocated.
    let error = box_mesh([1000; 3], [1.0; 3], [0.0; 3]).unwrap_err();
    assert_eq!(error.kind(), "too-large");
    assert!(error.to_string().contains("6000000000"), "{error}");
}
