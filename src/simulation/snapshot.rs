//! A body's state as bytes and back: everything that decides how it goes on, in a form that says what it is.
//!
//! Little-endian. Sixteen bytes of head: `softbody`, version (u32), number of sections (u32). Then the sections, in any
//! order but the last: a tag of four letters, the length in bytes (u32), the content. Version 2 knows these, and skips others:
//!
//! | tag | content |
//! | --- | --- |
//! | `mesh` | vertices (u32), tets or triangles (u32), [`checksum`] (u64) of the rest positions and these |
//! | `time` | frames (u64), simulated seconds (f64) |
//! | `matl` | of a solid: E, ν, density, damping, friction (f64) |
//! | `clth` | of a cloth: compliances of stretch, shear and bend, strain limit (−1 for none), areal density, damping, friction, drag across and along (f64) |
//! | `orig` | world position that positions are relative to, m (3 × f32) |
//! | `pins` | a byte per vertex: 1 where it is held, 0 elsewhere |
//! | `posn` | positions relative to the origin, m (3 × f32 per vertex) |
//! | `velo` | velocities, m/s (3 × f32 per vertex) |
//! | `cont` | of a solid: impulses that the floor gave in the last substep, N·s (3 × f32 per vertex); 0 where none are kept |
//! | `fnv1` | the last: [`checksum`] of all bytes before this section (u64) |
//!
//! Version 1 had no `fnv1`.
//!
//! Vertices are in the order of the mesh's file, so that a state outlives a change of the order on the GPU. What a
//! substep leaves behind is positions, velocities and these impulses alone: multipliers begin anew in each.

use super::body::Body;
use super::snapshot_format::{Sections, SnapshotError, begin, checksum, end, put};
use super::{Cloth, Progress, Simulation, SimulationError};
use crate::gpu::{GpuError, InitialState};
use crate::settings::{ClothMaterial, Material, SettingError};
use crate::text::Number;
use bytemuck::{Pod, Zeroable, bytes_of, cast_slice, pod_read_unaligned};

/// What no body that this solver moved can have, and what f32 still squares: m, and m/s, faster than light.
const FARTHEST: (f64, &str) = (1e12, "numbers within ±1e12 m");
const FASTEST: (f64, &str) = (1e9, "numbers within ±1e9 m/s");
/// Longest simulated time, s: a second more still counts in f64.
const LONGEST: f64 = 1e15;
/// Most frames: beyond, JavaScript counts no further.
const MOST_FRAMES: f64 = 9e15;

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
    pinned: Vec<bool>,
    vertices: InitialState,
    matter: Matter,
}

/// What only one kind of body has.
enum Matter {
    Solid {
        material: Material,
        contacts: Vec<[f32; 3]>,
    },
    Cloth(ClothMaterial),
}

fn mesh_section(positions: &[[f32; 3]], elements: &[u8], count: usize) -> MeshSection {
    MeshSection {
        vertices: positions.len() as u32,
        tets: count as u32,
        fingerprint: checksum(&[cast_slice(positions), elements]),
    }
}

fn solid_section(body: &Body) -> MeshSection {
    let tets = body.mesh().tets();
    mesh_section(body.mesh().positions(), cast_slice(tets), tets.len())
}

fn cloth_section(cloth: &Cloth) -> MeshSection {
    let triangles = cloth.mesh().triangles();
    mesh_section(
        cloth.mesh().positions(),
        cast_slice(triangles),
        triangles.len(),
    )
}

fn solid_matter(sections: &Sections<'_>, body: &Body) -> Result<Matter, SnapshotError> {
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
    let most_impulse = density * body.rest().total_volume * FASTEST.0;
    let expected = "no more than gives the body 1e9 m/s";
    let count = body.mesh().positions().len();
    let contacts = sections.vectors("cont", "contact impulse", count, (most_impulse, expected))?;
    Ok(Matter::Solid { material, contacts })
}

fn cloth_matter(sections: &Sections<'_>) -> Result<Matter, SnapshotError> {
    let [
        stretch,
        shear,
        bend,
        limit,
        areal_density,
        damping,
        friction,
        normal_drag,
        tangential_drag,
    ] = pod_read_unaligned::<[f64; 9]>(sections.find("clth", 72)?);
    let material = ClothMaterial {
        stretch,
        shear,
        bend,
        strain_limit: (limit != -1.0).then_some(limit),
        areal_density,
        damping,
        friction,
        normal_drag,
        tangential_drag,
    };
    material.validate()?;
    Ok(Matter::Cloth(material))
}

