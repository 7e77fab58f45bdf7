//! Bounds of frequencies and the mass operator against the eigenvalues themselves, on boxes, thin bodies and real meshes.
#![cfg(not(target_arch = "wasm32"))]

#[path = "dynamics_support/mod.rs"]
mod support;

use support::*;
use webgpu_softbody::arrangement::Arrangement;
use webgpu_softbody::dynamics::{CoarseMesh, FrequencyBounds, cluster_target};
use webgpu_softbody::mesh::TetMesh;
use webgpu_softbody::meshing::box_mesh;
use webgpu_softbody::rest_state::RestState;

fn regular_tet() -> TetMesh {
    let corners = [
        [0.5; 3],
        [0.5, -0.5, -0.5],
        [-0.5, 0.5, -0.5],
        [-0.5, -0.5, 0.5],
    ];
    TetMesh::new(corners.to_vec(), vec![[0, 1, 2, 3]]).expect("a tet")
}

/// Bodies without an interior: single tets, some glued at vertices and edges, thin ones, and some beside a solid one.
fn loose_bodies() -> Vec<(String, TetMesh)> {
    let mut all = vec![("regular tet".into(), regular_tet())];
    let grid = box_mesh([2, 2, 2], [1.0, 0.3, 2.0], [0.0; 3]).expect("a box");
    for tets in [
        &[0][..],
        &[0, 5],
        &[0, 47],
        &[3, 11, 30, 44],
        &[7, 8, 20, 33, 40, 46],
    ] {
        let tets: Vec<_> = tets.iter().map(|&tet: &usize| grid.tets()[tet]).collect();
        let mesh = TetMesh::new(grid.positions().to_vec(), tets).expect("some tets");
        all.push((format!("{} loose tets", mesh.tets().len()), mesh));
    }
    for (cells, size) in [
        ([1, 1, 1], [1.0; 3]),
        ([2, 1, 1], [2.0, 1.0, 1.0]),
        ([9, 1, 1], [9.0, 1.0, 0.3]),
        ([3, 3, 1], [3.0, 3.0, 1.0]),
        ([5, 5, 1], [5.0, 5.0, 0.1]),
    ] {
        let mesh = box_mesh(cells, size, [0.0; 3]).expect("a box");
        all.push((format!("thin {cells:?}"), mesh));
    }
    // The stiffest part is the tet.
    let mut positions = grid.positions().to_vec();
    let mut tets = grid.tets().to_vec();
    let first = positions.len() as u32;
    positions.extend(
        regular_tet()
            .positions()
            .iter()
            .map(|p| p.map(|c| 0.1 * c - 3.0)),
    );
    tets.push([0, 1, 2, 3].map(|corner| first + corner));
    let both = TetMesh::new(positions, tets).expect("a box and a tet");
    all.push(("box and tet".into(), both));
    all
}

#[test]
fn the_bound_lies_above_the_highest_frequency_and_not_far() {
    let loose = loose_bodies().into_iter().map(|(name, mesh)| {
        let free = vec![false; mesh.positions().len()];
        (name, mesh, free, 0.9999..3.1)
    });
    let solid = bodies()
        .into_iter()
        .map(|(name, mesh, pinned)| (name, mesh, pinned, 1.1..2.8));
    for (name, mesh, pinned, range) in loose.chain(solid) {
        let body = Elastic::new(&mesh, &pinned);
        let bounds = FrequencyBounds::new(mesh.tets(), &body.rest, &pinned);
        print!("{name:20} bound / true");
        for nu in [0.0, 0.3, 0.45, 0.49, 0.499] {
            let material = material(1e6, nu);
            let ratio = bounds.omega(&material).powi(2) / body.highest(&material, 60);
            print!("  ν {nu}: {ratio:.3}");
            assert!(range.contains(&ratio), "{name}, ν = {nu}: {ratio}");
        }
        println!();
    }
}

