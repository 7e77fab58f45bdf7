//! Files to bodies: what comes out is what the file says, placed as asked, and every refusal has its name.
#![cfg(all(feature = "mesh-tools", not(target_arch = "wasm32")))]

mod conversion_support;

use std::ops::ControlFlow;
use std::path::Path;

use conversion_support::{codes, cube_obj, obj, run};
use webgpu_softbody::conversion::{Converted, DEFAULT_TETS, Inspected, Job, convert, inspect};
use webgpu_softbody::diagnosis::{DoctorOptions, Unit};
use webgpu_softbody::import::NamedFile;
use webgpu_softbody::mesh::{Finding, TetMesh};
use webgpu_softbody::meshing::{Resolution, box_mesh};

fn stored(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn pair<'a>(positions: &'a [u8], tets: &'a [u8]) -> [NamedFile<'a>; 2] {
    [
        NamedFile {
            name: "x_positions.vec3f32bin",
            bytes: positions,
        },
        NamedFile {
            name: "x_tet_indices.vec4u32bin",
            bytes: tets,
        },
    ]
}

fn used_bounds(converted: &Converted) -> ([f32; 3], [f32; 3]) {
    TetMesh::new(converted.positions.clone(), converted.tets.clone())
        .expect("loads")
        .used_bounds()
}

#[test]
fn tets_come_out_exactly_as_they_are_in_the_file() {
    let positions = stored("tests/data/bad/one_inverted_positions.vec3f32bin");
    let tets = stored("tests/data/bad/one_inverted_tet_indices.vec4u32bin");
    let converted = run(
        &pair(&positions, &tets),
        Some(Resolution::Tets(10)),
        DoctorOptions::default(),
    )
    .expect("converts");
    let bytes: Vec<u8> = converted
        .positions
        .as_flattened()
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .collect();
    assert_eq!(bytes, positions);
    let bytes: Vec<u8> = converted
        .tets
        .as_flattened()
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .collect();
    assert_eq!(bytes, tets);
    assert_eq!(codes(&converted), [("flipped-tets", true)]);
    assert!(converted.surface.is_none() && converted.filling.is_none());
    assert!(converted.report.shape.is_some());
    assert!(
        converted
            .notes
            .iter()
            .any(|note| note.contains("resolution")),
        "{:?}",
        converted.notes
    );
}

#[test]
fn a_surface_is_filled_measured_and_kept() {
    let file = cube_obj(1.0, 0);
    let converted = run(
        &obj(&file),
        Some(Resolution::Tets(3000)),
        DoctorOptions::default(),
    )
    .expect("fills");
    assert!(
        (2700..=3300).contains(&converted.tets.len()),
        "{}",
        converted.tets.len()
    );
    assert!(
        (converted.report.volume - 1.0).abs() < 0.1,
        "{}",
        converted.report.volume
    );
    let filling = converted.filling.expect("filled");
    let shape = converted.report.shape.as_ref().expect("measured");
    // The doctor measures the same angles as the mesher.
    assert!(
        (filling.dihedral_degrees.0 - shape.min_dihedral_degrees).abs() < 1e-6,
        "{filling:?} {shape:?}"
    );
    assert!(
        (filling.dihedral_degrees.1 - shape.max_dihedral_degrees).abs() < 1e-6,
        "{filling:?} {shape:?}"
    );
    assert!(filling.cell_size > 0.0 && filling.cell_size < 1.0);
    let surface = converted.surface.as_ref().expect("kept");
    assert_eq!(
        (surface.positions().len(), surface.triangles().len()),
        (8, 12)
    );
    assert_eq!(codes(&converted), []);
    // Without a resolution there is a default.
    let converted = run(&obj(&file), None, DoctorOptions::default()).expect("fills");
    let wanted = DEFAULT_TETS as usize;
    assert!(
        converted.tets.len().abs_diff(wanted) <= wanted / 10,
        "{}",
        converted.tets.len()
    );
}