impl State {
    /// Reads and checks everything before anything is changed.
    fn read(
        bytes: &[u8],
        own: MeshSection,
        matter: &dyn Fn(&Sections<'_>) -> Result<Matter, SnapshotError>,
    ) -> Result<Self, SnapshotError> {
        let sections = Sections::new(bytes)?;
        let of: MeshSection = pod_read_unaligned(sections.find("mesh", size_of::<MeshSection>())?);
        if of != own {
            return Err(SnapshotError::OtherMesh {
                vertices: of.vertices,
                tets: of.tets,
                own_vertices: own.vertices,
                own_tets: own.tets,
            });
        }
        let count = own.vertices as usize;
        let time: TimeSection =
            pod_read_unaligned(sections.find("time", size_of::<TimeSection>())?);
        for (option, value, most, expected) in [
            (
                "simulated seconds",
                time.seconds,
                LONGEST,
                "a number from 0 to 1e15",
            ),
            (
                "frames",
                time.frames as f64,
                MOST_FRAMES,
                "a number from 0 to 9e15",
            ),
        ] {
            if !(0.0..=most).contains(&value) {
                let value = Number::from(value).to_string();
                return Err(SettingError {
                    option,
                    value,
                    expected,
                }
                .into());
            }
        }
        let pinned = sections.find("pins", count)?;
        if let Some(index) = pinned.iter().position(|&byte| byte > 1) {
            return Err(SnapshotError::Range {
                what: "pin",
                index,
                value: f32::from(pinned[index]),
                expected: "0 or 1",
            });
        }
        Ok(Self {
            time,
            pinned: pinned.iter().map(|&byte| byte != 0).collect(),
            vertices: InitialState {
                origin: sections.vectors("orig", "origin", 1, FARTHEST)?[0],
                positions: sections.vectors("posn", "position", count, FARTHEST)?,
                velocities: sections.vectors("velo", "velocity", count, FASTEST)?,
            },
            matter: matter(&sections)?,
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
        let loaded = self.loaded()?;
        let time = TimeSection {
            frames: self.progress.frames,
            seconds: self.progress.simulated_seconds,
        };
        let (mut bytes, pins, contacts) = match (&self.cloth, &self.body) {
            (Some(cloth), _) => {
                let ClothMaterial {
                    stretch,
                    shear,
                    bend,
                    strain_limit,
                    areal_density,
                    damping,
                    friction,
                    normal_drag,
                    tangential_drag,
                } = cloth.material;
                let limit = strain_limit.unwrap_or(-1.0);
                let matter = [
                    stretch,
                    shear,
                    bend,
                    limit,
                    areal_density,
                    damping,
                    friction,
                    normal_drag,
                    tangential_drag,
                ];
                let mut bytes = begin(7);
                put(&mut bytes, "mesh", bytes_of(&cloth_section(cloth)));
                put(&mut bytes, "clth", bytes_of(&matter));
                (bytes, cloth.pinned(), None)
            }
            (None, Some(body)) => {
                let Material {
                    youngs_modulus,
                    poisson_ratio,
                    density,
                    damping,
                    friction,
                } = body.prepared.material;
                let matter = [youngs_modulus, poisson_ratio, density, damping, friction];
                let mut bytes = begin(8);
                put(&mut bytes, "mesh", bytes_of(&solid_section(body)));
                put(&mut bytes, "matl", bytes_of(&matter));
                let read = self.read_vertices(loaded.order, &body.buffers.explicit.contacts);
                (bytes, body.pinned(), Some((read, body.stale_contacts)))
            }
            (None, None) => return Err(SimulationError::NoBody),
        };
        put(&mut bytes, "time", bytes_of(&time));
        put(&mut bytes, "orig", bytes_of(&loaded.surface.origin));
        put(&mut bytes, "pins", cast_slice(pins));
        let positions = self.read_vertices(loaded.order, &loaded.surface.positions);
        let velocities = self.read_vertices(loaded.order, loaded.velocities);
        Ok(async move {
            put(&mut bytes, "posn", cast_slice(&positions.await?));
            put(&mut bytes, "velo", cast_slice(&velocities.await?));
            if let Some((read, stale)) = contacts {
                let mut contacts = read.await?;
                if stale {
                    // The next frame would forget them.
                    contacts.fill([0.0; 3]);
                }
                put(&mut bytes, "cont", cast_slice(&contacts));
            }
            end(&mut bytes);
            Ok(bytes)
        })
    }

    /// Takes the body back to a [`Self::snapshot`] of the same mesh in the same scale, wherever it was placed: it goes on from
    /// there bit for bit as it did then, under the same gravity, floor and solver settings.
    ///
    /// # Errors
    /// [`SnapshotError`] where the bytes are no snapshot of this mesh, [`SimulationError::NoBody`]; nothing has changed then.
    pub fn restore(&mut self, snapshot: &[u8]) -> Result<(), SimulationError> {
        let (state, pinned) = match (&self.cloth, &self.body) {
            (Some(cloth), _) => {
                let own = cloth_section(cloth);
                (State::read(snapshot, own, &cloth_matter)?, cloth.pinned())
            }
            (None, Some(body)) => {
                let matter = |sections: &Sections<'_>| solid_matter(sections, body);
                let state = State::read(snapshot, solid_section(body), &matter)?;
                (state, body.pinned())
            }
            (None, None) => return Err(SimulationError::NoBody),
        };
        // What depends on them is made anew only where it changes.
        let pins_change = pinned != state.pinned;
        match &state.matter {
            Matter::Solid { material, .. } if self.material() != Some(*material) => {
                self.set_material(*material)?;
            }
            Matter::Cloth(material) => self.set_cloth_material(*material)?,
            Matter::Solid { .. } => {}
        }
        if pins_change {
            self.change_pins(|mask| {
                mask.copy_from_slice(&state.pinned);
                Ok(())
            })?;
        }
        match (&mut self.cloth, &mut self.body, &state.matter) {
            (Some(cloth), ..) => cloth.write_state(&self.gpu, &state.vertices),
            (None, Some(body), Matter::Solid { contacts, .. }) => {
                body.write_state(&self.gpu, &state.vertices, Some(contacts));
            }
            _ => return Err(SimulationError::NoBody),
        }
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
