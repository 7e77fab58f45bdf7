//! The sorts of the crate, and its union-find. The standard library's is generic, and each element type it is used for costs as much code as
//! all of the mesh layer's own.

#[cfg(feature = "mesh-tools")]
use std::cmp::Ordering;

const DIGIT_BITS: u32 = 11;
const DIGITS: usize = u32::BITS.div_ceil(DIGIT_BITS) as usize;

/// Sorts rows by their first `columns` columns, the first one counting most. Rows that are equal there keep their order.
///
/// Radix sort, last digit first (Knuth, The Art of Computer Programming 3, 5.2.5): O(n) time, and as much memory again.
#[inline(never)]
pub fn sort_rows(rows: &mut Vec<[u32; 4]>, columns: usize) {
    let Some(&first) = rows.first() else { return };
    let mut spare = vec![[0; 4]; rows.len()];
    // One loop rather than two, which the compiler would write out three times.
    for pass in 0..columns * DIGITS {
        let (column, shift) = (
            columns - 1 - pass / DIGITS,
            (pass % DIGITS) as u32 * DIGIT_BITS,
        );
        let mut places = [0usize; 1 << DIGIT_BITS];
        for row in rows.iter() {
            places[digit(row, column, shift)] += 1;
        }
        if places[digit(&first, column, shift)] == rows.len() {
            continue;
        }
        let mut sum = 0;
        for place in &mut places {
            sum += std::mem::replace(place, sum);
        }
        for row in rows.iter() {
            let place = &mut places[digit(row, column, shift)];
            spare[*place] = *row;
            *place += 1;
        }
        std::mem::swap(rows, &mut spare);
    }
}

/// A digit of a row, which an optimiser for size would call a million times.
#[inline(always)]
fn digit(row: &[u32; 4], column: usize, shift: u32) -> usize {
    (row[column] >> shift) as usize % (1 << DIGIT_BITS)
}

/// Sorts by `compare`; items that are equal keep their order.
///
/// The standard library's sort natively. For a download a plain merge sort, a tenth of the code per type of item and
/// half as fast.
#[cfg(feature = "mesh-tools")]
pub fn sort_by<T: Clone>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    if cfg!(target_arch = "wasm32") {
        merge_sort(items, compare);
    } else {
        items.sort_by(compare);
    }
}

/// Sorts in ascending order.
#[cfg(feature = "mesh-tools")]
pub fn sort<T: Clone + Ord>(items: &mut [T]) {
    sort_by(items, T::cmp);
}

/// Bottom-up merge sort of runs that were sorted by insertion (Knuth, The Art of Computer Programming 3, 5.2.4).
#[cfg(feature = "mesh-tools")]
#[inline(never)]
fn merge_sort<T: Clone>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    const RUN: usize = 8;
    let count = items.len();
    for run in items.chunks_mut(RUN) {
        for sorted in 1..run.len() {
            let mut place = sorted;
            while place > 0 && compare(&run[place], &run[place - 1]).is_lt() {
                run.swap(place, place - 1);
                place -= 1;
            }
        }
    }
    if count <= RUN {
        return;
    }
    let mut spare = items.to_vec();
    let mut width = RUN;
    while width < count {
        for start in (0..count).step_by(2 * width) {
            let middle = count.min(start + width);
            let end = count.min(middle + width);
            let (mut left, mut right) = (start, middle);
            for slot in &mut spare[start..end] {
                let take_right =
                    right < end && (left == middle || compare(&items[right], &items[left]).is_lt());
                let from = if take_right { &mut right } else { &mut left };
                slot.clone_from(&items[*from]);
                *from += 1;
            }
        }
        items.clone_from_slice(&spare);
        width *= 2;
    }
}

/// The root of an entry's set in a forest of parents (union-find), whose paths are halved on the way.
pub fn union_root(parent: &mut [u32], mut entry: u32) -> u32 {
    while parent[entry as usize] != entry {
        let grandparent = parent[parent[entry as usize] as usize];
        parent[entry as usize] = grandparent;
        entry = grandparent;
    }
    entry
}

/// Three numbers in ascending order.
pub fn sorted3([a, b, c]: [u32; 3]) -> [u32; 3] {
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    [low, a ^ b ^ c ^ low ^ high, high]
}

/// Four numbers in ascending order.
pub fn sorted4([a, b, c, d]: [u32; 4]) -> [u32; 4] {
    let (a, b, c, d) = (a.min(b), a.max(b), c.min(d), c.max(d));
    let (low, high) = (a.min(c), b.max(d));
    let (e, f) = (a.max(c), b.min(d));
    [low, e.min(f), e.max(f), high]
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[cfg(feature = "mesh-tools")]
        #[test]
        fn merge_sort_is_the_standard_librarys(
            items in proptest::collection::vec((0u8..20, any::<u16>()), 0..300),
            descending: bool,
        ) {
            // By the first part only, so that stability shows.
            let compare = |a: &(u8, u16), b: &(u8, u16)| if descending { b.0.cmp(&a.0) } else { a.0.cmp(&b.0) };
            let (mut found, mut expected) = (items.clone(), items);
            merge_sort(&mut found, compare);
            expected.sort_by(compare);
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn rows_sort_as_by_the_standard_library(
            rows in prop::collection::vec(any::<[u32; 4]>(), 0..300),
            mask in prop::sample::select(vec![u32::MAX, 0x8000_0003, 7, 0]),
            columns in 1usize..=4,
        ) {
            let mut rows: Vec<_> = rows.iter().map(|row| row.map(|number| number & mask)).collect();
            let mut expected = rows.clone();
            expected.sort_by_key(|row| row[..columns].to_vec());
            sort_rows(&mut rows, columns);
            prop_assert_eq!(rows, expected);
        }
    }

    #[test]
    fn small_sorts_are_right_for_every_order() {
        for code in 0..256u32 {
            let four = [code % 4, code / 4 % 4, code / 16 % 4, code / 64];
            let mut expected = four;
            expected.sort_unstable();
            assert_eq!(sorted4(four), expected);
            let three = [four[0], four[1], four[2]];
            let mut expected = three;
            expected.sort_unstable();
            assert_eq!(sorted3(three), expected);
        }
    }
}
