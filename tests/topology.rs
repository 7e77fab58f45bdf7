//! Surfaces, incidence lists, components and conformity on meshes whose connectivity is known.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::BTreeMap;

use webgpu_softbody::mesh::{Finding, TetMesh};
use webgpu_softbody::meshing::{box_mesh, torus_mesh};
use webgpu_softbody::rest_state::RestState;
use webgpu_softbody::topology::{NO_COMPONENT, Topology};

const ASYMMETRIC: [[f32; 3]; 4] = [
    [0.1, 0.2, -0.3],
    [1.0, 0.1, 0.2],
    [0.2, 1.3, 0.1],
    [0.3, 0.4, 0.9],
];

fn enclosed_volume(mesh: &TetMesh, triangles: &[[u32; 3]]) -> f64 {
    let point = |v: u32| glam::DVec3::from_array(mesh.positions()[v as usize].map(f64::from));
    triangles
        .iter()
        .map(|t| t.map(point))
        .map(|[a, b, c]| a.dot(b.cross(c)) / 6.0)
        .sum()
}

fn codes(topology: &Topology) -> Vec<&str> {
    topology
        .findings
        .iter()
        .map(|finding| finding.code)
        .collect()
}

/// Each directed edge and its reverse exactly once.
fn is_closed_manifold(triangles: &[[u32; 3]]) -> bool {
    let mut count = BTreeMap::new();
    for &[a, b, c] in triangles {
        for edge in [[a, b], [b, c], [c, a]] {
            *count.entry(edge).or_insert(0) += 1;
        }
    }
    count
        .iter()
        .all(|(&[a, b], &n)| n == 1 && count.get(&[b, a]) == Some(&1))
}

#[test]
fn one_tet_has_its_four_faces_outward() {
    let mesh = TetMesh::new(ASYMMETRIC.to_vec(), vec![[0, 1, 2, 3]]).unwrap();
    let topology = Topology::new(&mesh);
    assert_eq!(
        topology.surface_triangles,
        [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]]
    );
    assert_eq!(
        topology.surface_edges,
        [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
    );
    assert_eq!(topology.slot_offsets, [0, 1, 2, 3, 4]);
    assert_eq!(topology.tet_slots, [[0, 1, 2, 3]]);
    assert_eq!(topology.triangle_offsets, [0, 3, 6, 9, 12]);
    assert_eq!(
        topology.incident_triangles,
        [1, 2, 3, 0, 2, 3, 0, 1, 3, 0, 1, 2]
    );
    assert_eq!((topology.components, topology.max_valence()), (1, 1));
    assert_eq!(topology.findings, []);
    let volume = RestState::new(&mesh).total_volume;
    assert!((enclosed_volume(&mesh, &topology.surface_triangles) - volume).abs() < 1e-12);
}

#[test]
fn a_shared_face_vanishes_whatever_the_windings() {
    let mut positions = ASYMMETRIC.to_vec();
    positions.push([1.2, 1.3, 1.4]);
    for second in [[1, 2, 3, 4], [2, 1, 3, 4], [4, 3, 2, 1], [3, 4, 1, 2]] {
        let mesh = TetMesh::new(positions.clone(), vec![[0, 1, 2, 3], second]).unwrap();
        let topology = Topology::new(&mesh);
        assert_eq!(topology.surface_triangles.len(), 6);
        assert!(is_closed_manifold(&topology.surface_triangles));
        assert_eq!(topology.findings, []);
    }
}

