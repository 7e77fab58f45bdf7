//! The elements of cloth: batches are independent and complete, areas and coordinates belong to the sheet.
#![cfg(not(target_arch = "wasm32"))]

mod cloth_support;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use cloth_support::{
    book, distance, equilateral, fan, grids, irregular, made, moebius, points, sphere, tube, two,
};
use webgpu_softbody::cloth::{ClothElements, ClothMesh, MODULUS_FACTOR, NO_VERTEX};

fn meshes() -> Vec<ClothMesh> {
    vec![
        made(two()),
        made(book()),
        made(moebius()),
        made(tube(3, 2)),
        made(fan(200)),
        made(tube(17, 9)),
        made(sphere(0)),
        made(sphere(3)),
        made(equilateral(9)),
        made(irregular(5, 1.0, 0.25, 0.5, 1)),
        made(irregular(24, 0.1, 0.28, 1.0, 2)),
    ]
}

/// The batches follow each other and cover everything; no vertex is twice in one.
fn assert_independent(batches: &[Range<u32>], vertices: &[Vec<u32>]) {
    let mut next = 0;
    for batch in batches {
        assert!(batch.start == next && batch.end > next, "{batches:?}");
        next = batch.end;
        let mut seen = BTreeSet::new();
        for element in &vertices[batch.start as usize..batch.end as usize] {
            for &vertex in element {
                assert!(
                    seen.insert(vertex),
                    "vertex {vertex} twice in batch {batch:?}"
                );
            }
        }
    }
    assert_eq!(next as usize, vertices.len());
}

#[test]
fn batches_are_independent() {
    for mesh in grids().into_iter().chain(meshes()) {
        let elements = ClothElements::new(&mesh);
        let edges: Vec<_> = elements.edges.iter().map(|e| e.vertices.to_vec()).collect();
        assert_independent(&elements.edge_batches, &edges);
        let real = |v: &u32| *v != NO_VERTEX;
        let bends: Vec<Vec<u32>> = elements
            .bends
            .iter()
            .map(|b| b.vertices.into_iter().filter(real).collect())
            .collect();
        assert_independent(&elements.bend_batches, &bends);
        assert_eq!(
            elements,
            ClothElements::new(&mesh),
            "the same mesh gives the same elements"
        );
    }
}

#[test]
fn few_batches_do() {
    for mesh in grids() {
        let (columns, rows, _) = mesh.grid_size().unwrap();
        let elements = ClothElements::new(&mesh);
        // A parity or a third has elements if the side is long enough.
        let halves = |side: u32| (side - 1).min(2) as usize;
        let thirds = |side: u32| (side - 2).min(3) as usize;
        let edges = 3 * halves(columns) + halves(rows);
        let bends = thirds(columns) + thirds(rows);
        assert_eq!(
            (elements.edge_batches.len(), elements.bend_batches.len()),
            (edges, bends),
            "{columns}×{rows}"
        );
        if columns >= 5 && rows >= 5 {
            assert_eq!((edges, bends), (8, 6));
        }
    }
    // On a mesh a vertex has about twelve springs and twelve bends.
    let elements = ClothElements::new(&made(irregular(64, 0.1, 0.28, 0.5, 4)));
    let busiest = |sets: &mut dyn Iterator<Item = Vec<u32>>| {
        let mut at = BTreeMap::new();
        sets.flatten()
            .for_each(|v| *at.entry(v).or_insert(0usize) += 1);
        at.into_values().max().unwrap()
    };
    let springs = busiest(&mut elements.edges.iter().map(|e| e.vertices.to_vec()));
    let bends = busiest(&mut elements.bends.iter().map(|b| b.vertices.to_vec()));
    let (edge_batches, bend_batches) = (elements.edge_batches.len(), elements.bend_batches.len());
    println!(
        "{springs} springs at the busiest vertex in {edge_batches} batches, {bends} bends in {bend_batches}"
    );
    assert!((springs..springs + 3).contains(&edge_batches));
    assert!((bends..bends + 8).contains(&bend_batches));
}

