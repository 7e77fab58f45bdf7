//! Writes the preset meshes as files: `generate-presets OUT_DIR`.

use std::path::Path;
use std::process::ExitCode;

use webgpu_softbody::meshing::presets;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(directory), None) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: generate-presets OUT_DIR");
        return ExitCode::from(2);
    };
    match write_all(Path::new(&directory)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("generate-presets: {message}");
            ExitCode::FAILURE
        }
    }
}

fn write_all(directory: &Path) -> Result<(), String> {
    std::fs::create_dir_all(directory)
        .map_err(|error| format!("{}: {error}", directory.display()))?;
    for preset in presets() {
        let mesh = preset.mesh();
        for (suffix, bytes) in [
            ("positions.vec3f32bin", mesh.position_bytes()),
            ("tet_indices.vec4u32bin", mesh.tet_bytes()),
        ] {
            let path = directory.join(format!("{}_{suffix}", preset.slug));
            std::fs::write(&path, &bytes)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            println!("{} ({} bytes)", path.display(), bytes.len());
        }
    }
    Ok(())
}
