//! Warp and weft: where each vertex lies in the fabric.

use glam::DVec3;

use super::ClothMesh;
use super::sides::doubled;
use crate::mesh::geometry::point;
use crate::topology;

/// Of a part's area, the share that must face one way for its mean normal to count.
const FACING: f64 = 0.5;

/// What [`ClothMesh::material_coordinates`] says.
pub fn coordinates(mesh: &ClothMesh) -> Vec<[f32; 2]> {
    if let Some((columns, rows, spacing)) = mesh.grid {
        return (0..columns * rows)
            .map(|number| {
                [number % columns, number / columns].map(|n| (f64::from(n) * spacing) as f32)
            })
            .collect();
    }
    let vertices = mesh.positions.len();
    let (part_of, parts) = topology::components(vertices, &mesh.triangles);
    let mut normals = vec![(DVec3::ZERO, 0.0); parts as usize];
    let mut bounds = vec![(DVec3::INFINITY, DVec3::NEG_INFINITY); parts as usize];
    for &triangle in &mesh.triangles {
        let part = part_of[triangle[0] as usize] as usize;
        let normal = doubled(&mesh.positions, triangle);
        normals[part].0 += normal;
        normals[part].1 += normal.length();
        for vertex in triangle {
            let position = point(mesh.positions[vertex as usize]);
            bounds[part].0 = bounds[part].0.min(position);
            bounds[part].1 = bounds[part].1.max(position);
        }
    }
    let frames: Vec<_> = normals
        .iter()
        .zip(&bounds)
        .map(|(&(sum, area), &(low, high))| {
            let normal = if sum.length() >= FACING * area {
                sum.normalize()
            } else {
                axis_of_least(high - low)
            };
            let axis = axis_of_least(normal.abs());
            let warp = (axis - normal * normal.dot(axis)).normalize();
            (warp, normal.cross(warp), low)
        })
        .collect();
    (0..vertices)
        .map(|vertex| {
            let Some(&(warp, weft, low)) = frames.get(part_of[vertex] as usize) else {
                return [0.0; 2];
            };
            let place = point(mesh.positions[vertex]) - low;
            [place.dot(warp) as f32, place.dot(weft) as f32]
        })
        .collect()
}

/// The first axis along which the vector is smallest.
fn axis_of_least(vector: DVec3) -> DVec3 {
    let least = vector.min_element();
    let axis = (0..3).find(|&axis| vector[axis] == least).unwrap_or(0);
    DVec3::AXES[axis]
}
