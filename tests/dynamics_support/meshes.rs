//! The meshes that bounds and operators are tried on, and clusters of their vertices.

use webgpu_softbody::mesh::TetMesh;
use webgpu_softbody::meshing::{box_mesh, torus_mesh};

/// A mesh of the repository.
pub fn read(folder: &str, name: &str) -> TetMesh {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/");
    let file = |end: &str| {
        std::fs::read(format!("{root}{folder}/{name}_{end}")).expect("a mesh of the repository")
    };
    TetMesh::from_bytes(
        &file("positions.vec3f32bin"),
        &file("tet_indices.vec4u32bin"),
    )
    .expect("a good mesh")
}

/// Bodies with a free and with a held end: thin, stretched, irregular and large.
pub fn bodies() -> Vec<(String, TetMesh, Vec<bool>)> {
    let grid = |cells, size| box_mesh(cells, size, [0.0; 3]).expect("a box");
    let torus = torus_mesh(1.0, 0.3, 3, 12).expect("a torus");
    let mut all = vec![];
    for pin in [false, true] {
        for (name, mesh) in [
            ("bar 12x1x1", grid([12, 1, 1], [12.0, 1.0, 1.0])),
            ("plate 8x8x1", grid([8, 8, 1], [8.0, 8.0, 1.0])),
            ("beam 12x4x4", grid([12, 4, 4], [1.2, 0.4, 0.4])),
            ("flat cells", grid([6, 6, 6], [1.0, 1.0, 0.1])),
            ("needle cells", grid([6, 6, 6], [1.0, 0.1, 0.1])),
            ("torus", torus.clone()),
            ("beam_t42", read("tests/data/real", "beam_t42")),
            ("cylinder", read("tests/data/real", "cylinder")),
            ("unit_ball", read("tests/data/real", "unit_ball")),
            ("bunny", read("www/public/models", "bunny")),
            ("hand", read("www/public/models", "hand")),
        ] {
            let low = mesh.used_bounds().0[0];
            let pinned = mesh.positions().iter().map(|p| pin && p[0] <= low + 1e-6);
            let pinned = pinned.collect();
            let end = if pin { ", held" } else { "" };
            all.push((format!("{name}{end}"), mesh, pinned));
        }
    }
    all
}

/// Disjoint sets of vertices, as [`webgpu_softbody::dynamics::CoarseMesh`] takes them.
pub struct Clusters {
    pub offsets: Vec<u32>,
    pub vertices: Vec<u32>,
}

impl Clusters {
    /// How many.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }
}

/// `counts` clusters along each axis, cut where vertices of a box are not joined by edges within it.
pub fn box_clusters(mesh: &TetMesh, counts: [u32; 3]) -> Clusters {
    let (low, high) = mesh.used_bounds();
    let cell = |v: u32| {
        let p = mesh.positions()[v as usize];
        [0, 1, 2].map(|axis| {
            ((p[axis] - low[axis]) / (high[axis] - low[axis]) * 0.9999 * counts[axis] as f32) as i32
        })
    };
    let mut root: Vec<u32> = (0..mesh.positions().len() as u32).collect();
    fn find(root: &mut [u32], mut v: u32) -> u32 {
        while root[v as usize] != v {
            root[v as usize] = root[root[v as usize] as usize];
            v = root[v as usize];
        }
        v
    }
    for tet in mesh.tets() {
        for i in 0..4 {
            for j in 0..i {
                if cell(tet[i]) == cell(tet[j]) {
                    let (a, b) = (find(&mut root, tet[i]), find(&mut root, tet[j]));
                    root[a.max(b) as usize] = a.min(b);
                }
            }
        }
    }
    let mut vertices: Vec<u32> = (0..root.len() as u32).collect();
    let keys: Vec<u32> = (0..root.len() as u32).map(|v| find(&mut root, v)).collect();
    vertices.sort_by_key(|&v| keys[v as usize]);
    let mut offsets = vec![0];
    for i in 1..=vertices.len() {
        if i == vertices.len() || keys[vertices[i] as usize] != keys[vertices[i - 1] as usize] {
            offsets.push(i as u32);
        }
    }
    Clusters { offsets, vertices }
}
