//! The triangles of a primitive, with the vertices that they use.

use std::rc::Rc;

use super::super::super::ImportError;
use super::super::builder::Vertex;
use super::accessor::Accessor;
use super::json::Object;
use super::material::Look;
use super::skin::{Influences, Skin};
use super::transform::Placement;
use super::{Reader, compressed, malformed};

/// Attributes of a primitive.
struct Arrays {
    indices: Option<Rc<Accessor>>,
    positions: Rc<Accessor>,
    normals: Option<Rc<Accessor>>,
    uvs: Option<Rc<Accessor>>,
    colors: Option<Rc<Accessor>>,
    /// Of a skinned mesh.
    influences: Option<Influences>,
}

/// How corners make triangles.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Triangles,
    Strip,
    Fan,
}

impl Mode {
    fn triangles(self, corners: usize) -> usize {
        match self {
            Self::Triangles => corners / 3,
            Self::Strip | Self::Fan => corners.saturating_sub(2),
        }
    }

    /// The corners of a triangle.
    fn corners(self, triangle: usize) -> [usize; 3] {
        match self {
            Self::Triangles => [3 * triangle, 3 * triangle + 1, 3 * triangle + 2],
            Self::Strip => {
                let odd = triangle % 2;
                [triangle, triangle + 1 + odd, triangle + 2 - odd]
            }
            Self::Fan => [triangle + 1, triangle + 2, 0],
        }
    }
}

