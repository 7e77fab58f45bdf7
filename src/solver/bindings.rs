//! What each group of kernels is bound to: one table makes the layout and orders the buffers.

use crate::gpu::{Binding, BindingKind};
use crate::shaders::solver::Group;

const fn row(name: &'static str, kind: BindingKind) -> Binding {
    Binding { name, kind }
}

const UNIFORM: BindingKind = BindingKind::Uniform;
const READ: BindingKind = BindingKind::Read;
const WRITE: BindingKind = BindingKind::ReadWrite;

/// Picking, which is no kernel of a frame: `shaders/pick/pick.wgsl`.
pub const PICK_BINDINGS: [Binding; 6] = [
    row("params", UNIFORM),
    row("rays", READ),
    row("positions", READ),
    row("triangles", READ),
    row("keys", WRITE),
    row("hits", WRITE),
];

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

/// Particles of cloth before the elements.
pub const CLOTH_BINDINGS: [Binding; 9] = [
    row("params", UNIFORM),
    row("positions", READ),
    row("velocities", READ),
    row("displacements", WRITE),
    row("vertices", READ),
    row("wind", UNIFORM),
    row("triangles", READ),
    row("triangle_offsets", READ),
    row("incident_triangles", READ),
];

/// A batch of edges.
pub const EDGES_BINDINGS: [Binding; 4] = [
    row("params", UNIFORM),
    row("positions", READ),
    row("displacements", WRITE),
    row("edges", READ),
];

/// A batch of bending elements.
pub const BENDS_BINDINGS: [Binding; 4] = [
    row("params", UNIFORM),
    row("positions", READ),
    row("displacements", WRITE),
    row("bends", READ),
];

/// Particles of cloth after the elements.
pub const CLOTH_MOTION_BINDINGS: [Binding; 4] = [
    row("params", UNIFORM),
    row("positions", WRITE),
    row("velocities", WRITE),
    row("displacements", READ),
];

/// All elements of one kind of a grid.
pub const TILES_BINDINGS: [Binding; 4] = [
    row("params", UNIFORM),
    row("positions", READ),
    row("before", READ),
    row("after", WRITE),
];

/// A pointer taking hold.
pub const TAKING_BINDINGS: [Binding; 4] = [
    row("hold", UNIFORM),
    row("positions", READ),
    row("shares", READ),
    row("held", WRITE),
];

/// A pointer pulling in the explicit scheme.
pub const HELD_FORCES_BINDINGS: [Binding; 9] = [
    row("hold", UNIFORM),
    row("params", UNIFORM),
    row("positions", READ),
    row("velocities", READ),
    row("vertices", READ),
    row("partials", WRITE),
    row("mobilities", READ),
    row("shares", READ),
    row("held", READ),
];

/// A pointer pulling in XPBD.
pub const HELD_MOVES_BINDINGS: [Binding; 7] = [
    row("hold", UNIFORM),
    row("params", UNIFORM),
    row("positions", WRITE),
    row("velocities", READ),
    row("displacements", WRITE),
    row("shares", READ),
    row("held", WRITE),
];

/// A pointer pulling cloth.
pub const HELD_DISPLACEMENTS_BINDINGS: [Binding; 5] = [
    row("hold", UNIFORM),
    row("positions", READ),
    row("displacements", WRITE),
    row("shares", READ),
    row("held", READ),
];

/// Pins with targets.
pub const PINS_BINDINGS: [Binding; 4] = [
    row("params", UNIFORM),
    row("targets", READ),
    row("positions", READ),
    row("velocities", WRITE),
];

/// A sudden velocity.
pub const IMPULSE_BINDINGS: [Binding; 4] = [
    row("impulse", UNIFORM),
    row("positions", READ),
    row("velocities", WRITE),
    row("shares", READ),
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
        Group::Cloth => &CLOTH_BINDINGS,
        Group::Edges => &EDGES_BINDINGS,
        Group::Bends => &BENDS_BINDINGS,
        Group::ClothMotion => &CLOTH_MOTION_BINDINGS,
        Group::Tiles => &TILES_BINDINGS,
        Group::Taking => &TAKING_BINDINGS,
        Group::HeldForces => &HELD_FORCES_BINDINGS,
        Group::HeldMoves => &HELD_MOVES_BINDINGS,
        Group::HeldDisplacements => &HELD_DISPLACEMENTS_BINDINGS,
        Group::Pins => &PINS_BINDINGS,
        Group::Impulse => &IMPULSE_BINDINGS,
    }
}
