//! Arrays to a [`TetMesh`]: refuses what cannot be simulated, mends what can, and notes both.

use super::geometry::{corners, shape_quality, signed_volume};
use super::survey::{bounds, note_size_and_place, note_unused};
use super::{Finding, MAX_COORDINATE, MIN_SHAPE_QUALITY, MIN_TET_VOLUME, TetMesh};
use crate::error::{IndexHint, MeshError, MeshFile};
use crate::sort::{sort_rows, sorted4};

/// Vertex numbers stay below `u32::MAX`, which marks "none" elsewhere.
const MAX_VERTICES: u64 = u32::MAX as u64 - 1;
/// Twelve surface corners per tet is the most bookkeeping that is counted in `u32`.
const MAX_ELEMENTS: u64 = u32::MAX as u64 / 12;
const AXES: [char; 3] = ['x', 'y', 'z'];

pub fn mesh(mut positions: Vec<[f32; 3]>, tets: Vec<[u32; 4]>) -> Result<TetMesh, MeshError> {
    check_counts(positions.len(), MeshFile::TetIndices, tets.len())?;
    check_indices(&tets, positions.len())?;
    let used = used_vertices(positions.len(), tets.as_flattened());
    check_coordinates(&positions, &used)?;

    let mut findings = Vec::new();
    let kept = without_degenerate(&positions, tets, &mut findings)?;
    let tets = turned_and_unique(&positions, kept, &mut findings)?;

    let used = used_vertices(positions.len(), tets.as_flattened());
    let used_bounds = bounds(&positions, &used);
    note_unused(&mut positions, &used, used_bounds, "tet", &mut findings);
    note_size_and_place(used_bounds, &mut findings);
    Ok(TetMesh {
        positions,
        tets,
        findings,
        used_bounds,
    })
}

pub fn scaled(mesh: TetMesh, factor: f64) -> Result<TetMesh, MeshError> {
    check_factor(factor)?;
    let TetMesh {
        mut positions,
        tets,
        mut findings,
        ..
    } = mesh;
    scale(&mut positions, factor);
    let used = used_vertices(positions.len(), tets.as_flattened());
    check_coordinates(&positions, &used)?;
    for (index, &tet) in tets.iter().enumerate() {
        let corners = corners(&positions, tet);
        let quality = shape_quality(corners);
        if quality <= MIN_SHAPE_QUALITY {
            return Err(MeshError::ScaleFlattens {
                factor,
                tet: index,
                quality,
                quality_limit: MIN_SHAPE_QUALITY,
            });
        }
        check_volume(index, signed_volume(corners))?;
    }
    let used_bounds = bounds(&positions, &used);
    drop_findings_of_size(&mut findings);
    note_unused(&mut positions, &used, used_bounds, "tet", &mut findings);
    note_size_and_place(used_bounds, &mut findings);
    Ok(TetMesh {
        positions,
        tets,
        findings,
        used_bounds,
    })
}

/// Refuses a factor that is not positive and finite.
pub fn check_factor(factor: f64) -> Result<(), MeshError> {
    if factor.is_finite() && factor > 0.0 {
        return Ok(());
    }
    Err(MeshError::InvalidScale { factor })
}

/// Multiplies every coordinate in double precision.
pub fn scale(positions: &mut [[f32; 3]], factor: f64) {
    for coordinate in positions.as_flattened_mut() {
        *coordinate = (f64::from(*coordinate) * factor) as f32;
    }
}

/// Drops what is noted anew after scaling.
pub fn drop_findings_of_size(findings: &mut Vec<Finding>) {
    findings.retain(|finding| {
        ![
            Finding::SUSPICIOUS_SCALE,
            Finding::FAR_FROM_ORIGIN,
            Finding::UNUSED_VERTICES,
        ]
        .contains(&finding.code)
    });
}

/// Refuses arrays that are empty or larger than bookkeeping can count.
pub fn check_counts(vertices: usize, file: MeshFile, elements: usize) -> Result<(), MeshError> {
    check_count(MeshFile::Positions, vertices, MAX_VERTICES)?;
    check_count(file, elements, MAX_ELEMENTS)
}

fn check_count(file: MeshFile, count: usize, limit: u64) -> Result<(), MeshError> {
    match count as u64 {
        0 => Err(MeshError::Empty { file }),
        count if count > limit => Err(MeshError::TooLarge { file, count, limit }),
        _ => Ok(()),
    }
}

fn check_indices(tets: &[[u32; 4]], vertices: usize) -> Result<(), MeshError> {
    let Some((place, hint)) = out_of_range(tets.as_flattened(), vertices) else {
        return Ok(());
    };
    Err(MeshError::IndexOutOfRange {
        tet: place / 4,
        corner: place % 4,
        index: tets[place / 4][place % 4],
        vertices,
        hint,
    })
}

/// The place of the first index that is out of range, and what all of them suggest.
pub fn out_of_range(indices: &[u32], vertices: usize) -> Option<(usize, IndexHint)> {
    let is_out = |index: u32| index as usize >= vertices;
    let place = indices.iter().position(|&index| is_out(index))?;
    let all = || indices.iter().copied();
    let hint = if all().min() == Some(1) && all().max().is_some_and(|max| max as usize == vertices)
    {
        IndexHint::OneBased
    } else if !all().any(|index| is_out(index.swap_bytes())) {
        IndexHint::BigEndian
    } else {
        IndexHint::None
    };
    Some((place, hint))
}