impl Reader<'_> {
    #[inline(never)]
    pub(super) fn primitive(
        &mut self,
        primitive: &Object,
        placement: &Placement,
        skin: Option<&Skin>,
    ) -> Result<(), ImportError> {
        let mode = match primitive.index("mode")?.unwrap_or(4) {
            0..=3 => {
                self.seen.lines_and_points += 1;
                return Ok(());
            }
            4 => Mode::Triangles,
            5 => Mode::Strip,
            6 => Mode::Fan,
            other => {
                return Err(malformed(format!(
                    "expected 0 to 6 as {}, found {other}",
                    primitive.path("mode")
                )));
            }
        };
        if !primitive.array("targets")?.is_empty() {
            self.seen.morphed += 1;
        }
        let look = match primitive.index("material")? {
            Some(material) => Some(self.look(material)?),
            None => None,
        };
        let Some(arrays) = self.arrays(primitive, look.as_ref(), skin)? else {
            self.seen.without_positions += 1;
            return Ok(());
        };
        let corners = arrays
            .indices
            .as_ref()
            .map_or(arrays.positions.count, |i| i.count);
        let triangles = mode.triangles(corners);
        self.charge(triangles)?;
        let vertices = arrays.positions.count;
        if self.used.len() < vertices {
            self.used.resize(vertices, [0; 2]);
        }
        self.primitive += 1;
        let material = look.as_ref().map(|look| look.material);
        let skin = skin.filter(|_| arrays.influences.is_some());
        let mirrored = skin.map_or(placement.mirrored, Skin::mirrored);
        for triangle in 0..triangles {
            let mut numbers = [0; 3];
            for (number, corner) in numbers.iter_mut().zip(mode.corners(triangle)) {
                let vertex = arrays.indices.as_ref().map_or(corner as u64, |indices| {
                    indices.index(&self.buffers, corner)
                });
                if vertex >= vertices as u64 {
                    return Err(malformed(format!(
                        "{}: entry {corner} refers to vertex {vertex}, but {} has {vertices}",
                        primitive.path("indices"),
                        arrays.positions.path
                    )));
                }
                *number = self.vertex(vertex as usize, &arrays, look.as_ref(), placement, skin)?;
            }
            // Strips are sewn together with repeated corners.
            let [a, b, c] = numbers;
            if mode != Mode::Triangles && (a == b || b == c || c == a) {
                continue;
            }
            let corners = if mirrored { [a, c, b] } else { [a, b, c] };
            self.builder.triangle(corners, material);
        }
        Ok(())
    }

    /// The primitive's arrays, or nothing if it has no positions.
    #[inline(never)]
    fn arrays(
        &mut self,
        primitive: &Object,
        look: Option<&Look>,
        skin: Option<&Skin>,
    ) -> Result<Option<Arrays>, ImportError> {
        let attributes = primitive
            .object("attributes")?
            .ok_or_else(|| primitive.missing("attributes"))?;
        let Some(positions) = attributes.index("POSITION")? else {
            return Ok(None);
        };
        // A writer may leave an uncompressed copy beside the compressed one.
        const DRACO: &str = "KHR_draco_mesh_compression";
        if primitive.extension(DRACO)?.is_some()
            && !self.root.item("accessors", positions)?.has("bufferView")
        {
            return Err(compressed(DRACO));
        }
        let positions = self.accessor(positions)?;
        let indices = match primitive.index("indices")? {
            Some(index) => {
                let indices = self.accessor(index)?;
                if !indices.is_index() {
                    return Err(malformed(format!(
                        "expected unsigned whole numbers in {} for {}",
                        indices.path,
                        primitive.path("indices")
                    )));
                }
                Some(indices)
            }
            None => None,
        };
        let mut attribute = |name: &str, widths: [usize; 2]| -> Result<_, ImportError> {
            let Some(index) = attributes.index(name)? else {
                return Ok(None);
            };
            let accessor = self.accessor(index)?;
            if accessor.count < positions.count {
                return Err(malformed(format!(
                    "{} has {} elements, but there are {} positions",
                    attributes.path(name),
                    accessor.count,
                    positions.count
                )));
            }
            if !widths.contains(&accessor.width) {
                return Err(malformed(format!(
                    "{} has elements of {} components, expected {}",
                    attributes.path(name),
                    accessor.width,
                    widths[0]
                )));
            }
            Ok(Some(accessor))
        };
        attribute("POSITION", [3, 3])?;
        let normals = attribute("NORMAL", [3, 3])?;
        let colors = attribute("COLOR_0", [4, 3])?;
        let influences = match skin {
            Some(_) => match (
                attribute("JOINTS_0", [4, 4])?,
                attribute("WEIGHTS_0", [4, 4])?,
            ) {
                (Some(joints), Some(weights)) => Some(Influences { joints, weights }),
                _ => None,
            },
            None => None,
        };
        let uvs = match look.and_then(|look| look.texture.as_ref()) {
            Some(texture) => attribute(&format!("TEXCOORD_{}", texture.set), [2, 2])?,
            None => None,
        };
        Ok(Some(Arrays {
            indices,
            positions,
            normals,
            uvs,
            colors,
            influences,
        }))
    }

    /// The builder's number of a vertex, which this makes where it is first used.
    #[inline(never)]
    fn vertex(
        &mut self,
        vertex: usize,
        arrays: &Arrays,
        look: Option<&Look>,
        placement: &Placement,
        skin: Option<&Skin>,
    ) -> Result<u32, ImportError> {
        let [primitive, number] = self.used[vertex];
        if primitive == self.primitive {
            return Ok(number);
        }
        self.charge(1)?;
        let buffers = &self.buffers;
        let posed = match (skin, &arrays.influences) {
            (Some(skin), Some(influences)) => Some(skin.placement(
                influences.joints.vector(buffers, vertex, 0.0),
                influences.weights.vector(buffers, vertex, 0.0),
            )?),
            _ => None,
        };
        let placement = posed.as_ref().unwrap_or(placement);
        let uv = arrays.uvs.as_ref().map(|uvs| {
            let uv = uvs.vector(buffers, vertex, 0.0);
            match look.and_then(|look| look.texture.as_ref()) {
                Some(texture) => texture.transformed(uv),
                None => uv.map(|x| x as f32),
            }
        });
        let number = self.builder.vertex(Vertex {
            position: placement.point(arrays.positions.vector(buffers, vertex, 0.0)),
            normal: arrays
                .normals
                .as_ref()
                .map(|normals| placement.normal(normals.vector(buffers, vertex, 0.0))),
            uv,
            color: arrays
                .colors
                .as_ref()
                .map(|colors| colors.color(buffers, vertex)),
        });
        self.used[vertex] = [self.primitive, number];
        Ok(number)
    }
}
