//! Real time to fixed steps, with bounded catch-up: a stall neither explodes the body nor freezes the page.

/// Turns elapsed real time into whole frames of fixed length.
#[derive(Debug, Clone, PartialEq)]
pub struct FrameClock {
    /// Real time not yet simulated, s; always less than one frame.
    pending: f64,
    /// Real time that was given up so far, s.
    dropped: f64,
}

/// What one call of [`FrameClock::advance`] asks for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Advance {
    /// Frames of [`FrameClock::FRAME_SECONDS`] to simulate now.
    pub frames: u32,
    /// Real time given up by this call, s.
    pub dropped: f64,
}

impl FrameClock {
    /// Length of a frame, s.
    pub const FRAME_SECONDS: f64 = 1.0 / 60.0;
    /// Most frames simulated in one call: real time is kept down to 20 calls a second.
    pub const MAX_CATCH_UP: u32 = 3;

    /// A clock with nothing pending.
    pub const fn new() -> Self {
        Self {
            pending: 0.0,
            dropped: 0.0,
        }
    }

    /// Real time given up so far, s.
    pub fn dropped_seconds(&self) -> f64 {
        self.dropped
    }

    /// Forgets pending time, as after a pause.
    pub fn resume(&mut self) {
        self.pending = 0.0;
    }

    /// Adds `elapsed` seconds of real time and asks for at most `limit` frames. Anything that is not a positive finite
    /// number of seconds adds nothing.
    pub fn advance(&mut self, elapsed: f64, limit: u32) -> Advance {
        if elapsed.is_finite() && elapsed > 0.0 {
            self.pending += elapsed;
        }
        // A display at 59.9 Hz must not skip a frame every few seconds for want of a microsecond.
        let due = (self.pending / Self::FRAME_SECONDS + 1e-3).floor();
        let frames = due.min(f64::from(limit));
        self.pending = (self.pending - frames * Self::FRAME_SECONDS).max(0.0);
        let dropped = (due - frames) * Self::FRAME_SECONDS;
        self.pending = (self.pending - dropped).max(0.0);
        self.dropped += dropped;
        Advance {
            frames: frames as u32,
            dropped,
        }
    }
}

impl Default for FrameClock {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steady_display_gives_one_frame_each() {
        let mut clock = FrameClock::new();
        let frames: u32 = (0..600)
            .map(|_| clock.advance(1.0 / 60.0, FrameClock::MAX_CATCH_UP).frames)
            .sum();
        assert_eq!((frames, clock.dropped_seconds()), (600, 0.0));
    }

    #[test]
    fn fast_and_slow_displays_keep_real_time() {
        for rate in [24.0, 30.0, 59.94, 75.0, 144.0, 240.0] {
            let mut clock = FrameClock::new();
            let calls = (10.0 * rate) as u32;
            let frames: u32 = (0..calls)
                .map(|_| clock.advance(1.0 / rate, FrameClock::MAX_CATCH_UP).frames)
                .sum();
            let expected = f64::from(calls) / rate * 60.0;
            assert!(
                (f64::from(frames) - expected).abs() <= 1.01,
                "{rate} Hz: {frames} frames, {expected} expected"
            );
            assert_eq!(clock.dropped_seconds(), 0.0, "{rate} Hz");
        }
    }

    #[test]
    fn a_stall_is_dropped_and_counted() {
        let mut clock = FrameClock::new();
        let advance = clock.advance(5.0, FrameClock::MAX_CATCH_UP);
        assert_eq!(advance.frames, FrameClock::MAX_CATCH_UP);
        assert!((advance.dropped + 3.0 / 60.0 - 5.0).abs() < FrameClock::FRAME_SECONDS);
        assert!(
            clock.advance(1.0 / 60.0, FrameClock::MAX_CATCH_UP).frames <= 2,
            "no fast-forward after the stall"
        );
        assert_eq!(
            clock.advance(f64::NAN, FrameClock::MAX_CATCH_UP).dropped,
            0.0
        );
        assert_eq!(clock.advance(-3.0, FrameClock::MAX_CATCH_UP).frames, 0);
    }

    #[test]
    fn a_lower_limit_drops_more() {
        let mut clock = FrameClock::new();
        let advance = clock.advance(3.0 / 60.0, 1);
        assert_eq!(advance.frames, 1);
        assert!((advance.dropped - 2.0 / 60.0).abs() < 1e-9);
    }
}
