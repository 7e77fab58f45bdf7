//! Where the time and the memory of loading go: `load_time [TETS] [YOUNGS_MODULUS]` prepares a Kuhn box and prints each stage.

use std::time::Instant;

use webgpu_softbody::arrangement::Arrangement;
use webgpu_softbody::dynamics::{CoarseMesh, FrequencyBounds, cluster_target, substeps};
use webgpu_softbody::mesh::TetMesh;
use webgpu_softbody::meshing::box_mesh;
use webgpu_softbody::rest_state::RestState;
use webgpu_softbody::settings::Material;
use webgpu_softbody::topology::Topology;

const FRAME_SECONDS: f64 = 1.0 / 60.0;

/// A line of /proc/self/status in MB; 0 where there is no such file.
fn memory(key: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(key));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok());
    kilobytes.unwrap_or(0.0) / 1024.0
}

/// Does one stage and prints its seconds, and the memory of the process then and at its peak.
fn stage<T>(name: &str, total: &mut f64, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    let seconds = start.elapsed().as_secs_f64();
    *total += seconds;
    println!(
        "{name:<12} {seconds:>7.3} s  {:>6.0} MB, at most {:>6.0} MB",
        memory("VmRSS"),
        memory("VmHWM")
    );
    result
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let tets: f64 = arguments.next().map_or(Ok(1e6), |tets| tets.parse())?;
    let modulus: f64 = arguments
        .next()
        .map_or(Ok(1e7), |modulus| modulus.parse())?;
    let cells = (tets / 6.0).cbrt().round().max(1.0) as u32;
    let (positions, indices) = {
        let mesh = box_mesh([cells; 3], [1.0; 3], [0.0; 3])?;
        println!(
            "{cells}³ cells: {} tets, {} vertices, E = {modulus} Pa",
            mesh.tets().len(),
            mesh.positions().len()
        );
        (mesh.position_bytes(), mesh.tet_bytes())
    };
    let mut total = 0.0;
    let mesh = stage("mesh", &mut total, || {
        TetMesh::from_bytes(&positions, &indices)
    })?;
    let topology = stage("topology", &mut total, || Topology::new(&mesh));
    let rest = stage("rest state", &mut total, || RestState::new(&mesh));
    let arrangement = stage("arrangement", &mut total, || {
        Arrangement::new(mesh.positions(), mesh.tets())
    });
    let pinned = vec![false; mesh.positions().len()];
    let bounds = stage("bounds", &mut total, || {
        FrequencyBounds::new(mesh.tets(), &rest, &pinned)
    });
    let material = Material {
        youngs_modulus: modulus,
        ..Material::default()
    };
    let omega = bounds.omega(&material);
    let count = substeps(omega);
    let step = FRAME_SECONDS / f64::from(count);
    let target = cluster_target(omega * step);
    let clusters = stage("clusters", &mut total, || {
        arrangement.clusters(mesh.tets(), target)
    });
    let operator = stage("operator", &mut total, || {
        let original: Vec<u32> = clusters
            .vertices
            .iter()
            .map(|&vertex| arrangement.original_vertices[vertex as usize])
            .collect();
        CoarseMesh::new(
            mesh.positions(),
            mesh.tets(),
            &rest,
            &pinned,
            &clusters.offsets,
            &original,
        )
        .operator(&bounds, &material, step)
    });
    println!(
        "{:<12} {total:>7.3} s; {} triangles, {} patches, {count} substeps, r = {:.2}, {} clusters of about {target}, p1 = {}",
        "together",
        topology.surface_triangles.len(),
        arrangement.patches.len(),
        operator.r,
        clusters.offsets.len() - 1,
        operator.p1
    );
    Ok(())
}
