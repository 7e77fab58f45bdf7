//! Surfaces filled with tets: guaranteed angles, closed manifold boundaries, convergence, resolution, and bad input.
#![cfg(all(feature = "mesh-tools", not(target_arch = "wasm32")))]

mod surfaces;

use std::f64::consts::PI;
use std::ops::ControlFlow;

use glam::DVec3;
use surfaces::{
    cuboid, figure, filled, joined, manifold_euler_number, parts_where, reversed, sphere, surface,
    torus, volume,
};
use webgpu_softbody::meshing::{MeshingError, Resolution, tetrahedralize};
use webgpu_softbody::rest_state::RestState;
use webgpu_softbody::surface::SurfaceMesh;
use webgpu_softbody::topology::Topology;

/// What isosurface stuffing guarantees, degrees.
const ANGLES: (f64, f64) = (10.7, 164.8);

fn check(name: &str, surface: &SurfaceMesh, cell_size: f64) -> f64 {
    let result = filled(surface, Resolution::CellSize(cell_size)).unwrap();
    let (least, most) = result.dihedral_degrees;
    let ratio = volume(&result.mesh) / result.survey.volume;
    println!(
        "| {name} | {cell_size:.4} | {} | {least:.2} | {most:.2} | {ratio:.4} |",
        result.mesh.tets().len()
    );
    assert!(
        least >= ANGLES.0 && most <= ANGLES.1,
        "{name} {cell_size}: {least} to {most}"
    );
    assert_eq!(result.mesh.findings(), [], "{name} {cell_size}");
    assert_eq!(result.cell_size, cell_size);
    manifold_euler_number(&result.mesh);
    ratio
}

#[test]
fn angles_are_guaranteed_and_boundaries_manifold_at_any_size() {
    println!("| shape | cell | tets | least angle | largest angle | volume/surface's |");
    let shapes = [
        ("bunny", figure("bunny"), 9.66),
        ("hand", figure("hand"), 0.212),
        ("torus", torus(1.0, 0.35, 60), 2.7),
        ("sphere", sphere(DVec3::ZERO, 1.0, 60), 2.0),
        (
            "sphere aside",
            sphere(DVec3::new(0.31, -0.7, 2.3), 1.0, 60),
            2.0,
        ),
        ("box", cuboid(DVec3::ZERO, DVec3::new(1.0, 2.0, 0.7)), 2.0),
    ];
    for (name, surface, extent) in &shapes {
        for cells in [6.0, 9.3, 14.1, 22.0, 35.7] {
            let ratio = check(name, surface, extent / cells);
            let most = if *name == "box" { 1.001 } else { 1.0 };
            assert!(ratio < most && ratio > 1.0 - 6.0 / cells, "{name}: {ratio}");
        }
    }
    // Faces on lattice planes, and thin parts of all sizes.
    check("box on the lattice", &shapes[5].1, 0.1);
    for step in 0..24 {
        check("bunny", &shapes[0].1, 9.66 / (7.0 + f64::from(step) * 0.83));
        check(
            "hand",
            &shapes[1].1,
            0.212 / (12.0 + f64::from(step) * 0.67),
        );
    }
}

#[test]
fn shapes_keep_their_genus() {
    for (surface, cell, euler) in [
        (sphere(DVec3::ZERO, 1.0, 40), 0.23, 2),
        (torus(1.0, 0.35, 40), 0.15, 0),
        (cuboid(DVec3::ZERO, DVec3::ONE), 0.13, 2),
        (figure("bunny"), 0.4, 2),
        // A hollow ball has two boundaries.
        (
            joined(
                &sphere(DVec3::ZERO, 1.0, 40),
                &reversed(&sphere(DVec3::ZERO, 0.5, 40)),
            ),
            0.11,
            4,
        ),
        // Two balls that overlap are one body.
        (
            joined(&sphere(DVec3::ZERO, 1.0, 40), &sphere(DVec3::X, 0.8, 40)),
            0.11,
            2,
        ),
    ] {
        let result = filled(&surface, Resolution::CellSize(cell)).unwrap();
        assert_eq!(manifold_euler_number(&result.mesh), euler, "{cell}");
        assert_eq!(Topology::new(&result.mesh).components, 1);
    }
}

