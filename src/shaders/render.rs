//! WGSL text of the render passes: the pass's own file first, shared files after, so that line numbers stay the pass's.

/// One shader module: a label (its file stem) and the files it is made of.
#[derive(Debug, Clone, Copy)]
pub struct RenderShader {
    /// Name of the pass, of its WGSL file and of its GPU objects.
    pub label: &'static str,
    /// The pass's text followed by the files it shares. Joined at run time, so that each file is stored once.
    pub files: &'static [&'static str],
}

impl RenderShader {
    /// The complete WGSL text of the module.
    pub fn wgsl(&self) -> String {
        self.files.join("\n")
    }
}

const TYPES: &str = wgsl!("render/types");
const BINDINGS: &str = wgsl!("render/bindings");
const OUTPUT: &str = wgsl!("render/output");
const SUN_SHADOW: &str = wgsl!("render/sun_shadow");
const ENVIRONMENT: &str = wgsl!("render/environment");
const SURFACE_LIGHT: &str = wgsl!("render/surface_light");
const VIEW: &str = wgsl!("render/view");
const BODY_TEXT: &str = wgsl!("render/body");

/// Compute: bounds of the surface as it is now.
pub const SURFACE_BOUNDS: RenderShader = RenderShader {
    label: "surface_bounds",
    files: &[wgsl!("render/surface_bounds"), TYPES],
};
/// Compute: the shadow box around those bounds.
pub const FIT_LIGHT: RenderShader = RenderShader {
    label: "fit_light",
    files: &[wgsl!("render/fit_light"), TYPES],
};
/// Depth as the sun sees it.
pub const SHADOW: RenderShader = RenderShader {
    label: "shadow",
    files: &[wgsl!("render/shadow"), BINDINGS, TYPES],
};
/// The body.
pub const BODY: RenderShader = RenderShader {
    label: "body",
    files: &[
        BODY_TEXT,
        SURFACE_LIGHT,
        ENVIRONMENT,
        SUN_SHADOW,
        OUTPUT,
        BINDINGS,
        TYPES,
    ],
};
/// The body in colours of its own.
pub const TEXTURED_BODY: RenderShader = RenderShader {
    label: "textured_body",
    files: &[
        wgsl!("render/textured_body"),
        BODY_TEXT,
        SURFACE_LIGHT,
        ENVIRONMENT,
        SUN_SHADOW,
        OUTPUT,
        BINDINGS,
        TYPES,
    ],
};
/// Cloth.
pub const CLOTH: RenderShader = RenderShader {
    label: "cloth",
    files: &[
        wgsl!("render/cloth"),
        BODY_TEXT,
        SURFACE_LIGHT,
        ENVIRONMENT,
        SUN_SHADOW,
        OUTPUT,
        BINDINGS,
        TYPES,
    ],
};
/// The block that a pinned face is fixed to.
pub const WALL: RenderShader = RenderShader {
    label: "wall",
    files: &[
        wgsl!("render/wall"),
        SURFACE_LIGHT,
        ENVIRONMENT,
        SUN_SHADOW,
        OUTPUT,
        BINDINGS,
        TYPES,
    ],
};
/// The ground and its grid.
pub const GROUND: RenderShader = RenderShader {
    label: "ground",
    files: &[
        wgsl!("render/ground"),
        VIEW,
        ENVIRONMENT,
        SUN_SHADOW,
        OUTPUT,
        BINDINGS,
        TYPES,
    ],
};
/// The sky.
pub const SKY: RenderShader = RenderShader {
    label: "sky",
    files: &[
        wgsl!("render/sky"),
        VIEW,
        ENVIRONMENT,
        OUTPUT,
        BINDINGS,
        TYPES,
    ],
};
/// Surface edges.
pub const WIREFRAME: RenderShader = RenderShader {
    label: "wireframe",
    files: &[wgsl!("render/wireframe"), OUTPUT, BINDINGS, TYPES],
};
/// Discs over what pointers hold.
pub const MARKER: RenderShader = RenderShader {
    label: "marker",
    files: &[wgsl!("render/marker"), OUTPUT, BINDINGS, TYPES],
};

/// Every shader module of the renderer, for tests that must see them all.
pub const ALL: [RenderShader; 11] = [
    SURFACE_BOUNDS,
    FIT_LIGHT,
    SHADOW,
    BODY,
    TEXTURED_BODY,
    CLOTH,
    WALL,
    GROUND,
    SKY,
    WIREFRAME,
    MARKER,
];

/// Threads per workgroup of `surface_bounds`; a reflection test compares it with the shader.
pub const SURFACE_BOUNDS_WORKGROUP_SIZE: u32 = 128;
