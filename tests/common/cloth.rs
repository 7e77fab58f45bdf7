//! Shared by the tests of cloth: a loaded cloth, its discrete energy in float64, and where that energy is least.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use super::common::{gpu, positions, velocities};
use glam::DVec3;
use std::collections::VecDeque;
use webgpu_softbody::cloth::{ClothElements, ClothMesh, NO_VERTEX};
use webgpu_softbody::settings::{ClothMaterial, Environment, SolverSettings};
use webgpu_softbody::simulation::{ClothOptions, Pinned, Simulation};

/// Substeps chosen from the way to the pins.
pub const AUTO: SolverSettings = SolverSettings::explicit(None);

/// So many substeps per 1/60 s.
pub fn budget(substeps: u32) -> SolverSettings {
    SolverSettings::explicit(Some(substeps))
}

/// Threads alone, without losses: tests add what they study.
pub const THREADS: ClothMaterial = ClothMaterial {
    stretch: 1e-3,
    shear: 1e3,
    bend: 1e12,
    strain_limit: None,
    areal_density: 0.1,
    damping: 0.0,
    friction: 0.0,
    normal_drag: 0.0,
    tangential_drag: 0.0,
};

/// A simulation with one cloth.
pub fn cloth(
    environment: Environment,
    settings: SolverSettings,
    mesh: ClothMesh,
    options: &ClothOptions,
) -> Simulation {
    let mut simulation = Simulation::new(gpu(), environment, settings).expect("settings in range");
    simulation
        .load_cloth(mesh, options)
        .expect("a good cloth loads");
    simulation
}

/// Options of a material and pins.
pub fn made_of(material: ClothMaterial, pins: &[u32]) -> ClothOptions {
    ClothOptions {
        material,
        pinned: Pinned::Vertices(pins.to_vec()),
        ..ClothOptions::default()
    }
}

/// A square of so many particles along a side of `size` metres.
pub fn square(side: u32, size: f64) -> ClothMesh {
    ClothMesh::grid(side, side, size / f64::from(side - 1)).expect("a grid")
}

/// Positions in float64.
pub fn places(simulation: &Simulation) -> Vec<DVec3> {
    wide(&positions(simulation))
}

/// Vectors in float64.
pub fn wide(vectors: &[[f32; 3]]) -> Vec<DVec3> {
    vectors
        .iter()
        .map(|v| DVec3::from(v.map(f64::from)))
        .collect()
}

/// Puts a cloth somewhere else, at rest.
pub fn put(simulation: &mut Simulation, places: &[DVec3]) {
    let narrow: Vec<[f32; 3]> = places.iter().map(|p| p.as_vec3().to_array()).collect();
    let still = vec![[0.0; 3]; narrow.len()];
    simulation.set_state(&narrow, &still).expect("a cloth");
}

/// Largest strain of a thread now.
pub fn largest_strain(simulation: &Simulation) -> f64 {
    let now = places(simulation);
    let elements = simulation.cloth().expect("a cloth").elements();
    elements
        .edges
        .iter()
        .filter(|edge| !edge.shear)
        .map(|edge| {
            let [a, b] = edge.vertices.map(|v| now[v as usize]);
            a.distance(b) / f64::from(edge.length) - 1.0
        })
        .fold(f64::NEG_INFINITY, f64::max)
}

/// Simulates until nothing moves faster than `speed` m/s, at most `limit` s. Returns the time it took.
pub fn settle(simulation: &mut Simulation, speed: f64, limit: f64) -> f64 {
    let mut seconds = 0.0;
    while seconds < limit {
        simulation.step(0.25).expect("a step");
        seconds += 0.25;
        let fastest = wide(&velocities(simulation))
            .iter()
            .map(|v| v.length())
            .fold(0.0, f64::max);
        if fastest < speed {
            return seconds;
        }
    }
    panic!("still moving after {limit} s");
}

/// The energy that the elements stand for, in float64.
pub struct Model {
    /// Ends, length at rest in m, stiffness in N/m.
    springs: Vec<([usize; 2], f64, f64)>,
    /// Particles, weights, curvature at rest, rigidity in N·m.
    bends: Vec<(Vec<usize>, [f64; 4], f64, f64)>,
    /// kg.
    pub masses: Vec<f64>,
}

