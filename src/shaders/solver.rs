//! The solver's kernels: which file, entry point and domain each one has.

/// What one dispatch of a kernel covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Domain {
    /// One invocation per vertex.
    Vertices,
    /// One invocation per tetrahedron.
    Tets,
    /// One workgroup per patch of tets.
    Patches,
    /// One workgroup per cluster of vertices.
    Clusters,
    /// One invocation per vertex of the drawn surface.
    Surface,
    /// One invocation per element of a batch.
    Batch,
    /// One workgroup per tile of a grid.
    Tiles,
    /// What a pointer holds, in a fixed number of workgroups; once per pointer that holds something.
    Held,
    /// One invocation per pin that was given a target.
    Pins,
}

/// Which bind group a kernel reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// Tets of the explicit scheme and what they read, `shaders/solver/tet_forces.wgsl`.
    Forces,
    /// Vertices of the explicit scheme, `shaders/shared/motion.wgsl`.
    Motion,
    /// The same with the clusters of the mass operator.
    Clusters,
    /// The state of XPBD, `shaders/shared/solver_bindings.wgsl`.
    Xpbd,
    /// Particles, and the surface that hangs on them.
    Embedding,
    /// Positions, normals and triangles of the drawn surface.
    Surface,
    /// Particles of cloth before the elements, `shaders/solver/integrate_cloth.wgsl`.
    Cloth,
    /// One batch of its edges.
    Edges,
    /// One batch of its bending elements.
    Bends,
    /// Its particles after the elements.
    ClothMotion,
    /// All elements of one kind of a grid, `shaders/shared/cloth_tiles.wgsl`.
    Tiles,
    /// What a pointer takes hold of, and of what.
    Taking,
    /// What a pointer holds, with the forces of the explicit scheme.
    HeldForces,
    /// What a pointer holds, with the moves of XPBD.
    HeldMoves,
    /// What a pointer holds, with the displacements of cloth.
    HeldDisplacements,
    /// Targets of pins, and particles.
    Pins,
    /// A sudden velocity, and particles.
    Impulse,
}

impl Group {
    /// Every group, in the order of its numbers.
    pub const ALL: [Self; 17] = [
        Self::Forces,
        Self::Motion,
        Self::Clusters,
        Self::Xpbd,
        Self::Embedding,
        Self::Surface,
        Self::Cloth,
        Self::Edges,
        Self::Bends,
        Self::ClothMotion,
        Self::Tiles,
        Self::Taking,
        Self::HeldForces,
        Self::HeldMoves,
        Self::HeldDisplacements,
        Self::Pins,
        Self::Impulse,
    ];

    /// Label of the group's objects on the GPU.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Forces => "forces",
            Self::Motion => "motion",
            Self::Clusters => "clusters",
            Self::Xpbd => "xpbd",
            Self::Embedding => "embedding",
            Self::Surface => "surface",
            Self::Cloth => "cloth",
            Self::Edges => "edges",
            Self::Bends => "bends",
            Self::ClothMotion => "cloth_motion",
            Self::Tiles => "tiles",
            Self::Taking => "taking",
            Self::HeldForces => "held_forces",
            Self::HeldMoves => "held_moves",
            Self::HeldDisplacements => "held_displacements",
            Self::Pins => "pins",
            Self::Impulse => "impulse",
        }
    }
}

/// Invocations per workgroup, the `WORKGROUP_SIZE` of every kernel but that of the patches.
pub const WORKGROUP_SIZE: u32 = 64;
/// Invocations per workgroup of the kernel of the patches: one per tet.
pub const PATCH_SIZE: u32 = 128;
/// Invocations per workgroup of the kernels of tiles: one per particle of the tile.
pub const TILE_SIZE: u32 = 256;
/// Particles along each side of a tile.
pub const TILE: u32 = 16;

