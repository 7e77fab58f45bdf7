//! Triangle meshes that the tests of cloth share, and a plain source of random numbers.
#![allow(dead_code)]

use webgpu_softbody::cloth::ClothMesh;

/// Numbers from 0 to 1 that look random: a linear congruential generator.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

pub type Mesh = (Vec<[f32; 3]>, Vec<[u32; 3]>);

/// A sheet of `side` rows of `side` vertices about `spacing` apart: the corners of equilateral triangles, each moved by up
/// to `jitter` spacings either way (at most 0.28) in x and y and by up to `height` in z, joined as Delaunay does.
pub fn irregular(side: u32, spacing: f64, jitter: f64, height: f64, seed: u64) -> Mesh {
    let mut random = Random(seed);
    let (mut positions, mut triangles) = equilateral(side);
    for position in &mut positions {
        for (axis, most) in [jitter, jitter, height / spacing].into_iter().enumerate() {
            let moved = f64::from(position[axis]) + most * (2.0 * random.next() - 1.0);
            position[axis] = (moved * spacing) as f32;
        }
    }
    while flip(&positions, &mut triangles) {}
    (positions, triangles)
}

/// Lawson's step: exchanges diagonals whose opposite angles sum to more than π, each triangle's once at most. Whether
/// there were any.
fn flip(positions: &[[f32; 3]], triangles: &mut [[u32; 3]]) -> bool {
    let angle = |at: u32, p: u32, q: u32| {
        let [at, p, q] = [at, p, q].map(|v| positions[v as usize].map(f64::from));
        let [p, q] = [p, q].map(|end| [end[0] - at[0], end[1] - at[1]]);
        (p[0] * q[1] - p[1] * q[0]).atan2(p[0] * q[0] + p[1] * q[1])
    };
    let mut first = std::collections::BTreeMap::new();
    let mut touched = vec![false; triangles.len()];
    let mut any = false;
    for number in 0..triangles.len() {
        for k in 0..3 {
            let [a, b, c] = [0, 1, 2].map(|i| triangles[number][(k + i) % 3]);
            // The other triangle passes the edge from b to a.
            let Some(&(other, d)) = first.get(&(b, a)) else {
                first.insert((a, b), (number, c));
                continue;
            };
            let other: usize = other;
            if touched[number] || touched[other] {
                continue;
            }
            if angle(c, a, b) + angle(d, b, a) > std::f64::consts::PI + 1e-9 {
                triangles[number] = [a, d, c];
                triangles[other] = [d, b, c];
                (touched[number], touched[other], any) = (true, true, true);
                break;
            }
        }
    }
    any
}

/// Equilateral triangles of side 1, `side` vertices a row.
pub fn equilateral(side: u32) -> Mesh {
    let mut positions = Vec::new();
    for j in 0..side {
        for i in 0..side {
            let x = f64::from(i) + 0.5 * f64::from(j % 2);
            positions.push([x as f32, (f64::from(j) * 0.75f64.sqrt()) as f32, 0.0]);
        }
    }
    let mut triangles = Vec::new();
    for j in 0..side - 1 {
        for i in 0..side - 1 {
            let a = j * side + i;
            let (b, c, d) = (a + 1, a + side, a + side + 1);
            triangles.extend(if j % 2 == 0 {
                [[a, b, c], [b, d, c]]
            } else {
                [[a, b, d], [a, d, c]]
            });
        }
    }
    (positions, triangles)
}

/// An open tube of radius 1 round the y axis.
pub fn tube(around: u32, along: u32) -> Mesh {
    let mut positions = Vec::new();
    for j in 0..along {
        for i in 0..around {
            let angle = std::f64::consts::TAU * f64::from(i) / f64::from(around);
            positions.push([angle.cos() as f32, 0.2 * j as f32, angle.sin() as f32]);
        }
    }
    let mut triangles = Vec::new();
    for j in 0..along - 1 {
        for i in 0..around {
            let (a, b) = (j * around + i, j * around + (i + 1) % around);
            triangles.extend([[a, a + around, b], [b, a + around, b + around]]);
        }
    }
    (positions, triangles)
}

