//! VTK XML unstructured grids (`.vtu`).

mod data;
mod piece;
mod xml;

use super::binary::{Endian, Scalar};
use super::cells::Cells;
use super::error::quoted;
use super::tokens::parse_integer;
use super::{ImportError, Imported};
use data::{Array, Encoding, Source};
use piece::Piece;
use xml::{Tag, Xml};

const FORMAT: &str = "VTU";
/// What a file may expand to: compressed meshes stay well below, files made to exhaust memory do not.
const LARGEST_EXPANSION: usize = 20;
/// What any file may expand to, bytes.
const FREE_EXPANSION: usize = 1 << 18;

/// Where an array stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    Points,
    Cells,
    Other,
}

struct Reader<'a> {
    xml: Xml<'a>,
    bytes: &'a [u8],
    encoding: Encoding,
    /// The appended data after its underscore, once an array asked for it.
    appended: Option<Source<'a>>,
    /// Bytes that may still be allocated.
    budget: usize,
    positions: Vec<[f32; 3]>,
    cells: Cells,
}

/// Reads a file.
pub fn read(bytes: &[u8]) -> Result<Imported, ImportError> {
    let mut xml = Xml::new(FORMAT, bytes);
    let Some(tag) = xml.next()?.1 else {
        return Err(xml.tokens.ended("<VTKFile>"));
    };
    if tag.name != b"VTKFile" || tag.end {
        let found = String::from_utf8_lossy(&tag.name[..tag.name.len().min(32)]);
        return Err(xml
            .tokens
            .malformed(tag.at, format!("expected <VTKFile>, found <{found}>")));
    }
    let encoding = file(&xml, &tag)?;
    let mut reader = Reader {
        xml,
        bytes,
        encoding,
        appended: None,
        budget: bytes
            .len()
            .saturating_mul(LARGEST_EXPANSION)
            .saturating_add(FREE_EXPANSION),
        positions: Vec::new(),
        cells: Cells::default(),
    };
    reader.pieces()?;
    let variant = if encoding.compressed {
        "VTU compressed"
    } else {
        "VTU"
    };
    reader
        .cells
        .finish(FORMAT, variant.to_owned(), reader.positions, Vec::new())
}

fn file(xml: &Xml, tag: &Tag) -> Result<Encoding, ImportError> {
    let refuse = |what: String| Err(xml.tokens.unsupported(tag.at, what));
    match tag.attribute("type") {
        Some(b"UnstructuredGrid") => {}
        Some(b"PUnstructuredGrid") => {
            return refuse("an index of pieces; open the .vtu files that it lists".to_owned());
        }
        other => {
            return refuse(format!(
                "a VTKFile of type {}; only UnstructuredGrid is read",
                quoted(other.unwrap_or_default())
            ));
        }
    }
    let endian = match tag.attribute("byte_order") {
        None | Some(b"LittleEndian") => Endian::Little,
        Some(b"BigEndian") => Endian::Big,
        Some(other) => return refuse(format!("byte_order {}", quoted(other))),
    };
    let header = match tag.attribute("header_type") {
        None | Some(b"UInt32") => Scalar::U32,
        Some(b"UInt64") => Scalar::U64,
        Some(other) => return refuse(format!("header_type {}", quoted(other))),
    };
    let compressed = match tag.attribute("compressor") {
        None | Some(b"") => false,
        Some(b"vtkZLibDataCompressor") => true,
        Some(other) => {
            return refuse(format!(
                "compressor {}; save the file with zlib or without compression",
                quoted(other)
            ));
        }
    };
    Ok(Encoding {
        endian,
        header,
        compressed,
    })
}