#[test]
fn a_tet_alone_has_the_frequency_of_its_closed_form() {
    // Edges of length √2 from a cube of 1 m: b_a = (±1, ±1, ±1)/2, V₀ = 1/3, a mass of V₀/4 at each corner, so that
    // V₀ Σ b bᵀ/s = 4 with the trace 12: ω² of the dilation where μ = 0. A corner held takes a quarter of the trace.
    let mesh = regular_tet();
    let rest = RestState::new(&mesh);
    let free = FrequencyBounds::new(mesh.tets(), &rest, &[false; 4]);
    for square in free.vertices.iter().chain(&free.tets) {
        assert!((square - 12.0).abs() < 1e-5, "{free:?}");
    }
    let held = FrequencyBounds::new(mesh.tets(), &rest, &[true, false, false, false]);
    assert!((held.highest - 9.0).abs() < 1e-6, "{held:?}");
    assert_eq!(held.vertices[0], 0.0);
    let pinned = FrequencyBounds::new(mesh.tets(), &rest, &[true; 4]);
    assert_eq!((pinned.highest, pinned.tets[0]), (0.0, 0.0));
}

#[test]
fn frequencies_scale_with_the_material_and_the_size() {
    let (_, mesh, pinned) = bodies().swap_remove(2);
    let omega = |mesh: &TetMesh, material| {
        FrequencyBounds::new(mesh.tets(), &RestState::new(mesh), &pinned).omega(&material)
    };
    let softer = omega(&mesh, material(1e7, 0.3));
    let stiffer = omega(&mesh, material(4e7, 0.3));
    assert!((stiffer / softer - 2.0).abs() < 1e-12);
    let small = omega(&mesh.scaled(0.1).expect("a beam"), material(1e7, 0.3));
    assert!((small / softer - 10.0).abs() < 1e-4, "{small} {softer}");
}

fn coarse(mesh: &TetMesh, body: &Elastic, clusters: &Clusters) -> CoarseMesh {
    CoarseMesh::new(
        mesh.positions(),
        mesh.tets(),
        &body.rest,
        &body.pinned,
        &clusters.offsets,
        &clusters.vertices,
    )
}

#[test]
fn rigid_clusters_have_the_eigenvalue_of_the_projected_mesh() {
    for (name, mesh, pinned) in bodies() {
        let body = Elastic::new(&mesh, &pinned);
        for counts in [[5, 2, 2], [2, 1, 1]] {
            let clusters = box_clusters(&mesh, counts);
            let coarse = coarse(&mesh, &body, &clusters);
            for nu in [0.0, 0.3, 0.49] {
                let material = material(1e6, nu);
                let zeros = vec![0.0; clusters.len()];
                let project = |x| body.root(mesh.positions(), &clusters, &zeros, 1.0, x);
                let exact = body.largest(&material, 60, project);
                let ratio = coarse.highest(&material) / exact;
                assert!(
                    (1.005..1.06).contains(&ratio),
                    "{name}, {counts:?}, ν = {nu}: {ratio}"
                );
            }
        }
    }
}

