//! A mesh whose clusters of vertices move rigidly: its stiffness, and the highest frequency it has.

use bytemuck::{Pod, Zeroable};
use glam::{DMat3, DVec3};

use super::bounds::{gradients, square};
use super::lanczos;
use crate::mesh::geometry::point;
use crate::rest_state::RestState;
#[cfg(feature = "gpu")]
use crate::sections::Sections;
use crate::settings::Material;

/// The cluster of a vertex that is pinned or in none.
const NONE: u32 = u32::MAX;
/// What the kernel adds to a cluster's inertia, as a part of its trace: clusters on a line have no other inverse.
const REGULARISATION: f64 = 1e-6;
const STEPS: usize = 30;
/// The Lanczos estimate is within 4 % after that many steps (tests/dynamics.rs); it comes from below.
const MARGIN: f64 = 1.05;

/// Stiffness between the rigid motions of two clusters, or of one, for μ = 1 and for λ = 1: six rows of six.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Block {
    other: u32,
    /// The next block of the same first cluster.
    next: u32,
    mu: [f32; 36],
    lambda: [f32; 36],
}

/// The clusters of a mesh as rigid bodies, at rest and for ρ = 1 kg/m³: each has six motions, three translations and three
/// rotations about its centre of mass, orthonormal in the mass metric. Pinned vertices belong to no cluster.
#[derive(Debug, Default)]
pub struct CoarseMesh {
    pub(super) cluster_of: Vec<u32>,
    pub(super) clusters: Vec<Cluster>,
    /// The first block of each cluster, whose `other` is the cluster itself or a later one.
    first: Vec<u32>,
    blocks: Vec<Block>,
}

/// Vertices that the operator treats as one.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Cluster {
    centre: DVec3,
    /// Volume of the vertices that are not pinned, m³.
    pub(super) mass: f64,
    /// Trace of the inertia about the centre, m⁵.
    pub(super) moment: f64,
    /// Angular velocities of three orthonormal rotations.
    rotations: [DVec3; 3],
}

impl CoarseMesh {
    /// Cluster c holds the vertices `cluster_vertices[cluster_offsets[c]..cluster_offsets[c + 1]]`; clusters share none.
    /// `rest` belongs to `tets`; `pinned` has an entry per vertex.
    pub fn new(
        positions: &[[f32; 3]],
        tets: &[[u32; 4]],
        rest: &RestState,
        pinned: &[bool],
        cluster_offsets: &[u32],
        cluster_vertices: &[u32],
    ) -> Self {
        let mut cluster_of = vec![NONE; positions.len()];
        let mut clusters = Vec::with_capacity(cluster_offsets.len());
        for (cluster, range) in cluster_offsets.windows(2).enumerate() {
            let vertices = &cluster_vertices[range[0] as usize..range[1] as usize];
            let weighted = |vertex: u32| {
                let free = !pinned[vertex as usize];
                let mass = if free {
                    f64::from(rest.vertex_volumes[vertex as usize])
                } else {
                    0.0
                };
                (mass, point(positions[vertex as usize]))
            };
            let (mut mass, mut moment) = (0.0, DVec3::ZERO);
            for &vertex in vertices {
                let (m, x) = weighted(vertex);
                mass += m;
                moment += m * x;
                if m > 0.0 {
                    cluster_of[vertex as usize] = cluster as u32;
                }
            }
            let centre = moment / f64::max(mass, f64::MIN_POSITIVE);
            let mut spread = DMat3::ZERO;
            for &vertex in vertices {
                let (m, x) = weighted(vertex);
                spread += square(x - centre) * m;
            }
            let moment = 2.0 * (spread.x_axis.x + spread.y_axis.y + spread.z_axis.z);
            // I v, with I the inertia.
            let turned = |v: DVec3| (0.5 + REGULARISATION) * moment * v - spread * v;
            // Gram and Schmidt, for the product of v and I w.
            let mut rotations = [DVec3::ZERO; 3];
            for axis in 0..3 {
                let mut rotation = DVec3::AXES[axis];
                for before in &rotations[..axis] {
                    rotation -= before.dot(turned(rotation)) * *before;
                }
                let energy = rotation.dot(turned(rotation));
                if energy > 0.0 {
                    rotations[axis] = rotation / energy.sqrt();
                }
            }
            clusters.push(Cluster {
                centre,
                mass,
                moment,
                rotations,
            });
        }
        let mut mesh = Self {
            cluster_of,
            first: vec![NONE; clusters.len()],
            clusters,
            blocks: Vec::new(),
        };
        for (tet, corners) in tets.iter().enumerate() {
            mesh.add_tet(
                corners.map(|corner| {
                    (
                        mesh.cluster_of[corner as usize],
                        point(positions[corner as usize]),
                    )
                }),
                gradients(rest, tet),
                f64::from(rest.volumes[tet]),
            );
        }
        mesh
    }