impl Model {
    pub fn of(simulation: &Simulation) -> Self {
        let cloth = simulation.cloth().expect("a cloth");
        let material = simulation.cloth_material().expect("a cloth");
        Self::new(cloth.elements(), &material)
    }

    pub fn new(elements: &ClothElements, material: &ClothMaterial) -> Self {
        let spring = |edge: &webgpu_softbody::cloth::ClothEdge| {
            let compliance = match edge.shear {
                true => material.shear,
                false => material.stretch,
            };
            let stiffness = 1.0 / (compliance * f64::from(edge.factor));
            let ends = edge.vertices.map(|v| v as usize);
            (ends, f64::from(edge.length), stiffness)
        };
        let bend = |bend: &webgpu_softbody::cloth::ClothBend| {
            let [a, b, c] = bend.weights.map(f64::from);
            let particles = bend.vertices.iter().filter(|&&v| v != NO_VERTEX);
            let particles: Vec<usize> = particles.map(|&v| v as usize).collect();
            let weights = [a, b, c, -(a + b + c)];
            (
                particles,
                weights,
                f64::from(bend.rest),
                1.0 / material.bend,
            )
        };
        Self {
            springs: elements.edges.iter().map(spring).collect(),
            bends: elements.bends.iter().map(bend).collect(),
            masses: elements
                .vertex_areas
                .iter()
                .map(|&area| f64::from(area) * material.areal_density)
                .collect(),
        }
    }

    /// Elastic energy, J; its gradient is added to `gradient`.
    pub fn elastic(&self, at: &[DVec3], gradient: &mut [DVec3]) -> f64 {
        let mut energy = 0.0;
        for &([a, b], rest, stiffness) in &self.springs {
            let between = at[a] - at[b];
            let length = between.length();
            let longer = length - rest;
            energy += 0.5 * stiffness * longer * longer;
            let pull = between * (stiffness * longer / length.max(f64::MIN_POSITIVE));
            gradient[a] += pull;
            gradient[b] -= pull;
        }
        for (particles, weights, rest, rigidity) in &self.bends {
            let pairs = || particles.iter().zip(weights);
            let curvature: DVec3 = pairs().map(|(&v, &weight)| weight * at[v]).sum();
            let size = curvature.length();
            let more = size - rest;
            energy += 0.5 * rigidity * more * more;
            if size > 0.0 {
                let pull = curvature * (rigidity * more / size);
                for (&v, &weight) in pairs() {
                    gradient[v] += weight * pull;
                }
            }
        }
        energy
    }

    /// Kinetic energy, J.
    pub fn kinetic(&self, velocities: &[DVec3]) -> f64 {
        let pairs = self.masses.iter().zip(velocities);
        pairs.map(|(mass, v)| 0.5 * mass * v.length_squared()).sum()
    }

    /// Kinetic and elastic energy of a cloth now, J.
    pub fn energy(&self, simulation: &Simulation) -> f64 {
        let at = places(simulation);
        let mut gradient = vec![DVec3::ZERO; at.len()];
        self.kinetic(&wide(&velocities(simulation))) + self.elastic(&at, &mut gradient)
    }

