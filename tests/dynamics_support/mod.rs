//! Bodies linearised at rest in double precision, their frequencies with and without a mass operator.

mod meshes;

use glam::{DMat3, DVec3};
pub use meshes::*;
use webgpu_softbody::mesh::TetMesh;
use webgpu_softbody::rest_state::RestState;
use webgpu_softbody::settings::Material;

/// A material with density 1000 kg/m³.
pub fn material(youngs_modulus: f64, poisson_ratio: f64) -> Material {
    Material {
        youngs_modulus,
        poisson_ratio,
        density: 1000.0,
        ..Material::default()
    }
}

/// A mesh with its stiffness at rest.
pub struct Elastic {
    pub tets: Vec<[u32; 4]>,
    pub rest: RestState,
    pub pinned: Vec<bool>,
    pub gradients: Vec<[DVec3; 4]>,
}

impl Elastic {
    pub fn new(mesh: &TetMesh, pinned: &[bool]) -> Self {
        let rest = RestState::new(mesh);
        let gradients = rest
            .inverse_edges
            .iter()
            .map(|rows| {
                let [b1, b2, b3] = rows.map(|row| DVec3::from_array(row.map(f64::from)));
                [-(b1 + b2 + b3), b1, b2, b3]
            })
            .collect();
        Self {
            tets: mesh.tets().to_vec(),
            rest,
            pinned: pinned.to_vec(),
            gradients,
        }
    }

    /// K x: the negative elastic forces of a small displacement. Pinned vertices have neither.
    pub fn stiffness(&self, material: &Material, x: &[DVec3]) -> Vec<DVec3> {
        let (mu, lambda) = (material.lame_mu(), material.lame_lambda());
        let mut out = vec![DVec3::ZERO; x.len()];
        for (t, tet) in self.tets.iter().enumerate() {
            let b = &self.gradients[t];
            let mut g = DMat3::ZERO;
            for c in 0..4 {
                if !self.pinned[tet[c] as usize] {
                    let u = x[tet[c] as usize];
                    g += DMat3::from_cols(u * b[c].x, u * b[c].y, u * b[c].z);
                }
            }
            let trace = g.x_axis.x + g.y_axis.y + g.z_axis.z;
            let stress =
                (g + g.transpose()) * mu + DMat3::from_diagonal(DVec3::splat(lambda * trace));
            let stress = stress * f64::from(self.rest.volumes[t]);
            for c in 0..4 {
                if !self.pinned[tet[c] as usize] {
                    out[tet[c] as usize] += stress * b[c];
                }
            }
        }
        out
    }

    /// 1/mass, 0 for pinned and unused vertices.
    pub fn inverse_mass(&self, material: &Material, a: usize) -> f64 {
        let mass = material.density * f64::from(self.rest.vertex_volumes[a]);
        if self.pinned[a] || mass == 0.0 {
            0.0
        } else {
            1.0 / mass
        }
    }

    /// B^½ M^-½ K M^-½ B^½ y, where `root` applies B^½ to accelerations: symmetric, with the eigenvalues of B M⁻¹K.
    fn product(
        &self,
        material: &Material,
        root: &impl Fn(Vec<DVec3>) -> Vec<DVec3>,
        y: &[DVec3],
    ) -> Vec<DVec3> {
        let scale: Vec<f64> = (0..y.len())
            .map(|a| self.inverse_mass(material, a).sqrt())
            .collect();
        let x = root(y.iter().zip(&scale).map(|(y, s)| *y * *s).collect());
        let x = self.stiffness(material, &x);
        let x = root(x.iter().zip(&scale).map(|(x, s)| *x * (s * s)).collect());
        x.iter()
            .zip(&scale)
            .map(|(x, s)| if *s > 0.0 { *x / *s } else { DVec3::ZERO })
            .collect()
    }

    /// λmax(M⁻¹K), rad²/s².
    pub fn highest(&self, material: &Material, steps: usize) -> f64 {
        self.largest(material, steps, |x| x)
    }

    /// λmax(B M⁻¹K), rad²/s², by Lanczos' method.
    pub fn largest(
        &self,
        material: &Material,
        steps: usize,
        root: impl Fn(Vec<DVec3>) -> Vec<DVec3>,
    ) -> f64 {
        let n = self.pinned.len();
        let mut seed = 1u64;
        let mut random = || {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (seed >> 33) as f64 / (1u64 << 31) as f64 - 0.5
        };
        let dot = |a: &[DVec3], b: &[DVec3]| a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum::<f64>();
        let mut q: Vec<DVec3> = (0..n)
            .map(|_| DVec3::new(random(), random(), random()))
            .collect();
        let norm = dot(&q, &q).sqrt();
        q.iter_mut().for_each(|v| *v /= norm);
        let mut before = vec![DVec3::ZERO; n];
        let (mut diagonal, mut beside, mut beta) = (vec![], vec![], 0.0);
        for _ in 0..steps {
            let mut next = self.product(material, &root, &q);
            let alpha = dot(&next, &q);
            for a in 0..n {
                next[a] -= q[a] * alpha + before[a] * beta;
            }
            diagonal.push(alpha);
            beta = dot(&next, &next).sqrt();
            if beta < 1e-9 * diagonal[0] {
                break;
            }
            beside.push(beta);
            before = std::mem::replace(&mut q, next.into_iter().map(|v| v / beta).collect());
        }
        kth(&diagonal, &beside, diagonal.len() - 1)
    }

