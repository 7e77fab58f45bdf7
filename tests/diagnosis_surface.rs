//! The mesh doctor on triangle surfaces: each fault of a cube's surface is named, counted and placed.
#![cfg(all(feature = "mesh-tools", not(target_arch = "wasm32")))]

use webgpu_softbody::diagnosis::{SurfaceReport, diagnose_surface};
use webgpu_softbody::mesh::Finding;
use webgpu_softbody::surface::{SurfaceLook, SurfaceMesh, SurfaceSurvey};

type Parts = (Vec<[f32; 3]>, Vec<[u32; 3]>);

/// The surface of a cube of this side, counter-clockwise from outside.
fn cube(side: f32) -> Parts {
    let positions = (0..8u32)
        .map(|corner| [corner & 1, corner >> 1 & 1, corner >> 2].map(|x| x as f32 * side))
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
        .collect();
    (positions, triangles)
}

fn surface((positions, triangles): Parts) -> SurfaceMesh {
    SurfaceMesh::new(positions, triangles, SurfaceLook::default()).expect("a surface")
}

/// The report, whose counts must be those of the survey and the places found for them.
fn report(parts: Parts) -> SurfaceReport {
    let surface = surface(parts);
    let survey = SurfaceSurvey::new(&surface);
    let report = diagnose_surface(&surface);
    let count = |code| {
        report
            .findings
            .iter()
            .find(|f| f.code == code)
            .map_or(0, |f| f.count as usize)
    };
    for (code, expected) in [
        (Finding::OPEN_SURFACE, survey.boundary_edges),
        (
            Finding::NON_MANIFOLD_SURFACE_EDGES,
            survey.non_manifold_edges,
        ),
        (Finding::INCONSISTENT_TRIANGLES, survey.inconsistent_edges),
        (Finding::DEGENERATE_TRIANGLES, survey.degenerate_triangles),
        (Finding::DUPLICATE_TRIANGLES, survey.duplicate_triangles),
        (Finding::INSIDE_OUT_SURFACE, usize::from(survey.inside_out)),
    ] {
        assert_eq!(count(code), expected, "{code}");
    }
    report
}

fn codes(report: &SurfaceReport) -> Vec<(&'static str, u32)> {
    let mut codes: Vec<_> = report.findings.iter().map(|f| (f.code, f.count)).collect();
    codes.sort_unstable();
    codes
}

fn examples<'a>(report: &'a SurfaceReport, code: &str) -> &'a [u32] {
    &report
        .findings
        .iter()
        .find(|f| f.code == code)
        .expect("the finding")
        .examples
}

#[test]
fn a_closed_cube_is_flawless() {
    let report = report(cube(2.0));
    assert_eq!(codes(&report), []);
    assert!(report.closed);
    assert_eq!(
        (report.vertices, report.triangles, report.components),
        (8, 12, 1)
    );
    assert!((report.volume - 8.0).abs() < 1e-12 && (report.area - 24.0).abs() < 1e-12);
    assert_eq!((report.bounds.min, report.bounds.max), ([0.0; 3], [2.0; 3]));
    let json = serde_json::to_value(&report).expect("JSON");
    assert_eq!(
        (&json["triangles"], &json["closed"]),
        (&12.into(), &true.into())
    );
}

#[test]
fn seams_are_no_holes() {
    // Each triangle with vertices of its own, as in STL.
    let (positions, triangles) = cube(1.0);
    let soup = triangles
        .as_flattened()
        .iter()
        .map(|&v| positions[v as usize])
        .collect();
    let corners = (0..12).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let report = report((soup, corners));
    assert_eq!((codes(&report), report.components), (vec![], 1));
}

#[test]
fn a_hole_is_three_open_edges() {
    let (positions, mut triangles) = cube(1.0);
    let removed = triangles.remove(5);
    let report = report((positions, triangles));
    assert_eq!(codes(&report), [("open-surface", 3)]);
    assert!(!report.closed);
    let ends = examples(&report, Finding::OPEN_SURFACE);
    assert!(
        ends.len() == 6 && ends.iter().all(|end| removed.contains(end)),
        "{ends:?}"
    );
}

#[test]
fn a_turned_triangle_has_three_inconsistent_edges() {
    let (positions, mut triangles) = cube(1.0);
    triangles[7].swap(1, 2);
    let report = report((positions, triangles));
    assert_eq!(codes(&report), [("inconsistent-triangles", 3)]);
    assert!(!report.closed);
    let message = &report.findings[0].message;
    assert!(
        message.contains(
            "1 triangle is turned round to face as the others do when the surface is filled;"
        ),
        "{message}"
    );
}

