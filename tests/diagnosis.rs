//! The mesh doctor: every stored mesh gets its findings by name, and each finding means what it says.
#![cfg(all(feature = "mesh-tools", not(target_arch = "wasm32")))]

mod diagnosis_support;

use std::collections::BTreeMap;
use std::path::Path;

use proptest::prelude::*;
use webgpu_softbody::diagnosis::{DoctorOptions, Unit, diagnose};
use webgpu_softbody::error::MeshError;
use webgpu_softbody::mesh::{Finding, TetMesh};
use webgpu_softbody::meshing::{box_mesh, presets};

use diagnosis_support::*;

/// What the doctor says about each mesh of `tests/data/bad`: the error's kind, or every finding.
const BAD: [(&str, Outcome); 21] = [
    ("all_inverted", Ok(&[("flipped-tets", 48, true)])),
    ("big_endian", Err("index-out-of-range")),
    ("duplicate_tet", Ok(&[("duplicate-tets", 2, true)])),
    (
        "edge_joined_cubes",
        Ok(&[
            ("edge-joined-parts", 2, false),
            ("non-manifold-edges", 2, false),
        ]),
    ),
    ("empty", Err("empty")),
    ("far_x_1e4", Ok(&[("far-from-origin", 1, false)])),
    ("five_tet_alternating_ok", Ok(&[])),
    (
        "five_tet_same_parity",
        Ok(&[
            ("mismatched-diagonals", 2, false),
            ("non-conforming-faces", 8, false),
            ("non-manifold-edges", 8, false),
        ]),
    ),
    (
        "flat_tet",
        Ok(&[("degenerate-tets", 1, true), ("unused-vertices", 4, false)]),
    ),
    ("html_404", Err("not-a-mesh")),
    ("index_equals_count", Err("index-out-of-range")),
    ("millimetre_units", Ok(&[("suspicious-scale", 1, false)])),
    ("nan_coordinate", Err("non-finite")),
    ("one_based_indices", Err("index-out-of-range")),
    ("one_inverted", Ok(&[("flipped-tets", 1, true)])),
    (
        "overlapping_pair",
        Ok(&[
            ("non-manifold-edges", 3, false),
            ("same-orientation-faces", 1, false),
        ]),
    ),
    ("repeated_index", Ok(&[("degenerate-tets", 1, true)])),
    ("tiny_1e-4", Ok(&[("suspicious-scale", 1, false)])),
    ("truncated_positions", Err("length-not-multiple")),
    ("two_components", Ok(&[("multiple-components", 2, false)])),
    ("unused_vertices_tail", Ok(&[("unused-vertices", 2, false)])),
];

#[test]
fn every_bad_mesh_is_diagnosed_by_name() {
    let manifest: serde_json::Value = serde_json::from_slice(
        &std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/bad/manifest.json"))
            .expect("the manifest"),
    )
    .expect("JSON");
    let cases: Vec<&str> = manifest["cases"]
        .as_object()
        .expect("cases")
        .keys()
        .map(String::as_str)
        .collect();
    let mut listed: Vec<&str> = BAD.iter().map(|(name, _)| *name).collect();
    listed.sort_unstable();
    let mut wanted = cases.clone();
    wanted.sort_unstable();
    assert_eq!(listed, wanted);

    for (name, expected) in BAD {
        // What the two files say before their numbers mean anything is said by the parser.
        let parsed = TetMesh::from_bytes(
            &read("bad", name, "positions.vec3f32bin"),
            &read("bad", name, "tet_indices.vec4u32bin"),
        );
        let (positions, tets) = stored("bad", name);
        let outcome = match parsed {
            Err(
                error @ (MeshError::NotAMesh { .. }
                | MeshError::LengthNotMultiple { .. }
                | MeshError::Empty { .. }),
            ) => Err(error),
            _ => diagnose(positions.clone(), tets.clone(), &DoctorOptions::default()),
        };
        match (outcome, expected) {
            (Err(error), expected) => assert_eq!(Err(error.kind()), expected, "{name}: {error}"),
            (Ok(diagnosis), Err(kind)) => panic!("{name}: no {kind}, but {:?}", codes(&diagnosis)),
            (Ok(diagnosis), Ok(expected)) => {
                assert_eq!(
                    codes(&diagnosis),
                    expected,
                    "{name}: {:#?}",
                    diagnosis.report.findings
                );
                assert_eq!(
                    (&diagnosis.positions, &diagnosis.tets),
                    (&positions, &tets),
                    "{name}"
                );
                assert_eq!(
                    diagnosis.mesh,
                    TetMesh::new(positions, tets).expect("loads"),
                    "{name}"
                );
            }
        }
    }
}

