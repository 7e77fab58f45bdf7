//! Good files to make hostile ones from: every stored file of both importers, with what belongs beside it.

use std::path::Path;

/// A file and what belongs beside it.
pub struct Seed {
    /// The file first.
    pub files: Vec<(String, Vec<u8>)>,
}

fn stem(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}

/// Every file of `tests/data/import` and `tests/data/surfaces_import` with one of these extensions; all for none.
pub fn seeds(extensions: &[&str]) -> Vec<Seed> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut seeds = Vec::new();
    for folder in ["import", "surfaces_import"] {
        // Surfaces are stored with their own importers.
        let Ok(entries) = std::fs::read_dir(data.join(folder)) else {
            continue;
        };
        let mut files: Vec<(String, Vec<u8>)> = entries
            .map(|entry| {
                let path = entry.expect("an entry").path();
                let name = path
                    .file_name()
                    .expect("a name")
                    .to_string_lossy()
                    .into_owned();
                let bytes = std::fs::read(&path).expect("a stored file");
                (name, bytes)
            })
            .collect();
        files.sort();
        for (name, bytes) in &files {
            let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
            let helper = matches!(
                extension,
                "json" | "txt" | "bin" | "png" | "jpg" | "mtl" | "md"
            );
            if helper || !(extensions.is_empty() || extensions.contains(&extension)) {
                continue;
            }
            let mut group = vec![(name.clone(), bytes.clone())];
            // The names of buffers, images and materials are their own.
            let by_reference = matches!(extension, "gltf" | "obj");
            let beside = |other: &&(String, Vec<u8>)| {
                let part = [".bin", ".png", ".jpg", ".mtl"]
                    .iter()
                    .any(|end| other.0.ends_with(end));
                other.0 != *name && (stem(&other.0) == stem(name) || (by_reference && part))
            };
            group.extend(files.iter().filter(beside).cloned());
            seeds.push(Seed { files: group });
        }
    }
    seeds
}
