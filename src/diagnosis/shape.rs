//! Shapes of tets: dihedral angles, condition numbers, and which of them are slivers.

use glam::DVec3;

use super::counted;
use crate::mesh::geometry::{FACES, corners};
use crate::mesh::{Finding, TetMesh};
use crate::rest_state::{ConditionNumbers, RestState, ShapeReport};
use crate::text::Number;

/// Tets beyond one of these vibrate about ten times as fast as a regular tet of their edge length, and cost as many
/// more substeps or that much stiffness (docs/notes/mesh-doctor.md).
const MIN_DIHEDRAL: u32 = 5;
const MAX_DIHEDRAL: u32 = 170;
const MAX_CONDITION: u32 = 30;

/// The six angles between the faces of a tet of positive volume, degrees.
pub fn dihedral_degrees(corners: [DVec3; 4]) -> [f64; 6] {
    let normals = FACES.map(|face| {
        let [a, b, c] = face.map(|corner| corners[corner]);
        (b - a).cross(c - a)
    });
    [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)].map(|(i, j)| {
        let (m, n) = (normals[i], normals[j]);
        // Between outward normals lies the supplement.
        180.0 - m.cross(n).length().atan2(m.dot(n)).to_degrees()
    })
}

/// Measures all tets; the finding's examples are the worst tets first.
pub fn measure(mesh: &TetMesh, rest: &RestState) -> (ShapeReport, Option<Finding>) {
    let mut histogram = [0u32; 18];
    let (mut smallest, mut largest) = (180.0f64, 0.0f64);
    // How far beyond the limits, the tet, its angles and condition number.
    let mut thin: Vec<(f64, u32, [f64; 3])> = Vec::new();
    for ((number, &tet), &condition) in (0u32..).zip(mesh.tets()).zip(&rest.condition_numbers) {
        let angles = dihedral_degrees(corners(mesh.positions(), tet));
        for angle in angles {
            // The cast makes a rounded -0 a 0; `clamp` would bring float printing into the download.
            histogram[((angle / 10.0) as usize).min(17)] += 1;
        }
        let low = angles.into_iter().fold(180.0, f64::min);
        let high = angles.into_iter().fold(0.0, f64::max);
        smallest = smallest.min(low);
        largest = largest.max(high);
        let badness = (f64::from(MIN_DIHEDRAL) / low)
            .max(f64::from(180 - MAX_DIHEDRAL) / (180.0 - high))
            .max(condition / f64::from(MAX_CONDITION));
        if badness > 1.0 {
            thin.push((badness, number, [low, high, condition]));
        }
    }
    crate::sort::sort_by(&mut thin, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let finding = thin.first().map(|&(_, first, [low, high, condition])| {
        let examples: Vec<u32> = thin.iter().take(8).map(|&(_, tet, _)| tet).collect();
        Finding::new(
            Finding::SLIVERS,
            thin.len(),
            &examples,
            false,
            format!(
                "{} of {} (dihedral angle below {MIN_DIHEDRAL}° or above {MAX_DIHEDRAL}°, or condition number above \
                 {MAX_CONDITION}); the worst is tet {first} with angles of {}° to {}° and condition number {}. They are \
                 simulated, but need ten times the substeps of a regular tet to be as stiff: mesh again with a dihedral \
                 bound, or tetrahedralize the surface here",
                counted(thin.len(), "tet is a sliver", "tets are slivers"),
                mesh.tets().len(),
                tenths(low),
                tenths(high),
                tenths(condition),
            ),
        )
    });
    let shape = ShapeReport {
        min_dihedral_degrees: smallest,
        max_dihedral_degrees: largest,
        dihedral_histogram: histogram,
        condition_numbers: quantiles(&rest.condition_numbers),
    };
    (shape, finding)
}

fn tenths(x: f64) -> Number {
    Number::from((x * 10.0).round() / 10.0)
}

/// Nearest-rank quantiles; the mesh has at least one tet.
fn quantiles(numbers: &[f64]) -> ConditionNumbers {
    let mut sorted = numbers.to_vec();
    crate::sort::sort_by(&mut sorted, f64::total_cmp);
    let rank = |share: f64| {
        let place = (share * sorted.len() as f64).ceil() as usize;
        sorted[place.clamp(1, sorted.len()) - 1]
    };
    ConditionNumbers {
        median: rank(0.5),
        p99: rank(0.99),
        worst: rank(1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dihedral_angles_of_known_tets() {
        let regular = [
            [1.0, 1.0, 1.0],
            [1.0, -1.0, -1.0],
            [-1.0, 1.0, -1.0],
            [-1.0, -1.0, 1.0],
        ]
        .map(DVec3::from_array);
        for angle in dihedral_degrees(regular) {
            assert!((angle - 70.528_779_365_509_3).abs() < 1e-9, "{angle}");
        }
        let corner = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        let mut angles = dihedral_degrees(corner);
        angles.sort_by(f64::total_cmp);
        for (angle, expected) in angles
            .into_iter()
            .zip([54.735_610_317_245_3; 3].into_iter().chain([90.0; 3]))
        {
            assert!((angle - expected).abs() < 1e-9, "{angle}");
        }
    }

    #[test]
    fn nearest_rank_quantiles() {
        let numbers: Vec<f64> = (1..=200).rev().map(f64::from).collect();
        let found = quantiles(&numbers);
        assert_eq!(
            (found.median, found.p99, found.worst),
            (100.0, 198.0, 200.0)
        );
        let single = quantiles(&[7.0]);
        assert_eq!((single.median, single.p99, single.worst), (7.0, 7.0, 7.0));
    }
}