impl<'a> Reader<'a> {
    fn pieces(&mut self) -> Result<(), ImportError> {
        let mut piece: Option<Piece> = None;
        let mut section = Section::Other;
        while let (_, Some(tag)) = self.xml.next()? {
            match (tag.name, tag.end) {
                (b"Piece", false) => {
                    let new = Piece {
                        points: self.number(&tag, "NumberOfPoints")?,
                        cells: self.number(&tag, "NumberOfCells")?,
                        ..Piece::default()
                    };
                    if tag.empty {
                        self.piece(&new, tag.at)?;
                    } else {
                        piece = Some(new);
                    }
                }
                (b"Piece", true) => {
                    if let Some(piece) = piece.take() {
                        self.piece(&piece, tag.at)?;
                    }
                }
                (b"Points", end) => {
                    section = if end || tag.empty {
                        Section::Other
                    } else {
                        Section::Points
                    }
                }
                (b"Cells", end) => {
                    section = if end || tag.empty {
                        Section::Other
                    } else {
                        Section::Cells
                    }
                }
                (b"AppendedData", false) => return Ok(()),
                (b"DataArray", false) => {
                    let name = tag.attribute("Name").unwrap_or_default();
                    let slot = piece.as_mut().and_then(|piece| match (section, name) {
                        (Section::Points, _) => Some(&mut piece.positions),
                        (Section::Cells, b"connectivity") => Some(&mut piece.connectivity),
                        (Section::Cells, b"offsets") => Some(&mut piece.offsets),
                        (Section::Cells, b"types") => Some(&mut piece.types),
                        _ => None,
                    });
                    if let Some(slot) = slot {
                        *slot = Some(self.array(&tag)?);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn number(&self, tag: &Tag, name: &str) -> Result<u64, ImportError> {
        let text = tag.attribute(name);
        let number = text
            .and_then(|text| parse_integer(text.trim_ascii()))
            .and_then(|number| u64::try_from(number).ok());
        number.ok_or_else(|| {
            let found = text.map_or_else(|| "nothing".to_owned(), quoted);
            self.xml.tokens.malformed(
                tag.at,
                format!("expected a number as {name}, found {found}"),
            )
        })
    }

    fn array(&mut self, tag: &Tag<'a>) -> Result<Array<'a>, ImportError> {
        let tokens = self.xml.tokens;
        let kind = tag.attribute("type").unwrap_or_default();
        let scalar = match kind {
            b"Int8" => Scalar::I8,
            b"UInt8" => Scalar::U8,
            b"Int16" => Scalar::I16,
            b"UInt16" => Scalar::U16,
            b"Int32" => Scalar::I32,
            b"UInt32" => Scalar::U32,
            b"Int64" => Scalar::I64,
            b"UInt64" => Scalar::U64,
            b"Float32" => Scalar::F32,
            b"Float64" => Scalar::F64,
            other => {
                return Err(tokens.malformed(
                    tag.at,
                    format!(
                        "expected a type such as Float32 or Int64, found {}",
                        quoted(other)
                    ),
                ));
            }
        };
        let format = tag.attribute("format").unwrap_or(b"ascii");
        let source = if format == b"appended" {
            let offset = self.number(tag, "offset")?;
            let (Source::Raw(data) | Source::Base64(data)) = self.appended(tag)? else {
                return Err(tokens.malformed(tag.at, "appended text".to_owned()));
            };
            let Some(from) = usize::try_from(offset)
                .ok()
                .and_then(|from| data.get(from..))
            else {
                return Err(tokens.malformed(
                    tag.at,
                    format!("offset {offset} in appended data of {} bytes", data.len()),
                ));
            };
            match self.appended {
                Some(Source::Base64(_)) => Source::Base64(from),
                _ => Source::Raw(from),
            }
        } else {
            let (begin, text) = self.content(tag)?;
            match format {
                b"ascii" => Source::Text(tokens.ending(begin + text.len()).moved(begin)),
                b"binary" => Source::Base64(text),
                other => {
                    return Err(tokens.malformed(
                        tag.at,
                        format!(
                            "expected format ascii, binary or appended, found {}",
                            quoted(other)
                        ),
                    ));
                }
            }
        };
        Ok(Array {
            tokens,
            at: tag.at,
            name: tag.attribute("Name").unwrap_or(b"Points"),
            scalar,
            source,
        })
    }

    /// The text of an array and where it begins; tags inside, which say more about the array, are passed over.
    fn content(&mut self, tag: &Tag) -> Result<(usize, &'a [u8]), ImportError> {
        if tag.empty {
            return Ok((tag.at, b""));
        }
        loop {
            let (text, next) = self.xml.next()?;
            let Some(next) = next else {
                return Err(self.xml.tokens.ended("</DataArray>"));
            };
            if !text.text.trim_ascii().is_empty() || (next.end && next.name == b"DataArray") {
                return Ok((text.at, text.text));
            }
        }
    }

    fn appended(&mut self, tag: &Tag) -> Result<Source<'a>, ImportError> {
        if let Some(source) = self.appended {
            return Ok(source);
        }
        const OPENING: &[u8] = b"<AppendedData";
        let mut xml = self.xml;
        let file = xml.tokens;
        let missing = || {
            file.malformed(
                tag.at,
                "an appended array, but the file has no <AppendedData>".to_owned(),
            )
        };
        let at = self
            .bytes
            .windows(OPENING.len())
            .position(|window| window == OPENING)
            .ok_or_else(missing)?;
        xml.tokens = xml.tokens.moved(at);
        let (_, Some(opening)) = xml.next()? else {
            return Err(missing());
        };
        let mark = xml.tokens.word("_ before the appended data")?;
        if mark.text[0] != b'_' {
            return Err(xml.tokens.unexpected(mark, "_ before the appended data"));
        }
        let data = &self.bytes[mark.at + 1..];
        let source = match opening.attribute("encoding") {
            Some(b"raw") => Source::Raw(data),
            None | Some(b"base64") => {
                let length = data
                    .iter()
                    .position(|&byte| byte == b'<')
                    .unwrap_or(data.len());
                Source::Base64(&data[..length])
            }
            Some(other) => {
                return Err(xml
                    .tokens
                    .unsupported(opening.at, format!("encoding {}", quoted(other))));
            }
        };
        self.appended = Some(source);
        Ok(source)
    }
}
