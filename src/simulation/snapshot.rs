//! A body's state as bytes and back: everything that decides how it goes on, in a form that says what it is.
//!
//! Little-endian. Sixteen bytes of head: `softbody`, version (u32), number of sections (u32). Then the sections, in any
//! order: a tag of four letters, the length in bytes (u32), the content. Version 1 knows these, and skips others:
//!
//! | tag | content |
//! | --- | --- |
//! | `mesh` | vertices (u32), tets (u32), [`fingerprint`] (u64) of the mesh the state belongs to |
//! | `time` | frames (u64), simulated seconds (f64) |
//! | `matl` | E, ν, density, damping, friction (f64) |
//! | `orig` | world position that positions are relative to, m (3 × f32) |
//! | `pins` | a byte per vertex: 1 where it is held, 0 elsewhere |
//! | `posn` | positions relative to the origin, m (3 × f32 per vertex) |
//! | `velo` | velocities, m/s (3 × f32 per vertex) |
//! | `cont` | impulses that the floor gave in the last substep, N·s (3 × f32 per vertex) |
//!
//! Vertices are in the order of the mesh's file, so that a state outlives a change of the order on the GPU. What a
//! substep leaves behind is positions, velocities and these impulses alone: multipliers begin anew in each.

use super::{Progress, Simulation, SimulationError};
use crate::gpu::{GpuError, InitialState};
use crate::mesh::TetMesh;
use crate::settings::{Material, SettingError};
use bytemuck::{Pod, Zeroable, bytes_of, cast_slice, cast_slice_mut, pod_read_unaligned};

const MAGIC: [u8; 8] = *b"softbody";
const VERSION: u32 = 1;
// Numbers are copied as they lie in memory.
const _: () = assert!(cfg!(target_endian = "little"));

/// Why bytes are no snapshot of the loaded body. The simulation is as it was.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SnapshotError {
    /// They are something else.
    #[error("snapshot is {0} bytes of something else: it does not begin with \"softbody\"")]
    Foreign(usize),
    /// A release with another format wrote them.
    #[error("snapshot has version {0}, but this release reads version {VERSION}")]
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
        "snapshot is of another mesh: of {vertices} vertices and {tets} tets, but the loaded one has {own_vertices} and \
         {own_tets}; with the same numbers, its shape, units or scale differ"
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
    /// A coordinate is NaN or infinite.
    #[error("snapshot: {what} {index} is not finite")]
    NotFinite {
        /// Which quantity.
        what: &'static str,
        /// Of which vertex; 0 for the origin.
        index: usize,
    },
    /// A number out of its range.
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

#[derive(Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
struct MeshSection {
    vertices: u32,
    tets: u32,
    fingerprint: u64,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct TimeSection {
    frames: u64,
    seconds: f64,
}

/// What a snapshot holds, checked.
struct State {
    time: TimeSection,
    material: Material,
    pinned: Vec<bool>,
    vertices: InitialState,
    contacts: Vec<[f32; 3]>,
}

/// FNV-1a (Fowler, Noll, Vo) of 64 bits, a word of 32 bits at a time, over rest positions and tets as they are loaded.
fn fingerprint(mesh: &TetMesh) -> u64 {
    let positions: &[u32] = cast_slice(mesh.positions());
    let tets: &[u32] = cast_slice(mesh.tets());
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for &word in positions.iter().chain(tets) {
        hash = (hash ^ u64::from(word)).wrapping_mul(0x0100_0000_01b3);
    }
    hash
}

fn mesh_section(mesh: &TetMesh) -> MeshSection {
    MeshSection {
        vertices: mesh.positions().len() as u32,
        tets: mesh.tets().len() as u32,
        fingerprint: fingerprint(mesh),
    }
}

// Called seven times.
#[inline(never)]
fn put(bytes: &mut Vec<u8>, tag: &str, content: &[u8]) {
    bytes.extend_from_slice(tag.as_bytes());
    bytes.extend_from_slice(&(content.len() as u32).to_le_bytes());
    bytes.extend_from_slice(content);
}

/// The sections of a snapshot, after its head was checked.
struct Sections<'a> {
    bytes: &'a [u8],
    count: u32,
}