#[test]
fn a_grid_has_every_spring_and_bend_once() {
    for mesh in grids() {
        let (columns, rows, spacing) = mesh.grid_size().unwrap();
        let at = |i: u32, j: u32| j * columns + i;
        let (mut springs, mut bends) = (BTreeMap::new(), BTreeMap::new());
        for j in 0..rows {
            for i in 0..columns {
                let factor = |border: bool| if border { 2.0 } else { 1.0 };
                let rim = |place: u32, count: u32| place == 0 || place + 1 == count;
                if i + 1 < columns {
                    springs.insert([at(i, j), at(i + 1, j)], (false, factor(rim(j, rows))));
                }
                if j + 1 < rows {
                    springs.insert([at(i, j), at(i, j + 1)], (false, factor(rim(i, columns))));
                }
                if i + 1 < columns && j + 1 < rows {
                    springs.insert([at(i, j), at(i + 1, j + 1)], (true, 1.0));
                    springs.insert([at(i + 1, j), at(i, j + 1)], (true, 1.0));
                }
                if i + 2 < columns {
                    bends.insert(
                        [at(i, j), at(i + 1, j), at(i + 2, j), NO_VERTEX],
                        factor(rim(j, rows)),
                    );
                }
                if j + 2 < rows {
                    bends.insert(
                        [at(i, j), at(i, j + 1), at(i, j + 2), NO_VERTEX],
                        factor(rim(i, columns)),
                    );
                }
            }
        }
        let elements = ClothElements::new(&mesh);
        for edge in &elements.edges {
            let expected = springs.remove(&edge.vertices);
            assert_eq!(expected, Some((edge.shear, edge.factor)), "{edge:?}");
            let length = spacing * if edge.shear { 2f64.sqrt() } else { 1.0 };
            assert!((f64::from(edge.length) / length - 1.0).abs() < 1e-7);
        }
        assert!(springs.is_empty(), "missing: {springs:?}");
        for bend in &elements.bends {
            let share = bends
                .remove(&bend.vertices)
                .unwrap_or_else(|| panic!("{bend:?}"));
            let weight = (1.0 / (share as f64).sqrt() / spacing) as f32;
            assert_eq!(
                (bend.weights, bend.rest),
                ([weight, -2.0 * weight, weight], 0.0)
            );
        }
        assert!(bends.is_empty(), "missing: {bends:?}");
    }
}

#[test]
fn a_mesh_has_every_spring_and_bend_once() {
    for mesh in meshes() {
        let at = points(&mesh);
        let area = |[a, b, c]: [u32; 3]| {
            let [a, b, c] = [a, b, c].map(|v| at[v as usize]);
            let [x, y, z] = [distance(a, b), distance(b, c), distance(c, a)];
            let s = 0.5 * (x + y + z);
            (s * (s - x) * (s - y) * (s - z)).sqrt()
        };
        // Per edge its triangles: the vertex across, and the area.
        let mut sides: BTreeMap<[u32; 2], Vec<(u32, f64)>> = BTreeMap::new();
        for &triangle in mesh.triangles() {
            for k in 0..3 {
                let [a, b, c] = [0, 1, 2].map(|i| triangle[(k + i) % 3]);
                sides
                    .entry([a.min(b), a.max(b)])
                    .or_default()
                    .push((c, area(triangle)));
            }
        }
        let mut springs: BTreeMap<(bool, [u32; 2]), f64> = BTreeMap::new();
        let mut bends = BTreeSet::new();
        for (&[a, b], across) in &sides {
            let total: f64 = across.iter().map(|side| side.1).sum();
            springs.insert((false, [a, b]), total);
            if let [(c, _), (d, _)] = across[..] {
                *springs.entry((true, [c.min(d), c.max(d)])).or_default() += total;
                bends.insert([a, b, c.min(d), c.max(d)]);
            }
        }
        let elements = ClothElements::new(&mesh);
        for edge in &elements.edges {
            let total = springs
                .remove(&(edge.shear, edge.vertices))
                .unwrap_or_else(|| panic!("{edge:?}"));
            let [p, q] = edge.vertices.map(|v| at[v as usize]);
            let length = distance(p, q);
            let factor = length * length / (MODULUS_FACTOR * total);
            assert!(
                (f64::from(edge.length) / length - 1.0).abs() < 1e-6,
                "{edge:?}"
            );
            assert!(
                (f64::from(edge.factor) / factor - 1.0).abs() < 1e-4,
                "{edge:?} for {factor}"
            );
        }
        assert!(springs.is_empty(), "missing: {springs:?}");
        for bend in &elements.bends {
            let [a, b, c, d] = bend.vertices;
            assert!(bends.remove(&[a, b, c.min(d), c.max(d)]), "{bend:?}");
        }
        assert!(bends.is_empty(), "missing: {bends:?}");
    }
}

