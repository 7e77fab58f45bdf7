//! Grabbing: a compliant spring between a patch of vertices and a pointer (docs/notes/grabbing.md).

use super::hands::{Grip, Handled, Hands, Held, handled};
use super::{Body, Hit, Simulation, SimulationError};
use crate::arrangement::Clusters;
use crate::gpu::{Gpu, ParticleBuffers};
use crate::settings::{SettingError, check};
use crate::solver::{Method, Solver};

/// Pointers that can hold something at once: the fingers of two hands.
pub const MAX_HOLDS: usize = 10;
/// Largest coordinate of a point that a hand may be told of, m.
pub const MAX_COORDINATE: f64 = 1e7;

/// How much more readily a point at the rim of a rigid cluster yields than the cluster as a whole: a rod at its end.
const RIM: f32 = 4.0;

/// How firmly a pointer grabs, and how much.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct GrabOptions {
    /// Stiffness of the spring, N/m: above 0, at most 1e15. Left out it is 400 1/s² times the mass of the body, which then
    /// hangs 2.5 cm below the pointer whatever it weighs.
    pub stiffness: Option<f64>,
    /// Radius of the held patch, m: above 0, at most 1e6. Left out it is 5 % of the largest extent of the body. A patch
    /// is never so small that a corner of the grabbed triangle slips away.
    pub radius: Option<f64>,
}

impl GrabOptions {
    /// Checks both numbers.
    ///
    /// # Errors
    /// [`SettingError`] naming the one that is out of range.
    pub fn validate(&self) -> Result<(), SettingError> {
        let rows = [
            (
                "stiffness",
                self.stiffness,
                1e15,
                "a number above 0, at most 1e15 N/m",
            ),
            (
                "radius",
                self.radius,
                1e6,
                "a number above 0, at most 1e6 m",
            ),
        ];
        for (option, value, most, expected) in rows {
            if let Some(value) = value {
                check(option, value, expected, value > 0.0 && value <= most)?;
            }
        }
        Ok(())
    }
}

/// Refuses a point that is not finite or too far away.
pub(super) fn check_point(option: &'static str, point: &[f64; 3]) -> Result<(), SettingError> {
    let expected = "three numbers within ±1e7 m";
    point
        .iter()
        .try_for_each(|&c| check(option, c, expected, c.abs() <= MAX_COORDINATE))
}

impl Body {
    /// Each vertex' part of the mass, in the order of the GPU; 0 for one that never moves.
    fn shares(&self) -> Vec<f32> {
        let rest = &self.prepared.rest;
        let share = |&vertex: &u32| {
            let inverse = rest.inverse_volume(vertex as usize, &self.prepared.pinned);
            match inverse > 0.0 {
                true => (1.0 / (f64::from(inverse) * rest.total_volume)) as f32,
                false => 0.0,
            }
        };
        let vertices = &self.prepared.arrangement.original_vertices;
        vertices.iter().map(share).collect()
    }

    /// Tells the GPU which vertices are free, where hands want to know.
    pub(super) fn write_shares(&mut self, gpu: &Gpu) {
        if self.hands.is_some() {
            let shares = self.shares();
            if let Some(hands) = &mut self.hands {
                hands.write_shares(gpu, &shares);
            }
        }
    }

    /// Makes what hands need, where that is not done yet.
    pub(super) fn touch(&mut self, gpu: &Gpu, solver: &Solver) {
        if self.hands.is_none() {
            let particles = ParticleBuffers::from(&self.buffers);
            let hands = Hands::new((gpu, solver), &mut self.bindings.hands, &particles);
            self.hands = Some(hands);
            self.write_shares(gpu);
        }
    }

    fn mass(&self) -> f64 {
        self.prepared.material.density * self.prepared.rest.total_volume
    }