#[test]
fn incidence_lists_agree_with_the_mesh() {
    let mesh = torus_mesh(0.5, 0.2, 4, 24).unwrap();
    let topology = Topology::new(&mesh);
    let vertices = mesh.positions().len();

    let mut owner = vec![u32::MAX; 4 * mesh.tets().len()];
    for (&tet, &slots) in mesh.tets().iter().zip(&topology.tet_slots) {
        for (vertex, slot) in tet.into_iter().zip(slots) {
            assert_eq!(
                std::mem::replace(&mut owner[slot as usize], vertex),
                u32::MAX,
                "slot {slot} is used twice"
            );
        }
    }
    for v in 0..vertices {
        let slots = topology.slot_offsets[v] as usize..topology.slot_offsets[v + 1] as usize;
        assert_eq!(slots.len() as u32, topology.tets_per_vertex[v]);
        assert!(owner[slots].iter().all(|&o| o as usize == v));

        let row = topology.triangle_offsets[v] as usize..topology.triangle_offsets[v + 1] as usize;
        let expected: Vec<u32> = (0u32..)
            .zip(&topology.surface_triangles)
            .filter(|(_, triangle)| triangle.contains(&(v as u32)))
            .map(|(index, _)| index)
            .collect();
        assert_eq!(topology.incident_triangles[row], expected, "vertex {v}");
    }
    assert_eq!(
        topology.slot_offsets[vertices] as usize,
        4 * mesh.tets().len()
    );
    assert_eq!(
        topology.surface_edges.len() * 2,
        topology.surface_triangles.len() * 3
    );
    assert!(topology.surface_edges.is_sorted());
}

#[test]
fn overlapping_tets_keep_both_surfaces() {
    let mut positions = ASYMMETRIC.to_vec();
    positions.push([0.5, 0.4, 1.2]);
    let mesh = TetMesh::new(positions, vec![[0, 1, 2, 3], [0, 1, 2, 4]]).unwrap();
    let topology = Topology::new(&mesh);
    assert_eq!(
        codes(&topology),
        [Finding::SAME_ORIENTATION_FACES, Finding::NON_MANIFOLD_EDGES]
    );
    assert_eq!(topology.findings[0].examples, [0, 1]);
    assert_eq!(
        (
            topology.surface_triangles.len(),
            topology.non_manifold_edges
        ),
        (8, 3)
    );
    let volume = RestState::new(&mesh).total_volume;
    assert!((enclosed_volume(&mesh, &topology.surface_triangles) - volume).abs() < 1e-12);
}

#[test]
fn a_face_of_three_tets_is_drawn_for_the_one_without_a_partner() {
    let mut positions = ASYMMETRIC.to_vec();
    positions.extend([[0.5, 0.4, 1.2], [0.4, 0.5, -1.0]]);
    let mesh = TetMesh::new(positions, vec![[0, 1, 2, 3], [0, 1, 2, 4], [0, 1, 2, 5]]).unwrap();
    let topology = Topology::new(&mesh);
    assert!(codes(&topology).contains(&Finding::SAME_ORIENTATION_FACES));
    assert_eq!(topology.surface_triangles.len(), 10);
    let volume = RestState::new(&mesh).total_volume;
    assert!((enclosed_volume(&mesh, &topology.surface_triangles) - volume).abs() < 1e-12);
}

#[test]
fn parts_that_touch_in_one_vertex_are_one_component() {
    let mut positions = ASYMMETRIC.to_vec();
    positions.extend(ASYMMETRIC.map(|p| p.map(|x| x + 5.0)));
    positions.push([9.0; 3]);
    let apart = TetMesh::new(positions.clone(), vec![[0, 1, 2, 3], [4, 5, 6, 7]]).unwrap();
    let topology = Topology::new(&apart);
    assert_eq!(topology.components, 2);
    assert_eq!(
        topology.component_of_vertex,
        [0, 0, 0, 0, 1, 1, 1, 1, NO_COMPONENT]
    );
    assert_eq!(topology.tets_per_vertex, [1, 1, 1, 1, 1, 1, 1, 1, 0]);
    assert_eq!(codes(&topology), [Finding::MULTIPLE_COMPONENTS]);
    assert_eq!(topology.findings[0].examples, [0, 4]);

    let joined = TetMesh::new(positions, vec![[0, 1, 2, 3], [3, 5, 6, 7]]).unwrap();
    assert_eq!(Topology::new(&joined).components, 1);
}

fn merged(first: &TetMesh, second: &TetMesh) -> TetMesh {
    let shift = first.positions().len() as u32;
    let positions = [first.positions(), second.positions()].concat();
    let moved = second.tets().iter().map(|tet| tet.map(|v| v + shift));
    let tets = first.tets().iter().copied().chain(moved).collect();
    TetMesh::new(positions, tets).unwrap()
}

