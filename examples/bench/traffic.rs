//! What each kernel has to move: every buffer it touches, and what for.

/// One buffer in one dispatch of one kernel.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub kernel: &'static str,
    pub buffer: &'static str,
    /// Bytes per dispatch: the buffer's size, twice where it is read and written.
    pub bytes: u64,
    pub purpose: &'static str,
}

/// Floating-point operations of `tet_forces` per tet, counted in its text (tet_forces.wgsl, rotation.wgsl) for a tet near
/// rest, a multiply-add as two and a division as one: edges 27, D_m⁻¹ 42, F and its rate 90, cofactors 32, rotation
/// 255, strain 26, damping 130, stress 39, corner forces 63.
pub const OPERATIONS_PER_TET: f64 = 700.0;

/// Kernel, buffer, how often its bytes move per dispatch, and why.
const TABLE: &[(&str, &str, u64, &str)] = &[
    ("tet_forces", "positions", 1, "x of the corners"),
    (
        "tet_forces",
        "velocities",
        1,
        "v of the corners, for the damping",
    ),
    (
        "tet_forces",
        "rest_positions",
        1,
        "X of the corners: D_m⁻¹ and V₀ are made from them",
    ),
    ("tet_forces", "patches", 1, "ranges of each workgroup"),
    (
        "tet_forces",
        "patch_tets",
        1,
        "local corners and slots, frequency bound",
    ),
    (
        "tet_forces",
        "patch_vertices",
        1,
        "which vertices, and where their sums go",
    ),
    (
        "tet_forces",
        "partials",
        1,
        "one force per vertex of a patch, written",
    ),
    ("move_vertices", "partials", 1, "forces, read"),
    (
        "move_vertices",
        "vertices",
        1,
        "mass, and where the forces lie",
    ),
    ("move_vertices", "positions", 2, "x, before and after"),
    ("move_vertices", "velocities", 2, "v, before and after"),
    ("move_clusters", "partials", 1, "forces, read"),
    (
        "move_clusters",
        "vertices",
        1,
        "mass, and where the forces lie",
    ),
    ("move_clusters", "positions", 2, "x, before and after"),
    ("move_clusters", "velocities", 2, "v, before and after"),
    ("move_clusters", "clusters", 1, "ranges and p₀, p₁"),
    ("move_clusters", "cluster_vertices", 1, "which vertices"),
    (
        "move_clusters",
        "contacts",
        2,
        "floor impulses, before and after",
    ),
    ("integrate", "positions", 2, "x, before and after"),
    ("integrate", "velocities", 2, "v, before and after"),
    ("integrate", "displacements", 1, "cleared"),
    ("integrate", "xpbd_vertices", 1, "which are pinned"),
    ("solve_tets_first", "positions", 1, "x of the corners"),
    (
        "solve_tets_first",
        "xpbd_vertices",
        1,
        "masses and valences",
    ),
    ("solve_tets_first", "tets", 1, "corners, slots, B and V₀"),
    ("solve_tets_first", "multipliers", 1, "α̃λ, written"),
    (
        "solve_tets_first",
        "corrections",
        1,
        "Δx per corner, written",
    ),
    ("solve_tets", "positions", 1, "x of the corners"),
    ("solve_tets", "xpbd_vertices", 1, "masses and valences"),
    ("solve_tets", "tets", 1, "corners, slots, B and V₀"),
    ("solve_tets", "multipliers", 2, "α̃λ, before and after"),
    ("solve_tets", "corrections", 1, "Δx per corner, written"),
    ("gather", "corrections", 1, "Δx per corner, read"),
    ("gather", "positions", 2, "x, before and after"),
    ("gather", "displacements", 2, "moves so far"),
    ("gather", "xpbd_vertices", 1, "where the slots lie"),
    ("velocity", "velocities", 2, "v, before and after"),
    ("velocity", "displacements", 1, "moves of the substep"),
    ("velocity", "xpbd_vertices", 1, "which are pinned"),
    (
        "compute_normals",
        "positions",
        1,
        "corners of the triangles",
    ),
    ("compute_normals", "normals", 1, "written"),
    ("compute_normals", "triangles", 1, "corners"),
    (
        "compute_normals",
        "triangle_offsets",
        1,
        "which triangles meet at a vertex",
    ),
    (
        "compute_normals",
        "incident_triangles",
        1,
        "which triangles meet at a vertex",
    ),
];

/// Every row whose buffer is among `buffers`, names with sizes in bytes. Caches are taken as perfect: what several
/// workgroups read counts once.
pub fn rows(buffers: &[(&'static str, u64)]) -> Vec<Row> {
    let size = |name: &str| buffers.iter().find(|(buffer, _)| *buffer == name);
    TABLE
        .iter()
        .filter_map(|&(kernel, buffer, times, purpose)| {
            size(buffer).map(|&(_, size)| Row {
                kernel,
                buffer,
                bytes: times * size,
                purpose,
            })
        })
        .collect()
}
