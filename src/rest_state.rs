//! The undeformed state that the solver measures strain against: inverse edges, volumes, masses; and the mesh report.
//!
//! Everything is computed in double precision from the single-precision positions exactly as given, then rounded once.

#[cfg(feature = "gpu")]
mod dynamics;

#[cfg(feature = "gpu")]
pub use dynamics::DynamicsReport;

use glam::DVec3;
use serde::Serialize;

use crate::mesh::geometry::{corners, edges, signed_volume};
use crate::mesh::{Finding, TetMesh};
use crate::text::Number;
use crate::topology::Topology;

/// Per-tet and per-vertex quantities of the rest shape.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RestState {
    /// `B = D_m⁻¹` of each tet, 1/m, as `[row][column]`, where the columns of `D_m` are the edges from corner 0 to
    /// corners 1, 2, 3. Row i is the gradient of the shape function of corner i + 1, and `F = D_s·B`.
    pub inverse_edges: Vec<[[f32; 3]; 3]>,
    /// Volume of each tet, m³, positive.
    pub volumes: Vec<f32>,
    /// A quarter of the volumes of the tets at each vertex, m³; 0 for a vertex that no tet uses.
    pub vertex_volumes: Vec<f32>,
    /// 2-norm condition number of `D_m` of each tet, at least 1: how much it amplifies rounding.
    pub condition_numbers: Vec<f64>,
    /// Sum of the volumes, m³.
    pub total_volume: f64,
}

impl RestState {
    /// Measures the mesh. All results are finite: [`TetMesh`] bounds sizes and shapes.
    pub fn new(mesh: &TetMesh) -> Self {
        let tets = mesh.tets();
        let mut inverse_edges = Vec::with_capacity(tets.len());
        let mut volumes = Vec::with_capacity(tets.len());
        let mut condition_numbers = Vec::with_capacity(tets.len());
        let mut vertex_volumes = vec![0.0f64; mesh.positions().len()];
        let mut total_volume = 0.0;
        for &tet in tets {
            let corners = corners(mesh.positions(), tet);
            let edges = edges(corners);
            let volume = signed_volume(corners);
            inverse_edges.push(inverse_rows(edges).map(|row| row.as_vec3().to_array()));
            volumes.push(volume as f32);
            condition_numbers.push(condition_number(edges));
            for vertex in tet {
                vertex_volumes[vertex as usize] += 0.25 * volume;
            }
            total_volume += volume;
        }
        Self {
            inverse_edges,
            volumes,
            vertex_volumes: vertex_volumes
                .into_iter()
                .map(|volume| volume as f32)
                .collect(),
            condition_numbers,
            total_volume,
        }
    }

    /// Reciprocal of a vertex' volume, 1/m³; 0 for one that never moves, because it is pinned or unused.
    pub fn inverse_volume(&self, vertex: usize, pinned: &[bool]) -> f32 {
        let volume = self.vertex_volumes[vertex];
        if pinned[vertex] || volume <= 0.0 {
            0.0
        } else {
            1.0 / volume
        }
    }

    /// Lumped mass of each vertex, kg, for a density in kg/m³: a quarter of each tet at it. 0 for unused vertices.
    pub fn vertex_masses(&self, density: f64) -> Vec<f64> {
        self.vertex_volumes
            .iter()
            .map(|&volume| density * f64::from(volume))
            .collect()
    }
}

/// The vertices with `min ≤ position ≤ max` on every axis (metres), ascending: the usual way to choose pins. Vertices
/// that no tet uses may be among them. Empty if some `min > max` or is NaN.
pub fn vertices_in_box(mesh: &TetMesh, min: [f32; 3], max: [f32; 3]) -> Vec<u32> {
    let inside =
        |position: &[f32; 3]| (0..3).all(|axis| (min[axis]..=max[axis]).contains(&position[axis]));
    (0u32..)
        .zip(mesh.positions())
        .filter(|(_, position)| inside(position))
        .map(|(vertex, _)| vertex)
        .collect()
}

/// Rows of the inverse of the matrix with the given columns (Cramer's rule, which here loses nothing: the shape
/// quality is bounded below).
fn inverse_rows([e1, e2, e3]: [DVec3; 3]) -> [DVec3; 3] {
    let determinant = e1.dot(e2.cross(e3));
    [e2.cross(e3), e3.cross(e1), e1.cross(e2)].map(|row| row / determinant)
}