/// A compute kernel; the variant is the WGSL entry point in snake case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kernel {
    /// Forces of the tets, summed per patch.
    TetForces,
    /// Vertices move by the forces on them.
    MoveVertices,
    /// The same through the mass operator.
    MoveClusters,
    /// v += Δt g, x += Δt v.
    Integrate,
    /// First XPBD iteration of a substep: λ starts at zero.
    SolveTetsFirst,
    /// Any later iteration.
    SolveTets,
    /// Vertices sum their corrections.
    Gather,
    /// Velocity takes over the projection; friction and damping.
    Velocity,
    /// Positions of an embedded surface.
    EmbedSurface,
    /// Normals of the drawn surface.
    ComputeNormals,
    /// Cloth: displacements by gravity and air.
    IntegrateCloth,
    /// Cloth: a batch of edges.
    SolveEdges,
    /// Cloth: a batch of bending elements.
    SolveBends,
    /// Cloth: velocities, floor, positions.
    FinishCloth,
    /// Cloth on a grid: every bending element.
    BendTiles,
    /// Cloth on a grid: every edge.
    EdgeTiles,
    /// A pointer takes hold.
    TakeHold,
    /// A pointer pulls, in an explicit substep.
    PullForces,
    /// A pointer pulls, in the first XPBD iteration of a substep.
    PullVerticesFirst,
    /// The same in any later one.
    PullVertices,
    /// A pointer pulls, in a substep of cloth.
    PullDisplacements,
    /// Pins set out for their targets.
    MovePins,
    /// A sudden velocity.
    GiveImpulse,
}

/// One row of the kernel table.
#[derive(Debug, Clone, Copy)]
pub struct KernelSource {
    /// GPU label and file stem.
    pub name: &'static str,
    /// Entry point.
    pub entry_point: &'static str,
    /// The kernel's text followed by the files it shares, so that error lines are the kernel's own.
    pub files: &'static [&'static str],
    /// Pipeline-overridable constants.
    pub constants: &'static [(&'static str, f64)],
    /// What a dispatch covers.
    pub domain: Domain,
    /// Which data it sees.
    pub group: Group,
}

const BINDINGS: &str = wgsl!("shared/solver_bindings");
const PARAMS: &str = wgsl!("shared/solver_params");
const STEP: &str = wgsl!("shared/step");
const MOTION: &str = wgsl!("shared/motion");
const CLOTH: &str = wgsl!("shared/cloth");
const TILES: &str = wgsl!("shared/cloth_tiles");
const PINS: &str = wgsl!("shared/pins");
const HOLD: &str = wgsl!("shared/hold");

/// Signed SVD. No kernel uses it any more: tests compose it into one of their own.
pub const SVD: &str = wgsl!("shared/svd");
/// The rotation alone.
pub const ROTATION: &str = wgsl!("shared/rotation");
/// The air and its force on a triangle.
pub const WIND: &str = wgsl!("shared/wind");

impl Kernel {
    /// Every kernel: of solids in the order of a frame, then of cloth and of hands.
    pub const ALL: [Self; 23] = [
        Self::TetForces,
        Self::MoveVertices,
        Self::MoveClusters,
        Self::Integrate,
        Self::SolveTetsFirst,
        Self::SolveTets,
        Self::Gather,
        Self::Velocity,
        Self::EmbedSurface,
        Self::ComputeNormals,
        Self::IntegrateCloth,
        Self::SolveEdges,
        Self::SolveBends,
        Self::FinishCloth,
        Self::BendTiles,
        Self::EdgeTiles,
        Self::TakeHold,
        Self::PullForces,
        Self::PullVerticesFirst,
        Self::PullVertices,
        Self::PullDisplacements,
        Self::MovePins,
        Self::GiveImpulse,
    ];

