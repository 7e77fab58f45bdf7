//! Every stored mesh, malformed or real, has exactly the outcome that its manifest asks for.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;
use webgpu_softbody::error::MeshError;
use webgpu_softbody::mesh::TetMesh;
use webgpu_softbody::rest_state::{MeshReport, RestState};
use webgpu_softbody::topology::Topology;

const DENSITY: f64 = 1000.0;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
}

fn read(path: PathBuf) -> Vec<u8> {
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn load(folder: &Path, case: &str) -> Result<TetMesh, MeshError> {
    TetMesh::from_bytes(
        &read(folder.join(format!("{case}_positions.vec3f32bin"))),
        &read(folder.join(format!("{case}_tet_indices.vec4u32bin"))),
    )
}

fn cases(folder: &Path) -> BTreeMap<String, Value> {
    let manifest: Value =
        serde_json::from_slice(&read(folder.join("manifest.json"))).expect("manifest is JSON");
    let cases = manifest["cases"]
        .as_object()
        .expect("manifest has cases")
        .clone();
    // A file without an entry would go untested, an entry without a file fails in `load`.
    let stored = std::fs::read_dir(folder)
        .expect("folder exists")
        .filter(|entry| {
            let name = entry.as_ref().expect("entry").file_name();
            name.to_string_lossy().ends_with("_positions.vec3f32bin")
        })
        .count();
    assert_eq!(stored, cases.len(), "meshes in {}", folder.display());
    cases.into_iter().collect()
}

/// Numbers to relative 1e-9, everything else exactly; only what is expected is compared.
fn check(expected: &Value, found: &Value, place: &str) {
    match expected {
        Value::Object(fields) => {
            for (name, field) in fields {
                check(field, &found[name], &format!("{place}.{name}"));
            }
        }
        Value::Number(number) => {
            let (a, b) = (number.as_f64().expect("number"), found.as_f64());
            let b = b.unwrap_or_else(|| panic!("{place}: {found} is no number"));
            assert!(
                (a - b).abs() <= 1e-9 * a.abs(),
                "{place}: expected {a}, found {b}"
            );
        }
        Value::Array(items) if items.iter().all(Value::is_number) => {
            let found = found
                .as_array()
                .unwrap_or_else(|| panic!("{place}: {found}"));
            assert_eq!(items.len(), found.len(), "{place}");
            for (i, (a, b)) in items.iter().zip(found).enumerate() {
                check(a, b, &format!("{place}[{i}]"));
            }
        }
        _ => assert_eq!(expected, found, "{place}"),
    }
}

fn check_outcome(name: &str, case: &Value, outcome: Result<TetMesh, MeshError>) {
    let mesh = match outcome {
        Err(error) => {
            assert_eq!(case["error"], error.kind(), "{name}: {error}");
            let message = error.to_string();
            for part in case["message"].as_array().expect("message parts") {
                let part = part.as_str().expect("text");
                assert!(
                    message.contains(part),
                    "{name}: {part:?} is missing from {message:?}"
                );
            }
            return;
        }
        Ok(mesh) => mesh,
    };
    assert!(
        case["error"].is_null(),
        "{name}: loaded, but expected {}",
        case["error"]
    );
    let (topology, rest) = (Topology::new(&mesh), RestState::new(&mesh));
    let report = MeshReport::new(&mesh, &topology, &rest, DENSITY);
    assert!(rest.volumes.iter().all(|&volume| volume > 0.0), "{name}");
    assert!(
        rest.inverse_edges
            .as_flattened()
            .as_flattened()
            .iter()
            .all(|x| x.is_finite()),
        "{name}"
    );
    assert!(
        (report.mass / (DENSITY * report.volume) - 1.0).abs() < 1e-12,
        "{name}"
    );

    check(
        &case["report"],
        &serde_json::to_value(&report).expect("report is JSON"),
        name,
    );
    let found: BTreeMap<&str, Value> = report
        .findings
        .iter()
        .map(|finding| {
            (
                finding.code,
                serde_json::to_value(finding).expect("finding is JSON"),
            )
        })
        .collect();
    assert_eq!(
        found.len(),
        report.findings.len(),
        "{name}: a code occurs twice"
    );
    let expected = case["findings"].as_object().expect("findings");
    assert!(
        found.keys().eq(expected.keys()),
        "{name}: expected {:?}, found {found:#?}",
        expected.keys()
    );
    for (code, expected) in expected {
        check(expected, &found[code.as_str()], &format!("{name}: {code}"));
    }
    for finding in &report.findings {
        let has_number = finding.message.contains(|c: char| c.is_ascii_digit());
        assert!(has_number, "{name}: {:?} has no number", finding.message);
        assert!(finding.examples.len() <= 8, "{name}: {finding:?}");
    }
}

#[test]
fn malformed_and_awkward_meshes() {
    let folder = folder("bad");
    for (name, case) in cases(&folder) {
        check_outcome(&name, &case, load(&folder, &name));
        // An error leaves nothing behind: a good mesh still loads.
        assert!(
            load(&folder, "five_tet_alternating_ok").is_ok(),
            "after {name}"
        );
    }
}

#[test]
fn meshes_of_real_programs() {
    let folder = folder("real");
    for (name, case) in cases(&folder) {
        check_outcome(&name, &case, load(&folder, &name));
    }
}

#[test]
fn millimetres_are_mended_by_scaling() {
    let mesh = load(&folder("bad"), "millimetre_units").expect("loads with a warning");
    assert_eq!(mesh.findings().len(), 1);
    let metres = mesh.scaled(1e-3).expect("a 1 m cube");
    assert_eq!(metres.findings(), []);
    assert!((RestState::new(&metres).total_volume - 1.0).abs() < 1e-6);
    assert_eq!(metres.used_bounds(), ([0.0; 3], [1.0; 3]));
}
