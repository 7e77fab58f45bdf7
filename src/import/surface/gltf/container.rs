//! What a glTF file is made of: its JSON, the chunks of a GLB, and the buffers that either refers to.

use std::borrow::Cow;

use serde_json::Value;

use super::super::super::{ImportError, Location, NamedFile};
use super::super::scan::shown;
use super::super::{companion, counted};
use super::json::{Object, parse};
use super::{FORMAT, malformed, unsupported};

const JSON: u32 = 0x4e4f_534a;
const BIN: u32 = 0x004e_4942;

/// The JSON and, of a GLB, its binary chunk.
#[inline(never)]
pub(super) fn open<'a>(
    bytes: &'a [u8],
    notes: &mut Vec<String>,
) -> Result<(Value, Option<&'a [u8]>), ImportError> {
    if !bytes.starts_with(b"glTF") {
        let text = super::super::recognise::after_mark(bytes);
        return Ok((parse(text, None)?, None));
    }
    let broken = |byte: usize, message: String| ImportError::Malformed {
        format: FORMAT,
        location: Location::Byte(byte),
        message,
    };
    let word = |at: usize| -> Option<u32> {
        Some(u32::from_le_bytes(
            bytes.get(at..at.checked_add(4)?)?.try_into().ok()?,
        ))
    };
    let (Some(version), Some(length)) = (word(4), word(8)) else {
        return Err(broken(
            4,
            format!(
                "expected a header of 12 bytes, found {} in all",
                bytes.len()
            ),
        ));
    };
    if version != 2 {
        return Err(ImportError::Unsupported {
            format: FORMAT,
            location: Location::Byte(4),
            message: format!("version {version} of GLB: convert the file to glTF 2.0"),
        });
    }
    let length = length as usize;
    if length > bytes.len() {
        return Err(broken(
            8,
            format!(
                "{length} bytes were announced, but the file has {}: it is cut short",
                bytes.len()
            ),
        ));
    }
    if length < bytes.len() {
        notes.push(format!(
            "{} after the end of the GLB were skipped",
            counted(bytes.len() - length, "byte", "bytes")
        ));
    }
    let (mut json, mut bin) = (None, None);
    let mut at = 12;
    while at + 8 <= length {
        let (size, kind) = (word(at).unwrap_or(0) as usize, word(at + 4).unwrap_or(0));
        let start = at + 8;
        let Some(chunk) = start
            .checked_add(size)
            .filter(|end| *end <= length)
            .and_then(|end| bytes.get(start..end))
        else {
            return Err(broken(
                at,
                format!(
                    "a chunk of {size} bytes was announced, but {} are left",
                    length - start
                ),
            ));
        };
        match kind {
            JSON if json.is_none() => json = Some((start, chunk)),
            BIN if bin.is_none() => bin = Some(chunk),
            _ => {}
        }
        at = start + size;
    }
    let Some((start, text)) = json else {
        return Err(broken(12, "expected a JSON chunk, found none".to_owned()));
    };
    // The chunk is padded with spaces; some programs write zeros.
    let padding = text
        .iter()
        .rev()
        .take_while(|&&byte| byte == 0 || byte == b' ')
        .count();
    let text = &text[..text.len() - padding];
    Ok((parse(text, Some(start))?, bin))
}

/// The buffers, each fetched when it is first used.
pub(super) struct Buffers<'a> {
    files: &'a [NamedFile<'a>],
    own: usize,
    bin: Option<&'a [u8]>,
    root: Object<'a>,
    fetched: Vec<Option<Cow<'a, [u8]>>>,
}

impl<'a> Buffers<'a> {
    pub fn new(
        files: &'a [NamedFile<'a>],
        own: usize,
        root: Object<'a>,
        bin: Option<&'a [u8]>,
    ) -> Result<Self, ImportError> {
        let count = root.array("buffers")?.len();
        Ok(Self {
            files,
            own,
            bin,
            root,
            fetched: vec![None; count],
        })
    }

    /// Fetches a buffer, so that [`Self::view`] can lend parts of it.
    #[inline(never)]
    fn fetch(&mut self, index: usize) -> Result<(), ImportError> {
        let buffer = self.root.item("buffers", index)?;
        if self.fetched[index].is_some() {
            return Ok(());
        }
        let length = buffer.required_index("byteLength")?;
        let bytes = match buffer.text("uri")? {
            Some(address) => self.content(address, &buffer.path("uri"))?,
            None => match self.bin.filter(|_| index == 0) {
                Some(bin) => Cow::Borrowed(bin),
                None if buffer.has("extensions") => {
                    return Err(unsupported(format!(
                        "{} is compressed (meshopt): export without compression, for example with gltf-transform",
                        buffer.here()
                    )));
                }
                None => {
                    return Err(malformed(format!(
                        "{} has no uri, and the file no binary chunk for it",
                        buffer.here()
                    )));
                }
            },
        };
        if bytes.len() < length {
            return Err(malformed(format!(
                "{} has {length} bytes as it says, but {} were found: it is cut short",
                buffer.here(),
                bytes.len()
            )));
        }
        self.fetched[index] = Some(bytes);
        Ok(())
    }

    /// The bytes an address means: written out in it, or those of a file given beside this one.
    #[inline(never)]
    pub fn content(&self, address: &str, path: &str) -> Result<Cow<'a, [u8]>, ImportError> {
        match companion::data(address) {
            Some(Ok(bytes)) => return Ok(Cow::Owned(bytes)),
            Some(Err(why)) => return Err(malformed(format!("{path}: {why}"))),
            None => {}
        }
        match companion::find(self.files, self.own, address.as_bytes()) {
            Some(file) => Ok(Cow::Borrowed(file.bytes)),
            None => Err(ImportError::MissingCompanion {
                format: FORMAT,
                name: self.files[self.own].name.to_owned(),
                missing: format!(
                    "{} ({path})",
                    shown(&companion::percent_decoded(address.as_bytes()))
                ),
            }),
        }
    }

    /// The buffer, first byte, length and stride of a view, which lies within its buffer.
    #[inline(never)]
    pub fn locate(&mut self, view: usize) -> Result<View, ImportError> {
        let view = self.root.item("bufferViews", view)?;
        let buffer = view.required_index("buffer")?;
        let start = view.index("byteOffset")?.unwrap_or(0);
        let length = view.required_index("byteLength")?;
        self.fetch(buffer)?;
        let available = self.fetched[buffer].as_ref().map_or(0, |bytes| bytes.len());
        if start.checked_add(length).is_none_or(|end| end > available) {
            return Err(malformed(format!(
                "{} is {length} bytes from byte {start} on, but the buffer has {available}",
                view.here()
            )));
        }
        Ok(View {
            buffer,
            start,
            length,
            stride: view.index("byteStride")?,
        })
    }

    /// The bytes of a view that [`Self::locate`] gave.
    pub fn bytes(&self, view: &View) -> &[u8] {
        self.fetched[view.buffer]
            .as_ref()
            .and_then(|bytes| bytes.get(view.start..view.start + view.length))
            .unwrap_or_default()
    }
}

/// A checked part of a buffer.
#[derive(Debug, Clone, Copy)]
pub(super) struct View {
    buffer: usize,
    start: usize,
    pub length: usize,
    pub stride: Option<usize>,
}
