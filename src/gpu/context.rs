//! The device and its queue, and how one is found.

/// No usable GPU, or a body too large for it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum GpuError {
    /// The system offers no adapter. Install a driver (Mesa's lavapipe runs anywhere) or enable WebGPU.
    #[error("no GPU adapter found: {0}")]
    NoAdapter(String),
    /// The adapter gave no device with WebGPU's default limits.
    #[error("the adapter gave no device: {0}")]
    NoDevice(String),
    /// A mesh, surface or image needs more than this device allows. Use a coarser one.
    #[error("{what} needs {needed}, but this device allows {allowed}{fits}")]
    Limit {
        /// What does not fit.
        what: String,
        /// How much it needs.
        needed: u64,
        /// How much there is.
        allowed: u64,
        /// What would fit, as the end of the message; empty where that is no question of number.
        fits: String,
    },
    /// A read-back failed, as it does when the device is lost.
    #[error("reading a buffer back failed: {0}")]
    ReadBack(String),
}

/// What wgpu says. In a browser that is never more than this, and its list of backends and variables costs 4 KB.
fn no_adapter_reason(error: &wgpu::RequestAdapterError) -> String {
    if cfg!(target_arch = "wasm32") {
        "the browser offers none".to_owned()
    } else {
        error.to_string()
    }
}

async fn adapter(
    instance: &wgpu::Instance,
    compatible_surface: Option<&wgpu::Surface<'_>>,
) -> Result<wgpu::Adapter, GpuError> {
    instance
        .request_adapter(&wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            compatible_surface,
            ..Default::default()
        })
        .await
        .map_err(|error| GpuError::NoAdapter(no_adapter_reason(&error)))
}

/// A device with its queue. Clones share both.
#[derive(Debug, Clone)]
pub struct Gpu {
    /// The device.
    pub device: wgpu::Device,
    /// Its queue.
    pub queue: wgpu::Queue,
    /// What the adapter calls itself.
    pub adapter_name: String,
    /// Whether a processor plays the GPU. Nothing but speed depends on it.
    pub software: bool,
}

impl Gpu {
    /// Asks `instance` for an adapter and a device with WebGPU's default limits (8 storage buffers per stage).
    ///
    /// # Errors
    /// [`GpuError::NoAdapter`] and [`GpuError::NoDevice`].
    pub async fn request(
        instance: &wgpu::Instance,
        compatible_surface: Option<&wgpu::Surface<'_>>,
    ) -> Result<(Self, wgpu::Adapter), GpuError> {
        let adapter = adapter(instance, compatible_surface).await?;
        let gpu = Self::on(&adapter, wgpu::Features::empty(), wgpu::Limits::defaults()).await?;
        Ok((gpu, adapter))
    }

    /// The same with every limit as large as the adapter offers, for bodies beyond the default ones, and with those of
    /// the `wanted` features that it has.
    ///
    /// # Errors
    /// As [`Self::request`].
    pub async fn request_largest(
        instance: &wgpu::Instance,
        compatible_surface: Option<&wgpu::Surface<'_>>,
        wanted: wgpu::Features,
    ) -> Result<(Self, wgpu::Adapter), GpuError> {
        let adapter = adapter(instance, compatible_surface).await?;
        let gpu = Self::on(&adapter, wanted & adapter.features(), adapter.limits()).await?;
        Ok((gpu, adapter))
    }

    /// A device of `adapter`.
    async fn on(
        adapter: &wgpu::Adapter,
        features: wgpu::Features,
        limits: wgpu::Limits,
    ) -> Result<Self, GpuError> {
        let (device, queue) = adapter
            .request_device(&wgpu::DeviceDescriptor {
                label: Some("webgpu-softbody"),
                required_features: features,
                required_limits: limits,
                ..Default::default()
            })
            .await
            .map_err(|error| GpuError::NoDevice(error.to_string()))?;
        let info = adapter.get_info();
        Ok(Self {
            device,
            queue,
            adapter_name: info.name,
            software: info.device_type == wgpu::DeviceType::Cpu,
        })
    }

    /// A buffer of zeros.
    pub(super) fn reserve(
        &self,
        label: &str,
        size: usize,
        usage: wgpu::BufferUsages,
    ) -> wgpu::Buffer {
        self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            // Bound buffers may not be empty; a body without a surface has no triangles.
            size: size.max(16) as u64,
            usage: usage | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        })
    }

    /// A buffer with these bytes.
    pub(super) fn create(
        &self,
        label: &str,
        bytes: &[u8],
        usage: wgpu::BufferUsages,
    ) -> wgpu::Buffer {
        let buffer = self.reserve(label, bytes.len(), usage);
        self.queue.write_buffer(&buffer, 0, bytes);
        buffer
    }

    /// Submits one pass of what `record` puts into it.
    pub fn compute(&self, label: &str, record: &mut dyn FnMut(&mut wgpu::ComputePass<'_>)) {
        let mut encoder = (self.device)
            .create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some(label) });
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: Some(label),
                timestamp_writes: None,
            });
            record(&mut pass);
        }
        self.queue.submit([encoder.finish()]);
    }

    /// Refuses the first row (what, needed, allowed) that needs too much of `owner`, which has `count` of what `fitting`
    /// names: of so many, one with fewer would fit.
    pub(super) fn check(
        &self,
        rows: &[(&str, u64, u64)],
        (count, fitting): (u64, &str),
        owner: impl Fn() -> String,
    ) -> Result<(), GpuError> {
        match rows.iter().find(|(_, needed, allowed)| needed > allowed) {
            None => Ok(()),
            Some(&(what, needed, allowed)) => Err(GpuError::Limit {
                what: format!("{what} of {}", owner()),
                needed,
                allowed,
                fits: match fitting {
                    "" => String::new(),
                    _ => format!(
                        "; about {} {fitting} fit",
                        rounded_down(count as f64 * (allowed as f64 / needed as f64))
                    ),
                },
            }),
        }
    }
}

/// To two digits, so that nobody takes an estimate for a promise.
fn rounded_down(count: f64) -> u64 {
    let mut unit = 1.0;
    while count >= 100.0 * unit {
        unit *= 10.0;
    }
    ((count / unit).floor() * unit) as u64
}
