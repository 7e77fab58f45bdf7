//! Fill of patches, shape of clusters, time: `cargo run --release --no-default-features --example arrangement_figures`.
//!
//! The last columns of the clusters: λ_1 is the largest eigenvalue of Π M⁻¹ K, the motion of rigid clusters against each
//! other, in units of the bound ω_b² on the largest of M⁻¹ K. The smaller, the fewer substeps slow the body down.

use std::time::Instant;

use glam::{DMat3, DVec3};
use webgpu_softbody::arrangement::{Arrangement, Clusters};
use webgpu_softbody::mesh::TetMesh;
use webgpu_softbody::mesh::geometry::point;
use webgpu_softbody::meshing::box_mesh;
use webgpu_softbody::rest_state::RestState;

/// λ = μ·2ν/(1−2ν) at ν = 0.3, with μ = 1.
const LAMBDA: f64 = 1.5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cube = |cells| box_mesh([cells; 3], [1.0; 3], [0.0; 3]);
    let meshes = [
        ("box 9³", cube(9)?),
        ("box 9³ shuffled", shuffled(&cube(9)?)?),
        (
            "beam 24×8×8",
            box_mesh([24, 8, 8], [1.2, 0.4, 0.4], [0.0; 3])?,
        ),
        (
            "plate 40×40×2",
            box_mesh([40, 40, 2], [1.0, 1.0, 0.05], [0.0; 3])?,
        ),
        ("graded 60×8×8", graded()?),
        ("bunny", file("www/public/models/bunny")?),
        ("cylinder", file("tests/data/real/cylinder")?),
        ("unit_ball", file("tests/data/real/unit_ball")?),
        ("box 26³", cube(26)?),
        ("box 55³", cube(55)?),
    ];
    println!(
        "| mesh | tets | s | patches | tets in a patch | vertices in a patch | partials per vertex |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    let mut arranged = Vec::new();
    for (name, mesh) in &meshes {
        let start = Instant::now();
        let a = Arrangement::new(mesh.positions(), mesh.tets());
        let seconds = start.elapsed().as_secs_f64();
        // 128-byte lines of 16-byte records that a patch's vertices lie in, over the least that would hold them.
        let (mut lines, mut least) = (0, 0);
        for patch in &a.patches {
            let own =
                &a.patch_vertices[patch.first_vertex as usize..][..patch.vertex_count as usize];
            lines += 1 + own
                .windows(2)
                .filter(|pair| pair[0].vertex / 8 != pair[1].vertex / 8)
                .count();
            least += own.len().div_ceil(8);
        }
        let lines = lines as f64 / least as f64;
        println!(
            "| {name} | {} | {seconds:.4} | {} | {} | {} | {:.2} | {lines:.2} |",
            mesh.tets().len(),
            a.patches.len(),
            spread(a.patches.iter().map(|patch| patch.tet_count)),
            spread(a.patches.iter().map(|patch| patch.vertex_count)),
            a.patch_vertices.len() as f64 / mesh.positions().len() as f64
        );
        arranged.push(a);
    }
    println!(
        "\n| mesh | target | s | clusters | vertices | longest / middle / shortest axis | edges cut | λ_1 / ω_b² |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    for ((name, mesh), a) in meshes.iter().zip(&arranged) {
        if mesh.tets().len() > 500_000 {
            continue;
        }
        let elastic = Elastic::new(mesh);
        for target in [32, 64, 128, 256, 512] {
            if 2 * target > mesh.positions().len() {
                continue;
            }
            let start = Instant::now();
            let clusters = a.clusters(mesh.tets(), target);
            let seconds = start.elapsed().as_secs_f64();
            let bodies = elastic.bodies(a, &clusters);
            println!(
                "| {name} | {target} | {seconds:.4} | {} | {} | {} | {:.0} % | {:.3} |",
                clusters.offsets.len() - 1,
                spread(clusters.offsets.windows(2).map(|pair| pair[1] - pair[0])),
                aspects(mesh, &bodies),
                100.0 * cut(mesh, &bodies),
                elastic.fastest(&bodies) / elastic.bound()
            );
        }
    }
    Ok(())
}

fn spread(values: impl Iterator<Item = u32>) -> String {
    let mut values: Vec<u32> = values.collect();
    values.sort_unstable();
    let mean = values.iter().map(|&v| f64::from(v)).sum::<f64>() / values.len() as f64;
    format!("{}–{}, mean {mean:.0}", values[0], values[values.len() - 1])
}

fn file(path: &str) -> Result<TetMesh, Box<dyn std::error::Error>> {
    let read = |kind| std::fs::read(format!("{}/{path}_{kind}", env!("CARGO_MANIFEST_DIR")));
    Ok(TetMesh::from_bytes(
        &read("positions.vec3f32bin")?,
        &read("tet_indices.vec4u32bin")?,
    )?)
}