#[test]
fn real_meshes_and_presets() {
    let expected: [(&str, &[Code]); 3] = [
        // As SfePy distributes it: the cells of a bar, of which some meet in faces with different diagonals.
        (
            "beam_t42",
            &[
                ("flipped-tets", 42, true),
                ("mismatched-diagonals", 7, false),
                ("non-conforming-faces", 28, false),
                ("non-manifold-edges", 22, false),
            ],
        ),
        ("cylinder", &[]),
        ("unit_ball", &[("unused-vertices", 1, false)]),
    ];
    let mut found = BTreeMap::new();
    for (name, _) in expected {
        let diagnosis = plain(stored("real", name));
        found.insert(name, codes(&diagnosis));
    }
    assert_eq!(
        found,
        expected.map(|(name, codes)| (name, codes.to_vec())).into()
    );
    for preset in presets() {
        let mesh = preset.mesh();
        let diagnosis = plain(arrays(&mesh));
        assert_eq!(codes(&diagnosis), [], "{}", preset.slug);
        assert_eq!(diagnosis.mesh, mesh);
    }
}

#[test]
fn options_out_of_range_are_refused() {
    let mesh = || arrays(&box_mesh([1; 3], [1.0; 3], [0.0; 3]).expect("a box"));
    let refuse = |options: DoctorOptions| {
        let (positions, tets) = mesh();
        diagnose(positions, tets, &options).expect_err("out of range")
    };
    for scale in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = refuse(DoctorOptions {
            scale,
            ..DoctorOptions::default()
        });
        assert_eq!(error.kind(), "invalid-scale");
    }
    for distance in [-1e-9, f64::NAN, f64::INFINITY] {
        let error = refuse(DoctorOptions {
            weld: Some(distance),
            ..DoctorOptions::default()
        });
        assert_eq!(error.kind(), "invalid-parameter");
        assert!(error.to_string().contains("weld"), "{error}");
    }
}

#[test]
fn placing_is_exact_and_ignores_unused_vertices() {
    let (mut positions, tets) =
        arrays(&box_mesh([2; 3], [64.0, 32.0, 16.0], [1e4, 1e4, -1e4]).expect("a box"));
    positions.push([5e8, -5e8, 0.0]);
    let options = DoctorOptions {
        scale: Unit::Millimetre.metres(),
        center: true,
        drop_to_floor: true,
        ..DoctorOptions::default()
    };
    let placed = examine((positions, tets.clone()), &options);
    let (low, high) = placed.mesh.used_bounds();
    // 1e4 mm is 10 m, where single precision resolves a micrometre.
    for (found, expected) in [(low, [-0.032, 0.0, -0.008]), (high, [0.032, 0.032, 0.008])] {
        for axis in 0..3 {
            assert!(
                (found[axis] - expected[axis]).abs() <= 1e-6,
                "{found:?} for {expected:?}"
            );
        }
    }
    assert_eq!(low[1], 0.0);
    assert_eq!(placed.tets, tets);
    assert_eq!(placed.report.bounds.min, low);
    assert!((placed.placement.shift[0] + 10.032).abs() < 1e-6);
    assert_eq!(placed.placement.scale, 0.001);
}

#[test]
fn a_mesh_far_away_is_told_how_to_come_back() {
    let far = plain(stored("bad", "far_x_1e4"));
    let message = &finding(&far, Finding::FAR_FROM_ORIGIN).message;
    assert!(message.contains("`center`"), "{message}");
    let options = DoctorOptions {
        center: true,
        ..DoctorOptions::default()
    };
    assert_eq!(codes(&examine(stored("bad", "far_x_1e4"), &options)), []);
}

#[test]
fn a_tall_bunny_is_told_its_unit() {
    let tall = plain(stored("bad", "millimetre_units"));
    let message = &finding(&tall, Finding::SUSPICIOUS_SCALE).message;
    assert!(
        message.contains("1000 m across") && message.contains("`units` mm makes it 1 m"),
        "{message}"
    );
    let options = DoctorOptions {
        scale: Unit::Millimetre.metres(),
        ..DoctorOptions::default()
    };
    let right = examine(stored("bad", "millimetre_units"), &options);
    assert_eq!(codes(&right), []);
    assert!((right.report.volume - 1.0).abs() < 1e-6);
    // The same in the other direction: metres taken for millimetres.
    let options = DoctorOptions {
        scale: 1e-4,
        ..DoctorOptions::default()
    };
    let small = examine(
        arrays(&box_mesh([2; 3], [1.0; 3], [0.0; 3]).expect("a box")),
        &options,
    );
    let message = &finding(&small, Finding::SUSPICIOUS_SCALE).message;
    assert!(message.contains("`units` m makes it 1 m"), "{message}");
}

