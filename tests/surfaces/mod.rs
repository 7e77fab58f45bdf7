//! Shared by the tests of surfaces and meshing: shapes with known measures, and measures of meshes.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::collections::BTreeMap;
use std::f64::consts::TAU;
use std::ops::ControlFlow;

use glam::DVec3;
use webgpu_softbody::mesh::TetMesh;
use webgpu_softbody::mesh::geometry::{corners, signed_volume};
use webgpu_softbody::meshing::{MeshingError, Resolution, Tetrahedralization, tetrahedralize};
use webgpu_softbody::surface::{SurfaceLook, SurfaceMesh};
use webgpu_softbody::topology::Topology;

pub fn surface(positions: Vec<[f32; 3]>, triangles: Vec<[u32; 3]>) -> SurfaceMesh {
    SurfaceMesh::new(positions, triangles, SurfaceLook::default()).unwrap()
}

/// A figure of assets/surfaces.
pub fn figure(name: &str) -> SurfaceMesh {
    let path = format!("{}/assets/surfaces/{name}.obj", env!("CARGO_MANIFEST_DIR"));
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words[0] {
            "v" => positions.push([1, 2, 3].map(|word: usize| words[word].parse().unwrap())),
            "f" => triangles.push([1, 2, 3].map(|w: usize| words[w].parse::<u32>().unwrap() - 1)),
            _ => {}
        }
    }
    surface(positions, triangles)
}

/// A grid of `rows` × `columns` quadrilaterals that closes on itself in both directions or, with `poles`, is capped by
/// a vertex above its first and below its last row.
fn grid(
    rows: u32,
    columns: u32,
    poles: Option<[DVec3; 2]>,
    at: impl Fn(u32, u32) -> DVec3,
) -> SurfaceMesh {
    let mut positions: Vec<[f32; 3]> = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            positions.push(at(row, column).as_vec3().to_array());
        }
    }
    let vertex = |row: u32, column: u32| (row % rows) * columns + column % columns;
    let mut triangles = Vec::new();
    for row in 0..if poles.is_some() { rows - 1 } else { rows } {
        for column in 0..columns {
            let [a, b] = [vertex(row, column), vertex(row, column + 1)];
            let [c, d] = [vertex(row + 1, column), vertex(row + 1, column + 1)];
            triangles.extend([[a, d, b], [a, c, d]]);
        }
    }
    if let Some([above, below]) = poles {
        let first = positions.len() as u32;
        positions.extend([above, below].map(|pole| pole.as_vec3().to_array()));
        for column in 0..columns {
            triangles.push([first, vertex(0, column), vertex(0, column + 1)]);
            let last = rows - 1;
            triangles.push([first + 1, vertex(last, column + 1), vertex(last, column)]);
        }
    }
    surface(positions, triangles)
}

/// A sphere of `4·n²` triangles or so, facing outwards.
pub fn sphere(centre: DVec3, radius: f64, n: u32) -> SurfaceMesh {
    let poles = [centre + radius * DVec3::Y, centre - radius * DVec3::Y];
    grid(n - 1, 2 * n, Some(poles), |row, column| {
        let polar = TAU / 2.0 * f64::from(row + 1) / f64::from(n);
        let azimuth = TAU * f64::from(column) / f64::from(2 * n);
        let (s, c) = polar.sin_cos();
        centre + radius * DVec3::new(s * azimuth.sin(), c, s * azimuth.cos())
    })
}

/// A torus round the y axis, facing outwards.
pub fn torus(major: f64, minor: f64, n: u32) -> SurfaceMesh {
    grid(n, 2 * n, None, |row, column| {
        let around = -TAU * f64::from(row) / f64::from(n);
        let along = TAU * f64::from(column) / f64::from(2 * n);
        let radius = major + minor * around.cos();
        DVec3::new(
            radius * along.sin(),
            minor * around.sin(),
            radius * along.cos(),
        )
    })
}