#[test]
fn a_surface_that_faces_inwards_is_inside_out() {
    let (positions, mut triangles) = cube(1.0);
    for triangle in &mut triangles {
        triangle.swap(1, 2);
    }
    let report = report((positions, triangles));
    assert_eq!(codes(&report), [("inside-out-surface", 1)]);
    assert!(
        report.findings[0].message.contains("-1 m³"),
        "{}",
        report.findings[0].message
    );
}

#[test]
fn fins_flat_and_repeated_triangles_are_named() {
    let (mut positions, mut triangles) = cube(1.0);
    let [a, b, _] = triangles[3];
    positions.push([3.0, 3.0, 3.0]);
    triangles.push([a, b, 8]);
    let fin = report((positions.clone(), triangles.clone()));
    assert_eq!(
        codes(&fin),
        [("non-manifold-surface-edges", 1), ("open-surface", 2)]
    );
    assert_eq!(
        examples(&fin, Finding::NON_MANIFOLD_SURFACE_EDGES),
        [a.min(b), a.max(b)]
    );
    triangles.pop();
    triangles.push([2, 2, 5]);
    let flat = report((positions.clone(), triangles.clone()));
    assert_eq!(codes(&flat), [("degenerate-triangles", 1)]);
    assert_eq!(examples(&flat, Finding::DEGENERATE_TRIANGLES), [12]);
    triangles.pop();
    let [a, b, c] = triangles[4];
    triangles.push([b, c, a]);
    let twice = report((positions, triangles));
    assert_eq!(
        codes(&twice),
        [
            ("duplicate-triangles", 1),
            ("non-manifold-surface-edges", 3)
        ]
    );
    assert_eq!(examples(&twice, Finding::DUPLICATE_TRIANGLES), [12]);
}

#[test]
fn parts_and_units_are_told() {
    let (mut positions, mut triangles) = cube(1.0);
    let (more, again) = cube(1.0);
    positions.extend(more.iter().map(|&[x, y, z]| [x + 5.0, y, z]));
    triangles.extend(
        again
            .iter()
            .map(|triangle| triangle.map(|vertex| vertex + 8)),
    );
    let two = report((positions, triangles));
    assert_eq!(
        (codes(&two), two.components),
        (vec![("multiple-shells", 2)], 2)
    );
    let tall = report(cube(150.0));
    assert_eq!(codes(&tall), [("suspicious-scale", 1)]);
    assert!(
        tall.findings[0]
            .message
            .contains("`units` mm makes it 0.15 m"),
        "{}",
        tall.findings[0].message
    );
}

#[test]
fn a_surface_of_one_side_is_told_from_one_that_is_muddled() {
    // A Möbius strip of five triangles, and a cube with one triangle turned round beside it.
    let (mut positions, mut triangles) = cube(1.0);
    triangles[7].swap(1, 2);
    positions.extend((0..5u8).map(|n| [f32::from(n), f32::from(n * n), 5.0 + f32::from(n % 2)]));
    let strip = (0..5).map(|n| [n, (n + 1) % 5, (n + 2) % 5].map(|vertex| vertex + 8));
    triangles.extend(strip);
    let report = report((positions, triangles));
    let message = &report
        .findings
        .iter()
        .find(|f| f.code == Finding::INCONSISTENT_TRIANGLES)
        .expect("the finding")
        .message;
    assert!(
        message.contains("turned round")
            && message.contains("stay as the surface has one side only"),
        "{message}"
    );
}

#[test]
fn a_surface_far_from_the_origin_is_told_how_to_come_nearer() {
    let far = |distance: f32| {
        let (positions, triangles) = cube(1.0);
        report((
            positions
                .into_iter()
                .map(|[x, y, z]| [x + distance, y, z])
                .collect(),
            triangles,
        ))
    };
    assert_eq!(codes(&far(900.0)), []);
    let report = far(5000.0);
    assert_eq!(codes(&report), [("far-from-origin", 1)]);
    let message = &report.findings[0].message;
    assert!(
        message.starts_with("coordinates reach 5001 m while the surface is 1 m across")
            && message.contains("`center` moves it"),
        "{message}"
    );
}
