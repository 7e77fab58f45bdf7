//! Points of the world that are drawn as small discs: what pointers hold.

/// Most markers that are drawn: more than pointers that a screen reports.
pub const MAX_MARKERS: usize = 16;

/// World points in metres, at most [`MAX_MARKERS`]; a fixed array, so that setting them every frame allocates nothing.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Markers {
    points: [[f32; 3]; MAX_MARKERS],
    count: usize,
}

impl Markers {
    /// The first [`MAX_MARKERS`] of the points that are finite.
    #[must_use]
    pub fn new(points: &[[f32; 3]]) -> Self {
        let mut markers = Self::default();
        let finite = points.iter().filter(|p| p.iter().all(|c| c.is_finite()));
        for (place, point) in markers.points.iter_mut().zip(finite) {
            *place = *point;
            markers.count += 1;
        }
        markers
    }

    /// The points to draw.
    #[must_use]
    pub fn points(&self) -> &[[f32; 3]] {
        &self.points[..self.count]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_finite_or_too_many_is_left_out() {
        let bad = [
            [f32::NAN, 0.0, 0.0],
            [1.0, 2.0, 3.0],
            [0.0, f32::INFINITY, 0.0],
        ];
        assert_eq!(Markers::new(&bad).points(), [[1.0, 2.0, 3.0]]);
        let many: Vec<_> = (0..20).map(|i| [i as f32, 0.0, 0.0]).collect();
        assert_eq!(Markers::new(&many).points(), &many[..MAX_MARKERS]);
        assert!(Markers::default().points().is_empty());
    }
}