#[test]
fn slivers_are_counted_measured_and_listed_worst_first() {
    let (mut positions, mut tets) = arrays(&box_mesh([2; 3], [1.0; 3], [0.0; 3]).expect("a box"));
    let sound = tets.len() as u32;
    // Two slivers of known angles, the second far flatter: the corners of a square, two of them lifted by h.
    for (x, h) in [(3.0, 0.04), (6.0, 0.002f32)] {
        let first = positions.len() as u32;
        positions.extend([
            [x, 0.0, 0.0],
            [x + 1.0, h, 0.0],
            [x + 1.0, 0.0, 1.0],
            [x, h, 1.0],
        ]);
        tets.push([first, first + 1, first + 2, first + 3]);
    }
    let diagnosis = plain((positions, tets));
    let slivers = finding(&diagnosis, Finding::SLIVERS);
    assert_eq!(
        (slivers.count, &slivers.examples[..]),
        (2, &[sound + 1, sound][..])
    );
    // The normals of two faces are (h, −1, −h) and (−h, −1, h), of the others (h, 1, h) and (−h, 1, −h), up to length:
    // the four small angles have the cosine 1/(1 + 2h²), the two large ones −(1 − 2h²)/(1 + 2h²).
    let h = 0.002f64;
    let shape = &diagnosis.shape;
    let small = (1.0 / (1.0 + 2.0 * h * h)).acos().to_degrees();
    let large = 180.0
        - ((1.0 - 2.0 * h * h) / (1.0 + 2.0 * h * h))
            .acos()
            .to_degrees();
    assert!(
        (shape.min_dihedral_degrees / small - 1.0).abs() < 1e-4,
        "{} for {small}",
        shape.min_dihedral_degrees
    );
    assert!(
        (shape.max_dihedral_degrees - large).abs() < 1e-4,
        "{} for {large}",
        shape.max_dihedral_degrees
    );
    let angles: u32 = shape.dihedral_histogram.iter().sum();
    assert_eq!(angles as usize, 6 * diagnosis.mesh.tets().len());
    assert_eq!(shape.dihedral_histogram[0], 8);
    assert_eq!(shape.dihedral_histogram[17], 4);
    assert_eq!(diagnosis.report.shape.as_ref(), Some(shape));
    assert_eq!(
        shape.condition_numbers.worst,
        diagnosis.report.worst_condition_number
    );
    assert!((shape.condition_numbers.median - 4.0489).abs() < 1e-3);
}

#[test]
fn the_report_serialises_with_its_shape() {
    let diagnosis = plain(arrays(
        &box_mesh([2; 3], [1.0; 3], [0.0; 3]).expect("a box"),
    ));
    let json = serde_json::to_value(&diagnosis.report).expect("JSON");
    let shape = &json["shape"];
    assert_eq!(
        shape["dihedralHistogram"].as_array().map(Vec::len),
        Some(18)
    );
    for (field, value) in [("minDihedralDegrees", 45.0), ("maxDihedralDegrees", 90.0)] {
        assert!(
            (shape[field].as_f64().expect("a number") - value).abs() < 1e-6,
            "{shape}"
        );
    }
    for field in ["median", "p99", "worst"] {
        assert!(
            (shape["conditionNumbers"][field].as_f64().expect("a number") - 4.0489).abs() < 1e-3,
            "{shape}"
        );
    }
}

/// Coordinates on a small grid, so that flat, coincident and overlapping things are common, and a few that are no use.
fn coordinate() -> impl Strategy<Value = f32> {
    prop_oneof![
        4000 => (-2i8..3).prop_map(f32::from),
        1000 => -2.0f32..2.0,
        3 => prop::sample::select(vec![f32::NAN, f32::INFINITY, 1e30, 1e-40, -0.0]),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn any_arrays_are_refused_or_examined(
        positions in prop::collection::vec(prop::array::uniform3(coordinate()), 23..30),
        tets in prop::collection::vec(prop::array::uniform4(0u32..24), 0..60),
        scale in prop::sample::select(vec![1.0, 1.0, 0.001, 25.4, 1e20, 0.0]),
        weld in prop::option::of(prop::sample::select(vec![0.0, 0.0, 0.5, 1.5, -1.0])),
        center in any::<bool>(),
        drop_to_floor in any::<bool>(),
    ) {
        let options = DoctorOptions { scale, weld, center, drop_to_floor };
        if let Ok(found) = diagnose(positions, tets, &options) {
            prop_assert_eq!(&found.mesh, &TetMesh::new(found.positions.clone(), found.tets.clone()).expect("loads"));
            let angles: u32 = found.shape.dihedral_histogram.iter().sum();
            prop_assert_eq!(angles as usize, 6 * found.mesh.tets().len());
            let mut codes: Vec<_> = found.report.findings.iter().map(|f| f.code).collect();
            let total = codes.len();
            codes.sort_unstable();
            codes.dedup();
            prop_assert_eq!(codes.len(), total, "a code occurs twice");
            prop_assert!(found.report.findings.is_sorted_by_key(|f| !f.mended));
            for finding in &found.report.findings {
                prop_assert!(finding.count > 0 && finding.examples.len() <= 8, "{:?}", finding);
            }
            let (low, high) = found.mesh.used_bounds();
            let size = (0..3).fold(0.0f32, |size, axis| size.max(high[axis] - low[axis]));
            if drop_to_floor {
                prop_assert!(low[1].abs() <= 1e-6 * size, "{:?} to {:?}", low, high);
            }
            // Moving rounds, which can bring together what lay a hair apart.
            if weld.is_some() && !center && !drop_to_floor {
                let plain = DoctorOptions::default();
                let again = diagnose(found.positions, found.tets, &plain).expect("loads");
                prop_assert!(again.report.findings.iter().all(|f| f.code != Finding::DUPLICATE_VERTICES));
            }
        }
    }
}
