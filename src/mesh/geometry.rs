//! Measures of one tetrahedron, in double precision on the single-precision positions exactly as given.

use glam::DVec3;

/// The faces of a tet of positive volume as corner numbers; face `i` lies opposite corner `i` and is counter-clockwise
/// seen from outside.
pub const FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];

/// A position in double precision.
#[inline(always)]
pub fn point(position: [f32; 3]) -> DVec3 {
    DVec3::from_array(position.map(f64::from))
}

/// The four corners of a tet. The indices must be in range.
pub fn corners(positions: &[[f32; 3]], tet: [u32; 4]) -> [DVec3; 4] {
    tet.map(|vertex| point(positions[vertex as usize]))
}

/// The edges from corner 0 to the others: the columns of D_m.
pub fn edges([a, b, c, d]: [DVec3; 4]) -> [DVec3; 3] {
    [b - a, c - a, d - a]
}

/// Volume in m³, negative when corner 3 lies on the wrong side of corners 0, 1, 2.
pub fn signed_volume(corners: [DVec3; 4]) -> f64 {
    let [e1, e2, e3] = edges(corners);
    e1.dot(e2.cross(e3)) / 6.0
}

/// `6√2·V / longest edge³`: ±1 for a regular tet, 0 for a flat one, and the same at every scale. The sign is the
/// volume's.
pub fn shape_quality(corners: [DVec3; 4]) -> f64 {
    let [a, b, c, d] = corners;
    let longest = [b - a, c - a, d - a, c - b, d - b, d - c]
        .map(|edge| edge.length_squared())
        .into_iter()
        .fold(0.0, f64::max)
        .sqrt();
    if longest == 0.0 {
        return 0.0;
    }
    6.0 * std::f64::consts::SQRT_2 * signed_volume(corners) / (longest * longest * longest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_face_points_away_from_its_opposite_corner() {
        let tet = [
            [0.1, 0.2, -0.3],
            [1.0, 0.1, 0.2],
            [0.2, 1.3, 0.1],
            [0.3, 0.4, 0.9],
        ]
        .map(DVec3::from_array);
        assert!(signed_volume(tet) > 0.0);
        for (opposite, face) in FACES.iter().enumerate() {
            assert!(!face.contains(&opposite));
            let [p, q, r] = face.map(|corner| tet[corner]);
            let outward = (q - p).cross(r - p);
            assert!(outward.dot(tet[opposite] - p) < 0.0, "face {face:?}");
        }
    }

    #[test]
    fn a_regular_tet_has_quality_one_at_any_scale() {
        for scale in [1e-11, 1.0, 1e8] {
            let tet = [
                [1.0, 1.0, 1.0],
                [1.0, -1.0, -1.0],
                [-1.0, 1.0, -1.0],
                [-1.0, -1.0, 1.0],
            ]
            .map(|corner| DVec3::from_array(corner) * scale);
            assert!((shape_quality(tet).abs() - 1.0).abs() < 1e-12);
            assert_eq!(
                shape_quality(tet).signum(),
                -shape_quality([tet[0], tet[2], tet[1], tet[3]]).signum()
            );
        }
        assert_eq!(shape_quality([DVec3::ONE; 4]), 0.0);
    }

    #[test]
    fn the_corner_tet_of_the_unit_cube_holds_a_sixth() {
        let tet = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        assert_eq!(signed_volume(tet), 1.0 / 6.0);
    }
}
