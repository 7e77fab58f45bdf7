//! Hexahedra, prisms and pyramids are split so that neighbours agree, volumes add up and orientation is kept.
#![cfg(all(feature = "mesh-tools", not(target_arch = "wasm32")))]

mod import_support;

use std::fmt::Write;

use import_support::{det, faces, tets_of};
use proptest::prelude::*;
use webgpu_softbody::import::{NamedFile, import};

/// Cells of a grid of n³ cubes, by the numbers of its points along x, then y, then z.
struct Grid {
    n: usize,
    cells: Vec<(u32, Vec<usize>)>,
    points: Vec<[f64; 3]>,
}

fn corners(n: usize, [x, y, z]: [usize; 3]) -> [usize; 8] {
    let at = |dx: usize, dy: usize, dz: usize| ((z + dz) * (n + 1) + y + dy) * (n + 1) + x + dx;
    [
        at(0, 0, 0),
        at(1, 0, 0),
        at(1, 1, 0),
        at(0, 1, 0),
        at(0, 0, 1),
        at(1, 0, 1),
        at(1, 1, 1),
        at(0, 1, 1),
    ]
}

/// `kind` of each cube: 0 a hexahedron, 1 two prisms, 2 six pyramids around its middle.
fn grid(n: usize, kinds: &[u8]) -> Grid {
    let mut points = Vec::new();
    for z in 0..=n {
        for y in 0..=n {
            for x in 0..=n {
                points.push([x as f64, y as f64, z as f64]);
            }
        }
    }
    let mut cells = Vec::new();
    for cube in 0..n * n * n {
        let [x, y, z] = [cube % n, cube / n % n, cube / n / n];
        let c = corners(n, [x, y, z]);
        match kinds[cube % kinds.len()] {
            0 => cells.push((12, c.to_vec())),
            1 => {
                // A prism's triangles lie in the planes of constant z: whole columns have to be prisms.
                cells.push((13, vec![c[0], c[1], c[2], c[4], c[5], c[6]]));
                cells.push((13, vec![c[0], c[2], c[3], c[4], c[6], c[7]]));
            }
            _ => {
                let middle = points.len();
                points.push([x as f64 + 0.5, y as f64 + 0.5, z as f64 + 0.5]);
                for face in [
                    [0, 1, 2, 3],
                    [4, 7, 6, 5],
                    [0, 4, 5, 1],
                    [1, 5, 6, 2],
                    [2, 6, 7, 3],
                    [3, 7, 4, 0],
                ] {
                    let mut cell = face.map(|corner| c[corner]).to_vec();
                    cell.push(middle);
                    cells.push((14, cell));
                }
            }
        }
    }
    Grid { n, cells, points }
}

/// As a VTK file, with the points in another order.
fn vtk(grid: &Grid, order: &[usize]) -> String {
    let mut rank = vec![0; order.len()];
    for (n, &point) in order.iter().enumerate() {
        rank[point] = n;
    }
    let mut text =
        "# vtk DataFile Version 3.0\ngrid\nASCII\nDATASET UNSTRUCTURED_GRID\n".to_owned();
    writeln!(text, "POINTS {} double", order.len()).unwrap();
    for &point in order {
        let [x, y, z] = grid.points[point];
        writeln!(text, "{x} {y} {z}").unwrap();
    }
    let size: usize = grid.cells.iter().map(|(_, cell)| cell.len() + 1).sum();
    writeln!(text, "CELLS {} {size}", grid.cells.len()).unwrap();
    for (_, cell) in &grid.cells {
        write!(text, "{}", cell.len()).unwrap();
        for &point in cell {
            write!(text, " {}", rank[point]).unwrap();
        }
        text.push('\n');
    }
    writeln!(text, "CELL_TYPES {}", grid.cells.len()).unwrap();
    for (kind, _) in &grid.cells {
        writeln!(text, "{kind}").unwrap();
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn split_cells_agree_whatever_the_numbers(
        n in 1usize..4,
        kinds in prop_oneof![Just(vec![1]), prop::collection::vec(prop_oneof![Just(0u8), Just(2u8)], 27)],
        seed in any::<u64>(),
    ) {
        let grid = grid(n, &kinds);
        let mut order: Vec<usize> = (0..grid.points.len()).collect();
        let mut state = seed | 1;
        for last in (1..order.len()).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            order.swap(last, (state >> 33) as usize % (last + 1));
        }
        let text = vtk(&grid, &order);
        let imported = import(&[NamedFile { name: "grid.vtk", bytes: text.as_bytes() }]).expect("a grid");
        let (positions, tets) = tets_of(&imported, "grid");
        let mut volume = 0.0;
        for &tet in tets {
            let det = det(positions, tet);
            prop_assert!(det > 1e-6, "{tet:?} has volume {}", det / 6.0);
            volume += det / 6.0;
        }
        prop_assert!((volume - (n * n * n) as f64).abs() < 1e-9, "volume {volume}");
        let mut boundary = 0;
        for (face, count) in faces(tets) {
            prop_assert!(count <= 2, "{face:?} has {count} tets");
            if count == 1 {
                boundary += 1;
                let outside = (0..3).any(|axis| {
                    let plane = positions[face[0] as usize][axis];
                    (plane == 0.0 || plane == grid.n as f32)
                        && face.iter().all(|&v| positions[v as usize][axis] == plane)
                });
                prop_assert!(outside, "{face:?} is a crack inside");
            }
        }
        prop_assert_eq!(boundary, 12 * n * n);
    }
}