#[test]
fn the_operator_keeps_the_step_stable_and_uses_most_of_what_it_may() {
    let (mut least, mut most) = (1.0f64, 0.0f64);
    for (name, mesh, pinned) in bodies() {
        let body = Elastic::new(&mesh, &pinned);
        let bounds = FrequencyBounds::new(mesh.tets(), &body.rest, &pinned);
        let clusters = box_clusters(&mesh, [4, 2, 2]);
        let coarse = coarse(&mesh, &body, &clusters);
        for nu in [0.3, 0.49] {
            let material = material(1e6, nu);
            for r in [1.4, 1.6, 3.0, 9.0] {
                let step = r / bounds.omega(&material);
                let operator = coarse.operator(&bounds, &material, step);
                let filter =
                    |x| body.root(mesh.positions(), &clusters, &operator.p0, operator.p1, x);
                let used = body.largest(&material, 50, filter) * step * step / 2.25;
                println!(
                    "{name:20} ν {nu:4} r {r}: p₁ {:.3}, λΔt²/z*² = {used:.3}",
                    operator.p1
                );
                assert!(used <= 1.0, "{name}, ν = {nu}, r = {r}: {used}");
                assert!((operator.r - r).abs() < 1e-9 && operator.p1 <= 1.0);
                assert!(
                    operator.p0.iter().all(|&p0| p0 > 0.0 && p0 <= operator.p1),
                    "{operator:?}"
                );
                assert_eq!(
                    r < 1.5,
                    operator.p0.iter().all(|&p0| p0 == 1.0),
                    "{operator:?}"
                );
                assert_eq!(
                    r < 1.5,
                    operator.slowest_scaled_hz.is_none(),
                    "{operator:?}"
                );
                if r > 1.5 {
                    least = least.min(used);
                    most = most.max(used);
                }
            }
        }
    }
    println!("{least} to {most}");
    assert!(least > 0.3 && most > 0.85, "{least} to {most}");
}

#[test]
fn p1_is_1_with_clusters_of_the_target_size() {
    for (cells, r) in [(11, 2.5), (15, 3.0), (23, 4.0), (23, 4.9)] {
        let mesh = box_mesh([cells; 3], [1.0; 3], [0.0; 3]).expect("a box");
        let pinned = vec![false; mesh.positions().len()];
        let body = Elastic::new(&mesh, &pinned);
        let bounds = FrequencyBounds::new(mesh.tets(), &body.rest, &pinned);
        let side = (cluster_target(r) as f64).cbrt();
        let count = (f64::from(cells + 1) / side).round().max(1.0) as u32;
        let clusters = box_clusters(&mesh, [count; 3]);
        let coarse = coarse(&mesh, &body, &clusters);
        for nu in [0.3, 0.45, 0.49] {
            let material = material(1e7, nu);
            let operator = coarse.operator(&bounds, &material, r / bounds.omega(&material));
            assert_eq!(
                operator.p1,
                1.0,
                "{cells} cells, r = {r}, {} clusters",
                clusters.len()
            );
        }
    }
    assert_eq!((cluster_target(1.6), cluster_target(99.0)), (64, 1024));
}

#[test]
fn modes_slow_down_from_the_frequency_that_is_told() {
    let (mut least, mut most) = (f64::MAX, 0.0f64);
    for (cells, counts, pin) in [
        ([8, 3, 3], [4, 2, 2], true),
        ([8, 3, 3], [2, 1, 1], true),
        ([4, 4, 4], [2, 2, 2], false),
    ] {
        let mesh = box_mesh(cells, cells.map(|n| 0.1 * n as f32), [0.0; 3]).expect("a box");
        let pinned: Vec<bool> = mesh
            .positions()
            .iter()
            .map(|p| pin && p[0] == 0.0)
            .collect();
        let body = Elastic::new(&mesh, &pinned);
        let bounds = FrequencyBounds::new(mesh.tets(), &body.rest, &pinned);
        let clusters = box_clusters(&mesh, counts);
        let material = material(1e6, 0.3);
        let exact = body.frequencies(&material, 12, |x| x);
        let coarse = coarse(&mesh, &body, &clusters);
        for r in [2.0, 3.0] {
            let operator = coarse.operator(&bounds, &material, r / bounds.omega(&material));
            if operator.p1 < 1.0 {
                assert_eq!(operator.slowest_scaled_hz, Some(0.0));
                continue;
            }
            let told = operator.slowest_scaled_hz.expect("something is slowed");
            let slow = body.frequencies(&material, 12, |x| {
                body.root(mesh.positions(), &clusters, &operator.p0, 1.0, x)
            });
            // The mass of a mode grows with the square of its frequency: from each one the frequency that falls by 2 %.
            for (exact, slow) in exact.iter().zip(&slow).filter(|(exact, _)| **exact > 0.1) {
                assert!(*slow < exact * (1.0 + 1e-6), "{slow} of {exact}");
                let found = exact * (0.0404 / ((exact / slow).powi(2) - 1.0)).sqrt();
                println!(
                    "{cells:?} {counts:?} r {r}: {exact:.2} Hz becomes {slow:.2}; 2 % at {found:.2}, told {told:.2}"
                );
                if slow / exact < 0.995 && slow / exact > 0.8 {
                    least = least.min(told / found);
                    most = most.max(told / found);
                }
            }
        }
    }
    println!("{least} to {most}");
    assert!(least > 0.7 && most < 1.33, "{least} to {most}");
}

