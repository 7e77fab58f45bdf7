//! The preset bodies: their meshes, where they start and what is pinned.

use glam::DQuat;

use super::{box_mesh, torus_mesh};
use crate::mesh::TetMesh;

/// A body that can be shown without any file. Its mesh is placed by `p ↦ rotation·p + translation`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Preset {
    /// Stem of its file names.
    pub slug: &'static str,
    /// Name for people.
    pub name: &'static str,
    /// Where the mesh's origin starts, metres. The whole body starts above the floor y = 0.
    pub translation: [f64; 3],
    /// How the mesh starts turned: a unit quaternion x, y, z, w.
    pub rotation: [f64; 4],
    /// Smallest and largest corner, in mesh coordinates, of the box whose vertices stay in place.
    pub pinned_box: Option<([f32; 3], [f32; 3])>,
    pub(super) shape: Shape,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Shape {
    Cube,
    Torus,
    Beam,
    #[cfg(feature = "mesh-tools")]
    Figure(super::figures::Figure),
}

impl Preset {
    /// Generates the mesh.
    pub fn mesh(&self) -> TetMesh {
        match self.shape {
            Shape::Cube => box_mesh([6; 3], [1.0; 3], [-0.5; 3]),
            Shape::Torus => torus_mesh(0.5, 0.2, 4, 24),
            Shape::Beam => box_mesh([12, 4, 4], [1.2, 0.4, 0.4], [0.0; 3]),
            #[cfg(feature = "mesh-tools")]
            Shape::Figure(figure) => Ok(figure.mesh()),
        }
        .expect("invariant: the presets' parameters are constants within the generators' limits")
    }

    /// The finer surface that the body is shown with, in the mesh's coordinates; `None` where the mesh's own is exact.
    #[cfg(feature = "mesh-tools")]
    pub fn surface(&self) -> Option<crate::surface::SurfaceMesh> {
        match self.shape {
            Shape::Figure(figure) => Some(figure.placed_surface()),
            _ => None,
        }
    }
}

/// The generated ones: the cube that tumbles, the torus that flops over, the beam that sags from its left face. Those
/// made of surfaces are in `figures`, behind the feature `mesh-tools`.
pub fn presets() -> Vec<Preset> {
    vec![
        Preset {
            slug: "cube",
            name: "Cube",
            translation: [0.0, 1.8, 0.0],
            // Neither a face nor an edge lands first.
            rotation: (DQuat::from_rotation_z(0.6) * DQuat::from_rotation_x(0.4)).to_array(),
            pinned_box: None,
            shape: Shape::Cube,
        },
        Preset {
            slug: "torus",
            name: "Torus",
            translation: [0.0, 1.6, 0.0],
            // Nearly upright, so that it lands on its rim and falls over.
            rotation: DQuat::from_rotation_x(1.2).to_array(),
            pinned_box: None,
            shape: Shape::Torus,
        },
        Preset {
            slug: "beam",
            name: "Beam",
            translation: [-0.6, 1.0, -0.2],
            rotation: DQuat::IDENTITY.to_array(),
            pinned_box: Some(([0.0; 3], [0.0, 0.4, 0.4])),
            shape: Shape::Beam,
        },
    ]
}
