//! Which bodies are measured, and how.

use crate::lab::{Lab, Outcome, Specimen, Way};
use crate::measure::Trial;
use crate::table::Row;
use crate::{momenta, motion, statics, steps};
use glam::DVec3;
use std::rc::Rc;
use webgpu_softbody::mesh::TetMesh;
use webgpu_softbody::meshing::{box_mesh, figures};

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    Static,
    Pull { axial: f64, gripped: bool },
    Stand,
    Frequency,
    Release { seconds: f64 },
    Swing,
    Spin,
    Fall,
    Independence,
}

/// One measurement, to be made with any way to run the solver.
#[derive(Debug, Clone)]
pub struct Case {
    pub kind: Kind,
    pub specimen: Rc<Specimen>,
    /// Pa.
    pub e: f64,
    pub nu: f64,
}

impl Case {
    /// What filters look at.
    pub fn name(&self) -> String {
        let Self {
            kind,
            specimen,
            e,
            nu,
        } = self;
        format!("{kind:?} {} E {e:.0e} ν {nu}", specimen.name).to_lowercase()
    }

    pub fn run(&self, lab: &mut Lab, way: &Way) -> Outcome<Vec<Row>> {
        let trial = Trial {
            specimen: &self.specimen,
            e: self.e,
            nu: self.nu,
            way,
        };
        match self.kind {
            Kind::Static => statics::hang(lab, &trial),
            Kind::Pull { axial, gripped } => statics::pull(lab, &trial, axial, gripped),
            Kind::Stand => statics::stand(lab, &trial),
            Kind::Frequency => motion::frequency(lab, &trial),
            Kind::Release { seconds } => motion::release(lab, &trial, seconds),
            Kind::Swing => motion::swing(lab, &trial),
            Kind::Spin => momenta::spin(lab, &trial),
            Kind::Fall => momenta::fall(lab, &trial),
            Kind::Independence => steps::independence(lab, &trial),
        }
    }
}

/// Everything. Cheap cases first.
pub fn all() -> Vec<Case> {
    let beams = [1, 2, 3].map(beam);
    let [cylinder, ball] = [cylinder(), ball()];
    let figures = [figure("bunny"), figure("hand")];
    let (bar, block) = (bar(), block());
    let (cube, fine) = (free_cube("cube 4³", 4), free_cube("cube 8³", 8));
    let mut cases = Vec::new();
    let mut add = |kind: Kind, specimen: &Rc<Specimen>, es: &[f64], nus: &[f64]| {
        for &nu in nus {
            for &e in es {
                let specimen = specimen.clone();
                cases.push(Case {
                    kind,
                    specimen,
                    e,
                    nu,
                });
            }
        }
    };
    let every_e = [1e4, 1e5, 1e6, 1e7, 1e8];
    let every_nu = [0.0, 0.3, 0.45, 0.49];
    for specimen in [&beams[0], &cylinder, &ball, &figures[0], &figures[1]] {
        add(Kind::Static, specimen, &every_e, &every_nu);
    }
    for axial in [1.1, 1.3] {
        for gripped in [false, true] {
            add(
                Kind::Pull { axial, gripped },
                &bar,
                &[1e5, 1e6, 1e7],
                &[0.0, 0.3, 0.45],
            );
        }
    }
    add(Kind::Stand, &block, &[1e5, 1e6, 1e7], &[0.0, 0.3, 0.45]);
    add(Kind::Frequency, &beams[0], &every_e, &every_nu);
    add(Kind::Frequency, &cylinder, &[1e5, 1e6], &[0.3, 0.45]);
    for specimen in [&ball, &figures[0], &figures[1]] {
        add(Kind::Frequency, specimen, &[1e5, 1e6, 1e7], &[0.3, 0.45]);
    }
    add(
        Kind::Release { seconds: 1.5 },
        &beams[0],
        &[1e5, 1e6],
        &[0.3],
    );
    add(
        Kind::Release { seconds: 0.5 },
        &beams[0],
        &[1e7],
        &[0.0, 0.3],
    );
    add(Kind::Swing, &beams[0], &[1e5, 1e6, 1e7], &[0.3]);
    add(Kind::Spin, &cube, &[1e4, 1e5, 1e6, 1e7], &[0.3]);
    add(Kind::Spin, &fine, &[1e8, 1e9], &[0.3, 0.45]);
    add(Kind::Fall, &cube, &[1e4, 1e5, 1e7], &[0.3]);
    add(Kind::Fall, &fine, &[1e9], &[0.3]);
    add(Kind::Independence, &beams[0], &[1e5, 1e6, 1e7, 1e8], &[0.3]);
    for specimen in &beams[1..] {
        add(Kind::Static, specimen, &every_e, &every_nu);
        add(Kind::Frequency, specimen, &[1e6, 1e7, 1e8], &[0.3, 0.45]);
    }
    cases
}