/// Cells that shrink to a hundredth along x.
fn graded() -> Result<TetMesh, Box<dyn std::error::Error>> {
    let mesh = box_mesh([60, 8, 8], [1.0; 3], [0.0; 3])?;
    let at = |&[x, y, z]: &[f32; 3]| {
        let size = 0.01f32.powf(x);
        [-1.5 * size, size * y, size * z]
    };
    Ok(TetMesh::new(
        mesh.positions().iter().map(at).collect(),
        mesh.tets().to_vec(),
    )?)
}

fn shuffled(mesh: &TetMesh) -> Result<TetMesh, Box<dyn std::error::Error>> {
    let count = mesh.positions().len();
    // A step without a factor in common with the count goes through all of them.
    let step = (count * 2 / 5..)
        .find(|&step| gcd(step, count) == 1)
        .ok_or("no step")?;
    let mut positions = vec![[0.0; 3]; count];
    for (old, &position) in mesh.positions().iter().enumerate() {
        positions[old * step % count] = position;
    }
    let tets = mesh
        .tets()
        .iter()
        .map(|tet| tet.map(|v| (v as usize * step % count) as u32));
    Ok(TetMesh::new(positions, tets.collect())?)
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Share of the tets' edges that join two clusters.
fn cut(mesh: &TetMesh, bodies: &[u32]) -> f64 {
    let (mut cut, mut all) = (0, 0);
    for tet in mesh.tets() {
        for (i, &a) in tet.iter().enumerate() {
            for &b in &tet[..i] {
                all += 1;
                cut += usize::from(bodies[a as usize] != bodies[b as usize]);
            }
        }
    }
    cut as f64 / f64::from(all)
}

/// Means over clusters of the lengths of their principal axes, in units of their geometric mean.
fn aspects(mesh: &TetMesh, bodies: &[u32]) -> String {
    let mut sums =
        vec![(0.0, DVec3::ZERO, DMat3::ZERO); 1 + *bodies.iter().max().unwrap_or(&0) as usize];
    for (&body, &position) in bodies.iter().zip(mesh.positions()) {
        let x = point(position);
        let sum = &mut sums[body as usize];
        *sum = (
            sum.0 + 1.0,
            sum.1 + x,
            sum.2 + DMat3::from_cols(x * x.x, x * x.y, x * x.z),
        );
    }
    let mut mean = DVec3::ZERO;
    let mut count = 0.0;
    for (n, x, xx) in sums {
        let c = x / n;
        let mut m = xx / n - DMat3::from_cols(c * c.x, c * c.y, c * c.z);
        let lengths = {
            // Largest by power iteration, twice with deflation.
            let mut found = [0.0; 3];
            for length in &mut found {
                let mut v = DVec3::new(0.6, 0.5, 0.7);
                for _ in 0..200 {
                    v = (m * v).normalize_or_zero();
                }
                let value = v.dot(m * v);
                m -= DMat3::from_cols(v * v.x, v * v.y, v * v.z) * value;
                *length = value.max(1e-300).sqrt();
            }
            DVec3::from_array(found)
        };
        let scale = (lengths.x * lengths.y * lengths.z).cbrt();
        // Some small ones are flat.
        if lengths.z > 1e-3 * lengths.x {
            mean += lengths / scale;
            count += 1.0;
        }
    }
    mean /= count;
    format!("{:.2} / {:.2} / {:.2}", mean.x, mean.y, mean.z)
}

/// Linear elasticity at rest.
struct Elastic<'a> {
    mesh: &'a TetMesh,
    gradients: Vec<[DVec3; 4]>,
    volumes: Vec<f64>,
    masses: Vec<f64>,
}

impl<'a> Elastic<'a> {
    fn new(mesh: &'a TetMesh) -> Self {
        let rest = RestState::new(mesh);
        let gradients = rest.inverse_edges.iter().map(|rows| {
            let [b, c, d] = rows.map(|row| DVec3::from_array(row.map(f64::from)));
            [-(b + c + d), b, c, d]
        });
        Self {
            mesh,
            gradients: gradients.collect(),
            volumes: rest.volumes.iter().map(|&v| f64::from(v)).collect(),
            masses: rest.vertex_masses(1.0),
        }
    }

    /// max over vertices of Σ ω_t² s_ta / m_a with shares of the mass by stiffness.
    fn bound(&self) -> f64 {
        let vertices = self.masses.len();
        let stiffness =
            |t: usize, corner: usize| self.volumes[t] * self.gradients[t][corner].length_squared();
        let mut total = vec![0.0; vertices];
        for (t, tet) in self.mesh.tets().iter().enumerate() {
            for (corner, &v) in tet.iter().enumerate() {
                total[v as usize] += stiffness(t, corner);
            }
        }
        let mut sums = vec![0.0; vertices];
        for (t, tet) in self.mesh.tets().iter().enumerate() {
            let share = |corner: usize| {
                let v = tet[corner] as usize;
                self.masses[v] * stiffness(t, corner) / total[v]
            };
            let mut m = DMat3::ZERO;
            for corner in 0..4 {
                let b = self.gradients[t][corner];
                m += DMat3::from_cols(b * b.x, b * b.y, b * b.z) * share(corner).recip();
            }
            let mut v = DVec3::new(0.6, 0.5, 0.7);
            for _ in 0..100 {
                v = (m * v).normalize_or_zero();
            }
            let frequency = (2.0 + LAMBDA) * self.volumes[t] * v.dot(m * v);
            for corner in 0..4 {
                sums[tet[corner] as usize] += frequency * share(corner);
            }
        }
        sums.iter()
            .zip(&self.masses)
            .filter(|pair| *pair.1 > 0.0)
            .map(|(s, m)| s / m)
            .fold(0.0, f64::max)
    }

