//! Skins: joints place the vertices of a mesh in the pose that the file's nodes have.

use std::rc::Rc;

use glam::DMat4;

use super::super::super::ImportError;
use super::accessor::Accessor;
use super::transform::Placement;
use super::{Reader, malformed};

/// The matrices from a mesh to the scene, one per joint.
pub(super) struct Skin {
    joints: Vec<DMat4>,
    path: String,
}

/// The joints and weights of a primitive's vertices.
pub(super) struct Influences {
    pub joints: Rc<Accessor>,
    pub weights: Rc<Accessor>,
}

impl Skin {
    /// Whether the joints mirror, all of them as the first.
    pub fn mirrored(&self) -> bool {
        self.joints
            .first()
            .is_some_and(|&joint| Placement::new(joint).mirrored)
    }

    /// The weighted mean of a vertex's joints.
    #[inline(never)]
    pub fn placement(&self, joints: [f64; 4], weights: [f64; 4]) -> Result<Placement, ImportError> {
        let sum: f64 = weights.iter().sum();
        let mut blended = DMat4::ZERO;
        for (joint, weight) in joints.into_iter().zip(weights) {
            let Some(&matrix) = self.joints.get(joint as usize) else {
                return Err(malformed(format!(
                    "a vertex refers to joint {}, but {} has {}",
                    joint as u64,
                    self.path,
                    self.joints.len()
                )));
            };
            if weight != 0.0 {
                blended += matrix * (weight / sum);
            }
        }
        Ok(Placement::new(if sum > 0.0 {
            blended
        } else {
            self.joints[joints[0] as usize]
        }))
    }
}

impl Reader<'_> {
    /// The skin, or nothing if a joint of it is outside the scene: the mesh is then left in bind pose.
    #[inline(never)]
    pub(super) fn skin(&mut self, index: usize) -> Result<Option<Rc<Skin>>, ImportError> {
        if let Some(Some(skin)) = self.skins.get(index) {
            return Ok(skin.clone());
        }
        let object = self.root.item("skins", index)?;
        let joints = object.indices("joints")?;
        let bind = match object.index("inverseBindMatrices")? {
            Some(accessor) => {
                let accessor = self.accessor(accessor)?;
                if accessor.width != 16 || accessor.count < joints.len() {
                    return Err(malformed(format!(
                        "expected {} matrices in {} for {}, found {} elements of {} components",
                        joints.len(),
                        accessor.path,
                        object.path("inverseBindMatrices"),
                        accessor.count,
                        accessor.width
                    )));
                }
                Some(accessor)
            }
            None => None,
        };
        let mut matrices = Vec::with_capacity(joints.len());
        for (place, &joint) in joints.iter().enumerate() {
            self.root.item("nodes", joint)?;
            let Some(placement) = self.placements[joint] else {
                self.skins[index] = Some(None);
                return Ok(None);
            };
            let inverse = bind.as_ref().map_or(DMat4::IDENTITY, |bind| {
                DMat4::from_cols_array(&bind.vector(&self.buffers, place, 0.0))
            });
            matrices.push(placement.matrix * inverse);
        }
        if matrices.is_empty() {
            return Err(object.missing("joints"));
        }
        let skin = Some(Rc::new(Skin {
            joints: matrices,
            path: object.here().to_owned(),
        }));
        self.skins[index] = Some(skin.clone());
        Ok(skin)
    }
}
