//! Ways through cloth to its pins: exact on grids, nearly straight on meshes, counted in hops for the substeps.
#![cfg(not(target_arch = "wasm32"))]

mod cloth_support;

use cloth_support::{Random, distance, grids, irregular, made, points, tube, two};
use webgpu_softbody::cloth::{Attachments, ClothElements, ClothMesh, NO_VERTEX, depth};

#[test]
fn ways_on_grids_are_exact() {
    let mut random = Random(11);
    for mesh in grids()
        .into_iter()
        .chain([ClothMesh::grid(40, 23, 0.1).unwrap()])
    {
        let elements = ClothElements::new(&mesh);
        let at = points(&mesh);
        let many = (0..at.len()).map(|_| random.next() < 0.1).collect();
        let few = (0..at.len()).map(|_| random.next() < 0.01).collect();
        let row = (0..at.len())
            .map(|v| v < mesh.grid_size().unwrap().0 as usize)
            .collect();
        let last = (0..at.len()).map(|v| v + 1 == at.len()).collect();
        for pinned in [
            many,
            few,
            row,
            last,
            vec![true; at.len()],
            vec![false; at.len()],
        ] {
            let pins: Vec<usize> = (0..at.len()).filter(|&v| pinned[v]).collect();
            let ways = Attachments::new(&mesh, &elements, &pinned);
            assert_eq!(
                (ways.pins.len(), ways.distances.len()),
                (at.len(), at.len())
            );
            for vertex in 0..at.len() {
                let nearest = pins
                    .iter()
                    .map(|&pin| distance(at[vertex], at[pin]))
                    .reduce(f64::min);
                let (pin, found) = (ways.pins[vertex], f64::from(ways.distances[vertex]));
                let Some(nearest) = nearest else {
                    assert_eq!((pin, found), (NO_VERTEX, 0.0));
                    continue;
                };
                assert!(pinned[pin as usize]);
                assert!(
                    (found - nearest).abs() < 1e-6,
                    "{vertex}: {found} for {nearest}"
                );
                assert!((distance(at[vertex], at[pin as usize]) - nearest).abs() < 1e-6);
            }
        }
    }
}

#[test]
fn ways_on_flat_meshes_are_nearly_straight() {
    for (seed, jitter) in [(1, 0.1), (2, 0.2), (3, 0.28)] {
        let mesh = made(irregular(30, 0.1, jitter, 0.0, seed));
        let elements = ClothElements::new(&mesh);
        let at = points(&mesh);
        for pins in [vec![62], vec![465], vec![62, 87], (62..88).collect()] {
            let pinned: Vec<bool> = (0..at.len()).map(|v| pins.contains(&v)).collect();
            let ways = Attachments::new(&mesh, &elements, &pinned);
            let mut worst: f64 = 1.0;
            for vertex in 0..at.len() {
                let straight = pins
                    .iter()
                    .map(|&pin| distance(at[vertex], at[pin]))
                    .fold(f64::INFINITY, f64::min);
                let found = f64::from(ways.distances[vertex]);
                assert!(
                    found >= straight * (1.0 - 1e-6),
                    "{vertex}: {found} for {straight}"
                );
                // The rim is jagged: there the straight way may leave the sheet.
                let inner = [vertex % 30, vertex / 30]
                    .iter()
                    .all(|place| (2..28).contains(place));
                assert!(
                    !inner || found <= straight * 1.15 + 1e-9,
                    "{vertex}: {found} for {straight}"
                );
                assert!(pinned[ways.pins[vertex] as usize]);
                if inner && straight > 0.0 {
                    worst = worst.max(found / straight);
                }
            }
            println!(
                "jitter {jitter}, {} pins: at most {worst:.3} of the straight way",
                pins.len()
            );
        }
    }
}

#[test]
fn ways_stay_in_the_cloth() {
    // Half round a tube of radius 1 it is about π, not the 2 through the air; and never less than the polygon laid flat.
    let around = 32;
    let mesh = made(tube(around, 2));
    let elements = ClothElements::new(&mesh);
    let pinned: Vec<bool> = (0..2 * around).map(|v| v == 0).collect();
    let ways = Attachments::new(&mesh, &elements, &pinned);
    let side = 2.0 * (std::f64::consts::PI / f64::from(around)).sin();
    for vertex in 0..2 * around {
        let steps = (vertex % around).min(around - vertex % around);
        let up = if vertex < around { 0.0 } else { 0.2 };
        let flat = (f64::from(steps) * side).hypot(up);
        let found = f64::from(ways.distances[vertex as usize]);
        assert!(
            found >= flat * (1.0 - 1e-5) && found <= flat * 1.15,
            "{vertex}: {found} for {flat}"
        );
    }
    // A way that would pass beside the edge goes round its end.
    let positions = vec![[0.0; 3], [1.0, 0.0, 0.0], [2.0, 1.0, 0.0], [2.0, -1.0, 0.0]];
    let mesh = made((positions, vec![[0, 1, 2], [0, 3, 1]]));
    let elements = ClothElements::new(&mesh);
    let ways = Attachments::new(&mesh, &elements, &[false, false, true, false]);
    assert_eq!(ways.distances[3], 8f32.sqrt());
    // The second part has no pin.
    let (mut positions, mut triangles) = two();
    positions.extend(two().0.iter().map(|p| [p[0] + 4.0, p[1], p[2]]));
    triangles.extend(two().1.iter().map(|t| t.map(|v| v + 4)));
    let mesh = made((positions, triangles));
    let elements = ClothElements::new(&mesh);
    let mut pinned = vec![false; 8];
    pinned[3] = true;
    let ways = Attachments::new(&mesh, &elements, &pinned);
    assert_eq!(
        ways.pins,
        [3, 3, 3, 3, NO_VERTEX, NO_VERTEX, NO_VERTEX, NO_VERTEX]
    );
    assert_eq!(ways.distances[..4], [2f32.sqrt(), 1.0, 1.0, 0.0]);
    assert_eq!(ways.distances[4..], [0.0; 4]);
}

#[test]
fn depth_counts_hops_to_the_nearest_pin() {
    let mesh = ClothMesh::grid(9, 7, 0.1).unwrap();
    let elements = ClothElements::new(&mesh);
    let depth_of = |pins: &[usize]| {
        let pinned: Vec<bool> = (0..63).map(|v| pins.contains(&v)).collect();
        depth(&mesh, &elements, &pinned)
    };
    let row: Vec<usize> = (0..9).collect();
    assert_eq!(depth_of(&row), 6);
    assert_eq!(depth_of(&[0]), 14);
    assert_eq!(depth_of(&[0, 8]), 10);
    // Nothing pinned: half of corner to corner; all pinned: one.
    assert_eq!(depth_of(&[]), 7);
    assert_eq!(depth_of(&(0..63).collect::<Vec<_>>()), 1);
    // The part without a pin counts by its own extent: 20 hops along the tube, 2 round it.
    let (mut positions, mut triangles) = two();
    let (more, others) = tube(5, 21);
    positions.extend(more);
    triangles.extend(others.iter().map(|t| t.map(|v| v + 4)));
    let mesh = made((positions, triangles));
    let elements = ClothElements::new(&mesh);
    let mut pinned = vec![false; mesh.positions().len()];
    pinned[0] = true;
    assert!((10..=11).contains(&depth(&mesh, &elements, &pinned)));
    pinned[4] = true;
    assert!((20..=22).contains(&depth(&mesh, &elements, &pinned)));
}