    /// The lowest frequencies, Hz, ascending, of a body with the operator B.
    pub fn frequencies(
        &self,
        material: &Material,
        count: usize,
        root: impl Fn(Vec<DVec3>) -> Vec<DVec3>,
    ) -> Vec<f64> {
        let n = self.pinned.len();
        let free: Vec<usize> = (0..n)
            .filter(|&a| self.inverse_mass(material, a) > 0.0)
            .collect();
        let size = 3 * free.len();
        let mut matrix = vec![0.0; size * size];
        for column in 0..size {
            let mut y = vec![DVec3::ZERO; n];
            y[free[column / 3]][column % 3] = 1.0;
            let y = self.product(material, &root, &y);
            for row in 0..size {
                matrix[row * size + column] = y[free[row / 3]][row % 3];
            }
        }
        let (diagonal, beside) = tridiagonalise(matrix, size);
        let square = |k| kth(&diagonal, &beside, k).max(0.0);
        (0..count)
            .map(|k| square(k).sqrt() / std::f64::consts::TAU)
            .collect()
    }

    /// B^½ a for B = p₀(I − Π) + p₁Π, with Π as the kernel has it, inertia regularised.
    pub fn root(
        &self,
        positions: &[[f32; 3]],
        clusters: &Clusters,
        p0: &[f32],
        p1: f32,
        mut a: Vec<DVec3>,
    ) -> Vec<DVec3> {
        for (c, range) in clusters.offsets.windows(2).enumerate() {
            let p0 = f64::from(p0[c]).sqrt();
            let p1 = f64::from(p1).sqrt();
            let members: Vec<(usize, f64, DVec3)> = clusters.vertices
                [range[0] as usize..range[1] as usize]
                .iter()
                .map(|&v| v as usize)
                .filter(|&v| !self.pinned[v] && self.rest.vertex_volumes[v] > 0.0)
                .map(|v| {
                    (
                        v,
                        f64::from(self.rest.vertex_volumes[v]),
                        DVec3::from_array(positions[v].map(f64::from)),
                    )
                })
                .collect();
            if members.is_empty() {
                continue;
            }
            let mass: f64 = members.iter().map(|m| m.1).sum();
            let centre = members.iter().map(|m| m.2 * m.1).sum::<DVec3>() / mass;
            let mut inertia = DMat3::ZERO;
            let (mut force, mut torque) = (DVec3::ZERO, DVec3::ZERO);
            for &(v, m, x) in &members {
                let d = x - centre;
                inertia += (DMat3::from_diagonal(DVec3::splat(d.length_squared()))
                    - DMat3::from_cols(d * d.x, d * d.y, d * d.z))
                    * m;
                force += a[v] * m;
                torque += d.cross(a[v]) * m;
            }
            let trace = inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z;
            let spin = if trace > 0.0 {
                (inertia + DMat3::from_diagonal(DVec3::splat(1e-6 * trace))).inverse() * torque
            } else {
                DVec3::ZERO
            };
            for &(v, _, x) in &members {
                let rigid = force / mass + spin.cross(x - centre);
                a[v] = p0 * a[v] + (p1 - p0) * rigid;
            }
        }
        a
    }
}

/// Householder's reduction of a symmetric matrix (Golub and Van Loan, Matrix Computations, 8.3.1).
fn tridiagonalise(mut a: Vec<f64>, n: usize) -> (Vec<f64>, Vec<f64>) {
    let mut beside = vec![];
    for k in 0..n - 1 {
        let norm = (k + 1..n).map(|i| a[i * n + k].powi(2)).sum::<f64>().sqrt();
        let alpha = -norm * a[(k + 1) * n + k].signum();
        let mut v: Vec<f64> = (k + 1..n).map(|i| a[i * n + k]).collect();
        v[0] -= alpha;
        beside.push(alpha);
        let square: f64 = v.iter().map(|x| x * x).sum();
        if square == 0.0 {
            continue;
        }
        let m = n - k - 1;
        let mut p: Vec<f64> = (0..m)
            .map(|i| {
                let row = &a[(k + 1 + i) * n + k + 1..(k + 2 + i) * n];
                2.0 / square * row.iter().zip(&v).map(|(a, b)| a * b).sum::<f64>()
            })
            .collect();
        let half = p.iter().zip(&v).map(|(a, b)| a * b).sum::<f64>() / square;
        for i in 0..m {
            p[i] -= half * v[i];
        }
        for i in 0..m {
            let row = &mut a[(k + 1 + i) * n + k + 1..(k + 2 + i) * n];
            for j in 0..m {
                row[j] -= v[i] * p[j] + p[i] * v[j];
            }
        }
    }
    ((0..n).map(|i| a[i * n + i]).collect(), beside)
}

/// The k-th smallest eigenvalue of a symmetric tridiagonal matrix, by bisection on Sturm counts.
fn kth(diagonal: &[f64], beside: &[f64], k: usize) -> f64 {
    let n = diagonal.len();
    let off = |i: usize| if i < n - 1 { beside[i].abs() } else { 0.0 };
    let mut high = (0..n)
        .map(|i| diagonal[i] + off(i) + if i > 0 { off(i - 1) } else { 0.0 })
        .fold(0.0, f64::max);
    let mut low = -1e-9 * high;
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        let (mut d, mut below) = (1.0, 0);
        for i in 0..n {
            let b = if i > 0 { beside[i - 1] } else { 0.0 };
            d = diagonal[i] - middle - b * b / d;
            if d == 0.0 {
                d = 1e-300;
            }
            if d < 0.0 {
                below += 1;
            }
        }
        if below > k {
            high = middle
        } else {
            low = middle
        }
    }
    low
}