#[test]
fn tets_and_surface_are_placed_together() {
    let file = cube_obj(200.0, 0);
    let options = DoctorOptions {
        scale: Unit::Millimetre.metres(),
        center: true,
        drop_to_floor: true,
        ..DoctorOptions::default()
    };
    // Cells are in metres after scaling.
    let converted = run(&obj(&file), Some(Resolution::CellSize(0.03)), options).expect("fills");
    assert_eq!(converted.filling.expect("filled").cell_size, 0.03);
    let (low, high) = used_bounds(&converted);
    assert_eq!(low[1], 0.0);
    let surface = converted.surface.as_ref().expect("kept");
    for axis in [0, 2] {
        assert!((low[axis] + high[axis]).abs() < 1e-6, "{low:?} {high:?}");
    }
    // The surface moved with the tets: it stays within a cell of them.
    for position in surface.positions() {
        for axis in 0..3 {
            assert!(
                position[axis] > low[axis] - 0.03 && position[axis] < high[axis] + 0.03,
                "{position:?}"
            );
        }
    }
    let heights = surface.positions().iter().map(|p| p[1]);
    let side = heights.clone().fold(f32::MIN, f32::max) - heights.fold(f32::MAX, f32::min);
    assert!((side - 0.2).abs() < 1e-6, "{side}");
}

#[test]
fn an_open_surface_is_filled_and_says_so() {
    let file = cube_obj(1.0, 1);
    let converted = run(
        &obj(&file),
        Some(Resolution::Tets(2000)),
        DoctorOptions::default(),
    )
    .expect("fills");
    assert!(
        codes(&converted).contains(&("open-surface", true)),
        "{:?}",
        codes(&converted)
    );
    let inspection = inspect(&obj(&file), &DoctorOptions::default()).expect("reads");
    let Inspected::Surface(report) = inspection.content else {
        panic!("a surface was read as tets");
    };
    assert!(!report.closed);
    assert_eq!(report.findings.len(), 1);
    assert_eq!(
        (report.findings[0].code, report.findings[0].mended),
        (Finding::OPEN_SURFACE, false)
    );
}

#[test]
fn units_are_questioned_once_with_the_factor_in_mind() {
    let file = cube_obj(150.0, 0);
    let converted = run(
        &obj(&file),
        Some(Resolution::Tets(500)),
        DoctorOptions::default(),
    )
    .expect("fills");
    assert_eq!(codes(&converted), [("suspicious-scale", false)]);
    assert!(
        converted.report.findings[0]
            .message
            .contains("`units` mm makes it 0.15 m")
    );
    let inches = DoctorOptions {
        scale: 0.0254 * 100.0,
        ..DoctorOptions::default()
    };
    let inspection = inspect(&obj(&file), &inches).expect("reads");
    let Inspected::Surface(report) = inspection.content else {
        panic!("a surface was read as tets");
    };
    assert!(
        report.findings[0]
            .message
            .contains("`units` mm makes it 0.15 m"),
        "{:?}",
        report.findings
    );
}

