//! From the surface in a body's options to the embedded one that is drawn.

use super::SimulationError;
use super::body::bounds;
use crate::arrangement::Arrangement;
use crate::embedding::Embedding;
use crate::gpu::{BodyBuffers, EmbeddedSurface, Gpu, InitialState, TexelImage};
use crate::rest_state::SurfaceReport;
use crate::surface::{SurfaceImage, SurfaceMesh};

/// A surface that is checked and hung into its mesh.
pub struct HungSurface<'a> {
    surface: &'a SurfaceMesh,
    embedding: Embedding,
    images: Vec<TexelImage<'a>>,
}

/// What is kept of an embedded surface.
#[derive(Debug)]
pub struct DrawnSurface {
    pub report: SurfaceReport,
    /// World box round where it started.
    pub initial_bounds: ([f32; 3], [f32; 3]),
}

impl<'a> HungSurface<'a> {
    pub fn new(surface: &'a SurfaceMesh, embedding: Embedding) -> Result<Self, SimulationError> {
        Ok(Self {
            images: images(surface)?,
            embedding,
            surface,
        })
    }

    /// Adds the surface to the buffers of its body, whose mesh was scaled by `scale` meanwhile.
    pub fn upload(
        self,
        gpu: &Gpu,
        buffers: &mut BodyBuffers,
        arrangement: &Arrangement,
        initial: &InitialState,
        scale: f64,
    ) -> Result<DrawnSurface, SimulationError> {
        let Self {
            surface,
            mut embedding,
            images,
        } = self;
        let carried = embedding.carried(&initial.positions);
        for anchor in &mut embedding.anchors {
            anchor.vertices = anchor
                .vertices
                .map(|vertex| arrangement.internal_vertices[vertex as usize]);
        }
        buffers.embedded = Some(EmbeddedSurface::new(
            gpu,
            &embedding,
            surface,
            &images,
            initial.origin,
        )?);
        Ok(DrawnSurface {
            report: SurfaceReport {
                vertices: surface.positions().len() as u32,
                triangles: surface.triangles().len() as u32,
                outside: embedding.outside,
                farthest: scale * embedding.farthest,
            },
            initial_bounds: bounds(initial.origin, &carried, &|_| true),
        })
    }
}

/// Refuses a surface with images that cannot be uploaded.
pub fn check_images(surface: &SurfaceMesh) -> Result<(), SimulationError> {
    images(surface).map(drop)
}

/// The images of a surface, ready to upload.
fn images(surface: &SurfaceMesh) -> Result<Vec<TexelImage<'_>>, SimulationError> {
    let mut images = Vec::new();
    for (image, source) in surface.look().images.iter().enumerate() {
        match source {
            SurfaceImage::Encoded { mime, bytes } => {
                return Err(SimulationError::EncodedImage {
                    image,
                    mime: mime.clone(),
                    bytes: bytes.len(),
                });
            }
            SurfaceImage::Rgba {
                width,
                height,
                texels,
            } => {
                let size = [*width, *height];
                let expected = 4 * u64::from(*width) * u64::from(*height);
                if expected == 0 || expected != texels.len() as u64 {
                    return Err(SimulationError::ImageSize {
                        image,
                        width: *width,
                        height: *height,
                        bytes: texels.len(),
                        expected,
                    });
                }
                images.push(TexelImage { size, texels });
            }
        }
    }
    Ok(images)
}
