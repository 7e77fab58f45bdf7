//! What the kernels are told about a frame: the world and the material, in steps of the present length.

use crate::gpu::BodyBuffers;
use crate::layout::{MaterialRow, SolverParams, StepParams};
use crate::math;
use crate::settings::{Environment, Material};

/// θ of the Kelvin–Voigt damping, as a part of the substep: it costs a mode of frequency ω the damping ratio θωΔt/2 and
/// takes the rattle out of impacts.
const VISCOSITY: f64 = 0.2;
/// The bound of (ωΔt)² up to which a strained tet is left as it is. The step with this damping is stable below
/// 4/(1 + 2θ) = 2.86, and at strains of a third the bound is at least 1.65 times the truth (docs/notes/accuracy.md).
const FOLLOWED: f64 = 4.6;

fn floor_height(body: &BodyBuffers, environment: &Environment) -> f32 {
    (environment.floor.unwrap_or(0.0) - f64::from(body.surface.origin[1])) as f32
}

/// The uniform of the explicit scheme.
pub fn step_params(
    body: &BodyBuffers,
    environment: &Environment,
    substep_seconds: f64,
) -> StepParams {
    StepParams {
        gravity: environment.gravity.map(|g| g as f32),
        substep_seconds: substep_seconds as f32,
        floor_height: floor_height(body, environment),
        floor_enabled: u32::from(environment.floor.is_some()),
        vertex_count: body.surface.vertex_count,
        padding: 0,
    }
}

/// The material's row of the explicit scheme.
pub fn material_row(material: &Material, substep_seconds: f64) -> MaterialRow {
    MaterialRow {
        lame_mu: material.lame_mu() as f32,
        lame_lambda: material.lame_lambda() as f32,
        density: material.density as f32,
        viscosity: (VISCOSITY * substep_seconds) as f32,
        damping_factor: math::exp(-material.damping * substep_seconds) as f32,
        friction: material.friction as f32,
        stiffest: (FOLLOWED / (substep_seconds * substep_seconds)) as f32,
    }
}

/// The largest λ/μ of XPBD, that of ν = 0.49999: from a hundred times that on rounding outweighs a soft, heavy body and its
/// numbers are lost.
const STIFFEST_VOLUME: f64 = 5e4;

/// The uniform of XPBD.
pub fn solver_params(
    body: &BodyBuffers,
    material: &Material,
    environment: &Environment,
    substep_seconds: f64,
) -> SolverParams {
    SolverParams {
        gravity: environment.gravity.map(|g| g as f32),
        substep_seconds: substep_seconds as f32,
        inverse_density: (1.0 / material.density) as f32,
        lame_mu: material.lame_mu() as f32,
        lame_lambda: material
            .lame_lambda()
            .min(STIFFEST_VOLUME * material.lame_mu()) as f32,
        damping_factor: math::exp(-material.damping * substep_seconds) as f32,
        floor_height: floor_height(body, environment),
        floor_enabled: u32::from(environment.floor.is_some()),
        friction: material.friction as f32,
        vertex_count: body.surface.vertex_count,
        tet_count: body.tet_count,
        padding: [0; 3],
    }
}
