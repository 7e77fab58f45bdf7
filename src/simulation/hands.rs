//! Hands on any particles: the springs of pointers, targets of pins and impulses, as the GPU has them.

use super::hold::{GrabOptions, MAX_HOLDS};
use super::pins::PinTargets;
use super::{Body, Cloth, SimulationError};
use crate::gpu::{Gpu, HandBuffers, HoldBuffers, ParticleBuffers};
use crate::layout::Hold;
use crate::settings::Material;
use crate::solver::{HandBindings, Solver};

/// Stiffness of a spring by default, over the mass of the body, 1/s²: its own weight draws a body 2.5 cm away.
const STIFFNESS: f64 = 400.0;
/// Damping ratio of a body that swings on its spring as a whole.
const DAMPING_RATIO: f64 = 0.7;
/// Radius of a held patch by default, over the largest extent of the body.
const RADIUS: f64 = 0.05;
/// From farther away than the largest extent of the body, and than this, a spring of default stiffness pulls no harder, m.
const LEAST_REACH: f64 = 0.25;

/// What hands have to do with some particles. Made when they first touch them.
#[derive(Debug)]
pub(super) struct Hands {
    pub(super) buffers: HandBuffers,
    pub(super) holds: Vec<Held>,
    /// What the mobilities on the GPU are made for: a mass operator, or none at all.
    pub(super) mobile: Option<Option<(Material, f64)>>,
    pub(super) targets: PinTargets,
}

/// One pointer's spring. Its buffers stay for the next one when it is released.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) pointer: Option<u32>,
    pub(super) buffers: HoldBuffers,
    options: GrabOptions,
    /// As the GPU has it.
    written: Hold,
}

impl Held {
    /// Where the grabbed point is wanted, relative to the origin, m.
    pub(super) fn destination(&self) -> [f32; 3] {
        self.written.destination
    }
}

/// Whatever hands can act on.
pub(super) struct Handled<'a> {
    pub(super) particles: ParticleBuffers<'a>,
    pub(super) bindings: &'a mut HandBindings,
    pub(super) hands: &'a mut Option<Hands>,
    /// Numbers on the GPU of the vertices in the file, where they differ.
    pub(super) internal: Option<&'a [u32]>,
    pub(super) pinned: &'a [bool],
}

impl Handled<'_> {
    pub(super) fn internal(&self, vertex: u32) -> u32 {
        self.internal
            .map_or(vertex, |internal| internal[vertex as usize])
    }
}

/// What is loaded.
pub(super) fn handled<'a>(
    body: &'a mut Option<Body>,
    cloth: &'a mut Option<Cloth>,
) -> Result<Handled<'a>, SimulationError> {
    match (cloth, body) {
        (Some(cloth), _) => Ok(cloth.handled()),
        (None, Some(body)) => Ok(body.handled()),
        (None, None) => Err(SimulationError::NoBody),
    }
}

/// What a pointer takes hold of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grip {
    /// Of the pointer, world, m.
    pub(super) point: [f64; 3],
    /// Numbers of particles.
    pub(super) triangle: [u32; 3],
    pub(super) barycentric: [f32; 3],
    /// Of the whole body, kg.
    pub(super) mass: f64,
    /// Largest extent of the whole body, m.
    pub(super) extent: f64,
}

/// Stiffness and damping of a spring on a body of `mass` kg over that mass, 1/s² and 1/s, and the mass.
fn spring(options: &GrabOptions, mass: f64) -> (f64, f64, f64) {
    // A massless body, all of whose vertices are unused, holds nothing anyway.
    let mass = mass.max(1e-37);
    let stiffness = options.stiffness.map_or(STIFFNESS, |k| k / mass);
    (stiffness, 2.0 * DAMPING_RATIO * stiffness.sqrt(), mass)
}

impl Hands {
    pub(super) fn new(
        (gpu, solver): (&Gpu, &Solver),
        bindings: &mut HandBindings,
        particles: &ParticleBuffers<'_>,
    ) -> Self {
        let buffers = HandBuffers::new(gpu, particles.count);
        solver.bind_hands(gpu, bindings, particles, &buffers);
        Self {
            buffers,
            holds: Vec::new(),
            mobile: None,
            targets: PinTargets::default(),
        }
    }

    /// Tells the GPU each particle's part of the mass, 0 for those that never move.
    pub(super) fn write_shares(&mut self, gpu: &Gpu, shares: &[f32]) {
        let bytes = bytemuck::cast_slice(shares);
        gpu.queue.write_buffer(&self.buffers.shares, 0, bytes);
        // What a cluster lets a particle follow depends on its mass.
        self.mobile = None;
    }