/// Ratio of the largest to the smallest singular value, by one-sided Jacobi rotations of the columns (Hestenes 1958),
/// which keep small singular values accurate where the eigenvalues of `MᵀM` would not.
fn condition_number(mut columns: [DVec3; 3]) -> f64 {
    // To unit size first, so that no square leaves the range of f64.
    let scale = columns
        .iter()
        .fold(0.0, |largest: f64, c| largest.max(c.abs().max_element()));
    columns = columns.map(|column| column / scale);
    const MAX_SWEEPS: usize = 30;
    for _ in 0..MAX_SWEEPS {
        let mut rotated = false;
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let (a, b) = (columns[p], columns[q]);
            let (aa, bb, ab) = (a.length_squared(), b.length_squared(), a.dot(b));
            // Rounding leaves up to an ulp or two of each product: to ask for less would turn for ever.
            if ab.abs() <= 4.0 * f64::EPSILON * (aa * bb).sqrt() {
                continue;
            }
            rotated = true;
            let zeta = (bb - aa) / (2.0 * ab);
            let tangent = zeta.signum() / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
            let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
            columns[p] = cosine * (a - tangent * b);
            columns[q] = cosine * (b + tangent * a);
        }
        if !rotated {
            break;
        }
    }
    let lengths = columns.map(DVec3::length);
    let largest = lengths.into_iter().fold(0.0, f64::max);
    let smallest = lengths.into_iter().fold(f64::INFINITY, f64::min);
    largest / smallest
}

/// The box around the vertices that tets use, metres.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bounds {
    /// Smallest coordinates.
    pub min: [f32; 3],
    /// Largest coordinates.
    pub max: [f32; 3],
}

/// What loading a mesh found and mended, with its sizes. Serialises to camel-case names.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MeshReport {
    /// Vertices, unused ones included.
    pub vertices: u32,
    /// Tets after mending.
    pub tets: u32,
    /// Triangles of the surface.
    pub surface_triangles: u32,
    /// Parts that share no vertex.
    pub components: u32,
    /// Tets that were turned round because their volume was negative.
    pub flipped_tets: u32,
    /// Tets that were removed because they are flat or list a vertex twice.
    pub removed_degenerate_tets: u32,
    /// Tets that were removed because an earlier one has the same vertices.
    pub removed_duplicate_tets: u32,
    /// Vertices that no tet uses.
    pub unused_vertices: u32,
    /// Surface edges with other than two triangles.
    pub non_manifold_edges: u32,
    /// Tets at the busiest vertex.
    pub max_valence: u32,
    /// Largest 2-norm condition number of a tet's rest edges.
    pub worst_condition_number: f64,
    /// Total volume, m³.
    pub volume: f64,
    /// Total mass, kg.
    pub mass: f64,
    /// The box around the mesh, without unused vertices.
    pub bounds: Bounds,
    /// The surface that is drawn in place of the mesh's own, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub surface: Option<SurfaceReport>,
    /// How the mesh moves at the present material and substeps, where it is simulated.
    #[cfg(feature = "gpu")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dynamics: Option<DynamicsReport>,
    /// Everything worth saying, mended defects first.
    pub findings: Vec<Finding>,
    /// The shapes of the tets, where the mesh doctor measured them.
    #[cfg(feature = "mesh-tools")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shape: Option<ShapeReport>,
}

/// How well the tets are shaped. Serialises to camel-case names.
#[cfg(feature = "mesh-tools")]
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShapeReport {
    /// The smallest angle between two faces of a tet, degrees; 70.5 for a regular one.
    pub min_dihedral_degrees: f64,
    /// The largest, degrees.
    pub max_dihedral_degrees: f64,
    /// How many of the six angles of each tet lie in 0°–10°, 10°–20°, … 170°–180°.
    pub dihedral_histogram: [u32; 18],
    /// Condition numbers of the rest edges (see [`RestState::condition_numbers`]).
    pub condition_numbers: ConditionNumbers,
}

/// The distribution of condition numbers over the tets.
#[cfg(feature = "mesh-tools")]
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ConditionNumbers {
    /// Half of the tets are at most here.
    pub median: f64,
    /// 99 of 100 tets are at most here.
    pub p99: f64,
    /// The largest.
    pub worst: f64,
}

/// How an embedded surface sits in its mesh.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SurfaceReport {
    /// Vertices as given.
    pub vertices: u32,
    /// Triangles.
    pub triangles: u32,
    /// Vertices outside every tet; each moves with the nearest one.
    pub outside: u32,
    /// How far the farthest of them is from its tet, m.
    pub farthest: f64,
}