#[test]
fn progress_never_falls_and_stops_where_it_is_told_to() {
    let file = cube_obj(1.0, 0);
    let job = Job {
        files: &obj(&file),
        resolution: Some(Resolution::Tets(2000)),
        options: DoctorOptions::default(),
    };
    let mut shares = Vec::new();
    convert(&job, &mut |share| {
        shares.push(share);
        ControlFlow::Continue(())
    })
    .expect("fills");
    assert!(shares.is_sorted(), "{shares:?}");
    assert_eq!((shares[0], shares[shares.len() - 1]), (0.0, 1.0));
    for stop in [0.0, 0.01, 0.5, 1.0] {
        let mut calls_after = 0;
        let outcome = convert(&job, &mut |share| {
            if share >= stop {
                calls_after += 1;
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        assert_eq!(
            outcome.expect_err("stopped").kind(),
            "cancelled",
            "at {stop}"
        );
        assert_eq!(calls_after, 1, "at {stop}");
    }
}

#[test]
fn every_refusal_has_its_kind_and_names_the_file() {
    let refuse = |files: &[NamedFile<'_>], resolution, options| {
        let error = run(files, resolution, options).expect_err("refused");
        (error.kind(), error.to_string())
    };
    let plain = DoctorOptions::default();
    let cube = cube_obj(1.0, 0);

    let (kind, message) = refuse(&obj(b"\x00\x01\x02 this is nothing"), None, plain);
    assert_eq!(kind, "unknown-format", "{message}");
    assert_eq!(message.matches("cube.obj").count(), 1, "{message}");

    let broken = [cube.clone(), b"f 1 2 99\n".to_vec()].concat();
    let (kind, message) = refuse(&obj(&broken), None, plain);
    assert_eq!(kind, "malformed", "{message}");
    assert!(
        message.starts_with("cube.obj: ") && message.contains("line 15"),
        "{message}"
    );

    let positions = stored("tests/data/bad/nan_coordinate_positions.vec3f32bin");
    let tets = stored("tests/data/bad/nan_coordinate_tet_indices.vec4u32bin");
    let (kind, message) = refuse(&pair(&positions, &tets), None, plain);
    assert_eq!(kind, "invalid-mesh", "{message}");
    assert!(
        message.contains("vertex 13") && message.contains("x_positions"),
        "{message}"
    );

    let (kind, message) = refuse(&pair(&positions, &tets)[..1], None, plain);
    assert_eq!(kind, "missing-companion", "{message}");

    let sheet = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    let (kind, message) = refuse(&obj(sheet), None, plain);
    assert_eq!(kind, "nothing-inside", "{message}");
    assert!(message.starts_with("cube.obj: "), "{message}");

    for (resolution, options) in [
        (
            None,
            DoctorOptions {
                scale: 0.0,
                ..plain
            },
        ),
        (
            None,
            DoctorOptions {
                weld: Some(-1.0),
                ..plain
            },
        ),
        (Some(Resolution::Tets(0)), plain),
        (Some(Resolution::CellSize(-1.0)), plain),
        (Some(Resolution::CellSize(f64::NAN)), plain),
        (Some(Resolution::CellSize(1e-7)), plain),
    ] {
        let (kind, message) = refuse(&obj(&cube), resolution, options);
        assert_eq!(kind, "invalid-option", "{message}");
    }
    let huge = DoctorOptions {
        scale: 1e39,
        ..plain
    };
    let (kind, message) = refuse(&obj(&cube), None, huge);
    assert_eq!(kind, "invalid-mesh", "{message}");
}

#[test]
fn welding_joins_parts_of_tets_and_leaves_surfaces_alone() {
    let cube = box_mesh([1; 3], [1.0; 3], [0.0; 3]).expect("a box");
    let next = box_mesh([1; 3], [1.0; 3], [1.0, 0.0, 0.0]).expect("a box");
    let positions = [cube.position_bytes(), next.position_bytes()].concat();
    let moved: Vec<u8> = next
        .tets()
        .as_flattened()
        .iter()
        .flat_map(|vertex| (vertex + 8).to_le_bytes())
        .collect();
    let tets = [cube.tet_bytes(), moved].concat();
    let weld = DoctorOptions {
        weld: Some(1e-6),
        ..DoctorOptions::default()
    };
    let joined = run(&pair(&positions, &tets), None, weld).expect("converts");
    assert_eq!((joined.report.components, joined.positions.len()), (1, 12));
    assert_eq!(codes(&joined), [("duplicate-vertices", true)]);

    let far = DoctorOptions {
        weld: Some(10.0),
        ..DoctorOptions::default()
    };
    let file = cube_obj(1.0, 0);
    let filled = run(&obj(&file), Some(Resolution::Tets(500)), far).expect("fills");
    assert!(filled.tets.len() > 400);
    assert!(
        filled.notes.iter().any(|note| note.contains("weld")),
        "{:?}",
        filled.notes
    );
}
