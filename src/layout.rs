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

/// Uniform of the kernels of cloth (`ClothParams` in `shaders/shared/cloth.wgsl`).
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct ClothParams {
    /// Gravity, m/s².
    pub gravity: [f32; 3],
    /// Length of a substep Δt, s.
    pub substep_seconds: f32,
    /// Least height of a particle relative to the body's origin, m.
    pub floor_height: f32,
    /// 1 if there is a floor.
    pub floor_enabled: u32,
    /// Particles of the cloth.
    pub vertex_count: u32,
    /// e^(−cΔt) for a damping rate c in 1/s.
    pub damping_factor: f32,
    /// Coulomb coefficient against the floor.
    pub friction: f32,
    /// σ, kg/m².
    pub areal_density: f32,
    /// Compliance of stretch × σ/Δt², 1/m².
    pub stretch: f32,
    /// The same of shear.
    pub shear: f32,
    /// The same of bending elements.
    pub bend: f32,
    /// Largest length of an edge, and of the way to a pin, over that at rest.
    pub longest: f32,
    /// Drag coefficient across the sheet.
    pub normal_drag: f32,
    /// Drag coefficient along the sheet.
    pub tangential_drag: f32,
    /// Particles per row of a grid.
    pub columns: u32,
    /// Its rows.
    pub rows: u32,
    /// Distance of its particles, m.
    pub spacing: f32,
    /// Diagonal of its cells, m.
    pub diagonal: f32,
    /// Weight of the ends of its bending elements, 1/m.
    pub bend_weight: f32,
    /// The same along its border, which stands for half a strip.
    pub border_weight: f32,
    /// Uniform structs are padded to 16 bytes.
    pub padding: [u32; 2],
}

/// A particle of cloth (`ClothVertex` in `shaders/solver/integrate_cloth.wgsl`).
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct ClothVertex {
    /// 1/area of cloth that the particle stands for, 1/m²; 0 for a pinned or unused one.
    pub inverse_area: f32,
    /// The nearest pinned particle; its own number where there is none.
    pub anchor: u32,
    /// Way to it through the cloth at rest, m.
    pub reach: f32,
    /// Its share of the force on each triangle round it.
    pub share: f32,
}

/// A distance constraint (`ClothEdge` in `shaders/solver/solve_edges.wgsl`).
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct EdgeRow {
    /// One particle.
    pub a: u32,
    /// The other.
    pub b: u32,
    /// Length at rest, m.
    pub length: f32,
    /// Above 0: times the compliance of stretch; below: minus that, of shear.
    pub factor: f32,
}

/// A bending element (`ClothBend` in `shaders/solver/solve_bends.wgsl`).
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct BendRow {
    /// Particles; the fourth is `u32::MAX` where there are three.
    pub particles: [u32; 4],
    /// Weights of the first three, 1/m per √m²; the fourth is minus their sum.
    pub weights: [f32; 3],
    /// Curvature at rest in the same measure.
    pub rest: f32,
}

/// Waves that gusts are made of.
pub const WIND_WAVES: usize = 16;

/// A transverse plane wave of the gusts (`WindWave` in `shaders/shared/wind.wgsl`).
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct WindWave {
    /// Wave number k, turns/m.
    pub number: [f32; 3],
    /// Phase at the origin now, −0.5 to 0.5 turns.
    pub phase: f32,
    /// a ⟂ k, m/s.
    pub amplitude: [f32; 3],
    /// Rows of 16 bytes.
    pub padding: u32,
}

/// Uniform of the air (`WindParams` in `shaders/shared/wind.wgsl`).
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct WindParams {
    /// Mean velocity, m/s.
    pub velocity: [f32; 3],
    /// ρ, kg/m³.
    pub air_density: f32,
    /// Waves in use: none where the wind is steady.
    pub wave_count: u32,
    /// Rows of 16 bytes.
    pub padding: [u32; 3],
    /// The gusts.
    pub waves: [WindWave; WIND_WAVES],
}

