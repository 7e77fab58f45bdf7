//! Embedded surfaces: every vertex in the right tet, weights that reproduce it, seams smooth and hard edges hard.
#![cfg(not(target_arch = "wasm32"))]

use glam::{DMat3, DVec3};
use proptest::prelude::*;
use webgpu_softbody::embedding::Embedding;
use webgpu_softbody::mesh::TetMesh;
use webgpu_softbody::meshing::{box_mesh, torus_mesh};
use webgpu_softbody::rest_state::{MeshReport, RestState, SurfaceReport};
use webgpu_softbody::surface::{SurfaceLook, SurfaceMesh};
use webgpu_softbody::topology::Topology;

fn wide(p: [f32; 3]) -> DVec3 {
    DVec3::from(p.map(f64::from))
}

fn surface(positions: &[[f32; 3]], triangles: &[[u32; 3]], look: SurfaceLook) -> SurfaceMesh {
    SurfaceMesh::new(positions.to_vec(), triangles.to_vec(), look).expect("a sound surface")
}

/// A triangle per three points: nothing is shared.
fn soup(positions: &[[f32; 3]]) -> SurfaceMesh {
    let triangles: Vec<[u32; 3]> = (0..positions.len() as u32 / 3)
        .map(|t| [3 * t, 3 * t + 1, 3 * t + 2])
        .collect();
    surface(positions, &triangles, SurfaceLook::default())
}

/// Barycentric coordinates by another way than the crate's: the inverse of the edge matrix.
fn barycentric(corners: [DVec3; 4], p: DVec3) -> [f64; 4] {
    let [a, b, c, d] = corners;
    let w = DMat3::from_cols(b - a, c - a, d - a).inverse() * (p - a);
    [1.0 - w.x - w.y - w.z, w.x, w.y, w.z]
}

/// Squared distance of a point to a tet by projecting onto every face, edge and corner that its foot lies in.
fn distance_to_tet(corners: [DVec3; 4], p: DVec3) -> f64 {
    if barycentric(corners, p).iter().all(|&w| w >= 0.0) {
        return 0.0;
    }
    let mut nearest = f64::INFINITY;
    for i in 0..4 {
        nearest = nearest.min(corners[i].distance(p));
        for j in 0..i {
            let along = corners[j] - corners[i];
            let t = (p - corners[i]).dot(along) / along.length_squared();
            if (0.0..=1.0).contains(&t) {
                nearest = nearest.min((corners[i] + t * along).distance(p));
            }
            for k in 0..j {
                let (u, v) = (along, corners[k] - corners[i]);
                let r = p - corners[i];
                let (uu, uv, vv) = (u.dot(u), u.dot(v), v.dot(v));
                let (ru, rv) = (r.dot(u), r.dot(v));
                let det = uu * vv - uv * uv;
                let (s, t) = ((ru * vv - rv * uv) / det, (rv * uu - ru * uv) / det);
                if s >= 0.0 && t >= 0.0 && s + t <= 1.0 {
                    nearest = nearest.min((corners[i] + s * u + t * v).distance(p));
                }
            }
        }
    }
    nearest
}

fn corners_of(mesh: &TetMesh, tet: [u32; 4]) -> [DVec3; 4] {
    tet.map(|vertex| wide(mesh.positions()[vertex as usize]))
}

