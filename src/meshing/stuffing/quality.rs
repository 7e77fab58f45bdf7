//! Dihedral angles of tets, measured.

use super::MeshingError;
use crate::mesh::geometry::{FACES, corners, signed_volume};

/// Smallest and largest angle between two faces of one tet, degrees.
pub fn dihedral_degrees(
    positions: &[[f32; 3]],
    tets: &[[u32; 4]],
) -> Result<(f64, f64), MeshingError> {
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    for (number, &tet) in tets.iter().enumerate() {
        let corners = corners(positions, tet);
        let volume = signed_volume(corners);
        if volume <= 0.0 {
            return Err(MeshingError::Inverted {
                tet: number,
                volume,
            });
        }
        let normals = FACES.map(|face| {
            let [a, b, c] = face.map(|corner| corners[corner]);
            (b - a).cross(c - a).normalize_or_zero()
        });
        for first in 0..4 {
            for second in first + 1..4 {
                // Outward normals of faces that meet at a right angle are at right angles, of a flat tet opposite.
                let cosine = -normals[first].dot(normals[second]);
                least = least.min(-cosine);
                most = most.max(-cosine);
            }
        }
    }
    let degrees = |negated: f64| (-negated).clamp(-1.0, 1.0).acos().to_degrees();
    Ok((degrees(least), degrees(most)))
}
