//! Hands in a frame: bind groups of what pointers hold, of pins with targets and of impulses, and their dispatches.

use super::Solver;
use crate::gpu::{
    BodyBuffers, Gpu, HandBuffers, HoldBuffers, ParticleBuffers, PinBuffers, XpbdBuffers,
};
use crate::shaders::solver::{Group, Kernel, WORKGROUP_SIZE};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Workgroups that a pull takes at most: its invocations go on through a longer list.
const PULLING_WORKGROUPS: u32 = 256;

/// Bind groups of the hands on some particles. Empty until somebody uses one.
#[derive(Debug, Default)]
pub struct HandBindings {
    impulse: Option<wgpu::BindGroup>,
    pins: Option<wgpu::BindGroup>,
    holds: Vec<HoldBindings>,
    /// Targets that the next frame moves pins to; none once it is recorded.
    pins_due: AtomicU32,
}

#[derive(Debug)]
struct HoldBindings {
    taking: wgpu::BindGroup,
    forces: Option<wgpu::BindGroup>,
    moves: Option<wgpu::BindGroup>,
    displacements: Option<wgpu::BindGroup>,
    holds: bool,
}

impl HandBindings {
    /// Whether some pointer holds something.
    pub fn holding(&self) -> bool {
        self.holds.iter().any(|hold| hold.holds)
    }

    /// Says that the next frame moves pins to so many targets.
    pub fn set_pins_due(&mut self, targets: u32) {
        *self.pins_due.get_mut() = targets;
    }

    pub(super) fn pins_are_due(&self) -> bool {
        self.pins_due.load(Relaxed) > 0
    }

    /// Says whether the pointer bound as number `hold` holds something.
    pub fn set_holding(&mut self, hold: usize, holds: bool) {
        self.holds[hold].holds = holds;
    }
}

impl Solver {
    /// Binds impulses.
    pub fn bind_hands(
        &self,
        gpu: &Gpu,
        bindings: &mut HandBindings,
        particles: &ParticleBuffers<'_>,
        hands: &HandBuffers,
    ) {
        let ParticleBuffers {
            positions,
            velocities,
            ..
        } = particles;
        let buffers = [&hands.impulse, positions, velocities, &hands.shares];
        bindings.impulse = Some(self.bind_group(gpu, Group::Impulse, &buffers));
    }

    /// Binds pins with targets, or binds them anew.
    pub fn bind_pins(
        &self,
        gpu: &Gpu,
        bindings: &mut HandBindings,
        particles: &ParticleBuffers<'_>,
        pins: &PinBuffers,
    ) {
        let ParticleBuffers {
            positions,
            velocities,
            ..
        } = particles;
        let buffers = [&pins.params, &pins.targets, positions, velocities];
        bindings.pins = Some(self.bind_group(gpu, Group::Pins, &buffers));
    }

    /// Binds one more pointer, which holds nothing yet.
    pub fn bind_hold(
        &self,
        gpu: &Gpu,
        bindings: &mut HandBindings,
        particles: &ParticleBuffers<'_>,
        hands: &HandBuffers,
        hold: &HoldBuffers,
    ) {
        let buffers = [&hold.hold, particles.positions, &hands.shares, &hold.held];
        bindings.holds.push(HoldBindings {
            taking: self.bind_group(gpu, Group::Taking, &buffers),
            forces: None,
            moves: None,
            displacements: None,
            holds: false,
        });
    }

    /// Binds pointer number `index` for the schemes that the body has buffers of, where that is not done yet.
    pub fn bind_pull(
        &self,
        gpu: &Gpu,
        bindings: &mut HandBindings,
        index: usize,
        (hands, hold): (&HandBuffers, &HoldBuffers),
        (body, xpbd): (&BodyBuffers, Option<&XpbdBuffers>),
    ) {
        let explicit = &body.explicit;
        let (positions, velocities) = (&body.surface.positions, &body.velocities);
        let own = &mut bindings.holds[index];
        if own.forces.is_none() {
            let buffers = [
                &hold.hold,
                &explicit.params,
                positions,
                velocities,
                &explicit.vertices,
                &explicit.partials,
                &hands.mobilities,
                &hands.shares,
                &hold.held,
            ];
            own.forces = Some(self.bind_group(gpu, Group::HeldForces, &buffers));
        }
        if let (None, Some(xpbd)) = (&own.moves, xpbd) {
            let buffers = [
                &hold.hold,
                &xpbd.params,
                positions,
                velocities,
                &xpbd.displacements,
                &hands.shares,
                &hold.held,
            ];
            own.moves = Some(self.bind_group(gpu, Group::HeldMoves, &buffers));
        }
    }

    /// Binds pointer number `index` for particles whose way in a substep is kept in `displacements`, where that is not
    /// done yet.
    pub fn bind_pull_displacements(
        &self,
        gpu: &Gpu,
        bindings: &mut HandBindings,
        index: usize,
        (hands, hold): (&HandBuffers, &HoldBuffers),
        (particles, displacements): (&ParticleBuffers<'_>, &wgpu::Buffer),
    ) {
        let own = &mut bindings.holds[index].displacements;
        if own.is_none() {
            let buffers = [
                &hold.hold,
                particles.positions,
                displacements,
                &hands.shares,
                &hold.held,
            ];
            *own = Some(self.bind_group(gpu, Group::HeldDisplacements, &buffers));
        }
    }

    /// Records that pointer number `hold` takes hold.
    pub fn take_hold(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        bindings: &HandBindings,
        hold: usize,
        vertices: u32,
    ) {
        let group = Some(&bindings.holds[hold].taking);
        self.dispatch_hand(
            pass,
            Kernel::TakeHold,
            group,
            vertices.div_ceil(WORKGROUP_SIZE),
        );
    }

    /// Records an impulse.
    pub fn give_impulse(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        bindings: &HandBindings,
        vertices: u32,
    ) {
        let group = bindings.impulse.as_ref();
        self.dispatch_hand(
            pass,
            Kernel::GiveImpulse,
            group,
            vertices.div_ceil(WORKGROUP_SIZE),
        );
    }

    /// Records a kernel of hands: the moves of pins that are due, or the pulls of all pointers that hold something of a
    /// body with so many workgroups of vertices.
    ///
    /// # Panics
    /// If a pointer that holds something, or the pins, are not bound for the kernel.
    pub fn dispatch_hands(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        bindings: &HandBindings,
        kernel: Kernel,
        vertex_workgroups: u32,
    ) {
        if kernel == Kernel::MovePins {
            let targets = bindings.pins_due.swap(0, Relaxed);
            let workgroups = targets.div_ceil(WORKGROUP_SIZE);
            self.dispatch_hand(pass, kernel, bindings.pins.as_ref(), workgroups);
            return;
        }
        let workgroups = vertex_workgroups.min(PULLING_WORKGROUPS);
        for hold in bindings.holds.iter().filter(|hold| hold.holds) {
            let group = match kernel {
                Kernel::PullForces => &hold.forces,
                Kernel::PullDisplacements => &hold.displacements,
                _ => &hold.moves,
            };
            self.dispatch_hand(pass, kernel, group.as_ref(), workgroups);
        }
    }

    fn dispatch_hand(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        kernel: Kernel,
        group: Option<&wgpu::BindGroup>,
        workgroups: u32,
    ) {
        pass.set_pipeline(&self.pipelines[kernel as usize]);
        pass.set_bind_group(
            0,
            group.expect("invariant: hands are bound before they act"),
            &[],
        );
        pass.dispatch_workgroups(workgroups, 1, 1);
    }
}
