//! One linear tet with Ψ(F) = μ‖Σ−1‖² + λ/2 (det F − 1)²: energy, stress and the derivative of stress.

use glam::{DMat3, DVec3};

/// Lamé's moduli, Pa.
#[derive(Debug, Clone, Copy)]
pub struct Lame {
    pub mu: f64,
    pub lambda: f64,
}

impl Lame {
    /// From Young's modulus, Pa, and Poisson's ratio.
    pub fn new(youngs_modulus: f64, poisson_ratio: f64) -> Self {
        let (e, nu) = (youngs_modulus, poisson_ratio);
        Self {
            mu: e / (2.0 * (1.0 + nu)),
            lambda: e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)),
        }
    }
}

/// F = U diag(σ) Vᵀ with proper rotations U, V and σ₁ ≥ σ₂ ≥ |σ₃|, σ₃ with the sign of det F.
#[derive(Debug, Clone, Copy)]
pub struct SignedSvd {
    pub u: DMat3,
    pub sigma: DVec3,
    pub v: DMat3,
}

impl SignedSvd {
    /// R = U Vᵀ, the rotation nearest to F.
    pub fn rotation(&self) -> DMat3 {
        self.u * self.v.transpose()
    }
}

/// One-sided Jacobi (Hestenes 1958): columns are rotated until they are orthogonal, which keeps small values accurate
/// where the eigenvalues of FᵀF would not.
pub fn signed_svd(f: DMat3) -> SignedSvd {
    let mut w = f.to_cols_array_2d().map(DVec3::from);
    let mut v = DMat3::IDENTITY.to_cols_array_2d().map(DVec3::from);
    for _sweep in 0..40 {
        let mut rotated = false;
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let (pp, qq, pq) = (w[p].length_squared(), w[q].length_squared(), w[p].dot(w[q]));
            if pq.abs() <= 1e-16 * (pp * qq).sqrt() {
                continue;
            }
            rotated = true;
            let zeta = (qq - pp) / (2.0 * pq);
            let tangent = zeta.signum() / (zeta.abs() + zeta.hypot(1.0));
            let cosine = 1.0 / tangent.hypot(1.0);
            let sine = cosine * tangent;
            for columns in [&mut w, &mut v] {
                let (a, b) = (columns[p], columns[q]);
                columns[p] = cosine * a - sine * b;
                columns[q] = sine * a + cosine * b;
            }
        }
        if !rotated {
            break;
        }
    }
    // Longest first. Each exchange turns one column round, so that V stays a rotation.
    for (p, q) in [(0, 1), (1, 2), (0, 1)] {
        if w[p].length_squared() < w[q].length_squared() {
            for columns in [&mut w, &mut v] {
                (columns[p], columns[q]) = (columns[q], -columns[p]);
            }
        }
    }
    let first = w[0].try_normalize().unwrap_or(DVec3::X);
    let second = (w[1] - first * first.dot(w[1]))
        .try_normalize()
        .unwrap_or_else(|| first.any_orthonormal_vector());
    let third = first.cross(second);
    SignedSvd {
        u: DMat3::from_cols(first, second, third),
        sigma: DVec3::new(w[0].length(), w[1].length(), third.dot(w[2])),
        v: DMat3::from_cols(v[0], v[1], v[2]),
    }
}

/// Cofactor matrix, the derivative of det F.
fn cofactor(f: DMat3) -> DMat3 {
    let [a, b, c] = [f.x_axis, f.y_axis, f.z_axis];
    DMat3::from_cols(b.cross(c), c.cross(a), a.cross(b))
}

/// Σᵢⱼ AᵢⱼBᵢⱼ.
fn inner(a: DMat3, b: DMat3) -> f64 {
    a.x_axis.dot(b.x_axis) + a.y_axis.dot(b.y_axis) + a.z_axis.dot(b.z_axis)
}

/// The state of a tet at one F, kept between stress and its derivative.
#[derive(Debug, Clone, Copy)]
pub struct Strain {
    f: DMat3,
    svd: SignedSvd,
    rotation: DMat3,
    cofactor: DMat3,
    excess: f64,
    lame: Lame,
}

impl Strain {
    pub fn new(f: DMat3, lame: Lame) -> Self {
        let svd = signed_svd(f);
        Self {
            f,
            svd,
            rotation: svd.rotation(),
            cofactor: cofactor(f),
            excess: f.determinant() - 1.0,
            lame,
        }
    }

