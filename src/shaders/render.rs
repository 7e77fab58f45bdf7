//! WGSL text of the render passes: the pass's own file first, shared files after, so that line numbers stay the pass's.

/// One shader module: a label (its file stem) and its complete source.
#[derive(Debug, Clone, Copy)]
pub struct RenderShader {
    /// Name of the pass, of its WGSL file and of its GPU objects.
    pub label: &'static str,
    /// Complete WGSL source.
    pub source: &'static str,
}

macro_rules! compose {
    ($label:literal $(, $shared:literal)*) => {
        RenderShader {
            label: $label,
            source: concat!(
                include_str!(concat!("../../shaders/render/", $label, ".wgsl")),
                $("\n", include_str!(concat!("../../shaders/render/", $shared, ".wgsl")),)*
            ),
        }
    };
}

/// Compute: bounds of the surface as it is now.
pub const SURFACE_BOUNDS: RenderShader = compose!("surface_bounds", "types");
/// Compute: the shadow box around those bounds.
pub const FIT_LIGHT: RenderShader = compose!("fit_light", "types");
/// Depth as the sun sees it.
pub const SHADOW: RenderShader = compose!("shadow", "bindings", "types");
/// The body.
pub const BODY: RenderShader = compose!(
    "body",
    "surface_light",
    "environment",
    "sun_shadow",
    "output",
    "bindings",
    "types"
);
/// The block that a pinned face is fixed to.
pub const WALL: RenderShader = compose!(
    "wall",
    "surface_light",
    "environment",
    "sun_shadow",
    "output",
    "bindings",
    "types"
);
/// The ground and its grid.
pub const GROUND: RenderShader = compose!(
    "ground",
    "view",
    "environment",
    "sun_shadow",
    "output",
    "bindings",
    "types"
);
/// The sky.
pub const SKY: RenderShader = compose!("sky", "view", "environment", "output", "bindings", "types");
/// Surface edges.
pub const WIREFRAME: RenderShader = compose!("wireframe", "output", "bindings", "types");

/// Every shader module of the renderer, for tests that must see them all.
pub const ALL: [RenderShader; 8] = [
    SURFACE_BOUNDS,
    FIT_LIGHT,
    SHADOW,
    BODY,
    WALL,
    GROUND,
    SKY,
    WIREFRAME,
];

/// Threads per workgroup of `surface_bounds`; a reflection test compares it with the shader.
pub const SURFACE_BOUNDS_WORKGROUP_SIZE: u32 = 128;
