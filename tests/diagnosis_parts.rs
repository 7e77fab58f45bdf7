//! The mesh doctor on how tets hang together: diagonals, welding, joints, overlaps.
#![cfg(all(feature = "mesh-tools", not(target_arch = "wasm32")))]

mod diagnosis_support;

use webgpu_softbody::diagnosis::{DoctorOptions, diagnose};
use webgpu_softbody::mesh::Finding;
use webgpu_softbody::meshing::box_mesh;

use diagnosis_support::*;

/// A row of cubes of side 1 along x; each is split into five tets, mirrored or not as `mirrored` says, and gets
/// vertices of its own where `welded` is false.
fn cube_row(mirrored: &[bool], welded: bool) -> Mesh {
    const CORNERS: [[u32; 4]; 5] = [
        [0, 1, 3, 5],
        [0, 2, 6, 3],
        [0, 5, 6, 4],
        [3, 6, 5, 7],
        [0, 3, 6, 5],
    ];
    let (mut positions, mut tets) = (Vec::new(), Vec::new());
    for (cell, &mirror) in (0u32..).zip(mirrored) {
        let first = positions.len() as u32;
        let mut number = Vec::new();
        for corner in 0..8u32 {
            let place = [corner & 1, corner >> 1 & 1, corner >> 2].map(|x| x as f32);
            let place = [place[0] + cell as f32, place[1], place[2]];
            let known = positions
                .iter()
                .position(|&p| p == place)
                .filter(|_| welded);
            number.push(known.map_or(positions.len() as u32, |known| known as u32));
            if known.is_none() {
                positions.push(place);
            }
        }
        assert!(welded || first == 8 * cell);
        // Mirroring in x swaps corners 2k and 2k + 1 and turns each tet round.
        for tet in CORNERS {
            let tet = tet.map(|corner| number[(corner ^ u32::from(mirror)) as usize]);
            tets.push(if mirror {
                [tet[1], tet[0], tet[2], tet[3]]
            } else {
                tet
            });
        }
    }
    (positions, tets)
}

#[test]
fn cubes_split_the_same_way_have_mismatched_diagonals_and_alternating_ones_have_none() {
    let same = plain(cube_row(&[false, false, false, false], true));
    assert_eq!(
        codes(&same),
        [
            ("mismatched-diagonals", 3, false),
            ("non-conforming-faces", 12, false),
            ("non-manifold-edges", 12, false)
        ]
    );
    let message = &finding(&same, Finding::MISMATCHED_DIAGONALS).message;
    assert!(
        message.contains("mirror") && message.contains("odd"),
        "{message}"
    );
    for &tet in &finding(&same, Finding::MISMATCHED_DIAGONALS).examples {
        assert!((tet as usize) < same.mesh.tets().len());
    }
    assert_eq!(
        codes(&plain(cube_row(&[false, true, false, true], true))),
        []
    );
    assert_eq!(
        codes(&plain(cube_row(&[true, true], true)))[0],
        ("mismatched-diagonals", 1, false)
    );
}

#[test]
fn mismatched_diagonals_are_seen_through_unwelded_vertices_and_through_warped_faces() {
    let unwelded = plain(cube_row(&[false, false], false));
    assert_eq!(
        codes(&unwelded),
        [
            ("duplicate-vertices", 4, false),
            ("mismatched-diagonals", 1, false),
            ("multiple-components", 2, false),
            ("non-conforming-faces", 4, false)
        ]
    );
    // With a corner of the shared face lifted the two sides no longer lie in one plane: geometry sees nothing.
    let (mut positions, tets) = cube_row(&[false, false], true);
    let corner = positions
        .iter()
        .position(|&p| p == [1.0, 1.0, 1.0])
        .expect("a shared corner");
    positions[corner][0] += 0.15;
    let warped = plain((positions, tets));
    assert_eq!(finding(&warped, Finding::MISMATCHED_DIAGONALS).count, 1);
    assert_eq!(warped.mesh.finding_count(Finding::NON_CONFORMING_FACES), 0);
}

#[test]
fn a_missing_tet_is_no_mismatched_diagonal() {
    let (positions, mut tets) = arrays(&box_mesh([4; 3], [1.0; 3], [0.0; 3]).expect("a box"));
    for missing in 0..tets.len() {
        let taken = tets.remove(missing);
        let diagnosis = plain((positions.clone(), tets.clone()));
        assert!(
            diagnosis
                .report
                .findings
                .iter()
                .all(|f| f.code != Finding::MISMATCHED_DIAGONALS),
            "without tet {missing}"
        );
        tets.insert(missing, taken);
    }
}

#[test]
fn welding_joins_what_lies_together() {
    let alternating = [false, true, false];
    let apart = cube_row(&alternating, false);
    let before = plain(apart.clone());
    assert_eq!(
        codes(&before),
        [
            ("duplicate-vertices", 8, false),
            ("multiple-components", 3, false),
            ("non-conforming-faces", 8, false)
        ]
    );
    let weld = |distance| DoctorOptions {
        weld: Some(distance),
        ..DoctorOptions::default()
    };
    let joined = examine(apart.clone(), &weld(0.0));
    assert_eq!(codes(&joined), [("duplicate-vertices", 8, true)]);
    let (positions, tets) = cube_row(&alternating, true);
    assert_eq!((joined.positions, joined.tets), (positions, tets));

    // Small gaps need a distance; what was merged takes the place of its first vertex.
    let mut gaps = apart.clone();
    for (vertex, position) in gaps.0.iter_mut().enumerate() {
        position[1] += 1e-4 * (vertex % 3) as f32;
    }
    assert_eq!(examine(gaps.clone(), &weld(0.0)).report.components, 3);
    let joined = examine(gaps.clone(), &weld(1e-3));
    assert_eq!((joined.report.components, joined.positions.len()), (1, 16));
    // Each of the 16 places keeps the coordinates of its first vertex.
    let mut firsts: Vec<[f32; 3]> = Vec::new();
    for &position in &gaps.0 {
        if !firsts
            .iter()
            .any(|p| (0..3).all(|axis| (p[axis] - position[axis]).abs() < 0.01))
        {
            firsts.push(position);
        }
    }
    assert_eq!(joined.positions, firsts);

    // Unused vertices stay, even where they lie on others.
    let mut unused = apart;
    unused.0.push([0.0; 3]);
    let joined = examine(unused, &weld(0.0));
    assert_eq!(
        codes(&joined),
        [
            ("duplicate-vertices", 8, true),
            ("unused-vertices", 1, false)
        ]
    );
    assert_eq!(joined.positions.len(), 17);
}