    /// Makes ready what pointers that hold something need in a frame of `method`.
    pub(super) fn plan_hands(&mut self, gpu: &Gpu, solver: &Solver, method: Method) {
        if !self.bindings.hands.holding() {
            return;
        }
        let operator = match method {
            Method::Explicit { operator: true } => self.prepared.operator.as_ref(),
            _ => None,
        };
        // Where the body is pinned nowhere gravity does not pass through the operator, but what holds it up does.
        let inertia = match operator {
            Some(state) if !self.prepared.pinned.contains(&true) => 1.0 / state.operator.p1,
            _ => 1.0,
        };
        let made_for = Some(operator.map(|state| state.made_for));
        let stale = |hands: &Hands| hands.mobile != made_for;
        let rows = match self.hands.as_ref().is_some_and(stale) {
            true => self.mobilities(operator.is_some()),
            false => Vec::new(),
        };
        let mass = self.mass();
        let Some(hands) = &mut self.hands else { return };
        if hands.mobile != made_for {
            let bytes = bytemuck::cast_slice(&rows);
            gpu.queue.write_buffer(&hands.buffers.mobilities, 0, bytes);
            hands.mobile = made_for;
        }
        for (index, hold) in hands.holds.iter().enumerate() {
            let buffers = (&hands.buffers, &hold.buffers);
            let body = (&self.buffers, self.xpbd.as_ref());
            solver.bind_pull(gpu, &mut self.bindings.hands, index, buffers, body);
        }
        hands.refresh(gpu, mass, inertia, 0.0);
    }

    /// What part of an impulse each vertex follows: all of it, or what the mass operator lets it.
    fn mobilities(&self, operator: bool) -> Vec<[f32; 2]> {
        let shares = self.shares();
        let mut rows = vec![[1.0, 0.0]; shares.len()];
        let state = self.prepared.operator.as_ref().filter(|_| operator);
        let in_use = state.and_then(|state| {
            let mut meshes = state.meshes.iter();
            Some((state, meshes.find(|mesh| mesh.target == state.target)?))
        });
        let Some((state, mesh)) = in_use else {
            return rows;
        };
        let Clusters { offsets, vertices } = &mesh.clusters;
        for (range, &inner) in offsets.windows(2).zip(&state.operator.p0) {
            let vertices = &vertices[range[0] as usize..range[1] as usize];
            let share: f32 = vertices.iter().map(|&vertex| shares[vertex as usize]).sum();
            let gain = RIM * (state.operator.p1 - inner) / share.max(1e-30);
            for &vertex in vertices {
                rows[vertex as usize] = [inner, gain];
            }
        }
        rows
    }

    /// Lets go what a pointer holds, or all of them. Which ones held something.
    pub(super) fn release(&mut self, pointer: Option<u32>) -> Vec<u32> {
        match &mut self.hands {
            None => Vec::new(),
            Some(hands) => hands.release(&mut self.bindings.hands, pointer),
        }
    }

    /// For hands.
    pub(super) fn handled(&mut self) -> Handled<'_> {
        Handled {
            particles: ParticleBuffers::from(&self.buffers),
            bindings: &mut self.bindings.hands,
            hands: &mut self.hands,
            internal: Some(&self.prepared.arrangement.internal_vertices),
            pinned: &self.prepared.pinned,
        }
    }
}

