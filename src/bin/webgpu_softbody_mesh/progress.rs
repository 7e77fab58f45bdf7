//! A bar on the terminal while something takes long; nothing anywhere else.

use std::io::{self, IsTerminal, Write};

const WIDTH: usize = 40;

/// A progress bar on standard error.
pub struct Bar {
    percent: Option<usize>,
    shown: bool,
}

impl Bar {
    /// A bar that shows itself if `wanted` and standard error is a terminal.
    pub fn new(wanted: bool) -> Self {
        Self {
            percent: None,
            shown: wanted && io::stderr().is_terminal(),
        }
    }

    /// Draws the share of the work done, 0 to 1, where it has moved by a percent.
    pub fn update(&mut self, share: f64) {
        let percent = (share.clamp(0.0, 1.0) * 100.0) as usize;
        if self.shown && self.percent != Some(percent) {
            self.percent = Some(percent);
            let full = percent * WIDTH / 100;
            draw(&format!(
                "\r[{}{}] {percent:3} %",
                "#".repeat(full),
                "-".repeat(WIDTH - full)
            ));
        }
    }

    /// Wipes the bar.
    pub fn finish(self) {
        if self.percent.is_some() {
            draw("\r\x1b[K");
        }
    }
}

/// A bar that cannot be drawn is no reason to fail.
fn draw(text: &str) {
    let mut terminal = io::stderr().lock();
    let _ = terminal.write_all(text.as_bytes());
    let _ = terminal.flush();
}