/// A torus or a box, bent out of shape so that nothing is regular.
fn bent_mesh(kind: bool, bend: [f64; 3]) -> TetMesh {
    let mesh = match kind {
        true => torus_mesh(0.5, 0.2, 4, 9).expect("in range"),
        false => box_mesh([4, 3, 2], [1.0, 0.7, 0.5], [-0.5, -0.3, -0.2]).expect("in range"),
    };
    let positions = mesh.positions().iter().map(|&p| {
        let p = wide(p);
        let moved = DVec3::new(
            p.x + bend[0] * p.y * p.z,
            p.y + bend[1] * p.x * p.x,
            p.z + bend[2] * p.x,
        );
        moved.as_vec3().to_array()
    });
    TetMesh::new(positions.collect(), mesh.tets().to_vec()).expect("still a mesh")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn every_vertex_hangs_in_the_nearest_tet_and_its_weights_give_it_back(
        kind in any::<bool>(),
        bend in prop::array::uniform3(-0.3..0.3),
        points in prop::collection::vec(prop::array::uniform3(-0.9f32..0.9), 30),
    ) {
        let mesh = bent_mesh(kind, bend);
        let embedding = Embedding::new(&mesh, &soup(&points));
        let carried = embedding.carried(mesh.positions());
        let (mut outside, mut farthest) = (0, 0.0f64);
        for (vertex, anchor) in embedding.anchors.iter().enumerate() {
            let p = points[embedding.sources[vertex] as usize];
            prop_assert!(mesh.tets().contains(&anchor.vertices));
            let weights = anchor.weights.map(f64::from);
            prop_assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-6 * weights.iter().fold(1.0, |m, w| w.abs().max(m)));
            let scale = weights.iter().fold(1.0, |m: f64, w| w.abs().max(m));
            prop_assert!(wide(carried[vertex]).distance(wide(p)) < 3e-7 * scale, "{p:?} became {:?}", carried[vertex]);

            let brute = mesh.tets().iter().map(|&tet| distance_to_tet(corners_of(&mesh, tet), wide(p))).fold(f64::INFINITY, f64::min);
            let own = distance_to_tet(corners_of(&mesh, anchor.vertices), wide(p));
            prop_assert!((own - brute).abs() < 1e-9, "{own} m away, the nearest is {brute} m");
            let inside = anchor.weights.iter().all(|w| (-1e-6..=1.0 + 1e-6).contains(w));
            prop_assert_eq!(inside, brute < 1e-7, "weights {:?}, {} m", anchor.weights, brute);
            outside += u32::from(brute > 1e-6);
            farthest = farthest.max(brute);
        }
        prop_assert_eq!(embedding.outside, outside);
        prop_assert!(outside == 0 || (embedding.farthest - farthest).abs() < 1e-9);
    }

    #[test]
    fn an_affine_motion_of_the_mesh_is_the_surfaces_inside_and_out(
        rows in prop::array::uniform9(-1.5f64..1.5),
        points in prop::collection::vec(prop::array::uniform3(-0.9f32..0.9), 12),
    ) {
        let mesh = bent_mesh(true, [0.1, 0.2, -0.1]);
        let embedding = Embedding::new(&mesh, &soup(&points));
        let linear = DMat3::from_cols_array(&rows);
        let moved = |p: DVec3| linear * p + DVec3::new(0.3, -0.2, 0.9);
        let particles: Vec<[f32; 3]> = mesh.positions().iter().map(|&p| moved(wide(p)).as_vec3().to_array()).collect();
        for ((anchor, &source), carried) in embedding.anchors.iter().zip(&embedding.sources).zip(embedding.carried(&particles)) {
            let scale = anchor.weights.iter().fold(1.0, |m: f32, w| w.abs().max(m));
            let expected = moved(wide(points[source as usize]));
            prop_assert!(wide(carried).distance(expected) < 3e-6 * f64::from(scale));
        }
    }
}

/// The eight corners of a unit cube and its twelve triangles.
fn cube() -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let positions = (0..8)
        .map(|i| [0, 1, 2].map(|axis| (i >> axis & 1) as f32))
        .collect();
    let quads = [
        [0, 4, 6, 2],
        [1, 3, 7, 5],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 2, 3, 1],
        [4, 5, 7, 6],
    ];
    let triangles = quads
        .iter()
        .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]])
        .collect();
    (positions, triangles)
}

fn holder() -> TetMesh {
    box_mesh([2, 2, 2], [1.0; 3], [0.0; 3]).expect("in range")
}

/// The normal of each drawn vertex at rest, as the kernel sums it.
fn normals(embedding: &Embedding, surface: &SurfaceMesh) -> Vec<DVec3> {
    (0..embedding.sources.len())
        .map(|vertex| {
            let range = embedding.triangle_offsets[vertex] as usize
                ..embedding.triangle_offsets[vertex + 1] as usize;
            let sum: DVec3 = embedding.incident_triangles[range]
                .iter()
                .map(|&triangle| {
                    let [a, b, c] = surface.triangles()[triangle as usize]
                        .map(|v| wide(surface.positions()[v as usize]));
                    (b - a).cross(c - a)
                })
                .sum();
            sum.normalize_or_zero()
        })
        .collect()
}

#[test]
fn a_cube_keeps_its_edges_whether_its_vertices_are_shared_or_not() {
    let (positions, triangles) = cube();
    let shared = surface(&positions, &triangles, SurfaceLook::default());
    let unwelded: Vec<[f32; 3]> = triangles
        .as_flattened()
        .iter()
        .map(|&v| positions[v as usize])
        .collect();
    for surface in [shared, soup(&unwelded)] {
        let embedding = Embedding::new(&holder(), &surface);
        assert_eq!(embedding.sources.len(), 24, "four corners for each face");
        assert_eq!(embedding.edges.len(), 18);
        let normals = normals(&embedding, &surface);
        for (triangle, drawn) in surface.triangles().iter().zip(&embedding.triangles) {
            let [a, b, c] = triangle.map(|v| wide(surface.positions()[v as usize]));
            let facet = (b - a).cross(c - a).normalize();
            for &vertex in drawn {
                assert!(normals[vertex as usize].distance(facet) < 1e-12);
            }
            let places = drawn.map(|v| surface.positions()[embedding.sources[v as usize] as usize]);
            assert_eq!(places, triangle.map(|v| surface.positions()[v as usize]));
        }
        assert_eq!((embedding.outside, embedding.farthest), (0, 0.0));
    }
}

