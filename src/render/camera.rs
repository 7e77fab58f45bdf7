//! A perspective camera that orbits, zooms and pans around a target: pure functions from camera to camera.

use crate::math;
use glam::{DVec3, Mat4, Vec3, Vec4};

/// Steepest pitch of an orbit, radians: short of the pole, where the azimuth would be undefined.
pub const MAX_PITCH: f32 = 1.55;
/// Nearest distance to the target that [`Camera::zoom`] allows, metres.
pub const MIN_DISTANCE: f32 = 0.01;
/// Farthest distance to the target that [`Camera::zoom`] allows, metres.
pub const MAX_DISTANCE: f32 = 10_000.0;

/// Room that [`Camera::frame`] leaves around the box: the distance is this many times the smallest that shows it all.
pub const FRAME_MARGIN: f32 = 1.3;

/// A right-handed perspective camera with y up. Distances in metres, angles as named.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// World position of the eye.
    pub position: Vec3,
    /// World position in the middle of the image, and the centre of orbits.
    pub target: Vec3,
    /// Vertical field of view in degrees; clamped to 1 – 170 when used.
    pub fov_y_degrees: f32,
}

impl Default for Camera {
    /// Three metres from the origin, slightly above it.
    fn default() -> Self {
        Self {
            position: Vec3::new(1.6, 1.5, 2.6),
            target: Vec3::new(0.0, 0.4, 0.0),
            fov_y_degrees: 40.0,
        }
    }
}

/// The camera's own axes: right, up, and backwards (from the target to the eye), orthonormal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axes {
    /// To the right of the image.
    pub right: Vec3,
    /// Towards the top of the image.
    pub up: Vec3,
    /// From the target to the eye.
    pub back: Vec3,
}

impl Camera {
    /// A camera that shows all of the world box `min` – `max`, from the front, a little from above and from the right.
    ///
    /// `aspect` is width over height. A box that is empty or not finite is replaced by one of a metre at the origin.
    #[must_use]
    pub fn frame(min: [f32; 3], max: [f32; 3], fov_y_degrees: f32, aspect: f32) -> Self {
        let (mut min, mut max) = (Vec3::from(min), Vec3::from(max));
        if !(min.is_finite() && max.is_finite() && min.cmple(max).all()) {
            (min, max) = (Vec3::splat(-0.5), Vec3::splat(0.5));
        }
        let target = 0.5 * (min + max);
        let half = (0.5 * (max - min)).max(Vec3::splat(1e-3));
        let back = Vec3::new(0.50, 0.34, 0.80).normalize();
        let facing = Self {
            position: target + back,
            target,
            fov_y_degrees,
        };
        let Axes { right, up, back } = facing.axes();
        let tan_y = facing.half_height();
        let tan_x = tan_y * clamped_aspect(aspect);
        // A corner is in the image when its distance along the view axis is at least its offset over the tangent.
        let needed = (0..8).map(|corner| {
            let sign = |bit: u32| if corner >> bit & 1 == 1 { 1.0 } else { -1.0 };
            let offset = half * Vec3::new(sign(0), sign(1), sign(2));
            let across = (offset.dot(right).abs() / tan_x).max(offset.dot(up).abs() / tan_y);
            offset.dot(back) + across
        });
        let distance =
            (FRAME_MARGIN * needed.fold(0.0, f32::max)).clamp(MIN_DISTANCE, MAX_DISTANCE);
        Self {
            position: target + distance * back,
            target,
            fov_y_degrees,
        }
    }

    /// Clip space of a point in the world: WebGPU conventions with reversed depth, 1 at the near plane and 0 at
    /// infinity. There is no far plane, so nothing is lost far away and depth stays precise at any distance.
    ///
    /// `aspect` is width over height; values that are not positive count as 1.
    #[must_use]
    pub fn clip_from_world(&self, aspect: f32) -> Mat4 {
        self.clip_from_view(aspect) * self.view_from_world()
    }

    /// View space (x right, y up, z backwards) of a point in the world.
    #[must_use]
    pub fn view_from_world(&self) -> Mat4 {
        let Axes { right, up, back } = self.axes();
        let eye = self.position;
        Mat4::from_cols(
            Vec4::new(right.x, up.x, back.x, 0.0),
            Vec4::new(right.y, up.y, back.y, 0.0),
            Vec4::new(right.z, up.z, back.z, 0.0),
            Vec4::new(-right.dot(eye), -up.dot(eye), -back.dot(eye), 1.0),
        )
    }

    fn clip_from_view(&self, aspect: f32) -> Mat4 {
        let half_height = self.half_height();
        let near = self.near();
        Mat4::from_cols(
            Vec4::new(1.0 / (half_height * clamped_aspect(aspect)), 0.0, 0.0, 0.0),
            Vec4::new(0.0, 1.0 / half_height, 0.0, 0.0),
            Vec4::new(0.0, 0.0, 0.0, -1.0),
            Vec4::new(0.0, 0.0, near, 0.0),
        )
    }

