//! Triangles in the air, and the force on them on the GPU and in `f64`.

use super::map;
use crate::common::Random;
use glam::DVec3;
use webgpu_softbody::gpu::Gpu;
use webgpu_softbody::layout::WindParams;

const VALUE: &str = "
struct Input {
  a: vec3<f32>, areal_density: f32, b: vec3<f32>, seconds: f32, c: vec3<f32>, normal: f32,
  va: vec3<f32>, tangential: f32, vb: vec3<f32>, unused: f32, vc: vec3<f32>,
}
fn value(input: Input) -> vec3<f32> {
  return air_force(input.a, input.b, input.c, input.va, input.vb, input.vc,
    input.normal, input.tangential, input.areal_density, input.seconds);
}";

pub const RHO: f64 = 1.2;

/// A triangle in the air. Every number is one of `f32`.
#[derive(Debug, Clone, Copy)]
pub struct Plate {
    pub corners: [DVec3; 3],
    pub velocities: [DVec3; 3],
    pub normal: f64,
    pub tangential: f64,
    pub areal_density: f64,
    pub seconds: f64,
}

impl Plate {
    fn row(&self) -> [[f32; 4]; 6] {
        let row = |v: DVec3, w: f64| [v.x as f32, v.y as f32, v.z as f32, w as f32];
        let [[a, b, c], [va, vb, vc]] = [self.corners, self.velocities];
        [
            row(a, self.areal_density),
            row(b, self.seconds),
            row(c, self.normal),
            row(va, self.tangential),
            row(vb, 0.0),
            row(vc, 0.0),
        ]
    }

    /// Twice its area times its unit normal.
    pub fn spread(&self) -> DVec3 {
        let [a, b, c] = self.corners;
        (b - a).cross(c - a)
    }

    pub fn area(&self) -> f64 {
        0.5 * self.spread().length()
    }

    pub fn velocity(&self) -> DVec3 {
        self.velocities.iter().sum::<DVec3>() / 3.0
    }

    /// The air's velocity past it, across and along, and the drag on each.
    pub fn parts(&self, air: DVec3) -> [(DVec3, f64); 2] {
        let unit = self.spread().normalize();
        let relative = air - self.velocity();
        let across = relative.dot(unit) * unit;
        [
            (across, 0.5 * RHO * self.normal * across.length()),
            (
                relative - across,
                0.5 * RHO * self.tangential * relative.length(),
            ),
        ]
    }

    /// The same force in `f64`.
    pub fn force(&self, air: DVec3) -> DVec3 {
        self.parts(air)
            .iter()
            .map(|&(v, rate)| {
                self.area() * rate / (1.0 + self.seconds * rate / self.areal_density) * v
            })
            .sum()
    }
}

pub fn forces(gpu: &Gpu, wind: &WindParams, plates: &[Plate]) -> Vec<DVec3> {
    let rows: Vec<_> = plates.iter().map(Plate::row).collect();
    map(gpu, wind, VALUE, &rows)
}

pub fn rounded(v: f64) -> f64 {
    f64::from(v as f32)
}

pub fn vector(random: &mut Random, size: f64) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| {
        rounded(random.uniform(-size, size))
    }))
}

/// Uniform in the logarithm.
pub fn between(random: &mut Random, least: f64, most: f64) -> f64 {
    rounded(least * (most / least).powf(random.uniform(0.0, 1.0)))
}

/// Anything that the settings allow, not thinner than 1 : 100.
pub fn random_plate(random: &mut Random) -> Plate {
    let size = between(random, 1e-3, 10.0);
    loop {
        let plate = Plate {
            corners: std::array::from_fn(|_| vector(random, size)),
            velocities: std::array::from_fn(|_| vector(random, 50.0)),
            normal: between(random, 1e-3, 100.0),
            tangential: between(random, 1e-3, 100.0),
            areal_density: between(random, 1e-4, 1e3),
            seconds: between(random, 1e-5, 1.0 / 30.0),
        };
        if plate.area() > 0.01 * size * size {
            return plate;
        }
    }
}

/// A right triangle of 0.02 m² whose plane stands at an angle to a wind along x, as the settings of silk have it.
pub fn inclined(degrees: f64, seconds: f64) -> Plate {
    let (s, c) = degrees.to_radians().sin_cos();
    let corners = [
        DVec3::ZERO,
        DVec3::new(0.2 * c, 0.2 * s, 0.0),
        DVec3::new(0.0, 0.0, 0.2),
    ];
    Plate {
        corners: corners.map(|p| DVec3::from(p.to_array().map(rounded))),
        velocities: [DVec3::ZERO; 3],
        normal: rounded(1.2),
        tangential: rounded(0.02),
        areal_density: rounded(0.07),
        seconds: rounded(seconds),
    }
}
