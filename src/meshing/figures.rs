//! Preset bodies that are stuffed from surfaces: the Stanford bunny and a hand.

use std::ops::ControlFlow;

use glam::DQuat;

use super::presets::{Preset, Shape};
use super::stuffing::{Resolution, tetrahedralize};
use crate::mesh::TetMesh;
use crate::surface::{SurfaceLook, SurfaceMesh};

/// A surface that comes with the crate, and how finely it is filled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Figure {
    Bunny,
    Hand,
}

/// The bunny that lands on its feet, and the hand that hangs from its wrist. Both are a metre high; x = z = 0 is the
/// middle of their bounds and y = 0 their lowest point.
///
/// Their meshes take a few hundredths of a second to make, unlike those of `presets`.
pub fn figures() -> Vec<Preset> {
    vec![
        Preset {
            slug: "bunny",
            name: "Stanford bunny",
            translation: [0.0, 0.8, 0.0],
            // Leaning back a little, so that it lands on its tail and rocks.
            rotation: DQuat::from_rotation_x(-0.2).to_array(),
            pinned_box: None,
            shape: Shape::Figure(Figure::Bunny),
        },
        Preset {
            slug: "hand",
            name: "Hand",
            translation: [0.0, 0.6, 0.0],
            // The back of the hand faces z, turned a little so that the thumb shows.
            rotation: DQuat::from_rotation_y(1.2).to_array(),
            pinned_box: Some(([-1.0, 0.9, -1.0], [1.0, 1.1, 1.0])),
            shape: Shape::Figure(Figure::Hand),
        },
    ]
}

impl Figure {
    /// The surface as it stands in `assets/surfaces`.
    pub fn surface(self) -> SurfaceMesh {
        let text = match self {
            Self::Bunny => include_str!("../../assets/surfaces/bunny.obj"),
            Self::Hand => include_str!("../../assets/surfaces/hand.obj"),
        };
        read(text).expect("invariant: assets/surfaces holds triangles as scripts/extract-surfaces.mjs writes them")
    }

    /// Cosine and sine of the turn round y in which the lattice has points all along the bunny's ears, which are thinner
    /// than a cell. Along the axes it loses the tip of one.
    fn turn(self) -> [f64; 2] {
        match self {
            Self::Bunny => [0.8, 0.6],
            Self::Hand => [1.0, 0.0],
        }
    }

    /// The surface in its place and size as a preset.
    pub fn placed_surface(self) -> SurfaceMesh {
        placed(&self.surface(), self.turn())
    }

    /// Fills the surface in its place and size as a preset.
    pub fn mesh(self) -> TetMesh {
        // Sizes rather than numbers of tets, whose search takes logarithms that differ between systems.
        let cell_size = match self {
            Self::Bunny => 0.086,
            Self::Hand => 0.0465,
        };
        tetrahedralize(
            &self.placed_surface(),
            Resolution::CellSize(cell_size),
            &mut |_| ControlFlow::Continue(()),
        )
        .expect("invariant: the figures are closed surfaces a metre high")
        .mesh
    }
}

/// Turned round y, one metre high, standing on y = 0, in the middle of x and z.
fn placed(surface: &SurfaceMesh, [cosine, sine]: [f64; 2]) -> SurfaceMesh {
    let turned: Vec<[f64; 3]> = surface
        .positions()
        .iter()
        .map(|p| p.map(f64::from))
        .map(|[x, y, z]| [cosine * x + sine * z, y, cosine * z - sine * x])
        .collect();
    let bound = |axis: usize, pick: fn(f64, f64) -> f64| {
        turned
            .iter()
            .map(|p| p[axis])
            .reduce(pick)
            .expect("invariant: a surface has vertices")
    };
    let low = [0, 1, 2].map(|axis| bound(axis, f64::min));
    let high = [0, 1, 2].map(|axis| bound(axis, f64::max));
    let scale = 1.0 / (high[1] - low[1]);
    let origin = [0.5 * (low[0] + high[0]), low[1], 0.5 * (low[2] + high[2])];
    let positions = turned
        .iter()
        .map(|p| [0, 1, 2].map(|axis| (scale * (p[axis] - origin[axis])) as f32))
        .collect();
    SurfaceMesh::new(
        positions,
        surface.triangles().to_vec(),
        SurfaceLook::default(),
    )
    .expect("invariant: scaling keeps a surface sound")
}

/// The vertices and triangles of an OBJ that holds nothing else.
fn read(text: &str) -> Option<SurfaceMesh> {
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let (kind, rest) = line.split_once(' ')?;
        match kind {
            "v" => positions.push(row::<f32>(rest)?),
            "f" => triangles.push(row::<u32>(rest)?.map(|number| number.wrapping_sub(1))),
            _ => {}
        }
    }
    SurfaceMesh::new(positions, triangles, SurfaceLook::default()).ok()
}

fn row<T: std::str::FromStr>(text: &str) -> Option<[T; 3]> {
    let mut words = text.split(' ').map(str::parse);
    let row = [
        words.next()?.ok()?,
        words.next()?.ok()?,
        words.next()?.ok()?,
    ];
    words.next().is_none().then_some(row)
}