/// A surface that reaches farther beyond its tets than this part of the mesh's extent is told: about half a cell where
/// a body is ten cells across.
const FAR_OUTSIDE: f64 = 0.05;

impl SurfaceReport {
    /// A warning where the surface reaches so far beyond a mesh of this extent, m, that it shows.
    #[cold]
    #[inline(never)]
    fn far_outside(&self, extent: f64) -> Option<Finding> {
        (self.farthest > FAR_OUTSIDE * extent).then(|| {
            Finding::new(
                Finding::SURFACE_OUTSIDE_TETS,
                self.outside as usize,
                &[],
                false,
                format!(
                    "{} of {} vertices of the surface {} outside the tets, by up to {} m (the mesh is {} m across); {}",
                    self.outside,
                    self.vertices,
                    if self.outside == 1 { "lies" } else { "lie" },
                    Number::from(self.farthest as f32),
                    Number::from(extent as f32),
                    if self.farthest > extent {
                        "the mesh and the surface probably have different units or places"
                    } else {
                        "what lies there is drawn stretched: use more tets"
                    }
                ),
            )
        })
    }
}

impl MeshReport {
    /// With how the mesh moves, and a finding where its stiffest vibrations are slowed.
    #[cfg(feature = "gpu")]
    pub fn with_dynamics(mut self, dynamics: DynamicsReport) -> Self {
        self.findings.extend(dynamics.scaled());
        self.dynamics = Some(dynamics);
        self
    }

    /// With the surface that is drawn in place of the mesh's own, and a finding where it lies far outside the tets.
    pub fn with_surface(mut self, surface: SurfaceReport) -> Self {
        let Bounds { min, max } = self.bounds;
        let extent = (0..3)
            .map(|axis| f64::from(max[axis]) - f64::from(min[axis]))
            .fold(0.0, f64::max);
        self.findings.extend(surface.far_outside(extent));
        self.surface = Some(surface);
        self
    }

    /// Gathers the report of one mesh; `topology` and `rest` must be made from it. The density is in kg/m³.
    pub fn new(mesh: &TetMesh, topology: &Topology, rest: &RestState, density: f64) -> Self {
        let (min, max) = mesh.used_bounds();
        Self {
            vertices: mesh.positions().len() as u32,
            tets: mesh.tets().len() as u32,
            surface_triangles: topology.surface_triangles.len() as u32,
            components: topology.components,
            flipped_tets: mesh.finding_count(Finding::FLIPPED_TETS),
            removed_degenerate_tets: mesh.finding_count(Finding::DEGENERATE_TETS),
            removed_duplicate_tets: mesh.finding_count(Finding::DUPLICATE_TETS),
            unused_vertices: mesh.finding_count(Finding::UNUSED_VERTICES),
            non_manifold_edges: topology.non_manifold_edges,
            max_valence: topology.max_valence(),
            worst_condition_number: rest.condition_numbers.iter().copied().fold(1.0, f64::max),
            volume: rest.total_volume,
            mass: density * rest.total_volume,
            bounds: Bounds { min, max },
            surface: None,
            #[cfg(feature = "gpu")]
            dynamics: None,
            findings: [mesh.findings(), &topology.findings].concat(),
            #[cfg(feature = "mesh-tools")]
            shape: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn condition_numbers_of_known_matrices() {
        let cases = [
            ([[2.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -0.5]], 4.0),
            // A shear by 2: the singular values are √2 ± 1 and 1.
            (
                [[1.0, 0.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
                3.0 + 8.0f64.sqrt(),
            ),
            ([[1e-9, 0.0, 0.0], [0.0, 1e9, 0.0], [0.0, 0.0, 1.0]], 1e18),
        ];
        for (columns, expected) in cases {
            let found = condition_number(columns.map(DVec3::from_array));
            assert!(
                (found / expected - 1.0).abs() < 1e-14,
                "{found} for {expected}"
            );
        }
    }

    #[test]
    fn a_thin_tet_keeps_its_small_singular_value() {
        // Columns u, u + δv, w with orthonormal u, v, w: σ² are the eigenvalues of [[2, δ], [δ, δ²]] and 1.
        let delta = 1e-6f64;
        let found = condition_number([DVec3::X, DVec3::X + delta * DVec3::Y, DVec3::Z]);
        let trace = 2.0 + delta * delta;
        let large = 0.5 * (trace + (trace * trace - 4.0 * delta * delta).sqrt());
        let expected = large / delta;
        assert!(
            (found / expected - 1.0).abs() < 1e-9,
            "{found} for {expected}"
        );
    }
}
