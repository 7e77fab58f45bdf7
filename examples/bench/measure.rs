//! Frames timed two ways: by the clock, from submission to completion of a batch, and by the GPU, each on its own.

use crate::Failure;
use crate::arguments::Arguments;
use crate::machine::Machine;
use std::time::Instant;
use webgpu_softbody::solver::PassTimer;

/// A batch takes at least this long, s, so that the wait for its end does not count.
const BATCH_SECONDS: f64 = 0.03;
/// Fewest times in a median.
const LEAST_SAMPLES: usize = 3;
/// Work before the first time counts, s: clocks of a GPU rise under load.
const WARM_UP_SECONDS: f64 = 0.5;

/// Something that simulates frames of 1/60 s.
pub trait Frames {
    /// Puts the body back where it started.
    fn reset(&mut self) -> Result<(), Failure>;
    /// Records and submits so many frames; waits for nothing.
    fn submit(&mut self, frames: u32) -> Result<(), Failure>;
    /// The same for one frame in one timed pass.
    fn submit_timed(&mut self, timer: &mut PassTimer) -> Result<(), Failure>;
}

/// Milliseconds per frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Times {
    pub median: f64,
    pub p95: f64,
    pub least: f64,
    pub samples: usize,
    pub frames: u32,
}

impl Times {
    /// Of single times, ms, that took so many frames in all.
    pub fn of(mut milliseconds: Vec<f64>, frames: u32) -> Self {
        milliseconds.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let rank = (share * milliseconds.len() as f64).ceil() as usize;
            milliseconds[rank.clamp(1, milliseconds.len()) - 1]
        };
        Self {
            median: at(0.5),
            p95: at(0.95),
            least: at(0.0),
            samples: milliseconds.len(),
            frames,
        }
    }
}

/// What a frame takes.
#[derive(Debug, Clone, PartialEq)]
pub struct FrameTimes {
    /// From submission to completion, batches of frames.
    pub wall: Times,
    /// Between timestamps round the pass of each frame; `None` where the adapter has none.
    pub gpu: Option<Times>,
}

impl FrameTimes {
    /// What the GPU says, else what the clock says.
    pub fn best(&self) -> &Times {
        self.gpu.as_ref().unwrap_or(&self.wall)
    }
}

/// Both times of a ratio, measured the same way.
pub struct Pair<'a> {
    pub ours: &'a Times,
    pub baseline: &'a Times,
}

impl<'a> Pair<'a> {
    pub fn new(ours: &'a FrameTimes, baseline: &'a FrameTimes) -> Self {
        match (&ours.gpu, &baseline.gpu) {
            (Some(ours), Some(baseline)) => Self { ours, baseline },
            _ => Self {
                ours: &ours.wall,
                baseline: &baseline.wall,
            },
        }
    }

    /// How many times as fast the product is: of medians, but on a software adapter of the least times, because other work
    /// of its processor only ever adds.
    pub fn ratio(&self, software: bool) -> f64 {
        match software {
            false => self.baseline.median / self.ours.median,
            true => self.baseline.least / self.ours.least,
        }
    }
}

/// Times frames of each scheme from the start of its body on, until there are enough or the time is up. The schemes take
/// turns, so that whatever else the machine does meets all of them.
pub fn frames(
    machine: &Machine,
    arguments: &Arguments,
    schemes: &mut [&mut dyn Frames],
) -> Result<Vec<FrameTimes>, Failure> {
    let mut batches = Vec::new();
    for scheme in schemes.iter_mut() {
        let per_frame = warm_up(machine, *scheme)?;
        scheme.reset()?;
        let most = (arguments.frames / LEAST_SAMPLES as u32).max(1);
        batches.push(((BATCH_SECONDS / per_frame).ceil() as u32).clamp(1, most));
    }
    let mut milliseconds = vec![Vec::new(); schemes.len()];
    let begun = Instant::now();
    let least = *batches.iter().min().unwrap_or(&1);
    let rounds = (arguments.frames.div_ceil(least) as usize).max(LEAST_SAMPLES);
    for round in 0..rounds {
        if round >= LEAST_SAMPLES && begun.elapsed().as_secs_f64() >= arguments.seconds {
            break;
        }
        for ((scheme, &batch), times) in schemes.iter_mut().zip(&batches).zip(&mut milliseconds) {
            let batch_begun = Instant::now();
            scheme.submit(batch)?;
            machine.wait()?;
            times.push(batch_begun.elapsed().as_secs_f64() * 1e3 / f64::from(batch));
        }
    }
    let walls: Vec<Times> = milliseconds
        .into_iter()
        .zip(batches)
        .map(|(times, batch)| {
            let frames = times.len() as u32 * batch;
            Times::of(times, frames)
        })
        .collect();
    let gpu = on_gpu(machine, arguments, schemes, &walls)?;
    Ok(walls
        .into_iter()
        .zip(gpu)
        .map(|(wall, gpu)| FrameTimes { wall, gpu })
        .collect())
}

/// Seconds per frame, roughly.
fn warm_up(machine: &Machine, scheme: &mut dyn Frames) -> Result<f64, Failure> {
    // The first frame waits for uploads and the driver's compiler.
    scheme.submit(1)?;
    machine.wait()?;
    let begun = Instant::now();
    let mut frames = 0;
    let limit = if machine.software {
        0.0
    } else {
        WARM_UP_SECONDS
    };
    loop {
        let count = (frames * 2).clamp(1, 64);
        scheme.submit(count)?;
        machine.wait()?;
        frames += count;
        let elapsed = begun.elapsed().as_secs_f64();
        if elapsed >= limit {
            return Ok(elapsed / f64::from(frames));
        }
    }
}

fn on_gpu(
    machine: &Machine,
    arguments: &Arguments,
    schemes: &mut [&mut dyn Frames],
    walls: &[Times],
) -> Result<Vec<Option<Times>>, Failure> {
    let round: f64 = walls.iter().map(|wall| wall.median * 1e-3).sum();
    let affordable = (arguments.seconds / round) as u32;
    let frames = affordable
        .min(arguments.frames)
        .clamp(LEAST_SAMPLES as u32, PassTimer::MAX_PASSES);
    let mut timers = Vec::new();
    for scheme in schemes.iter_mut() {
        scheme.reset()?;
        timers.push(PassTimer::new(&machine.gpu, frames));
    }
    for _ in 0..frames {
        for (scheme, timer) in schemes.iter_mut().zip(&mut timers) {
            if let Some(timer) = timer {
                scheme.submit_timed(timer)?;
            }
        }
    }
    timers
        .into_iter()
        .map(|timer| {
            let Some(mut timer) = timer else {
                return Ok(None);
            };
            let passes = pollster::block_on(timer.read(&machine.gpu))?;
            let milliseconds = passes.iter().map(|pass| pass.seconds * 1e3).collect();
            Ok(Some(Times::of(milliseconds, frames)))
        })
        .collect()
}
