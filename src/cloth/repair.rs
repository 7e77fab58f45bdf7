//! Arrays to a [`ClothMesh`]: refuses what cannot be simulated, mends what can, and notes both.

use super::sides::{ascends, doubled, edges, quality, sides};
use super::{ClothError, ClothMesh};
use crate::error::MeshFile;
use crate::mesh::{Finding, bounds, note_size_and_place, note_unused, validate};
use crate::sort::{sort_rows, sorted3};
use crate::topology;

/// The smallest triangle area accepted, m² (a triangle of about a tenth of a nanometre).
pub const MIN_TRIANGLE_AREA: f64 = 1e-20;
/// A triangle whose shape quality (4·area/(√3·longest side²), 1 if equilateral) is at or below this counts as
/// degenerate.
pub const MIN_TRIANGLE_QUALITY: f64 = 1e-6;
/// Triangles that may meet in a vertex: each adds batches, which are solved one after the other.
pub const MAX_TRIANGLES_AT_VERTEX: u32 = 256;

const NONE: u32 = u32::MAX;

pub fn mesh(
    mut positions: Vec<[f32; 3]>,
    triangles: Vec<[u32; 3]>,
) -> Result<ClothMesh, ClothError> {
    let vertices = positions.len();
    let corners = triangles.as_flattened();
    validate::check_counts(vertices, MeshFile::TriangleIndices, triangles.len())?;
    if let Some((place, hint)) = validate::out_of_range(corners, vertices) {
        return Err(ClothError::IndexOutOfRange {
            triangle: place / 3,
            corner: place % 3,
            index: corners[place],
            vertices,
            hint,
        });
    }
    validate::check_coordinates(&positions, &validate::used_vertices(vertices, corners))?;

    let mut findings = Vec::new();
    let mut numbers = Vec::with_capacity(triangles.len());
    let mut triangles = unique(&positions, triangles, &mut numbers, &mut findings)?;
    for (&triangle, &number) in triangles.iter().zip(&numbers) {
        check_area(&positions, triangle, number as usize)?;
    }
    check_crowds(vertices, &triangles)?;
    let rows = sides(&triangles);
    turn(&mut triangles, &rows, &numbers, &mut findings);

    let used = validate::used_vertices(vertices, triangles.as_flattened());
    let used_bounds = bounds(&positions, &used);
    note_unused(
        &mut positions,
        &used,
        used_bounds,
        "triangle",
        &mut findings,
    );
    note_edges(&triangles, &rows, &mut findings);
    let (components, count) = topology::components(vertices, &triangles);
    if count > 1 {
        findings.push(topology::components_finding(&components, count));
    }
    note_size_and_place(used_bounds, &mut findings);
    Ok(ClothMesh {
        positions,
        triangles,
        grid: None,
        findings,
    })
}

pub fn scaled(mut mesh: ClothMesh, factor: f64) -> Result<ClothMesh, ClothError> {
    validate::check_factor(factor)?;
    if let Some((columns, rows, spacing)) = mesh.grid {
        return ClothMesh::grid(columns, rows, spacing * factor);
    }
    validate::scale(&mut mesh.positions, factor);
    let used = validate::used_vertices(mesh.positions.len(), mesh.triangles.as_flattened());
    validate::check_coordinates(&mesh.positions, &used)?;
    for (number, &triangle) in mesh.triangles.iter().enumerate() {
        let quality = quality(&mesh.positions, triangle);
        if quality <= MIN_TRIANGLE_QUALITY {
            return Err(ClothError::ScaleFlattens {
                factor,
                triangle: number,
                quality,
                quality_limit: MIN_TRIANGLE_QUALITY,
            });
        }
        check_area(&mesh.positions, triangle, number)?;
    }
    let ClothMesh {
        positions,
        findings,
        ..
    } = &mut mesh;
    let used_bounds = bounds(positions, &used);
    validate::drop_findings_of_size(findings);
    note_unused(positions, &used, used_bounds, "triangle", findings);
    note_size_and_place(used_bounds, findings);
    Ok(mesh)
}

fn check_area(positions: &[[f32; 3]], triangle: [u32; 3], number: usize) -> Result<(), ClothError> {
    let area = 0.5 * doubled(positions, triangle).length();
    if area >= MIN_TRIANGLE_AREA {
        return Ok(());
    }
    Err(ClothError::TriangleTooSmall {
        triangle: number,
        area,
        limit: MIN_TRIANGLE_AREA,
    })
}

fn check_crowds(vertices: usize, triangles: &[[u32; 3]]) -> Result<(), ClothError> {
    let mut at = vec![0; vertices];
    for &vertex in triangles.as_flattened() {
        at[vertex as usize] += 1;
    }
    for (vertex, triangles) in (0u32..).zip(at) {
        if triangles > MAX_TRIANGLES_AT_VERTEX {
            return Err(ClothError::CrowdedVertex {
                vertex,
                triangles,
                limit: MAX_TRIANGLES_AT_VERTEX,
            });
        }
    }
    Ok(())
}

