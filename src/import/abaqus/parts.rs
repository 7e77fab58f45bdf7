//! Parts and instances of an Abaqus model: each part numbers its own nodes, and an instance may move it.

use std::collections::HashMap;

use super::{FORMAT, Keyword, Token, Tokens, counted, data_line, fields, quoted};
use crate::import::ImportError;
use crate::import::ids::{IdList, Ids};

/// Nodes that are numbered together.
#[derive(Debug, Default)]
struct Space {
    ids: IdList,
    /// Its vertices, from one to the other.
    begin: usize,
    end: usize,
    translation: Option<[f64; 3]>,
    instances: u32,
}

/// Every part met so far.
#[derive(Debug)]
pub struct Parts {
    /// The first is what stands in no part.
    spaces: Vec<Space>,
    /// Names in small letters.
    by_name: HashMap<Vec<u8>, usize>,
    current: usize,
    /// The translation of the instance that is open, if its own nodes may follow.
    instance: Option<Option<[f64; 3]>>,
}

impl Default for Parts {
    fn default() -> Self {
        Self {
            spaces: vec![Space::default()],
            by_name: HashMap::new(),
            current: 0,
            instance: None,
        }
    }
}

impl Parts {
    /// The numbering that nodes read now belong to; `vertices` are there already.
    pub fn for_nodes(&mut self, vertices: usize) -> &mut IdList {
        if let Some(translation) = self.instance.take() {
            self.open(vertices);
            self.spaces[self.current].translation = translation;
            self.spaces[self.current].instances = 1;
        }
        let ids = &mut self.spaces[self.current].ids;
        ids.go_on_at(vertices);
        ids
    }

    /// The numbering that elements read now refer to.
    pub fn current(&self) -> usize {
        self.current
    }

    fn open(&mut self, vertices: usize) {
        self.current = self.spaces.len();
        self.spaces.push(Space {
            begin: vertices,
            end: usize::MAX,
            ..Space::default()
        });
    }

    /// `*PART`
    pub fn begin(
        &mut self,
        tokens: &Tokens,
        keyword: &Keyword,
        vertices: usize,
    ) -> Result<(), ImportError> {
        self.end(vertices);
        let name = keyword
            .parameter("NAME")
            .ok_or_else(|| tokens.malformed(keyword.at, "*PART without NAME=".to_owned()))?;
        self.open(vertices);
        let known = self.by_name.insert(name.to_ascii_lowercase(), self.current);
        if known.is_some() {
            return Err(tokens.malformed(keyword.at, format!("a second part {}", quoted(name))));
        }
        Ok(())
    }

    /// `*END PART`, `*END INSTANCE`
    pub fn end(&mut self, vertices: usize) {
        if self.current > 0 {
            self.spaces[self.current].end = vertices;
        }
        self.current = 0;
        self.instance = None;
    }

    /// `*INSTANCE`, with a line of translation and one of rotation where it is moved.
    pub fn instance(&mut self, tokens: &mut Tokens, keyword: &Keyword) -> Result<(), ImportError> {
        let Some(name) = keyword.parameter("PART") else {
            return Err(tokens.unsupported(
                keyword.at,
                "an *INSTANCE without PART=; export the whole model".to_owned(),
            ));
        };
        let Some(&part) = self.by_name.get(&name.to_ascii_lowercase()) else {
            return Err(tokens.malformed(
                keyword.at,
                format!("an instance of part {}, which is not given", quoted(name)),
            ));
        };
        let mut translation = None;
        if let Some(line) = data_line(tokens) {
            let mut offset = [0.0; 3];
            for (x, field) in offset.iter_mut().zip(fields(line)) {
                if !field.text.is_empty() {
                    *x = f64::from(tokens.real_of(field, "a translation")?);
                }
            }
            translation = Some(offset).filter(|offset| *offset != [0.0; 3]);
            if let Some(rotation) = data_line(tokens)
                && !unturned(tokens, rotation)?
            {
                return Err(tokens.unsupported(
                    rotation.at,
                    format!(
                        "a rotated instance of part {}; export the model flattened",
                        quoted(name)
                    ),
                ));
            }
        }
        self.instance = Some(translation);
        let space = &mut self.spaces[part];
        space.instances += 1;
        if space.instances > 1 {
            return Err(tokens.unsupported(
                keyword.at,
                format!(
                    "a second instance of part {}; export the model flattened",
                    quoted(name)
                ),
            ));
        }
        space.translation = translation;
        Ok(())
    }

    /// Moves the instances to their places; the numberings to look nodes up in, and what to say about it.
    pub fn finish(
        self,
        positions: &mut [[f32; 3]],
    ) -> Result<(Vec<Ids>, Vec<String>), ImportError> {
        let mut moved = 0;
        let mut with_nodes = 0;
        let mut unused = 0;
        let any_instance = self.spaces.iter().any(|space| space.instances > 0);
        let mut ids = Vec::with_capacity(self.spaces.len());
        for (n, space) in self.spaces.into_iter().enumerate() {
            let end = space.end.min(positions.len());
            if n > 0 && space.begin < end {
                with_nodes += 1;
                unused += u64::from(any_instance && space.instances == 0);
                if let Some(translation) = space.translation {
                    moved += 1;
                    for position in &mut positions[space.begin..end] {
                        for (x, offset) in position.iter_mut().zip(translation) {
                            *x = (f64::from(*x) + offset) as f32;
                        }
                    }
                }
            }
            ids.push(space.ids.finish(FORMAT)?);
        }
        let mut notes = Vec::new();
        if with_nodes > 1 {
            notes.push(format!(
                "{} were read as one mesh",
                counted(with_nodes, "part")
            ));
        }
        if moved > 0 {
            notes.push(format!(
                "{} moved by the translation of the instance",
                were(moved)
            ));
        }
        if unused > 0 {
            notes.push(format!(
                "{} without an instance kept in place",
                were(unused)
            ));
        }
        Ok((ids, notes))
    }
}

/// Whether a line of two points on an axis and an angle turns by 0 degrees.
fn unturned(tokens: &Tokens, line: Token) -> Result<bool, ImportError> {
    match fields(line).nth(6) {
        Some(angle) if !angle.text.is_empty() => {
            Ok(tokens.real_of(angle, "an angle of rotation")? == 0.0)
        }
        _ => Ok(false),
    }
}

fn were(count: u64) -> String {
    format!(
        "{} {}",
        counted(count, "part"),
        if count == 1 { "was" } else { "were" }
    )
}
