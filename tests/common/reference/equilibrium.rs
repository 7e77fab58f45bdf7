//! Where elastic forces, weight and floor balance: Newton's method with conjugate gradients and a line search.

use super::model::{Model, norm};
use super::skyline::Cholesky;
use super::stiffness::Stiffness;
use glam::DVec3;

/// A state of rest.
#[derive(Debug, Clone)]
pub struct Equilibrium {
    /// m.
    pub positions: Vec<DVec3>,
    /// ‖out-of-balance forces‖ relative to ‖elastic forces, reactions included‖ + ‖weights‖.
    pub residual: f64,
    pub newton_steps: usize,
}

const TOLERANCE: f64 = 1e-9;

/// Minimises elastic and gravity energy from `start`, whose pinned vertices stay. `preconditioner` is a factorisation of
/// the stiffness of the same mesh and pins; the nearer its state and ν, the fewer iterations (its E does not matter).
/// The floor is frictionless and enters as a bound on y (projected Newton: Bertsekas, SIAM J. Control and Optimization
/// 20(2), 1982).
pub fn minimise(
    model: &Model,
    preconditioner: &Cholesky,
    start: &[DVec3],
) -> Result<Equilibrium, String> {
    let mut x = start.to_vec();
    let potential = |x: &[DVec3]| model.elastic_energy(x) + model.gravity_energy(x);
    let mut energy = potential(&x);
    for step in 0..200 {
        let all = model.forces(&x);
        let free = free_axes(model, &x, &all);
        let forces = masked(&all, &free);
        let weights: Vec<DVec3> = model.masses.iter().map(|m| *m * model.gravity).collect();
        let scale = norm(&model.elastic_forces(&x)) + norm(&weights);
        let residual = norm(&forces) / scale.max(f64::MIN_POSITIVE);
        if residual <= TOLERANCE {
            return Ok(Equilibrium {
                positions: x,
                residual,
                newton_steps: step,
            });
        }
        let stiffness = Stiffness::new(model, &x);
        let tolerance = residual.clamp(1e-8, 1e-2);
        let direction = conjugate_gradients(&stiffness, preconditioner, &forces, &free, tolerance);
        let slope = dot(&forces, &direction);
        let mut length = 1.0;
        loop {
            let next: Vec<DVec3> = (0..x.len())
                .map(|v| above(model, x[v] + length * direction[v]))
                .collect();
            let next_energy = potential(&next);
            // Near the minimum the decrease drowns in rounding: there the forces decide.
            let enough = next_energy <= energy - 1e-4 * length * slope;
            if enough || residual < 1e-6 && smaller_residual(model, &next, norm(&forces)) {
                (x, energy) = (next, next_energy);
                break;
            }
            length *= 0.5;
            if length < 1e-9 {
                return Err(format!(
                    "no decrease at Newton step {step}, residual {residual:.1e}"
                ));
            }
        }
    }
    Err("200 Newton steps were not enough".to_owned())
}

fn smaller_residual(model: &Model, x: &[DVec3], before: f64) -> bool {
    let forces = model.forces(x);
    norm(&masked(&forces, &free_axes(model, x, &forces))) < before
}

fn above(model: &Model, mut x: DVec3) -> DVec3 {
    if let Some(floor) = model.floor {
        x.y = x.y.max(floor);
    }
    x
}

/// 1 where a coordinate may move, 0 where it is pinned or pressed on the floor.
fn free_axes(model: &Model, x: &[DVec3], forces: &[DVec3]) -> Vec<DVec3> {
    (0..x.len())
        .map(|v| {
            if model.pinned[v] {
                return DVec3::ZERO;
            }
            let pressed = model
                .floor
                .is_some_and(|floor| x[v].y <= floor && forces[v].y < 0.0);
            DVec3::new(1.0, if pressed { 0.0 } else { 1.0 }, 1.0)
        })
        .collect()
}

fn masked(vector: &[DVec3], mask: &[DVec3]) -> Vec<DVec3> {
    vector.iter().zip(mask).map(|(v, m)| *v * *m).collect()
}

fn dot(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum()
}

/// Solves K d = f over the free axes. Where K is not positive definite along a search direction, what has been found so
/// far is a direction of descent.
fn conjugate_gradients(
    stiffness: &Stiffness,
    preconditioner: &Cholesky,
    forces: &[DVec3],
    free: &[DVec3],
    tolerance: f64,
) -> Vec<DVec3> {
    let precondition = |r: &[DVec3]| masked(&preconditioner.solve(r), free);
    let mut solution = vec![DVec3::ZERO; forces.len()];
    let mut r = forces.to_vec();
    let mut z = precondition(&r);
    let mut p = z.clone();
    let mut rz = dot(&r, &z);
    for iteration in 0..3000 {
        let kp = masked(&stiffness.multiply(&p), free);
        let curvature = dot(&p, &kp);
        if curvature <= 0.0 {
            if iteration == 0 {
                return p;
            }
            break;
        }
        let alpha = rz / curvature;
        for v in 0..p.len() {
            solution[v] += alpha * p[v];
            r[v] -= alpha * kp[v];
        }
        if norm(&r) <= tolerance * norm(forces) {
            break;
        }
        z = precondition(&r);
        let next = dot(&r, &z);
        let beta = next / rz;
        rz = next;
        for v in 0..p.len() {
            p[v] = z[v] + beta * p[v];
        }
    }
    solution
}