/// An axis-aligned box, facing outwards.
pub fn cuboid(low: DVec3, high: DVec3) -> SurfaceMesh {
    let positions = (0..8)
        .map(|corner| {
            let pick = |axis: usize| {
                if corner >> axis & 1 == 1 {
                    high[axis]
                } else {
                    low[axis]
                }
            };
            [pick(0) as f32, pick(1) as f32, pick(2) as f32]
        })
        .collect();
    let quads = [
        [0, 4, 6, 2],
        [1, 3, 7, 5],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 2, 3, 1],
        [4, 5, 7, 6],
    ];
    let triangles = quads
        .into_iter()
        .flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]])
        .collect();
    surface(positions, triangles)
}

/// Two surfaces as one.
pub fn joined(a: &SurfaceMesh, b: &SurfaceMesh) -> SurfaceMesh {
    let first = a.positions().len() as u32;
    let shifted = b.triangles().iter().map(|t| t.map(|vertex| vertex + first));
    surface(
        [a.positions(), b.positions()].concat(),
        a.triangles().iter().copied().chain(shifted).collect(),
    )
}

/// The surface turned inside out.
pub fn reversed(surface_mesh: &SurfaceMesh) -> SurfaceMesh {
    surface(
        surface_mesh.positions().to_vec(),
        surface_mesh
            .triangles()
            .iter()
            .map(|&[a, b, c]| [a, c, b])
            .collect(),
    )
}

/// The triangles that `keep` accepts by their centroid.
pub fn parts_where(surface_mesh: &SurfaceMesh, keep: impl Fn(DVec3) -> bool) -> SurfaceMesh {
    let centroid = |t: &[u32; 3]| {
        t.map(|v| DVec3::from_array(surface_mesh.positions()[v as usize].map(f64::from)))
            .into_iter()
            .sum::<DVec3>()
            / 3.0
    };
    surface(
        surface_mesh.positions().to_vec(),
        surface_mesh
            .triangles()
            .iter()
            .filter(|t| keep(centroid(t)))
            .copied()
            .collect(),
    )
}

pub fn filled(
    surface: &SurfaceMesh,
    resolution: Resolution,
) -> Result<Tetrahedralization, MeshingError> {
    tetrahedralize(surface, resolution, &mut |_| ControlFlow::Continue(()))
}

pub fn volume(mesh: &TetMesh) -> f64 {
    mesh.tets()
        .iter()
        .map(|&tet| signed_volume(corners(mesh.positions(), tet)))
        .sum()
}

/// Checks that the boundary is a closed, oriented 2-manifold: each edge once each way, one fan of triangles at each
/// vertex. Gives its Euler number.
pub fn manifold_euler_number(mesh: &TetMesh) -> i64 {
    let topology = Topology::new(mesh);
    assert_eq!(topology.non_manifold_edges, 0);
    let mut next = BTreeMap::new();
    for &[a, b, c] in &topology.surface_triangles {
        for (centre, from, to) in [(a, b, c), (b, c, a), (c, a, b)] {
            assert!(
                next.insert((centre, from), to).is_none(),
                "edge {centre}–{from} occurs twice"
            );
        }
    }
    let mut on_surface = 0;
    for (vertex, pair) in (0u32..).zip(topology.triangle_offsets.windows(2)) {
        let triangles = (pair[1] - pair[0]) as usize;
        if triangles == 0 {
            continue;
        }
        on_surface += 1;
        let first = *next
            .range((vertex, 0)..)
            .next()
            .expect("it has a triangle")
            .0;
        let mut place = first.1;
        let mut steps = 0;
        loop {
            place = *next.get(&(vertex, place)).expect("the boundary is closed");
            steps += 1;
            if place == first.1 {
                break;
            }
        }
        assert_eq!(steps, triangles, "vertex {vertex} is pinched");
    }
    on_surface - topology.surface_edges.len() as i64 + topology.surface_triangles.len() as i64
}