#[test]
fn clusters_with_too_few_free_vertices_do_no_harm() {
    // Every vertex on its own, pairs, a cluster with nothing free, and all in one.
    let mesh = box_mesh([4, 2, 2], [0.4, 0.2, 0.2], [0.0; 3]).expect("a box");
    let count = mesh.positions().len() as u32;
    let pinned: Vec<bool> = mesh.positions().iter().map(|p| p[0] == 0.0).collect();
    let body = Elastic::new(&mesh, &pinned);
    let bounds = FrequencyBounds::new(mesh.tets(), &body.rest, &pinned);
    let material = material(1e6, 0.3);
    for size in [1, 2, 3, 9, count] {
        let clusters = Clusters {
            offsets: (0..count).step_by(size as usize).chain([count]).collect(),
            vertices: (0..count).collect(),
        };
        let coarse = coarse(&mesh, &body, &clusters);
        let step = 4.0 / bounds.omega(&material);
        let operator = coarse.operator(&bounds, &material, step);
        let filter = |x| body.root(mesh.positions(), &clusters, &operator.p0, operator.p1, x);
        let used = body.largest(&material, 50, filter) * step * step / 2.25;
        assert!(used > 0.1 && used <= 1.0, "{size}: {used}, {operator:?}");
        assert_eq!(operator.p0.len(), clusters.len());
    }
    // Free and in one cluster: nothing but rigid motion is left, and all of it is free of strain.
    let free = vec![false; count as usize];
    let body = Elastic::new(&mesh, &free);
    let clusters = box_clusters(&mesh, [1; 3]);
    let rigid = coarse(&mesh, &body, &clusters).highest(&material);
    assert!(rigid < 1e-6 * bounds.omega(&material).powi(2), "{rigid}");
}

/// Clusters as the solver makes them, back in the numbering of the file.
fn arranged_clusters(mesh: &TetMesh, target: usize) -> Clusters {
    let arrangement = Arrangement::new(mesh.positions(), mesh.tets());
    let found = arrangement.clusters(mesh.tets(), target);
    let file = |&vertex: &u32| arrangement.original_vertices[vertex as usize];
    Clusters {
        offsets: found.offsets,
        vertices: found.vertices.iter().map(file).collect(),
    }
}

#[test]
fn arranged_clusters_leave_rigid_motion_alone_on_real_meshes() {
    let mut worst = 1.0f32;
    for (name, mesh, pinned) in bodies() {
        let body = Elastic::new(&mesh, &pinned);
        let bounds = FrequencyBounds::new(mesh.tets(), &body.rest, &pinned);
        let material = material(1e6, 0.3);
        let square = bounds.omega(&material).powi(2);
        for r in [2.0, 3.0, 4.0] {
            let clusters = arranged_clusters(&mesh, cluster_target(r));
            let coarse = coarse(&mesh, &body, &clusters);
            let operator = coarse.operator(&bounds, &material, r / square.sqrt());
            let part = coarse.highest(&material) / square;
            println!(
                "{name:20} r {r}: {} clusters, λ₁/ω² {part:.3}, p₁ {:.3}",
                clusters.len(),
                operator.p1
            );
            worst = worst.min(operator.p1);
        }
    }
    assert_eq!(worst, 1.0);
}
