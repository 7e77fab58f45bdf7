//! The bench on whatever adapter there is: the baseline is a soft body, the probes measure, a case makes a full report.

use crate::arguments::{Arguments, Task, parse};
use crate::baseline::Article;
use crate::cases::{Case, Mesh, choose, with_modulus};
use crate::machine::Machine;
use crate::measure::Frames;
use crate::report::{self, Found};
use crate::{cases_of, probes};
use webgpu_softbody::mesh::TetMesh;
use webgpu_softbody::simulation::BodyOptions;

pub fn arguments(line: &str) -> Arguments {
    let words = std::iter::once("bench").chain(line.split_whitespace());
    match parse(words.map(Into::into)) {
        Ok(Task::Run(arguments)) => arguments,
        other => panic!("{line}: {other:?}"),
    }
}

fn small_box() -> Mesh {
    let mut chosen = choose(&arguments("--cases box:3"), true).expect("a case");
    chosen.meshes.remove(0)
}

pub fn machine() -> Machine {
    Machine::find().expect(
        "a GPU adapter is needed; on Debian: apt-get install mesa-vulkan-drivers libvulkan1",
    )
}

fn volumes(mesh: &TetMesh, positions: &[[f32; 3]]) -> Vec<f64> {
    let corner = |vertex: u32| glam::Vec3::from(positions[vertex as usize]).as_dvec3();
    mesh.tets()
        .iter()
        .map(|&[a, b, c, d]| {
            let a = corner(a);
            (corner(b) - a).dot((corner(c) - a).cross(corner(d) - a)) / 6.0
        })
        .collect()
}

/// Mean height after so many frames, and the volumes of the tets.
fn after(
    machine: &Machine,
    mesh: &TetMesh,
    options: BodyOptions,
    frames: u32,
    start: impl Fn(&mut Article),
) -> (f64, Vec<f64>, Vec<[f32; 3]>) {
    let case = Case { mesh, options };
    let mut article = Article::new(machine, &case).expect("it fits");
    start(&mut article);
    article.submit(frames).expect("frames");
    let positions = article.positions().expect("positions");
    let mean = positions.iter().map(|p| f64::from(p[1])).sum::<f64>() / positions.len() as f64;
    (mean, volumes(mesh, &positions), positions)
}

#[test]
fn the_baseline_falls_lands_and_keeps_its_volume() {
    let machine = machine();
    let shape = small_box();
    let mesh = shape.make().expect("a mesh");
    let options = with_modulus(&shape.options, 1e6);
    let whole: f64 = volumes(&mesh, mesh.positions()).iter().sum();
    let (start, ..) = after(&machine, &mesh, options.clone(), 0, |_| ());
    // 12 frames of free fall with a damping of 1/s: v' = −g − v.
    let (fallen, ..) = after(&machine, &mesh, options.clone(), 12, |_| ());
    let t: f64 = 0.2;
    let expected = 9.81 * (t - 1.0 + (-t).exp());
    assert!(
        ((start - fallen) / expected - 1.0).abs() < 0.03,
        "fell {} m, not {expected} m",
        start - fallen
    );
    let (_, landed, positions) = after(&machine, &mesh, options, 120, |_| ());
    let volume: f64 = landed.iter().sum();
    assert!((volume / whole - 1.0).abs() < 0.05, "{volume} of {whole}");
    assert!(landed.iter().all(|&volume| volume > 0.0));
    let lowest = positions.iter().map(|p| p[1]).fold(f32::INFINITY, f32::min);
    assert!(
        (-0.02..0.02).contains(&lowest),
        "lowest point at {lowest} m"
    );
}

#[test]
fn the_baseline_turns_mirrored_tets_back() {
    let machine = machine();
    let shape = small_box();
    let mesh = shape.make().expect("a mesh");
    let options = with_modulus(&shape.options, 1e5);
    let (_, mirrored, _) = after(&machine, &mesh, options.clone(), 0, |article| {
        article.mirror()
    });
    assert!(mirrored.iter().all(|&volume| volume < 0.0));
    let (_, recovered, _) = after(&machine, &mesh, options, 90, |article| article.mirror());
    assert!(
        recovered.iter().all(|&volume| volume > 0.0),
        "{recovered:?}"
    );
}

#[test]
fn a_case_is_reported_with_its_ratio_kernels_and_bytes() {
    let machine = machine();
    let arguments = arguments("--cases box:3 --moduli 1e5 --frames 3 --seconds 0.1");
    let probes = probes::run(&machine).expect("probes");
    assert!(probes.copy_bandwidth > 0.0 && probes.flops > 0.0 && probes.dispatch_seconds > 0.0);
    let mut mesh = small_box();
    mesh.moduli = vec![1e5];
    let reports = cases_of(&machine, &arguments, &mesh).expect("a report");
    let [report] = reports.as_slice() else {
        panic!("{} reports", reports.len())
    };
    let ours = &report.ours;
    assert_eq!((ours.tets, ours.vertices), (162, 64));
    assert_eq!(
        report.baseline.as_ref().map(|one| one.dispatches),
        Some(193)
    );
    let dispatches: usize = ours.kernels.iter().map(|kernel| kernel.dispatches).sum();
    assert_eq!(dispatches, ours.dispatches);
    // Every kernel of the frame has rows: a new kernel or buffer must not be left out of the account.
    for kernel in &ours.kernels {
        assert!(kernel.bytes > 0, "no bytes are known of {}", kernel.name);
    }
    let found = Found {
        cases: reports,
        ..Found::default()
    };
    let json = report::json(&machine, &probes, &found, &arguments);
    assert!(
        json["cases"][0]["ratio"]
            .as_f64()
            .is_some_and(|ratio| ratio > 0.0)
    );
    assert_eq!(json["adapter"]["software"], machine.software);
    let table = report::tables(&found, &probes);
    assert!(table.contains("box:3"), "{table}");
}
