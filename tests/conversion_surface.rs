//! Surfaces with faults to bodies: what filling mends, and what the findings say has become of them.
#![cfg(all(feature = "mesh-tools", not(target_arch = "wasm32")))]

use std::ops::ControlFlow;

use webgpu_softbody::conversion::{Converted, Job, convert};
use webgpu_softbody::diagnosis::DoctorOptions;
use webgpu_softbody::import::NamedFile;
use webgpu_softbody::mesh::Finding;
use webgpu_softbody::meshing::Resolution;

fn fill_obj(bytes: &[u8]) -> Converted {
    let name = "surface.obj";
    let job = Job {
        files: &[NamedFile { name, bytes }],
        resolution: Some(Resolution::CellSize(0.15)),
        options: DoctorOptions::default(),
    };
    convert(&job, &mut |_| ControlFlow::Continue(())).expect("fills")
}

fn codes(converted: &Converted) -> Vec<(&'static str, bool)> {
    let findings = &converted.report.findings;
    findings.iter().map(|f| (f.code, f.mended)).collect()
}

/// An OBJ file of triangles, counted from 0, on corners of any number.
fn triangles_obj(positions: &[[f32; 3]], triangles: &[[u32; 3]]) -> Vec<u8> {
    let mut text = String::new();
    for [x, y, z] in positions {
        text.push_str(&format!("v {x} {y} {z}\n"));
    }
    for [a, b, c] in triangles.iter().map(|triangle| triangle.map(|v| v + 1)) {
        text.push_str(&format!("f {a} {b} {c}\n"));
    }
    text.into_bytes()
}

/// A cube's corners and triangles, facing outwards; its vertices counted from `first`.
fn cube_at(low: f32, side: f32, first: u32) -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let positions = (0..8u32)
        .map(|corner| [corner & 1, corner >> 1 & 1, corner >> 2].map(|x| low + x as f32 * side))
        .collect();
    let quads = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    let triangles = quads
        .into_iter()
        .flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]])
        .map(|triangle| triangle.map(|vertex| vertex + first))
        .collect();
    (positions, triangles)
}

#[test]
fn triangles_that_face_the_wrong_way_or_twice_are_mended_and_told() {
    let (positions, sound) = cube_at(0.0, 1.0, 0);
    let fill = |triangles: &[[u32; 3]]| fill_obj(&triangles_obj(&positions, triangles));
    let expected = fill(&sound);
    let mut muddled = sound.clone();
    for number in [1, 4, 5, 8] {
        muddled[number].swap(1, 2);
    }
    let mended = fill(&muddled);
    assert_eq!(mended.tets, expected.tets);
    assert_eq!(mended.positions, expected.positions);
    assert_eq!(codes(&mended), [("inconsistent-triangles", true)]);
    let message = &mended.report.findings[0].message;
    assert!(
        message.contains("4 triangles were turned round to face as the others do;"),
        "{message}"
    );

    let back: Vec<_> = sound.iter().map(|&[a, b, c]| [a, c, b]).collect();
    let mended = fill(&[&sound[..], &back[..]].concat());
    assert_eq!(mended.tets, expected.tets);
    assert_eq!(
        codes(&mended),
        [
            ("non-manifold-surface-edges", true),
            ("duplicate-triangles", true)
        ]
    );
    let message = &mended.report.findings[1].message;
    assert!(
        message.contains("12 triangles were left out, so that each counts once;"),
        "{message}"
    );
    // The surface that is drawn stays as it was.
    assert_eq!(mended.surface.expect("kept").triangles().len(), 24);
}

#[test]
fn shells_are_told_by_what_became_of_them() {
    let fill = |low: f32, side: f32, turn: bool| {
        let (mut positions, mut triangles) = cube_at(0.0, 1.0, 0);
        let (more, mut again) = cube_at(low, side, 8);
        if turn {
            again.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        }
        positions.extend(more);
        triangles.extend(again);
        let converted = fill_obj(&triangles_obj(&positions, &triangles));
        let finding = converted
            .report
            .findings
            .iter()
            .find(|finding| finding.code == Finding::MULTIPLE_SHELLS)
            .expect("told");
        assert_eq!(finding.count, 2);
        (converted.report.components, finding.message.clone())
    };
    let (bodies, message) = fill(3.0, 1.0, false);
    assert_eq!(bodies, 2);
    assert!(
        message.ends_with("is filled as 2 bodies that move independently"),
        "{message}"
    );
    // Overlapping, a cavity, and lost between the cells.
    for (low, side, turn) in [(0.5, 1.0, false), (0.25, 0.5, true), (3.0, 0.02, false)] {
        let (bodies, message) = fill(low, side, turn);
        assert_eq!(bodies, 1);
        assert!(
            message.contains("is filled as one body") && !message.contains("independently"),
            "{message}"
        );
    }
}
