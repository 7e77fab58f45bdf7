// Structs every render pass shares; `src/render/uniforms.rs` holds their Rust twins, a reflection test compares both.
//
// "World" in these shaders is the world moved by the body's origin, so that a body a kilometre away keeps its precision.

const MARKERS = 16u;

struct Frame {
  clip_from_world: mat4x4f,
  // World position of the camera; w is unused.
  eye: vec4f,
  // A pixel's view ray is forward + ndc.x * right + ndc.y * up: the half extents of the image plane at distance one.
  ray_right: vec4f,
  ray_up: vec4f,
  ray_forward: vec4f,
  // Orthonormal light basis: x and y of the shadow map, and the direction towards the sun. to_sun.w is the side of the
  // shadow map in texels.
  light_right: vec4f,
  light_up: vec4f,
  to_sun: vec4f,
  // Linear base colour; w is the perceptual roughness.
  color: vec4f,
  // The wall block's box; wall_min.w is 1 when there is one.
  wall_min: vec4f,
  wall_max: vec4f,
  // Horizontal position of what the camera looks at, then the distance over which the ground melts into the horizon.
  ground_center: vec2f,
  ground_fade: f32,
  floor_height: f32,
  // Adding this to x and z gives coordinates that are true world coordinates modulo ten metres.
  grid_offset: vec2f,
  viewport: vec2f,
  metallic: f32,
  // Cloth alone: -1 to 1, along the warp when positive; and 0 to 1.
  anisotropy: f32,
  sheen: f32,
  // Share of the sunlight that falls through the body onto the ground behind it.
  through: f32,
  has_floor: u32,
  // 1 when the shader must encode sRGB itself because the target stores plain unorm.
  encode_srgb: u32,
  triangle_index_count: u32,
  is_cloth: u32,
  // Position of what is held, and its radius in pixels.
  markers: array<vec4f, MARKERS>,
}

struct Light {
  light_from_world: mat4x4f,
  // Box of the body as it is now; bounds_min.w is 1 when there is a finite body.
  bounds_min: vec4f,
  bounds_max: vec4f,
  // Side of the shadow square and depth of its box in metres, metres per texel, and 1 when anything casts a shadow.
  side: f32,
  depth: f32,
  texel: f32,
  enabled: f32,
}
