//! Bytes back from the GPU, for tests and for users who ask; never inside a frame.

use super::{Gpu, GpuError};

/// Copies `buffer` to a staging buffer at once, after all work submitted so far; the future waits until it can be read.
///
/// # Errors
/// [`GpuError::ReadBack`] if mapping fails (a lost device).
pub fn read_buffer(
    gpu: &Gpu,
    buffer: &wgpu::Buffer,
) -> impl Future<Output = Result<Vec<u8>, GpuError>> + use<> {
    let staging = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("read_back"),
        size: buffer.size(),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let mut encoder = gpu
        .device
        .create_command_encoder(&wgpu::CommandEncoderDescriptor {
            label: Some("read_back"),
        });
    encoder.copy_buffer_to_buffer(buffer, 0, &staging, 0, buffer.size());
    gpu.queue.submit([encoder.finish()]);
    let (sender, receiver) = futures_channel::oneshot::channel();
    staging.map_async(wgpu::MapMode::Read, .., move |result| {
        // The receiver only goes away with its future; then nobody waits for the answer.
        let _ = sender.send(result);
    });
    #[cfg(not(target_arch = "wasm32"))]
    let device = gpu.device.clone();
    async move {
        // Natively a device has to be polled; in a browser the event loop does it.
        #[cfg(not(target_arch = "wasm32"))]
        device
            .poll(wgpu::PollType::wait_indefinitely())
            .map_err(|error| GpuError::ReadBack(error.to_string()))?;
        let mapped = match receiver.await {
            Ok(Ok(())) => staging
                .get_mapped_range(..)
                .map(|range| range.to_vec())
                .map_err(|error| GpuError::ReadBack(error.to_string())),
            Ok(Err(error)) => Err(GpuError::ReadBack(error.to_string())),
            Err(error) => Err(GpuError::ReadBack(error.to_string())),
        };
        // On the web dropping a buffer frees nothing.
        staging.destroy();
        mapped
    }
}

/// Reads an `array<vec4<f32>>`, as it is now, and drops the fourth components.
///
/// # Errors
/// As [`read_buffer`].
pub fn read_vec3(
    gpu: &Gpu,
    buffer: &wgpu::Buffer,
) -> impl Future<Output = Result<Vec<[f32; 3]>, GpuError>> + use<> {
    let bytes = read_buffer(gpu, buffer);
    async move {
        Ok(bytemuck::pod_collect_to_vec::<u8, [f32; 4]>(&bytes.await?)
            .into_iter()
            .map(|[x, y, z, _]| [x, y, z])
            .collect())
    }
}