    /// A pointer takes hold; what it held before it lets go.
    ///
    /// # Errors
    /// More than [`MAX_HOLDS`] pointers, more particles than the device can bind a list of.
    pub(super) fn grab(
        &mut self,
        (gpu, solver): (&Gpu, &Solver),
        bindings: &mut HandBindings,
        particles: &ParticleBuffers<'_>,
        pointer: u32,
        (grip, options): (&Grip, &GrabOptions),
    ) -> Result<(), SimulationError> {
        let (stiffness, damping, mass) = spring(options, grip.mass);
        let softer = (STIFFNESS / stiffness).sqrt().min(1.0);
        let written = Hold {
            destination: particles.relative(grip.point),
            stiffness: stiffness as f32,
            barycentric: grip.barycentric,
            damping: damping as f32,
            triangle: grip.triangle,
            radius: options.radius.unwrap_or(RADIUS * grip.extent) as f32,
            reach: (grip.extent.max(LEAST_REACH) * softer) as f32,
            inertia: 1.0,
            mass: mass as f32,
            vertex_count: particles.count,
            substep_seconds: 0.0,
            padding: [0; 3],
        };
        let of = |wanted: Option<u32>| self.holds.iter().position(|hold| hold.pointer == wanted);
        let place = match of(Some(pointer)).or_else(|| of(None)) {
            Some(place) => place,
            None if self.holds.len() < MAX_HOLDS => {
                let buffers = HoldBuffers::new(gpu, particles.count)?;
                solver.bind_hold(gpu, bindings, particles, &self.buffers, &buffers);
                self.holds.push(Held {
                    pointer: None,
                    buffers,
                    options: *options,
                    written,
                });
                self.holds.len() - 1
            }
            None => return Err(SimulationError::TooManyHolds { pointer }),
        };
        let hold = &mut self.holds[place];
        hold.pointer = Some(pointer);
        hold.options = *options;
        hold.written = written;
        let bytes = bytemuck::bytes_of(&hold.written);
        gpu.queue.write_buffer(&hold.buffers.hold, 0, bytes);
        let empty = [0; HoldBuffers::HEAD];
        gpu.queue.write_buffer(&hold.buffers.held, 0, &empty);
        bindings.set_holding(place, true);
        gpu.compute("take_hold", &mut |pass| {
            solver.take_hold(pass, bindings, place, particles.count);
        });
        Ok(())
    }

    /// Moves a pointer; `false` where it holds nothing.
    pub(super) fn drag(&mut self, gpu: &Gpu, pointer: u32, destination: [f32; 3]) -> bool {
        let mut holds = self.holds.iter_mut();
        let Some(hold) = holds.find(|hold| hold.pointer == Some(pointer)) else {
            return false;
        };
        hold.written.destination = destination;
        let bytes = bytemuck::bytes_of(&destination);
        gpu.queue.write_buffer(&hold.buffers.hold, 0, bytes);
        true
    }

    /// Lets go what a pointer holds, or all of them. Which ones held something.
    pub(super) fn release(
        &mut self,
        bindings: &mut HandBindings,
        pointer: Option<u32>,
    ) -> Vec<u32> {
        let mut released = Vec::new();
        for (index, hold) in self.holds.iter_mut().enumerate() {
            let Some(own) = hold.pointer else { continue };
            if pointer.is_none_or(|pointer| pointer == own) {
                hold.pointer = None;
                bindings.set_holding(index, false);
                released.push(own);
            }
        }
        released
    }

    /// Tells the GPU the mass of the body, how much heavier the mass operator makes it, and the substep where kernels are
    /// not told it otherwise; each where it has changed.
    pub(super) fn refresh(&mut self, gpu: &Gpu, mass: f64, inertia: f32, substep_seconds: f64) {
        for hold in &mut self.holds {
            let (stiffness, damping, mass) = spring(&hold.options, mass);
            let written = Hold {
                stiffness: stiffness as f32,
                damping: damping as f32,
                mass: mass as f32,
                inertia,
                substep_seconds: substep_seconds as f32,
                ..hold.written
            };
            if written != hold.written {
                hold.written = written;
                let bytes = bytemuck::bytes_of(&written);
                gpu.queue.write_buffer(&hold.buffers.hold, 0, bytes);
            }
        }
    }
}
