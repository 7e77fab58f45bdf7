//! Imports go down the list of docs/architecture.md only, and every file says its purpose on its first line.
#![cfg(not(target_arch = "wasm32"))]

use std::fs;
use std::path::{Path, PathBuf};

/// From what stands on everything to what stands on nothing. Modules of one row do not know each other.
const LAYERS: [&[&str]; 13] = [
    &["web", "mesh_web"],
    &["viewport", "conversion"],
    &["simulation"],
    &["solver", "render"],
    &["gpu"],
    &["shaders"],
    &["meshing", "import", "diagnosis"],
    &["embedding"],
    &["arrangement", "dynamics", "cloth", "wind"],
    &["rest_state"],
    &["topology"],
    &["mesh"],
    &["surface"],
];
/// Leaves anybody may use.
const LEAVES: [&str; 7] = [
    "error", "layout", "math", "sections", "settings", "sort", "text",
];

fn files(dir: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, extension, found);
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
}

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|row| row.contains(&module))
}

#[test]
fn imports_go_down() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut sources = Vec::new();
    files(&root, "rs", &mut sources);
    let mut seen = 0;
    for path in sources {
        let relative = path.strip_prefix(&root).expect("below src");
        let first = relative
            .components()
            .next()
            .expect("a name")
            .as_os_str()
            .to_string_lossy();
        let module = first.trim_end_matches(".rs").to_owned();
        if module == "lib" || module == "bin" {
            continue;
        }
        let own = layer(&module);
        let leaf = LEAVES.contains(&module.as_str());
        assert!(
            own.is_some() || leaf,
            "src/{} is in no layer of {}",
            relative.display(),
            file!()
        );
        let text = fs::read_to_string(&path).expect("text");
        for (number, line) in (1..).zip(text.lines()) {
            // Both `use crate::x` and a path in the code.
            for rest in line.split("crate::").skip(1) {
                let used: String = rest
                    .chars()
                    .take_while(|c| c.is_alphanumeric() || *c == '_')
                    .collect();
                if used == module
                    || LEAVES.contains(&used.as_str())
                    || line.trim_start().starts_with("//")
                {
                    continue;
                }
                let target = layer(&used).unwrap_or_else(|| {
                    panic!("{}:{number}: crate::{used} is in no layer", path.display())
                });
                seen += 1;
                assert!(
                    own.is_some_and(|own| target > own),
                    "{}:{number}: {module} may not know {used}",
                    path.display()
                );
            }
        }
    }
    assert!(
        seen > 30,
        "only {seen} imports were met: is the test reading the sources?"
    );
}

#[test]
fn the_mesh_layer_knows_neither_wgpu_nor_wasm() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for module in [
        "mesh",
        "topology",
        "rest_state",
        "arrangement",
        "dynamics",
        "cloth",
        "wind",
        "meshing",
        "surface",
        "embedding",
        "import",
        "diagnosis",
        "conversion",
        "error",
        "settings",
    ] {
        let mut sources = Vec::new();
        if root.join(module).is_dir() {
            files(&root.join(module), "rs", &mut sources);
        }
        sources.extend(
            [root.join(format!("{module}.rs"))]
                .into_iter()
                .filter(|path| path.exists()),
        );
        assert!(!sources.is_empty(), "{module} has no source");
        for path in sources {
            let text = fs::read_to_string(&path).expect("text");
            for word in ["wgpu", "wasm_bindgen", "js_sys", "web_sys"] {
                assert!(!text.contains(word), "{} mentions {word}", path.display());
            }
        }
    }
}

#[test]
fn every_file_says_its_purpose_first() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut checked = 0;
    for (dir, extension, mark) in [
        ("src", "rs", "//! "),
        ("tests", "rs", "//! "),
        ("shaders", "wgsl", "// "),
        ("js", "js", "// "),
    ] {
        let mut sources = Vec::new();
        files(&root.join(dir), extension, &mut sources);
        for path in sources {
            let text = fs::read_to_string(&path).expect("text");
            let first = text.lines().next().unwrap_or_default();
            assert!(
                first.starts_with(mark) && first.len() > 20,
                "{}: first line {first:?}",
                path.display()
            );
            checked += 1;
        }
    }
    assert!(checked > 50, "only {checked} files were met");
}
