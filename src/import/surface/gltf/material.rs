//! Base colours of materials: factor, image and the place of its texture coordinates.

use super::super::super::ImportError;
use super::super::builder::Material;
use super::super::companion;
use super::Reader;
use super::json::Object;

/// A material as primitives need it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look {
    /// The builder's number of it.
    pub material: usize,
    /// Present where there is an image to show.
    pub texture: Option<Texture>,
}

/// How texture coordinates lead to the image.
#[derive(Debug, Clone, Copy)]
pub(super) struct Texture {
    /// The number in `TEXCOORD_n`.
    pub set: usize,
    offset: [f64; 2],
    scale: [f64; 2],
    /// Sine and cosine of the angle.
    turn: [f64; 2],
}

impl Texture {
    /// Applies `KHR_texture_transform`: scaled, then turned counter-clockwise as seen with v down, then moved.
    pub fn transformed(&self, uv: [f64; 2]) -> [f32; 2] {
        let [u, v] = [uv[0] * self.scale[0], uv[1] * self.scale[1]];
        let [sin, cos] = self.turn;
        [
            (cos * u + sin * v + self.offset[0]) as f32,
            (cos * v - sin * u + self.offset[1]) as f32,
        ]
    }
}

impl Reader<'_> {
    #[inline(never)]
    pub(super) fn look(&mut self, index: usize) -> Result<Look, ImportError> {
        if let Some(Some(look)) = self.looks.get(index) {
            return Ok(*look);
        }
        let material = self.root.item("materials", index)?;
        let (of, factor, texture) =
            match material.extension("KHR_materials_pbrSpecularGlossiness")? {
                Some(specular) => (Some(specular), "diffuseFactor", "diffuseTexture"),
                None => (
                    material.object("pbrMetallicRoughness")?,
                    "baseColorFactor",
                    "baseColorTexture",
                ),
            };
        let mut color = [1.0f32; 4];
        let mut info = None;
        if let Some(of) = of {
            color = of
                .numbers::<4>(factor)?
                .unwrap_or([1.0; 4])
                .map(|x| x as f32);
            info = of.object(texture)?;
        }
        // Unless it says otherwise a material is opaque whatever its alpha.
        if matches!(material.text("alphaMode")?, None | Some("OPAQUE")) {
            color[3] = 1.0;
        }
        let mut texture = None;
        let mut image = None;
        if let Some(info) = &info {
            image = self.texture_image(info.required_index("index")?)?;
            texture = image.map(|_| placed(info)).transpose()?;
        }
        let look = Look {
            material: self.builder.material(Material { color, image }),
            texture,
        };
        self.looks[index] = Some(look);
        Ok(look)
    }

    /// The image of a texture; `None`, with a note, if it is of a kind that is not shown.
    #[inline(never)]
    fn texture_image(&mut self, index: usize) -> Result<Option<u32>, ImportError> {
        let texture = self.root.item("textures", index)?;
        let Some(source) = texture.index("source")? else {
            for (extension, kind) in [
                ("KHR_texture_basisu", "KTX2"),
                ("EXT_texture_webp", "WebP"),
                ("EXT_texture_avif", "AVIF"),
            ] {
                if texture.extension(extension)?.is_some() {
                    self.note_image(texture.here(), kind);
                }
            }
            return Ok(None);
        };
        if let Some(&Some(known)) = self.images.get(source) {
            return Ok(known);
        }
        let object = self.root.item("images", source)?;
        let encoded = match (object.text("uri")?, object.index("bufferView")?) {
            (Some(address), _) => match self.buffers.content(address, &object.path("uri")) {
                Ok(bytes) => companion::image(&bytes),
                // The geometry is whole without it.
                Err(ImportError::MissingCompanion { .. }) => {
                    self.notes.push(companion::not_given(
                        "image",
                        &companion::percent_decoded(address.as_bytes()),
                        "its material has its colour only",
                    ));
                    self.images[source] = Some(None);
                    return Ok(None);
                }
                Err(error) => return Err(error),
            },
            (None, Some(view)) => {
                let view = self.buffers.locate(view)?;
                companion::image(self.buffers.bytes(&view))
            }
            (None, None) => return Err(object.missing("uri")),
        };
        let image = match encoded {
            Ok(image) => Some(self.builder.image(image)),
            Err(kind) => {
                self.note_image(object.here(), kind);
                None
            }
        };
        self.images[source] = Some(image);
        Ok(image)
    }

    #[inline(never)]
    fn note_image(&mut self, path: &str, kind: &str) {
        self.notes.push(format!(
            "{path} is {kind}, not PNG or JPEG: its material has its colour only"
        ));
    }
}

#[inline(never)]
fn placed(info: &Object) -> Result<Texture, ImportError> {
    let mut set = info.index("texCoord")?.unwrap_or(0);
    let (mut offset, mut scale, mut angle) = ([0.0; 2], [1.0; 2], 0.0f64);
    if let Some(transform) = info.extension("KHR_texture_transform")? {
        offset = transform.numbers("offset")?.unwrap_or(offset);
        scale = transform.numbers("scale")?.unwrap_or(scale);
        angle = transform.number("rotation")?.unwrap_or(angle);
        set = transform.index("texCoord")?.unwrap_or(set);
    }
    Ok(Texture {
        set,
        offset,
        scale,
        turn: sine_and_cosine(angle),
    })
}

/// Sine and cosine by their series after whole turns are taken off; the library's own reduce exactly whatever the
/// angle, which costs a page 9 KB. Good to 1e-12 for angles of a few turns.
fn sine_and_cosine(angle: f64) -> [f64; 2] {
    use std::f64::consts::TAU;
    let x = angle - (angle / TAU).round() * TAU;
    let (mut sine, mut cosine) = (0.0, 0.0);
    let mut term = 1.0;
    for n in 0..30 {
        match n % 4 {
            0 => cosine += term,
            1 => sine += term,
            2 => cosine -= term,
            _ => sine -= term,
        }
        term *= x / f64::from(n + 1);
    }
    [sine, cosine]
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::sine_and_cosine;

    #[test]
    fn the_series_agrees_with_the_library() {
        for n in -4000..4000 {
            let angle = f64::from(n) * 0.005;
            let [sine, cosine] = sine_and_cosine(angle);
            assert!((sine - angle.sin()).abs() < 1e-12, "{angle}");
            assert!((cosine - angle.cos()).abs() < 1e-12, "{angle}");
        }
    }
}
