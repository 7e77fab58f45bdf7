//! Time of one conversion for `scripts/mesh-time.mjs`: `convert_time FILE TETS` prints `{"seconds": …, "tets": …}`.

use std::ops::ControlFlow;
use std::time::Instant;

use webgpu_softbody::conversion::{Job, convert};
use webgpu_softbody::diagnosis::DoctorOptions;
use webgpu_softbody::import::NamedFile;
use webgpu_softbody::meshing::Resolution;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, tets] = arguments.as_slice() else {
        return Err("usage: convert_time FILE TETS".into());
    };
    let bytes = std::fs::read(path)?;
    let job = Job {
        files: &[NamedFile {
            name: path,
            bytes: &bytes,
        }],
        resolution: Some(Resolution::Tets(tets.parse()?)),
        options: DoctorOptions::default(),
    };
    let mut seconds = Vec::new();
    let mut count = 0;
    // As in the script's WebAssembly: one round to warm up, then the middle of five.
    for _ in 0..6 {
        let start = Instant::now();
        let converted = convert(&job, &mut |_| ControlFlow::Continue(()))?;
        seconds.push(start.elapsed().as_secs_f64());
        count = converted.tets.len();
    }
    seconds.remove(0);
    seconds.sort_by(f64::total_cmp);
    println!("{{\"seconds\": {}, \"tets\": {count}}}", seconds[2]);
    Ok(())
}
