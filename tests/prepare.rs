//! Prepared bodies: sent as sections and put together again they are the same to the bit, and refused ones say what would fit.
#![cfg(all(feature = "gpu", not(target_arch = "wasm32")))]

mod common;
mod render_support;

use common::{gpu, positions, velocities};
use render_support::surfaces::textured_torus;
use std::cell::Cell;
use std::future::ready;
use std::sync::Arc;
use webgpu_softbody::gpu::{BodyBuffers, BodySize, GpuError};
use webgpu_softbody::mesh::TetMesh;
use webgpu_softbody::meshing::{box_mesh, torus_mesh};
use webgpu_softbody::settings::{Environment, Material, SolverSettings, Transform};
use webgpu_softbody::simulation::{BodyOptions, Pinned, Prepared, Simulation};

struct Case {
    name: &'static str,
    mesh: TetMesh,
    options: BodyOptions,
    settings: SolverSettings,
}

/// Two boxes with a turned, a doubled and a flat tet, and a vertex that nothing uses and that is nowhere.
fn defective() -> TetMesh {
    let mesh = box_mesh([2, 3, 2], [0.2, 0.3, 0.2], [0.0; 3]).expect("in range");
    let (mut positions, mut tets) = (mesh.positions().to_vec(), mesh.tets().to_vec());
    let count = positions.len() as u32;
    positions.extend(mesh.positions().iter().map(|&[x, y, z]| [x + 2.0, y, z]));
    tets.extend(mesh.tets().iter().map(|tet| tet.map(|v| v + count)));
    positions.push([f32::NAN; 3]);
    tets[5].swap(0, 1);
    tets.push(tets[7]);
    tets.push([0, 1, 1, 2]);
    TetMesh::new(positions, tets).expect("it can be mended")
}

fn cases() -> [Case; 4] {
    let stiff = Material {
        youngs_modulus: 1e9,
        ..Material::default()
    };
    [
        Case {
            name: "plain",
            mesh: torus_mesh(0.3, 0.13, 4, 16).expect("in range"),
            options: BodyOptions {
                velocity: [0.5, 0.0, -0.25],
                ..BodyOptions::default()
            },
            settings: SolverSettings::explicit(None),
        },
        Case {
            name: "pinned, so stiff that it needs the mass operator",
            mesh: box_mesh([10, 5, 5], [1.0, 0.5, 0.5], [0.0; 3]).expect("in range"),
            options: BodyOptions {
                material: stiff,
                pinned: Pinned::Vertices(vec![0, 1, 2, 3, 4, 5]),
                ..BodyOptions::default()
            },
            settings: SolverSettings::explicit(None),
        },
        Case {
            name: "mended, in two parts, XPBD",
            mesh: defective(),
            options: BodyOptions {
                transform: Transform {
                    scale: 0.5,
                    ..Transform::default()
                },
                drop_to_floor: true,
                ..BodyOptions::default()
            },
            settings: SolverSettings::xpbd(5, 2),
        },
        Case {
            name: "with a surface",
            mesh: torus_mesh(0.3, 0.13, 4, 16).expect("in range"),
            options: BodyOptions {
                surface: Some(Arc::new(textured_torus(40, 24, 1.0))),
                ..BodyOptions::default()
            },
            settings: SolverSettings::explicit(Some(96)),
        },
    ]
}

fn prepared(case: &Case) -> Prepared {
    let Case {
        mesh,
        options,
        settings,
        ..
    } = case;
    let environment = Environment::default();
    Prepared::new(mesh.clone(), options, &environment, settings, &mut |_| ()).expect("it loads")
}

fn bits(vectors: &[[f32; 3]]) -> Vec<[u32; 3]> {
    vectors.iter().map(|v| v.map(f32::to_bits)).collect()
}

/// Where it is after a quarter of a second, with its report.
fn outcome(simulation: &mut Simulation) -> (String, Vec<[u32; 3]>, Vec<[u32; 3]>) {
    let report = format!("{:?}", simulation.report().expect("a body"));
    simulation.step(0.25).expect("a step");
    (
        report,
        bits(&positions(simulation)),
        bits(&velocities(simulation)),
    )
}

