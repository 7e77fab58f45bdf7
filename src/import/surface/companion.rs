//! Files that a file refers to: found among those given beside it, or written out in a `data:` address.

use super::super::NamedFile;
use super::scan::shown;
use crate::surface::SurfaceImage;

/// What notes say behind the quoted name of a file that only the look needs.
const NOT_GIVEN: &str = " was not given: ";

/// The note on such a file: what it is, its name, and what becomes of the surface without it.
#[cold]
#[inline(never)]
pub(super) fn not_given(what: &str, name: &[u8], without: &str) -> String {
    format!("the {what} {}{NOT_GIVEN}{without}", shown(name))
}

/// The name in a note on a file that only the look of a surface needs (a material library, an image) and that was not
/// given; `None` for any other note.
pub fn look_file_not_given(note: &str) -> Option<&str> {
    let (subject, _) = note.split_once(NOT_GIVEN)?;
    let (_, name) = subject.split_once('"')?;
    name.strip_suffix('"')
}

/// The file an address means: the same name, else the same last part of it, without regard to case.
#[inline(never)]
pub(super) fn find<'a>(
    files: &[NamedFile<'a>],
    own: usize,
    address: &[u8],
) -> Option<NamedFile<'a>> {
    let wanted = normal(&percent_decoded(address));
    if wanted.is_empty() {
        return None;
    }
    let others = || {
        files
            .iter()
            .enumerate()
            .filter(|(n, _)| *n != own)
            .map(|(_, f)| f)
    };
    others()
        .find(|file| normal(file.name.as_bytes()) == wanted)
        .or_else(|| others().find(|file| last(&normal(file.name.as_bytes())) == last(&wanted)))
        .copied()
}

/// Lower case with forward slashes and no `./` before it.
#[inline(never)]
fn normal(name: &[u8]) -> Vec<u8> {
    let mut name: Vec<u8> = name
        .iter()
        .map(|&b| {
            if b == b'\\' {
                b'/'
            } else {
                b.to_ascii_lowercase()
            }
        })
        .collect();
    while name.starts_with(b"./") {
        name.drain(..2);
    }
    name
}

fn last(name: &[u8]) -> &[u8] {
    name.rsplit(|&b| b == b'/').next().unwrap_or(name)
}

/// Replaces `%20` and the like by the bytes they stand for.
#[inline(never)]
pub(super) fn percent_decoded(text: &[u8]) -> Vec<u8> {
    let digit = |b: Option<&u8>| (*b? as char).to_digit(16);
    let mut decoded = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let code = (text[at] == b'%')
            .then(|| Some(digit(text.get(at + 1))? * 16 + digit(text.get(at + 2))?))
            .flatten();
        decoded.push(code.map_or(text[at], |code| code as u8));
        at += if code.is_some() { 3 } else { 1 };
    }
    decoded
}

/// The content of a `data:` address: `None` if it is no such address, an error if it is damaged.
#[inline(never)]
pub(super) fn data(address: &str) -> Option<Result<Vec<u8>, String>> {
    if !address.get(..5)?.eq_ignore_ascii_case("data:") {
        return None;
    }
    let address = &address.as_bytes()[5..];
    let Some(comma) = address.iter().position(|&b| b == b',') else {
        return Some(Err("a data: address without a comma".to_owned()));
    };
    let (head, body) = (&address[..comma], &address[comma + 1..]);
    let base64 = head.len() >= 7 && head[head.len() - 7..].eq_ignore_ascii_case(b";base64");
    Some(if base64 {
        base64_decoded(body)
    } else {
        Ok(percent_decoded(body))
    })
}

/// RFC 4648, both alphabets; padding may be missing, white space is skipped.
fn base64_decoded(text: &[u8]) -> Result<Vec<u8>, String> {
    let mut decoded = Vec::with_capacity(text.len() / 4 * 3 + 3);
    let (mut group, mut digits) = (0u32, 0);
    for (place, &b) in text.iter().enumerate() {
        let digit = match b {
            b'A'..=b'Z' => b - b'A',
            b'a'..=b'z' => b - b'a' + 26,
            b'0'..=b'9' => b - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => break,
            _ if b.is_ascii_whitespace() => continue,
            _ => {
                return Err(format!(
                    "character {place} of the base64 text is no digit of it"
                ));
            }
        };
        group = group << 6 | u32::from(digit);
        digits += 1;
        if digits == 4 {
            decoded.extend_from_slice(&group.to_be_bytes()[1..]);
            (group, digits) = (0, 0);
        }
    }
    match digits {
        0 => {}
        2 => decoded.push((group >> 4) as u8),
        3 => decoded.extend_from_slice(&(group >> 2).to_be_bytes()[2..]),
        _ => return Err("the base64 text ends in the middle of a byte".to_owned()),
    }
    Ok(decoded)
}

/// A PNG or JPEG image; otherwise what the bytes are instead.
#[inline(never)]
pub(super) fn image(bytes: &[u8]) -> Result<SurfaceImage, &'static str> {
    let mime = match bytes {
        [0x89, b'P', b'N', b'G', ..] => "image/png",
        [0xff, 0xd8, 0xff, ..] => "image/jpeg",
        [
            b'R',
            b'I',
            b'F',
            b'F',
            _,
            _,
            _,
            _,
            b'W',
            b'E',
            b'B',
            b'P',
            ..,
        ] => return Err("WebP"),
        [0xab, b'K', b'T', b'X', ..] => return Err("KTX2"),
        [b'B', b'M', ..] => return Err("BMP"),
        [b'G', b'I', b'F', b'8', ..] => return Err("GIF"),
        [b'D', b'D', b'S', b' ', ..] => return Err("DDS"),
        [
            _,
            _,
            _,
            _,
            b'f',
            b't',
            b'y',
            b'p',
            b'a',
            b'v',
            b'i',
            b'f',
            ..,
        ] => return Err("AVIF"),
        [] => return Err("empty"),
        _ => return Err("of an unknown kind"),
    };
    Ok(SurfaceImage::Encoded {
        mime: mime.to_owned(),
        bytes: bytes.to_vec(),
    })
}