    /// ‖Σ−1‖ and det F − 1.
    pub fn constraints(&self) -> [f64; 2] {
        let d = self.f - self.rotation;
        [inner(d, d).sqrt(), self.excess]
    }

    /// Ψ, Pa.
    pub fn energy_density(&self) -> f64 {
        let [shape, volume] = self.constraints();
        self.lame.mu * shape * shape + 0.5 * self.lame.lambda * volume * volume
    }

    /// ∂Ψ/∂F = 2μ(F−R) + λ(J−1) cof F, Pa.
    pub fn stress(&self) -> DMat3 {
        (self.f - self.rotation) * (2.0 * self.lame.mu)
            + self.cofactor * (self.lame.lambda * self.excess)
    }

    /// The change of [`Self::stress`] with a change of F, to first order.
    pub fn stress_change(&self, df: DMat3) -> DMat3 {
        // dR = U Y Vᵀ with Y_ij = (W_ij − W_ji)/(σ_i + σ_j), W = Uᵀ dF V.
        let SignedSvd { u, sigma, v } = self.svd;
        let w = u.transpose() * df * v;
        let turn = |i: usize, j: usize| (w.col(j)[i] - w.col(i)[j]) / (sigma[i] + sigma[j]);
        let (a, b, c) = (turn(0, 1), turn(0, 2), turn(1, 2));
        let y = DMat3::from_cols(
            DVec3::new(0.0, -a, -b),
            DVec3::new(a, 0.0, -c),
            DVec3::new(b, c, 0.0),
        );
        let dr = u * y * v.transpose();
        let (f, d) = (self.f, df);
        let pair = |p: DVec3, dp: DVec3, q: DVec3, dq: DVec3| dp.cross(q) + p.cross(dq);
        let dcofactor = DMat3::from_cols(
            pair(f.y_axis, d.y_axis, f.z_axis, d.z_axis),
            pair(f.z_axis, d.z_axis, f.x_axis, d.x_axis),
            pair(f.x_axis, d.x_axis, f.y_axis, d.y_axis),
        );
        let Lame { mu, lambda } = self.lame;
        (df - dr) * (2.0 * mu)
            + self.cofactor * (lambda * inner(self.cofactor, df))
            + dcofactor * (lambda * self.excess)
    }
}

/// A tet at rest.
#[derive(Debug, Clone, Copy)]
pub struct Element {
    pub corners: [usize; 4],
    /// Gradients of the shape functions, 1/m: F = Σ x_a b_aᵀ.
    pub b: [DVec3; 4],
    /// m³.
    pub volume: f64,
}

impl Element {
    pub fn new(corners: [usize; 4], rest: &[DVec3]) -> Self {
        let [o, p, q, r] = corners.map(|v| rest[v]);
        let edges = DMat3::from_cols(p - o, q - o, r - o);
        let inverse = edges.inverse().transpose();
        let (b1, b2, b3) = (inverse.x_axis, inverse.y_axis, inverse.z_axis);
        Self {
            corners,
            b: [-(b1 + b2 + b3), b1, b2, b3],
            volume: edges.determinant() / 6.0,
        }
    }

    /// F at the positions `x` of all vertices.
    pub fn deformation(&self, x: &[DVec3]) -> DMat3 {
        let mut f = DMat3::ZERO;
        for (corner, b) in self.corners.iter().zip(&self.b) {
            f += DMat3::from_cols(x[*corner] * b.x, x[*corner] * b.y, x[*corner] * b.z);
        }
        f
    }

    pub fn strain(&self, x: &[DVec3], lame: Lame) -> Strain {
        Strain::new(self.deformation(x), lame)
    }

    /// Forces on the corners, N: −∂(V₀Ψ)/∂x_a = −V₀ P b_a.
    pub fn forces(&self, strain: &Strain) -> [DVec3; 4] {
        let stress = strain.stress() * -self.volume;
        self.b.map(|b| stress * b)
    }

    /// ∂(−f_a)/∂x_b, N/m.
    pub fn stiffness(&self, strain: &Strain) -> [[DMat3; 4]; 4] {
        let mut blocks = [[DMat3::ZERO; 4]; 4];
        for (column, b) in self.b.iter().enumerate() {
            let changes = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| {
                let df = DMat3::from_cols(axis * b.x, axis * b.y, axis * b.z);
                strain.stress_change(df) * self.volume
            });
            for (row, a) in self.b.iter().enumerate() {
                blocks[row][column] =
                    DMat3::from_cols(changes[0] * *a, changes[1] * *a, changes[2] * *a);
            }
        }
        blocks
    }
}