impl<'a> Sections<'a> {
    /// Checks the head, and that the sections fill the bytes exactly.
    fn new(bytes: &'a [u8]) -> Result<Self, SnapshotError> {
        let Some((head, rest)) = bytes.split_at_checked(size_of::<Head>()) else {
            return Err(SnapshotError::Foreign(bytes.len()));
        };
        let head: Head = pod_read_unaligned(head);
        if head.magic != MAGIC {
            return Err(SnapshotError::Foreign(bytes.len()));
        }
        if head.version != VERSION {
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
    fn find(&self, tag: &'static str, expected: usize) -> Result<&'a [u8], SnapshotError> {
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

    /// So many vectors, finite in all components.
    #[inline(never)]
    fn vectors(
        &self,
        tag: &'static str,
        what: &'static str,
        count: usize,
    ) -> Result<Vec<[f32; 3]>, SnapshotError> {
        let mut vectors = vec![[0.0f32; 3]; count];
        cast_slice_mut(&mut vectors).copy_from_slice(self.find(tag, 12 * count)?);
        match vectors
            .iter()
            .position(|v| !v.iter().all(|c| c.is_finite()))
        {
            None => Ok(vectors),
            Some(index) => Err(SnapshotError::NotFinite { what, index }),
        }
    }
}

impl State {
    /// Reads and checks everything before anything is changed.
    fn read(bytes: &[u8], mesh: &TetMesh) -> Result<Self, SnapshotError> {
        let sections = Sections::new(bytes)?;
        let of: MeshSection = pod_read_unaligned(sections.find("mesh", size_of::<MeshSection>())?);
        let own = mesh_section(mesh);
        if of != own {
            return Err(SnapshotError::OtherMesh {
                vertices: of.vertices,
                tets: of.tets,
                own_vertices: own.vertices,
                own_tets: own.tets,
            });
        }
        let count = mesh.positions().len();
        let time: TimeSection =
            pod_read_unaligned(sections.find("time", size_of::<TimeSection>())?);
        if !(0.0..f64::INFINITY).contains(&time.seconds) {
            return Err(SettingError {
                option: "simulated seconds",
                value: crate::text::Number::from(time.seconds).to_string(),
                expected: "a finite number of at least 0",
            }
            .into());
        }
        let [youngs_modulus, poisson_ratio, density, damping, friction] =
            pod_read_unaligned::<[f64; 5]>(sections.find("matl", 40)?);
        let material = Material {
            youngs_modulus,
            poisson_ratio,
            density,
            damping,
            friction,
        };
        material.validate()?;
        let pinned = sections.find("pins", count)?;
        Ok(Self {
            time,
            material,
            pinned: pinned.iter().map(|&byte| byte != 0).collect(),
            vertices: InitialState {
                origin: sections.vectors("orig", "origin", 1)?[0],
                positions: sections.vectors("posn", "position", count)?,
                velocities: sections.vectors("velo", "velocity", count)?,
            },
            contacts: sections.vectors("cont", "contact impulse", count)?,
        })
    }
}

impl Simulation {
    /// The body as it is now, after all work submitted so far, as bytes that [`Self::restore`] takes back bit for bit:
    /// positions, velocities, pins, material and simulated time. Gravity, floor and solver settings are not in it.
    ///
    /// # Errors
    /// [`GpuError::ReadBack`], [`SimulationError::NoBody`].
    pub fn snapshot(
        &self,
    ) -> Result<impl Future<Output = Result<Vec<u8>, GpuError>> + use<>, SimulationError> {
        let body = self.body.as_ref().ok_or(SimulationError::NoBody)?;
        let head = Head {
            magic: MAGIC,
            version: VERSION,
            sections: 8,
        };
        let time = TimeSection {
            frames: self.progress.frames,
            seconds: self.progress.simulated_seconds,
        };
        let Material {
            youngs_modulus,
            poisson_ratio,
            density,
            damping,
            friction,
        } = body.prepared.material;
        let material = [youngs_modulus, poisson_ratio, density, damping, friction];
        let mut bytes = bytes_of(&head).to_vec();
        put(&mut bytes, "mesh", bytes_of(&mesh_section(body.mesh())));
        put(&mut bytes, "time", bytes_of(&time));
        put(&mut bytes, "matl", bytes_of(&material));
        put(&mut bytes, "orig", bytes_of(&body.buffers.surface.origin));
        put(&mut bytes, "pins", cast_slice(body.pinned()));
        let positions = self.read_vertices(body, &body.buffers.surface.positions);
        let velocities = self.read_vertices(body, &body.buffers.velocities);
        let contacts = self.read_vertices(body, &body.buffers.explicit.contacts);
        Ok(async move {
            put(&mut bytes, "posn", cast_slice(&positions.await?));
            put(&mut bytes, "velo", cast_slice(&velocities.await?));
            put(&mut bytes, "cont", cast_slice(&contacts.await?));
            Ok(bytes)
        })
    }

    /// Takes the body back to a [`Self::snapshot`] of the same mesh in the same scale, wherever it was placed: it goes on from
    /// there bit for bit as it did then, under the same gravity, floor and solver settings.
    ///
    /// # Errors
    /// [`SnapshotError`] where the bytes are no snapshot of this mesh, [`SimulationError::NoBody`]; nothing has changed then.
    pub fn restore(&mut self, snapshot: &[u8]) -> Result<(), SimulationError> {
        let body = self.body.as_ref().ok_or(SimulationError::NoBody)?;
        let state = State::read(snapshot, body.mesh())?;
        // What depends on them is made anew only where it changes.
        let pins_change = body.pinned() != state.pinned;
        if body.prepared.material != state.material {
            self.set_material(state.material)?;
        }
        if pins_change {
            self.change_pins(|mask| {
                mask.copy_from_slice(&state.pinned);
                Ok(())
            })?;
        }
        let body = self.body.as_mut().ok_or(SimulationError::NoBody)?;
        body.write_state(&self.gpu, &state.vertices, Some(&state.contacts));
        self.refresh_surface();
        self.progress = Progress {
            frames: state.time.frames,
            simulated_seconds: state.time.seconds,
            substeps: 0,
        };
        self.clock.resume();
        Ok(())
    }
}