#[test]
fn the_volume_converges_with_the_square_of_the_cell_size() {
    // Fine enough that the sphere's own triangles do not matter.
    let ball = sphere(DVec3::new(0.013, 0.007, -0.011), 1.0, 200);
    let exact = 4.0 / 3.0 * PI;
    let cells = [0.2, 0.1, 0.05];
    let errors = cells
        .map(|cell| 1.0 - volume(&filled(&ball, Resolution::CellSize(cell)).unwrap().mesh) / exact);
    for (cell, error) in cells.iter().zip(errors) {
        println!("| {cell} | {error:.6} |");
        assert!(error > 0.0 && error < 1.2 * cell * cell, "{cell}: {error}");
    }
    for pair in errors.windows(2) {
        let rate = (pair[0] / pair[1]).log2();
        println!("rate {rate:.3}");
        assert!((1.75..2.35).contains(&rate), "{errors:?}: rate {rate}");
    }
    // Vertices on the boundary lie on the surface.
    let result = filled(&ball, Resolution::CellSize(0.1)).unwrap();
    for &vertex in Topology::new(&result.mesh).surface_triangles.as_flattened() {
        let p = DVec3::from_array(result.mesh.positions()[vertex as usize].map(f64::from));
        let distance = p.distance(DVec3::new(0.013, 0.007, -0.011));
        assert!((distance - 1.0).abs() < 1e-4, "{distance}");
    }
}

#[test]
fn numbers_of_tets_are_met_within_a_tenth() {
    let shapes = [
        figure("bunny"),
        figure("hand"),
        torus(1.0, 0.35, 50),
        cuboid(DVec3::ZERO, DVec3::ONE),
    ];
    for surface in &shapes {
        // With fewer, a layer of cells more or less on a flat face is more than a tenth.
        for target in [2_000, 4_600, 20_000] {
            let result = filled(surface, Resolution::Tets(target)).unwrap();
            let miss = result.mesh.tets().len() as f64 / f64::from(target) - 1.0;
            assert!(
                miss.abs() < 0.1,
                "{} of {target} tets",
                result.mesh.tets().len()
            );
            // The size it reports gives the same mesh.
            let again = filled(surface, Resolution::CellSize(result.cell_size)).unwrap();
            assert_eq!(again.mesh, result.mesh);
        }
    }
    // Along the axes whole layers of cells would come and go; a turned lattice meets the numbers.
    for (length, targets) in [
        (10.0, [2_000, 4_600, 20_000]),
        (100.0, [8_000, 12_000, 20_000]),
    ] {
        let bar = cuboid(DVec3::ZERO, DVec3::new(length, 1.0, 1.0));
        for target in targets {
            let result = filled(&bar, Resolution::Tets(target)).unwrap();
            let tets = result.mesh.tets().len();
            let miss = f64::from(tets as u32) / f64::from(target) - 1.0;
            assert!(miss.abs() < 0.1, "{length}: {tets} of {target} tets");
            let (least, largest) = result.dihedral_degrees;
            assert!(least > 10.7 && largest < 164.8, "{least} to {largest}");
            let volume = RestState::new(&result.mesh).total_volume;
            assert!((0.75..1.001).contains(&(volume / length)), "{volume}");
            assert_eq!(Topology::new(&result.mesh).components, 1);
        }
    }
    // As few as there can be.
    assert!(
        filled(&shapes[2], Resolution::Tets(1))
            .unwrap()
            .mesh
            .tets()
            .len()
            < 200
    );
}

