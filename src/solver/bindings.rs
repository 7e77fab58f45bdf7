//! What each group of kernels is bound to: one table makes the layout and orders the buffers.

use crate::gpu::{Binding, BindingKind};
use crate::shaders::solver::Group;

const fn row(name: &'static str, kind: BindingKind) -> Binding {
    Binding { name, kind }
}

const UNIFORM: BindingKind = BindingKind::Uniform;
const READ: BindingKind = BindingKind::Read;
const WRITE: BindingKind = BindingKind::ReadWrite;

/// The forces of the tets: eight storage buffers and a uniform.
pub const FORCES_BINDINGS: [Binding; 9] = [
    row("params", UNIFORM),
    row("materials", READ),
    row("positions", READ),
    row("velocities", READ),
    row("rest_positions", READ),
    row("patches", READ),
    row("patch_tets", READ),
    row("patch_vertices", READ),
    row("partials", WRITE),
];

/// Vertices moving, cluster by cluster: eight storage buffers and a uniform.
pub const CLUSTERS_BINDINGS: [Binding; 9] = [
    row("params", UNIFORM),
    row("materials", READ),
    row("positions", WRITE),
    row("velocities", WRITE),
    row("vertices", READ),
    row("partials", READ),
    row("clusters", READ),
    row("cluster_vertices", READ),
    row("contacts", WRITE),
];

/// Vertices moving one by one: the first rows of those with clusters.
pub const MOTION_BINDINGS: [Binding; 6] = *CLUSTERS_BINDINGS
    .first_chunk()
    .expect("invariant: nine rows are more than six");

/// XPBD: seven storage buffers and a uniform.
pub const XPBD_BINDINGS: [Binding; 8] = [
    row("params", UNIFORM),
    row("positions", WRITE),
    row("velocities", WRITE),
    row("displacements", WRITE),
    row("vertices", READ),
    row("tets", READ),
    row("multipliers", WRITE),
    row("corrections", WRITE),
];

/// The kernel that carries an embedded surface along.
pub const EMBEDDING_BINDINGS: [Binding; 4] = [
    row("params", UNIFORM),
    row("particles", READ),
    row("anchors", READ),
    row("positions", WRITE),
];

/// The normals of what is drawn.
pub const SURFACE_BINDINGS: [Binding; 6] = [
    row("params", UNIFORM),
    row("positions", READ),
    row("normals", WRITE),
    row("triangles", READ),
    row("triangle_offsets", READ),
    row("incident_triangles", READ),
];

/// The bindings of a group.
pub const fn bindings(group: Group) -> &'static [Binding] {
    match group {
        Group::Forces => &FORCES_BINDINGS,
        Group::Motion => &MOTION_BINDINGS,
        Group::Clusters => &CLUSTERS_BINDINGS,
        Group::Xpbd => &XPBD_BINDINGS,
        Group::Embedding => &EMBEDDING_BINDINGS,
        Group::Surface => &SURFACE_BINDINGS,
    }
}
