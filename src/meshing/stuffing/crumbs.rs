//! Leaves out the crumbs that features thinner than a cell fall into.

use crate::mesh::geometry::{corners, signed_volume};
use crate::sort::union_root;

/// A loose part is a crumb if it is smaller than so many cells ...
const CRUMB_CELLS: f64 = 8.0;
/// ... and than this fraction of the largest part.
const CRUMB_FRACTION: f64 = 0.05;
const NONE: u32 = u32::MAX;

/// Positions and tets without crumbs, and the number of tets left out. Vertices keep their order.
pub fn swept(
    positions: Vec<[f32; 3]>,
    tets: Vec<[u32; 4]>,
    cell_size: f64,
) -> (Vec<[f32; 3]>, Vec<[u32; 4]>, usize) {
    // Union-find over the vertices of each tet.
    let mut parent: Vec<u32> = (0..positions.len() as u32).collect();
    for &[first, ref others @ ..] in &tets {
        for &other in others {
            let (p, q) = (
                union_root(&mut parent, first),
                union_root(&mut parent, other),
            );
            parent[p.max(q) as usize] = p.min(q);
        }
    }
    let mut volumes = vec![0.0; positions.len()];
    for &tet in &tets {
        let part = union_root(&mut parent, tet[0]);
        volumes[part as usize] += signed_volume(corners(&positions, tet));
    }
    let largest = volumes.iter().copied().fold(0.0, f64::max);
    let crumb = (CRUMB_CELLS * cell_size.powi(3)).min(CRUMB_FRACTION * largest);
    let kept: Vec<[u32; 4]> = tets
        .iter()
        .copied()
        .filter(|tet| volumes[union_root(&mut parent, tet[0]) as usize] >= crumb)
        .collect();
    let removed = tets.len() - kept.len();
    if removed == 0 {
        return (positions, tets, 0);
    }
    let mut number = vec![NONE; positions.len()];
    for &vertex in kept.as_flattened() {
        number[vertex as usize] = 0;
    }
    let mut kept_positions = Vec::with_capacity(positions.len());
    for (number, &position) in number.iter_mut().zip(&positions) {
        if *number != NONE {
            *number = kept_positions.len() as u32;
            kept_positions.push(position);
        }
    }
    let kept = kept
        .into_iter()
        .map(|tet| tet.map(|vertex| number[vertex as usize]))
        .collect();
    (kept_positions, kept, removed)
}