#[test]
fn holes_and_faults_are_filled_over() {
    let ball = sphere(DVec3::ZERO, 1.0, 40);
    let whole = volume(&filled(&ball, Resolution::CellSize(0.15)).unwrap().mesh);
    // A quarter of the height cut off: the winding number passes 1/2 near the hole's plane.
    let open = parts_where(&ball, |p| p.y < 0.5);
    let result = filled(&open, Resolution::CellSize(0.15)).unwrap();
    assert!(result.survey.boundary_edges > 0 && !result.survey.closed);
    let ratio = volume(&result.mesh) / whole;
    assert!((0.8..1.0).contains(&ratio), "{ratio}");
    assert_eq!(manifold_euler_number(&result.mesh), 2);
    let (least, most) = result.dihedral_degrees;
    assert!(least >= ANGLES.0 && most <= ANGLES.1);

    // Every fifth triangle missing.
    let torn = surface(
        ball.positions().to_vec(),
        ball.triangles()
            .iter()
            .enumerate()
            .filter(|(n, _)| n % 5 != 0)
            .map(|(_, &t)| t)
            .collect(),
    );
    let result = filled(&torn, Resolution::CellSize(0.15)).unwrap();
    assert!((volume(&result.mesh) / whole - 1.0).abs() < 0.1);
    manifold_euler_number(&result.mesh);

    // Inside out: the same tets, and the survey says so.
    let straight = filled(&ball, Resolution::CellSize(0.3)).unwrap();
    let inward = filled(&reversed(&ball), Resolution::CellSize(0.3)).unwrap();
    assert!(inward.survey.inside_out && !straight.survey.inside_out);
    assert_eq!(inward.mesh.tets().len(), straight.mesh.tets().len());
    assert!((volume(&inward.mesh) / volume(&straight.mesh) - 1.0).abs() < 1e-6);

    // A mirrored part that faces inwards is filled beside one that faces outwards, and a cavity stays one.
    let mirrored = joined(&ball, &reversed(&sphere(DVec3::X * 3.0, 1.0, 40)));
    let result = filled(&mirrored, Resolution::CellSize(0.15)).unwrap();
    assert_eq!(Topology::new(&result.mesh).components, 2);
    assert!((volume(&result.mesh) / whole - 2.0).abs() < 0.01);
    let hollow = joined(&ball, &reversed(&sphere(DVec3::ZERO, 0.6, 40)));
    let result = filled(&hollow, Resolution::CellSize(0.15)).unwrap();
    assert!((volume(&result.mesh) / whole - (1.0 - 0.6f64.powi(3))).abs() < 0.03);

    // Every triangle twice, once each way round a fin, and one without area.
    let mut triangles = ball.triangles().to_vec();
    triangles.extend([[0, 1, 1], [0, 1, 2]]);
    let faulty = filled(
        &surface(ball.positions().to_vec(), triangles),
        Resolution::CellSize(0.15),
    )
    .unwrap();
    assert!((volume(&faulty.mesh) / whole - 1.0).abs() < 0.03);

    // Two separate balls stay two; a speck beside a ball is a crumb.
    let two = joined(&ball, &sphere(DVec3::X * 3.0, 0.6, 30));
    let result = filled(&two, Resolution::CellSize(0.2)).unwrap();
    assert_eq!(
        (Topology::new(&result.mesh).components, result.removed_tets),
        (2, 0)
    );
    let speck = joined(&ball, &sphere(DVec3::X * 3.0, 0.15, 30));
    let result = filled(&speck, Resolution::CellSize(0.2)).unwrap();
    assert_eq!(Topology::new(&result.mesh).components, 1);
    assert!(result.removed_tets > 0);
}

#[test]
fn the_result_is_the_same_every_time() {
    let bunny = figure("bunny");
    let first = filled(&bunny, Resolution::CellSize(0.5)).unwrap();
    let second = filled(&bunny, Resolution::CellSize(0.5)).unwrap();
    assert_eq!(first.mesh.position_bytes(), second.mesh.position_bytes());
    assert_eq!(first.mesh.tet_bytes(), second.mesh.tet_bytes());
    // Scaled by a power of two it is the same mesh, scaled.
    let doubled = surface(
        bunny
            .positions()
            .iter()
            .map(|p| p.map(|x| 2.0 * x))
            .collect(),
        bunny.triangles().to_vec(),
    );
    let scaled = filled(&doubled, Resolution::CellSize(1.0)).unwrap();
    assert_eq!(scaled.mesh.tets(), first.mesh.tets());
    for (p, q) in scaled.mesh.positions().iter().zip(first.mesh.positions()) {
        assert_eq!(*p, q.map(|x| 2.0 * x));
    }
}

