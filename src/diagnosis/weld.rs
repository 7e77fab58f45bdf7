//! Vertices at one place: found, and merged where that is asked for.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::counted;
use crate::mesh::Finding;
use crate::text::Number;

/// No two different single-precision numbers are nearer to each other than this.
const SMALLEST_DISTANCE: f64 = 1e-45;

/// Merges used vertices at most `weld` metres apart, or only counts identical positions where it is `None`.
///
/// Each vertex goes to the first earlier one near enough that stays itself; so chains do not collapse, and the result
/// depends on nothing but the input. Merged vertices leave the arrays, and so do tets that lost a corner by it.
pub fn apply(
    positions: &mut Vec<[f32; 3]>,
    tets: &mut Vec<[u32; 4]>,
    weld: Option<f64>,
) -> Option<Finding> {
    let vertices = positions.len();
    if tets
        .as_flattened()
        .iter()
        .any(|&index| index as usize >= vertices)
    {
        // Loading says which.
        return None;
    }
    let target = representatives(positions, tets.as_flattened(), weld.unwrap_or(0.0));
    let merged: Vec<u32> = (0..vertices as u32)
        .filter(|&vertex| target[vertex as usize] != vertex)
        .collect();
    let &first = merged.first()?;
    let of_first = target[first as usize];
    let Some(distance) = weld else {
        return Some(Finding::new(
            Finding::DUPLICATE_VERTICES,
            merged.len(),
            &merged,
            false,
            format!(
                "{} exactly at the place of an earlier one; tets that meet there are not joined and come apart; the first \
                 is vertex {first} at the place of vertex {of_first}. `weld` merges them",
                counted(merged.len(), "vertex lies", "vertices lie"),
            ),
        ));
    };

    let before = tets.len();
    tets.retain_mut(|tet| {
        let joined = tet.map(|vertex| target[vertex as usize]);
        let collapsed = has_repeat(joined) && !has_repeat(*tet);
        *tet = joined;
        !collapsed
    });
    let collapsed = before - tets.len();
    let mut place = vec![0u32; vertices];
    let mut next = 0;
    for vertex in 0..vertices {
        place[vertex] = next;
        if target[vertex] == vertex as u32 {
            positions[next as usize] = positions[vertex];
            next += 1;
        }
    }
    positions.truncate(next as usize);
    for vertex in tets.as_flattened_mut() {
        *vertex = place[*vertex as usize];
    }
    let lost = match collapsed {
        0 => String::new(),
        count => format!(
            "; {} a corner by it and {} removed, so the distance may be too large",
            counted(count, "tet lost", "tets lost"),
            if count == 1 { "was" } else { "were" },
        ),
    };
    Some(Finding::new(
        Finding::DUPLICATE_VERTICES,
        merged.len(),
        &merged,
        true,
        format!(
            "{} merged into an earlier one at most {} m away and left out (examples are numbers of the input); the first \
             is vertex {first}, merged into vertex {of_first}{lost}",
            counted(merged.len(), "vertex was", "vertices were"),
            Number::from(distance),
        ),
    ))
}

fn has_repeat(tet: [u32; 4]) -> bool {
    (0..4).any(|i| tet[i + 1..].contains(&tet[i]))
}

/// For each vertex the vertex it may be merged into: itself, or an earlier one at most `distance` metres away. Vertices
/// that `indices` does not name and those without a finite position stay themselves. The indices must be in range.
pub fn representatives(positions: &[[f32; 3]], indices: &[u32], distance: f64) -> Vec<u32> {
    let mut used = vec![false; positions.len()];
    for &vertex in indices {
        used[vertex as usize] = true;
    }
    let mut target: Vec<u32> = (0..positions.len() as u32).collect();
    let wanted = |vertex: usize| used[vertex] && positions[vertex].iter().all(|x| x.is_finite());
    if distance < SMALLEST_DISTANCE {
        let mut first: HashMap<[u32; 3], u32> = HashMap::with_capacity(positions.len());
        for vertex in (0..positions.len()).filter(|&vertex| wanted(vertex)) {
            // Adding zero makes -0 the same as 0.
            let key = positions[vertex].map(|x| (x + 0.0).to_bits());
            match first.entry(key) {
                Entry::Occupied(earlier) => target[vertex] = *earlier.get(),
                Entry::Vacant(free) => {
                    free.insert(vertex as u32);
                }
            }
        }
        return target;
    }
    // A grid of cells as wide as the distance. Those who stay are farther apart than that, so few share a cell.
    let cell = |position: [f32; 3]| position.map(|x| (f64::from(x) / distance).floor());
    let key = |cell: [f64; 3]| cell.map(|x| (x + 0.0).to_bits());
    let mut staying: HashMap<[u64; 3], Vec<u32>> = HashMap::new();
    for vertex in (0..positions.len()).filter(|&vertex| wanted(vertex)) {
        let own = cell(positions[vertex]);
        let earlier = (0..27)
            .filter_map(|code| {
                let step = [code % 3, code / 3 % 3, code / 9].map(|x| f64::from(x) - 1.0);
                staying.get(&key(std::array::from_fn(|axis| own[axis] + step[axis])))
            })
            .flatten()
            .copied()
            .filter(|&other| near(positions[vertex], positions[other as usize], distance))
            .min();
        match earlier {
            Some(other) => target[vertex] = other,
            None => staying.entry(key(own)).or_default().push(vertex as u32),
        }
    }
    target
}

fn near(a: [f32; 3], b: [f32; 3], distance: f64) -> bool {
    let square: f64 = a
        .iter()
        .zip(b)
        .map(|(&x, y)| (f64::from(x) - f64::from(y)).powi(2))
        .sum();
    square.sqrt() <= distance
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_grid_finds_what_trying_every_pair_finds(
            points in prop::collection::vec(prop::array::uniform3(-4i8..4), 4..40),
            distance in prop::sample::select(vec![0.0, 1e-50, 0.3, 0.5, 0.8, 1.3, 100.0]),
            zoom in prop::sample::select(vec![1.0f32, 1e-6, 1e6]),
        ) {
            let positions: Vec<[f32; 3]> =
                points.iter().map(|p| p.map(|x| 0.5 * zoom * f32::from(x))).collect();
            let tets: Vec<[u32; 4]> =
                (3..points.len() as u32).map(|v| [v - 3, v - 2, v - 1, v]).collect();
            let distance = distance * f64::from(zoom);
            let mut expected: Vec<u32> = Vec::new();
            for (vertex, &position) in (0u32..).zip(&positions) {
                let earlier = (0..vertex).find(|&other| {
                    expected[other as usize] == other && near(position, positions[other as usize], distance)
                });
                expected.push(earlier.unwrap_or(vertex));
            }
            prop_assert_eq!(representatives(&positions, tets.as_flattened(), distance), expected);
        }
    }
}
