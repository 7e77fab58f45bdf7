//! What a sound mesh should still be warned about: unused vertices, its size, its distance from the origin.

use super::{Finding, MAX_COORDINATE};
use crate::text::Number;

/// Sizes outside this range, metres, are probably another unit.
pub const USUAL_EXTENT: std::ops::RangeInclusive<f64> = 1e-3..=100.0;
/// Beyond this many of its own extents from the origin a mesh loses visible detail to rounding.
const FAR_IN_EXTENTS: f64 = 1000.0;

/// Smallest and largest coordinates of the used vertices.
pub fn bounds(positions: &[[f32; 3]], used: &[bool]) -> ([f32; 3], [f32; 3]) {
    let mut low = [f32::INFINITY; 3];
    let mut high = [f32::NEG_INFINITY; 3];
    for (position, _) in positions.iter().zip(used).filter(|&(_, &used)| used) {
        for axis in 0..3 {
            low[axis] = low[axis].min(position[axis]);
            high[axis] = high[axis].max(position[axis]);
        }
    }
    (low, high)
}

/// Unused vertices stay, so that the caller's indices stay valid; only an unusable position is replaced. `element` is
/// what uses vertices: "tet" or "triangle".
pub fn note_unused(
    positions: &mut [[f32; 3]],
    used: &[bool],
    (low, high): ([f32; 3], [f32; 3]),
    element: &str,
    findings: &mut Vec<Finding>,
) {
    let centre: [f32; 3] = std::array::from_fn(|axis| 0.5 * (low[axis] + high[axis]));
    let unused: Vec<u32> = (0u32..)
        .zip(used)
        .filter(|&(_, &used)| !used)
        .map(|(vertex, _)| vertex)
        .collect();
    let mut moved = Vec::new();
    for &vertex in &unused {
        let position = &mut positions[vertex as usize];
        // Written so that NaN fails it.
        if !position.iter().all(|x| x.abs() <= MAX_COORDINATE) {
            *position = centre;
            moved.push(vertex);
        }
    }
    if !moved.is_empty() {
        findings.push(Finding::new(
            Finding::UNUSED_NON_FINITE,
            moved.len(),
            &moved,
            true,
            format!(
                "{} vertices that no {element} uses have coordinates that are not finite or beyond {} m and \
                 were moved to ({}, {}, {}); the first is vertex {}",
                moved.len(),
                Number::from(MAX_COORDINATE),
                Number::from(centre[0]),
                Number::from(centre[1]),
                Number::from(centre[2]),
                moved[0]
            ),
        ));
    }
    if !unused.is_empty() {
        findings.push(Finding::new(
            Finding::UNUSED_VERTICES,
            unused.len(),
            &unused,
            false,
            format!(
                "{} of {} vertices are in no {element}; they keep their numbers, have no mass and do not move; the first is \
                 vertex {}",
                unused.len(),
                used.len(),
                unused[0]
            ),
        ));
    }
}

/// Warns of sizes that suggest another unit, and of places where rounding shows.
pub fn note_size_and_place((low, high): ([f32; 3], [f32; 3]), findings: &mut Vec<Finding>) {
    let size: [f64; 3] = std::array::from_fn(|axis| f64::from(high[axis]) - f64::from(low[axis]));
    let extent = size.into_iter().fold(0.0, f64::max);
    let farthest = low
        .iter()
        .chain(&high)
        .fold(0.0, |far: f64, &x| far.max(f64::from(x).abs()));
    if !USUAL_EXTENT.contains(&extent) {
        let (comparison, hint) = if extent > 1.0 {
            (
                "more than 100 m",
                "if the file is in millimetres, scale it by 0.001",
            )
        } else {
            (
                "less than 1 mm",
                "if the file is in kilometres, scale it by 1000",
            )
        };
        findings.push(Finding::new(
            Finding::SUSPICIOUS_SCALE,
            1,
            &[],
            false,
            format!(
                "the mesh is {} m across, {comparison}; coordinates are metres: {hint}",
                Number::from(extent)
            ),
        ));
    }
    if farthest > FAR_IN_EXTENTS * extent {
        findings.push(Finding::new(
            Finding::FAR_FROM_ORIGIN,
            1,
            &[],
            false,
            format!(
                "coordinates reach {} m while the mesh is {} m across; single precision resolves only {} m there: move the \
                 mesh to the origin and place it with a transform",
                Number::from(farthest),
                Number::from(extent),
                Number::from((farthest * f64::from(f32::EPSILON)) as f32)
            ),
        ));
    }
}