    /// Distance of the near plane in metres: a fixed fraction of the distance to the target.
    #[must_use]
    pub fn near(&self) -> f32 {
        (0.01 * self.distance()).clamp(1e-4, 0.1)
    }

    /// Half the height of the image plane at distance one.
    #[must_use]
    pub fn half_height(&self) -> f32 {
        math::tan(f64::from(0.5 * clamped_fov(self.fov_y_degrees))) as f32
    }

    /// Distance from the eye to the target in metres.
    #[must_use]
    pub fn distance(&self) -> f32 {
        (self.position - self.target).length()
    }

    /// The camera's axes in the world. An eye on its target looks along −z; an eye straight above or below keeps x
    /// to the right.
    #[must_use]
    pub fn axes(&self) -> Axes {
        let back = (self.position - self.target).normalize_or(Vec3::Z);
        let right = Vec3::Y.cross(back);
        let right = if right.length_squared() > 1e-10 {
            right.normalize()
        } else {
            Vec3::X
        };
        Axes {
            right,
            up: back.cross(right),
            back,
        }
    }

    /// Turned around the target: `dx` radians of azimuth to the right of the image, `dy` radians upwards, as if the eye
    /// moved. The pitch stops at ±[`MAX_PITCH`].
    #[must_use]
    pub fn orbit(&self, dx: f32, dy: f32) -> Self {
        let offset = self.position - self.target;
        let distance = offset.length();
        if distance <= 0.0 || !(dx.is_finite() && dy.is_finite()) {
            return *self;
        }
        let [x, y, z] = offset.to_array().map(f64::from);
        let azimuth = math::atan2(x, z) + f64::from(dx);
        let height = (y / f64::from(distance)).clamp(-1.0, 1.0);
        let limit = f64::from(MAX_PITCH);
        let pitch = (math::asin(height) + f64::from(dy)).clamp(-limit, limit);
        let across = math::cos(pitch);
        let turned = DVec3::new(
            math::sin(azimuth) * across,
            math::sin(pitch),
            math::cos(azimuth) * across,
        )
        .as_vec3();
        Self {
            position: self.target + distance * turned,
            ..*self
        }
    }

    /// Moved along the view axis so that the distance to the target is `factor` times what it was, between
    /// [`MIN_DISTANCE`] and [`MAX_DISTANCE`]. A factor that is not positive and finite changes nothing.
    #[must_use]
    pub fn zoom(&self, factor: f32) -> Self {
        if !(factor.is_finite() && factor > 0.0) {
            return *self;
        }
        let distance = (self.distance() * factor).clamp(MIN_DISTANCE, MAX_DISTANCE);
        Self {
            position: self.target + distance * self.axes().back,
            ..*self
        }
    }

    /// Eye and target moved together in the image plane. `dx` and `dy` are fractions of the image *height* at the
    /// target, right and up, so that a drag of a quarter of the height moves what is under the pointer by as much.
    #[must_use]
    pub fn pan(&self, dx: f32, dy: f32) -> Self {
        if !(dx.is_finite() && dy.is_finite()) {
            return *self;
        }
        let Axes { right, up, .. } = self.axes();
        let step = 2.0 * self.half_height() * self.distance() * (dx * right + dy * up);
        Self {
            position: self.position + step,
            target: self.target + step,
            ..*self
        }
    }

    /// The same camera in a world whose origin is at `origin`.
    #[must_use]
    pub fn relative_to(&self, origin: [f32; 3]) -> Self {
        let origin = Vec3::from(origin);
        Self {
            position: self.position - origin,
            target: self.target - origin,
            ..*self
        }
    }

    /// World ray through a point of the image: `(origin, unit direction)`. `ndc` is x right and y up, −1 to 1.
    #[must_use]
    pub fn ray(&self, ndc: [f32; 2], aspect: f32) -> (Vec3, Vec3) {
        let Axes { right, up, back } = self.axes();
        let half = self.half_height();
        let direction = ndc[0] * half * clamped_aspect(aspect) * right + ndc[1] * half * up - back;
        (self.position, direction.normalize())
    }
}

fn clamped_fov(degrees: f32) -> f32 {
    let degrees = if degrees.is_finite() { degrees } else { 40.0 };
    degrees.clamp(1.0, 170.0).to_radians()
}