#[test]
fn progress_rises_to_one_and_can_be_stopped_anywhere() {
    let bunny = figure("bunny");
    for resolution in [Resolution::CellSize(0.4), Resolution::Tets(8000)] {
        let mut seen = Vec::new();
        tetrahedralize(&bunny, resolution, &mut |fraction| {
            seen.push(fraction);
            ControlFlow::Continue(())
        })
        .unwrap();
        assert_eq!((seen[0], seen[seen.len() - 1]), (0.0, 1.0));
        assert!(seen.windows(2).all(|pair| pair[0] <= pair[1]));
        assert!(seen.len() > 10, "{}", seen.len());
        for stop in 0..seen.len() {
            let mut calls = 0;
            let result = tetrahedralize(&bunny, resolution, &mut |_| {
                calls += 1;
                if calls > stop {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            });
            assert_eq!(result.unwrap_err(), MeshingError::Cancelled);
            assert_eq!(calls, stop + 1, "no call after a stop");
        }
    }
}

#[test]
fn bad_input_is_named() {
    let ball = sphere(DVec3::ZERO, 1.0, 20);
    let kind = |surface: &SurfaceMesh, resolution| {
        let error = filled(surface, resolution).unwrap_err();
        (error.kind(), error.to_string())
    };
    for size in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-9] {
        assert_eq!(
            kind(&ball, Resolution::CellSize(size)).0,
            "cell-size-out-of-range",
            "{size}"
        );
    }
    for tets in [0, 4_000_001, u32::MAX] {
        assert_eq!(kind(&ball, Resolution::Tets(tets)).0, "target-out-of-range");
    }
    let (code, message) = kind(&ball, Resolution::CellSize(0.002));
    assert_eq!(code, "too-many-cells");
    assert!(
        message.contains("0.002") && message.contains("4000000"),
        "{message}"
    );

    // Flat, and thinner than any lattice.
    let flat = surface(
        vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        vec![[0, 1, 2]],
    );
    let (code, message) = kind(&flat, Resolution::CellSize(0.1));
    assert_eq!(code, "nothing-inside");
    assert!(message.contains("3 edges are open"), "{message}");
    assert_eq!(kind(&flat, Resolution::Tets(500)).0, "nothing-inside");
    let point = surface(vec![[1.0; 3]], vec![[0, 0, 0]]);
    assert_eq!(kind(&point, Resolution::CellSize(0.1)).0, "nothing-inside");
    assert_eq!(
        kind(&point, Resolution::Tets(10)).0,
        "cell-size-out-of-range"
    );
    let sheet = cuboid(DVec3::ZERO, DVec3::new(1.0, 1.0, 1e-4));
    assert_eq!(kind(&sheet, Resolution::CellSize(0.3)).0, "nothing-inside");

    // Far from the origin the cells must be larger, and then the angles hold.
    let far = sphere(DVec3::new(500.0, 0.0, 0.0), 1.0, 40);
    assert_eq!(
        kind(&far, Resolution::CellSize(0.3)).0,
        "cell-size-out-of-range"
    );
    let result = filled(&far, Resolution::CellSize(0.51)).unwrap();
    assert!(result.dihedral_degrees.0 >= ANGLES.0 && result.dihedral_degrees.1 <= ANGLES.1);

    // Sizes that no body may have.
    let scaled = |factor: f32| {
        surface(
            ball.positions()
                .iter()
                .map(|p| p.map(|x| x * factor))
                .collect(),
            ball.triangles().to_vec(),
        )
    };
    assert_eq!(
        kind(&scaled(1e12), Resolution::Tets(1000)).0,
        "coordinate-too-large"
    );
    assert_eq!(
        kind(&scaled(1e-13), Resolution::Tets(1000)).0,
        "tet-too-small"
    );
}
