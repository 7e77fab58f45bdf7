//! What `TetMesh` refuses, what it mends, and that arbitrary input never panics or yields a non-finite number.
#![cfg(not(target_arch = "wasm32"))]

use proptest::prelude::*;
use webgpu_softbody::error::{IndexHint, MeshError, MeshFile};
use webgpu_softbody::mesh::{Finding, MAX_COORDINATE, TetMesh};
use webgpu_softbody::rest_state::{MeshReport, RestState, vertices_in_box};
use webgpu_softbody::topology::Topology;

const CORNER: [[f32; 3]; 4] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
];

fn with_vertex(extra: [f32; 3]) -> Vec<[f32; 3]> {
    [&CORNER[..], &[extra]].concat()
}

fn position_bytes(positions: &[[f32; 3]]) -> Vec<u8> {
    positions
        .as_flattened()
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .collect()
}

fn tet_bytes(tets: &[[u32; 4]]) -> Vec<u8> {
    tets.as_flattened()
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .collect()
}

#[test]
fn unaligned_bytes_load() {
    let (positions, tets) = (position_bytes(&CORNER), tet_bytes(&[[0, 1, 2, 3]]));
    for shift in 0..4 {
        let shifted = |bytes: &[u8]| [&[0xff; 4][..shift], bytes].concat();
        let mesh =
            TetMesh::from_bytes(&shifted(&positions)[shift..], &shifted(&tets)[shift..]).unwrap();
        assert_eq!(mesh.positions(), CORNER);
        assert_eq!(mesh.tets(), [[0, 1, 2, 3]]);
        assert_eq!(mesh.findings(), []);
        assert_eq!(
            (mesh.position_bytes(), mesh.tet_bytes()),
            (positions.clone(), tets.clone())
        );
    }
}

#[test]
fn each_file_is_named_in_its_error() {
    let (positions, tets) = (position_bytes(&CORNER), tet_bytes(&[[0, 1, 2, 3]]));
    let error = |positions: &[u8], tets: &[u8]| TetMesh::from_bytes(positions, tets).unwrap_err();
    assert_eq!(
        error(&[], &tets),
        MeshError::Empty {
            file: MeshFile::Positions
        }
    );
    assert_eq!(
        error(&positions, &[]),
        MeshError::Empty {
            file: MeshFile::TetIndices
        }
    );
    assert_eq!(
        error(&positions, &tets[..15]),
        MeshError::LengthNotMultiple {
            file: MeshFile::TetIndices,
            bytes: 15,
            element_bytes: 16,
            elements: 0,
            excess: 15
        }
    );
    // Text of a whole number of elements is still text.
    let page = b"<html>not found at all</html>\n\n\n";
    assert_eq!(page.len(), 32);
    let MeshError::NotAMesh {
        file, looks_like, ..
    } = error(&positions, page)
    else {
        panic!("text was taken for tets");
    };
    assert_eq!((file, looks_like), (MeshFile::TetIndices, "HTML"));
}