    /// The cluster of each vertex in original numbering.
    fn bodies(&self, a: &Arrangement, clusters: &Clusters) -> Vec<u32> {
        let mut bodies = vec![0; self.masses.len()];
        for (number, pair) in (0u32..).zip(clusters.offsets.windows(2)) {
            for &vertex in &clusters.vertices[pair[0] as usize..pair[1] as usize] {
                bodies[a.original_vertices[vertex as usize] as usize] = number;
            }
        }
        bodies
    }

    fn forces(&self, u: &[DVec3]) -> Vec<DVec3> {
        let mut forces = vec![DVec3::ZERO; u.len()];
        for (t, tet) in self.mesh.tets().iter().enumerate() {
            let mut g = DMat3::ZERO;
            for corner in 0..4 {
                let (u, b) = (u[tet[corner] as usize], self.gradients[t][corner]);
                g += DMat3::from_cols(u * b.x, u * b.y, u * b.z);
            }
            let trace = g.x_axis.x + g.y_axis.y + g.z_axis.z;
            let stress = g + g.transpose() + DMat3::from_diagonal(DVec3::splat(LAMBDA * trace));
            for corner in 0..4 {
                forces[tet[corner] as usize] +=
                    stress * self.gradients[t][corner] * self.volumes[t];
            }
        }
        forces
    }

    /// Π M⁻¹ of forces.
    fn rigid(
        &self,
        bodies: &[u32],
        centres: &[(f64, DVec3)],
        inertias: &[DMat3],
        forces: &[DVec3],
    ) -> Vec<DVec3> {
        let mut sums = vec![(DVec3::ZERO, DVec3::ZERO); centres.len()];
        for (v, &body) in bodies.iter().enumerate() {
            let sum = &mut sums[body as usize];
            let arm = point(self.mesh.positions()[v]) - centres[body as usize].1;
            sum.0 += forces[v];
            sum.1 += arm.cross(forces[v]);
        }
        bodies
            .iter()
            .zip(self.mesh.positions())
            .map(|(&body, &x)| {
                let body = body as usize;
                let (mass, centre) = centres[body];
                sums[body].0 / mass + (inertias[body] * sums[body].1).cross(point(x) - centre)
            })
            .collect()
    }

    /// λ_1 by power iteration.
    fn fastest(&self, bodies: &[u32]) -> f64 {
        let count = 1 + *bodies.iter().max().unwrap_or(&0) as usize;
        let mut centres = vec![(0.0, DVec3::ZERO); count];
        let positions = self.mesh.positions();
        for (v, &body) in bodies.iter().enumerate() {
            let centre = &mut centres[body as usize];
            centre.0 += self.masses[v];
            centre.1 += self.masses[v] * point(positions[v]);
        }
        for centre in &mut centres {
            centre.1 /= centre.0;
        }
        let mut inertias = vec![DMat3::ZERO; count];
        for (v, &body) in bodies.iter().enumerate() {
            let r = point(positions[v]) - centres[body as usize].1;
            let outer = DMat3::from_cols(r * r.x, r * r.y, r * r.z);
            inertias[body as usize] +=
                (DMat3::from_diagonal(DVec3::splat(r.length_squared())) - outer) * self.masses[v];
        }
        // Of a cluster of one or two vertices some are singular: those do not turn.
        let inertias: Vec<DMat3> = inertias
            .iter()
            .map(|i| {
                if i.determinant() > 1e-300 {
                    i.inverse()
                } else {
                    DMat3::ZERO
                }
            })
            .collect();
        let mut u: Vec<DVec3> = (0..bodies.len())
            .map(|i| {
                let noise = |k: f64| (i as f64 * k).sin();
                DVec3::new(noise(1.7), noise(2.3), noise(3.1))
            })
            .collect();
        let mut value = 0.0;
        for _ in 0..80 {
            let next = self.rigid(bodies, &centres, &inertias, &self.forces(&u));
            let norm = |u: &[DVec3]| {
                let sum: f64 = u
                    .iter()
                    .zip(&self.masses)
                    .map(|(u, m)| m * u.length_squared())
                    .sum();
                sum.sqrt()
            };
            value = norm(&next) / norm(&u);
            let scale = norm(&next).recip();
            u = next.into_iter().map(|x| x * scale).collect();
        }
        value
    }
}
