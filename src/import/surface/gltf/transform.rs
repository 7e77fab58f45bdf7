//! Where nodes put their meshes: transforms in double precision down the hierarchy.

use glam::{DMat3, DMat4, DQuat, DVec3};

use super::super::super::ImportError;
use super::json::Object;
use super::malformed;

/// The transform from a mesh to the scene.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placement {
    pub matrix: DMat4,
    /// For normals: the inverse transpose but for a positive factor, which exists for flat scales as well.
    cofactors: DMat3,
    /// Whether the transform mirrors, so that triangles change their direction.
    pub mirrored: bool,
}

impl Default for Placement {
    fn default() -> Self {
        Self::new(DMat4::IDENTITY)
    }
}

impl Placement {
    #[inline(never)]
    pub fn new(matrix: DMat4) -> Self {
        let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|axis| axis.truncate());
        let mirrored = x.cross(y).dot(z) < 0.0;
        let sign = if mirrored { -1.0 } else { 1.0 };
        Self {
            matrix,
            cofactors: DMat3::from_cols(y.cross(z) * sign, z.cross(x) * sign, x.cross(y) * sign),
            mirrored,
        }
    }

    /// This placement after that of a node: its `matrix`, or its `translation`, `rotation` and `scale`.
    #[inline(never)]
    pub fn then(&self, node: &Object) -> Result<Self, ImportError> {
        let local = match node.numbers::<16>("matrix")? {
            Some(columns) => DMat4::from_cols_array(&columns),
            None => {
                let translation = node.numbers::<3>("translation")?.unwrap_or_default();
                let scale = node.numbers::<3>("scale")?.unwrap_or([1.0; 3]);
                let rotation = node
                    .numbers::<4>("rotation")?
                    .unwrap_or([0.0, 0.0, 0.0, 1.0]);
                let rotation = DQuat::from_array(rotation);
                if rotation.length_squared() < 1e-12 {
                    return Err(malformed(format!(
                        "expected a unit quaternion as {}, found one of length 0",
                        node.path("rotation")
                    )));
                }
                DMat4::from_scale_rotation_translation(
                    DVec3::from_array(scale),
                    rotation.normalize(),
                    DVec3::from_array(translation),
                )
            }
        };
        Ok(Self::new(self.matrix * local))
    }

    pub fn point(&self, position: [f64; 3]) -> [f32; 3] {
        let p = self.matrix.transform_point3(DVec3::from_array(position));
        p.to_array().map(|x| x as f32)
    }

    /// The direction of a normal; its length means nothing.
    pub fn normal(&self, normal: [f64; 3]) -> [f32; 3] {
        let n = self.cofactors * DVec3::from_array(normal);
        let largest = n.abs().max_element();
        // Small scales would otherwise vanish in single precision.
        let n = if largest > 0.0 { n / largest } else { n };
        n.to_array().map(|x| x as f32)
    }
}
