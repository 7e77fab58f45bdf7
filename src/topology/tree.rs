//! A tree over boxes: which of them touch each other, and which lie near a point.

use glam::DVec3;

use crate::sort::sort_rows;

const LEAF: usize = 4;

/// An axis-aligned box.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    pub low: DVec3,
    pub high: DVec3,
}

impl Bounds {
    const EMPTY: Self = Self {
        low: DVec3::INFINITY,
        high: DVec3::NEG_INFINITY,
    };

    fn union(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }

    /// Squared distance of a point to the box, 0 inside.
    #[inline(never)]
    fn distance_squared(&self, point: DVec3) -> f64 {
        (point.clamp(self.low, self.high) - point).length_squared()
    }

    pub fn touches(&self, other: &Self) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all()
    }
}

/// A binary tree over boxes in the order of a space-filling curve, split in halves, so its depth is the logarithm of
/// their number.
pub(crate) struct Tree {
    boxes: Vec<Bounds>,
    order: Vec<u32>,
    nodes: Vec<Node>,
}

/// The boxes ordered by where their centres lie on a Morton curve of 2²¹ cells a side.
fn along_curve(boxes: &[Bounds]) -> Vec<u32> {
    const BITS: u32 = 21;
    let all = boxes.iter().fold(Bounds::EMPTY, |all, &one| all.union(one));
    // A box without extent would divide 0 by 0, which casts to cell 0.
    let scale = f64::from((1u32 << BITS) - 1) / (all.high - all.low);
    let mut rows = Vec::with_capacity(boxes.len());
    for (item, bounds) in (0u32..).zip(boxes) {
        let middle = 0.5 * (bounds.low + bounds.high) - all.low;
        let cell = (middle * scale).to_array().map(|x| x as u32);
        let code = (0..BITS).rev().fold(0u64, |code, bit| {
            cell.iter()
                .fold(code, |code, x| code << 1 | u64::from(x >> bit & 1))
        });
        rows.push([(code >> 32) as u32, code as u32, item, 0]);
    }
    sort_rows(&mut rows, 2);
    rows.iter().map(|row| row[2]).collect()
}

struct Node {
    bounds: Bounds,
    /// Range of `order`.
    items: std::ops::Range<usize>,
    /// The second child (the first follows its parent), or `None` for a leaf.
    second: Option<usize>,
}

impl Tree {
    pub fn new(boxes: Vec<Bounds>) -> Self {
        let mut tree = Self {
            order: along_curve(&boxes),
            nodes: Vec::with_capacity(boxes.len()),
            boxes,
        };
        tree.build(0..tree.boxes.len());
        tree
    }

    fn build(&mut self, items: std::ops::Range<usize>) {
        let boxes = &self.boxes;
        let bounds = self.order[items.clone()]
            .iter()
            .fold(Bounds::EMPTY, |all, &item| all.union(boxes[item as usize]));
        let index = self.nodes.len();
        self.nodes.push(Node {
            bounds,
            items: items.clone(),
            second: None,
        });
        if items.len() <= LEAF {
            return;
        }
        let split = items.start + items.len() / 2;
        self.build(items.start..split);
        self.nodes[index].second = Some(self.nodes.len());
        self.build(split..items.end);
    }

    /// Calls `visit` for the items whose boxes touch that of `item`, those with larger numbers only. Each node and box
    /// looked at costs 1 of the budget; returns whether it sufficed.
    pub fn later_neighbours(
        &self,
        item: u32,
        stack: &mut Vec<usize>,
        budget: &mut usize,
        mut visit: impl FnMut(u32),
    ) -> bool {
        let wanted = &self.boxes[item as usize];
        stack.clear();
        stack.push(0);
        while let Some(index) = stack.pop() {
            let node = &self.nodes[index];
            let cost = if node.second.is_some() {
                1
            } else {
                1 + node.items.len()
            };
            let Some(rest) = budget.checked_sub(cost) else {
                return false;
            };
            *budget = rest;
            if !node.bounds.touches(wanted) {
                continue;
            }
            match node.second {
                Some(second) => stack.extend([second, index + 1]),
                None => self.order[node.items.clone()]
                    .iter()
                    .copied()
                    .filter(|&other| other > item && self.boxes[other as usize].touches(wanted))
                    .for_each(&mut visit),
            }
        }
        true
    }

    /// Goes through the items in the order of the tree, nearer halves first, and leaves out those whose boxes lie
    /// farther from `point` than `visit` asks for: it gets an item and returns the squared distance still of interest.
    pub fn near(&self, point: DVec3, stack: &mut Vec<usize>, mut visit: impl FnMut(u32) -> f64) {
        let mut limit = f64::INFINITY;
        stack.clear();
        stack.push(0);
        while let Some(index) = stack.pop() {
            let node = &self.nodes[index];
            if node.bounds.distance_squared(point) > limit {
                continue;
            }
            let Some(second) = node.second else {
                for &item in &self.order[node.items.clone()] {
                    if self.boxes[item as usize].distance_squared(point) <= limit {
                        limit = visit(item);
                    }
                }
                continue;
            };
            let first = index + 1;
            let distance = |child: usize| self.nodes[child].bounds.distance_squared(point);
            // The last one pushed is looked at first.
            stack.extend(match distance(first) <= distance(second) {
                true => [second, first],
                false => [first, second],
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_finds_every_touching_pair_once() {
        let boxes: Vec<Bounds> = (0..200)
            .map(|i| {
                let low = DVec3::new(
                    f64::from(i * 37 % 101),
                    f64::from(i * 53 % 97),
                    f64::from(i % 7),
                );
                Bounds {
                    low,
                    high: low + f64::from(i % 9),
                }
            })
            .collect();
        let mut expected = Vec::new();
        for a in 0..boxes.len() {
            expected.extend(
                (a + 1..boxes.len())
                    .filter(|&b| boxes[a].touches(&boxes[b]))
                    .map(|b| (a as u32, b as u32)),
            );
        }
        let tree = Tree::new(boxes);
        let mut found = Vec::new();
        let mut stack = Vec::new();
        let mut budget = 100_000;
        for item in 0..200 {
            let complete = tree.later_neighbours(item, &mut stack, &mut budget, |other| {
                found.push((item, other));
            });
            assert!(complete);
        }
        found.sort_unstable();
        assert!(expected.len() > 20);
        assert_eq!(found, expected);

        let mut budget = 3;
        assert!(!tree.later_neighbours(0, &mut stack, &mut budget, |_| {}));
    }
}