/// Uniform of picking (`PickParams` in `shaders/pick/pick.wgsl`).
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct PickParams {
    /// 0 finds the nearest distance of each ray, 1 the triangle there, 2 writes the hit.
    pub stage: u32,
    /// Uniform structs are padded to 16 bytes.
    pub padding: [u32; 3],
}

/// A ray to pick with (`PickRay`).
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct PickRay {
    /// The point of its line that is nearest to the body's origin, m, relative to that origin.
    pub start: [f32; 3],
    /// Where on the line the ray begins, m from `start`.
    pub nearest: f32,
    /// Of length 1.
    pub direction: [f32; 3],
    /// To 16 bytes.
    pub padding: u32,
}

/// What a ray meets first (`PickHit`).
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct PickHit {
    /// Corners of the triangle.
    pub vertices: [u32; 3],
    /// Its number; `u32::MAX` for a miss, and the rest is of an earlier ray then.
    pub triangle: u32,
    /// Weights of the corners, 0 to 1; they add up to 1.
    pub barycentric: [f32; 3],
    /// m from `start` of the ray.
    pub distance: f32,
    /// m, relative to the body's origin.
    pub point: [f32; 3],
    /// To 16 bytes.
    pub padding: u32,
}

/// What a pointer holds (`Hold` in `shaders/shared/hold.wgsl`).
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct Hold {
    /// Where the grabbed point is wanted, m, relative to the origin of coordinates.
    pub destination: [f32; 3],
    /// Stiffness of the spring over the mass of the body, 1/s².
    pub stiffness: f32,
    /// The grabbed point in its triangle.
    pub barycentric: [f32; 3],
    /// Damping of the spring over the mass of the body, 1/s.
    pub damping: f32,
    /// The grabbed triangle, numbers of particles.
    pub triangle: [u32; 3],
    /// Radius of the held patch, m.
    pub radius: f32,
    /// The spring pulls no harder from farther away than this, m.
    pub reach: f32,
    /// How much heavier the mass operator makes a body that gravity moves unfiltered, else 1.
    pub inertia: f32,
    /// Mass of the body, kg.
    pub mass: f32,
    /// Particles of the body.
    pub vertex_count: u32,
    /// Length of a substep, s, for the kernels that are not told it otherwise: those of cloth.
    pub substep_seconds: f32,
    /// Uniform structs are padded to 16 bytes.
    pub padding: [u32; 3],
}

/// A held particle (`HeldVertex` in `shaders/shared/hold.wgsl`).
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct HeldVertex {
    /// From the grabbed point when it was grabbed, m.
    pub offset: [f32; 3],
    /// Which particle.
    pub vertex: u32,
    /// What the hold moved it in this substep so far, m.
    pub pulled: [f32; 3],
    /// 0 to 1.
    pub weight: f32,
}

/// Uniform of the kernel that moves pins (`PinParams` in `shaders/solver/move_pins.wgsl`).
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct PinParams {
    /// Number of targets.
    pub count: u32,
    /// Substeps of the frame.
    pub substeps: f32,
    /// 1 over the length of the frame, 1/s.
    pub per_second: f32,
    /// Uniform structs are padded to 16 bytes.
    pub padding: u32,
}

/// Where a pinned particle goes (`PinTarget` in `shaders/solver/move_pins.wgsl`).
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct PinTarget {
    /// m, relative to the origin of coordinates.
    pub position: [f32; 3],
    /// Which particle.
    pub vertex: u32,
}

/// A sudden velocity (`Impulse` in `shaders/solver/give_impulse.wgsl`).
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct Impulse {
    /// m/s.
    pub velocity: [f32; 3],
    /// m; 0 for all particles alike.
    pub radius: f32,
    /// m, relative to the origin of coordinates.
    pub center: [f32; 3],
    /// Particles of the body.
    pub vertex_count: u32,
}
