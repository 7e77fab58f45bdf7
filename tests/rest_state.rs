//! Inverse edges, volumes, masses and pins against closed forms.
#![cfg(not(target_arch = "wasm32"))]

use glam::DMat3;
use webgpu_softbody::mesh::TetMesh;
use webgpu_softbody::meshing::box_mesh;
use webgpu_softbody::rest_state::{MeshReport, RestState, vertices_in_box};
use webgpu_softbody::topology::Topology;

const ASYMMETRIC: [[f32; 3]; 4] = [
    [0.5, 0.25, -0.25],
    [2.5, 0.5, -0.25],
    [0.75, 1.75, 0.0],
    [0.25, 0.5, 2.0],
];

#[test]
fn inverse_edges_are_rows_of_the_inverse() {
    // D_m has the columns (2, ¼, 0), (¼, 3/2, ¼), (−¼, ¼, 9/4). By hand: cofactors / determinant.
    let mesh = TetMesh::new(ASYMMETRIC.to_vec(), vec![[0, 1, 2, 3]]).unwrap();
    assert_eq!(mesh.findings(), []);
    let rest = RestState::new(&mesh);
    let determinant =
        2.0 * (1.5 * 2.25 - 0.25 * 0.25) - 0.25 * (0.25 * 2.25) + -0.25 * (0.25 * 0.25);
    let expected = [
        [1.5 * 2.25 - 0.0625, -(0.25 * 2.25 + 0.0625), 0.0625 + 0.375],
        [-(0.25 * 2.25), 2.0 * 2.25, -(2.0 * 0.25 + 0.0625)],
        [0.0625, -0.5, 3.0 - 0.0625],
    ]
    .map(|row: [f64; 3]| row.map(|x| (x / determinant) as f32));
    assert_eq!(rest.inverse_edges[0], expected);
    assert_eq!(rest.volumes[0], (determinant / 6.0) as f32);
    assert_ne!(
        expected[0][1], expected[1][0],
        "the test tells rows from columns"
    );
}

#[test]
fn inverse_edges_undo_the_edges() {
    let mesh = TetMesh::new(
        ASYMMETRIC.map(|p| p.map(|x| 0.37 * x)).to_vec(),
        vec![[0, 1, 2, 3]],
    )
    .unwrap();
    let rest = RestState::new(&mesh);
    let point = |i: usize| glam::DVec3::from_array(mesh.positions()[i].map(f64::from));
    let edges = DMat3::from_cols(
        point(1) - point(0),
        point(2) - point(0),
        point(3) - point(0),
    );
    let rows = rest.inverse_edges[0].map(|row| row.map(f64::from));
    let inverse = DMat3::from_cols_array_2d(&rows).transpose();
    let difference = (edges * inverse - DMat3::IDENTITY).to_cols_array();
    assert!(difference.iter().all(|x| x.abs() < 1e-6), "{difference:?}");
}

#[test]
fn volumes_add_up_and_masses_are_quarters() {
    let mesh = box_mesh([3, 2, 4], [0.75, 1.0, 2.0], [-4.0, 0.5, 1.0]).unwrap();
    let rest = RestState::new(&mesh);
    assert!((rest.total_volume - 1.5).abs() < 1e-14);
    assert!(
        rest.volumes
            .iter()
            .all(|&v| (v - 0.0625 / 6.0).abs() < 1e-9)
    );
    let masses = rest.vertex_masses(800.0);
    assert!((masses.iter().sum::<f64>() - 1200.0).abs() < 1e-4);
    // The corner on the cells' diagonal is in all six tets of its cell, the next one along z in two.
    let quarter = 800.0 * 0.0625 / 6.0 / 4.0;
    assert!((masses[0] - 6.0 * quarter).abs() < 1e-6, "{}", masses[0]);
    let corner = vertices_in_box(&mesh, [-4.0, 0.5, 3.0], [-4.0, 0.5, 3.0]);
    assert_eq!(corner, [4]);
    assert!((masses[4] - 2.0 * quarter).abs() < 1e-6, "{}", masses[4]);
}

#[test]
fn small_differences_far_away_are_exact() {
    // At 8192 m the spacing of f32 is 1/1024 m: positions are exact, products in f32 would not be.
    let near = box_mesh([2, 2, 2], [0.5; 3], [0.0; 3]).unwrap();
    let far = box_mesh([2, 2, 2], [0.5; 3], [8192.0, -8192.0, 8192.0]).unwrap();
    let (near, far) = (RestState::new(&near), RestState::new(&far));
    assert_eq!(near.inverse_edges, far.inverse_edges);
    assert_eq!(near.volumes, far.volumes);
}

#[test]
fn a_box_of_pins_includes_its_faces() {
    let mesh = box_mesh([2, 2, 2], [1.0; 3], [0.0; 3]).unwrap();
    let left: Vec<u32> = (0..9).collect();
    assert_eq!(vertices_in_box(&mesh, [0.0; 3], [0.0, 1.0, 1.0]), left);
    assert_eq!(vertices_in_box(&mesh, [0.0; 3], [0.49, 1.0, 1.0]), left);
    assert_eq!(vertices_in_box(&mesh, [0.0; 3], [0.5, 1.0, 1.0]).len(), 18);
    assert!(vertices_in_box(&mesh, [1.0; 3], [0.0; 3]).is_empty());
    assert!(vertices_in_box(&mesh, [f32::NAN; 3], [1.0; 3]).is_empty());
}