/// The number of tets of one hexahedron whose corners are numbered in this order.
fn tets_of_one(order: [u32; 8]) -> usize {
    let mut text =
        "# vtk DataFile Version 3.0\ncube\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 8 float\n"
            .to_owned();
    for corner in 0..8 {
        let place = order.iter().position(|&n| n == corner).unwrap();
        let [x, y, z] = [(place ^ place >> 1) & 1, place >> 1 & 1, place >> 2];
        writeln!(text, "{x} {y} {z}").unwrap();
    }
    let list = order.map(|n| n.to_string()).join(" ");
    write!(text, "CELLS 1 9\n8 {list}\nCELL_TYPES 1\n12\n").unwrap();
    let imported = import(&[NamedFile {
        name: "",
        bytes: text.as_bytes(),
    }])
    .expect("a cube");
    let (positions, tets) = tets_of(&imported, "cube");
    let volume: f64 = tets.iter().map(|&tet| det(positions, tet) / 6.0).sum();
    assert!((volume - 1.0).abs() < 1e-12, "{order:?}: volume {volume}");
    assert!(
        tets.iter().all(|&tet| det(positions, tet) > 0.1),
        "{order:?}"
    );
    tets.len()
}

#[test]
fn every_numbering_of_a_hexahedron_gives_five_or_six_tets() {
    let mut order = [0, 1, 2, 3, 4, 5, 6, 7];
    let mut count = [0; 8];
    // Heap's algorithm: all 40,320 orders would take long, the first 5,040 keep one corner and move all others.
    let mut stack = [0; 8];
    count[tets_of_one(order)] += 1;
    let mut n = 1;
    while n < 7 {
        if stack[n] < n {
            let with = if n.is_multiple_of(2) { 0 } else { stack[n] };
            order.swap(with, n);
            count[tets_of_one(order)] += 1;
            stack[n] += 1;
            n = 1;
        } else {
            stack[n] = 0;
            n += 1;
        }
    }
    assert_eq!(count.iter().sum::<usize>(), 5040);
    assert!(
        count[5] > 0 && count[6] > 0 && count[5] + count[6] == 5040,
        "{count:?}"
    );
}

#[test]
fn a_hexahedron_that_is_a_prism_loses_its_flat_tets() {
    // Corners 2 and 3, 6 and 7 are one: a wedge written as a hexahedron, as shell and wedge meshers do.
    let text = "# vtk DataFile Version 3.0\nwedge\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 6 float\n\
        0 0 0 1 0 0 0 1 0 0 0 1 1 0 1 0 1 1\nCELLS 1 9\n8 0 1 2 2 3 4 5 5\nCELL_TYPES 1\n12\n";
    let imported = import(&[NamedFile {
        name: "",
        bytes: text.as_bytes(),
    }])
    .expect("a wedge");
    let (positions, tets) = tets_of(&imported, "wedge");
    assert_eq!(tets.len(), 3);
    let volume: f64 = tets.iter().map(|&tet| det(positions, tet) / 6.0).sum();
    assert!((volume - 0.5).abs() < 1e-12, "{volume}");
    assert_eq!(imported.notes, ["1 hexahedron was split into 3 tets"]);
}
