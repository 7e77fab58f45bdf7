//! STL, ASCII and binary: loose facets, joined again where corners are at bit-identical positions.

use std::collections::HashMap;

use super::super::{ImportError, Location};
use super::builder::{Builder, Material, Vertex, linear};
use super::counted;
use super::recognise::stl_count;
use super::scan::{Scanner, Word};
use crate::surface::SurfaceMesh;

const FORMAT: &str = "STL";
const HEADER: usize = 84;
const FACET: usize = 50;

/// Joins the corners of facets.
#[derive(Default)]
struct Welder {
    builder: Builder,
    vertices: HashMap<[u32; 3], u32>,
    corners: usize,
}

impl Welder {
    #[inline(never)]
    fn facet(&mut self, corners: [[f32; 3]; 3], material: Option<usize>) {
        let numbers = corners.map(|position| {
            // Adding zero makes -0 the same place as 0.
            let position = position.map(|x| x + 0.0);
            *self
                .vertices
                .entry(position.map(f32::to_bits))
                .or_insert_with(|| {
                    self.builder.vertex(Vertex {
                        position,
                        ..Vertex::default()
                    })
                })
        });
        self.corners += 3;
        self.builder.triangle(numbers, material);
    }

    #[inline(never)]
    fn finish(self, notes: &mut Vec<String>) -> Result<SurfaceMesh, ImportError> {
        if self.corners == 0 {
            return Err(ImportError::NoTets {
                format: FORMAT,
                message: "the file is sound but has no facet".to_owned(),
            });
        }
        notes.push(format!(
            "{} of {} were joined where positions are equal, leaving {}",
            counted(self.corners, "corner", "corners"),
            counted(self.corners / 3, "facet", "facets"),
            counted(self.builder.vertex_count(), "vertex", "vertices"),
        ));
        self.builder.finish(FORMAT)
    }
}

/// Reads the text form. Facet normals are not used: they follow from the corners.
#[inline(never)]
pub(super) fn read_ascii(
    bytes: &[u8],
    notes: &mut Vec<String>,
) -> Result<SurfaceMesh, ImportError> {
    let mut scanner = Scanner::new(bytes, FORMAT);
    let mut welder = Welder::default();
    let mut solids = 0;
    while let Some(word) = scanner.word_anywhere() {
        if !word.text.eq_ignore_ascii_case(b"solid") {
            return Err(scanner.unexpected(Some(word), "\"solid\""));
        }
        scanner.next_line();
        solids += 1;
        loop {
            let facets = welder.corners / 3;
            let word = scanner.word_anywhere();
            match word {
                Some(word) if word.text.eq_ignore_ascii_case(b"facet") => {
                    facet(&mut scanner, &mut welder)?;
                }
                Some(word) if word.text.eq_ignore_ascii_case(b"endsolid") => {
                    scanner.next_line();
                    break;
                }
                _ => {
                    let expected = format!(
                        "\"facet\" or \"endsolid\" after {}",
                        counted(facets, "facet", "facets")
                    );
                    return Err(scanner.unexpected(word, &expected));
                }
            }
        }
    }
    if solids > 1 {
        notes.push(format!("{solids} solids were taken as one surface"));
    }
    welder.finish(notes)
}

/// What follows the word "facet".
fn facet(scanner: &mut Scanner, welder: &mut Welder) -> Result<(), ImportError> {
    let number = welder.corners / 3;
    // The normal may be any four words, even "-nan(ind)".
    let mut word = scanner.word_anywhere();
    for _ in 0..4 {
        if word.is_some_and(|word| word.text.eq_ignore_ascii_case(b"outer")) {
            break;
        }
        word = scanner.word_anywhere();
    }
    expect(scanner, word, "outer", number)?;
    let word = scanner.word_anywhere();
    expect(scanner, word, "loop", number)?;
    let mut corners = [[0.0; 3]; 3];
    for corner in &mut corners {
        let word = scanner.word_anywhere();
        expect(scanner, word, "vertex", number)?;
        for x in corner {
            let word = scanner.word();
            *x = scanner.single(word, "a coordinate")?;
        }
    }
    for keyword in ["endloop", "endfacet"] {
        let word = scanner.word_anywhere();
        expect(scanner, word, keyword, number)?;
    }
    welder.facet(corners, None);
    Ok(())
}

