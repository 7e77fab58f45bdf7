//! Tells surface formats apart by their content; names only break ties.

use super::super::NamedFile;

/// What a file can be read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Glb,
    Gltf,
    Ply,
    StlBinary,
    StlAscii,
    Obj,
}

/// Lines looked at where a format has no magic number.
const LINES: usize = 400;

/// The format of a file and how sure that is: the magic number counts 2, the extension 1.
#[inline(never)]
pub(super) fn kind(file: &NamedFile) -> Option<(Kind, u32)> {
    let bytes = file.bytes;
    let extension = extension(file.name);
    let named = |name: &str| u32::from(extension == name);
    // First of all: a header of 80 bytes may begin like any other format.
    if is_binary_stl(bytes) {
        return Some((Kind::StlBinary, 2 + named("stl")));
    }
    if bytes.starts_with(b"glTF") {
        return Some((Kind::Glb, 2 + (named("glb") | named("vrm"))));
    }
    let text = after_mark(bytes);
    if text.starts_with(b"ply\n") || text.starts_with(b"ply\r") {
        return Some((Kind::Ply, 2 + named("ply")));
    }
    if text.trim_ascii_start().starts_with(b"{") {
        let sure = is_gltf(bytes);
        return (sure || extension == "gltf")
            .then(|| (Kind::Gltf, 2 * u32::from(sure) + named("gltf")));
    }
    if extension == "stl" && bytes.len() == 84 && stl_count(bytes) == Some(0) {
        return Some((Kind::StlBinary, 3));
    }
    let readable = is_text(bytes);
    if readable && begins_with_word(text, b"solid") {
        let facets = words_at_line_starts(bytes).any(|word| word.eq_ignore_ascii_case(b"facet"));
        if facets || extension == "stl" {
            return Some((Kind::StlAscii, if facets { 2 } else { 0 } + named("stl")));
        }
    }
    if extension == "stl" && !readable && bytes.len() >= 84 {
        return Some((Kind::StlBinary, 1));
    }
    (readable && is_obj(bytes, extension == "obj")).then(|| (Kind::Obj, 1 + named("obj")))
}

/// What follows the last dot of a name, in lower case; empty without one.
fn extension(name: &str) -> String {
    let name = name.as_bytes();
    let start = name.iter().rposition(|&b| b == b'.');
    let extension = start.map_or(&name[..0], |dot| &name[dot + 1..]);
    String::from_utf8_lossy(extension).to_ascii_lowercase()
}

/// Triangles a binary STL announces.
pub(super) fn stl_count(bytes: &[u8]) -> Option<u32> {
    let count = bytes.get(80..84)?;
    Some(u32::from_le_bytes(count.try_into().ok()?))
}

/// Whether a file is exactly as long as the facets that a binary STL would announce. No text is: its characters announce
/// more than 7 GB.
pub(in crate::import) fn is_binary_stl(bytes: &[u8]) -> bool {
    stl_count(bytes)
        .is_some_and(|count| count > 0 && bytes.len() as u64 == 84 + 50 * u64::from(count))
}

/// Without a byte order mark, which some editors put before UTF-8 text.
pub(super) fn after_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

fn begins_with_word(bytes: &[u8], word: &[u8]) -> bool {
    let text = bytes.trim_ascii_start();
    text.len() >= word.len()
        && text[..word.len()].eq_ignore_ascii_case(word)
        && text.get(word.len()).is_none_or(u8::is_ascii_whitespace)
}

/// Zeros and most control characters occur in no text.
fn is_text(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(4096)];
    !head.is_empty()
        && !head
            .iter()
            .any(|&b| b < b' ' && !matches!(b, b'\t' | b'\n' | b'\r' | 0x0c))
}

/// The search of the standard library is for long texts, and ten times the code.
pub(super) fn contains(bytes: &[u8], text: &[u8]) -> bool {
    bytes.windows(text.len()).any(|window| window == text)
}

/// JSON with the one object that glTF demands, and one that a mesh cannot do without.
#[inline(never)]
fn is_gltf(bytes: &[u8]) -> bool {
    contains(bytes, b"\"asset\"")
        && [
            b"\"meshes\"".as_slice(),
            b"\"scenes\"",
            b"\"nodes\"",
            b"\"buffers\"",
        ]
        .iter()
        .any(|key| contains(bytes, key))
}

fn words_at_line_starts(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    after_mark(bytes)
        .split(|&b| b == b'\n' || b == b'\r')
        .filter_map(|line| {
            line.split(u8::is_ascii_whitespace)
                .find(|word| !word.is_empty())
        })
        .take(LINES)
}

/// OBJ has no magic number: nearly all lines must begin with its words, one of them a vertex.
#[inline(never)]
fn is_obj(bytes: &[u8], named: bool) -> bool {
    let (mut known, mut unknown, mut geometry) = (0, 0, 0);
    for word in words_at_line_starts(bytes) {
        match word {
            b"v" | b"f" => geometry += 1,
            b"vt" | b"vn" | b"vp" | b"g" | b"o" | b"s" | b"l" | b"p" | b"usemtl" | b"mtllib" => {
                known += 1;
            }
            _ if word.starts_with(b"#") => {}
            _ => unknown += 1,
        }
    }
    geometry > 0 && (named || unknown * 10 <= known + geometry)
}
