//! WGSL text and the kernel table. Composition is appending: a kernel's own file first, shared files after it.

/// The text of `shaders/<path>.wgsl`, as the build script left it.
macro_rules! wgsl {
    ($path:literal) => {
        include_str!(concat!(env!("OUT_DIR"), "/shaders/", $path, ".wgsl"))
    };
}

pub mod pick;
pub mod render;
pub mod solver;
