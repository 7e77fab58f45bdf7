//! The body-centred cubic lattice round a surface: the points inside and their neighbours, and nothing else.
//!
//! Points have whole coordinates, all even or all odd, in units of half a cell. An even point and its odd neighbours, or
//! the reverse, are joined by short edges (√3/2 cells), points of one kind by long edges (one cell).

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use glam::{DVec3, IVec3};

use super::MeshingError;
use super::progress::{Progress, map};
use crate::surface::{SurfaceIndex, SurfaceMesh, SurfaceSurvey};

/// Lattice points, and tets, at most: about 2 GB of memory.
pub const MAX_COUNT: u32 = 4_000_000;
/// Marks a neighbour that is not in the lattice.
pub const NONE: u32 = u32::MAX;
/// The 14 edges at a point: 3 long, 4 short, and their opposites in reverse, so that `13 − d` is opposite `d`.
pub const DIRECTIONS: [IVec3; 14] = [
    IVec3::new(2, 0, 0),
    IVec3::new(0, 2, 0),
    IVec3::new(0, 0, 2),
    IVec3::new(1, 1, 1),
    IVec3::new(1, 1, -1),
    IVec3::new(1, -1, 1),
    IVec3::new(1, -1, -1),
    IVec3::new(-1, 1, 1),
    IVec3::new(-1, 1, -1),
    IVec3::new(-1, -1, 1),
    IVec3::new(-1, -1, -1),
    IVec3::new(0, 0, -2),
    IVec3::new(0, -2, 0),
    IVec3::new(-2, 0, 0),
];
/// Where the lattice lies with respect to the middle of the surface's bounds, in cells. Off the middle by different
/// amounts, or the faces of a symmetric body would all gain a layer of cells at the same size, and some numbers of tets
/// could not be met.
const OFFSET: DVec3 = DVec3::new(0.07, 0.19, 0.31);
/// Added to coordinates to pack them as positive numbers of 21 bits.
const BIAS: i32 = 1 << 20;

/// Whether an edge is a long one.
pub fn is_long(direction: usize) -> bool {
    !(3..11).contains(&direction)
}

/// The points that the tets are made of, in ascending order of z, y, x.
pub struct Lattice {
    pub origin: DVec3,
    pub cell_size: f64,
    pub points: Vec<IVec3>,
    pub inside: Vec<bool>,
    /// The neighbour of each point in each direction, or [`NONE`].
    pub neighbours: Vec<[u32; 14]>,
}

#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, _: &[u8]) {
        unreachable!("invariant: keys are u64");
    }
    fn write_u64(&mut self, key: u64) {
        // Fibonacci hashing; the table takes its bits from both ends.
        let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 32);
    }
    fn finish(&self) -> u64 {
        self.0
    }
}

type Places = HashMap<u64, u32, BuildHasherDefault<KeyHasher>>;

fn key(point: IVec3) -> u64 {
    let [x, y, z] = point.to_array().map(|c| u64::from((c + BIAS) as u32));
    z << 42 | y << 21 | x
}

fn point_of(key: u64) -> IVec3 {
    let coordinate = |shift: u32| ((key >> shift) & 0x1f_ffff) as i32 - BIAS;
    IVec3::new(coordinate(0), coordinate(21), coordinate(42))
}

impl Lattice {
    /// Finds the points inside the surface and all their neighbours.
    ///
    /// The winding number is asked for near the surface only, if it is closed: elsewhere a point has its neighbour's
    /// sign. An open surface may change sign away from its triangles, so there every point is asked.
    pub fn new(
        surface: &SurfaceMesh,
        index: &SurfaceIndex,
        survey: &SurfaceSurvey,
        cell_size: f64,
        progress: &mut Progress<'_>,
    ) -> Result<Self, MeshingError> {
        let (low, high) = survey.bounds;
        let [low, high] = [low, high].map(|p| DVec3::from_array(p.map(f64::from)));
        let origin = 0.5 * (low + high) + cell_size * OFFSET;
        let too_many = || MeshingError::TooManyCells {
            cell_size,
            extent: survey.extent(),
            limit: MAX_COUNT,
        };
        // Cells that the surface passes through, twelve tets in each cell of the volume: refused before any work.
        let expected = survey.area / cell_size.powi(2)
            + if survey.closed {
                12.0 * survey.volume.abs() / cell_size.powi(3)
            } else {
                0.0
            };
        if expected > 2.0 * f64::from(MAX_COUNT) {
            return Err(too_many());
        }

        let is_inside = |&key: &u64| {
            let place = origin + 0.5 * cell_size * point_of(key).as_dvec3();
            survey.is_inside(index.winding_number(place))
        };
        let mut keys = near(surface, origin, cell_size, progress)?.ok_or_else(too_many)?;
        let mut inside = map(&keys, progress, (0.1, 0.5), is_inside)?;
        let mut places: Places = keys.iter().copied().zip(0..).collect();

        // Outwards from the points inside, a layer at a time.
        let mut layer: Vec<u32> = (0..keys.len() as u32)
            .filter(|&place| inside[place as usize])
            .collect();
        while !layer.is_empty() {
            if keys.len() > MAX_COUNT as usize {
                return Err(too_many());
            }
            let first = keys.len();
            for &place in &layer {
                let point = point_of(keys[place as usize]);
                for direction in DIRECTIONS {
                    let neighbour = key(point + direction);
                    places.entry(neighbour).or_insert_with(|| {
                        keys.push(neighbour);
                        keys.len() as u32 - 1
                    });
                }
            }
            if survey.closed {
                // All ends of edges that meet the surface are near it, and these are not.
                progress.at(0.5)?;
                inside.resize(keys.len(), true);
            } else {
                inside.extend(map(&keys[first..], progress, (0.5, 0.5), is_inside)?);
            }
            layer = (first..keys.len())
                .filter(|&place| inside[place])
                .map(|place| place as u32)
                .collect();
        }

        // Points outside that no tet can reach are dropped.
        let is_kept = |place: usize| {
            inside[place]
                || DIRECTIONS.iter().any(|&direction| {
                    places
                        .get(&key(point_of(keys[place]) + direction))
                        .is_some_and(|&neighbour| inside[neighbour as usize])
                })
        };
        let mut kept: Vec<(u64, bool)> = (0..keys.len())
            .filter(|&place| is_kept(place))
            .map(|place| (keys[place], inside[place]))
            .collect();
        drop((keys, inside));
        crate::sort::sort(&mut kept);
        if kept.is_empty() {
            return Err(MeshingError::NothingInside {
                cell_size,
                extent: survey.extent(),
                volume: survey.volume,
                boundary_edges: survey.boundary_edges,
            });
        }
        places.clear();
        places.extend(kept.iter().map(|&(key, _)| key).zip(0..));
        let points: Vec<IVec3> = kept.iter().map(|&(key, _)| point_of(key)).collect();
        let neighbours = map(&points, progress, (0.5, 0.6), |&point| {
            DIRECTIONS.map(|direction| places.get(&key(point + direction)).copied().unwrap_or(NONE))
        })?;
        Ok(Self {
            origin,
            cell_size,
            points,
            inside: kept.into_iter().map(|(_, inside)| inside).collect(),
            neighbours,
        })
    }