fn clamped_aspect(aspect: f32) -> f32 {
    if aspect.is_finite() && aspect > 0.0 {
        aspect
    } else {
        1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(camera: &Camera, aspect: f32, point: Vec3) -> Vec3 {
        camera.clip_from_world(aspect).project_point3(point)
    }

    #[test]
    fn target_is_in_the_middle_and_depth_is_reversed() {
        let camera = Camera::default();
        let middle = project(&camera, 1.5, camera.target);
        assert!(middle.truncate().length() < 1e-5, "{middle}");
        let back = camera.axes().back;
        let near = project(&camera, 1.5, camera.position - back * camera.near());
        let far = project(&camera, 1.5, camera.position - back * 1e6);
        assert!(
            (near.z - 1.0).abs() < 1e-3 && far.z > 0.0 && far.z < 1e-6,
            "{near} {far}"
        );
    }

    #[test]
    fn right_and_up_are_right_and_up() {
        let camera = Camera::default();
        let Axes { right, up, .. } = camera.axes();
        assert!(project(&camera, 1.0, camera.target + 0.1 * right).x > 0.01);
        assert!(project(&camera, 1.0, camera.target + 0.1 * up).y > 0.01);
    }

    #[test]
    fn orbit_keeps_distance_and_stops_before_the_pole() {
        let mut camera = Camera::default();
        let distance = camera.distance();
        for _ in 0..50 {
            camera = camera.orbit(0.3, 0.2);
            assert!((camera.distance() - distance).abs() < 1e-3 * distance);
            assert!(camera.clip_from_world(1.0).is_finite());
        }
        let pitch = (camera.axes().back.y).asin();
        assert!((pitch - MAX_PITCH).abs() < 1e-3, "{pitch}");
        let down = camera.orbit(0.0, -10.0);
        assert!((down.axes().back.y.asin() + MAX_PITCH).abs() < 1e-3);
        assert_eq!(camera.orbit(f32::NAN, 0.0), camera);
    }

    #[test]
    fn orbit_to_the_right_moves_the_eye_right() {
        let camera = Camera {
            position: Vec3::new(0.0, 0.0, 2.0),
            target: Vec3::ZERO,
            fov_y_degrees: 40.0,
        };
        assert!(camera.orbit(0.1, 0.0).position.x > 0.1);
        assert!(camera.orbit(0.0, 0.1).position.y > 0.1);
    }

    #[test]
    fn zoom_has_limits_and_ignores_nonsense() {
        let camera = Camera::default();
        assert!((camera.zoom(0.5).distance() - 0.5 * camera.distance()).abs() < 1e-4);
        assert!((camera.zoom(1e-20).distance() - MIN_DISTANCE).abs() < 1e-5);
        assert!((camera.zoom(1e20).distance() - MAX_DISTANCE).abs() < 1.0);
        for factor in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert_eq!(camera.zoom(factor), camera);
        }
    }

    #[test]
    fn pan_moves_what_is_at_the_target_by_the_fraction_asked_for() {
        let camera = Camera::default();
        let moved = project(&camera.pan(0.25, -0.1), 2.0, camera.target);
        // A quarter of the height is half an ndc unit vertically, and a quarter of one at aspect 2 horizontally.
        assert!(
            (moved.x + 0.25).abs() < 1e-4 && (moved.y - 0.2).abs() < 1e-4,
            "{moved}"
        );
    }

    #[test]
    fn framed_box_is_inside_the_image_and_fills_it() {
        for aspect in [0.4, 1.0, 2.5] {
            for (min, max) in [
                ([-1.0; 3], [1.0; 3]),
                ([1000.0, 0.0, -3.0], [1000.1, 0.05, -2.0]),
            ] {
                let camera = Camera::frame(min, max, 35.0, aspect);
                let mut widest: f32 = 0.0;
                for corner in 0..8 {
                    let pick = |axis: usize| {
                        if corner >> axis & 1 == 1 {
                            max[axis]
                        } else {
                            min[axis]
                        }
                    };
                    let p = project(&camera, aspect, Vec3::new(pick(0), pick(1), pick(2)));
                    assert!(
                        p.x.abs() <= 1.001 && p.y.abs() <= 1.001 && p.z > 0.0,
                        "{aspect} {p}"
                    );
                    widest = widest.max(p.x.abs()).max(p.y.abs());
                }
                assert!(widest > 0.6, "{aspect}: only {widest} of the image");
            }
        }
        assert!(
            Camera::frame([f32::NAN; 3], [1.0; 3], 40.0, 1.0)
                .position
                .is_finite()
        );
    }

    #[test]
    fn degenerate_cameras_stay_finite() {
        let same = Camera {
            position: Vec3::ONE,
            target: Vec3::ONE,
            fov_y_degrees: f32::NAN,
        };
        let above = Camera {
            position: Vec3::Y * 5.0,
            target: Vec3::ZERO,
            fov_y_degrees: 500.0,
        };
        for camera in [same, above] {
            for aspect in [0.0, f32::NAN, 1.0] {
                assert!(camera.clip_from_world(aspect).is_finite());
            }
            assert!(
                camera.orbit(0.1, 0.1).position.is_finite()
                    && camera.zoom(2.0).position.is_finite()
            );
        }
    }

    #[test]
    fn rays_pass_through_the_points_they_project_to() {
        let camera = Camera::default();
        let point = Vec3::new(0.3, 0.7, -0.5);
        let ndc = project(&camera, 1.7, point);
        let (origin, direction) = camera.ray([ndc.x, ndc.y], 1.7);
        assert!((point - origin).normalize().dot(direction) > 0.999_999);
    }
}