fn faces_inside(mesh: &TetMesh) -> u32 {
    let topology = Topology::new(mesh);
    let found = topology
        .findings
        .iter()
        .find(|f| f.code == Finding::NON_CONFORMING_FACES);
    found.map_or(0, |finding| finding.count)
}

#[test]
fn faces_that_meet_without_being_shared_are_found() {
    let block = |cells, size, origin| box_mesh(cells, size, origin).unwrap();
    let left = block([2, 2, 2], [1.0; 3], [0.0; 3]);
    // Not welded: both layers of 8 triangles; a coarser neighbour (hanging vertices): 8 against 2.
    assert_eq!(
        faces_inside(&merged(&left, &block([2, 2, 2], [1.0; 3], [1.0, 0.0, 0.0]))),
        16
    );
    assert_eq!(
        faces_inside(&merged(&left, &block([1, 1, 1], [1.0; 3], [1.0, 0.0, 0.0]))),
        10
    );
    // A neighbour a hundredth of a cell away, and one that only shares an edge's place.
    assert_eq!(
        faces_inside(&merged(
            &left,
            &block([2, 2, 2], [1.0; 3], [1.005, 0.0, 0.0])
        )),
        0
    );
    assert_eq!(
        faces_inside(&merged(&left, &block([2, 2, 2], [1.0; 3], [1.0, 1.0, 0.0]))),
        0
    );
    assert_eq!(faces_inside(&left), 0);
}

#[test]
fn conformity_is_found_at_any_scale_and_far_from_the_origin() {
    for (size, place) in [(1e-4f32, 0.0f32), (1e3, 0.0), (1.0, 1e4)] {
        let left = box_mesh([2, 2, 2], [size; 3], [place, 0.0, 0.0]).unwrap();
        let right = box_mesh([1, 1, 1], [size; 3], [place + size, 0.0, 0.0]).unwrap();
        assert_eq!(
            faces_inside(&merged(&left, &right)),
            10,
            "size {size} at {place}"
        );
    }
}

#[test]
fn conformity_allows_for_the_rounding_of_positions() {
    let left = box_mesh([2, 2, 2], [1.0; 3], [0.0; 3]).unwrap();
    let right = box_mesh([1, 1, 1], [1.0; 3], [1.0, 0.0, 0.0]).unwrap();
    let both = merged(&left, &right);
    let turn = glam::DQuat::from_rotation_y(0.7) * glam::DQuat::from_rotation_z(0.4);
    let moved = |p: &[f32; 3]| {
        (turn * glam::DVec3::from_array(p.map(f64::from)) + glam::DVec3::splat(1e4))
            .as_vec3()
            .to_array()
    };
    // The hanging vertices are now a good half millimetre off the coarse plane.
    let positions = both.positions().iter().map(moved).collect();
    let tilted = TetMesh::new(positions, both.tets().to_vec()).unwrap();
    assert_eq!(faces_inside(&tilted), 10);
}

#[test]
fn a_heap_in_one_place_stops_early_and_says_so() {
    // 2000 separate tets in the same box: every pair of triangles is a candidate.
    let count = 2000u32;
    let positions = (0..count)
        .flat_map(|i| {
            let shift = i as f32 * 1e-4;
            ASYMMETRIC.map(|p| p.map(|x| x + shift))
        })
        .collect();
    let tets = (0..count)
        .map(|i| [4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3])
        .collect();
    let topology = Topology::new(&TetMesh::new(positions, tets).unwrap());
    assert_eq!(topology.components, count);
    assert!(codes(&topology).contains(&Finding::NON_CONFORMING_UNCHECKED));
}

/// Large enough that anything quadratic would not return: 0.4 million tets.
#[test]
fn a_large_mesh_takes_seconds() {
    let start = std::time::Instant::now();
    let mesh = box_mesh([40, 40, 40], [1.0; 3], [0.0; 3]).unwrap();
    let topology = Topology::new(&mesh);
    assert_eq!(mesh.tets().len(), 384_000);
    assert_eq!(topology.surface_triangles.len(), 6 * 2 * 1600);
    assert_eq!(topology.findings, []);
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}
