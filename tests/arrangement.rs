//! The order of vertices and tets, patches and clusters: every promise of `arrangement`, on ordinary and hostile meshes.
#![cfg(not(target_arch = "wasm32"))]

mod arrangement_support;

use std::collections::BTreeSet;

use arrangement_support::*;
use proptest::prelude::*;
use webgpu_softbody::arrangement::{Arrangement, Clusters, PATCH_TETS, PATCH_VERTICES};
use webgpu_softbody::meshing::{box_mesh, torus_mesh};

fn is_permutation(numbers: &[u32], count: usize) -> bool {
    let mut seen = vec![false; count];
    numbers.len() == count
        && numbers
            .iter()
            .all(|&n| (n as usize) < count && !std::mem::replace(&mut seen[n as usize], true))
}

/// Everything that the type promises, for any mesh.
fn check((positions, tets): &Mesh) -> Arrangement {
    let a = Arrangement::new(positions, tets);
    let vertices = positions.len();
    assert!(is_permutation(&a.original_vertices, vertices));
    assert!(is_permutation(&a.original_tets, tets.len()));
    for (internal, &original) in a.original_vertices.iter().enumerate() {
        assert_eq!(a.internal_vertices[original as usize] as usize, internal);
    }
    assert_eq!(a.internal_vertices.len(), vertices);
    assert_eq!((a.corners.len(), a.slots.len()), (tets.len(), tets.len()));

    let (mut next_tet, mut next_vertex) = (0, 0);
    for patch in &a.patches {
        assert_eq!(
            (patch.first_tet, patch.first_vertex),
            (next_tet, next_vertex)
        );
        next_tet += patch.tet_count;
        next_vertex += patch.vertex_count;
        assert!((1..=PATCH_TETS as u32).contains(&patch.tet_count));
        assert!((4..=PATCH_VERTICES as u32).contains(&patch.vertex_count));
        let own = &a.patch_vertices[patch.first_vertex as usize..next_vertex as usize];
        assert!(
            own.is_sorted_by(|a, b| a.vertex < b.vertex),
            "distinct, ascending"
        );
        let mut touched = vec![false; own.len()];
        // (local vertex, internal tet) of each slot.
        let mut at_slot = vec![None; 4 * patch.tet_count as usize];
        for tet in patch.first_tet..next_tet {
            let index = tet as usize;
            let original = tets[a.original_tets[index] as usize];
            for corner in 0..4 {
                let local = a.corners[index][corner] as usize;
                let internal = own[local].vertex as usize;
                assert_eq!(a.original_vertices[internal], original[corner]);
                touched[local] = true;
                let slot = &mut at_slot[usize::from(a.slots[index][corner])];
                assert_eq!(slot.replace((local, tet)), None, "a slot is taken twice");
            }
        }
        assert!(
            touched.iter().all(|&touched| touched),
            "a vertex without tets"
        );
        assert!(at_slot.is_sorted() && at_slot[0].is_some());
        let mut first = 0;
        for (local, entry) in own.iter().enumerate() {
            let count = entry.slots >> 16;
            assert_eq!(entry.slots & 0xffff, first);
            let run = &at_slot[first as usize..(first + count) as usize];
            assert!(
                run.iter()
                    .all(|slot| slot.is_some_and(|(owner, _)| owner == local))
            );
            first += count;
        }
        assert_eq!(first, 4 * patch.tet_count);
    }
    assert_eq!(next_tet as usize, tets.len());
    assert_eq!(next_vertex as usize, a.patch_vertices.len());

    let partials: Vec<u32> = a.patch_vertices.iter().map(|entry| entry.partial).collect();
    assert!(is_permutation(&partials, a.patch_vertices.len()));
    assert_eq!(a.partial_offsets.len(), vertices + 1);
    assert_eq!(a.partial_offsets[0], 0);
    assert_eq!(a.partial_offsets[vertices] as usize, partials.len());
    let mut last = vec![None; vertices];
    for entry in &a.patch_vertices {
        let vertex = entry.vertex as usize;
        let own = a.partial_offsets[vertex]..a.partial_offsets[vertex + 1];
        assert!(own.contains(&entry.partial));
        assert!(
            last[vertex] < Some(entry.partial),
            "in the order of the patches"
        );
        last[vertex] = Some(entry.partial);
    }

    let used: BTreeSet<u32> = tets.iter().flatten().copied().collect();
    for (internal, original) in a.original_vertices.iter().enumerate() {
        assert_eq!(
            internal < used.len(),
            used.contains(original),
            "unused ones come last"
        );
        let partials = a.partial_offsets[internal + 1] - a.partial_offsets[internal];
        assert_eq!(partials > 0, used.contains(original));
    }
    assert_eq!(a, Arrangement::new(positions, tets), "the same again");
    a
}

