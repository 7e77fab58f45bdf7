//! Surfaces as the mesher sees them: winding numbers, closest points, and the survey of what is odd about them.
#![cfg(all(feature = "mesh-tools", not(target_arch = "wasm32")))]

mod surfaces;

use glam::DVec3;
use proptest::prelude::*;
use surfaces::{cuboid, figure, joined, parts_where, reversed, sphere, surface, torus};
use webgpu_softbody::surface::{SurfaceIndex, SurfaceMesh, SurfaceSurvey};

fn point() -> impl Strategy<Value = DVec3> {
    [-1.0..1.0f64, -1.0..1.0, -1.0..1.0].prop_map(DVec3::from_array)
}

fn triangle(surface: &SurfaceMesh, number: u32) -> [DVec3; 3] {
    surface.triangles()[number as usize]
        .map(|v| DVec3::from_array(surface.positions()[v as usize].map(f64::from)))
}

#[test]
fn winding_numbers_of_closed_surfaces_are_whole() {
    let torus = SurfaceIndex::new(&torus(1.0, 0.4, 40));
    for (query, expected) in [
        (DVec3::new(1.0, 0.0, 0.0), 1.0),
        (DVec3::new(0.0, 0.1, -1.2), 1.0),
        (DVec3::ZERO, 0.0),
        (DVec3::new(0.0, 0.5, 1.0), 0.0),
        (DVec3::new(50.0, 20.0, -30.0), 0.0),
    ] {
        let found = torus.winding_number(query);
        assert!((found - expected).abs() < 0.01, "{query}: {found}");
    }
    let outer = sphere(DVec3::ZERO, 1.0, 30);
    let inner = sphere(DVec3::X * 0.2, 0.5, 20);
    let at = |s: &SurfaceMesh| SurfaceIndex::new(s).winding_number(DVec3::X * 0.2);
    assert!((at(&joined(&outer, &inner)) - 2.0).abs() < 0.01);
    assert!(at(&joined(&outer, &reversed(&inner))).abs() < 0.01);
    assert!((at(&reversed(&outer)) + 1.0).abs() < 0.01);
    // A hemisphere seen from the middle of its opening; a flat sheet.
    let bowl = parts_where(&outer, |p| p.y < 0.0);
    assert!((SurfaceIndex::new(&bowl).winding_number(DVec3::ZERO) - 0.5).abs() < 0.01);
    let sheet = surface(
        vec![[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]],
        vec![[0, 1, 2]],
    );
    let above = SurfaceIndex::new(&sheet).winding_number(DVec3::new(0.3, 1e-9, 0.3));
    assert!((above + 0.5).abs() < 1e-6, "{above}");
}

#[test]
fn the_hierarchy_agrees_with_the_sum_over_all_triangles() {
    let bunny = figure("bunny");
    let fast = SurfaceIndex::new(&bunny);
    let exact = fast.clone().with_accuracy(f64::INFINITY);
    let open = parts_where(&bunny, |p| p.y < 6.0);
    let (fast_open, exact_open) = (
        SurfaceIndex::new(&open),
        SurfaceIndex::new(&open).with_accuracy(f64::INFINITY),
    );
    let mut worst = 0.0f64;
    for i in 0..4000 {
        // A low-discrepancy sequence over the bounds and beyond (R3).
        let at = |g: f64| (f64::from(i) * g).fract() * 14.0 - 7.0;
        let query = DVec3::new(
            at(0.819_172_513_4),
            at(0.671_043_606_7) + 5.0,
            at(0.549_700_477_9),
        );
        worst = worst
            .max((fast.winding_number(query) - exact.winding_number(query)).abs())
            .max((fast_open.winding_number(query) - exact_open.winding_number(query)).abs());
    }
    println!("largest error of the winding number: {worst:.2e}");
    assert!(worst < 3e-3, "{worst}");
    // Opening more clusters helps, with the order of the expansion.
    let better = fast.clone().with_accuracy(4.0);
    let query = DVec3::new(6.0, 9.0, 5.0);
    let error =
        |index: &SurfaceIndex| (index.winding_number(query) - exact.winding_number(query)).abs();
    assert!(
        error(&better) < 0.2 * error(&fast) + 1e-12,
        "{} {}",
        error(&better),
        error(&fast)
    );
}

#[test]
fn closest_points_are_closest() {
    let bunny = figure("bunny");
    let index = SurfaceIndex::new(&bunny);
    let mut inside = 0;
    for i in 0..300 {
        let at = |g: f64| (f64::from(i) * g).fract() * 12.0 - 6.0;
        let query = DVec3::new(
            at(0.819_172_513_4),
            at(0.671_043_606_7) + 5.0,
            at(0.549_700_477_9),
        );
        let found = index.closest_point(query);
        assert!((found.point.distance(query) - found.distance).abs() < 1e-12);
        // In its triangle.
        let [a, b, c] = triangle(&bunny, found.triangle);
        let normal = (b - a).cross(c - a);
        assert!((found.point - a).dot(normal).abs() < 1e-9);
        for (p, q) in [(a, b), (b, c), (c, a)] {
            assert!((q - p).cross(found.point - p).dot(normal) > -1e-9);
        }
        // No sample of any triangle is closer.
        for number in 0..bunny.triangles().len() as u32 {
            let [a, b, c] = triangle(&bunny, number);
            for sample in [a, b, c, (a + b) / 2.0, (a + b + c) / 3.0] {
                assert!(sample.distance(query) > found.distance - 1e-12);
            }
        }
        let signed = index.signed_distance(query);
        assert_eq!(signed.abs(), found.distance);
        inside += i32::from(signed < 0.0);
    }
    assert!((20..150).contains(&inside), "{inside} samples are inside");
}