/// Shapes at rest that `make test` looks at.
pub const QUICK_STATICS: [&str; 11] = [
    "static beam 12×4×4 e 1e5 ν 0.45",
    "static beam 12×4×4 e 1e6 ν 0.3",
    "static beam 12×4×4 e 1e7 ν 0",
    "static beam 12×4×4 e 1e8 ν 0.3",
    "static beam 12×4×4 e 1e8 ν 0.45",
    "static cylinder e 1e6 ν 0.3",
    "static ball e 1e5 ν 0.3",
    "static bunny e 1e6 ν 0.3",
    "pull { axial: 1.3, gripped: true } cube e 1e6 ν 0.3",
    "pull { axial: 1.3, gripped: false } cube e 1e6 ν 0.3",
    "stand block e 1e5 ν 0.3",
];

/// Motion of pinned bodies that `make test` looks at.
pub const QUICK_MOTION: [&str; 5] = [
    "frequency beam 12×4×4 e 1e6 ν 0.3",
    "frequency beam 12×4×4 e 1e7 ν 0.45",
    "frequency beam 12×4×4 e 1e8 ν 0.3",
    "release { seconds: 1.5 } beam 12×4×4 e 1e6 ν 0.3",
    "swing beam 12×4×4 e 1e6 ν 0.3",
];

/// Motion of free bodies that `make test` looks at.
pub const QUICK_FREE: [&str; 3] = [
    "spin cube 4³ e 1e5 ν 0.3",
    "spin cube 4³ e 1e7 ν 0.3",
    "fall cube 4³ e 1e5 ν 0.3",
];

/// The cases with these names, which must exist.
pub fn named(names: &[&str]) -> Vec<Case> {
    let all = all();
    let find = |name: &&str| {
        let found = all.iter().find(|case| case.name() == *name);
        found
            .unwrap_or_else(|| panic!("no case is called {name}"))
            .clone()
    };
    names.iter().map(find).collect()
}

fn face(mesh: &TetMesh, axis: usize, largest: bool) -> Vec<u32> {
    let (min, max) = mesh.used_bounds();
    let end = if largest { max[axis] } else { min[axis] };
    numbers(mesh, |x| x[axis] == end)
}

fn numbers(mesh: &TetMesh, chosen: impl Fn(&[f32; 3]) -> bool) -> Vec<u32> {
    (0u32..)
        .zip(mesh.positions())
        .filter(|(_, x)| chosen(x))
        .map(|(vertex, _)| vertex)
        .collect()
}

fn wide(vertices: Vec<u32>) -> Vec<usize> {
    vertices.into_iter().map(|v| v as usize).collect()
}