/// Neighbours by internal number.
fn graph(a: &Arrangement, tets: &[[u32; 4]]) -> Vec<BTreeSet<u32>> {
    let mut graph = vec![BTreeSet::new(); a.original_vertices.len()];
    for tet in tets {
        let tet = tet.map(|vertex| a.internal_vertices[vertex as usize]);
        for one in tet {
            graph[one as usize].extend(tet.into_iter().filter(|&other| other != one));
        }
    }
    graph
}

fn reached(graph: &[BTreeSet<u32>], seed: u32, within: &BTreeSet<u32>) -> BTreeSet<u32> {
    let mut reached = BTreeSet::from([seed]);
    let mut queue = vec![seed];
    while let Some(vertex) = queue.pop() {
        for &other in &graph[vertex as usize] {
            if within.contains(&other) && reached.insert(other) {
                queue.push(other);
            }
        }
    }
    reached
}

/// A partition of the used vertices in connected sets of a size, where a smaller one has no neighbour that would have it.
fn check_clusters((_, tets): &Mesh, a: &Arrangement, target: usize) -> Vec<BTreeSet<u32>> {
    let Clusters { offsets, vertices } = a.clusters(tets, target);
    assert_eq!(offsets[0], 0);
    let sets: Vec<BTreeSet<u32>> = offsets
        .windows(2)
        .map(|pair| {
            let own = &vertices[pair[0] as usize..pair[1] as usize];
            assert!(own.is_sorted_by(|a, b| a < b) && !own.is_empty());
            own.iter().copied().collect()
        })
        .collect();
    assert_eq!(offsets[sets.len()] as usize, vertices.len());
    let used = tets.iter().flatten().collect::<BTreeSet<_>>().len();
    assert!(is_permutation(&vertices, used), "each used vertex once");
    let graph = graph(a, tets);
    let whole = target.min(used);
    let mut cluster_of = vec![0; used];
    for (number, set) in sets.iter().enumerate() {
        for &vertex in set {
            cluster_of[vertex as usize] = number;
        }
    }
    for set in &sets {
        let seed = *set.first().unwrap();
        assert_eq!(reached(&graph, seed, set), *set, "a cluster in pieces");
        assert!(set.len() <= 16.max(2 * whole), "{} of {target}", set.len());
        if set.len() < whole / 4 {
            for &vertex in set {
                for &other in &graph[vertex as usize] {
                    let neighbour = &sets[cluster_of[other as usize]];
                    assert!(
                        neighbour == set || neighbour.len() + set.len() > 2 * whole,
                        "a fragment of {} beside a cluster of {}",
                        set.len(),
                        neighbour.len()
                    );
                }
            }
        }
    }
    assert_eq!(
        a.clusters(tets, target),
        Clusters { offsets, vertices },
        "the same again"
    );
    sets
}

#[test]
fn ordinary_meshes_are_arranged_and_clustered() {
    for mesh in [
        cube(1),
        cube(6),
        cube(12),
        shuffled(&cube(12)),
        parts(&box_mesh([48, 3, 2], [4.8, 0.3, 0.2], [0.0; 3]).unwrap()),
        parts(&torus_mesh(0.5, 0.2, 4, 24).unwrap()),
        bunny(),
        real("beam_t42"),
        real("cylinder"),
        real("unit_ball"),
        graded(),
        horseshoe(),
        with_unused(cube(4)),
    ] {
        let a = check(&mesh);
        for target in [1, 8, 27, 64, 216, 1000, usize::MAX] {
            check_clusters(&mesh, &a, target);
        }
    }
}