proptest! {
    #[test]
    fn any_triangle_answers(corners in [point(), point(), point()], query in point(), squash in 0usize..4) {
        // Also triangles that are segments and points.
        let [a, b, c] = corners;
        let corners = match squash { 0 => [a, b, a], 1 => [a, a, a], 2 => [a, b, a.lerp(b, 0.25)], _ => [a, b, c] };
        let mesh = surface(corners.map(|p| p.as_vec3().to_array()).to_vec(), vec![[0, 1, 2]]);
        let corners = triangle(&mesh, 0);
        let found = SurfaceIndex::new(&mesh).closest_point(query);
        prop_assert!(found.point.is_finite());
        // Convex: the distance is least if it is no larger than towards any point of a grid.
        for i in 0..=20 {
            for j in 0..=20 - i {
                let (u, v) = (f64::from(i) / 20.0, f64::from(j) / 20.0);
                let sample = corners[0] * (1.0 - u - v) + corners[1] * u + corners[2] * v;
                prop_assert!(sample.distance(query) >= found.distance - 1e-9);
            }
        }
    }
}

#[test]
fn the_survey_counts_what_is_odd() {
    let cube = cuboid(DVec3::ZERO, DVec3::new(1.0, 2.0, 3.0));
    let survey = SurfaceSurvey::new(&cube);
    assert_eq!(
        survey,
        SurfaceSurvey {
            boundary_edges: 0,
            non_manifold_edges: 0,
            inconsistent_edges: 0,
            components: 1,
            inside_out: false,
            degenerate_triangles: 0,
            duplicate_triangles: 0,
            volume: survey.volume,
            area: 22.0,
            bounds: ([0.0; 3], [1.0, 2.0, 3.0]),
            closed: true,
        }
    );
    assert!((survey.volume - 6.0).abs() < 1e-12);
    assert_eq!(survey.extent(), 3.0);

    let inward = SurfaceSurvey::new(&reversed(&cube));
    assert!(inward.inside_out && inward.closed && (inward.volume + 6.0).abs() < 1e-12);

    let two = joined(&cube, &cuboid(DVec3::splat(5.0), DVec3::splat(6.0)));
    assert_eq!(SurfaceSurvey::new(&two).components, 2);

    // A face less: four open edges, and its diagonal is gone.
    let open = surface(cube.positions().to_vec(), cube.triangles()[2..].to_vec());
    let survey = SurfaceSurvey::new(&open);
    assert_eq!((survey.boundary_edges, survey.closed), (4, false));

    // One triangle turned round.
    let mut triangles = cube.triangles().to_vec();
    triangles[0].swap(0, 1);
    let survey = SurfaceSurvey::new(&surface(cube.positions().to_vec(), triangles));
    assert_eq!((survey.inconsistent_edges, survey.closed), (3, false));

    // Twice the same triangle, a fin, a triangle with a vertex twice, one of no area.
    let mut positions = cube.positions().to_vec();
    positions.extend([[0.5, 0.5, -1.0], [0.25, 0.0, 0.0]]);
    let mut triangles = cube.triangles().to_vec();
    let [a, b, c] = triangles[0];
    triangles.extend([[b, c, a], [a, b, 8], [a, a, b], [0, 9, 1]]);
    let survey = SurfaceSurvey::new(&surface(positions, triangles));
    assert_eq!(
        (survey.duplicate_triangles, survey.degenerate_triangles),
        (1, 2)
    );
    assert!(
        survey.non_manifold_edges >= 3 && survey.boundary_edges >= 2,
        "{survey:?}"
    );
}

#[test]
fn corners_at_one_place_are_one_vertex() {
    // As STL has it: every triangle with its own three vertices; also −0 for 0.
    let cube = cuboid(DVec3::ZERO, DVec3::ONE);
    let soup: Vec<[f32; 3]> = cube
        .triangles()
        .as_flattened()
        .iter()
        .enumerate()
        .map(|(n, &v)| {
            cube.positions()[v as usize].map(|x| if n % 2 == 0 && x == 0.0 { -0.0 } else { x })
        })
        .collect();
    let triangles = (0..12).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let survey = SurfaceSurvey::new(&surface(soup, triangles));
    assert_eq!(
        (survey.boundary_edges, survey.components, survey.closed),
        (0, 1, true)
    );
    let bunny = SurfaceSurvey::new(&figure("bunny"));
    assert!(bunny.closed && bunny.components == 1 && !bunny.inside_out);
}