    /// Where a point is before warping.
    pub fn position(&self, place: u32) -> DVec3 {
        self.origin + 0.5 * self.cell_size * self.points[place as usize].as_dvec3()
    }

    /// An edge as a vector.
    pub fn along(&self, direction: usize) -> DVec3 {
        0.5 * self.cell_size * DIRECTIONS[direction].as_dvec3()
    }
}

/// The lattice points whose coordinates differ by at most a cell from a point of the surface, and some more: all ends
/// of edges that meet a triangle are among them. Ascending keys, or `None` if they are too many.
fn near(
    surface: &SurfaceMesh,
    origin: DVec3,
    cell_size: f64,
    progress: &mut Progress<'_>,
) -> Result<Option<Vec<u64>>, MeshingError> {
    let limit = MAX_COUNT as usize;
    let mut cells: Vec<u64> = Vec::new();
    let mut compact_at = 1 << 16;
    let mut pieces: Vec<[DVec3; 3]> = Vec::new();
    for (number, corners) in surface.triangles().iter().enumerate() {
        if number % (1 << 14) == 0 {
            progress.at(0.0)?;
        }
        pieces.push(corners.map(|vertex| {
            let position = surface.positions()[vertex as usize].map(f64::from);
            (DVec3::from_array(position) - origin) / cell_size
        }));
        // Triangles are halved until their boxes are no larger than a cell.
        while let Some([a, b, c]) = pieces.pop() {
            let (low, high) = (a.min(b).min(c), a.max(b).max(c));
            if (high - low).max_element() > 1.0 {
                let [ab, bc, ca] = [a - b, b - c, c - a].map(|side| side.length_squared());
                let halves = if ab >= bc && ab >= ca {
                    let middle = 0.5 * (a + b);
                    [[a, middle, c], [middle, b, c]]
                } else if bc >= ca {
                    let middle = 0.5 * (b + c);
                    [[b, middle, a], [middle, c, a]]
                } else {
                    let middle = 0.5 * (c + a);
                    [[c, middle, b], [middle, a, b]]
                };
                pieces.extend(halves);
                continue;
            }
            let (low, high) = (low.floor().as_ivec3(), high.floor().as_ivec3());
            for z in low.z..=high.z {
                for y in low.y..=high.y {
                    cells.extend((low.x..=high.x).map(|x| key(IVec3::new(x, y, z))));
                }
            }
            if cells.len() > compact_at {
                progress.at(0.0)?;
                crate::sort::sort(&mut cells);
                cells.dedup();
                if cells.len() > limit {
                    return Ok(None);
                }
                compact_at = (1 << 16).max(2 * cells.len());
            }
        }
    }
    crate::sort::sort(&mut cells);
    cells.dedup();

    let mut keys = Vec::new();
    let mut compact_at = 1 << 20;
    for (number, &cell) in cells.iter().enumerate() {
        let corner = 2 * point_of(cell);
        // Even points up to a cell away from the cell, and odd ones.
        for (first, last) in [(-2, 4), (-1, 3)] {
            for z in (first..=last).step_by(2) {
                for y in (first..=last).step_by(2) {
                    for x in (first..=last).step_by(2) {
                        keys.push(key(corner + IVec3::new(x, y, z)));
                    }
                }
            }
        }
        if keys.len() > compact_at || number + 1 == cells.len() {
            progress.at(0.1 * number as f64 / cells.len() as f64)?;
            crate::sort::sort(&mut keys);
            keys.dedup();
            if keys.len() > limit {
                return Ok(None);
            }
            compact_at = (1 << 20).max(2 * keys.len());
        }
    }
    Ok(Some(keys))
}
