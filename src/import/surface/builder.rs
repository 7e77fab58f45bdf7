//! Collects vertices, triangles and materials while a file is read, and makes the surface of them.

use super::super::ImportError;
use crate::surface::{SurfaceImage, SurfaceLook, SurfaceMesh, SurfacePart};

/// What a file says of one vertex. What it leaves out is filled in when another vertex has it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Vertex {
    pub position: [f32; 3],
    pub normal: Option<[f32; 3]>,
    pub uv: Option<[f32; 2]>,
    pub color: Option<[f32; 4]>,
}

/// The look of the triangles that use it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Material {
    /// Linear base colour.
    pub color: [f32; 4],
    /// Index among the builder's images.
    pub image: Option<u32>,
}

#[derive(Debug, Default)]
pub(super) struct Builder {
    positions: Vec<[f32; 3]>,
    look: SurfaceLook,
    triangles: Vec<[u32; 3]>,
    materials: Vec<Material>,
    /// Consecutive triangles of one material, `None` for those without.
    runs: Vec<(Option<usize>, u32)>,
}

impl Builder {
    /// Adds a vertex and gives its number. Callers hold their input below `u32::MAX` vertices.
    #[inline(never)]
    pub fn vertex(&mut self, vertex: Vertex) -> u32 {
        let number = self.positions.len();
        self.positions.push(vertex.position);
        put(&mut self.look.normals, number, vertex.normal, [0.0; 3]);
        put(&mut self.look.uvs, number, vertex.uv, [0.0; 2]);
        put(&mut self.look.colors, number, vertex.color, [1.0; 4]);
        number as u32
    }

    #[inline(never)]
    pub fn material(&mut self, material: Material) -> usize {
        self.materials.push(material);
        self.materials.len() - 1
    }

    #[inline(never)]
    pub fn image(&mut self, image: SurfaceImage) -> u32 {
        self.look.images.push(image);
        self.look.images.len() as u32 - 1
    }

    #[inline(never)]
    pub fn triangle(&mut self, corners: [u32; 3], material: Option<usize>) {
        self.triangles.push(corners);
        match self.runs.last_mut() {
            Some((last, count)) if *last == material => *count += 1,
            _ => self.runs.push((material, 1)),
        }
    }

    pub fn vertex_count(&self) -> usize {
        self.positions.len()
    }

    pub fn position(&self, vertex: u32) -> [f32; 3] {
        self.positions[vertex as usize]
    }

    pub fn triangle_count(&self) -> usize {
        self.triangles.len()
    }

    pub fn has_uvs(&self) -> bool {
        !self.look.uvs.is_empty()
    }

    /// The surface, its triangles grouped by material in the order in which these first occur.
    pub fn finish(mut self, format: &'static str) -> Result<SurfaceMesh, ImportError> {
        let count = self.positions.len();
        complete(&mut self.look.normals, count, [0.0; 3]);
        complete(&mut self.look.uvs, count, [0.0; 2]);
        complete(&mut self.look.colors, count, [1.0; 4]);
        for color in &mut self.look.colors {
            for channel in color {
                *channel = if channel.is_finite() {
                    channel.max(0.0)
                } else {
                    1.0
                };
            }
        }
        for uv in &mut self.look.uvs {
            if !uv.iter().all(|x| x.is_finite()) {
                *uv = [0.0; 2];
            }
        }
        fill_normals(&mut self.look.normals, &self.positions, &self.triangles);
        self.group();
        SurfaceMesh::new(self.positions, self.triangles, self.look)
            .map_err(|source| ImportError::Surface { format, source })
    }

