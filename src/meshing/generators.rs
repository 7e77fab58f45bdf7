//! Boxes and tori of tets: a grid of hexahedra, each split in six round its main diagonal.
//!
//! Every cell is split alike (Freudenthal 1942), and the split of a cell's face is the same seen from either side, so
//! neighbouring cells conform, also across the seam of a ring.

use std::f64::consts::{FRAC_PI_4, TAU};

use crate::error::{MeshError, MeshFile};
use crate::mesh::{MAX_COORDINATE, TetMesh};

/// Cells along each axis, at most.
const MAX_CELLS: u32 = 1000;
/// Cells in all, at most: a hundred million tets.
const MAX_TOTAL_CELLS: u64 = 1 << 24;
/// The first two of the three axes along which each path from v000 to v111 steps; one tet per path.
const PATHS: [[usize; 2]; 6] = [[0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1]];

/// A box of `cells` hexahedra and `size` metres with its smallest corner at `origin`, six tets per cell round the
/// diagonal from v000 to v111. Vertex (i, j, k) has the index `(i·(ny+1) + j)·(nz+1) + k`.
///
/// # Errors
/// Cells outside 1 to 1000 per axis or more than 2²⁴ in all, sizes that are not positive and finite, or a box that
/// [`TetMesh::new`] refuses.
pub fn box_mesh(cells: [u32; 3], size: [f32; 3], origin: [f32; 3]) -> Result<TetMesh, MeshError> {
    for count in cells {
        check_count("cells", count, 1)?;
    }
    for length in size {
        check_length("size", f64::from(length))?;
    }
    check_total(cells)?;
    let coordinate = |axis: usize, step: u32| {
        (f64::from(origin[axis]) + f64::from(size[axis]) * f64::from(step) / f64::from(cells[axis]))
            as f32
    };
    let mut positions = Vec::new();
    for i in 0..=cells[0] {
        for j in 0..=cells[1] {
            for k in 0..=cells[2] {
                positions.push([coordinate(0, i), coordinate(1, j), coordinate(2, k)]);
            }
        }
    }
    let [_, rows, columns] = cells.map(|count| count + 1);
    let tets = grid_tets(cells, |[i, j, k]| (i * rows + j) * columns + k);
    TetMesh::new(positions, tets)
}

/// A solid torus round the y axis, centred at the origin: a disc of `cross_cells`² hexahedra with the radius
/// `minor_radius`, swept round the axis at `major_radius` (metres) in `segments` steps and closed.
///
/// The square grid is mapped to the disc with the equal-area concentric map (Shirley and Chiu, "A low distortion map
/// between disk and square", Journal of Graphics Tools 2(3), 1997), which has no pole to put needle tets at.
///
/// # Errors
/// `segments` outside 3 to 1000, `cross_cells` outside 2 to 1000, more than 2²⁴ cells in all, radii that are not positive and finite, or a
/// major radius that does not exceed the minor one.
pub fn torus_mesh(
    major_radius: f64,
    minor_radius: f64,
    cross_cells: u32,
    segments: u32,
) -> Result<TetMesh, MeshError> {
    check_count("segments", segments, 3)?;
    check_count("cross_cells", cross_cells, 2)?;
    check_length("minor_radius", minor_radius)?;
    check_length("major_radius", major_radius)?;
    if major_radius <= minor_radius {
        return Err(MeshError::InvalidParameter {
            name: "major_radius",
            value: major_radius,
            requirement: "larger than minor_radius",
        });
    }
    check_total([segments, cross_cells, cross_cells])?;
    let mut positions = Vec::new();
    for segment in 0..segments {
        let (sine, cosine) = (TAU * f64::from(segment) / f64::from(segments)).sin_cos();
        for j in 0..=cross_cells {
            for k in 0..=cross_cells {
                let along = |step: u32| 2.0 * f64::from(step) / f64::from(cross_cells) - 1.0;
                let [outward, up] = concentric([along(j), along(k)]).map(|x| minor_radius * x);
                let radius = major_radius + outward;
                positions.push([(radius * cosine) as f32, up as f32, (radius * sine) as f32]);
            }
        }
    }
    let row = cross_cells + 1;
    let tets = grid_tets([segments, cross_cells, cross_cells], |[i, j, k]| {
        ((i % segments) * row + j) * row + k
    });
    TetMesh::new(positions, tets)
}

