//! WGSL text and the kernel table. Composition is appending: a kernel's own file first, shared files after it.

pub mod render;
pub mod solver;
