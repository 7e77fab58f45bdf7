//! Rows of numbers by counting, and the connected pieces of a set of vertices.

/// Rows of numbers of unequal length: `values[offsets[i]..offsets[i + 1]]` is row i.
pub struct Rows {
    pub offsets: Vec<u32>,
    pub values: Vec<u32>,
}

impl Rows {
    /// For each of `count` keys the places in `keys` where it stands, ascending.
    #[inline(never)]
    pub fn places(count: usize, keys: &[u32]) -> Self {
        // The entry after a row's own holds its length, then its start, then its end, which is the next one's start.
        let mut offsets = vec![0; count + 2];
        for &key in keys {
            offsets[key as usize + 2] += 1;
        }
        let mut sum = 0;
        for offset in &mut offsets {
            sum += *offset;
            *offset = sum;
        }
        let mut values = vec![0; keys.len()];
        for (place, &key) in (0u32..).zip(keys) {
            let offset = &mut offsets[key as usize + 1];
            values[*offset as usize] = place;
            *offset += 1;
        }
        offsets.pop();
        Self { offsets, values }
    }

    // Runs once per vertex and part.
    #[inline(always)]
    pub fn row(&self, row: usize) -> &[u32] {
        let (offsets, values) = (self.offsets.as_slice(), self.values.as_slice());
        &values[offsets[row] as usize..offsets[row + 1] as usize]
    }
}

/// Finds connected pieces of sets of vertices.
pub struct Pieces<'a> {
    tets: &'a [[u32; 4]],
    /// Corners of tets at each vertex, four per tet.
    pub corners_at: Rows,
    /// The piece that each vertex, and behind the vertices each tet, was last seen in; numbers are never used again.
    piece: Vec<u32>,
    next: u32,
}

impl<'a> Pieces<'a> {
    pub fn new(vertices: usize, tets: &'a [[u32; 4]]) -> Self {
        Self {
            tets,
            corners_at: Rows::places(vertices, tets.as_flattened()),
            piece: vec![0; vertices + tets.len()],
            next: 1,
        }
    }

    /// Groups `set` by connected pieces and adds their lengths to `lengths`. Pieces come in order of their first
    /// vertices, their vertices in the order in which a search in breadth meets them.
    #[inline(never)]
    pub fn group(&mut self, set: &mut [u32], lengths: &mut Vec<u32>) {
        let unseen = self.next;
        let tets = self.tets;
        // Slices, whose indexing is no call where the code is optimised for size.
        let pieces = self.piece.as_mut_slice();
        let tet_pieces = pieces.len() - tets.len();
        for &vertex in set.iter() {
            pieces[vertex as usize] = unseen;
        }
        let mut queue = Vec::with_capacity(set.len());
        for &seed in set.iter() {
            if pieces[seed as usize] != unseen {
                continue;
            }
            self.next += 1;
            pieces[seed as usize] = self.next;
            let first = queue.len();
            let mut done = first;
            queue.push(seed);
            while let Some(&vertex) = queue.get(done) {
                done += 1;
                for &corner in self.corners_at.row(vertex as usize) {
                    let tet = corner as usize / 4;
                    if std::mem::replace(&mut pieces[tet_pieces + tet], self.next) == self.next {
                        continue;
                    }
                    for &other in &tets[tet] {
                        let piece = &mut pieces[other as usize];
                        if *piece == unseen {
                            *piece = self.next;
                            queue.push(other);
                        }
                    }
                }
            }
            lengths.push((done - first) as u32);
        }
        self.next += 1;
        // A set in one piece keeps its order.
        if lengths.len() > 1 {
            set.copy_from_slice(&queue);
        }
    }
}
