//! The elements of a triangle mesh: springs after Van Gelder, bends after Bergou et al.; see [`ClothElements`].

use glam::DVec3;

use super::batches::batches;
use super::sides::{doubled, edges, opposite, sides};
use super::{ClothBend, ClothEdge, ClothElements, ClothMesh, NO_VERTEX};
use crate::mesh::geometry::point;
use crate::sort::sort_rows;

/// Factor of the stiffness of springs and bends on meshes. Springs stretched freely have exactly the material's modulus
/// with 5/6 on right-angled triangles and with 1 on equilateral ones, bends its rigidity with 0.8 (the mean over all
/// directions) and 1: with this one all are within 11 %.
pub const MODULUS_FACTOR: f64 = 0.9;
/// Vertices across an edge nearer than this, in roots of the area of its triangles, carry no shear spring.
const SHARPEST_FOLD: f64 = 0.1;
/// A rest shape this little bent, for the size of its elements, is flat.
const FLAT: f64 = 1e-6;

/// The elements of a mesh that is no grid.
pub fn elements(mesh: &ClothMesh) -> ClothElements {
    let (positions, triangles) = (mesh.positions(), mesh.triangles());
    let place = |vertex: u32| point(positions[vertex as usize]);
    let areas: Vec<f64> = triangles
        .iter()
        .map(|&triangle| 0.5 * doubled(positions, triangle).length())
        .collect();
    let mut springs = Vec::with_capacity(3 * triangles.len());
    let mut bends = Vec::with_capacity(3 * triangles.len() / 2);
    let mut spring = |[a, b]: [u32; 2], area: f64, shear: bool| {
        let length = place(a).distance(place(b));
        if !shear || length > SHARPEST_FOLD * area.sqrt() {
            springs.push(ClothEdge {
                vertices: [a, b],
                length: length as f32,
                factor: (length * length / (MODULUS_FACTOR * area)) as f32,
                shear,
            });
        }
    };
    let rows = sides(triangles);
    let (mut pairs, mut pair_areas) = (Vec::new(), Vec::<f64>::new());
    for edge in edges(&rows) {
        let [a, b, ..] = edge[0];
        let area = edge.iter().map(|&[.., t, _]| areas[t as usize]).sum();
        spring([a, b], area, false);
        if let &[one, other] = edge {
            let [c, d] = [one, other].map(|side| opposite(triangles, side));
            pairs.push([c.min(d), c.max(d), pairs.len() as u32, 0]);
            pair_areas.push(area);
            bends.push(bend([a, b, c, d], [a, b, c, d].map(place), area));
        }
    }

    // Two edges may have the same vertices across: one spring does for both.
    sort_rows(&mut pairs, 2);
    for pair in edges(&pairs) {
        let [c, d, ..] = pair[0];
        let area = pair.iter().map(|row| pair_areas[row[2] as usize]).sum();
        spring([c, d], area, true);
    }

    let keys: Vec<[u32; 4]> = springs
        .iter()
        .map(
            |&ClothEdge {
                 vertices: [a, b], ..
             }| [a, b, NO_VERTEX, NO_VERTEX],
        )
        .collect();
    let (order, edge_batches) = batches(positions.len(), &keys);
    let edges = order.iter().map(|&n| springs[n as usize]).collect();
    let keys: Vec<[u32; 4]> = bends.iter().map(|bend| bend.vertices).collect();
    let (order, bend_batches) = batches(positions.len(), &keys);
    let bends = order.iter().map(|&n| bends[n as usize]).collect();

    let mut vertex_areas = vec![0.0f64; positions.len()];
    for (triangle, area) in triangles.iter().zip(&areas) {
        for &vertex in triangle {
            vertex_areas[vertex as usize] += area / 3.0;
        }
    }
    ClothElements {
        edges,
        edge_batches,
        bends,
        bend_batches,
        vertex_areas: vertex_areas.iter().map(|&area| area as f32).collect(),
        triangle_shares: vec![1.0 / 3.0; positions.len()],
        total_area: areas.iter().sum(),
    }
}

/// The bend over the edge from the first to the second vertex; the others lie across it.
///
/// c is the sum of both triangles' `∫ ∇x·∇φ`, where φ is linear, 1 on the edge and −1 at the vertex across: the jump of
/// the slope over the edge, times its length.
fn bend(vertices: [u32; 4], [a, b, c, d]: [DVec3; 4], area: f64) -> ClothBend {
    let cotangent = |at: DVec3, p: DVec3, q: DVec3| {
        let (p, q) = (p - at, q - at);
        p.dot(q) / p.cross(q).length()
    };
    let at_a = [c, d].map(|across| cotangent(a, b, across));
    let at_b = [c, d].map(|across| cotangent(b, a, across));
    let scale = (MODULUS_FACTOR / area).sqrt();
    let weights = [
        scale * (at_b[0] + at_b[1]),
        scale * (at_a[0] + at_a[1]),
        -scale * (at_a[0] + at_b[0]),
        -scale * (at_a[1] + at_b[1]),
    ];
    let [wa, wb, wc, wd] = weights;
    let rest = (wa * (a - d) + wb * (b - d) + wc * (c - d)).length();
    // Coordinates are rounded, so that a sheet lying askew is never quite flat.
    let total = wa.abs() + wb.abs() + wc.abs() + wd.abs();
    let size = [a, b, c]
        .map(|p| p.distance(d))
        .into_iter()
        .fold(0.0, f64::max);
    let farthest = [a, b, c, d]
        .map(|p| p.abs().max_element())
        .into_iter()
        .fold(0.0, f64::max);
    let flat = total * (FLAT * size + f64::from(f32::EPSILON) * farthest);
    ClothBend {
        vertices,
        weights: [wa as f32, wb as f32, wc as f32],
        rest: if rest > flat { rest as f32 } else { 0.0 },
    }
}
