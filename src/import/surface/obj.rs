//! Wavefront OBJ: polygons over positions, texture coordinates and normals that are counted separately.

use std::collections::HashMap;

use super::super::{ImportError, Location, NamedFile};
use super::builder::{Builder, Vertex, linear};
use super::counted;
use super::obj_material::Materials;
use super::polygon::Triangulator;
use super::scan::{Scanner, Word, shown};
use crate::surface::SurfaceMesh;

const FORMAT: &str = "OBJ";
/// Stands for a texture coordinate or normal that a corner leaves out.
const NONE: u32 = u32::MAX;

/// One of the three lists that corners refer to, and the farthest a corner has reached into it.
struct List {
    name: &'static str,
    farthest: Option<(u32, Location)>,
}

impl List {
    fn new(name: &'static str) -> Self {
        Self {
            name,
            farthest: None,
        }
    }

    /// The entry a corner means: from 1 on counted from the beginning, below 0 back from the `known` so far.
    #[inline(never)]
    fn resolve(
        &mut self,
        scanner: &Scanner,
        word: Word,
        text: &[u8],
        known: usize,
    ) -> Result<u32, ImportError> {
        let index: Option<i64> = std::str::from_utf8(text).ok().and_then(|t| t.parse().ok());
        let entry = match index {
            Some(index @ 1..) => u32::try_from(index - 1).ok().filter(|&entry| entry != NONE),
            Some(index @ ..=-1) => (known as i64)
                .checked_add(index)
                .and_then(|entry| u32::try_from(entry).ok()),
            _ => {
                return Err(scanner.unexpected(
                    Some(word),
                    "a corner: v, v/vt, v//vn or v/vt/vn, each a whole number but 0",
                ));
            }
        };
        let entry = entry.ok_or_else(|| {
            scanner.malformed(
                word.location,
                format!(
                    "the corner {} refers to {} {}, but there are {known} so far",
                    shown(word.text),
                    self.name,
                    index.unwrap_or_default()
                ),
            )
        })?;
        if self.farthest.is_none_or(|(farthest, _)| entry > farthest) {
            self.farthest = Some((entry, word.location));
        }
        Ok(entry)
    }

    /// Entries may stand after the faces that use them, so that this is known only at the end.
    fn check(&self, scanner: &Scanner, count: usize) -> Result<(), ImportError> {
        match self.farthest {
            Some((entry, location)) if entry as usize >= count => Err(scanner.malformed(
                location,
                format!(
                    "the corner refers to {} {}, but the file has {count}",
                    self.name,
                    u64::from(entry) + 1,
                ),
            )),
            _ => Ok(()),
        }
    }
}

struct Face {
    corners: u32,
    material: Option<usize>,
}

/// All that a file says, before vertices are made of it.
struct Statements {
    positions: Vec<[f32; 3]>,
    uvs: Vec<[f32; 2]>,
    normals: Vec<[f32; 3]>,
    /// What corners refer to of the three.
    lists: [List; 3],
    /// One per position, or none at all.
    colors: Vec<[f32; 4]>,
    corners: Vec<[u32; 3]>,
    faces: Vec<Face>,
    /// Lines and points, curves and free-form surfaces, and faces of fewer than 3 corners.
    skipped: [usize; 3],
}

impl Statements {
    /// Entries of the three lists so far.
    fn counts(&self) -> [usize; 3] {
        [self.positions.len(), self.uvs.len(), self.normals.len()]
    }
}

/// Reads the file and the material libraries it names, if they were given.
pub(super) fn read(
    files: &[NamedFile],
    index: usize,
    notes: &mut Vec<String>,
) -> Result<SurfaceMesh, ImportError> {
    let mut scanner = Scanner::with_continuations(files[index].bytes, FORMAT);
    let mut builder = Builder::default();
    let mut materials = Materials::default();
    let statements = statements(&mut scanner, &mut materials)?;
    for (list, count) in statements.lists.iter().zip(statements.counts()) {
        list.check(&scanner, count)?;
    }
    let [lines, free_form, small] = statements.skipped;
    if statements.faces.is_empty() {
        return Err(ImportError::NoTets {
            format: FORMAT,
            message: format!(
                "{} but no face (lines and points: {lines}, free-form statements: {free_form}, faces of fewer than 3 corners: {small}): export polygons",
                counted(statements.positions.len(), "vertex", "vertices"),
            ),
        });
    }
    if lines > 0 {
        notes.push(format!(
            "{} of lines or points were skipped",
            counted(lines, "statement", "statements")
        ));
    }
    if free_form > 0 {
        notes.push(format!(
            "{} of free-form curves and surfaces were skipped",
            counted(free_form, "statement", "statements")
        ));
    }
    if small > 0 {
        notes.push(format!(
            "{} of fewer than 3 corners were skipped",
            counted(small, "face", "faces")
        ));
    }
    let looks = materials.resolve(files, index, &mut builder, notes);
    assemble(statements, &mut builder, &looks, notes);
    builder.finish(FORMAT)
}

