//! Recursive halving of points by planes, the same on every machine: no order depends on a library's sort.

use crate::sort::sort_rows;

/// Splits `items` (indices into `points`) again and again, until `finish` is content with a part, and returns the ends
/// of the parts in `items`.
///
/// A part goes to `finish` with its place in `items`; unless that returns true it is cut in two, with the shares that
/// let parts of the largest of `sizes` below its own come out evenly filled (`sizes` descend), and `regroup` may break
/// each half into further pieces: it gets the half, reorders it and puts the lengths of the pieces into its list. A part
/// of one item is always final.
#[inline(never)]
pub fn bisect(
    points: &[[f32; 3]],
    items: &mut [u32],
    sizes: &[usize],
    regroup: &mut dyn FnMut(&mut [u32], &mut Vec<u32>),
    finish: &mut dyn FnMut(usize, &[u32]) -> bool,
) -> Vec<u32> {
    let mut ends = Vec::new();
    let mut pieces = Vec::new();
    let mut rows = Vec::new();
    // Parts still to be looked at, the first one on top; and whether they are still to be regrouped.
    let mut stack = Vec::new();
    if !items.is_empty() {
        stack.push((0, items.len(), true));
    }
    while let Some((start, end, whole)) = stack.pop() {
        let part = &mut items[start..end];
        let length = part.len();
        if whole {
            regroup(part, &mut pieces);
            let mut last = end;
            while let Some(length) = pieces.pop() {
                stack.push((last - length as usize, last, false));
                last -= length as usize;
            }
            continue;
        }
        if finish(start, part) || length == 1 {
            ends.push(end as u32);
            continue;
        }
        let mut count = 2;
        for size in sizes {
            if length > *size {
                count = length.div_ceil(*size);
                break;
            }
        }
        let middle = start + (length as u64 * (count as u64 / 2) / count as u64) as usize;
        sort(points, part, &mut rows);
        stack.push((middle, end, true));
        stack.push((start, middle, true));
    }
    ends
}

/// Orders items along the longest axis of their box; those in one place keep their order.
#[inline(never)]
fn sort(points: &[[f32; 3]], items: &mut [u32], rows: &mut Vec<[u32; 4]>) {
    let (mut long, mut longest) = (0, 0.0);
    for axis in 0..3 {
        let extent = extent(points, items, axis);
        if extent > longest {
            (long, longest) = (axis, extent);
        }
    }
    // A plane a little off the axis cuts a layer of a regular grid along its rows, where an exact one would leave the
    // choice to the numbering. 1.1 is more than 1 + 1/32 + 1/1024.
    let scale = i32::MAX as f32 / (1.1 * longest);
    let origin = points[items[0] as usize];
    rows.clear();
    for &item in items.iter() {
        let point = points[item as usize];
        let along = |turn: usize| {
            let axis = (long + turn) % 3;
            (point[axis] - origin[axis]) * scale
        };
        // A box without extent gives NaN, which becomes 0.
        let place = along(0) + (along(1) + along(2) / 32.0) / 32.0;
        rows.push([place as i32 as u32 ^ 1 << 31, item, 0, 0]);
    }
    sort_rows(rows, 1);
    for (item, row) in items.iter_mut().zip(rows) {
        *item = row[1];
    }
}

/// Length of the items' box along an axis.
#[inline(never)]
fn extent(points: &[[f32; 3]], items: &[u32], axis: usize) -> f32 {
    let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
    for &item in items {
        let x = points[item as usize][axis];
        low = if x < low { x } else { low };
        high = if x > high { x } else { high };
    }
    high - low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_even_and_apart() {
        let points: Vec<[f32; 3]> = (0..1000)
            .map(|i| [(i * 37 % 1000) as f32 - 500.0, (i % 3) as f32, 0.0])
            .collect();
        let mut items: Vec<u32> = (0..1000).collect();
        let ends = bisect(
            &points,
            &mut items,
            &[100],
            &mut |part, pieces| pieces.push(part.len() as u32),
            &mut |_, part| part.len() <= 100,
        );
        assert_eq!(ends, (1..=10).map(|i| 100 * i).collect::<Vec<u32>>());
        for (part, row) in items.chunks(100).enumerate() {
            for &item in row {
                assert_eq!((points[item as usize][0] + 500.0) as usize / 100, part);
            }
        }
    }

    #[test]
    fn points_in_one_place_are_halved_in_their_order() {
        let mut items: Vec<u32> = (0..64).rev().collect();
        let expected = items.clone();
        let ends = bisect(
            &[[3.0, -1.0, f32::MAX]; 64],
            &mut items,
            &[16],
            &mut |part, pieces| pieces.push(part.len() as u32),
            &mut |_, part| part.len() <= 16,
        );
        assert_eq!((ends, items), (vec![16, 32, 48, 64], expected));
    }
}
