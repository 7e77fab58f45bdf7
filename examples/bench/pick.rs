//! How long the answer to a ray takes: from the call to the hit in hand, alone and behind a frame.

use crate::Failure;
use crate::machine::Machine;
use crate::measure::Times;
use crate::report::{align, digits, times};
use glam::{DVec3, Vec3};
use serde_json::{Value, json};
use std::time::Instant;
use webgpu_softbody::cloth::ClothMesh;
use webgpu_softbody::meshing::figures;
use webgpu_softbody::settings::{Environment, SolverSettings};
use webgpu_softbody::simulation::{
    BodyOptions, ClothOptions, Pinned, Ray, Simulation, SimulationError,
};

/// Particles a side of the cloth; a processor that plays the GPU would take minutes for its frames.
pub fn side(software: bool) -> u32 {
    if software { 64 } else { 256 }
}

/// Of the cloth, m.
const WIDTH: f64 = 2.0;
/// Answers of each kind; a processor that plays the GPU takes long for a frame.
const ANSWERS: u32 = 60;
const ANSWERS_OF_SOFTWARE: u32 = 5;
const FRAME_SECONDS: f64 = 1.0 / 60.0;

/// What was found of one body.
pub struct PickReport {
    pub name: String,
    pub triangles: u32,
    /// While nothing else is to do.
    pub idle: Times,
    /// Asked as soon as a frame of 1/60 s is handed to the GPU.
    pub behind_frame: Times,
}

/// The bunny and a cloth of `side` particles a side.
pub fn run(machine: &Machine, side: u32) -> Result<Vec<PickReport>, Failure> {
    let create = || {
        let settings = SolverSettings::default();
        Simulation::new(machine.gpu.clone(), Environment::default(), settings)
    };
    let bunny = figures()
        .into_iter()
        .find(|preset| preset.slug == "bunny")
        .ok_or("there is no bunny")?;
    let mut solid = create()?;
    solid.load(bunny.mesh(), &BodyOptions::from(&bunny))?;
    let mesh = ClothMesh::grid(side, side, WIDTH / f64::from(side - 1))?;
    let mut cloth = create()?;
    let pinned = Pinned::Vertices((0..side).collect());
    let options = ClothOptions {
        pinned,
        drop_to_floor: true,
        ..ClothOptions::default()
    };
    cloth.load_cloth(mesh, &options)?;
    Ok(vec![
        answers(machine, "bunny".to_owned(), &mut solid)?,
        answers(machine, format!("cloth-{side}"), &mut cloth)?,
    ])
}

/// Times answers to a ray through the middle of a body.
fn answers(
    machine: &Machine,
    name: String,
    simulation: &mut Simulation,
) -> Result<PickReport, Failure> {
    let drawn = simulation.drawn().ok_or(SimulationError::NoBody)?;
    let triangles = drawn.surface.triangle_index_count / 3;
    let (min, max) = drawn.initial_bounds;
    let middle = Vec3::from(min).midpoint(Vec3::from(max)).as_dvec3();
    let ray = Ray {
        origin: (middle + 5.0 * DVec3::Z).to_array(),
        direction: [0.0, 0.0, -1.0],
    };
    let count = if machine.software {
        ANSWERS_OF_SOFTWARE
    } else {
        ANSWERS
    };
    let mut ask = |frame: bool| -> Result<f64, Failure> {
        machine.wait()?;
        if frame {
            simulation.step(FRAME_SECONDS)?;
        }
        let begun = Instant::now();
        let hits = pollster::block_on(simulation.pick_all(&[ray])?)?;
        let milliseconds = begun.elapsed().as_secs_f64() * 1e3;
        match hits.first() {
            Some(Some(_)) => Ok(milliseconds),
            _ => Err("the ray through the middle hit nothing".into()),
        }
    };
    let mut timed = |frame: bool| -> Result<Times, Failure> {
        // The first answer waits for the driver's compiler.
        ask(frame)?;
        let found: Result<Vec<f64>, Failure> = (0..count).map(|_| ask(frame)).collect();
        Ok(Times::of(found?, if frame { count } else { 0 }))
    };
    Ok(PickReport {
        name,
        triangles,
        idle: timed(false)?,
        behind_frame: timed(true)?,
    })
}

/// One row per body.
pub fn table(reports: &[PickReport]) -> String {
    let mut rows = vec![
        [
            "pick",
            "triangles",
            "idle ms",
            "p95",
            "behind a frame ms",
            "p95",
        ]
        .map(str::to_owned)
        .to_vec(),
    ];
    for report in reports {
        rows.push(vec![
            report.name.clone(),
            report.triangles.to_string(),
            digits(report.idle.median),
            digits(report.idle.p95),
            digits(report.behind_frame.median),
            digits(report.behind_frame.p95),
        ]);
    }
    let mut text = String::from("\n");
    align(&mut text, &rows);
    text + "From the call to the hit in hand.\n"
}

/// One body, ms.
pub fn json(report: &PickReport) -> Value {
    json!({
        "case": report.name,
        "triangles": report.triangles,
        "idle": times(&report.idle),
        "behindFrame": times(&report.behind_frame),
    })
}