/// Which vertices the corners name; they must be in range.
pub fn used_vertices(vertices: usize, corners: &[u32]) -> Vec<bool> {
    let mut used = vec![false; vertices];
    for &vertex in corners {
        used[vertex as usize] = true;
    }
    used
}

/// Refuses vertices in use without a usable position.
pub fn check_coordinates(positions: &[[f32; 3]], used: &[bool]) -> Result<(), MeshError> {
    for (vertex, position) in positions
        .iter()
        .enumerate()
        .filter(|&(vertex, _)| used[vertex])
    {
        for (&value, axis) in position.iter().zip(AXES) {
            if !value.is_finite() {
                let value = match value {
                    _ if value.is_nan() => "NaN",
                    _ if value > 0.0 => "Infinity",
                    _ => "-Infinity",
                };
                return Err(MeshError::NonFinite {
                    vertex,
                    axis,
                    value,
                });
            }
            if value.abs() > MAX_COORDINATE {
                return Err(MeshError::CoordinateTooLarge {
                    vertex,
                    axis,
                    value,
                    limit: MAX_COORDINATE,
                });
            }
        }
    }
    Ok(())
}

fn check_volume(tet: usize, volume: f64) -> Result<(), MeshError> {
    if volume.abs() < MIN_TET_VOLUME {
        return Err(MeshError::TetTooSmall {
            tet,
            volume: volume.abs(),
            limit: MIN_TET_VOLUME,
        });
    }
    Ok(())
}

fn has_repeat(tet: [u32; 4]) -> bool {
    (0..4).any(|i| tet[i + 1..].contains(&tet[i]))
}

/// The tets with volume, each with its number in the input.
fn without_degenerate(
    positions: &[[f32; 3]],
    tets: Vec<[u32; 4]>,
    findings: &mut Vec<Finding>,
) -> Result<Vec<(u32, [u32; 4])>, MeshError> {
    let total = tets.len();
    let (mut repeated, mut removed) = (0, Vec::new());
    let mut kept = Vec::with_capacity(total);
    for (number, tet) in (0u32..).zip(tets) {
        if has_repeat(tet) {
            repeated += 1;
            removed.push(number);
        } else if shape_quality(corners(positions, tet)).abs() <= MIN_SHAPE_QUALITY {
            removed.push(number);
        } else {
            kept.push((number, tet));
        }
    }
    let flat = removed.len() - repeated;
    if kept.is_empty() {
        return Err(MeshError::NoUsableTets {
            tets: total,
            repeated,
            flat,
            quality_limit: MIN_SHAPE_QUALITY,
        });
    }
    if !removed.is_empty() {
        findings.push(Finding::new(
            Finding::DEGENERATE_TETS,
            removed.len(),
            &removed,
            true,
            format!(
                "degenerate tets were removed: {} of {total} (with a vertex twice: {repeated}, flat: {flat}); \
                 the first is tet {}",
                removed.len(),
                removed[0]
            ),
        ));
    }
    Ok(kept)
}

/// Turns negative tets round and keeps the first of those with the same vertices.
fn turned_and_unique(
    positions: &[[f32; 3]],
    mut tets: Vec<(u32, [u32; 4])>,
    findings: &mut Vec<Finding>,
) -> Result<Vec<[u32; 4]>, MeshError> {
    let duplicate = duplicates(&tets);
    let mut removed = Vec::new();
    let mut place = 0;
    tets.retain(|&(number, _)| {
        place += 1;
        if duplicate[place - 1] {
            removed.push(number);
        }
        !duplicate[place - 1]
    });

    let mut flipped = Vec::new();
    for (number, tet) in &mut tets {
        let volume = signed_volume(corners(positions, *tet));
        check_volume(*number as usize, volume)?;
        if volume < 0.0 {
            // Corner 0 stays, so that the condition number of the rest edges is that of the file.
            tet.swap(2, 3);
            flipped.push(*number);
        }
    }
    if !flipped.is_empty() {
        findings.push(Finding::new(
            Finding::FLIPPED_TETS,
            flipped.len(),
            &flipped,
            true,
            format!(
                "{} of {} tets have negative volume and were turned round by swapping two corners; the first is tet {}",
                flipped.len(),
                tets.len(),
                flipped[0]
            ),
        ));
    }
    if !removed.is_empty() {
        findings.push(Finding::new(
            Finding::DUPLICATE_TETS,
            removed.len(),
            &removed,
            true,
            format!(
                "{} tets have the same four vertices as an earlier one and were removed; the first is tet {}",
                removed.len(),
                removed[0]
            ),
        ));
    }
    Ok(tets.into_iter().map(|(_, tet)| tet).collect())
}

/// Which tets have the same four vertices as an earlier one.
fn duplicates(tets: &[(u32, [u32; 4])]) -> Vec<bool> {
    let key = |place: u32| sorted4(tets[place as usize].1);
    // The sort keeps the order of equals, so two rounds of two columns order all four.
    let mut rows: Vec<[u32; 4]> = (0..tets.len() as u32)
        .map(|place| {
            let [_, _, c, d] = key(place);
            [c, d, place, 0]
        })
        .collect();
    sort_rows(&mut rows, 2);
    for row in &mut rows {
        let [a, b, ..] = key(row[2]);
        [row[0], row[1]] = [a, b];
    }
    sort_rows(&mut rows, 2);
    let mut duplicate = vec![false; tets.len()];
    for pair in rows.windows(2) {
        duplicate[pair[1][2] as usize] = key(pair[0][2]) == key(pair[1][2]);
    }
    duplicate
}