    /// Writes the clusters, which are then none, or reads them.
    #[cfg(feature = "gpu")]
    pub(crate) fn exchange(&mut self, sections: &mut Sections) {
        let Self {
            cluster_of,
            clusters,
            first,
            blocks,
        } = self;
        sections.list(cluster_of);
        sections.packed(clusters);
        sections.list(first);
        sections.list(blocks);
    }

    /// Adds what one tet contributes: nothing, if one cluster moves it as a whole.
    fn add_tet(&mut self, corners: [(u32, DVec3); 4], gradients: [DVec3; 4], volume: f64) {
        if corners.iter().all(|corner| corner.0 == corners[0].0) {
            return;
        }
        // Strain tensors of the six motions of each corner's cluster, at the first of its corners.
        let mut strains = [[[0.0f64; 9]; 6]; 4];
        let first = corners.map(|corner| {
            let same = corners.iter().position(|other| other.0 == corner.0);
            same.unwrap_or(0)
        });
        for (corner, &(cluster, x)) in corners.iter().enumerate() {
            let Some(body) = self.clusters.get(cluster as usize) else {
                continue;
            };
            let b = gradients[corner] * 0.5;
            for (motion, strain) in strains[first[corner]].iter_mut().enumerate() {
                let moved = if motion < 3 {
                    DVec3::AXES[motion] / body.mass.sqrt()
                } else {
                    body.rotations[motion - 3].cross(x - body.centre)
                };
                for (entry, component) in strain.iter_mut().enumerate() {
                    let (i, j) = (entry / 3, entry % 3);
                    *component += moved[i] * b[j] + moved[j] * b[i];
                }
            }
        }
        for pair in 0..16 {
            let (row, column) = (pair / 4, pair % 4);
            let (cluster, other) = (corners[row].0, corners[column].0);
            if cluster > other || other == NONE || first[row] != row || first[column] != column {
                continue;
            }
            let block = self.block(cluster, other);
            for entry in 0..36 {
                let (a, b) = (&strains[row][entry / 6], &strains[column][entry % 6]);
                let product: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
                let traces = (a[0] + a[4] + a[8]) * (b[0] + b[4] + b[8]);
                block.mu[entry] += (2.0 * volume * product) as f32;
                block.lambda[entry] += (volume * traces) as f32;
            }
        }
    }

    /// The block of two clusters in ascending order, made if there is none.
    fn block(&mut self, cluster: u32, other: u32) -> &mut Block {
        let mut entry = self.first[cluster as usize];
        while entry != NONE && self.blocks[entry as usize].other != other {
            entry = self.blocks[entry as usize].next;
        }
        if entry == NONE {
            entry = self.blocks.len() as u32;
            self.blocks.push(Block {
                other,
                next: std::mem::replace(&mut self.first[cluster as usize], entry),
                mu: [0.0; 36],
                lambda: [0.0; 36],
            });
        }
        &mut self.blocks[entry as usize]
    }

    /// λ₁, the largest eigenvalue of Π M⁻¹K, rad²/s², where Π projects on rigid motion of the clusters: an upper bound, by
    /// a few per cent.
    pub fn highest(&self, material: &Material) -> f64 {
        let mu = (material.lame_mu() / material.density) as f32;
        let lambda = (material.lame_lambda() / material.density) as f32;
        MARGIN
            * lanczos::largest(6 * self.clusters.len(), STEPS, &mut |x, y| {
                y.fill(0.0);
                for (cluster, &first) in self.first.iter().enumerate() {
                    let mut entry = first;
                    while entry != NONE {
                        let block = &self.blocks[entry as usize];
                        let (row, column) = (6 * cluster, 6 * block.other as usize);
                        for k in 0..36 {
                            let (i, j) = (row + k / 6, column + k % 6);
                            let stiffness = f64::from(mu * block.mu[k] + lambda * block.lambda[k]);
                            y[i] += stiffness * x[j];
                            if row != column {
                                y[j] += stiffness * x[i];
                            }
                        }
                        entry = block.next;
                    }
                }
            })
    }
}
