//! The command `webgpu-softbody-mesh`: looks into mesh files, converts them, and fills surfaces with tetrahedra.

#[cfg(not(target_arch = "wasm32"))]
mod arguments;
#[cfg(not(target_arch = "wasm32"))]
mod files;
#[cfg(not(target_arch = "wasm32"))]
mod help;
#[cfg(not(target_arch = "wasm32"))]
mod progress;
#[cfg(not(target_arch = "wasm32"))]
mod report;
#[cfg(not(target_arch = "wasm32"))]
mod run;

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    run::main()
}

/// `wasm-pack test` builds the programs too; in a browser there is no command line.
#[cfg(target_arch = "wasm32")]
fn main() {}
