//! Smooth closed surfaces to draw: rounded boxes, balls and tori, and what the solver would derive from them.

use glam::Vec3;

/// A closed triangle mesh, counter-clockwise from outside.
#[derive(Clone)]
pub struct Shape {
    pub positions: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
}

impl Shape {
    /// A box with rounded edges: every point of a subdivided cube at `radius` from the box shrunk by it.
    pub fn rounded_box(half: Vec3, radius: f32, cells: u32) -> Self {
        let mut shape = Self {
            positions: Vec::new(),
            triangles: Vec::new(),
        };
        let mut index = std::collections::HashMap::new();
        for face in 0..6 {
            let (axis, sign) = (face % 3, if face < 3 { 1.0 } else { -1.0 });
            let mut at = |i: u32, j: u32| {
                let mut cube = [0.0; 3];
                cube[axis] = sign;
                cube[(axis + 1) % 3] = 2.0 * i as f32 / cells as f32 - 1.0;
                cube[(axis + 2) % 3] = 2.0 * j as f32 / cells as f32 - 1.0;
                // Points crowd towards the edges, where the rounding needs them.
                let cube = Vec3::from(cube).map(|c| (1.3 * c).sin() / 1.3_f32.sin());
                let key = (cube * 1e4).round().as_ivec3().to_array();
                *index.entry(key).or_insert_with(|| {
                    let core = half - radius;
                    let inner = (cube * half).clamp(-core, core);
                    let outward = (cube * half - inner).normalize_or(cube.normalize());
                    let p = inner + radius * outward;
                    shape.positions.push(p);
                    shape.positions.len() as u32 - 1
                })
            };
            for i in 0..cells {
                for j in 0..cells {
                    let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
                    let quads = if sign > 0.0 {
                        [[a, b, c], [a, c, d]]
                    } else {
                        [[a, c, b], [a, d, c]]
                    };
                    shape.triangles.extend(quads);
                }
            }
        }
        shape
    }

    pub fn sphere(radius: f32, cells: u32) -> Self {
        Self::rounded_box(Vec3::splat(radius), radius * 0.999, cells)
    }

    pub fn torus(major: f32, minor: f32, around: u32, across: u32) -> Self {
        let mut shape = Self {
            positions: Vec::new(),
            triangles: Vec::new(),
        };
        for i in 0..around {
            for j in 0..across {
                let u = std::f32::consts::TAU * i as f32 / around as f32;
                let v = std::f32::consts::TAU * j as f32 / across as f32;
                let ring = major + minor * v.cos();
                shape
                    .positions
                    .push(Vec3::new(ring * u.cos(), minor * v.sin(), ring * u.sin()));
                let at = |i: u32, j: u32| (i % around) * across + j % across;
                let [a, b, c, d] = [at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)];
                shape.triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
        shape
    }

    #[must_use]
    pub fn map(mut self, f: impl Fn(Vec3) -> Vec3) -> Self {
        for p in &mut self.positions {
            *p = f(*p);
        }
        self
    }

    pub fn translated(self, by: Vec3) -> Self {
        self.map(|p| p + by)
    }

    /// Area-weighted vertex normals, as the solver makes them.
    pub fn normals(&self) -> Vec<Vec3> {
        let mut normals = vec![Vec3::ZERO; self.positions.len()];
        for triangle in &self.triangles {
            let [a, b, c] = triangle.map(|i| self.positions[i as usize]);
            let area = (b - a).cross(c - a);
            for &i in triangle {
                normals[i as usize] += area;
            }
        }
        normals.into_iter().map(Vec3::normalize_or_zero).collect()
    }

    pub fn edges(&self) -> Vec<[u32; 2]> {
        let all = self
            .triangles
            .iter()
            .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let unique: std::collections::BTreeSet<_> =
            all.map(|[a, b]| [a.min(b), a.max(b)]).collect();
        unique.into_iter().collect()
    }

    /// World box of the shape.
    pub fn bounds(&self) -> (Vec3, Vec3) {
        let start = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        self.positions
            .iter()
            .fold(start, |(low, high), &p| (low.min(p), high.max(p)))
    }
}