#[test]
fn modelled_normals_decide_where_there_are_any() {
    let (positions, triangles) = cube();
    // Pointing away from the middle: the modeller wants a ball of it.
    let round: Vec<[f32; 3]> = positions.iter().map(|p| p.map(|x| 2.0 * x - 1.0)).collect();
    let look = SurfaceLook {
        normals: round,
        ..SurfaceLook::default()
    };
    let ball = surface(&positions, &triangles, look);
    let embedding = Embedding::new(&holder(), &ball);
    assert_eq!(embedding.sources.len(), 8);
    for (normal, &source) in normals(&embedding, &ball).iter().zip(&embedding.sources) {
        let outward = wide(positions[source as usize]) - DVec3::splat(0.5);
        assert!(normal.dot(outward.normalize()) > 0.9);
    }

    // A fold of 20° that geometry alone would smooth, modelled as a hard edge.
    let (sin, cos) = 20f32.to_radians().sin_cos();
    let fold = [
        [0.0, 0.0, 0.0],
        [0.0, 0.0, 1.0],
        [1.0, 0.0, 0.0],
        [0.0, 0.0, 0.0],
        [0.0, 0.0, 1.0],
        [-cos, -sin, 0.0],
    ];
    let two = [[0, 1, 2], [4, 3, 5]];
    let flat = |n: [f32; 3], m: [f32; 3]| SurfaceLook {
        normals: vec![n, n, n, m, m, m],
        ..SurfaceLook::default()
    };
    let up = [0.0, 1.0, 0.0];
    let cases = [
        (flat(up, [-sin, cos, 0.0]), 6),
        (flat(up, up), 4),
        (SurfaceLook::default(), 4),
    ];
    for (look, expected) in cases {
        let embedding = Embedding::new(&holder(), &surface(&fold, &two, look));
        assert_eq!(embedding.sources.len(), expected);
    }
}

