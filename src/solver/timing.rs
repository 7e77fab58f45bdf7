//! How long frames and kernels take on the GPU: timestamps round compute passes.

use super::{BodyBindings, Method, Solver};
use crate::gpu::{Gpu, GpuError, read_buffer};

/// One timed pass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PassTime {
    /// Label the pass was begun with.
    pub label: &'static str,
    /// From its first to its last command on the GPU, s.
    pub seconds: f64,
}

/// Begins compute passes that write down when they begin and end.
#[derive(Debug)]
pub struct PassTimer {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    capacity: usize,
    labels: Vec<&'static str>,
    seconds_per_tick: f64,
}

impl PassTimer {
    /// Most passes one timer holds.
    pub const MAX_PASSES: u32 = wgpu::QUERY_SET_MAX_QUERIES / 2;

    /// For up to `passes` passes ([`Self::MAX_PASSES`] at most) between two reads. `None` if the device was made without
    /// [`wgpu::Features::TIMESTAMP_QUERY`].
    pub fn new(gpu: &Gpu, passes: u32) -> Option<Self> {
        if !gpu
            .device
            .features()
            .contains(wgpu::Features::TIMESTAMP_QUERY)
        {
            return None;
        }
        let capacity = passes.clamp(1, Self::MAX_PASSES);
        let count = 2 * capacity;
        Some(Self {
            queries: gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("pass_timer"),
                ty: wgpu::QueryType::Timestamp,
                count,
            }),
            resolved: gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("pass_timer"),
                size: u64::from(count) * 8,
                usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            }),
            capacity: capacity as usize,
            labels: Vec::new(),
            seconds_per_tick: f64::from(gpu.queue.get_timestamp_period()) * 1e-9,
        })
    }

    /// Begins a pass under this label; it is timed while the timer has room.
    pub fn begin<'encoder>(
        &mut self,
        encoder: &'encoder mut wgpu::CommandEncoder,
        label: &'static str,
    ) -> wgpu::ComputePass<'encoder> {
        let first = 2 * self.labels.len() as u32;
        let timed = self.labels.len() < self.capacity;
        if timed {
            self.labels.push(label);
        }
        encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some(label),
            timestamp_writes: timed.then_some(wgpu::ComputePassTimestampWrites {
                query_set: &self.queries,
                beginning_of_pass_write_index: Some(first),
                end_of_pass_write_index: Some(first + 1),
            }),
        })
    }

    /// The times of all passes since the last read, in the order they were begun. They must have been submitted; this
    /// waits for them.
    ///
    /// # Errors
    /// [`GpuError::ReadBack`].
    pub async fn read(&mut self, gpu: &Gpu) -> Result<Vec<PassTime>, GpuError> {
        let labels = std::mem::take(&mut self.labels);
        if labels.is_empty() {
            return Ok(Vec::new());
        }
        let mut encoder = gpu
            .device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor {
                label: Some("pass_timer"),
            });
        encoder.resolve_query_set(&self.queries, 0..2 * labels.len() as u32, &self.resolved, 0);
        gpu.queue.submit([encoder.finish()]);
        let ticks: Vec<u64> =
            bytemuck::pod_collect_to_vec(&read_buffer(gpu, &self.resolved).await?);
        Ok(labels
            .into_iter()
            .zip(ticks.chunks_exact(2))
            .map(|(label, ticks)| PassTime {
                label,
                seconds: ticks[1].saturating_sub(ticks[0]) as f64 * self.seconds_per_tick,
            })
            .collect())
    }
}

impl Drop for PassTimer {
    /// On the web dropping frees nothing.
    fn drop(&mut self) {
        self.queries.destroy();
        self.resolved.destroy();
    }
}

impl Solver {
    /// As [`Self::record_frame`], every dispatch in a timed pass of its own that bears the kernel's name.
    pub fn record_frame_timed(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        body: &BodyBindings,
        method: Method,
        substeps: u32,
        timer: &mut PassTimer,
    ) {
        self.each_kernel(body, method, substeps, |kernel| {
            let mut pass = timer.begin(encoder, kernel.source().name);
            self.dispatch(&mut pass, body, kernel);
        });
    }
}
