//! A stored GLB whose vertices come out of a sparse accessor and go through a skin of two joints.
#![cfg(all(feature = "mesh-tools", not(target_arch = "wasm32")))]

mod import_surface_support;

use import_surface_support::{read_ok, sample};

#[test]
fn joints_and_sparse_values_place_the_vertices() {
    let glb = read_ok(&[("skinned_sparse.glb", &sample("skinned_sparse.glb"))]);
    // The joints stand at (0, ½, 0) and (0, ½, 1); the mesh's own node, at (9, 9, 9), has no say.
    // Vertices are numbered as the triangles first use them.
    let half = 127.0 / 255.0;
    let expected = [
        [0.0, 0.5, 0.0],
        [0.0, 1.5, 0.0],
        [1.0, 0.5, half],
        // The sparse value is (0, 0, 2).
        [0.0, 0.5, 3.0],
    ];
    for (found, expected) in glb.surface.positions().iter().zip(expected) {
        for axis in 0..3 {
            assert!(
                (found[axis] - expected[axis]).abs() < 1e-6,
                "{found:?} for {expected:?}"
            );
        }
    }
    assert_eq!(glb.surface.positions().len(), 4);
    assert_eq!(glb.surface.look().parts[0].color, [0.5, 1.0, 1.0, 1.0]);
    assert_eq!(glb.surface.look().colors, [[1.0, 0.0, 0.0, 1.0]; 4]);
}