/// A sphere of radius 1: an icosahedron whose faces are divided into four `levels` times.
pub fn sphere(levels: u32) -> Mesh {
    let g = (1.0 + 5f32.sqrt()) / 2.0;
    let unit = |p: [f32; 3]| {
        let length = p.iter().map(|x| x * x).sum::<f32>().sqrt();
        p.map(|x| x / length)
    };
    let mut positions: Vec<[f32; 3]> = Vec::new();
    for (p, q) in [(1.0, g), (1.0, -g), (-1.0, g), (-1.0, -g)] {
        positions.extend([[0.0, p, q], [p, q, 0.0], [q, 0.0, p]].map(unit));
    }
    let near =
        |p: &[f32; 3], q: &[f32; 3]| (0..3).map(|i| (p[i] - q[i]).powi(2)).sum::<f32>() < 1.2;
    let mut triangles = Vec::new();
    for a in 0..12 {
        for b in a + 1..12 {
            for c in b + 1..12 {
                let [p, q, r] = [a, b, c].map(|v| positions[v]);
                if near(&p, &q) && near(&q, &r) && near(&r, &p) {
                    let cross = [
                        (q[1] - p[1]) * (r[2] - p[2]) - (q[2] - p[2]) * (r[1] - p[1]),
                        (q[2] - p[2]) * (r[0] - p[0]) - (q[0] - p[0]) * (r[2] - p[2]),
                        (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]),
                    ];
                    let outwards = (0..3).map(|i| cross[i] * p[i]).sum::<f32>() > 0.0;
                    let [a, b, c] = [a as u32, b as u32, c as u32];
                    triangles.push(if outwards { [a, b, c] } else { [a, c, b] });
                }
            }
        }
    }
    assert_eq!(triangles.len(), 20);
    for _ in 0..levels {
        let mut middles = std::collections::BTreeMap::new();
        let mut finer = Vec::new();
        for &[a, b, c] in &triangles {
            let [ab, bc, ca] = [(a, b), (b, c), (c, a)].map(|(a, b): (u32, u32)| {
                *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                    let [p, q] = [a, b].map(|v| positions[v as usize]);
                    positions.push(unit(std::array::from_fn(|i| p[i] + q[i])));
                    positions.len() as u32 - 1
                })
            });
            finer.extend([[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]);
        }
        triangles = finer;
    }
    (positions, triangles)
}

/// Two triangles with one edge.
pub fn two() -> Mesh {
    (
        vec![
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [1.0, 1.0, 0.0],
        ],
        vec![[0, 1, 2], [2, 1, 3]],
    )
}

/// Three pages of two triangles each along one spine, vertices 0 and 1.
pub fn book() -> Mesh {
    let mut positions = vec![[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let mut triangles = Vec::new();
    for page in 0..3u32 {
        let (x, z) = (page as f32 - 1.0, 1.0 - (page as f32 - 1.0).abs());
        let a = positions.len() as u32;
        positions.extend([[x, 0.0, z], [x, 1.0, z]]);
        triangles.extend([[0, a, 1], [1, a, a + 1]]);
    }
    (positions, triangles)
}

/// The smallest mesh that cannot be oriented everywhere: a Möbius strip of five triangles.
pub fn moebius() -> Mesh {
    let mut positions = Vec::new();
    for vertex in 0..5u32 {
        let angle = std::f64::consts::TAU * f64::from(vertex) / 5.0;
        positions.push([angle.cos() as f32, angle.sin() as f32, 0.3 * vertex as f32]);
    }
    (
        positions,
        (0..5).map(|v| [v, (v + 1) % 5, (v + 2) % 5]).collect(),
    )
}

/// Triangles round one vertex, the last.
pub fn fan(count: u32) -> Mesh {
    let rim = |vertex: u32| {
        let angle = std::f64::consts::TAU * f64::from(vertex) / f64::from(count);
        [angle.cos() as f32, angle.sin() as f32, 0.0]
    };
    let positions = (0..count).map(rim).chain([[0.0; 3]]).collect();
    let spokes = (0..count).map(|v| [count, v, (v + 1) % count]);
    (positions, spokes.collect())
}

pub type Point = [f64; 3];

/// A mesh that must be usable.
pub fn made((positions, triangles): Mesh) -> ClothMesh {
    ClothMesh::new(positions, triangles).expect("a usable cloth")
}

/// Positions in double precision.
pub fn points(mesh: &ClothMesh) -> Vec<Point> {
    mesh.positions().iter().map(|p| p.map(f64::from)).collect()
}

pub fn distance(p: Point, q: Point) -> f64 {
    (0..3).map(|i| (p[i] - q[i]).powi(2)).sum::<f64>().sqrt()
}

/// Grids of every parity, with and without inner particles.
pub fn grids() -> Vec<ClothMesh> {
    [
        (2, 2),
        (2, 3),
        (3, 2),
        (3, 3),
        (4, 4),
        (5, 2),
        (5, 5),
        (6, 9),
        (33, 17),
        (17, 33),
    ]
    .map(|(columns, rows)| ClothMesh::grid(columns, rows, 0.1).unwrap())
    .into()
}
