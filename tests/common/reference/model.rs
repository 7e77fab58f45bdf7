//! A body of tets with lumped masses, pins, gravity and a floor.

use super::element::{Element, Lame};
use glam::DVec3;

/// An isotropic solid.
#[derive(Debug, Clone, Copy)]
pub struct Solid {
    /// E, Pa.
    pub youngs_modulus: f64,
    /// ν.
    pub poisson_ratio: f64,
    /// ρ, kg/m³.
    pub density: f64,
}

/// A body of tets. Vertices that no tet uses count as pinned: nothing moves them.
#[derive(Debug, Clone)]
pub struct Model {
    /// Rest positions, m.
    pub rest: Vec<DVec3>,
    pub elements: Vec<Element>,
    /// A quarter of each tet's mass per corner, kg.
    pub masses: Vec<f64>,
    pub pinned: Vec<bool>,
    pub lame: Lame,
    /// m/s².
    pub gravity: DVec3,
    /// Height of a floor without friction, m.
    pub floor: Option<f64>,
}

impl Model {
    pub fn new(positions: &[[f32; 3]], tets: &[[u32; 4]], solid: Solid, pins: &[u32]) -> Self {
        let rest: Vec<DVec3> = positions
            .iter()
            .map(|x| DVec3::from(x.map(f64::from)))
            .collect();
        let elements: Vec<Element> = tets
            .iter()
            .map(|tet| Element::new(tet.map(|v| v as usize), &rest))
            .collect();
        let mut masses = vec![0.0; rest.len()];
        for element in &elements {
            for corner in element.corners {
                masses[corner] += 0.25 * solid.density * element.volume;
            }
        }
        let mut pinned: Vec<bool> = masses.iter().map(|&m| m == 0.0).collect();
        for &pin in pins {
            pinned[pin as usize] = true;
        }
        Self {
            rest,
            elements,
            masses,
            pinned,
            lame: Lame::new(solid.youngs_modulus, solid.poisson_ratio),
            gravity: DVec3::ZERO,
            floor: None,
        }
    }

    /// Σ V₀Ψ, J.
    pub fn elastic_energy(&self, x: &[DVec3]) -> f64 {
        let energy = |e: &Element| e.volume * e.strain(x, self.lame).energy_density();
        self.elements.iter().map(energy).sum()
    }

    /// −Σ m g·(x − X), J.
    pub fn gravity_energy(&self, x: &[DVec3]) -> f64 {
        -(0..x.len())
            .map(|v| self.masses[v] * self.gravity.dot(x[v] - self.rest[v]))
            .sum::<f64>()
    }

    /// ½ Σ m v², J.
    pub fn kinetic_energy(&self, velocities: &[DVec3]) -> f64 {
        0.5 * self
            .masses
            .iter()
            .zip(velocities)
            .map(|(m, v)| m * v.length_squared())
            .sum::<f64>()
    }

    /// Elastic forces on all vertices, N.
    pub fn elastic_forces(&self, x: &[DVec3]) -> Vec<DVec3> {
        let mut forces = vec![DVec3::ZERO; x.len()];
        for element in &self.elements {
            let of_corners = element.forces(&element.strain(x, self.lame));
            for (corner, force) in element.corners.iter().zip(of_corners) {
                forces[*corner] += force;
            }
        }
        forces
    }

    /// Elastic forces and weight on all vertices, N.
    pub fn forces(&self, x: &[DVec3]) -> Vec<DVec3> {
        let mut forces = self.elastic_forces(x);
        for (force, mass) in forces.iter_mut().zip(&self.masses) {
            *force += *mass * self.gravity;
        }
        forces
    }

    /// Mean position of some vertices, m.
    pub fn mean(x: &[DVec3], vertices: &[usize]) -> DVec3 {
        vertices.iter().map(|&v| x[v]).sum::<DVec3>() / vertices.len() as f64
    }
}

/// Euclidean norm of a vector of all vertices.
pub fn norm(vector: &[DVec3]) -> f64 {
    vector
        .iter()
        .map(|v| v.length_squared())
        .sum::<f64>()
        .sqrt()
}