#[test]
fn the_report_has_the_names_that_callers_read() {
    let mesh = box_mesh([1, 1, 1], [2.0, 1.0, 1.0], [0.0; 3]).unwrap();
    let report = MeshReport::new(&mesh, &Topology::new(&mesh), &RestState::new(&mesh), 500.0);
    let mut json = serde_json::to_value(&report).unwrap();
    let mut number = |name: &str| json[name].take().as_f64().expect("a number");
    assert!(number("worstConditionNumber") > 1.0);
    assert!((number("volume") - 2.0).abs() < 1e-14);
    assert!((number("mass") - 1000.0).abs() < 1e-11);
    assert_eq!(
        json,
        serde_json::json!({
            "vertices": 8, "tets": 6, "surfaceTriangles": 12, "components": 1, "flippedTets": 0,
            "removedDegenerateTets": 0, "removedDuplicateTets": 0, "unusedVertices": 0, "nonManifoldEdges": 0,
            "maxValence": 6, "worstConditionNumber": null, "volume": null, "mass": null,
            "bounds": { "min": [0.0, 0.0, 0.0], "max": [2.0, 1.0, 1.0] }, "findings": []
        })
    );
}

/// A report of a cube with these dynamics.
#[cfg(feature = "gpu")]
fn moving(substeps: u32, r: f64, slowest_scaled_hz: Option<f64>) -> MeshReport {
    let mesh = box_mesh([1; 3], [1.0; 3], [0.0; 3]).unwrap();
    let report = MeshReport::new(&mesh, &Topology::new(&mesh), &RestState::new(&mesh), 1.0);
    report.with_dynamics(webgpu_softbody::rest_state::DynamicsReport {
        substeps,
        r,
        slowest_scaled_hz,
        softening: None,
    })
}

/// The message of the finding where E is lowered by so much.
#[cfg(feature = "gpu")]
fn softened(substeps: u32, slowest_scaled_hz: Option<f64>, factor: f64) -> String {
    let mut dynamics = moving(substeps, 4000.0, slowest_scaled_hz)
        .dynamics
        .expect("with dynamics");
    dynamics.softening = Some(factor);
    let mesh = box_mesh([1; 3], [1.0; 3], [0.0; 3]).unwrap();
    let report = MeshReport::new(&mesh, &Topology::new(&mesh), &RestState::new(&mesh), 1.0);
    report.with_dynamics(dynamics).findings[0].message.clone()
}

#[cfg(feature = "gpu")]
#[test]
fn a_finding_claims_no_more_than_is_true() {
    // Where all motion is slowed, none is exact, and there is no frequency to tell.
    let all = &moving(1, 40.0, Some(0.0)).findings[0].message;
    assert!(
        all.contains("for 1 substep per frame")
            && all.contains("shapes at rest stay exact, but all motion except free fall is slower")
            && !all.contains("Hz")
            && !all.contains("momentum"),
        "{all}"
    );
    // Where E is lowered, shapes at rest are not exact either.
    for (slowest, motion) in [
        (Some(0.0), "all motion except free fall is slower"),
        (Some(12.3), "vibrations above about 12 Hz are slower"),
        (None, "vibrations are slower"),
    ] {
        let message = softened(4, slowest, 0.005_625_4);
        assert!(
            message.contains("Young's modulus is lowered to 0.00563 of what is set, so that shapes at rest sag more")
                && message.contains(motion)
                && !message.contains("exact,")
                && !message.contains("stay"),
            "{message}"
        );
    }
}

#[cfg(feature = "gpu")]
#[test]
fn only_slowed_motion_is_a_finding_and_says_what_it_means() {
    for r in [0.2, 1.0, 1.5, 1.5 + 1e-12] {
        let report = moving(14, r, None);
        assert_eq!((report.findings, report.dynamics.unwrap().r), (vec![], r));
    }
    let report = moving(96, 2.853, Some(84.7));
    let [finding] = &report.findings[..] else {
        panic!("{:?}", report.findings)
    };
    assert_eq!((finding.code, finding.mended), ("scaled-dynamics", false));
    for part in [
        "96 substeps",
        "r = 2.85, followed exactly up to 1.5",
        "shapes at rest, momentum and slow motion stay exact",
        "vibrations above about 85 Hz are slower",
        "more substeps, a softer material or a coarser mesh",
    ] {
        assert!(
            finding.message.contains(part),
            "{part}: {}",
            finding.message
        );
    }
    let message = &moving(96, 12.6, Some(3.25)).findings[0].message;
    assert!(
        message.contains("r = 13") && message.contains("3.25 Hz"),
        "{message}"
    );
    let message = &moving(8, 2.0, None).findings[0].message;
    assert!(message.contains("but vibrations are slower"), "{message}");
}

#[cfg(feature = "gpu")]
#[test]
fn dynamics_are_written_in_camel_case_and_only_where_known() {
    let json = |report: &MeshReport| serde_json::to_value(report).unwrap();
    let report = json(&moving(96, 3.0, Some(20.0)));
    assert_eq!(
        report["dynamics"],
        serde_json::json!({ "substeps": 96, "r": 3.0, "slowestScaledHz": 20.0 })
    );
    let mut soft = moving(1, 600.0, Some(0.0));
    soft.dynamics.as_mut().expect("with dynamics").softening = Some(0.25);
    assert_eq!(
        json(&soft)["dynamics"],
        serde_json::json!({ "substeps": 1, "r": 600.0, "slowestScaledHz": 0.0, "softening": 0.25 })
    );
    let report = json(&moving(14, 1.4, None));
    assert_eq!(
        report["dynamics"],
        serde_json::json!({ "substeps": 14, "r": 1.4 })
    );
    let mesh = box_mesh([1; 3], [1.0; 3], [0.0; 3]).unwrap();
    let report = MeshReport::new(&mesh, &Topology::new(&mesh), &RestState::new(&mesh), 1.0);
    assert!(json(&report).get("dynamics").is_none());
}
