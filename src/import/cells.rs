//! What the volume readers hand in: tets as they are, other solids split, the rest counted for the notes.

use std::borrow::Cow;

use super::split::Solid;
use super::{Content, ImportError, Imported};

/// A kind of cell as a format numbers or names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellType {
    /// In the singular: "hexahedron", "10-node tet".
    pub name: &'static str,
    /// Nodes of one cell; corners come first.
    pub nodes: usize,
    /// What becomes of it.
    pub shape: Shape,
}

/// What becomes of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Kept; further nodes than the four corners are left out.
    Tet,
    /// Split into tets.
    Solid(Solid),
    /// Points, lines and surfaces: left out.
    Flat,
}

/// A cell type in one line of a table.
pub const fn cell(name: &'static str, nodes: usize, shape: Shape) -> CellType {
    CellType { name, nodes, shape }
}

impl CellType {
    /// How many of its nodes are corners.
    pub fn corners(&self) -> usize {
        match self.shape {
            Shape::Tet => 4,
            Shape::Solid(solid) => solid.corners(),
            Shape::Flat => 0,
        }
    }
}

/// The most names counted one by one: a file could make up one for every few bytes.
const MOST_NAMES: usize = 16;

/// Counts by name, in the order in which the names came up.
#[derive(Debug, Default)]
struct Tally {
    counts: Vec<(Cow<'static, str>, u64)>,
    others: u64,
}

impl Tally {
    fn add(&mut self, name: &str, count: u64, own: impl FnOnce() -> Cow<'static, str>) {
        if let Some(entry) = self.counts.iter_mut().find(|entry| entry.0 == name) {
            entry.1 = entry.1.saturating_add(count);
        } else if self.counts.len() < MOST_NAMES {
            self.counts.push((own(), count));
        } else {
            self.others = self.others.saturating_add(count);
        }
    }

    fn total(&self) -> u64 {
        let counts = self.counts.iter().map(|entry| entry.1);
        counts.fold(self.others, u64::saturating_add)
    }

    fn list(&self) -> String {
        let mut parts: Vec<String> = self
            .counts
            .iter()
            .filter(|entry| entry.1 > 0)
            .map(|(name, count)| counted(*count, name))
            .collect();
        if self.others > 0 {
            parts.push(counted(self.others, "other cell"));
        }
        match parts.pop() {
            None => String::new(),
            Some(last) if parts.is_empty() => last,
            Some(last) => format!("{} and {last}", parts.join(", ")),
        }
    }
}

/// "1 triangle", "2 triangles", "3 hexahedra".
pub fn counted(count: u64, name: &str) -> String {
    if count == 1 {
        return format!("1 {name}");
    }
    match name.strip_suffix("hedron") {
        Some(stem) => format!("{count} {stem}hedra"),
        None => format!("{count} {name}s"),
    }
}

fn were(count: u64) -> &'static str {
    if count == 1 { "was" } else { "were" }
}

/// Tets and what else the file holds.
#[derive(Debug, Default)]
pub struct Cells {
    tets: Vec<[u32; 4]>,
    reduced: Tally,
    split: Tally,
    split_tets: u64,
    /// Whether some of them had more nodes than corners.
    split_reduced: bool,
    skipped: Tally,
}

impl Cells {
    /// Room for this many tets.
    pub fn reserve(&mut self, count: usize) {
        self.tets.reserve(count);
    }

    /// A cell by the vertex numbers of its corners, at least [`CellType::corners`] of them.
    pub fn add(&mut self, kind: &CellType, corners: &[u32]) {
        match kind.shape {
            Shape::Tet => {
                if let [a, b, c, d, ..] = *corners {
                    self.tets.push([a, b, c, d]);
                }
                if kind.nodes > 4 {
                    self.reduced.add(kind.name, 1, || kind.name.into());
                }
            }
            Shape::Solid(solid) => {
                let before = self.tets.len();
                solid.split(&corners[..solid.corners()], |tet| self.tets.push(tet));
                self.split_tets += (self.tets.len() - before) as u64;
                self.split_reduced |= kind.nodes > solid.corners();
                self.split.add(kind.name, 1, || kind.name.into());
            }
            Shape::Flat => self.skip(kind.name, 1),
        }
    }

    /// Cells that are left out.
    pub fn skip(&mut self, name: &'static str, count: u64) {
        self.skipped.add(name, count, || name.into());
    }

    /// Cells that are left out, of a type that the file names.
    pub fn skip_named(&mut self, name: &str, count: u64) {
        self.skipped.add(name, count, || name.to_owned().into());
    }

    /// The result; an error if there are no tets. `format` is the family, `variant` what people call the file.
    pub fn finish(
        self,
        format: &'static str,
        variant: String,
        positions: Vec<[f32; 3]>,
        mut notes: Vec<String>,
    ) -> Result<Imported, ImportError> {
        if self.tets.is_empty() {
            let vertices = counted(positions.len() as u64, "node");
            let cells = match self.skipped.list() {
                list if list.is_empty() && self.split.total() == 0 => "no cells at all".to_owned(),
                list if list.is_empty() => format!("{}, all of them degenerate", self.split.list()),
                list => list,
            };
            let advice = if self.skipped.total() > 0 {
                "; save the volume mesh with its solid elements, or give the surface as OBJ, STL, PLY or glTF"
            } else {
                ""
            };
            return Err(ImportError::NoTets {
                format,
                message: format!("the file holds {vertices} and {cells}{advice}"),
            });
        }
        let reduced = self.reduced.total();
        if reduced > 0 {
            notes.push(format!(
                "{} {} reduced to the corners; the further nodes stay as unused vertices",
                self.reduced.list(),
                were(reduced)
            ));
        }
        let split = self.split.total();
        if split > 0 {
            notes.push(format!(
                "{} {} split into {}{}",
                self.split.list(),
                were(split),
                counted(self.split_tets, "tet"),
                if self.split_reduced {
                    " between the corners; the further nodes stay as unused vertices"
                } else {
                    ""
                }
            ));
        }
        let skipped = self.skipped.total();
        if skipped > 0 {
            notes.push(format!(
                "{} {} skipped: only solid cells are simulated",
                self.skipped.list(),
                were(skipped)
            ));
        }
        Ok(Imported {
            format: variant,
            notes,
            content: Content::Tets {
                positions,
                tets: self.tets,
            },
        })
    }
}
