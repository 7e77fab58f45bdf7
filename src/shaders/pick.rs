//! WGSL of picking. Apart from the solver's kernels, because it is compiled when somebody first picks.

/// Entry point, GPU label and file stem.
pub const NAME: &str = "pick";

/// The complete text of the module.
pub const WGSL: &str = wgsl!("pick/pick");
