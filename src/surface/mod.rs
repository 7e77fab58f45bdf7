//! A triangle surface as people model it: positions and triangles, with the normals, colours and textures it is drawn in.

#[cfg(feature = "mesh-tools")]
pub mod orient;
#[cfg(feature = "mesh-tools")]
pub mod query;
#[cfg(feature = "mesh-tools")]
pub mod survey;
#[cfg(feature = "mesh-tools")]
mod tree;
#[cfg(feature = "mesh-tools")]
mod winding;

#[cfg(feature = "mesh-tools")]
pub use orient::{Oriented, oriented};
#[cfg(feature = "mesh-tools")]
pub use query::{ClosestPoint, SurfaceIndex};
#[cfg(feature = "mesh-tools")]
pub use survey::SurfaceSurvey;

use crate::error::SurfaceError;

/// A triangle surface that is safe to index. It may be open, non-manifold or self-intersecting.
///
/// Whatever the input, a `SurfaceMesh` that exists has at least one triangle, every vertex number is in range, every
/// coordinate finite, optional arrays have one entry per vertex, and the parts cover the triangles one after the
/// other.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SurfaceMesh {
    positions: Vec<[f32; 3]>,
    triangles: Vec<[u32; 3]>,
    look: SurfaceLook,
}

/// How a surface is drawn where the file says so. An empty array means that the file does not.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SurfaceLook {
    /// Unit normals as modelled, one per vertex or none: corners at one place with different normals are a hard edge.
    pub normals: Vec<[f32; 3]>,
    /// Texture coordinates, one per vertex or none; (0, 0) is the first texel of the image, v runs down (glTF 2.0).
    pub uvs: Vec<[f32; 2]>,
    /// Linear RGBA colours, one per vertex or none; they multiply the colour of the part.
    pub colors: Vec<[f32; 4]>,
    /// Runs of triangles of one material. None at all means a single part in the body's own appearance.
    pub parts: Vec<SurfacePart>,
    /// Images that the parts name, as stored in the file.
    pub images: Vec<SurfaceImage>,
}

/// A run of triangles of one material.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurfacePart {
    /// Number of triangles; the first follows the previous part's last.
    pub triangles: u32,
    /// Linear base colour; it multiplies texture and vertex colours.
    pub color: [f32; 4],
    /// Index of the base colour image, if it has one.
    pub image: Option<u32>,
}

/// An image of a surface.
#[derive(Debug, Clone, PartialEq)]
pub enum SurfaceImage {
    /// PNG or JPEG bytes as the file holds them.
    Encoded {
        /// `image/png` or `image/jpeg`.
        mime: String,
        /// The file.
        bytes: Vec<u8>,
    },
    /// Decoded sRGB colours with linear alpha, 4 bytes per texel, rows from the top.
    Rgba {
        /// Texels per row.
        width: u32,
        /// Rows.
        height: u32,
        /// `4·width·height` bytes.
        texels: Vec<u8>,
    },
}

impl SurfaceMesh {
    /// Checks a surface given as arrays; positions in the file's units.
    ///
    /// # Errors
    /// [`SurfaceError`] names the array and the first entry at fault.
    pub fn new(
        positions: Vec<[f32; 3]>,
        triangles: Vec<[u32; 3]>,
        look: SurfaceLook,
    ) -> Result<Self, SurfaceError> {
        if triangles.is_empty() {
            return Err(SurfaceError::Empty {
                vertices: positions.len(),
            });
        }
        for (triangle, corners) in triangles.iter().enumerate() {
            for (corner, &index) in corners.iter().enumerate() {
                if index as usize >= positions.len() {
                    return Err(SurfaceError::IndexOutOfRange {
                        triangle,
                        corner,
                        index,
                        vertices: positions.len(),
                    });
                }
            }
        }
        if let Some(vertex) = positions
            .iter()
            .position(|position| !position.iter().all(|x| x.is_finite()))
        {
            return Err(SurfaceError::NonFinite { vertex });
        }
        for (array, length) in [
            ("normals", look.normals.len()),
            ("uvs", look.uvs.len()),
            ("colors", look.colors.len()),
        ] {
            if length != 0 && length != positions.len() {
                return Err(SurfaceError::LengthMismatch {
                    array,
                    length,
                    expected: positions.len(),
                });
            }
        }
        let covered: u64 = look.parts.iter().map(|p| u64::from(p.triangles)).sum();
        if !look.parts.is_empty() && covered != triangles.len() as u64 {
            return Err(SurfaceError::PartsMismatch {
                covered,
                triangles: triangles.len(),
            });
        }
        let images = look.images.len();
        for (part, image) in look
            .parts
            .iter()
            .enumerate()
            .filter_map(|(n, p)| Some((n, p.image?)))
        {
            if image as usize >= images {
                return Err(SurfaceError::NoSuchImage {
                    part,
                    image,
                    images,
                });
            }
        }
        Ok(Self {
            positions,
            triangles,
            look,
        })
    }

    /// Vertex positions, in the file's units.
    pub fn positions(&self) -> &[[f32; 3]] {
        &self.positions
    }

    /// Vertex numbers of each triangle, counter-clockwise seen from outside where the file keeps to that.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Normals, colours and textures.
    pub fn look(&self) -> &SurfaceLook {
        &self.look
    }
}
