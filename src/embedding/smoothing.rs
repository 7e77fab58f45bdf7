//! Which corners of a surface share a normal, and so which vertices it is drawn with.

use glam::DVec3;

use crate::mesh::geometry::point;
use crate::sort::{sort_rows, union_root};
use crate::surface::SurfaceMesh;

/// Cosine of 3°: modelled normals that differ by more are a hard edge. Exporters write the two sides of a seam alike up
/// to rounding (8 bits at worst, a quarter of a degree).
const SAME_NORMAL: f64 = 0.998_63;
/// Cosine of 50°: where nothing is modelled, triangles bent by more are a hard edge. A cube (90°), and a prism with six
/// sides (60°) keep theirs, an eight-sided tube (45°) and any scan worth the name are smooth.
const CREASE: f64 = 0.642_79;
/// The most triangles that a normal is summed over; of more at one vertex an even selection is taken. Bounds the lists
/// where thousands of vertices share a place.
const MAX_FAN: usize = 256;

/// Sides at an edge that are compared with each other; where more triangles meet in one edge, only neighbours in their
/// order are.
const MAX_SIDES: usize = 4;

/// The drawn vertices; the fields are those of [`super::Embedding`].
pub struct Smoothing {
    /// For each vertex of the surface the first one in the same place.
    pub places: Vec<u32>,
    pub sources: Vec<u32>,
    pub triangles: Vec<[u32; 3]>,
    pub edges: Vec<[u32; 2]>,
    pub triangle_offsets: Vec<u32>,
    pub incident_triangles: Vec<u32>,
}

impl Smoothing {
    /// By sorting, O(triangles).
    pub fn new(surface: &SurfaceMesh) -> Self {
        let places = places(surface.positions());
        let corners = surface.triangles().as_flattened();
        // Triangles with two corners in one place have no normal and would only stand between their neighbours.
        let flat: Vec<bool> = surface
            .triangles()
            .iter()
            .map(|triangle| {
                let [a, b, c] = triangle.map(|vertex| places[vertex as usize]);
                a == b || b == c || c == a
            })
            .collect();

        let sides = sides(corners, &places, &flat);
        let mut parent: Vec<u32> = (0..corners.len() as u32).collect();
        for (first, side) in sides.iter().enumerate() {
            // A model with a back to each triangle has four sides at an edge, and every other one is a neighbour.
            let others = sides[first + 1..].iter().take(MAX_SIDES - 1);
            for other in others.take_while(|other| other[..2] == side[..2]) {
                for end in [2, 3] {
                    let [a, b] = [side[end], other[end]];
                    if smooth(surface, a, b) {
                        let [a, b] = [a, b].map(|corner| union_root(&mut parent, corner));
                        parent[a.max(b) as usize] = a.min(b);
                    }
                }
            }
        }

        // What looks alike is one vertex; with texture coordinates or colours that takes the same vertex of the file.
        let look = surface.look();
        let distinct = !look.uvs.is_empty() || !look.colors.is_empty();
        let mut rows: Vec<[u32; 4]> = (0u32..)
            .zip(corners)
            .map(|(corner, &vertex)| {
                let group = union_root(&mut parent, corner);
                [group, if distinct { vertex } else { 0 }, corner, 0]
            })
            .collect();
        sort_rows(&mut rows, 2);

        let mut drawn = vec![0; corners.len()];
        let mut sources = Vec::new();
        let mut triangle_offsets = vec![0];
        let mut incident_triangles = Vec::new();
        let mut fan = Vec::new();
        for group in rows.chunk_by(|a, b| a[0] == b[0]) {
            fan.clear();
            for row in group {
                if !flat[row[2] as usize / 3] {
                    fan.push(row[2] / 3);
                }
            }
            let step = fan.len().div_ceil(MAX_FAN).max(1);
            let mut vertex = None;
            for row in group {
                if vertex != Some(row[1]) {
                    vertex = Some(row[1]);
                    sources.push(corners[row[2] as usize]);
                    let mut entry = 0;
                    while entry < fan.len() {
                        incident_triangles.push(fan[entry]);
                        entry += step;
                    }
                    triangle_offsets.push(incident_triangles.len() as u32);
                }
                drawn[row[2] as usize] = sources.len() as u32 - 1;
            }
        }
        let mut edges = Vec::new();
        let mut ends: &[u32] = &[];
        for side in &sides {
            if side[..2] != *ends {
                ends = &side[..2];
                edges.push([drawn[side[2] as usize], drawn[side[3] as usize]]);
            }
        }
        Self {
            edges,
            triangles: drawn.as_chunks().0.to_vec(),
            places,
            sources,
            triangle_offsets,
            incident_triangles,
        }
    }
}

/// For each position the number of the first one that equals it.
fn places(positions: &[[f32; 3]]) -> Vec<u32> {
    let mut rows: Vec<[u32; 4]> = (0u32..)
        .zip(positions)
        .map(|(vertex, position)| {
            // Adding 0 makes −0 and 0 one place.
            let [x, y, z] = position.map(|x| (x + 0.0).to_bits());
            [x, y, z, vertex]
        })
        .collect();
    sort_rows(&mut rows, 3);
    let mut places = vec![0; positions.len()];
    for group in rows.chunk_by(|a, b| a[..3] == b[..3]) {
        for row in group {
            places[row[3] as usize] = group[0][3];
        }
    }
    places
}

/// A row for each side of each triangle that is not flat: its two places in ascending order and the triangle's corners
/// there, where corner 3t + i is corner i of triangle t. Sorted, so that the sides of an edge follow each other.
fn sides(corners: &[u32], places: &[u32], flat: &[bool]) -> Vec<[u32; 4]> {
    let mut sides = Vec::with_capacity(corners.len());
    for corner in 0..corners.len() as u32 {
        let triangle = corner / 3;
        if flat[triangle as usize] {
            continue;
        }
        let next = 3 * triangle + (corner + 1) % 3;
        let [a, b] = [corner, next].map(|corner| places[corners[corner as usize] as usize]);
        sides.push(match a < b {
            true => [a, b, corner, next],
            false => [b, a, next, corner],
        });
    }
    sort_rows(&mut sides, 2);
    sides
}

/// Whether two corners in one place may share a normal. One without a direction goes with any.
fn smooth(surface: &SurfaceMesh, a: u32, b: u32) -> bool {
    let limit = match surface.look().normals.is_empty() {
        true => CREASE,
        false => SAME_NORMAL,
    };
    let (a, b) = (direction(surface, a), direction(surface, b));
    a.dot(b) >= limit * (a.length_squared() * b.length_squared()).sqrt()
}

/// The modelled normal of a corner, or else that of its triangle, at any length.
#[inline(never)]
fn direction(surface: &SurfaceMesh, corner: u32) -> DVec3 {
    let normals = &surface.look().normals;
    let corners = surface.triangles()[corner as usize / 3];
    if normals.is_empty() {
        let [a, b, c] = corners.map(|vertex| point(surface.positions()[vertex as usize]));
        (b - a).cross(c - a)
    } else {
        point(normals[corners[corner as usize % 3] as usize])
    }
}