/// 1.2 × 0.4 × 0.4 m, held at x = 0.
fn beam(refinement: u32) -> Rc<Specimen> {
    let cells = [12, 4, 4].map(|n| n * refinement);
    let mesh = box_mesh(cells, [1.2, 0.4, 0.4], [0.0; 3]).expect("invariant: a box");
    let names = ["beam 12×4×4", "beam 24×8×8", "beam 36×12×12"];
    Rc::new(Specimen {
        name: names[refinement as usize - 1],
        pins: face(&mesh, 0, false),
        tip: wide(face(&mesh, 0, true)),
        mesh,
        density: 1000.0,
        down: DVec3::NEG_Y,
        folds_below: 5e5,
    })
}

/// A unit cube between two clamps.
fn bar() -> Rc<Specimen> {
    let mesh = box_mesh([6; 3], [1.0; 3], [0.0; 3]).expect("invariant: a box");
    Rc::new(Specimen {
        name: "cube",
        pins: [face(&mesh, 0, false), face(&mesh, 0, true)].concat(),
        tip: Vec::new(),
        mesh,
        density: 1000.0,
        down: DVec3::NEG_Y,
        folds_below: 1e5,
    })
}

/// A unit cube that stands.
fn block() -> Rc<Specimen> {
    let mesh = box_mesh([6; 3], [1.0; 3], [0.0; 3]).expect("invariant: a box");
    Rc::new(Specimen {
        name: "block",
        pins: Vec::new(),
        tip: wide(face(&mesh, 1, true)),
        mesh,
        density: 1000.0,
        down: DVec3::NEG_Y,
        folds_below: 1e5,
    })
}

/// A unit cube in space.
fn free_cube(name: &'static str, cells: u32) -> Rc<Specimen> {
    Rc::new(Specimen {
        name,
        pins: Vec::new(),
        tip: Vec::new(),
        mesh: box_mesh([cells; 3], [1.0; 3], [0.0; 3]).expect("invariant: a box"),
        density: 1000.0,
        down: DVec3::NEG_Y,
        folds_below: 1e5,
    })
}

fn stored(name: &str) -> TetMesh {
    let read = |suffix: &str| {
        let root = env!("CARGO_MANIFEST_DIR");
        let path = format!("{root}/tests/data/real/{name}_{suffix}");
        std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
    };
    TetMesh::from_bytes(
        &read("positions.vec3f32bin"),
        &read("tet_indices.vec4u32bin"),
    )
    .expect("invariant: stored meshes are sound")
}

/// 0.1 m long, irregular, held at one end: the small, stiff body.
fn cylinder() -> Rc<Specimen> {
    let mesh = stored("cylinder");
    let (min, max) = mesh.used_bounds();
    let limit = min[0] + 1e-4 * (max[0] - min[0]);
    Rc::new(Specimen {
        name: "cylinder",
        pins: numbers(&mesh, |x| x[0] <= limit),
        tip: Vec::new(),
        mesh,
        density: 1000.0,
        down: DVec3::NEG_Z,
        folds_below: 1e5,
    })
}

/// 2 m across, valence up to 58, hung from its cap.
fn ball() -> Rc<Specimen> {
    let mesh = stored("unit_ball");
    let (min, max) = mesh.used_bounds();
    let limit = max[1] - 0.25 * (max[1] - min[1]);
    Rc::new(Specimen {
        name: "ball",
        pins: numbers(&mesh, |x| x[1] >= limit),
        tip: Vec::new(),
        mesh,
        density: 300.0,
        down: DVec3::NEG_Y,
        folds_below: 5e4,
    })
}

/// A preset made of a surface, a metre high, held by its foot.
fn figure(name: &'static str) -> Rc<Specimen> {
    let preset = figures().into_iter().find(|preset| preset.slug == name);
    let mesh = preset.expect("invariant: a preset").mesh();
    let (min, max) = mesh.used_bounds();
    let limit = min[1] + 0.08 * (max[1] - min[1]);
    Rc::new(Specimen {
        name,
        pins: numbers(&mesh, |x| x[1] <= limit),
        tip: Vec::new(),
        mesh,
        density: 1000.0,
        down: DVec3::NEG_Y,
        folds_below: 5e5,
    })
}
