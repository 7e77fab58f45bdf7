//! Node numbers of a file, which may be sparse and in any order, to ranks in the file.

use super::ImportError;
use super::error::Location;

/// Node numbers while they are read.
#[derive(Debug, Default)]
pub struct IdList {
    ids: Vec<u64>,
    runs: Runs,
}

/// Which vertices the nodes are, where others were read in between: place in the list and vertex, at each beginning of
/// a run. Without runs the place is the vertex.
#[derive(Debug, Default)]
struct Runs(Vec<(u32, u32)>);

/// Node numbers to look up.
#[derive(Debug)]
pub struct Ids {
    order: Order,
    runs: Runs,
}

#[derive(Debug)]
enum Order {
    /// Counted up by one from the first: the usual case needs no table.
    Consecutive { first: u64, count: u64 },
    /// Numbers in ascending order with their places in the list.
    Sorted(Vec<(u64, u32)>),
}

impl IdList {
    /// Room for this many.
    pub fn reserve(&mut self, count: usize) {
        self.ids.reserve(count);
    }

    /// The number of the next node.
    pub fn push(&mut self, id: u64) {
        self.ids.push(id);
    }

    /// The next node is this vertex, and those after it follow.
    pub fn go_on_at(&mut self, vertex: usize) {
        let place = self.ids.len() as u32;
        if self.runs.vertex(place) != vertex as u32 {
            self.runs.0.push((place, vertex as u32));
        }
    }

    /// To look up; an error if two nodes have one number.
    pub fn finish(self, format: &'static str) -> Result<Ids, ImportError> {
        let runs = self.runs;
        let first = self.ids.first().copied().unwrap_or_default();
        let consecutive = (first..)
            .zip(&self.ids)
            .all(|(expected, &id)| id == expected);
        if consecutive {
            let count = self.ids.len() as u64;
            return Ok(Ids {
                order: Order::Consecutive { first, count },
                runs,
            });
        }
        let mut sorted: Vec<(u64, u32)> = self.ids.into_iter().zip(0..).collect();
        crate::sort::sort(&mut sorted);
        for pair in sorted.windows(2) {
            if pair[0].0 == pair[1].0 {
                let [one, two] = [pair[0].1, pair[1].1].map(|n| u64::from(runs.vertex(n)) + 1);
                return Err(ImportError::Malformed {
                    format,
                    location: Location::File,
                    message: format!(
                        "node number {} is given twice: to node {one} and node {two} of the file",
                        pair[0].0
                    ),
                });
            }
        }
        Ok(Ids {
            order: Order::Sorted(sorted),
            runs,
        })
    }
}

impl Runs {
    fn vertex(&self, place: u32) -> u32 {
        let after = self.0.partition_point(|&(begin, _)| begin <= place);
        match after.checked_sub(1).and_then(|run| self.0.get(run)) {
            Some((begin, vertex)) => vertex + (place - begin),
            None => place,
        }
    }
}

impl Ids {
    /// The vertex that is the node of this number.
    pub fn rank(&self, id: u64) -> Option<u32> {
        let place = match &self.order {
            Order::Consecutive { first, count } => {
                let place = id.checked_sub(*first).filter(|place| place < count)?;
                u32::try_from(place).ok()?
            }
            Order::Sorted(sorted) => {
                let place = sorted.binary_search_by_key(&id, |&(id, _)| id).ok()?;
                sorted[place].1
            }
        };
        Some(self.runs.vertex(place))
    }

    /// How they are numbered, for errors.
    pub fn describe(&self) -> String {
        let (count, first, last) = match &self.order {
            Order::Consecutive { count: 0, .. } => return "there are no nodes".to_owned(),
            Order::Consecutive { first, count } => (*count, *first, first + (count - 1)),
            Order::Sorted(sorted) => (
                sorted.len() as u64,
                sorted.first().map_or(0, |pair| pair.0),
                sorted.last().map_or(0, |pair| pair.0),
            ),
        };
        if count == 1 {
            return format!("the only node is number {first}");
        }
        format!("the {count} nodes are numbered from {first} to {last}")
    }
}
