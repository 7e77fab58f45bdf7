//! The elements of a grid, batch by batch in the checkerboard manner.

use super::{ClothBend, ClothEdge, ClothElements, NO_VERTEX};

/// The four families of springs: columns from the cell's left of the first and of the second end, rows from the first
/// end down to the second, and whether they resist shear. Those along rows and columns come first: the other way round a
/// hanging sheet's largest strain is a third larger (docs/notes/cloth.md).
const FAMILIES: [(u32, u32, u32, bool); 4] = [
    (0, 1, 0, false),
    (0, 0, 1, false),
    (0, 1, 1, true),
    (1, 0, 1, true),
];

/// The elements of a grid of columns, rows and spacing (m).
pub fn elements((columns, rows, spacing): (u32, u32, f64)) -> ClothElements {
    let particles = (columns * rows) as usize;
    let mut found = ClothElements {
        edges: Vec::with_capacity(4 * particles),
        bends: Vec::with_capacity(2 * particles),
        total_area: f64::from(columns - 1) * f64::from(rows - 1) * spacing * spacing,
        ..ClothElements::default()
    };
    let on_border = |place: u32, count: u32| place == 0 || place + 1 == count;

    for (first, second, down, shear) in FAMILIES {
        let across = first.max(second);
        let length = spacing * f64::from(across + down).sqrt();
        for parity in 0..2 {
            let begin = found.edges.len() as u32;
            let (i0, j0, di, dj) = stride(across > 0, parity, 2);
            for j in (j0..rows - down).step_by(dj) {
                for i in (i0..columns - across).step_by(di) {
                    let half = !shear
                        && if down == 0 {
                            on_border(j, rows)
                        } else {
                            on_border(i, columns)
                        };
                    found.edges.push(ClothEdge {
                        vertices: [j * columns + i + first, (j + down) * columns + i + second],
                        length: length as f32,
                        factor: if half { 2.0 } else { 1.0 },
                        shear,
                    });
                }
            }
            let end = found.edges.len() as u32;
            found
                .edge_batches
                .extend((begin < end).then_some(begin..end));
        }
    }

    for along_row in [true, false] {
        let (across, down) = if along_row { (2, 0) } else { (0, 2) };
        let step = if along_row { 1 } else { columns };
        for third in 0..3 {
            let begin = found.bends.len() as u32;
            let (i0, j0, di, dj) = stride(along_row, third, 3);
            for j in (j0..rows.saturating_sub(down)).step_by(dj) {
                for i in (i0..columns.saturating_sub(across)).step_by(di) {
                    let half = if along_row {
                        on_border(j, rows)
                    } else {
                        on_border(i, columns)
                    };
                    let share: f64 = if half { 0.5 } else { 1.0 };
                    let weight = (share.sqrt() / spacing) as f32;
                    let a = j * columns + i;
                    found.bends.push(ClothBend {
                        vertices: [a, a + step, a + 2 * step, NO_VERTEX],
                        weights: [weight, -2.0 * weight, weight],
                        rest: 0.0,
                    });
                }
            }
            let end = found.bends.len() as u32;
            found
                .bend_batches
                .extend((begin < end).then_some(begin..end));
        }
    }

    for j in 0..rows {
        for i in 0..columns {
            let [wide, high] = [on_border(i, columns), on_border(j, rows)]
                .map(|half| if half { 0.5 } else { 1.0 });
            found
                .vertex_areas
                .push((spacing * spacing * wide * high) as f32);
            // Diagonals run from the vertices whose column and row are both even or both odd.
            found
                .triangle_shares
                .push(if (i + j) % 2 == 0 { 0.25 } else { 0.5 });
        }
    }
    found
}

/// First column and row and the steps from one element of a batch to the next: only along the elements they leave some
/// out.
fn stride(along_rows: bool, start: u32, step: usize) -> (u32, u32, usize, usize) {
    if along_rows {
        (start, 0, step, 1)
    } else {
        (0, start, 1, step)
    }
}
