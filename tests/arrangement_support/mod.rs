//! Meshes for the tests of arrangements, ordinary and hostile.

use std::collections::BTreeSet;

use webgpu_softbody::mesh::TetMesh;
use webgpu_softbody::meshing::box_mesh;

pub type Mesh = (Vec<[f32; 3]>, Vec<[u32; 4]>);

pub fn parts(mesh: &TetMesh) -> Mesh {
    (mesh.positions().to_vec(), mesh.tets().to_vec())
}

pub fn cube(cells: u32) -> Mesh {
    parts(&box_mesh([cells; 3], [1.0; 3], [0.0; 3]).unwrap())
}

pub fn file(dir: &str, name: &str) -> Mesh {
    let read = |kind: &str| {
        let path = format!("{}/{dir}/{name}_{kind}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
    };
    let mesh = TetMesh::from_bytes(
        &read("positions.vec3f32bin"),
        &read("tet_indices.vec4u32bin"),
    );
    parts(&mesh.unwrap())
}

pub fn real(name: &str) -> Mesh {
    file("tests/data/real", name)
}

pub fn bunny() -> Mesh {
    file("www/public/models", "bunny")
}

/// Cells that shrink from 1 to 1/1000 along x.
pub fn graded() -> Mesh {
    let (mut positions, tets) = parts(&box_mesh([60, 6, 6], [1.0; 3], [0.0; 3]).unwrap());
    for position in &mut positions {
        let size = 0.001f32.powf(position[0]);
        *position = [-10.0 * size, size * position[1], size * position[2]];
    }
    (positions, tets)
}

/// Other numbers for vertices and tets, by a fixed pseudo-random shuffle.
pub fn shuffled((positions, tets): &Mesh) -> Mesh {
    let shuffle = |count: usize| {
        let mut order: Vec<usize> = (0..count).collect();
        let mut state = 1u64;
        for place in (1..count).rev() {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            order.swap(place, (state >> 33) as usize % (place + 1));
        }
        order
    };
    let order = shuffle(positions.len());
    let mut number = vec![0; order.len()];
    for (new, &old) in order.iter().enumerate() {
        number[old] = new as u32;
    }
    (
        order.iter().map(|&old| positions[old]).collect(),
        shuffle(tets.len())
            .iter()
            .map(|&old| tets[old].map(|vertex| number[vertex as usize]))
            .collect(),
    )
}

/// A horseshoe one cell thick whose arms are closer than a cell.
pub fn horseshoe() -> Mesh {
    let (positions, tets) = parts(&box_mesh([40, 2, 2], [40.0, 2.0, 2.0], [0.0; 3]).unwrap());
    let bent = |[x, y, z]: [f32; 3]| {
        if x <= 18.0 {
            return [x, y + 0.05, z];
        }
        if x >= 22.0 {
            return [40.0 - x, -y - 0.05, z];
        }
        let angle = (x - 18.0) / 4.0 * std::f32::consts::PI;
        [18.0 + (y + 0.05) * angle.sin(), (y + 0.05) * angle.cos(), z]
    };
    (positions.into_iter().map(bent).collect(), tets)
}

/// Tets that share the vertex 0 and nothing else.
pub fn star(count: u32) -> Mesh {
    let mut positions = vec![[0.0; 3]];
    let mut tets = Vec::new();
    for i in 0..count {
        let height = 1.0 - 2.0 * (i as f32 + 0.5) / count as f32;
        let (angle, radius) = (2.399_963_f32 * i as f32, (1.0 - height * height).sqrt());
        let p = [radius * angle.cos(), radius * angle.sin(), height];
        positions.extend([
            p,
            [p[0] + 0.01, p[1], p[2]],
            [p[0], p[1] + 0.01, p[2] + 0.01],
        ]);
        tets.push([0, 3 * i + 1, 3 * i + 2, 3 * i + 3]);
    }
    (positions, tets)
}

pub fn apart(count: u32) -> Mesh {
    let mut positions = Vec::new();
    for i in 0..count {
        let corner = [(i % 10) as f32, (i / 10 % 10) as f32, (i / 100) as f32];
        for axis in 0..4 {
            let mut p = corner;
            if axis < 3 {
                p[axis] += 0.5;
            }
            positions.push(p);
        }
    }
    let tets = (0..count).map(|i| [4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3]);
    (positions, tets.collect())
}

pub fn random(vertices: usize, tets: usize, seed: u64) -> Mesh {
    let mut state = seed;
    let mut next = |below: usize| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    let positions = (0..vertices)
        .map(|_| [(); 3].map(|()| next(1000) as f32 / 100.0 - 5.0))
        .collect();
    let mut tet = || loop {
        let tet = [(); 4].map(|()| next(vertices) as u32);
        if BTreeSet::from(tet).len() == 4 {
            return tet;
        }
    };
    (positions, (0..tets).map(|_| tet()).collect())
}

pub fn with_unused((positions, tets): Mesh) -> Mesh {
    // One before, one between, one after; far away, so that a box that counted them would be wrong.
    let mut more = vec![[1e9; 3]];
    let middle = positions.len() / 2;
    more.extend(&positions[..middle]);
    more.push([-1e9; 3]);
    more.extend(&positions[middle..]);
    more.push([f32::MAX; 3]);
    let number = |vertex: u32| vertex + 1 + u32::from(vertex as usize >= middle);
    (more, tets.iter().map(|tet| tet.map(number)).collect())
}
