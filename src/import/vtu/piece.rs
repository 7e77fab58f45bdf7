//! A piece of a VTU file: its arrays to vertices and cells, within a budget of memory.

use super::data::Array;
use super::{LARGEST_EXPANSION, Reader};
use crate::import::ImportError;
use crate::import::vtk::cell_types::{self, MOST_CORNERS, Refusal};

/// The arrays of a piece.
#[derive(Debug, Default)]
pub struct Piece<'a> {
    /// Vertices.
    pub points: u64,
    /// Cells.
    pub cells: u64,
    /// Their coordinates.
    pub positions: Option<Array<'a>>,
    /// The points of all cells in a row.
    pub connectivity: Option<Array<'a>>,
    /// Where each cell ends in that row.
    pub offsets: Option<Array<'a>>,
    /// The type of each cell.
    pub types: Option<Array<'a>>,
}

impl Reader<'_> {
    /// Takes memory for `count` things of `bytes` bytes from the budget.
    fn allot(&mut self, array: &Array, count: u64, bytes: usize) -> Result<usize, ImportError> {
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        match self.budget.checked_sub(count.saturating_mul(bytes)) {
            Some(budget) => {
                self.budget = budget;
                Ok(count)
            }
            None => Err(array.malformed(format!(
                "{count} entries are more than a file of {} bytes is trusted to hold ({LARGEST_EXPANSION} times its \
                 size); save it without compression",
                self.bytes.len()
            ))),
        }
    }

    /// Takes the vertices and cells of a piece; `at` is where it stands.
    pub fn piece(&mut self, piece: &Piece, at: usize) -> Result<(), ImportError> {
        let tokens = self.xml.tokens;
        let missing = |name: &str| tokens.malformed(at, format!("the piece has no {name} array"));
        let base = self.positions.len();
        if piece.points > 0 {
            let array = piece.positions.ok_or_else(|| missing("Points"))?;
            let count = self.allot(&array, piece.points, 12)?;
            self.positions.reserve(count);
            let mut position = [0.0; 3];
            let mut axis = 0;
            array.reals(self.encoding, 3 * count as u64, |x| {
                position[axis] = x;
                axis += 1;
                if axis == 3 {
                    self.positions.push(position);
                    axis = 0;
                }
            })?;
        }
        if piece.cells == 0 {
            return Ok(());
        }
        let offsets_array = piece.offsets.ok_or_else(|| missing("offsets"))?;
        let offsets = self.integers(&offsets_array, piece.cells, u32::MAX)?;
        let types_array = piece.types.ok_or_else(|| missing("types"))?;
        let types = self.integers(&types_array, piece.cells, 255)?;
        let array = piece.connectivity.ok_or_else(|| missing("connectivity"))?;
        let length = offsets.last().copied().unwrap_or_default();
        let Some(last) = piece.points.checked_sub(1) else {
            return Err(tokens.malformed(at, "the piece has cells but no points".to_owned()));
        };
        let last = u32::try_from(last).unwrap_or(u32::MAX);
        let connectivity = self.integers(&array, u64::from(length), last)?;
        let tets = types.iter().map(|&kind| cell_types::most_tets(kind)).sum();
        let room = self.allot(&array, tets, 16)?;
        self.cells.reserve(room);

        let mut begin = 0;
        for (cell, (&end, &kind)) in offsets.iter().zip(&types).enumerate() {
            let Some(points) = connectivity.get(begin..end as usize) else {
                return Err(offsets_array.malformed(format!(
                    "offset {end} of cell {cell} after {begin}, in a connectivity of length {length}"
                )));
            };
            begin = end as usize;
            let mut corners = [0; MOST_CORNERS];
            for (corner, point) in corners.iter_mut().zip(points) {
                *corner = base as u32 + point;
            }
            cell_types::add(
                &mut self.cells,
                i64::from(kind),
                points.len() as u64,
                &corners,
            )
            .map_err(|refusal| match refusal {
                Refusal::Wrong(message) => types_array.malformed(format!("cell {cell}: {message}")),
                Refusal::Unsupported(message) => {
                    tokens.unsupported(types_array.at, format!("cell {cell}: {message}"))
                }
            })?;
        }
        Ok(())
    }

    fn integers(
        &mut self,
        array: &Array,
        count: u64,
        largest: u32,
    ) -> Result<Vec<u32>, ImportError> {
        let mut values = Vec::with_capacity(self.allot(array, count, 4)?);
        array.integers(self.encoding, count, largest, |value| values.push(value))?;
        Ok(values)
    }
}