#[test]
fn a_folded_pair_has_no_spring_across() {
    let fold = |gap: f32| {
        let positions = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.5, 1.0, 0.0], [0.5, 1.0, gap]];
        ClothElements::new(&made((positions, vec![[0, 1, 2], [1, 0, 3]])))
            .edges
            .len()
    };
    assert_eq!((fold(0.2), fold(0.05)), (6, 5));
}

#[test]
fn areas_sum_to_the_sheet() {
    for mesh in grids().into_iter().chain(meshes()) {
        let elements = ClothElements::new(&mesh);
        let at = points(&mesh);
        let mut round = vec![0.0; at.len()];
        let mut total = 0.0;
        for &triangle in mesh.triangles() {
            let [p, q, r] = triangle.map(|v| at[v as usize]);
            let [x, y, z] = [distance(p, q), distance(q, r), distance(r, p)];
            let s = 0.5 * (x + y + z);
            let area = (s * (s - x) * (s - y) * (s - z)).sqrt();
            total += area;
            let mut shares = 0.0;
            for vertex in triangle {
                round[vertex as usize] += area;
                shares += elements.triangle_shares[vertex as usize];
            }
            assert!(
                (shares - 1.0).abs() < 1e-6,
                "the shares of {triangle:?} sum to {shares}"
            );
        }
        assert!((elements.total_area / total - 1.0).abs() < 1e-5);
        let sum: f64 = elements
            .vertex_areas
            .iter()
            .map(|&area| f64::from(area))
            .sum();
        assert!((sum / elements.total_area - 1.0).abs() < 1e-6);
        for (vertex, round) in round.into_iter().enumerate() {
            let share = f64::from(elements.triangle_shares[vertex]) * round;
            assert!(
                (f64::from(elements.vertex_areas[vertex]) - share).abs() < 1e-5 * total,
                "vertex {vertex}"
            );
        }
    }
    // An unused vertex has no mass.
    let (mut positions, triangles) = two();
    positions.push([5.0; 3]);
    let elements = ClothElements::new(&made((positions, triangles)));
    assert_eq!(elements.vertex_areas[4], 0.0);
}

#[test]
fn material_coordinates_are_metres_in_the_sheet() {
    let grid = ClothMesh::grid(4, 3, 0.5).unwrap().material_coordinates();
    assert_eq!(
        (grid[0], grid[3], grid[9]),
        ([0.0, 0.0], [1.5, 0.0], [0.5, 1.0])
    );
    // A flat sheet turned every way keeps its distances; two sheets have frames of their own.
    let (flat, triangles) = irregular(9, 0.1, 0.28, 0.0, 3);
    for turn in 0..6 {
        let (sin, cos) = f64::from(turn).sin_cos();
        let place = |p: &[f32; 3]| {
            let [x, y, _] = p.map(f64::from);
            let (y, z) = (cos * y, sin * y);
            [
                (cos * x - sin * z) as f32,
                y as f32,
                (sin * x + cos * z) as f32,
            ]
        };
        let mut positions: Vec<_> = flat.iter().map(place).collect();
        let second: Vec<_> = positions.iter().map(|p| [p[1] + 3.0, p[2], p[0]]).collect();
        let offset = positions.len() as u32;
        positions.extend(second);
        positions.push([9.0, 9.0, 9.0]);
        let both = triangles
            .iter()
            .copied()
            .chain(triangles.iter().map(|t| t.map(|v| v + offset)));
        let mesh = made((positions, both.collect()));
        let uv = mesh.material_coordinates();
        assert_eq!(uv.last(), Some(&[0.0, 0.0]));
        for (&[a, b, _], shift) in triangles.iter().zip([0, offset].into_iter().cycle()) {
            let [a, b] = [a + shift, b + shift].map(|v| v as usize);
            let laid = (uv[a][0] - uv[b][0]).hypot(uv[a][1] - uv[b][1]);
            let [p, q] = [a, b].map(|v| mesh.positions()[v]);
            let length = (0..3).map(|i| (p[i] - q[i]).powi(2)).sum::<f32>().sqrt();
            assert!(
                (laid / length - 1.0).abs() < 1e-4,
                "turn {turn}: {laid} for {length}"
            );
        }
    }
    // A tube faces no side: it is seen across its shortest extent.
    let mesh = made(tube(12, 21));
    for (uv, p) in mesh.material_coordinates().iter().zip(mesh.positions()) {
        assert!(uv.iter().all(|x| x.is_finite()));
        assert!(
            (uv[1] - p[1]).abs() < 1e-6 || (uv[0] - p[1]).abs() < 1e-6,
            "{uv:?} of {p:?}"
        );
    }
}