impl Simulation {
    /// A pointer takes hold of the body round a hit: a damped spring pulls the vertices near it to where the pointer
    /// wants them, each by its part of the mass there. What that pointer held before it lets go. Several may pull at
    /// once; of a vertex that two hold the later has the firmer grip. Pinned vertices stay.
    ///
    /// The spring's stiffness k is the whole patch's, its damping ratio 0.7 for a body of mass m on it. It pulls no
    /// harder than from a body's largest extent L away (at least 0.25 m), for k above 400 1/s² m from √(400 m/k) times that:
    /// at most with 20 1/s L √(km), so that what follows moves with 14 L per second at most.
    ///
    /// # Errors
    /// Options out of range, a hit that is not of this body, more than [`MAX_HOLDS`] pointers,
    /// [`SimulationError::NoBody`]; nothing has changed then.
    pub fn grab(
        &mut self,
        pointer: u32,
        hit: &Hit,
        options: &GrabOptions,
    ) -> Result<(), SimulationError> {
        options.validate()?;
        check_point("hit.point", &hit.point)?;
        for weight in hit.barycentric.map(f64::from) {
            let expected = "three weights from 0 to 1";
            let inside = (-1e-3..=1.001).contains(&weight);
            check("hit.barycentric", weight, expected, inside)?;
        }
        let (mass, (min, max)) = match (&self.cloth, &self.body) {
            (Some(cloth), _) => (cloth.mass(), cloth.initial_bounds()),
            (None, Some(body)) => (body.mass(), body.initial_bounds()),
            (None, None) => return Err(SimulationError::NoBody),
        };
        let side = |axis: usize| f64::from(max[axis]) - f64::from(min[axis]);
        let loaded = handled(&mut self.body, &mut self.cloth)?;
        let vertices = loaded.particles.count;
        if let Some(&vertex) = hit.triangle.iter().find(|&&vertex| vertex >= vertices) {
            return Err(SimulationError::GrabOutOfRange { vertex, vertices });
        }
        let grip = Grip {
            point: hit.point,
            triangle: hit.triangle.map(|vertex| loaded.internal(vertex)),
            barycentric: hit.barycentric,
            mass,
            extent: side(0).max(side(1)).max(side(2)),
        };
        self.touch();
        let on = (&self.gpu, &self.solver);
        let Handled {
            particles,
            bindings,
            hands: Some(hands),
            ..
        } = handled(&mut self.body, &mut self.cloth)?
        else {
            return Ok(());
        };
        hands.grab(on, bindings, &particles, pointer, (&grip, options))
    }

    /// Makes what hands need, where that is not done yet.
    pub(super) fn touch(&mut self) {
        let (gpu, solver) = (&self.gpu, &self.solver);
        match (&mut self.cloth, &mut self.body) {
            (Some(cloth), _) => cloth.touch(gpu, solver),
            (None, Some(body)) => body.touch(gpu, solver),
            (None, None) => {}
        }
    }

    /// Moves a pointer that holds something: the grabbed point is drawn to `target` (world, m) from the next frame on.
    /// It may be any distance away. `false`, and nothing moves, where the pointer holds nothing or a coordinate is not
    /// within ±1e7 m.
    pub fn drag(&mut self, pointer: u32, target: [f64; 3]) -> bool {
        let Ok(loaded) = handled(&mut self.body, &mut self.cloth) else {
            return false;
        };
        let destination = loaded.particles.relative(target);
        match (loaded.hands, check_point("target", &target)) {
            (Some(hands), Ok(())) => hands.drag(&self.gpu, pointer, destination),
            _ => false,
        }
    }

    /// A pointer lets go, or all of them. Which ones held something. Loading, [`Self::reset`], [`Self::restore`] and
    /// [`Self::set_state`] release all.
    pub fn release(&mut self, pointer: Option<u32>) -> Vec<u32> {
        match handled(&mut self.body, &mut self.cloth) {
            Ok(Handled {
                hands: Some(hands),
                bindings,
                ..
            }) => hands.release(bindings, pointer),
            _ => Vec::new(),
        }
    }

    /// Where the pointers that hold something draw the grabbed points to, world, m.
    pub fn held_points(&self) -> Vec<[f32; 3]> {
        let Ok(loaded) = self.loaded() else {
            return Vec::new();
        };
        let origin = loaded.surface.origin;
        let world = |hold: &Held| {
            let point = hold.destination();
            [0, 1, 2].map(|axis| point[axis] + origin[axis])
        };
        self.holds().map(world).collect()
    }

    fn holds(&self) -> impl Iterator<Item = &Held> {
        let of_cloth = self.cloth.as_ref().and_then(|cloth| cloth.hands.as_ref());
        let of_body = self.body.as_ref().and_then(|body| body.hands.as_ref());
        let hands = of_cloth.or(of_body);
        let holds = hands.map_or(&[][..], |hands| &hands.holds[..]);
        holds.iter().filter(|hold| hold.pointer.is_some())
    }

    /// The pointers that hold something.
    pub fn holding(&self) -> Vec<u32> {
        self.holds().filter_map(|hold| hold.pointer).collect()
    }
}
