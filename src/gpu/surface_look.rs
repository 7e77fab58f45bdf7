//! Colours and textures of an embedded surface on the GPU.

use super::{Gpu, GpuError};
use crate::embedding::Embedding;
use crate::math::linear_from_srgb;
use crate::surface::{SurfaceLook, SurfacePart};
use bytemuck::{Pod, Zeroable};
use glam::Vec4;
use std::ops::Range;
use wgpu::BufferUsages as Usage;

/// A decoded image of a surface: sRGB colours with linear alpha, `4·width·height` bytes, rows from the top.
#[derive(Debug, Clone, Copy)]
pub struct TexelImage<'a> {
    /// Texels per row and rows.
    pub size: [u32; 2],
    /// The texels.
    pub texels: &'a [u8],
}

/// Texture coordinates and linear colour of a drawn vertex: vertex attributes 2 and 3 of the textured body.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub struct VertexLook {
    /// (0, 0) is the first texel of the image.
    pub uv: [f32; 2],
    /// 16-bit fixed point, 0 to 1.
    pub color: [u16; 4],
}

/// Triangles drawn in one go.
#[derive(Debug, Clone)]
pub struct DrawnPart {
    /// Of the surface's triangle indices.
    pub indices: Range<u32>,
    /// Which of the textures.
    pub texture: usize,
}

/// What a surface with its own colours is drawn with.
#[derive(Debug)]
pub struct SurfaceLookBuffers {
    /// [`VertexLook`] per drawn vertex.
    pub vertices: wgpu::Buffer,
    /// Linear RGBA per part, [`PART_STRIDE`] bytes apart.
    pub part_colors: wgpu::Buffer,
    /// One after the other; together all triangles.
    pub parts: Vec<DrawnPart>,
    /// Base colour textures with all their mip levels; the first is a white texel.
    pub textures: Vec<wgpu::Texture>,
    /// The linear mean of it all, for light that the body reflects and lets through.
    pub mean_color: [f32; 3],
}

/// Distance of the parts' colours in their buffer: the largest alignment that a device may ask for.
pub const PART_STRIDE: u64 = 256;

impl SurfaceLookBuffers {
    /// Whether the device takes these images.
    ///
    /// # Errors
    /// [`GpuError::Limit`] names the first that is too large.
    pub fn check(gpu: &Gpu, images: &[TexelImage<'_>]) -> Result<(), GpuError> {
        let allowed = u64::from(gpu.device.limits().max_texture_dimension_2d);
        for (number, image) in images.iter().enumerate() {
            let side = image.size[0].max(image.size[1]);
            let row = [("the longer side", u64::from(side), allowed)];
            gpu.check(&row, (0, ""), || {
                format!("image {number} of the surface, in texels")
            })?;
        }
        Ok(())
    }

    /// `None` for a surface without colours and parts: it is drawn in the body's own appearance.
    pub(super) fn new(
        gpu: &Gpu,
        embedding: &Embedding,
        look: &SurfaceLook,
        images: &[TexelImage<'_>],
    ) -> Option<Self> {
        if look.colors.is_empty() && look.parts.is_empty() {
            return None;
        }
        let vertices: Vec<VertexLook> = embedding
            .sources
            .iter()
            .map(|&source| VertexLook {
                uv: look.uvs.get(source as usize).copied().unwrap_or_default(),
                color: look
                    .colors
                    .get(source as usize)
                    .map_or([u16::MAX; 4], |color| {
                        color.map(|c| (65535.0 * c + 0.5) as u16)
                    }),
            })
            .collect();

        let whole = [SurfacePart {
            triangles: embedding.triangles.len() as u32,
            color: [1.0; 4],
            image: None,
        }];
        let runs = match look.parts.is_empty() {
            true => &whole[..],
            false => &look.parts,
        };
        let (white, mean) = texture(gpu, [1, 1], &[255; 4]);
        let mut textures = vec![white];
        let mut means = vec![mean];
        let mut uploaded = vec![None; images.len()];
        let mut mean_color = Vec4::ZERO;
        let mut parts = Vec::new();
        let mut colors: Vec<u8> = Vec::new();
        let mut first = 0;
        for part in runs {
            let indices = first..first + 3 * part.triangles;
            first = indices.end;
            // Without coordinates there is nothing to look up an image by.
            let image = part.image.filter(|_| !look.uvs.is_empty());
            let texture = image.map_or(0, |image| {
                *uploaded[image as usize].get_or_insert_with(|| {
                    let TexelImage { size, texels } = images[image as usize];
                    let (texture, mean) = texture(gpu, size, texels);
                    textures.push(texture);
                    means.push(mean);
                    textures.len() - 1
                })
            });
            let share = part.triangles as f32 / embedding.triangles.len() as f32;
            mean_color += share * Vec4::from(part.color) * means[texture];
            let color = bytemuck::bytes_of(&part.color);
            if let Some(last) = parts.last_mut().filter(|last: &&mut DrawnPart| {
                let of_last = &colors[colors.len() - PART_STRIDE as usize..];
                last.texture == texture && of_last.starts_with(color)
            }) {
                last.indices.end = indices.end;
                continue;
            }
            parts.push(DrawnPart { indices, texture });
            colors.extend(color);
            colors.resize(parts.len() * PART_STRIDE as usize, 0);
        }
        if !look.colors.is_empty() {
            let sum: Vec4 = look.colors.iter().copied().map(Vec4::from).sum();
            mean_color *= sum / look.colors.len() as f32;
        }
        Some(Self {
            vertices: gpu.create(
                "vertex looks",
                bytemuck::cast_slice(&vertices),
                Usage::VERTEX,
            ),
            part_colors: gpu.create("part colors", &colors, Usage::UNIFORM),
            parts,
            textures,
            mean_color: mean_color.truncate().to_array(),
        })
    }
}

impl Drop for SurfaceLookBuffers {
    /// On the web dropping frees nothing; destroying does.
    fn drop(&mut self) {
        self.vertices.destroy();
        self.part_colors.destroy();
        for texture in &self.textures {
            texture.destroy();
        }
    }
}

/// An sRGB texture with all its mip levels, and its linear mean: the last of them.
fn texture(gpu: &Gpu, size: [u32; 2], texels: &[u8]) -> (wgpu::Texture, Vec4) {
    let extent = |[width, height]: [u32; 2]| wgpu::Extent3d {
        width,
        height,
        depth_or_array_layers: 1,
    };
    let levels = size[0].max(size[1]).ilog2() + 1;
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("surface image"),
        size: extent(size),
        mip_level_count: levels,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8UnormSrgb,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    let halving = Halving::new();
    let mut smaller: Vec<u8> = Vec::new();
    let mut size = size;
    for level in 0..levels {
        let texels = match level {
            0 => texels,
            _ => &smaller,
        };
        gpu.queue.write_texture(
            wgpu::TexelCopyTextureInfo {
                mip_level: level,
                ..texture.as_image_copy()
            },
            texels,
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(4 * size[0]),
                rows_per_image: None,
            },
            extent(size),
        );
        (smaller, size) = halving.of(texels, size);
    }
    let mean: [f32; 4] =
        std::array::from_fn(|channel| f32::from(halving.linear[usize::from(smaller[channel])]));
    (texture, Vec4::from(mean) / 65535.0)
}

/// Makes mip levels: means of linear colours, by table, because three powers per texel would take seconds.
struct Halving {
    /// Linear colour of each code.
    linear: Vec<u16>,
    /// Linear colours half-way between two codes.
    between: Vec<u16>,
}

impl Halving {
    fn new() -> Self {
        let at = |code: f32| (65535.0 * linear_from_srgb(code / 255.0) + 0.5) as u16;
        Self {
            linear: (0..256u16).map(|code| at(f32::from(code))).collect(),
            between: (0..255u16).map(|code| at(f32::from(code) + 0.5)).collect(),
        }
    }

