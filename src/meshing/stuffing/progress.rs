//! Progress that only rises, cancellation, and work spread over threads with the results in order.

use std::ops::ControlFlow;

use super::MeshingError;

/// Items between two looks at the progress function: a few milliseconds of work.
const CHUNK: usize = 4096;

/// Reports stages of the work as one fraction that never falls.
pub struct Progress<'a> {
    report: &'a mut dyn FnMut(f64) -> ControlFlow<()>,
    /// Of the whole, what [`Progress::span`] refers to.
    part: (f64, f64),
    from: f64,
    to: f64,
    highest: f64,
}

impl<'a> Progress<'a> {
    pub fn new(report: &'a mut dyn FnMut(f64) -> ControlFlow<()>) -> Self {
        Self {
            report,
            part: (0.0, 1.0),
            from: 0.0,
            to: 1.0,
            highest: 0.0,
        }
    }

    /// The spans that follow are shares of this part of the whole; the first is all of it.
    pub fn part(&mut self, from: f64, to: f64) {
        self.part = (from, to);
        self.span(0.0, 1.0);
    }

    /// The stages that follow fill this share of the part.
    pub fn span(&mut self, from: f64, to: f64) {
        (self.from, self.to) = (from, to);
    }

    /// Says that `fraction` of the present span is done.
    pub fn at(&mut self, fraction: f64) -> Result<(), MeshingError> {
        let share = self.from + (self.to - self.from) * fraction.clamp(0.0, 1.0);
        let whole = self.part.0 + (self.part.1 - self.part.0) * share;
        self.highest = self.highest.max(whole);
        match (self.report)(self.highest) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(MeshingError::Cancelled),
        }
    }
}

/// Applies `work` to every item, on all cores where there are threads. The result does not depend on their number.
pub fn map<T: Sync, R: Send>(
    items: &[T],
    progress: &mut Progress<'_>,
    (from, to): (f64, f64),
    work: impl Fn(&T) -> R + Sync,
) -> Result<Vec<R>, MeshingError> {
    let mut results = Vec::with_capacity(items.len());
    for chunk in items.chunks(CHUNK) {
        progress.at(from + (to - from) * results.len() as f64 / items.len() as f64)?;
        map_chunk(chunk, &mut results, &work);
    }
    Ok(results)
}

#[cfg(target_arch = "wasm32")]
fn map_chunk<T, R>(chunk: &[T], results: &mut Vec<R>, work: &impl Fn(&T) -> R) {
    results.extend(chunk.iter().map(work));
}

#[cfg(not(target_arch = "wasm32"))]
fn map_chunk<T: Sync, R: Send>(
    chunk: &[T],
    results: &mut Vec<R>,
    work: &(impl Fn(&T) -> R + Sync),
) {
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get().min(8));
    // Below this a thread costs more than it does.
    if threads == 1 || chunk.len() < 256 {
        results.extend(chunk.iter().map(work));
        return;
    }
    std::thread::scope(|scope| {
        let (own, others) = chunk.split_at(chunk.len().div_ceil(threads));
        let running: Vec<_> = others
            .chunks(own.len())
            .map(|part| scope.spawn(move || part.iter().map(work).collect::<Vec<R>>()))
            .collect();
        results.extend(own.iter().map(work));
        for thread in running {
            results.extend(
                thread
                    .join()
                    .expect("invariant: the work panics on no thread"),
            );
        }
    });
}
