//! What `ClothMesh` refuses and mends, where a grid's particles stand, and that arbitrary input never panics.
#![cfg(not(target_arch = "wasm32"))]

mod cloth_support;

use cloth_support::{Mesh, book, fan, made, moebius, sphere, tube, two};
use proptest::prelude::*;
use webgpu_softbody::cloth::{Attachments, ClothElements, ClothError, ClothMesh, depth};
use webgpu_softbody::error::{IndexHint, MeshError, MeshFile};
use webgpu_softbody::mesh::Finding;

fn refused((positions, triangles): Mesh) -> ClothError {
    ClothMesh::new(positions, triangles).expect_err("a cloth to refuse")
}

/// Code, count, examples and whether it was mended, of each finding.
fn findings(mesh: &ClothMesh) -> Vec<(&'static str, u32, Vec<u32>, bool)> {
    mesh.findings()
        .iter()
        .map(|f| (f.code, f.count, f.examples.clone(), f.mended))
        .collect()
}

fn bytes<T: Copy, const N: usize>(rows: &[[T; N]], le: fn(T) -> [u8; 4]) -> Vec<u8> {
    rows.as_flattened().iter().flat_map(|&x| le(x)).collect()
}

fn normal(mesh: &ClothMesh, triangle: [u32; 3]) -> [f64; 3] {
    let [a, b, c] = triangle.map(|v| mesh.positions()[v as usize].map(f64::from));
    let [p, q] = [b, c].map(|end| [0, 1, 2].map(|i| end[i] - a[i]));
    [
        p[1] * q[2] - p[2] * q[1],
        p[2] * q[0] - p[0] * q[2],
        p[0] * q[1] - p[1] * q[0],
    ]
}

#[test]
fn a_grid_hangs_from_its_first_row() {
    let mesh = ClothMesh::grid(4, 3, 0.5).unwrap();
    assert_eq!(mesh.positions()[0], [-0.75, 1.0, 0.0]);
    assert_eq!(mesh.positions()[3], [0.75, 1.0, 0.0]);
    assert_eq!(mesh.positions()[2 * 4 + 1], [-0.25, 0.0, 0.0]);
    assert_eq!(mesh.positions().len(), 12);
    assert_eq!(mesh.grid_size(), Some((4, 3, 0.5)));
    assert_eq!(mesh.findings(), []);
    // Each cell is two triangles of an eighth that face +z and share a diagonal; neighbours' diagonals meet.
    assert_eq!(mesh.triangles().len(), 12);
    let mut at = [0; 12];
    for &triangle in mesh.triangles() {
        assert_eq!(normal(&mesh, triangle), [0.0, 0.0, 0.25], "{triangle:?}");
        // The right angle stands first.
        let [a, b, c] = triangle.map(|v| mesh.positions()[v as usize]);
        let dot: f32 = (0..3).map(|i| (b[i] - a[i]) * (c[i] - a[i])).sum();
        assert_eq!(dot, 0.0);
        for vertex in triangle {
            at[vertex as usize] += 1;
        }
    }
    assert_eq!(
        at,
        [2, 2, 4, 1, 2, 8, 4, 4, 2, 2, 4, 1].map(|n: u32| n),
        "{at:?}"
    );
    // The same mesh as triangles is sound and keeps every triangle.
    let again = ClothMesh::new(mesh.positions().to_vec(), mesh.triangles().to_vec()).unwrap();
    assert_eq!(again.triangles(), mesh.triangles());
    assert_eq!((again.findings(), again.grid_size()), (&[][..], None));
}

