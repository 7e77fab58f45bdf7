//! Batches of elements that share no vertex, by greedy colouring.

use std::ops::Range;

use super::NO_VERTEX;
use crate::sort::sort_rows;

/// The order of the elements batch by batch, and where each batch lies in it. Elements keep their order within a batch.
///
/// Each element gets the first batch that has none of its vertices yet, those at the busiest vertices first (Welsh and
/// Powell 1967). [`NO_VERTEX`] stands for no vertex. The same input gives the same batches.
pub fn batches(vertices: usize, elements: &[[u32; 4]]) -> (Vec<u32>, Vec<Range<u32>>) {
    let mut at = vec![0u32; vertices];
    let real = |&&vertex: &&u32| vertex != NO_VERTEX;
    for &vertex in elements.as_flattened().iter().filter(real) {
        at[vertex as usize] += 1;
    }
    let mut left: Vec<[u32; 4]> = (0u32..)
        .zip(elements)
        .map(|(number, element)| {
            let busiest = element.iter().filter(real).map(|&v| at[v as usize]).max();
            [u32::MAX - busiest.unwrap_or(0), number, 0, 0]
        })
        .collect();
    sort_rows(&mut left, 1);

    // For each vertex a bit per batch that has it, for 64 batches at a time.
    let mut taken = vec![0u64; vertices];
    let mut batch_of = vec![0u32; elements.len()];
    let mut sizes = Vec::new();
    while !left.is_empty() {
        let first = sizes.len() as u32;
        left.retain(|&[_, number, ..]| {
            let element = elements[number as usize];
            let own = || element.iter().filter(real).map(|&v| v as usize);
            let free = own().fold(0, |all, v| all | taken[v]).trailing_ones();
            if free == u64::BITS {
                return true;
            }
            own().for_each(|vertex| taken[vertex] |= 1 << free);
            let batch = first + free;
            batch_of[number as usize] = batch;
            sizes.resize(sizes.len().max(batch as usize + 1), 0);
            sizes[batch as usize] += 1;
            false
        });
        taken.fill(0);
    }
    let mut begin = 0;
    let ranges: Vec<_> = sizes
        .iter()
        .map(|size| {
            begin += size;
            begin - size..begin
        })
        .collect();

    let mut next: Vec<u32> = ranges.iter().map(|range| range.start).collect();
    let mut order = vec![0; elements.len()];
    for (number, &batch) in (0u32..).zip(&batch_of) {
        let place = &mut next[batch as usize];
        order[*place as usize] = number;
        *place += 1;
    }
    (order, ranges)
}