#[test]
fn hostile_meshes_are_arranged_and_clustered() {
    let mut collapsed = cube(8);
    collapsed.0.fill([0.25; 3]);
    let mut flat = cube(8);
    flat.0.iter_mut().for_each(|position| position[1] = 0.0);
    let mut huge = cube(8);
    for position in &mut huge.0 {
        *position = position.map(|x| (x - 0.5) * 3.4e38);
    }
    for mesh in [
        (ASYMMETRIC.to_vec(), vec![[2, 0, 3, 1]]),
        apart(1000),
        star(60),
        star(5000),
        collapsed,
        flat,
        huge,
        random(20, 3000, 1),
        random(3000, 3000, 2),
        with_unused(random(300, 200, 3)),
    ] {
        let a = check(&mesh);
        for target in [8, 64, 500] {
            check_clusters(&mesh, &a, target);
        }
    }
}

const ASYMMETRIC: [[f32; 3]; 4] = [
    [0.1, 0.2, -0.3],
    [1.0, 0.1, 0.2],
    [0.2, 1.3, 0.1],
    [0.3, 0.4, 0.9],
];

#[test]
fn one_tet_is_one_patch() {
    let mesh = (ASYMMETRIC.to_vec(), vec![[2, 0, 3, 1]]);
    let a = check(&mesh);
    assert_eq!(a.original_vertices, [0, 1, 2, 3]);
    assert_eq!(a.corners, [[2, 0, 3, 1]]);
    assert_eq!(a.slots, [[2, 0, 3, 1]]);
    assert_eq!(a.partial_offsets, [0, 1, 2, 3, 4]);
}

#[test]
fn nothing_gives_nothing() {
    let a = Arrangement::new(&[[0.0; 3]; 2], &[]);
    assert_eq!(a.original_vertices, [0, 1]);
    assert!(a.patches.is_empty() && a.original_tets.is_empty());
    assert_eq!(a.partial_offsets, [0, 0, 0]);
    let clusters = a.clusters(&[], 10);
    assert_eq!((clusters.offsets, clusters.vertices), (vec![0], vec![]));
}

#[test]
fn components_never_share_a_cluster() {
    // Two boxes in one place.
    let (mut positions, mut tets) = cube(5);
    let count = positions.len() as u32;
    positions.extend(positions.clone());
    tets.extend(
        tets.clone()
            .iter()
            .map(|tet| tet.map(|vertex| vertex + count)),
    );
    let mesh = (positions, tets);
    let a = check(&mesh);
    let sets = check_clusters(&mesh, &a, usize::MAX);
    assert_eq!(sets.len(), 2, "one cluster each, however large");
    for target in [20, 60, 300] {
        for set in check_clusters(&mesh, &a, target) {
            let of_first = set
                .iter()
                .filter(|&&vertex| a.original_vertices[vertex as usize] < count)
                .count();
            assert!(of_first == 0 || of_first == set.len());
        }
    }
}

#[test]
fn a_horseshoes_arms_never_share_a_cluster() {
    let mesh = horseshoe();
    let a = check(&mesh);
    for target in [30, 60, 90] {
        for set in check_clusters(&mesh, &a, target) {
            let side = |vertex: u32| mesh.0[a.original_vertices[vertex as usize] as usize];
            // Away from the bend, which may be in one cluster with the ends of both arms.
            let mut arms = [false; 2];
            for &vertex in &set {
                let [x, y, _] = side(vertex);
                if x < 8.0 {
                    arms[usize::from(y > 0.0)] = true;
                }
            }
            assert!(arms != [true; 2], "{} vertices of both arms", set.len());
        }
    }
}

#[test]
fn boxes_fill_their_patches_and_clusters() {
    for mesh in [cube(9), shuffled(&cube(9)), cube(20)] {
        let a = check(&mesh);
        let mean = mesh.1.len() as f64 / a.patches.len() as f64;
        assert!(
            mean > 0.94 * PATCH_TETS as f64,
            "{mean} tets in a patch on average"
        );
        let partials = a.patch_vertices.len() as f64 / mesh.0.len() as f64;
        assert!(partials < 2.6, "{partials} partial sums per vertex");
        for target in [64, 128, 256] {
            for set in check_clusters(&mesh, &a, target) {
                assert!(
                    (target * 9 / 10..=target).contains(&set.len()),
                    "{} of {target}",
                    set.len()
                );
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn random_meshes_are_arranged(vertices in 4usize..600, count in 1usize..1500, seed: u64, target in 1usize..200) {
        let mesh = random(vertices, count, seed);
        let a = check(&mesh);
        check_clusters(&mesh, &a, target);
    }
}