    /// The kernel's row of the table.
    pub const fn source(self) -> KernelSource {
        let vertex = KernelSource {
            name: "",
            entry_point: "",
            files: &[],
            constants: &[],
            domain: Domain::Vertices,
            group: Group::Xpbd,
        };
        let tets = KernelSource {
            name: "solve_tets",
            entry_point: "solve_tets",
            files: &[wgsl!("solver/solve_tets"), ROTATION, BINDINGS, PARAMS],
            domain: Domain::Tets,
            ..vertex
        };
        let pull = KernelSource {
            name: "pull_vertices",
            entry_point: "pull_vertices",
            files: &[wgsl!("solver/pull_vertices"), HOLD, PARAMS],
            domain: Domain::Held,
            group: Group::HeldMoves,
            ..vertex
        };
        match self {
            Self::TetForces => KernelSource {
                name: "tet_forces",
                entry_point: "tet_forces",
                files: &[wgsl!("solver/tet_forces"), ROTATION, STEP],
                domain: Domain::Patches,
                group: Group::Forces,
                ..vertex
            },
            Self::MoveVertices => KernelSource {
                name: "move_vertices",
                entry_point: "move_vertices",
                files: &[wgsl!("solver/move_vertices"), PINS, MOTION, STEP],
                group: Group::Motion,
                ..vertex
            },
            Self::MoveClusters => KernelSource {
                name: "move_clusters",
                entry_point: "move_clusters",
                files: &[wgsl!("solver/move_clusters"), PINS, MOTION, STEP],
                domain: Domain::Clusters,
                group: Group::Clusters,
                ..vertex
            },
            Self::Integrate => KernelSource {
                name: "integrate",
                entry_point: "integrate",
                files: &[wgsl!("solver/integrate"), PINS, BINDINGS, PARAMS],
                ..vertex
            },
            Self::SolveTetsFirst => KernelSource {
                name: "solve_tets_first",
                constants: &[("first_iteration", 1.0)],
                ..tets
            },
            Self::SolveTets => tets,
            Self::Gather => KernelSource {
                name: "gather",
                entry_point: "gather",
                files: &[wgsl!("solver/gather"), BINDINGS, PARAMS],
                ..vertex
            },
            Self::Velocity => KernelSource {
                name: "velocity",
                entry_point: "velocity",
                files: &[wgsl!("solver/velocity"), BINDINGS, PARAMS],
                ..vertex
            },
            Self::EmbedSurface => KernelSource {
                name: "embed_surface",
                entry_point: "embed_surface",
                files: &[wgsl!("solver/embed_surface")],
                domain: Domain::Surface,
                group: Group::Embedding,
                ..vertex
            },
            Self::ComputeNormals => KernelSource {
                name: "compute_normals",
                entry_point: "compute_normals",
                files: &[wgsl!("solver/compute_normals")],
                domain: Domain::Surface,
                group: Group::Surface,
                ..vertex
            },
            Self::IntegrateCloth => KernelSource {
                name: "integrate_cloth",
                entry_point: "integrate_cloth",
                files: &[wgsl!("solver/integrate_cloth"), CLOTH, WIND],
                group: Group::Cloth,
                ..vertex
            },
            Self::SolveEdges => KernelSource {
                name: "solve_edges",
                entry_point: "solve_edges",
                files: &[wgsl!("solver/solve_edges"), CLOTH],
                domain: Domain::Batch,
                group: Group::Edges,
                ..vertex
            },
            Self::SolveBends => KernelSource {
                name: "solve_bends",
                entry_point: "solve_bends",
                files: &[wgsl!("solver/solve_bends"), CLOTH],
                domain: Domain::Batch,
                group: Group::Bends,
                ..vertex
            },
            Self::FinishCloth => KernelSource {
                name: "finish_cloth",
                entry_point: "finish_cloth",
                files: &[wgsl!("solver/finish_cloth"), PINS, CLOTH],
                group: Group::ClothMotion,
                ..vertex
            },
            Self::BendTiles => KernelSource {
                name: "bend_tiles",
                entry_point: "bend_tiles",
                files: &[wgsl!("solver/bend_tiles"), TILES, CLOTH],
                domain: Domain::Tiles,
                group: Group::Tiles,
                ..vertex
            },
            Self::EdgeTiles => KernelSource {
                name: "edge_tiles",
                entry_point: "edge_tiles",
                files: &[wgsl!("solver/edge_tiles"), TILES, CLOTH],
                domain: Domain::Tiles,
                group: Group::Tiles,
                ..vertex
            },
            Self::TakeHold => KernelSource {
                name: "take_hold",
                entry_point: "take_hold",
                files: &[wgsl!("solver/take_hold"), HOLD],
                group: Group::Taking,
                ..vertex
            },
            Self::PullForces => KernelSource {
                name: "pull_forces",
                entry_point: "pull_forces",
                files: &[wgsl!("solver/pull_forces"), HOLD, STEP],
                domain: Domain::Held,
                group: Group::HeldForces,
                ..vertex
            },
            Self::PullVerticesFirst => KernelSource {
                name: "pull_vertices_first",
                constants: &[("first_iteration", 1.0)],
                ..pull
            },
            Self::PullVertices => pull,
            Self::PullDisplacements => KernelSource {
                name: "pull_displacements",
                entry_point: "pull_displacements",
                files: &[wgsl!("solver/pull_displacements"), HOLD],
                domain: Domain::Held,
                group: Group::HeldDisplacements,
                ..vertex
            },
            Self::MovePins => KernelSource {
                name: "move_pins",
                entry_point: "move_pins",
                files: &[wgsl!("solver/move_pins")],
                domain: Domain::Pins,
                group: Group::Pins,
                ..vertex
            },
            Self::GiveImpulse => KernelSource {
                name: "give_impulse",
                entry_point: "give_impulse",
                files: &[wgsl!("solver/give_impulse")],
                group: Group::Impulse,
                ..vertex
            },
        }
    }

    /// The complete WGSL text of the kernel's module.
    pub fn wgsl(self) -> String {
        self.source().files.join("\n")
    }
}