/// The six tets of each cell, given the vertex at each grid node. Positive if the grid's axes are right-handed.
fn grid_tets(cells: [u32; 3], vertex: impl Fn([u32; 3]) -> u32) -> Vec<[u32; 4]> {
    let mut tets = Vec::new();
    for i in 0..cells[0] {
        for j in 0..cells[1] {
            for k in 0..cells[2] {
                let corner = |step: [u32; 3]| vertex([i + step[0], j + step[1], k + step[2]]);
                for [first, second] in PATHS {
                    let mut step = [0; 3];
                    step[first] = 1;
                    let b = corner(step);
                    step[second] = 1;
                    let (a, c, d) = (corner([0; 3]), corner(step), corner([1; 3]));
                    // Paths that are odd permutations of the axes wind the other way.
                    let even = (first + 1) % 3 == second;
                    tets.push(if even { [a, b, c, d] } else { [a, b, d, c] });
                }
            }
        }
    }
    tets
}

/// Maps the square [−1, 1]² to the unit disc, concentric squares to concentric circles.
fn concentric([a, b]: [f64; 2]) -> [f64; 2] {
    if a == 0.0 && b == 0.0 {
        return [0.0, 0.0];
    }
    if a.abs() >= b.abs() {
        let angle = FRAC_PI_4 * b / a;
        [a * angle.cos(), a * angle.sin()]
    } else {
        let angle = FRAC_PI_4 * a / b;
        [b * angle.sin(), b * angle.cos()]
    }
}

fn check_count(name: &'static str, count: u32, least: u32) -> Result<(), MeshError> {
    if (least..=MAX_CELLS).contains(&count) {
        return Ok(());
    }
    Err(MeshError::InvalidParameter {
        name,
        value: f64::from(count),
        requirement: match least {
            1 => "from 1 to 1000",
            2 => "from 2 to 1000",
            _ => "from 3 to 1000",
        },
    })
}

fn check_total(cells: [u32; 3]) -> Result<(), MeshError> {
    let total: u64 = cells.into_iter().map(u64::from).product();
    if total <= MAX_TOTAL_CELLS {
        return Ok(());
    }
    Err(MeshError::TooLarge {
        file: MeshFile::TetIndices,
        count: 6 * total,
        limit: 6 * MAX_TOTAL_CELLS,
    })
}

fn check_length(name: &'static str, length: f64) -> Result<(), MeshError> {
    if length > 0.0 && length <= f64::from(MAX_COORDINATE) {
        return Ok(());
    }
    Err(MeshError::InvalidParameter {
        name,
        value: length,
        requirement: "a positive number of metres, at most 1e9",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_concentric_map_keeps_rings_and_area() {
        for step in 0..64 {
            let side = f64::from(step % 16) / 8.0 - 1.0;
            let edge = [[1.0, side], [-side, 1.0], [-1.0, -side], [side, -1.0]][step as usize / 16];
            for ring in [0.25, 1.0] {
                let [x, y] = concentric(edge.map(|x| ring * x));
                assert!((x.hypot(y) - ring).abs() < 1e-15);
            }
        }
        // The map's Jacobian is π/4 everywhere off the diagonals.
        for [a, b] in [[0.7, 0.2], [-0.6, 0.5], [0.1, 0.9], [0.3, -0.8]] {
            let h = 1e-6;
            let [p, q, r] = [[a, b], [a + h, b], [a, b + h]].map(concentric);
            let area = ((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])) / (h * h);
            assert!((area - FRAC_PI_4).abs() < 1e-5, "{area}");
        }
    }
}
