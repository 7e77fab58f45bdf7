//! Bytes to arrays: what can be said about a mesh file before its numbers mean anything.

use crate::error::{MeshError, MeshFile};

const POSITION_BYTES: usize = 12;
/// Text is recognised by its first bytes. A binary mesh is all printable there only by a freak: one of 48 bytes, the
/// smallest possible, in fewer than 1 of 10^20 cases.
const TEXT_SAMPLE: usize = 256;
const SHORTEST_TEXT: usize = 5;

/// Refuses text, lengths that are no multiple of the element, and empty files.
pub fn check_bytes(
    positions: &[u8],
    (file, elements, element_bytes): (MeshFile, &[u8], usize),
) -> Result<(), MeshError> {
    let files = [
        (MeshFile::Positions, positions, POSITION_BYTES),
        (file, elements, element_bytes),
    ];
    for (file, bytes, _) in files {
        refuse_text(file, bytes)?;
    }
    for (file, bytes, element_bytes) in files {
        let excess = bytes.len() % element_bytes;
        if excess != 0 {
            return Err(MeshError::LengthNotMultiple {
                file,
                bytes: bytes.len(),
                element_bytes,
                elements: bytes.len() / element_bytes,
                excess,
            });
        }
        if bytes.is_empty() {
            return Err(MeshError::Empty { file });
        }
    }
    Ok(())
}

fn refuse_text(file: MeshFile, bytes: &[u8]) -> Result<(), MeshError> {
    let sample = &bytes[..bytes.len().min(TEXT_SAMPLE)];
    let text = match std::str::from_utf8(sample) {
        Ok(text) => text,
        // The sample may end inside a character.
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&sample[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => return Ok(()),
    };
    let is_text = |c: char| !c.is_control() || matches!(c, '\t' | '\n' | '\r');
    if text.len() < SHORTEST_TEXT || !text.chars().all(is_text) {
        return Ok(());
    }
    let beginning = text.trim_start_matches('\u{feff}').trim_start();
    let looks_like = if beginning.starts_with('<') {
        "HTML"
    } else {
        "plain text"
    };
    Err(MeshError::NotAMesh {
        file,
        bytes: bytes.len(),
        looks_like,
        beginning: beginning.chars().take(32).collect(),
    })
}

/// Decodes positions; bytes after the last whole element are ignored, so [`check_bytes`] comes first.
pub fn positions(bytes: &[u8]) -> Vec<[f32; 3]> {
    words(bytes)
        .map(|element| element.map(f32::from_le_bytes))
        .collect()
}

/// Decodes tets or triangles; bytes after the last whole element are ignored, so [`check_bytes`] comes first.
pub fn elements<const N: usize>(bytes: &[u8]) -> Vec<[u32; N]> {
    words(bytes)
        .map(|element| element.map(u32::from_le_bytes))
        .collect()
}

fn words<const N: usize>(bytes: &[u8]) -> impl Iterator<Item = [[u8; 4]; N]> {
    bytes
        .chunks_exact(4 * N)
        .map(|element| std::array::from_fn(|i| std::array::from_fn(|byte| element[4 * i + byte])))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_error(bytes: &[u8]) -> Option<&'static str> {
        match refuse_text(MeshFile::Positions, bytes) {
            Err(MeshError::NotAMesh { looks_like, .. }) => Some(looks_like),
            _ => None,
        }
    }

    #[test]
    fn text_is_told_from_numbers() {
        assert_eq!(text_error(b"<!doctype html><title>x"), Some("HTML"));
        assert_eq!(
            text_error("\u{feff}\r\n  <html lang=\"de\">".as_bytes()),
            Some("HTML")
        );
        assert_eq!(
            text_error("404 – nicht gefunden".as_bytes()),
            Some("plain text")
        );
        assert_eq!(
            text_error(b"version https://git-lfs.github.com/spec/v1\n"),
            Some("plain text")
        );
        assert_eq!(text_error(&[0x3c, 0x21, 0x21, 0x3f, 0, 0, 0, 0x3f]), None);
        assert_eq!(text_error(b""), None);
    }

    #[test]
    fn text_cut_inside_a_character_is_still_text() {
        let page = "é".repeat(200);
        assert_eq!(text_error(&page.as_bytes()[1..]), None);
        assert_eq!(
            text_error(format!("x{page}").as_bytes()),
            Some("plain text")
        );
    }
}