    /// Where the energy under gravity is least, near `start`: L-BFGS (Nocedal 1980), until the largest residual force
    /// is 1e-7 of the weight.
    pub fn hang(&self, start: &[DVec3], pinned: &[bool], gravity: DVec3) -> Vec<DVec3> {
        let weight: f64 = self.masses.iter().sum::<f64>() * gravity.length();
        let evaluate = |at: &[DVec3]| {
            let mut gradient = vec![DVec3::ZERO; at.len()];
            let mut energy = self.elastic(at, &mut gradient);
            for (index, slope) in gradient.iter_mut().enumerate() {
                energy -= self.masses[index] * gravity.dot(at[index]);
                *slope -= self.masses[index] * gravity;
                if pinned[index] {
                    *slope = DVec3::ZERO;
                }
            }
            (energy, gradient)
        };
        let dot =
            |a: &[DVec3], b: &[DVec3]| -> f64 { a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum() };
        let along = |a: &[DVec3], s: f64, b: &[DVec3]| -> Vec<DVec3> {
            a.iter().zip(b).map(|(&a, &b)| a + s * b).collect()
        };
        let mut at = start.to_vec();
        let (mut energy, mut gradient) = evaluate(&at);
        let mut memory: VecDeque<(Vec<DVec3>, Vec<DVec3>, f64)> = VecDeque::new();
        for _ in 0..100_000 {
            let largest = gradient.iter().map(|g| g.length()).fold(0.0, f64::max);
            if largest < 1e-7 * weight {
                return at;
            }
            let mut step: Vec<DVec3> = gradient.iter().map(|&g| -g).collect();
            let mut shares = Vec::new();
            for (moved, change, inverse) in memory.iter().rev() {
                let share = inverse * dot(moved, &step);
                step = along(&step, -share, change);
                shares.push(share);
            }
            if let Some((_, change, inverse)) = memory.back() {
                let scale = 1.0 / (inverse * dot(change, change));
                step.iter_mut().for_each(|s| *s *= scale);
            } else {
                let stiffest = self.springs.iter().map(|s| s.2).fold(0.0, f64::max);
                step.iter_mut().for_each(|s| *s /= 10.0 * stiffest);
            }
            for ((moved, change, inverse), share) in memory.iter().zip(shares.iter().rev()) {
                let back = inverse * dot(change, &step);
                step = along(&step, share - back, moved);
            }
            let slope = dot(&gradient, &step);
            if slope >= 0.0 {
                memory.clear();
                continue;
            }
            let mut part = 1.0;
            let (next, (next_energy, next_gradient)) = loop {
                let next = along(&at, part, &step);
                let found = evaluate(&next);
                // Near the end energies differ by less than their rounding.
                if found.0 <= energy + 1e-4 * part * slope + 1e-14 * energy.abs() || part < 1e-9 {
                    break (next, found);
                }
                part *= 0.5;
            };
            let moved = along(&next, -1.0, &at);
            let change = along(&next_gradient, -1.0, &gradient);
            let product = dot(&moved, &change);
            if product > 0.0 {
                memory.push_back((moved, change, 1.0 / product));
                if memory.len() > 30 {
                    memory.pop_front();
                }
            }
            (at, energy, gradient) = (next, next_energy, next_gradient);
        }
        panic!("no minimum found");
    }
}

/// A disc of one metre across from rings of triangles, six more in each, jittered a little.
pub fn disc(rings: u32) -> ClothMesh {
    let mut at = vec![[0.0f32; 3]];
    let mut triangles = Vec::new();
    let first = |ring: u32| {
        if ring == 0 {
            0
        } else {
            1 + 3 * ring * (ring - 1)
        }
    };
    for ring in 1..=rings {
        let (inner, outer) = (6 * (ring - 1), 6 * ring);
        for k in 0..outer {
            let wobble = if ring < rings {
                0.2 * f64::from((7 * k + 3 * ring) % 5) / 5.0
            } else {
                0.0
            };
            let angle = std::f64::consts::TAU * (f64::from(k) + wobble) / f64::from(outer);
            let radius = 0.5 * f64::from(ring) / f64::from(rings);
            at.push([
                (radius * angle.cos()) as f32,
                0.0,
                (radius * angle.sin()) as f32,
            ]);
        }
        // Six sectors; in each the outer ring has one more.
        for sector in 0..6 {
            for step in 0..ring {
                let out = |k: u32| first(ring) + (sector * ring + k) % outer;
                let inside = |k: u32| match inner {
                    0 => 0,
                    _ => first(ring - 1) + (sector * (ring - 1) + k) % inner,
                };
                triangles.push([inside(step), out(step + 1), out(step)]);
                if step + 1 < ring {
                    triangles.push([inside(step), inside(step + 1), out(step + 1)]);
                }
            }
        }
    }
    ClothMesh::new(at, triangles).expect("a disc")
}
