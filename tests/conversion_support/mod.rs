//! What the tests of conversions share: an OBJ cube, a conversion without progress, the codes of its findings.

use std::ops::ControlFlow;

use webgpu_softbody::conversion::{ConvertError, Converted, Job, convert};
use webgpu_softbody::diagnosis::DoctorOptions;
use webgpu_softbody::import::NamedFile;
use webgpu_softbody::meshing::Resolution;

/// A cube of the given side as an OBJ file; open where `holes` faces are left out.
pub fn cube_obj(side: f32, holes: usize) -> Vec<u8> {
    let mut text = String::new();
    for corner in 0..8u32 {
        let [x, y, z] = [corner & 1, corner >> 1 & 1, corner >> 2].map(|x| x as f32 * side);
        text.push_str(&format!("v {x} {y} {z}\n"));
    }
    let quads = [
        "1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6",
    ];
    for quad in &quads[holes..] {
        text.push_str(&format!("f {quad}\n"));
    }
    text.into_bytes()
}

/// Listens to the progress and does nothing.
fn quiet(_: f64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Converts files.
pub fn run(
    files: &[NamedFile<'_>],
    resolution: Option<Resolution>,
    options: DoctorOptions,
) -> Result<Converted, ConvertError> {
    convert(
        &Job {
            files,
            resolution,
            options,
        },
        &mut quiet,
    )
}

/// An OBJ file by itself.
pub fn obj(bytes: &[u8]) -> [NamedFile<'_>; 1] {
    [NamedFile {
        name: "cube.obj",
        bytes,
    }]
}

/// The codes of the findings, each with whether it was mended.
pub fn codes(converted: &Converted) -> Vec<(&'static str, bool)> {
    let findings = &converted.report.findings;
    findings.iter().map(|f| (f.code, f.mended)).collect()
}
