//! Copies the WGSL files to `OUT_DIR`, where the crate includes them from.
//!
//! A release build for wasm32 gets them without comments, indentation and long names, because they are a tenth of the module
//! that a page downloads; every other build gets them verbatim, so that the compiler's messages quote the files as written.

mod rename;
mod strip;

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Every shader below a folder: its path there, and its text.
fn read(folder: &Path, inside: &Path, found: &mut Vec<(PathBuf, String)>) -> io::Result<()> {
    let mut paths = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<Vec<_>>>()?;
    // The same names whatever order the file system lists them in.
    paths.sort();
    for path in paths {
        let name = path
            .file_name()
            .expect("invariant: a directory entry has a name");
        let inside = inside.join(name);
        if path.is_dir() {
            read(&path, &inside, found)?;
        } else if path
            .extension()
            .is_some_and(|extension| extension == "wgsl")
        {
            found.push((inside, fs::read_to_string(&path)?));
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
    let (mut paths, mut texts) = (Vec::new(), Vec::new());
    let mut shaders = Vec::new();
    read(Path::new("shaders"), Path::new(""), &mut shaders)?;
    for (path, text) in shaders {
        paths.push(path);
        texts.push(if stripped { strip::strip(&text) } else { text });
    }
    if stripped {
        let names = rename::short_names(&texts);
        for text in &mut texts {
            *text = rename::rename(text, &names);
        }
    }
    let out = PathBuf::from(variable("OUT_DIR")).join("shaders");
    for (path, text) in paths.iter().zip(texts) {
        let target = out.join(path);
        fs::create_dir_all(target.parent().unwrap_or(&out))?;
        fs::write(target, text)?;
    }
    Ok(())
}
