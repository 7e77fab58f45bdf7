//! Writes the preset meshes as files: `generate-presets OUT_DIR`.

use std::path::Path;
use std::process::ExitCode;

use webgpu_softbody::meshing::{figures, presets};
use webgpu_softbody::surface::SurfaceMesh;

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
    for preset in figures().into_iter().chain(presets()) {
        let mesh = preset.mesh();
        let mut files = vec![
            ("positions.vec3f32bin", mesh.position_bytes()),
            ("tet_indices.vec4u32bin", mesh.tet_bytes()),
        ];
        if let Some(surface) = preset.surface() {
            let (positions, triangles) = surface_bytes(&surface)
                .ok_or_else(|| format!("{}: more than 65,536 surface vertices", preset.slug))?;
            files.push(("surface_positions.vec3f32bin", positions));
            files.push(("surface_triangles.vec3u16bin", triangles));
        }
        for (suffix, bytes) in files {
            let path = directory.join(format!("{}_{suffix}", preset.slug));
            std::fs::write(&path, &bytes)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            println!("{} ({} bytes)", path.display(), bytes.len());
        }
    }
    Ok(())
}

/// Positions as `f32` x, y, z and triangles as `u16` × 3, little-endian: half a page's download with `u32`.
fn surface_bytes(surface: &SurfaceMesh) -> Option<(Vec<u8>, Vec<u8>)> {
    let positions = surface.positions().as_flattened();
    let positions = positions.iter().flat_map(|x| x.to_le_bytes()).collect();
    let mut triangles = Vec::new();
    for &vertex in surface.triangles().as_flattened() {
        triangles.extend(u16::try_from(vertex).ok()?.to_le_bytes());
    }
    Some((positions, triangles))
}