#[test]
fn grids_out_of_range_name_the_number() {
    for (columns, rows, spacing, message) in [
        (
            1,
            5,
            0.1,
            "cloth.grid.columns is 1; it must be from 2 to 4096",
        ),
        (
            5,
            4097,
            0.1,
            "cloth.grid.rows is 4097; it must be from 2 to 4096",
        ),
        (
            5,
            5,
            0.0,
            "cloth.grid.spacing is 0; it must be from 1e-6 to 1000 m",
        ),
        (
            5,
            5,
            f64::NAN,
            "cloth.grid.spacing is NaN; it must be from 1e-6 to 1000 m",
        ),
        (
            5,
            5,
            1e4,
            "cloth.grid.spacing is 10000; it must be from 1e-6 to 1000 m",
        ),
    ] {
        let error = ClothMesh::grid(columns, rows, spacing).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
    let far = ClothMesh::grid(2, 2, 10.0)
        .unwrap()
        .scaled(101.0)
        .unwrap_err();
    assert_eq!(
        far.to_string(),
        "cloth.grid.spacing is 1010; it must be from 1e-6 to 1000 m"
    );
}

#[test]
fn scaling_a_grid_scales_its_spacing() {
    let mesh = ClothMesh::grid(5, 4, 2.0).unwrap().scaled(0.05).unwrap();
    assert_eq!(mesh, ClothMesh::grid(5, 4, 0.1).unwrap());
    for factor in [0.0, -1.0, f64::INFINITY, f64::NAN] {
        let error = ClothMesh::grid(5, 4, 2.0)
            .unwrap()
            .scaled(factor)
            .unwrap_err();
        assert!(
            matches!(error, ClothError::Mesh(MeshError::InvalidScale { .. })),
            "{error}"
        );
    }
}

#[test]
fn scaling_a_mesh_checks_it_again() {
    let (positions, triangles) = two();
    let mesh = made((positions.clone(), triangles.clone()));
    let scaled = mesh.clone().scaled(0.25).unwrap();
    assert_eq!(scaled.positions()[3], [0.25, 0.25, 0.0]);
    assert_eq!(scaled.triangles(), triangles);
    assert_eq!(
        findings(&mesh.clone().scaled(1e-5).unwrap())[0].0,
        Finding::SUSPICIOUS_SCALE
    );
    let error = mesh.clone().scaled(1e-11).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("triangle 0 has an area of 5e-23 m², below the smallest usable 1e-20 m²"),
        "{error}"
    );
    let error = mesh.scaled(1e10).unwrap_err();
    assert!(
        matches!(
            error,
            ClothError::Mesh(MeshError::CoordinateTooLarge {
                vertex: 1,
                axis: 'x',
                ..
            })
        ),
        "{error}"
    );
    // Far away the coordinates have no room for the triangles.
    let far = positions
        .iter()
        .map(|p| [p[0] + 3e8, p[1] * 100.0, 0.0])
        .collect::<Vec<_>>();
    assert!(ClothMesh::new(far, triangles.clone()).is_err());
    // Scaled below the smallest numbers there are, all its corners fall together.
    let thin = positions
        .iter()
        .map(|p| [p[0] + 1000.0, p[1], 0.0])
        .collect();
    let error = ClothMesh::new(thin, triangles)
        .unwrap()
        .scaled(1e-47)
        .unwrap_err();
    assert!(
        matches!(error, ClothError::ScaleFlattens { triangle: 0, .. }),
        "{error}"
    );
}

#[test]
fn unaligned_bytes_load_and_other_bytes_are_named() {
    let (positions, triangles) = two();
    let p = bytes(&positions, f32::to_le_bytes);
    let t = bytes(&triangles, u32::to_le_bytes);
    for shift in 0..4 {
        let [p, t] = [&p, &t].map(|bytes| [&[0xff; 4][..shift], bytes].concat());
        let mesh = ClothMesh::from_bytes(&p[shift..], &t[shift..]).unwrap();
        assert_eq!(
            (mesh.positions(), mesh.triangles()),
            (&positions[..], &triangles[..])
        );
    }
    let file = MeshFile::TriangleIndices;
    let error = |p: &[u8], t: &[u8]| ClothMesh::from_bytes(p, t).unwrap_err();
    assert_eq!(error(&p, &[]), MeshError::Empty { file }.into());
    assert_eq!(
        error(&[], &t),
        MeshError::Empty {
            file: MeshFile::Positions
        }
        .into()
    );
    let cut = MeshError::LengthNotMultiple {
        file,
        bytes: 23,
        element_bytes: 12,
        elements: 1,
        excess: 11,
    };
    assert_eq!(error(&p, &t[..23]), cut.into());
    let page = error(&p, b"<html>not found at all</html>\n\n\n");
    assert!(
        page.to_string()
            .contains("triangle indices (vec3u32bin): 32 bytes that are text"),
        "{page}"
    );
    let swapped: Vec<u8> = t.chunks(4).flat_map(|w| [w[3], w[2], w[1], w[0]]).collect();
    assert!(error(&p, &swapped).to_string().contains("looks big-endian"));
}

