//! The adapter that is measured, and what it holds in memory.

use crate::Failure;
use std::sync::Arc;
use webgpu_softbody::gpu::Gpu;

/// A device with every limit the adapter offers, and what the adapter says of itself.
pub struct Machine {
    pub gpu: Gpu,
    pub info: wgpu::AdapterInfo,
    /// Whether a processor plays the GPU.
    pub software: bool,
    /// Whether passes can be timed on the GPU.
    pub timestamps: bool,
}

impl Machine {
    /// The system's best adapter. Any validation error ends the bench: its figures would mean nothing.
    pub fn find() -> Result<Self, Failure> {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        descriptor.backends = wgpu::Backends::PRIMARY;
        let instance = wgpu::Instance::new(descriptor);
        let (gpu, adapter) = pollster::block_on(Gpu::request_largest(
            &instance,
            None,
            wgpu::Features::TIMESTAMP_QUERY,
        ))?;
        gpu.device
            .on_uncaptured_error(Arc::new(|error| panic!("WebGPU: {error}")));
        let info = adapter.get_info();
        let timestamps = gpu
            .device
            .features()
            .contains(wgpu::Features::TIMESTAMP_QUERY);
        Ok(Self {
            software: info.device_type == wgpu::DeviceType::Cpu,
            gpu,
            info,
            timestamps,
        })
    }

    /// Waits for everything submitted so far.
    pub fn wait(&self) -> Result<(), Failure> {
        self.gpu.device.poll(wgpu::PollType::wait_indefinitely())?;
        Ok(())
    }

    /// Bytes that buffers hold now, where the back end keeps account of them.
    pub fn memory(&self) -> Result<Option<u64>, Failure> {
        // Staging memory of finished uploads goes back when the device is polled.
        self.gpu.queue.submit([]);
        self.wait()?;
        let report = self.gpu.device.generate_allocator_report();
        Ok(report.map(|report| report.allocations.iter().map(|one| one.size).sum()))
    }
}
