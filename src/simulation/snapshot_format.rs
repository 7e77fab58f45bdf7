//! The bytes of a snapshot: head, sections, checksum; and everything that can be wrong with them.

use crate::settings::SettingError;
use crate::text::Number;
use bytemuck::{Pod, Zeroable, bytes_of, cast_slice_mut, pod_read_unaligned};

const MAGIC: [u8; 8] = *b"softbody";
const VERSION: u32 = 2;
/// Tag, length and content of the checksum.
const CHECKSUM_BYTES: usize = 16;
// Numbers are copied as they lie in memory.
const _: () = assert!(cfg!(target_endian = "little"));

/// Why bytes are no snapshot of the loaded body. The simulation is as it was.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SnapshotError {
    /// They are something else.
    #[error("snapshot is {0} bytes of something else: it does not begin with \"softbody\"")]
    Foreign(usize),
    /// A release with another format wrote them.
    #[error("snapshot has version {0}, but this release reads versions 1 to {VERSION}")]
    Version(u32),
    /// The end is missing, or there is more than the head says.
    #[error(
        "snapshot has {found} bytes, but its sections reach to {expected}: it is cut short or damaged"
    )]
    Length {
        /// Bytes given.
        found: usize,
        /// Bytes that the lengths in them add up to.
        expected: u64,
    },
    /// Some byte is not what was written.
    #[error(
        "snapshot is damaged: its checksum is {expected:x}, but that of its {bytes} bytes is {found:x}"
    )]
    Checksum {
        /// Bytes before the checksum.
        bytes: usize,
        /// What they come to.
        found: u64,
        /// What was written.
        expected: u64,
    },
    /// A section is missing (then it has 0 bytes), or of another length than its content.
    #[error("snapshot has {found} bytes in its section \"{section}\", but must have {expected}")]
    Section {
        /// Its tag.
        section: &'static str,
        /// Bytes it has.
        found: usize,
        /// Bytes it needs.
        expected: usize,
    },
    /// It was taken of another mesh, or of this one in another scale.
    #[error(
        "snapshot is of another mesh: of {vertices} vertices and {tets} tets or triangles, but the loaded one has \
         {own_vertices} and {own_tets}; with the same numbers, its shape, units or scale differ"
    )]
    OtherMesh {
        /// Vertices it is of.
        vertices: u32,
        /// Tets it is of.
        tets: u32,
        /// Vertices of the loaded mesh.
        own_vertices: u32,
        /// Its tets.
        own_tets: u32,
    },
    /// A number of a vertex, or one that counts for all, that no body can have.
    #[error("snapshot: {what} {index} has the number {}, but must have {expected}", Number::from(*value))]
    Range {
        /// Which quantity.
        what: &'static str,
        /// Of which vertex; 0 for what all share.
        index: usize,
        /// The number.
        value: f32,
        /// The accepted range in words.
        expected: &'static str,
    },
    /// A setting out of its range.
    #[error("snapshot: {0}")]
    Setting(#[from] SettingError),
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Head {
    magic: [u8; 8],
    version: u32,
    sections: u32,
}

/// FNV-1a (Fowler, Noll, Vo) of 64 bits over one part after the other, a word of 32 bits at a time; fewer bytes at the end
/// of a part are a word with zeros. Every step can be undone, so no change within one word goes unnoticed.
#[inline(never)]
pub fn checksum(parts: &[&[u8]]) -> u64 {
    let words = parts.iter().flat_map(|part| part.chunks(4));
    words.fold(0xcbf2_9ce4_8422_2325, |hash, chunk| {
        let mut word = [0; 4];
        word[..chunk.len()].copy_from_slice(chunk);
        (hash ^ u64::from(u32::from_le_bytes(word))).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The head of a snapshot of `sections` sections, the checksum not counted.
pub fn begin(sections: u32) -> Vec<u8> {
    let head = Head {
        magic: MAGIC,
        version: VERSION,
        sections: sections + 1,
    };
    bytes_of(&head).to_vec()
}

/// Adds a section. Its tag has four letters.
// Called nine times.
#[inline(never)]
pub fn put(bytes: &mut Vec<u8>, tag: &str, content: &[u8]) {
    bytes.extend_from_slice(tag.as_bytes());
    bytes.extend_from_slice(&(content.len() as u32).to_le_bytes());
    bytes.extend_from_slice(content);
}

/// Adds the checksum, after the last section.
pub fn end(bytes: &mut Vec<u8>) {
    let sum = checksum(&[bytes]).to_le_bytes();
    put(bytes, "fnv1", &sum);
}

/// The sections of a snapshot, after head and checksum were checked.
pub struct Sections<'a> {
    bytes: &'a [u8],
    count: u32,
}

impl<'a> Sections<'a> {
    /// Checks the head, that the sections fill the bytes exactly, and their checksum.
    pub fn new(bytes: &'a [u8]) -> Result<Self, SnapshotError> {
        let Some((head, rest)) = bytes.split_at_checked(size_of::<Head>()) else {
            return Err(SnapshotError::Foreign(bytes.len()));
        };
        let head: Head = pod_read_unaligned(head);
        if head.magic != MAGIC {
            return Err(SnapshotError::Foreign(bytes.len()));
        }
        if !(1..=VERSION).contains(&head.version) {
            return Err(SnapshotError::Version(head.version));
        }
        let sections = Self {
            bytes: rest,
            count: head.sections,
        };
        let mut end = 0;
        for index in 0..sections.count {
            end = sections.end_of(end);
            if end > rest.len() as u64 && index + 1 < sections.count {
                break;
            }
        }
        if end != rest.len() as u64 {
            return Err(SnapshotError::Length {
                found: bytes.len(),
                expected: end + size_of::<Head>() as u64,
            });
        }
        if head.version > 1 {
            let expected = pod_read_unaligned(sections.find("fnv1", size_of::<u64>())?);
            let end = bytes.len() - CHECKSUM_BYTES;
            let found = checksum(&[&bytes[..end]]);
            if found != expected {
                return Err(SnapshotError::Checksum {
                    bytes: end,
                    found,
                    expected,
                });
            }
        }
        Ok(sections)
    }

    /// Where the section that begins at `start` ends; beyond the bytes where they end before.
    fn end_of(&self, start: u64) -> u64 {
        let length = usize::try_from(start)
            .ok()
            .and_then(|start| self.bytes.get(start..)?.get(4..8))
            .map_or(0, pod_read_unaligned::<u32>);
        start + 8 + u64::from(length)
    }

    /// The content of a section, which must have this length.
    #[inline(never)]
    pub fn find(&self, tag: &'static str, expected: usize) -> Result<&'a [u8], SnapshotError> {
        let mut found: &[u8] = &[];
        let mut start = 0;
        for _ in 0..self.count {
            let end = self.end_of(start as u64) as usize;
            if self.bytes[start..].starts_with(tag.as_bytes()) {
                found = &self.bytes[start + 8..end];
            }
            start = end;
        }
        match found.len() == expected {
            true => Ok(found),
            false => Err(SnapshotError::Section {
                section: tag,
                found: found.len(),
                expected,
            }),
        }
    }

    /// So many vectors, whose components are at most `most` in size, which `expected` says in words.
    #[inline(never)]
    pub fn vectors(
        &self,
        tag: &'static str,
        what: &'static str,
        count: usize,
        (most, expected): (f64, &'static str),
    ) -> Result<Vec<[f32; 3]>, SnapshotError> {
        let mut vectors = vec![[0.0f32; 3]; count];
        cast_slice_mut(&mut vectors).copy_from_slice(self.find(tag, 12 * count)?);
        for (index, &value) in vectors.as_flattened().iter().enumerate() {
            // NaN is not within.
            let within = f64::from(value.abs()) <= most;
            if !within {
                return Err(SnapshotError::Range {
                    what,
                    index: index / 3,
                    value,
                    expected,
                });
            }
        }
        Ok(vectors)
    }
}