#[test]
fn a_texture_seam_splits_the_vertex_but_not_the_normal() {
    // A tube of 16 sides, rolled up from a strip: first and last column lie in the same places with u = 0 and 1.
    let (mut positions, mut uvs, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
    for column in 0..=16u32 {
        let (sin, cos) = (std::f32::consts::TAU * (column % 16) as f32 / 16.0).sin_cos();
        for row in 0..2u32 {
            positions.push([0.5 + 0.4 * cos, row as f32, 0.5 - 0.4 * sin]);
            uvs.push([column as f32 / 16.0, row as f32]);
        }
        if column > 0 {
            let [a, b, c, d] = [2 * column - 2, 2 * column, 2 * column + 1, 2 * column - 1];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    let look = SurfaceLook {
        uvs,
        ..SurfaceLook::default()
    };
    let tube = surface(&positions, &triangles, look);
    let embedding = Embedding::new(&holder(), &tube);
    assert_eq!(embedding.sources.len(), 34);
    let normals = normals(&embedding, &tube);
    let at = |source: u32| {
        let mut found = (0..34).filter(|&v| embedding.sources[v] == source);
        found.next().expect("drawn")
    };
    for row in 0..2 {
        let (first, last) = (at(row), at(32 + row));
        assert_eq!(
            normals[first], normals[last],
            "the same sum in the same order"
        );
        assert_eq!(embedding.anchors[first], embedding.anchors[last]);
        assert!(normals[first].dot(DVec3::X) > 0.98, "{}", normals[first]);
    }
}

#[test]
fn a_surface_with_backs_is_smooth_on_either_side() {
    // A gentle fold of two triangles, each followed by its back.
    let positions = [
        [0.0, 0.2, 0.0],
        [0.0, 0.2, 1.0],
        [1.0, 0.0, 0.0],
        [-1.0, 0.0, 0.0],
    ];
    let triangles = [[0, 1, 2], [0, 2, 1], [1, 0, 3], [0, 1, 3]];
    let fold = surface(&positions, &triangles, SurfaceLook::default());
    let embedding = Embedding::new(&holder(), &fold);
    assert_eq!(embedding.sources.len(), 8, "the four corners, twice");
    let normals = normals(&embedding, &fold);
    let [front, back] = [0, 1].map(|triangle| normals[embedding.triangles[triangle][0] as usize]);
    assert!(front.y > 0.9 && front.x.abs() < 1e-12, "{front}");
    assert_eq!(back, -front);
}

#[test]
fn triangles_without_area_do_not_tear_their_neighbours_apart() {
    // A flat square whose diagonal has a triangle of no width between its halves.
    let positions = [
        [0.0; 3],
        [1.0, 0.0, 0.0],
        [1.0, 0.0, 1.0],
        [0.0, 0.0, 1.0],
        [0.0; 3],
    ];
    let square = surface(
        &positions,
        &[[0, 2, 1], [0, 4, 2], [4, 3, 2]],
        SurfaceLook::default(),
    );
    let embedding = Embedding::new(&holder(), &square);
    let [a, b] = [embedding.triangles[0], embedding.triangles[2]];
    assert_eq!(
        (a[0], a[1]),
        (b[0], b[2]),
        "the halves share their diagonal"
    );
    assert_eq!(embedding.edges.len(), 5);
}

#[test]
fn many_vertices_in_one_place_stay_affordable() {
    // A cone of 20,000 triangles, each with its own tip and its own texture coordinate there.
    let count = 20_000u32;
    let rim = |i: u32| {
        let (sin, cos) =
            (std::f64::consts::TAU * f64::from(i % count) / f64::from(count)).sin_cos();
        [0.5 + 0.4 * cos as f32, 0.2, 0.5 - 0.4 * sin as f32]
    };
    let positions: Vec<[f32; 3]> = (0..count)
        .flat_map(|i| [[0.5, 0.4, 0.5], rim(i), rim(i + 1)])
        .collect();
    let look = SurfaceLook {
        uvs: (0..3 * count).map(|i| [i as f32, 0.0]).collect(),
        ..SurfaceLook::default()
    };
    let triangles: Vec<[u32; 3]> = (0..count).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let cone = surface(&positions, &triangles, look);
    let embedding = Embedding::new(&holder(), &cone);
    assert!(embedding.incident_triangles.len() < 260 * 3 * count as usize);
    let tips = (0..embedding.sources.len()).filter(|&v| embedding.sources[v].is_multiple_of(3));
    let normals = normals(&embedding, &cone);
    for tip in tips {
        assert!(normals[tip].dot(DVec3::Y) > 0.999, "{}", normals[tip]);
    }
}

#[test]
fn a_surface_far_outside_its_tets_is_told() {
    // 2 m long: what is farther than 0.1 m outside is told, and farther than 2 m is no matter of more tets.
    let mesh = box_mesh([4, 2, 2], [2.0, 1.0, 1.0], [0.0; 3]).expect("in range");
    let findings = |corners: [[f32; 3]; 3]| {
        let surface = soup(&corners);
        let embedding = Embedding::new(&mesh, &surface);
        let report = MeshReport::new(&mesh, &Topology::new(&mesh), &RestState::new(&mesh), 1000.0)
            .with_surface(SurfaceReport {
                vertices: 3,
                triangles: 1,
                outside: embedding.outside,
                farthest: embedding.farthest,
            });
        assert_eq!(report.surface.map(|surface| surface.vertices), Some(3));
        report.findings
    };
    let inside = [[0.5, 0.5, 0.5], [1.5, 0.5, 0.5]];
    assert_eq!(findings([inside[0], inside[1], [1.0, 1.09, 0.5]]), []);
    for (corners, count, message) in [
        (
            [inside[0], inside[1], [1.0, 1.25, 0.5]],
            1,
            "1 of 3 vertices of the surface lies outside the tets, by up to 0.25 m (the mesh is 2 m across); what lies \
             there is drawn stretched: use more tets",
        ),
        (
            [inside[0], [2.5, 0.5, 0.5], [1.0, 2.5, 0.5]],
            2,
            "2 of 3 vertices of the surface lie outside the tets, by up to 1.5 m (the mesh is 2 m across); what lies \
             there is drawn stretched: use more tets",
        ),
        (
            [[500.0, 0.5, 0.5], [1500.0, 0.5, 0.5], [1000.0, 0.75, 0.5]],
            3,
            "3 of 3 vertices of the surface lie outside the tets, by up to 1498 m (the mesh is 2 m across); the mesh and \
             the surface probably have different units or places",
        ),
    ] {
        let found = findings(corners);
        assert_eq!(found.len(), 1);
        assert_eq!(
            (
                found[0].code,
                found[0].count,
                found[0].mended,
                found[0].message.as_str()
            ),
            ("surface-outside-tets", count, false, message)
        );
    }
}