#[inline(never)]
fn expect(
    scanner: &Scanner,
    word: Option<Word>,
    keyword: &str,
    facet: usize,
) -> Result<(), ImportError> {
    if word.is_some_and(|word| word.text.eq_ignore_ascii_case(keyword.as_bytes())) {
        return Ok(());
    }
    Err(scanner.unexpected(word, &format!("\"{keyword}\" in facet {facet}")))
}

/// Reads the binary form, with the facet colours of Materialise Magics where the header announces them.
#[inline(never)]
pub(super) fn read_binary(
    bytes: &[u8],
    notes: &mut Vec<String>,
) -> Result<SurfaceMesh, ImportError> {
    let count = stl_count(bytes).unwrap_or(0) as usize;
    let facets = bytes.get(HEADER..).unwrap_or_default();
    let needed = HEADER as u64 + count as u64 * FACET as u64;
    if (bytes.len() as u64) < needed {
        return Err(ImportError::Malformed {
            format: FORMAT,
            location: Location::Byte(80),
            message: format!(
                "{} announced, {needed} bytes, but the file has {} bytes, {} whole: it is cut short",
                counted(count, "facet is", "facets are"),
                bytes.len(),
                counted(facets.len() / FACET, "facet", "facets"),
            ),
        });
    }
    if bytes.len() as u64 > needed {
        notes.push(format!(
            "{} after the last facet were skipped",
            counted((bytes.len() as u64 - needed) as usize, "byte", "bytes")
        ));
    }
    let mut welder = Welder::default();
    let own = header_color(&bytes[..80]);
    // Of the same type as the map of positions, whose code is then enough.
    let mut colors: HashMap<[u32; 3], u32> = HashMap::new();
    for (number, facet) in facets.chunks_exact(FACET).take(count).enumerate() {
        let float = |place: usize| {
            let start = 12 + 4 * place;
            f32::from_le_bytes([
                facet[start],
                facet[start + 1],
                facet[start + 2],
                facet[start + 3],
            ])
        };
        let corners = [0, 3, 6].map(|first| [float(first), float(first + 1), float(first + 2)]);
        if let Some(place) = (0..9).find(|&place| !float(place).is_finite()) {
            return Err(ImportError::Malformed {
                format: FORMAT,
                location: Location::Byte(HEADER + number * FACET + 12 + 4 * place),
                message: format!(
                    "expected a finite coordinate, found {} in corner {} of facet {number}",
                    crate::text::Number::from(float(place)),
                    place / 3
                ),
            });
        }
        let material = own.map(|own| {
            let code = u16::from_le_bytes([facet[48], facet[49]]);
            // The highest bit says "as the whole object".
            let code = if code & 0x8000 == 0 { code } else { 0x8000 };
            *colors.entry([u32::from(code), 0, 0]).or_insert_with(|| {
                let channel = |shift: u16| linear(f32::from(code >> shift & 31) / 31.0);
                welder.builder.material(Material {
                    color: if code == 0x8000 {
                        own
                    } else {
                        [channel(0), channel(5), channel(10), 1.0]
                    },
                    image: None,
                }) as u32
            })
        });
        welder.facet(corners, material.map(|material| material as usize));
    }
    welder.finish(notes)
}

/// The colour of the object in the header of Materialise Magics: `COLOR=` and four bytes.
fn header_color(header: &[u8]) -> Option<[f32; 4]> {
    let start = header.windows(6).position(|text| text == b"COLOR=")? + 6;
    let rgba = header.get(start..start + 4)?;
    let channel = |n: usize| linear(f32::from(rgba[n]) / 255.0);
    Some([
        channel(0),
        channel(1),
        channel(2),
        f32::from(rgba[3]) / 255.0,
    ])
}