/// The triangles with area, the first of each three vertices, and in `numbers` what they were called.
fn unique(
    positions: &[[f32; 3]],
    mut triangles: Vec<[u32; 3]>,
    numbers: &mut Vec<u32>,
    findings: &mut Vec<Finding>,
) -> Result<Vec<[u32; 3]>, ClothError> {
    let total = triangles.len();
    let (mut repeated, mut flat) = (0, Vec::new());
    let mut rows = Vec::with_capacity(total);
    for (number, &triangle) in (0u32..).zip(&triangles) {
        let [a, b, c] = sorted3(triangle);
        if a == b || b == c {
            repeated += 1;
            flat.push(number);
        } else if quality(positions, triangle) <= MIN_TRIANGLE_QUALITY {
            flat.push(number);
        } else {
            rows.push([a, b, c, number]);
        }
    }
    if rows.is_empty() {
        return Err(ClothError::NoUsableTriangles {
            triangles: total,
            repeated,
            flat: flat.len() - repeated,
            quality_limit: MIN_TRIANGLE_QUALITY,
        });
    }
    let mut keep = vec![false; total];
    for &[.., number] in &rows {
        keep[number as usize] = true;
    }
    let mut is_again = vec![false; total];
    sort_rows(&mut rows, 3);
    for pair in rows.windows(2) {
        let number = pair[1][3] as usize;
        is_again[number] = pair[0][..3] == pair[1][..3];
        keep[number] &= !is_again[number];
    }
    let those = |which: &[bool]| -> Vec<u32> {
        (0..total as u32)
            .filter(|&number| which[number as usize])
            .collect()
    };
    let again = those(&is_again);
    *numbers = those(&keep);
    let mut place = 0;
    triangles.retain(|_| {
        place += 1;
        keep[place - 1]
    });
    if let Some(first) = flat.first() {
        let message = format!(
            "degenerate triangles were removed: {} of {total} (with a vertex twice: {repeated}, without area: {}); the \
             first is triangle {first}",
            flat.len(),
            flat.len() - repeated
        );
        let code = Finding::DEGENERATE_TRIANGLES;
        findings.push(Finding::new(code, flat.len(), &flat, true, message));
    }
    if let Some(first) = again.first() {
        let message = format!(
            "{} triangles have the same three vertices as an earlier one and were removed; the first is triangle {first}",
            again.len()
        );
        let code = Finding::DUPLICATE_TRIANGLES;
        findings.push(Finding::new(code, again.len(), &again, true, message));
    }
    Ok(triangles)
}

/// Turns triangles round so that neighbours across an edge of exactly two face the same way. Of each set that hangs
/// together by such edges the majority keeps its winding.
fn turn(
    triangles: &mut [[u32; 3]],
    rows: &[[u32; 4]],
    numbers: &[u32],
    findings: &mut Vec<Finding>,
) {
    // Per side the triangle beyond it, doubled, and 1 more if the two face opposite ways.
    let mut beyond = vec![[NONE; 3]; triangles.len()];
    for edge in edges(rows) {
        if let &[one, other] = edge {
            let opposed = u32::from(ascends(triangles, one) == ascends(triangles, other));
            beyond[one[2] as usize][one[3] as usize] = 2 * other[2] + opposed;
            beyond[other[2] as usize][other[3] as usize] = 2 * one[2] + opposed;
        }
    }
    let mut turned: Vec<Option<bool>> = vec![None; triangles.len()];
    let mut set = Vec::new();
    for start in 0..triangles.len() {
        if turned[start].is_some() {
            continue;
        }
        turned[start] = Some(false);
        set.clear();
        set.push(start);
        let mut next = 0;
        while let Some(&triangle) = set.get(next) {
            next += 1;
            for link in beyond[triangle].into_iter().filter(|&link| link != NONE) {
                let neighbour = (link / 2) as usize;
                if turned[neighbour].is_none() {
                    turned[neighbour] = turned[triangle].map(|turn| turn ^ (link % 2 == 1));
                    set.push(neighbour);
                }
            }
        }
        let minority = set.iter().filter(|&&t| turned[t] == Some(true)).count();
        if 2 * minority > set.len() {
            for &triangle in &set {
                turned[triangle] = turned[triangle].map(|turn| !turn);
            }
        }
    }
    let mut flipped = Vec::new();
    for (place, triangle) in triangles.iter_mut().enumerate() {
        if turned[place] == Some(true) {
            triangle.swap(1, 2);
            flipped.push(numbers[place]);
        }
    }
    if let Some(first) = flipped.first() {
        let message = format!(
            "{} of {} triangles faced the other way than their neighbours and were turned round; the first is triangle \
             {first}",
            flipped.len(),
            triangles.len()
        );
        let code = Finding::FLIPPED_TRIANGLES;
        findings.push(Finding::new(code, flipped.len(), &flipped, true, message));
    }
}

/// Notes edges of more than two triangles, and of two that still face opposite ways.
fn note_edges(triangles: &[[u32; 3]], rows: &[[u32; 4]], findings: &mut Vec<Finding>) {
    // Turning moved the corners, so what begins a side is looked up by its vertices.
    let up = |&[low, high, triangle, _]: &[u32; 4]| {
        let corners = triangles[triangle as usize];
        (0..3).any(|corner| corners[corner] == low && corners[(corner + 1) % 3] == high)
    };
    let (mut crowded, mut opposed) = (Vec::new(), Vec::new());
    for edge in edges(rows) {
        let [low, high, ..] = edge[0];
        match edge {
            [_] => {}
            [one, other] => {
                if up(one) == up(other) {
                    opposed.extend([low, high]);
                }
            }
            _ => crowded.extend([low, high]),
        }
    }
    for (code, ends, what) in [
        (
            Finding::NON_MANIFOLD_EDGES,
            crowded,
            "have more than two triangles; they are stretched but do not bend",
        ),
        (
            Finding::INCONSISTENT_TRIANGLES,
            opposed,
            "lie between triangles that face opposite ways and cannot be turned (the surface has one side only)",
        ),
    ] {
        if let [first, second, ..] = ends[..] {
            let count = ends.len() / 2;
            let message = format!(
                "edges that {what}: {count}; the first joins vertices {first} and {second} (examples are pairs of vertices)"
            );
            findings.push(Finding::new(code, count, &ends, false, message));
        }
    }
}
