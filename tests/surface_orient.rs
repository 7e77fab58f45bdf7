//! Surfaces whose triangles face this way and that, or are there twice, are filled like the sound surface.
#![cfg(all(feature = "mesh-tools", not(target_arch = "wasm32")))]

mod surfaces;

use std::borrow::Cow;
use std::ops::ControlFlow;

use glam::DVec3;
use surfaces::{cuboid, filled, joined, reversed, sphere, surface};
use webgpu_softbody::meshing::{MeshingError, Resolution, tetrahedralize};
use webgpu_softbody::surface::{SurfaceMesh, SurfaceSurvey, oriented};

/// The surface with a share of its triangles turned round, the same ones each time.
fn muddled(sound: &SurfaceMesh, share: f64) -> (SurfaceMesh, usize) {
    let mut state = 7u32;
    let mut count = 0;
    let mut triangles = sound.triangles().to_vec();
    for triangle in &mut triangles {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        if f64::from(state >> 8) < share * f64::from(1 << 24) {
            triangle.swap(1, 2);
            count += 1;
        }
    }
    (surface(sound.positions().to_vec(), triangles), count)
}

/// Corners of its own for each triangle, as in STL.
fn soup(sound: &SurfaceMesh) -> SurfaceMesh {
    let corners = sound.triangles().as_flattened();
    let positions: Vec<_> = corners
        .iter()
        .map(|&vertex| sound.positions()[vertex as usize])
        .collect();
    let triangles = (0..corners.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]);
    surface(positions, triangles.collect())
}

/// The triangles of both on the positions of the first.
fn with(sound: &SurfaceMesh, more: &[[u32; 3]]) -> SurfaceMesh {
    let triangles = [sound.triangles(), more].concat();
    surface(sound.positions().to_vec(), triangles)
}

#[test]
fn a_muddled_sphere_is_filled_like_the_sound_one() {
    let sound = sphere(DVec3::new(0.1, 0.2, 0.3), 1.0, 30);
    for resolution in [Resolution::CellSize(0.21), Resolution::Tets(3000)] {
        let expected = filled(&sound, resolution).unwrap();
        for share in [0.001, 0.3, 0.45] {
            let (bad, count) = muddled(&sound, share);
            let result = filled(&bad, resolution).unwrap();
            assert_eq!(result.mesh.tets(), expected.mesh.tets(), "{share}");
            assert_eq!(result.mesh.positions(), expected.mesh.positions());
            // The survey stays that of the input.
            assert_eq!(result.survey, SurfaceSurvey::new(&bad));
            assert!(result.survey.inconsistent_edges > 0 && !result.survey.closed);
            let mended = oriented(&bad);
            assert_eq!((mended.turned, mended.dropped), (count, 0));
            assert_eq!(mended.surface.triangles(), sound.triangles());
        }
        let (bad, _) = muddled(&soup(&sound), 0.3);
        assert_eq!(filled(&bad, resolution).unwrap().mesh, expected.mesh);
    }
}

#[test]
fn each_part_keeps_the_winding_of_its_majority() {
    // A hollow ball: the inner sphere faces inwards, and must stay so.
    let sound = joined(
        &sphere(DVec3::ZERO, 1.0, 30),
        &reversed(&sphere(DVec3::ZERO, 0.5, 20)),
    );
    let (bad, count) = muddled(&sound, 0.3);
    let mended = oriented(&bad);
    assert_eq!(mended.turned, count);
    assert_eq!(mended.surface.triangles(), sound.triangles());
    // More than half: the whole sphere faces inwards then, with fewer turned.
    let ball = sphere(DVec3::ZERO, 1.0, 20);
    let (bad, count) = muddled(&ball, 0.8);
    let mended = oriented(&bad);
    assert_eq!(mended.turned, ball.triangles().len() - count);
    assert_eq!(mended.surface.triangles(), reversed(&ball).triangles());
    // Half and half: outwards.
    let cube = cuboid(DVec3::ZERO, DVec3::ONE);
    let mut triangles = cube.triangles().to_vec();
    for triangle in &mut triangles[..6] {
        triangle.swap(1, 2);
    }
    let half = surface(cube.positions().to_vec(), triangles);
    assert_eq!(oriented(&half).surface.triangles(), cube.triangles());
}