    /// Sorts triangles into one part per material. Without materials and colours there are no parts.
    #[inline(never)]
    fn group(&mut self) {
        let plain = self.runs.iter().all(|(material, _)| material.is_none());
        if plain && self.look.colors.is_empty() {
            return;
        }
        // The last place stands for "no material".
        let none = self.materials.len();
        let mut parts: Vec<Option<usize>> = vec![None; none + 1];
        for &(material, count) in &self.runs {
            let part = *parts[material.unwrap_or(none)].get_or_insert_with(|| {
                let look = material.map(|m| self.materials[m]);
                self.look.parts.push(SurfacePart {
                    triangles: 0,
                    color: look.map_or([1.0; 4], |m| m.color),
                    image: look.and_then(|m| m.image),
                });
                self.look.parts.len() - 1
            });
            self.look.parts[part].triangles += count;
        }
        if self.runs.len() == self.look.parts.len() {
            return;
        }
        let mut next = Vec::with_capacity(self.look.parts.len());
        let mut sum = 0;
        for part in &self.look.parts {
            next.push(sum);
            sum += part.triangles as usize;
        }
        let mut grouped = vec![[0; 3]; self.triangles.len()];
        let mut from = 0;
        for &(material, count) in &self.runs {
            let part =
                parts[material.unwrap_or(none)].expect("invariant: each run made its part above");
            let count = count as usize;
            grouped[next[part]..next[part] + count]
                .copy_from_slice(&self.triangles[from..from + count]);
            next[part] += count;
            from += count;
        }
        self.triangles = grouped;
    }
}

/// Appends to an optional array; it begins to exist with the first value.
fn put<T: Copy>(array: &mut Vec<T>, number: usize, value: Option<T>, missing: T) {
    if let Some(value) = value {
        complete_to(array, number, missing);
        array.push(value);
    } else if !array.is_empty() {
        array.push(missing);
    }
}

fn complete_to<T: Copy>(array: &mut Vec<T>, count: usize, missing: T) {
    if array.len() < count {
        array.resize(count, missing);
    }
}

fn complete<T: Copy>(array: &mut Vec<T>, count: usize, missing: T) {
    if !array.is_empty() {
        complete_to(array, count, missing);
    }
}

/// Makes normals unit vectors. Where a file has none, or none that is a direction, the area-weighted mean of the
/// triangles around the vertex takes its place.
#[inline(never)]
fn fill_normals(normals: &mut [[f32; 3]], positions: &[[f32; 3]], triangles: &[[u32; 3]]) {
    let mut missing = false;
    for normal in normals.iter_mut() {
        *normal = unit(normal.map(f64::from)).unwrap_or_else(|| {
            missing = true;
            [0.0; 3]
        });
    }
    if !missing {
        return;
    }
    let mut sums = vec![[0.0f64; 3]; normals.len()];
    for corners in triangles {
        let [a, b, c] = corners.map(|corner| positions[corner as usize].map(f64::from));
        let area = cross(sub(b, a), sub(c, a));
        for &corner in corners {
            let sum = &mut sums[corner as usize];
            *sum = [sum[0] + area[0], sum[1] + area[1], sum[2] + area[2]];
        }
    }
    for (normal, sum) in normals.iter_mut().zip(sums) {
        if *normal == [0.0; 3] {
            *normal = unit(sum).unwrap_or([0.0, 1.0, 0.0]);
        }
    }
}

pub(super) fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(super) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

fn unit(v: [f64; 3]) -> Option<[f32; 3]> {
    // Scaled first, so that the squares neither vanish nor overflow.
    let largest = v.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    if !(largest > 0.0 && largest.is_finite() && v.iter().all(|x| x.is_finite())) {
        return None;
    }
    let v = v.map(|x| x / largest);
    let length = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    Some(v.map(|x| (x / length) as f32))
}

/// An sRGB channel, 0 to 1, in linear light (IEC 61966-2-1).
#[inline(never)]
pub(super) fn linear(channel: f32) -> f32 {
    let channel = channel.clamp(0.0, 1.0);
    if channel <= 0.040_45 {
        channel / 12.92
    } else {
        ((channel + 0.055) / 1.055).powf(2.4)
    }
}
