//! The header of a PLY file: which elements it has, and what their properties are.

use super::super::ImportError;
use super::scan::{Scanner, Word};

pub(super) const FORMAT: &str = "PLY";

/// A scalar type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    fn named(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"char" | b"int8" => Self::I8,
            b"uchar" | b"uint8" => Self::U8,
            b"short" | b"int16" => Self::I16,
            b"ushort" | b"uint16" => Self::U16,
            b"int" | b"int32" => Self::I32,
            b"uint" | b"uint32" => Self::U32,
            b"float" | b"float32" => Self::F32,
            b"double" | b"float64" => Self::F64,
            _ => return None,
        })
    }

    /// Bytes of a value in a binary file.
    pub fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// What a colour channel of full strength is.
    pub fn full(self) -> f64 {
        match self {
            Self::I8 => 127.0,
            Self::U8 => 255.0,
            Self::I16 => 32_767.0,
            Self::U16 => 65_535.0,
            Self::I32 => 2_147_483_647.0,
            Self::U32 => 4_294_967_295.0,
            Self::F32 | Self::F64 => 1.0,
        }
    }
}

#[derive(Debug, Clone)]
pub(super) struct Property {
    pub name: Vec<u8>,
    pub scalar: Scalar,
    /// Of a list: the type of its length.
    pub length: Option<Scalar>,
}

#[derive(Debug, Clone)]
pub(super) struct Element {
    pub name: Vec<u8>,
    pub count: u64,
    pub properties: Vec<Property>,
}

impl Element {
    /// The place of the scalar property of one of these names.
    #[inline(never)]
    pub fn scalar(&self, names: &[&[u8]]) -> Option<usize> {
        self.properties
            .iter()
            .position(|p| p.length.is_none() && names.contains(&p.name.as_slice()))
    }

    /// The place of the list property of one of these names.
    #[inline(never)]
    pub fn list(&self, names: &[&[u8]]) -> Option<usize> {
        self.properties
            .iter()
            .position(|p| p.length.is_some() && names.contains(&p.name.as_slice()))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Ascii,
    Little,
    Big,
}

pub(super) struct Header<'a> {
    pub encoding: Encoding,
    pub elements: Vec<Element>,
    /// `comment TextureFile NAME`, as MeshLab writes it.
    pub texture: Option<&'a [u8]>,
}

/// Reads up to the first byte of the body.
#[inline(never)]
pub(super) fn header<'a>(scanner: &mut Scanner<'a>) -> Result<Header<'a>, ImportError> {
    let mut encoding = None;
    let mut elements: Vec<Element> = Vec::new();
    let mut texture = None;
    // The first line is the magic number, which recognition has seen.
    while scanner.next_line() {
        let keyword = scanner.word();
        match keyword.map(|word| word.text) {
            Some(b"format") => {
                let word = scanner.word();
                encoding = Some(match word.map(|word| word.text) {
                    Some(b"ascii") => Encoding::Ascii,
                    Some(b"binary_little_endian") => Encoding::Little,
                    Some(b"binary_big_endian") => Encoding::Big,
                    _ => {
                        return Err(scanner
                            .unexpected(word, "ascii, binary_little_endian or binary_big_endian"));
                    }
                });
                let version = scanner.word();
                if version.map(|word| word.text) != Some(b"1.0") {
                    return Err(scanner.unexpected(version, "version 1.0"));
                }
            }
            Some(b"element") => {
                let name = scanner.word();
                let name = name.ok_or_else(|| scanner.unexpected(name, "the element's name"))?;
                let word = scanner.word();
                let count = word
                    .and_then(|word| std::str::from_utf8(word.text).ok()?.parse().ok())
                    .ok_or_else(|| scanner.unexpected(word, "the number of elements"))?;
                elements.push(Element {
                    name: name.text.to_vec(),
                    count,
                    properties: Vec::new(),
                });
            }
            Some(b"property") => {
                let property = property(scanner)?;
                match elements.last_mut() {
                    Some(element) => element.properties.push(property),
                    None => {
                        return Err(scanner.unexpected(keyword, "an element before its properties"));
                    }
                }
            }
            Some(b"comment") => {
                if scanner
                    .word()
                    .is_some_and(|w| w.text.eq_ignore_ascii_case(b"TextureFile"))
                {
                    texture = Some(scanner.rest());
                }
            }
            Some(b"end_header") => {
                scanner.next_line();
                let Some(encoding) = encoding else {
                    return Err(
                        scanner.unexpected(keyword, "a \"format\" line before the header's end")
                    );
                };
                return Ok(Header {
                    encoding,
                    elements,
                    texture,
                });
            }
            Some(b"obj_info") | None => {}
            Some(_) => {
                return Err(scanner.unexpected(
                    keyword,
                    "format, element, property, comment, obj_info or end_header",
                ));
            }
        }
    }
    Err(scanner.unexpected(None, "end_header"))
}

#[inline(never)]
fn property(scanner: &mut Scanner) -> Result<Property, ImportError> {
    let scalar = |scanner: &Scanner, word: Option<Word>| {
        word.and_then(|word| Scalar::named(word.text))
            .ok_or_else(|| {
                scanner.unexpected(
                word,
                "a type: char, uchar, short, ushort, int, uint, float, double or int8 to float64",
            )
            })
    };
    let mut word = scanner.word();
    let length = if word.is_some_and(|word| word.text == b"list") {
        let of = scanner.word();
        let length = scalar(scanner, of)?;
        word = scanner.word();
        Some(length)
    } else {
        None
    };
    let scalar = scalar(scanner, word)?;
    let name = scanner.word();
    let name = name.ok_or_else(|| scanner.unexpected(name, "the property's name"))?;
    Ok(Property {
        name: name.text.to_vec(),
        scalar,
        length,
    })
}