    /// The next level of an image, opaque. Each texel is the mean of 2 × 2; the last of an odd side takes one more.
    fn of(&self, texels: &[u8], size: [u32; 2]) -> (Vec<u8>, [u32; 2]) {
        let half = size.map(|side| (side / 2).max(1));
        let covered = |axis: usize, i: u32| {
            let last = i + 1 == half[axis];
            2 * i..if last { size[axis] } else { 2 * i + 2 }
        };
        let mut smaller = Vec::with_capacity(4 * half[0] as usize * half[1] as usize);
        for y in 0..half[1] {
            for x in 0..half[0] {
                let mut sum = [0u32; 3];
                let mut count = 0;
                for row in covered(1, y) {
                    for column in covered(0, x) {
                        let texel =
                            &texels[4 * (row as usize * size[0] as usize + column as usize)..];
                        for (sum, &code) in sum.iter_mut().zip(texel) {
                            *sum += u32::from(self.linear[usize::from(code)]);
                        }
                        count += 1;
                    }
                }
                for sum in sum {
                    let mean = ((sum + count / 2) / count) as u16;
                    smaller.push(self.between.partition_point(|&limit| limit <= mean) as u8);
                }
                smaller.push(u8::MAX);
            }
        }
        (smaller, half)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_means_of_light_not_of_codes() {
        let halving = Halving::new();
        // Black and white, half covered: half the light is code 188, not 128.
        let checks = [[0, 0, 0, 255], [255; 4], [255; 4], [0, 0, 0, 255]].concat();
        let (texels, size) = halving.of(&checks, [2, 2]);
        assert_eq!((texels, size), (vec![188, 188, 188, 255], [1, 1]));
    }

    #[test]
    fn every_code_comes_back_from_an_even_image_of_any_size() {
        let halving = Halving::new();
        for code in 0..=255u8 {
            for size in [[1, 2], [3, 1], [5, 4], [2, 7]] {
                let texels = [code, code, code, 255].repeat((size[0] * size[1]) as usize);
                let (smaller, half) = halving.of(&texels, size);
                assert_eq!(half, size.map(|side| (side / 2).max(1)));
                let expected = [code, code, code, 255].repeat((half[0] * half[1]) as usize);
                assert_eq!(smaller, expected);
            }
        }
    }
}
