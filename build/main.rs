//! Copies the WGSL files to `OUT_DIR`, where the crate includes them from.
//!
//! A release build for wasm32 gets them without comments and indentation, because they are a tenth of the module that a
//! page downloads; every other build gets them verbatim, so that the compiler's messages quote the files as written.

mod strip;

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn copy(from: &Path, to: &Path, stripped: bool) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let target = to.join(
            path.file_name()
                .expect("invariant: a directory entry has a name"),
        );
        if path.is_dir() {
            copy(&path, &target, stripped)?;
        } else if path
            .extension()
            .is_some_and(|extension| extension == "wgsl")
        {
            let text = fs::read_to_string(&path)?;
            fs::write(target, if stripped { strip::strip(&text) } else { text })?;
        }
    }
    Ok(())
}

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=shaders");
    println!("cargo::rerun-if-changed=build");
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let stripped =
        variable("CARGO_CFG_TARGET_ARCH") == "wasm32" && variable("PROFILE") == "release";
    copy(
        Path::new("shaders"),
        &PathBuf::from(variable("OUT_DIR")).join("shaders"),
        stripped,
    )
}