#[inline(never)]
fn statements<'a>(
    scanner: &mut Scanner<'a>,
    materials: &mut Materials<'a>,
) -> Result<Statements, ImportError> {
    let mut s = Statements {
        positions: Vec::new(),
        uvs: Vec::new(),
        normals: Vec::new(),
        lists: ["vertex", "texture coordinate", "normal"].map(List::new),
        colors: Vec::new(),
        corners: Vec::new(),
        faces: Vec::new(),
        skipped: [0; 3],
    };
    let mut material = None;
    loop {
        match scanner.word().map(|word| word.text) {
            Some(b"v") => position(scanner, &mut s)?,
            Some(b"vt") => {
                let word = scanner.word();
                let u = scanner.single(word, "a texture coordinate")?;
                let v = match scanner.word() {
                    Some(word) if !word.text.starts_with(b"#") => {
                        scanner.single(Some(word), "a texture coordinate")?
                    }
                    _ => 0.0,
                };
                // OBJ counts v from the lower edge of the image.
                s.uvs.push([u, 1.0 - v]);
            }
            Some(b"vn") => {
                let mut normal = [0.0; 3];
                for x in &mut normal {
                    let word = scanner.word();
                    // A normal that is no number is filled in later: it does not decide the shape.
                    *x = match word {
                        Some(word) if word.text.to_ascii_lowercase().ends_with(b"nan") => f32::NAN,
                        _ => scanner.single(word, "a component of a normal")?,
                    };
                }
                s.normals.push(normal);
            }
            Some(b"f" | b"fo") => face(scanner, &mut s, material)?,
            Some(b"usemtl") => material = Some(materials.used(scanner.rest())),
            Some(b"mtllib") => materials.library(scanner.rest()),
            Some(b"l" | b"p") => s.skipped[0] += 1,
            Some(b"curv" | b"curv2" | b"surf") => s.skipped[1] += 1,
            _ => {}
        }
        if !scanner.next_line() {
            return Ok(s);
        }
    }
}

/// `v x y z`, perhaps with a weight, which polygons do not use, or with a colour.
#[inline(never)]
fn position(scanner: &mut Scanner, s: &mut Statements) -> Result<(), ImportError> {
    let mut position = [0.0; 3];
    for x in &mut position {
        let word = scanner.word();
        *x = scanner.single(word, "a coordinate")?;
    }
    let mut more = [0.0; 3];
    let mut count = 0;
    while count < 3
        && let Some(word) = scanner.word()
        && !word.text.starts_with(b"#")
    {
        more[count] = scanner.single(Some(word), "a weight or colour")?;
        count += 1;
    }
    if count == 3 || !s.colors.is_empty() {
        s.colors.resize(s.positions.len(), [1.0; 4]);
        s.colors.push(match count {
            3 => [more[0], more[1], more[2], 1.0],
            _ => [1.0; 4],
        });
    }
    s.positions.push(position);
    Ok(())
}

#[inline(never)]
fn face(
    scanner: &mut Scanner,
    s: &mut Statements,
    material: Option<usize>,
) -> Result<(), ImportError> {
    let first = s.corners.len();
    let mut corners = 0;
    while let Some(word) = scanner.word() {
        if word.text.starts_with(b"#") {
            break;
        }
        let mut corner = [NONE; 3];
        let counts = s.counts();
        let mut fields = word.text.split(|&b| b == b'/');
        for (place, entry) in corner.iter_mut().enumerate() {
            // Only texture coordinates and normals may be left out.
            match fields.next() {
                Some(b"") | None if place > 0 => {}
                field => {
                    let field = field.unwrap_or_default();
                    *entry = s.lists[place].resolve(scanner, word, field, counts[place])?;
                }
            }
        }
        if fields.next().is_some() {
            return Err(scanner.unexpected(Some(word), "a corner of at most three indices"));
        }
        s.corners.push(corner);
        corners += 1;
    }
    if corners < 3 {
        s.corners.truncate(first);
        s.skipped[2] += 1;
        return Ok(());
    }
    s.faces.push(Face { corners, material });
    Ok(())
}

/// Makes a vertex of every combination of position, texture coordinate and normal, and triangles of the faces.
#[inline(never)]
fn assemble(s: Statements, builder: &mut Builder, looks: &[usize], notes: &mut Vec<String>) {
    // Some programs write 0 to 255. Others write a little more than 1: that is bright, and not the black of 1 in 255.
    let channels = || s.colors.iter().flatten();
    let brightest = channels().fold(0.0, |m: f32, &c| m.max(c));
    let bytes = brightest > 16.0 || brightest > 1.0 && channels().all(|c| c.fract() == 0.0);
    let scale = if bytes { 1.0 / 255.0 } else { 1.0 };
    if bytes {
        notes.push("vertex colours were taken as 0 to 255: some are above 1".to_owned());
    }
    let mut numbers: HashMap<[u32; 3], u32> = HashMap::new();
    let mut triangulator = Triangulator::new();
    let mut first = 0;
    let mut polygon = Vec::new();
    for face in &s.faces {
        let corners = &s.corners[first..first + face.corners as usize];
        first += face.corners as usize;
        polygon.clear();
        polygon.extend(corners.iter().map(|&corner| {
            *numbers.entry(corner).or_insert_with(|| {
                let [position, uv, normal] = corner.map(|entry| entry as usize);
                builder.vertex(Vertex {
                    position: s.positions[position],
                    uv: s.uvs.get(uv).copied(),
                    normal: s.normals.get(normal).copied(),
                    color: s.colors.get(position).map(|color| {
                        let [r, g, b, a] = *color;
                        [linear(r * scale), linear(g * scale), linear(b * scale), a]
                    }),
                })
            })
        }));
        let material = face.material.and_then(|m| looks.get(m)).copied();
        let triangles = triangulator.triangulate(corners.len(), |corner| {
            s.positions[corners[corner][0] as usize]
        });
        for triangle in triangles {
            builder.triangle(triangle.map(|corner| polygon[corner]), material);
        }
    }
    note_fans(&triangulator, notes);
}

/// Says which polygons may have come out wrong.
pub(super) fn note_fans(triangulator: &Triangulator, notes: &mut Vec<String>) {
    if triangulator.fans > 0 {
        notes.push(format!(
            "{} with very many corners became fans: triangulate in the program that made the file",
            counted(triangulator.fans, "concave polygon", "concave polygons")
        ));
    }
}