#[test]
fn what_is_sound_or_has_no_sides_stays_as_it_is() {
    let ball = sphere(DVec3::ZERO, 1.0, 12);
    let fin = with(&ball, &[[0, 1, 60]]);
    // A Möbius strip of five triangles.
    let strip = surface(
        (0..5u8)
            .map(|n| [f32::from(n), f32::from(n * n), f32::from(n % 2)])
            .collect(),
        (0..5).map(|n| [n, (n + 1) % 5, (n + 2) % 5]).collect(),
    );
    for sound in [&ball, &reversed(&ball), &fin] {
        let same = oriented(sound);
        assert!(matches!(same.surface, Cow::Borrowed(_)));
        assert_eq!((same.turned, same.dropped), (0, 0));
    }
    let before = SurfaceSurvey::new(&strip).inconsistent_edges;
    let after = SurfaceSurvey::new(&oriented(&strip).surface).inconsistent_edges;
    assert!(
        before > 0 && after > 0 && after <= before,
        "{before} {after}"
    );
}

#[test]
fn a_double_sided_sphere_is_filled_like_the_sound_one() {
    let sound = sphere(DVec3::new(0.1, 0.2, 0.3), 1.0, 30);
    let expected = filled(&sound, Resolution::Tets(3000)).unwrap();
    let back = reversed(&sound);
    let behind = with(&sound, back.triangles());
    let between = surface(
        sound.positions().to_vec(),
        sound
            .triangles()
            .iter()
            .zip(back.triangles())
            .flat_map(|(&front, &back)| [front, back])
            .collect(),
    );
    let apart = joined(&sound, &back);
    // Which of the two comes first tells nothing here.
    let (first, _) = muddled(&sound, 0.6);
    let mixed = with(&first, reversed(&first).triangles());
    for double in [behind, between, apart, mixed] {
        let survey = SurfaceSurvey::new(&double);
        assert!(survey.volume.abs() < 1e-12 && !survey.inside_out);
        assert_eq!(survey.duplicate_triangles, sound.triangles().len());
        assert_eq!(oriented(&double).dropped, sound.triangles().len());
        let result = filled(&double, Resolution::Tets(3000)).unwrap();
        assert_eq!(result.mesh, expected.mesh);
        assert_eq!(result.survey, survey);
    }
    // A part of it that is double-sided keeps one side; a repeated triangle is kept once.
    for more in [&back.triangles()[..200], &sound.triangles()[3..9]] {
        let part = with(&sound, more);
        let mended = oriented(&part);
        assert_eq!((mended.turned, mended.dropped), (0, more.len()));
        assert_eq!(mended.surface.triangles(), sound.triangles());
    }
}

#[test]
fn a_wall_between_two_parts_cancels_as_it_did() {
    let left = cuboid(DVec3::ZERO, DVec3::ONE);
    let right = cuboid(DVec3::X, DVec3::new(2.0, 1.0, 1.0));
    // The two triangles between them are there twice, once from either side.
    let mut triangles = left.triangles().to_vec();
    let wall = [triangles[2], triangles[3]];
    triangles.extend(
        right.triangles()[2..]
            .iter()
            .map(|triangle| triangle.map(|vertex| vertex + 8)),
    );
    let of_right = |[a, b, c]: [u32; 3]| [a, c, b].map(|vertex| vertex + 7);
    triangles.extend(wall.map(of_right));
    let both = surface([left.positions(), right.positions()].concat(), triangles);
    let survey = SurfaceSurvey::new(&both);
    assert_eq!((survey.duplicate_triangles, survey.closed), (2, true));
    let same = oriented(&both);
    assert!(matches!(same.surface, Cow::Borrowed(_)));
}

#[test]
fn a_sheet_is_refused_after_the_smallest_cells() {
    let square = surface(
        vec![[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]],
        vec![[0, 1, 2], [0, 2, 3]],
    );
    let double = with(&square, reversed(&square).triangles());
    for sheet in [square, double] {
        let mut last = 0.0;
        let error = tetrahedralize(&sheet, Resolution::Tets(5000), &mut |share| {
            last = share;
            ControlFlow::Continue(())
        });
        let Err(MeshingError::NothingInside { cell_size, .. }) = error else {
            panic!("{error:?}");
        };
        // A quarter of the cells that would cover it; each attempt takes half of the share of progress that is left.
        assert!((cell_size - 0.01).abs() < 1e-9, "{cell_size}");
        assert!(last < 0.65, "{last}: more than two attempts");
    }
}