#[test]
fn bad_input_names_the_culprit() {
    let (positions, triangles) = two();
    assert_eq!(
        refused((positions.clone(), vec![[0, 1, 2], [2, 1, 4]])),
        ClothError::IndexOutOfRange {
            triangle: 1,
            corner: 2,
            index: 4,
            vertices: 4,
            hint: IndexHint::None
        }
    );
    let one_based = refused((positions.clone(), vec![[1, 2, 3], [3, 2, 4]])).to_string();
    assert!(one_based.contains("triangle 1 corner 2 refers to vertex 4, but there are 4 vertices (0 to 3); the smallest index is 1"), "{one_based}");
    let mut broken = positions.clone();
    broken[2][1] = f32::NAN;
    assert_eq!(
        refused((broken.clone(), triangles.clone())).to_string(),
        "vertex 2 has y = NaN; every vertex in use needs finite coordinates"
    );
    broken[2][1] = -2e9;
    let far = refused((broken, triangles.clone())).to_string();
    assert!(
        far.starts_with("vertex 2 has y = -2000000000 m")
            || far.starts_with("vertex 2 has y = -2e9 m"),
        "{far}"
    );
    assert_eq!(
        refused((Vec::new(), triangles)),
        MeshError::Empty {
            file: MeshFile::Positions
        }
        .into()
    );
    assert_eq!(
        refused((positions.clone(), Vec::new())).to_string(),
        "triangle indices (vec3u32bin): 0 elements; a solid needs at least 4 vertices and 1 tet, a cloth 3 vertices and 1 triangle"
    );
    // Three on a line, and a vertex twice.
    let line = vec![[0.0; 3], [1.0, 1.0, 1.0], [2.0, 2.0, 2.0]];
    assert_eq!(
        refused((line, vec![[0, 1, 2], [0, 1, 1]])),
        ClothError::NoUsableTriangles {
            triangles: 2,
            repeated: 1,
            flat: 1,
            quality_limit: 1e-6
        }
    );
    let tiny = positions.iter().map(|p| p.map(|x| x * 1e-12)).collect();
    assert!(
        refused((tiny, two().1))
            .to_string()
            .starts_with("triangle 0 has an area of 5e-25 m²")
    );
    // A fan of 257 triangles.
    assert_eq!(
        refused(fan(257)).to_string(),
        "257 triangles meet in vertex 257, more than the 256 allowed; divide the fan round it into rings"
    );
}

#[test]
fn degenerate_and_duplicate_triangles_are_removed() {
    let (mut positions, mut triangles) = two();
    positions.push([2.0, 0.0, 0.0]);
    positions.push([f32::NAN, 0.0, 0.0]);
    triangles.insert(0, [0, 1, 4]);
    triangles.extend([[1, 0, 2], [3, 3, 1], [1, 3, 2]]);
    let mesh = made((positions, triangles));
    assert_eq!(mesh.triangles(), two().1);
    assert_eq!(
        findings(&mesh),
        [
            (Finding::DEGENERATE_TRIANGLES, 2, vec![0, 4], true),
            (Finding::DUPLICATE_TRIANGLES, 2, vec![3, 5], true),
            (Finding::UNUSED_NON_FINITE, 1, vec![5], true),
            (Finding::UNUSED_VERTICES, 2, vec![4, 5], false),
        ]
    );
    assert_eq!(mesh.positions()[5], [0.5, 0.5, 0.0]);
    assert!(
        mesh.findings()[3]
            .message
            .starts_with("2 of 6 vertices are in no triangle")
    );
}