#[test]
fn index_hints_need_the_whole_pattern() {
    let hint = |tets: &[[u32; 4]]| match TetMesh::new(with_vertex([1.0; 3]), tets.to_vec()) {
        Err(MeshError::IndexOutOfRange {
            tet,
            corner,
            index,
            vertices,
            hint,
        }) => {
            assert_eq!((tets[tet][corner], vertices), (index, 5));
            hint
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(hint(&[[1, 2, 3, 4], [2, 3, 4, 5]]), IndexHint::OneBased);
    assert_eq!(hint(&[[0, 2, 3, 4], [2, 3, 4, 5]]), IndexHint::None);
    assert_eq!(hint(&[[1, 2, 3, 4], [2, 3, 4, 6]]), IndexHint::None);
    assert_eq!(
        hint(&[[0, 1 << 24, 2 << 24, 4 << 24]]),
        IndexHint::BigEndian
    );
    assert_eq!(hint(&[[0, 1 << 24, 2 << 24, 5 << 24]]), IndexHint::None);
}

#[test]
fn coordinates_of_used_vertices_are_checked() {
    for (value, text) in [
        (f32::NAN, "NaN"),
        (f32::INFINITY, "Infinity"),
        (f32::NEG_INFINITY, "-Infinity"),
    ] {
        let mut positions = CORNER;
        positions[2][1] = value;
        let error = TetMesh::new(positions.to_vec(), vec![[0, 1, 2, 3]]).unwrap_err();
        assert_eq!(
            error,
            MeshError::NonFinite {
                vertex: 2,
                axis: 'y',
                value: text
            }
        );
    }
    let mut positions = CORNER;
    positions[3][2] = -2.0 * MAX_COORDINATE;
    let error = TetMesh::new(positions.to_vec(), vec![[0, 1, 2, 3]]).unwrap_err();
    assert_eq!(error.kind(), "coordinate-too-large");
    assert!(
        error.to_string().contains("vertex 3 has z = -2e9 m"),
        "{error}"
    );
}

#[test]
fn an_unused_vertex_keeps_its_number_and_gets_a_finite_place() {
    for bad in [
        [f32::NAN, 0.0, 0.0],
        [0.0, f32::INFINITY, 0.0],
        [0.0, 0.0, f32::MAX],
    ] {
        let mesh = TetMesh::new(with_vertex(bad), vec![[0, 1, 2, 3]]).unwrap();
        assert_eq!(mesh.positions().len(), 5);
        assert_eq!(mesh.positions()[4], [0.5; 3]);
        assert_eq!(mesh.used_bounds(), ([0.0; 3], [1.0; 3]));
        let codes: Vec<_> = mesh
            .findings()
            .iter()
            .map(|f| (f.code, f.examples.as_slice(), f.mended))
            .collect();
        assert_eq!(
            codes,
            [
                (Finding::UNUSED_NON_FINITE, &[4][..], true),
                (Finding::UNUSED_VERTICES, &[4][..], false)
            ]
        );
        assert_eq!(RestState::new(&mesh).vertex_masses(1000.0)[4], 0.0);
    }
    // A usable place is left alone, however far away.
    let mesh = TetMesh::new(with_vertex([7.0, 8.0, 9.0]), vec![[0, 1, 2, 3]]).unwrap();
    assert_eq!(mesh.positions()[4], [7.0, 8.0, 9.0]);
    assert_eq!(mesh.used_bounds(), ([0.0; 3], [1.0; 3]));
}

#[test]
fn nothing_but_degenerate_tets_is_an_error_with_the_counts() {
    let positions = with_vertex([1.0, 1.0, 0.0]);
    let error =
        TetMesh::new(positions, vec![[0, 1, 2, 4], [0, 1, 1, 3], [3, 1, 2, 3]]).unwrap_err();
    let MeshError::NoUsableTets {
        tets,
        repeated,
        flat,
        ..
    } = error
    else {
        panic!("{error}");
    };
    assert_eq!((tets, repeated, flat), (3, 2, 1));
}

#[test]
fn degeneracy_is_relative_to_size() {
    for scale in [1e-10f32, 1e-4, 1.0, 1e8] {
        let scaled = CORNER.map(|p| p.map(|x| x * scale)).to_vec();
        let mesh = TetMesh::new(scaled, vec![[0, 1, 2, 3]]).unwrap();
        let volume = RestState::new(&mesh).total_volume;
        assert!((volume / (f64::from(scale).powi(3) / 6.0) - 1.0).abs() < 1e-6);
    }
    // A sliver of height h over the unit right triangle has a quality near 6√2·h/6/2√2 = h/2.
    for (height, fine) in [(1e-6, true), (1e-7, false)] {
        let mut positions = with_vertex([0.3, 0.3, height]);
        positions.push([5.0, 5.0, 5.0]);
        let mesh = TetMesh::new(positions, vec![[0, 1, 2, 3], [0, 1, 2, 4]]).unwrap();
        assert_eq!(
            mesh.tets().len(),
            if fine { 2 } else { 1 },
            "height {height}"
        );
    }
}

#[test]
fn too_small_for_single_precision_is_an_error_not_a_zero() {
    let positions = CORNER.map(|p| p.map(|x| x * 1e-13)).to_vec();
    let error = TetMesh::new(positions, vec![[0, 1, 2, 3]]).unwrap_err();
    assert_eq!(error.kind(), "tet-too-small");
    assert!(error.to_string().contains("tet 0"), "{error}");
}

#[test]
fn a_duplicate_of_either_winding_is_removed_once_the_first_is_kept() {
    let tets = vec![[1, 0, 2, 3], [0, 1, 2, 3], [3, 2, 1, 0], [0, 1, 2, 4]];
    let mesh = TetMesh::new(with_vertex([0.2, 0.2, -1.0]), tets).unwrap();
    assert_eq!(mesh.tets(), [[1, 0, 3, 2], [0, 1, 4, 2]]);
    let finding = |code| {
        mesh.findings()
            .iter()
            .find(|f| f.code == code)
            .unwrap()
            .examples
            .clone()
    };
    assert_eq!(finding(Finding::DUPLICATE_TETS), [1, 2]);
    assert_eq!(finding(Finding::FLIPPED_TETS), [0, 3]);
}

#[test]
fn scaling_is_checked() {
    let mesh = || TetMesh::new(CORNER.to_vec(), vec![[1, 0, 2, 3]]).unwrap();
    for factor in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(
            mesh().scaled(factor).unwrap_err().kind(),
            "invalid-scale",
            "{factor}"
        );
    }
    assert_eq!(
        mesh().scaled(1e10).unwrap_err().kind(),
        "coordinate-too-large"
    );
    assert_eq!(mesh().scaled(1e300).unwrap_err().kind(), "non-finite");
    assert_eq!(mesh().scaled(1e-13).unwrap_err().kind(), "tet-too-small");
    assert_eq!(mesh().scaled(1e-60).unwrap_err().kind(), "scale-flattens");
    let double = mesh().scaled(2.0).unwrap();
    assert_eq!(double.positions()[3], [0.0, 0.0, 2.0]);
    assert_eq!(double.finding_count(Finding::FLIPPED_TETS), 1);
    assert_eq!(double.findings().len(), 1);
    assert_eq!(
        mesh()
            .scaled(1e3)
            .unwrap()
            .finding_count(Finding::SUSPICIOUS_SCALE),
        1
    );
}

/// Everything a loaded mesh promises, checked through to the report.
fn check_promises(mesh: &TetMesh) -> Result<(), TestCaseError> {
    let vertices = mesh.positions().len();
    prop_assert!(!mesh.tets().is_empty());
    prop_assert!(
        mesh.positions()
            .as_flattened()
            .iter()
            .all(|x| x.is_finite())
    );
    prop_assert!(
        mesh.tets()
            .as_flattened()
            .iter()
            .all(|&i| (i as usize) < vertices)
    );

    let topology = Topology::new(mesh);
    let mut slots: Vec<u32> = topology.tet_slots.as_flattened().to_vec();
    slots.sort_unstable();
    prop_assert!(slots.into_iter().eq(0..4 * mesh.tets().len() as u32));
    let mut directed = std::collections::BTreeMap::<[u32; 2], i64>::new();
    for &[a, b, c] in &topology.surface_triangles {
        for [from, to] in [[a, b], [b, c], [c, a]] {
            *directed.entry([from.min(to), from.max(to)]).or_default() +=
                if from < to { 1 } else { -1 };
        }
    }
    prop_assert!(
        directed.values().all(|&sum| sum == 0),
        "the surface is open"
    );

    let rest = RestState::new(mesh);
    prop_assert!(rest.volumes.iter().all(|v| v.is_normal() && *v > 0.0));
    prop_assert!(
        rest.vertex_volumes
            .iter()
            .all(|v| v.is_finite() && *v >= 0.0)
    );
    prop_assert!(
        rest.inverse_edges
            .as_flattened()
            .as_flattened()
            .iter()
            .all(|x| x.is_finite())
    );
    prop_assert!(
        rest.condition_numbers
            .iter()
            .all(|k| k.is_finite() && *k >= 1.0)
    );
    let report = MeshReport::new(mesh, &topology, &rest, 1000.0);
    prop_assert!(report.mass.is_finite() && report.volume > 0.0);
    prop_assert!(serde_json::to_string(&report).is_ok());
    Ok(())
}

fn any_coordinate() -> impl Strategy<Value = f32> {
    prop_oneof![
        8 => (-4i8..4).prop_map(f32::from),
        4 => -2.0f32..2.0,
        1 => any::<u32>().prop_map(f32::from_bits),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_never_panic(
        positions in proptest::collection::vec(any::<u8>(), 0..200),
        tets in proptest::collection::vec(prop_oneof![3 => Just(0u8), 1 => any::<u8>()], 0..200),
    ) {
        match TetMesh::from_bytes(&positions, &tets) {
            Ok(mesh) => check_promises(&mesh)?,
            Err(error) => prop_assert!(!error.to_string().is_empty() && !error.kind().is_empty()),
        }
    }

    #[test]
    fn arbitrary_meshes_load_sound_or_are_refused(
        positions in proptest::collection::vec(proptest::array::uniform3(any_coordinate()), 4..12),
        tets in proptest::collection::vec(proptest::array::uniform4(0u32..12), 1..30),
    ) {
        let vertices = positions.len() as u32;
        let tets: Vec<_> = tets.into_iter().map(|tet| tet.map(|i| i % vertices)).collect();
        if let Ok(mesh) = TetMesh::from_bytes(&position_bytes(&positions), &tet_bytes(&tets)) {
            check_promises(&mesh)?;
            // What is mended stays mended: the bytes of a mesh load as they are.
            let again = TetMesh::from_bytes(&mesh.position_bytes(), &mesh.tet_bytes()).unwrap();
            prop_assert_eq!(again.positions(), mesh.positions());
            prop_assert_eq!(again.tets(), mesh.tets());
            prop_assert!(again.findings().iter().all(|finding| !finding.mended));
            let all = vertices_in_box(&mesh, [f32::MIN; 3], [f32::MAX; 3]);
            prop_assert_eq!(all.len(), positions.len());
        }
    }

    #[test]
    fn valid_tets_come_back_bit_for_bit(
        bits in proptest::collection::vec(proptest::array::uniform3(-1e3f32..1e3), 4..40),
    ) {
        let tets: Vec<[u32; 4]> = (0..bits.len() as u32 - 3).map(|i| [i, i + 1, i + 2, i + 3]).collect();
        if let Ok(mesh) = TetMesh::new(bits.clone(), tets.clone()) {
            prop_assert_eq!(mesh.position_bytes(), position_bytes(&bits));
            let sorted = |mut tet: [u32; 4]| { tet.sort_unstable(); tet };
            if mesh.finding_count(Finding::DEGENERATE_TETS) == 0 {
                let found: Vec<_> = mesh.tets().iter().map(|&tet| sorted(tet)).collect();
                prop_assert_eq!(found, tets);
            }
        }
    }
}
