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
}

impl Group {
    /// Every group, in the order of its numbers.
    pub const ALL: [Self; 6] = [
        Self::Forces,
        Self::Motion,
        Self::Clusters,
        Self::Xpbd,
        Self::Embedding,
        Self::Surface,
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
        }
    }
}

/// Invocations per workgroup, the `WORKGROUP_SIZE` of every kernel but that of the patches.
pub const WORKGROUP_SIZE: u32 = 64;
/// Invocations per workgroup of the kernel of the patches: one per tet.
pub const PATCH_SIZE: u32 = 128;

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
const STEP: &str = wgsl!("shared/step");
const MOTION: &str = wgsl!("shared/motion");

/// Signed SVD. No kernel uses it any more: tests compose it into one of their own.
pub const SVD: &str = wgsl!("shared/svd");
/// The rotation alone.
pub const ROTATION: &str = wgsl!("shared/rotation");

impl Kernel {
    /// Every kernel, in the order of a frame.
    pub const ALL: [Self; 10] = [
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
            files: &[wgsl!("solver/solve_tets"), ROTATION, BINDINGS],
            domain: Domain::Tets,
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
                files: &[wgsl!("solver/move_vertices"), MOTION, STEP],
                group: Group::Motion,
                ..vertex
            },
            Self::MoveClusters => KernelSource {
                name: "move_clusters",
                entry_point: "move_clusters",
                files: &[wgsl!("solver/move_clusters"), MOTION, STEP],
                domain: Domain::Clusters,
                group: Group::Clusters,
                ..vertex
            },
            Self::Integrate => KernelSource {
                name: "integrate",
                entry_point: "integrate",
                files: &[wgsl!("solver/integrate"), BINDINGS],
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
                files: &[wgsl!("solver/gather"), BINDINGS],
                ..vertex
            },
            Self::Velocity => KernelSource {
                name: "velocity",
                entry_point: "velocity",
                files: &[wgsl!("solver/velocity"), BINDINGS],
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
        }
    }

    /// The complete WGSL text of the kernel's module.
    pub fn wgsl(self) -> String {
        self.source().files.join("\n")
    }
}
