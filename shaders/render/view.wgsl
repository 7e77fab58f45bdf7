// View ray of a pixel, from the camera's image plane; not normalised, its part along the view axis is one.

fn view_ray(pixel: vec2f) -> vec3f {
  let ndc = vec2f(2.0, -2.0) * pixel / frame.viewport + vec2f(-1.0, 1.0);
  return frame.ray_forward.xyz + ndc.x * frame.ray_right.xyz + ndc.y * frame.ray_up.xyz;
}
