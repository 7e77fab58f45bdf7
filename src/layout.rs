//! Structs shared with WGSL, laid out by `#[repr(C)]`; `tests/layout.rs` compares every field with the shader text.

use bytemuck::{Pod, Zeroable};

/// Uniform of the solver kernels (`SolverParams` in `shaders/shared/solver_bindings.wgsl`).
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct SolverParams {
    /// Gravity, m/s².
    pub gravity: [f32; 3],
    /// Length of a substep Δt, s.
    pub substep_seconds: f32,
    /// 1/ρ, m³/kg.
    pub inverse_density: f32,
    /// First Lamé-type modulus μ, Pa.
    pub lame_mu: f32,
    /// Second Lamé modulus λ, Pa; 0 switches the volume constraint off.
    pub lame_lambda: f32,
    /// e^(−cΔt) for a damping rate c in 1/s.
    pub damping_factor: f32,
    /// Height of the floor relative to the body's origin, m.
    pub floor_height: f32,
    /// 1 if there is a floor.
    pub floor_enabled: u32,
    /// Coulomb coefficient against the floor.
    pub friction: f32,
    /// Vertices of the body.
    pub vertex_count: u32,
    /// Tetrahedra of the body.
    pub tet_count: u32,
    /// Uniform structs are padded to 16 bytes.
    pub padding: [u32; 3],
}

/// Uniform of the explicit kernels (`StepParams` in `shaders/shared/step.wgsl`): the world in one substep.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct StepParams {
    /// Gravity, m/s².
    pub gravity: [f32; 3],
    /// Length of a substep Δt, s.
    pub substep_seconds: f32,
    /// Height of the floor relative to the origin of coordinates, m.
    pub floor_height: f32,
    /// 1 if there is a floor.
    pub floor_enabled: u32,
    /// Vertices in the arena.
    pub vertex_count: u32,
    /// Uniform structs are padded to 16 bytes.
    pub padding: u32,
}

/// A material in the table that tets and vertices point into (`MaterialRow`).
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct MaterialRow {
    /// μ, Pa.
    pub lame_mu: f32,
    /// λ, Pa.
    pub lame_lambda: f32,
    /// ρ, kg/m³.
    pub density: f32,
    /// Time θΔt of the Kelvin–Voigt damping, s.
    pub viscosity: f32,
    /// e^(−cΔt) for a damping rate c in 1/s.
    pub damping_factor: f32,
    /// Coulomb coefficient against the floor.
    pub friction: f32,
    /// The largest ω² that a substep can follow, 1/s².
    pub stiffest: f32,
}

/// A tet in its patch (`PatchTet` in `shaders/solver/tet_forces.wgsl`).
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct PatchTet {
    /// Four local vertices, 8 bits each, corner 0 lowest.
    pub corners: u32,
    /// Slots of corners 0 to 2, 10 bits each.
    pub slots: u32,
    /// Slot of corner 3 in the lower 10 bits, the row of the material above.
    pub slot_material: u32,
    /// ω_t²·ρ/(2μ+λ), 1/m².
    pub stiffness: f32,
}

/// Mass and forces of a vertex (`VertexMass` in `shaders/shared/motion.wgsl`).
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct VertexMass {
    /// 1/Σ(V₀/4) over the tets at this vertex, 1/m³; 0 for a pinned or unused vertex.
    pub inverse_volume: f32,
    /// First of its partial forces.
    pub first_partial: u32,
    /// Number of them: the patches that it belongs to.
    pub partial_count: u32,
    /// Row of its material.
    pub material: u32,
}

/// A cluster of the mass operator (`Cluster` in `shaders/solver/move_clusters.wgsl`).
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct Cluster {
    /// First of its vertices in the list.
    pub first: u32,
    /// Number of them.
    pub count: u32,
    /// p₀, 0 to 1.
    pub inner: f32,
    /// p₁, p₀ to 1.
    pub rigid: f32,
    /// 1 where the body is pinned nowhere.
    pub free: u32,
    /// How far a vertex may move relative to the cluster in a substep, m; 0 for any distance.
    pub reach: f32,
}

/// Rest data of a vertex (`VertexRest`).
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct VertexRest {
    /// 1/Σ(V₀/4) over the tets at this vertex, 1/m³; 0 for a pinned or unused vertex.
    pub inverse_volume: f32,
    /// Number of tets at this vertex.
    pub valence: f32,
    /// First of this vertex's correction slots.
    pub first_slot: u32,
    /// Number of its slots.
    pub slot_count: u32,
}

/// Rest data of a tetrahedron (`TetRest`).
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct TetRest {
    /// Corner vertices, V₀ > 0.
    pub indices: [u32; 4],
    /// Correction slot of each corner.
    pub slots: [u32; 4],
    /// First row of B = D_m⁻¹ (1/m), then V₀ (m³).
    pub b1: [f32; 4],
    /// Second row of B.
    pub b2: [f32; 4],
    /// Third row of B.
    pub b3: [f32; 4],
}

/// Uniform of the surface kernels (`SurfaceParams`).
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct SurfaceParams {
    /// Vertices of the drawn surface.
    pub vertex_count: u32,
    /// Uniform structs are padded to 16 bytes.
    pub padding: [u32; 3],
}

/// What a vertex of an embedded surface hangs on (`SurfaceAnchor` in `shaders/solver/embed_surface.wgsl`).
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct SurfaceAnchor {
    /// The corners of its tet, vertices of the mesh.
    pub vertices: [u32; 4],
    /// Their barycentric weights, which add up to 1; all positive inside the tet.
    pub weights: [f32; 4],
}
