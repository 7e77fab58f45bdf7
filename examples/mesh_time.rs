//! Time and memory of meshing: `cargo run --release --no-default-features --features mesh-tools --example mesh_time`.
//!
//! An argument is an OBJ file of triangles to use instead of the bunny.

use std::ops::ControlFlow;
use std::time::Instant;

use webgpu_softbody::meshing::{Resolution, tetrahedralize};
use webgpu_softbody::surface::{SurfaceIndex, SurfaceLook, SurfaceMesh, SurfaceSurvey};
use webgpu_softbody::topology::Topology;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| {
        concat!(env!("CARGO_MANIFEST_DIR"), "/assets/surfaces/bunny.obj").into()
    });
    let surface = read_obj(&std::fs::read_to_string(&path)?)?;
    let start = Instant::now();
    let survey = SurfaceSurvey::new(&surface);
    let surveyed = start.elapsed();
    let index = SurfaceIndex::new(&surface);
    let indexed = start.elapsed() - surveyed;
    drop(index);
    println!(
        "{path}: {} triangles, surveyed in {:.1} ms, indexed in {:.1} ms\n{survey:?}",
        surface.triangles().len(),
        1e3 * surveyed.as_secs_f64(),
        1e3 * indexed.as_secs_f64()
    );
    println!(
        "| asked | tets | vertices | cell | seconds | tets/s | longest silence, ms | dihedral | volume | parts | peak MiB |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for tets in [1_000, 4_600, 20_000, 100_000, 500_000] {
        let start = Instant::now();
        let (mut last, mut silence) = (start, 0.0f64);
        let result = tetrahedralize(&surface, Resolution::Tets(tets), &mut |_| {
            silence = silence.max(last.elapsed().as_secs_f64());
            last = Instant::now();
            ControlFlow::Continue(())
        })?;
        let seconds = start.elapsed().as_secs_f64();
        let count = result.mesh.tets().len();
        let volume: f64 = result
            .mesh
            .tets()
            .iter()
            .map(|&tet| {
                use webgpu_softbody::mesh::geometry::{corners, signed_volume};
                signed_volume(corners(result.mesh.positions(), tet))
            })
            .sum();
        println!(
            "| {tets} | {count} | {} | {:.4} | {seconds:.3} | {:.0} | {:.0} | {:.2}–{:.2} | {:.4} | {} | {} |",
            result.mesh.positions().len(),
            result.cell_size,
            count as f64 / seconds,
            1e3 * silence,
            result.dihedral_degrees.0,
            result.dihedral_degrees.1,
            volume / survey.volume,
            Topology::new(&result.mesh).components,
            peak_mebibytes().map_or("–".to_owned(), |mebibytes| mebibytes.to_string()),
        );
    }
    Ok(())
}

/// The process's peak so far, where the system tells.
fn peak_mebibytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? / 1024)
}

fn read_obj(text: &str) -> Result<SurfaceMesh, Box<dyn std::error::Error>> {
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let row: Vec<f32> = words.map(str::parse).collect::<Result<_, _>>()?;
                positions.push(
                    *row.first_chunk()
                        .ok_or("a vertex needs three coordinates")?,
                );
            }
            Some("f") => {
                let row: Vec<u32> = words.map(str::parse).collect::<Result<_, _>>()?;
                let row: [u32; 3] = row.try_into().map_err(|_| "faces must be triangles")?;
                triangles.push(row.map(|number| number.wrapping_sub(1)));
            }
            _ => {}
        }
    }
    Ok(SurfaceMesh::new(
        positions,
        triangles,
        SurfaceLook::default(),
    )?)
}
