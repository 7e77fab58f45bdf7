//! The tangent stiffness as a sparse matrix of 3×3 blocks.

use super::model::Model;
use glam::{DMat3, DVec3};

/// ∂²(elastic energy)/∂x², N/m, at one state. Rows and columns of all vertices, pinned ones included.
#[derive(Debug, Clone)]
pub struct Stiffness {
    starts: Vec<usize>,
    columns: Vec<usize>,
    blocks: Vec<DMat3>,
}

impl Stiffness {
    pub fn new(model: &Model, x: &[DVec3]) -> Self {
        let mut neighbours: Vec<Vec<usize>> = (0..x.len()).map(|v| vec![v]).collect();
        for element in &model.elements {
            for a in element.corners {
                neighbours[a].extend(element.corners);
            }
        }
        let mut starts = vec![0];
        let mut columns = Vec::new();
        for list in &mut neighbours {
            list.sort_unstable();
            list.dedup();
            columns.append(list);
            starts.push(columns.len());
        }
        let blocks = vec![DMat3::ZERO; columns.len()];
        let mut matrix = Self {
            starts,
            columns,
            blocks,
        };
        for element in &model.elements {
            let local = element.stiffness(&element.strain(x, model.lame));
            for (row, &a) in element.corners.iter().enumerate() {
                for (column, &b) in element.corners.iter().enumerate() {
                    let (first, last) = (matrix.starts[a], matrix.starts[a + 1]);
                    let at = matrix.columns[first..last]
                        .binary_search(&b)
                        .expect("invariant: corners of a tet are neighbours");
                    matrix.blocks[first + at] += local[row][column];
                }
            }
        }
        matrix
    }

    /// Columns and blocks of one row.
    pub fn row(&self, vertex: usize) -> impl Iterator<Item = (usize, DMat3)> + '_ {
        (self.starts[vertex]..self.starts[vertex + 1]).map(|at| (self.columns[at], self.blocks[at]))
    }

    /// K p.
    pub fn multiply(&self, p: &[DVec3]) -> Vec<DVec3> {
        (0..p.len())
            .map(|vertex| self.row(vertex).map(|(v, block)| block * p[v]).sum())
            .collect()
    }
}