#[test]
fn triangles_face_the_way_of_most_neighbours() {
    let (positions, triangles) = sphere(2);
    let mut mixed = triangles.clone();
    // A degenerate one in front, so that numbers of the input differ from those of what is left.
    mixed.insert(0, [0, 0, 1]);
    for wrong in [5, 17, 18, 200] {
        mixed[wrong].swap(0, 1);
    }
    let mesh = made((positions.clone(), mixed));
    let outwards = |triangle: [u32; 3]| {
        let normal = normal(&mesh, triangle);
        let at = positions[triangle[0] as usize];
        (0..3).map(|i| normal[i] * f64::from(at[i])).sum::<f64>() > 0.0
    };
    assert!(mesh.triangles().iter().all(|&triangle| outwards(triangle)));
    assert_eq!(
        findings(&mesh)[1],
        (Finding::FLIPPED_TRIANGLES, 4, vec![5, 17, 18, 200], true)
    );
    assert_eq!(findings(&made((positions.clone(), triangles.clone()))), []);
    // Where the search begins with one that is wrong, the others decide all the same.
    let mut first = triangles.clone();
    first[0].swap(0, 1);
    assert_eq!(
        findings(&made((positions, first))),
        [(Finding::FLIPPED_TRIANGLES, 1, vec![0], true)]
    );
}

#[test]
fn what_cannot_be_mended_is_reported() {
    assert_eq!(findings(&made(moebius()))[0].0, Finding::FLIPPED_TRIANGLES);
    assert_eq!(
        findings(&made(moebius()))[1],
        (
            Finding::INCONSISTENT_TRIANGLES,
            1,
            findings(&made(moebius()))[1].2.clone(),
            false
        )
    );
    assert_eq!(
        findings(&made(book())),
        [(Finding::NON_MANIFOLD_EDGES, 1, vec![0, 1], false)]
    );
    let (mut positions, mut triangles) = two();
    let (more, others) = tube(6, 2);
    triangles.extend(others.iter().map(|t| t.map(|v| v + 4)));
    positions.extend(more);
    assert_eq!(
        findings(&made((positions, triangles))),
        [(Finding::MULTIPLE_COMPONENTS, 2, vec![0, 4], false)]
    );
    let far = two()
        .0
        .iter()
        .map(|p| [p[0], p[1] + 5000.0, p[2]])
        .collect();
    assert_eq!(
        findings(&made((far, two().1))),
        [(Finding::FAR_FROM_ORIGIN, 1, vec![], false)]
    );
}

proptest! {
    #[test]
    fn arbitrary_input_never_panics(
        positions in prop::collection::vec(prop::array::uniform3(prop_oneof![
            4 => -2f32..2.0, 1 => any::<f32>(), 1 => prop::sample::select(vec![0.0f32, 1.0, -1.0]),
        ]), 0..12),
        triangles in prop::collection::vec(prop::array::uniform3(0u32..11), 0..30),
        scale in prop::sample::select(vec![1.0, 1e-30, 1e-6, 1e6]),
    ) {
        let vertices = positions.len();
        if let Ok(mesh) = ClothMesh::new(positions, triangles).and_then(|mesh| mesh.scaled(scale)) {
            let elements = ClothElements::new(&mesh);
            let pinned: Vec<bool> = (0..vertices).map(|v| v % 5 == 0).collect();
            let ways = Attachments::new(&mesh, &elements, &pinned);
            prop_assert!(depth(&mesh, &elements, &pinned) >= 1);
            prop_assert!(mesh.positions().as_flattened().iter().all(|x| x.is_finite()));
            prop_assert!(mesh.material_coordinates().as_flattened().iter().all(|x| x.is_finite()));
            prop_assert!(ways.distances.iter().all(|d| d.is_finite() && *d >= 0.0));
            for edge in &elements.edges {
                prop_assert!(edge.length > 0.0 && edge.length.is_finite() && edge.factor > 0.0 && edge.factor.is_finite());
            }
            for bend in &elements.bends {
                prop_assert!(bend.weights.iter().chain([&bend.rest]).all(|x| x.is_finite()));
            }
            prop_assert!(elements.total_area > 0.0);
            prop_assert!(elements.vertex_areas.iter().all(|area| area.is_finite()));
        }
    }
}