#[test]
fn welding_too_far_says_what_it_cost() {
    let (positions, tets) = arrays(&box_mesh([4, 2, 2], [4.0, 2.0, 2.0], [0.0; 3]).expect("a box"));
    let mut squeezed = positions;
    for position in &mut squeezed {
        if position[0] > 3.5 {
            position[0] = 3.1;
        }
    }
    let options = DoctorOptions {
        weld: Some(0.2),
        ..DoctorOptions::default()
    };
    let joined = examine((squeezed, tets.clone()), &options);
    let message = &finding(&joined, Finding::DUPLICATE_VERTICES).message;
    assert!(
        message.contains("9 vertices were merged") && message.contains("too large"),
        "{message}"
    );
    assert_eq!(joined.tets.len(), tets.len() * 3 / 4);
    assert_eq!(joined.report.removed_degenerate_tets, 0);
    let all = DoctorOptions {
        weld: Some(100.0),
        ..DoctorOptions::default()
    };
    let (positions, tets) = arrays(&box_mesh([2; 3], [1.0; 3], [0.0; 3]).expect("a box"));
    let error = diagnose(positions, tets, &all).expect_err("nothing is left");
    assert_eq!(error.kind(), "empty");
}

#[test]
fn three_tets_on_a_face_are_overfull() {
    let positions = vec![
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.2, 0.2, 1.0],
        [0.2, 0.2, -1.0],
        [0.4, 0.3, 0.8],
    ];
    let tets = vec![[0, 1, 2, 3], [0, 2, 1, 4], [0, 1, 2, 5]];
    let diagnosis = plain((positions, tets));
    let overfull = finding(&diagnosis, Finding::OVERFULL_FACES);
    assert_eq!(
        (overfull.count, &overfull.examples[..]),
        (1, &[0, 1, 2][..])
    );
    assert!(
        overfull.message.contains("0, 1, 2") && overfull.message.contains("3 tets"),
        "{}",
        overfull.message
    );
}

#[test]
fn parts_joined_by_an_edge_or_a_vertex_are_told_apart() {
    let cube = arrays(&box_mesh([1; 3], [1.0; 3], [0.0; 3]).expect("a box"));
    let with_neighbour = |shift: [f32; 3]| {
        let (mut positions, mut tets) = cube.clone();
        let second: Vec<u32> = cube
            .0
            .iter()
            .map(|p| {
                let place: [f32; 3] = std::array::from_fn(|axis| p[axis] + shift[axis]);
                positions
                    .iter()
                    .position(|&q| q == place)
                    .unwrap_or_else(|| {
                        positions.push(place);
                        positions.len() - 1
                    }) as u32
            })
            .collect();
        tets.extend(
            cube.1
                .iter()
                .map(|tet| tet.map(|vertex| second[vertex as usize])),
        );
        plain((positions, tets))
    };
    let edge = with_neighbour([1.0, 1.0, 0.0]);
    assert_eq!(
        codes(&edge),
        [
            ("edge-joined-parts", 1, false),
            ("non-manifold-edges", 1, false)
        ]
    );
    assert!(
        finding(&edge, Finding::EDGE_JOINED_PARTS)
            .message
            .contains("6 and 6 tets")
    );
    let vertex = with_neighbour([1.0; 3]);
    assert_eq!(codes(&vertex), [("vertex-joined-parts", 1, false)]);
    let apart = with_neighbour([2.0; 3]);
    assert_eq!(codes(&apart), [("multiple-components", 2, false)]);
    let message = &finding(&apart, Finding::MULTIPLE_COMPONENTS).message;
    assert!(message.contains("they have 6 and 6 tets"), "{message}");
}

#[test]
fn a_tangled_mesh_is_told_from_a_turned_one() {
    let (mut positions, tets) = arrays(&box_mesh([4; 3], [1.0; 3], [0.0; 3]).expect("a box"));
    let middle = positions
        .iter()
        .position(|&p| p == [0.5; 3])
        .expect("the middle");
    positions[middle] = [0.9, 0.6, 0.55];
    let tangled = plain((positions.clone(), tets.clone()));
    let overlap = finding(&tangled, Finding::OVERLAPPING_TETS);
    assert!(
        overlap.count >= 1 && overlap.message.contains("fill"),
        "{overlap:?}"
    );
    assert!(tangled.report.flipped_tets > 0);
    // Turned the wrong way in the file, but in its place.
    positions[middle] = [0.5; 3];
    let turned = tets.iter().map(|&[a, b, c, d]| [a, b, d, c]).collect();
    let turned = plain((positions, turned));
    assert_eq!(codes(&turned), [("flipped-tets", tets.len() as u32, true)]);
}