#[test]
fn sections_give_back_every_bit() {
    for case in cases() {
        let sections = prepared(&case).into_sections();
        let again = Prepared::from_sections(sections.clone()).into_sections();
        assert_eq!(sections.len(), again.len(), "{}", case.name);
        for (index, (one, other)) in sections.iter().zip(&again).enumerate() {
            assert!(one == other, "{}: section {index}", case.name);
        }
        // An empty list reads as empty lists do: what was lost would only show in the numbers.
        let words: usize = sections.iter().map(Vec::len).sum();
        assert!(
            words > 26 * case.mesh.tets().len(),
            "{}: {words}",
            case.name
        );
    }
}

#[test]
fn a_body_from_sections_moves_as_one_that_was_loaded() {
    for case in cases() {
        let environment = Environment::default();
        let mut loaded = Simulation::new(gpu(), environment, case.settings).expect("in range");
        loaded
            .load(case.mesh.clone(), &case.options)
            .expect("it loads");
        let expected = outcome(&mut loaded);

        let mut sent = Simulation::new(gpu(), environment, case.settings).expect("in range");
        let received = Prepared::from_sections(prepared(&case).into_sections());
        let pauses = Cell::new(0);
        // The closure must be 'static: it counts through a leaked cell.
        let counted: &'static Cell<u32> = Box::leak(Box::new(pauses));
        let pause = move || -> std::pin::Pin<Box<dyn Future<Output = ()>>> {
            counted.set(counted.get() + 1);
            Box::pin(ready(()))
        };
        let surface = case.options.surface.as_deref();
        let uploaded =
            pollster::block_on(received.upload(sent.gpu(), surface, &pause)).expect("it fits");
        assert!(counted.get() >= 3, "{} pauses", counted.get());
        sent.adopt(uploaded).expect("it fits");
        let found = outcome(&mut sent);
        assert_eq!(expected.0, found.0, "{}: report", case.name);
        assert!(expected.1 == found.1, "{}: positions", case.name);
        assert!(expected.2 == found.2, "{}: velocities", case.name);
        if case.name.contains("operator") {
            assert!(found.0.contains("scaled-dynamics"), "{}", found.0);
        }
        if case.name.contains("surface") {
            assert!(found.0.contains("surface: Some"), "{}", found.0);
        }
    }
}

#[test]
fn progress_rises_to_one() {
    let [.., case] = cases();
    let mut told = Vec::new();
    let environment = Environment::default();
    Prepared::new(
        case.mesh,
        &case.options,
        &environment,
        &case.settings,
        &mut |fraction| told.push(fraction),
    )
    .expect("it loads");
    assert!(told.len() >= 5, "{told:?}");
    assert!(told.windows(2).all(|pair| pair[0] < pair[1]), "{told:?}");
    assert_eq!(told.last(), Some(&1.0));
}

#[test]
fn a_body_too_large_says_what_would_fit() {
    let gpu = gpu();
    let fits = BodySize {
        tets: 8_000_000,
        vertices: 1_400_000,
        partials: 4_000_000,
        triangles: 500_000,
        patches: 40_000,
    };
    BodyBuffers::check(&gpu, fits).expect("within the default limits");
    let large = BodySize {
        tets: 20_000_000,
        vertices: 3_500_000,
        ..fits
    };
    let error = BodyBuffers::check(&gpu, large).expect_err("320 MB of tets");
    let GpuError::Limit {
        needed, allowed, ..
    } = &error
    else {
        panic!("{error}")
    };
    assert_eq!((*needed, *allowed), (320_000_000, 1 << 27));
    let message = error.to_string();
    assert!(
        message.contains("tets of a body of 20000000 tets and 3500000 vertices needs 320000000")
    );
    assert!(
        message.ends_with("allows 134217728; about 8300000 tets fit"),
        "{message}"
    );
    // And so they do.
    let tets = 8_300_000;
    BodyBuffers::check(&gpu, BodySize { tets, ..fits }).expect("as it says");
}
