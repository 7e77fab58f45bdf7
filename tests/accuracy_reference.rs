//! The float64 reference itself against stored figures of other programs and against closed forms. Needs no GPU.
#![cfg(not(target_arch = "wasm32"))]

#[path = "common/reference/mod.rs"]
mod reference;

use glam::{DMat3, DVec3};
use reference::*;
use serde_json::Value;
use webgpu_softbody::mesh::TetMesh;

fn data(name: &str) -> Vec<u8> {
    let path = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn stored<T: bytemuck::Pod>(name: &str) -> Vec<T> {
    bytemuck::pod_collect_to_vec::<u8, T>(&data(name))
}

fn json(name: &str) -> Vec<Value> {
    serde_json::from_slice(&data(name)).expect("a list")
}

fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("{value} is a number"))
}

fn mesh(stem: &str) -> TetMesh {
    TetMesh::from_bytes(
        &data(&format!("{stem}_positions.vec3f32bin")),
        &data(&format!("{stem}_tet_indices.vec4u32bin")),
    )
    .expect("it loads")
}

fn vectors(name: &str) -> Vec<DVec3> {
    stored::<[f64; 3]>(name)
        .into_iter()
        .map(DVec3::from)
        .collect()
}

/// Vertices whose coordinate on `axis` is that of the smallest (or largest) one.
fn face(mesh: &TetMesh, axis: usize, largest: bool) -> Vec<u32> {
    let sign = if largest { 1.0 } else { -1.0 };
    let end = mesh
        .positions()
        .iter()
        .map(|x| sign * x[axis])
        .fold(f32::NEG_INFINITY, f32::max);
    (0u32..)
        .zip(mesh.positions())
        .filter(|(_, x)| sign * x[axis] == end)
        .map(|(vertex, _)| vertex)
        .collect()
}

fn model(mesh: &TetMesh, case: &Value, pins: &[u32]) -> Model {
    let solid = Solid {
        youngs_modulus: number(&case["E_Pa"]),
        poisson_ratio: number(&case["nu"]),
        density: case["rho"].as_f64().unwrap_or(1000.0),
    };
    let mut model = Model::new(mesh.positions(), mesh.tets(), solid, pins);
    if let Some(gravity) = case["gravity_m_s2"].as_array() {
        model.gravity = DVec3::from_array(std::array::from_fn(|axis| number(&gravity[axis])));
    }
    model
}

fn factor(model: &Model, shift: f64) -> Cholesky {
    Cholesky::new(&Stiffness::new(model, &model.rest), &model.pinned, shift).expect("definite")
}

fn farthest(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter()
        .zip(b)
        .map(|(a, b)| a.distance(*b))
        .fold(0.0, f64::max)
}

/// Stored matrices are rows first.
fn from_rows<T: Copy + Into<f64>>(rows: [[T; 3]; 3]) -> DMat3 {
    DMat3::from_cols_array_2d(&rows.map(|row| row.map(Into::into))).transpose()
}

#[test]
fn singular_values_and_rotations() {
    for class in ["near_rotation", "random", "inverted", "rank2"] {
        let matrices: Vec<[[f32; 3]; 3]> = stored(&format!("svd/{class}_A.mat3f32bin"));
        let sigmas = vectors(&format!("svd/{class}_sigma.vec3f64bin"));
        let rotations: Vec<[[f64; 3]; 3]> = stored(&format!("svd/{class}_R.mat3f64bin"));
        assert!(matrices.len() == sigmas.len() && sigmas.len() == rotations.len());
        for ((matrix, sigma), rotation) in matrices.into_iter().zip(sigmas).zip(rotations) {
            let svd = signed_svd(from_rows(matrix));
            let size = sigma.x;
            let mut error = svd.sigma - sigma;
            if sigma.z.abs() < 1e-12 * size {
                // The sign of a zero is noise.
                error.z = svd.sigma.z.abs() - sigma.z.abs();
            }
            assert!(
                error.length() < 1e-13 * size,
                "{class}: {} instead of {sigma}",
                svd.sigma
            );
            // How well R is defined; where it is not, the stored one is NaN.
            let gap = (sigma.y + sigma.z) / size;
            if gap < 1e-5 {
                continue;
            }
            let error = svd.rotation() - from_rows(rotation);
            let error = error
                .to_cols_array()
                .map(|e| e * e)
                .iter()
                .sum::<f64>()
                .sqrt();
            assert!(
                error < 1e-13 / gap,
                "{class}: R off by {error:.1e}, gap {gap:.1e}"
            );
        }
    }
}

#[test]
fn energies_and_forces_of_single_tets() {
    let rest: Vec<[[f32; 3]; 4]> = stored("elements/rest.bin");
    let current: Vec<[[f32; 3]; 4]> = stored("elements/current.bin");
    let materials: Vec<[f32; 2]> = stored("elements/material_E_nu.bin");
    let values: Vec<[f64; 5]> = stored("elements/ref_V_J_Carap_Cvol_energy.bin");
    let forces: Vec<[[f64; 3]; 4]> = stored("elements/ref_force.bin");
    assert_eq!(rest.len(), 400);
    for index in 0..rest.len() {
        let wide = |x: [[f32; 3]; 4]| x.map(|x| DVec3::from(x.map(f64::from)));
        let (rest, x) = (wide(rest[index]), wide(current[index]));
        let [e, nu] = materials[index].map(f64::from);
        let element = Element::new([0, 1, 2, 3], &rest);
        let strain = element.strain(&x, Lame::new(e, nu));
        let [volume, _, shape, excess, energy] = values[index];
        let near = |a: f64, b: f64, what: &str| {
            assert!(
                (a - b).abs() <= 1e-9 * b.abs() + 1e-11,
                "{index}: {what} {a}, not {b}"
            );
        };
        near(element.volume / volume, 1.0, "volume");
        near(strain.constraints()[0], shape, "shape");
        near(strain.constraints()[1], excess, "volume constraint");
        near(
            element.volume * strain.energy_density() / energy,
            1.0,
            "energy",
        );
        let scale = forces[index]
            .iter()
            .flatten()
            .fold(0.0, |a: f64, f| a.max(f.abs()));
        for (force, expected) in element.forces(&strain).into_iter().zip(forces[index]) {
            let error = (force - DVec3::from(expected)).length();
            assert!(error < 1e-8 * scale, "{index}: force off by {error}");
        }
    }
}

/// K p against central differences of the forces, far from rest.
#[test]
fn stiffness_is_the_derivative_of_forces() {
    let mesh = mesh("static/cube_6");
    let case = serde_json::json!({ "E_Pa": 1e5, "nu": 0.4 });
    let model = model(&mesh, &case, &[]);
    let wave = |v: usize, scale: f64| {
        let t = v as f64;
        DVec3::new((1.3 * t).sin(), (2.1 * t + 1.0).cos(), (0.7 * t).sin()) * scale
    };
    let x: Vec<DVec3> = (0..343).map(|v| model.rest[v] + wave(v, 0.02)).collect();
    let p: Vec<DVec3> = (0..343).map(|v| wave(3 * v + 5, 1.0)).collect();
    let at = |h: f64| model.elastic_forces(&(0..343).map(|v| x[v] + h * p[v]).collect::<Vec<_>>());
    let (ahead, behind) = (at(1e-6), at(-1e-6));
    let product = Stiffness::new(&model, &x).multiply(&p);
    let error: Vec<DVec3> = (0..343)
        .map(|v| product[v] + (ahead[v] - behind[v]) / 2e-6)
        .collect();
    let relative = norm(&error) / norm(&product);
    println!("K p against differences: {relative:.1e}");
    assert!(relative < 1e-7, "{relative:.1e}");
}

#[test]
fn equilibria_of_beams() {
    let mesh = mesh("static/beam_12x4x4");
    for case in json("static/beams.json") {
        let id = case["id"].as_str().expect("a name");
        let model = model(&mesh, &case, &face(&mesh, 0, false));
        let found = minimise(&model, &factor(&model, 0.0), &model.rest).expect(id);
        let expected = vectors(&format!("static/{id}_equilibrium.vec3f64bin"));
        let size = farthest(&expected, &model.rest);
        let error = farthest(&found.positions, &expected) / size;
        println!(
            "{id}: {error:.1e} of {size:.4} m, {} steps",
            found.newton_steps
        );
        assert!(error < 1e-6, "{id}: off by {error:.1e}");
        let energy = model.elastic_energy(&found.positions);
        assert!(
            (energy / number(&case["elastic_energy_J"]) - 1.0).abs() < 1e-6,
            "{id}"
        );
    }
}

#[test]
fn equilibria_of_real_meshes() {
    for case in json("static/real_meshes.json") {
        let id = case["id"].as_str().expect("a name");
        let mesh = mesh(&format!("real/{}", case["mesh"].as_str().expect("a name")));
        let (min, max) = mesh.used_bounds();
        let held = |x: &[f32; 3]| match id {
            "real_cylinder" => x[0] <= min[0] + 1e-4 * (max[0] - min[0]),
            "real_unit_ball" => x[1] >= max[1] - 0.25 * (max[1] - min[1]),
            other => panic!("{other} is not known"),
        };
        let pins: Vec<u32> = (0u32..)
            .zip(mesh.positions())
            .filter(|(_, x)| held(x))
            .map(|(v, _)| v)
            .collect();
        let model = model(&mesh, &case, &pins);
        let found = minimise(&model, &factor(&model, 0.0), &model.rest).expect(id);
        let expected = vectors(&format!("static/{id}_equilibrium.vec3f64bin"));
        let used: Vec<usize> = (0..expected.len())
            .filter(|&v| model.masses[v] > 0.0)
            .collect();
        let error = used
            .iter()
            .map(|&v| found.positions[v].distance(expected[v]))
            .fold(0.0, f64::max)
            / number(&case["max_vertex_displacement_m"]);
        println!("{id}: {error:.1e}");
        assert!(error < 1e-6, "{id}: off by {error:.1e}");
    }
}

#[test]
fn a_block_on_the_floor() {
    let mesh = mesh("static/cube_6");
    for case in json("static/block_on_frictionless_floor.json") {
        let id = case["id"].as_str().expect("a name");
        let mut model = model(&mesh, &case, &[]);
        model.floor = Some(0.0);
        let found = minimise(&model, &factor(&model, 1e-3), &model.rest).expect(id);
        let top: Vec<usize> = face(&mesh, 1, true).iter().map(|&v| v as usize).collect();
        let drop = 1.0 - Model::mean(&found.positions, &top).y;
        println!("{id}: drop {drop:.8} m, {} steps", found.newton_steps);
        assert!(
            (drop / number(&case["top_mean_drop_m"]) - 1.0).abs() < 1e-6,
            "{id}: {drop}"
        );
        let energy = model.elastic_energy(&found.positions);
        assert!(
            (energy / number(&case["elastic_energy_J"]) - 1.0).abs() < 1e-6,
            "{id}"
        );
    }
}

#[test]
fn a_gripped_cube_pulled() {
    let mesh = mesh("static/cube_6");
    for case in json("static/uniaxial.json") {
        let id = case["id"].as_str().expect("a name");
        let pins = [face(&mesh, 0, false), face(&mesh, 0, true)].concat();
        let model = model(&mesh, &case, &pins);
        let stretch = number(&case["stretch"]);
        let start: Vec<DVec3> = model
            .rest
            .iter()
            .map(|x| DVec3::new(stretch * x.x, x.y, x.z))
            .collect();
        let found = minimise(&model, &factor(&model, 0.0), &start).expect(id);
        let expected = vectors(&format!("static/{id}_gripped_equilibrium.vec3f64bin"));
        assert!(farthest(&found.positions, &expected) < 1e-7, "{id}");
        let forces = model.elastic_forces(&found.positions);
        let reaction: f64 = face(&mesh, 0, true)
            .iter()
            .map(|&v| -forces[v as usize].x)
            .sum();
        let stored = number(&case["fem_gripped"]["reaction_force_N"]);
        assert!((reaction / stored - 1.0).abs() < 1e-6, "{id}: {reaction} N");
    }
}

#[test]
fn natural_frequencies_of_the_beam() {
    let mesh = mesh("static/beam_12x4x4");
    for case in json("modes/modes.json") {
        let model = model(&mesh, &case, &face(&mesh, 0, false));
        let modes = lowest_modes(&model, &factor(&model, 0.0), 6);
        for (mode, stored) in modes.iter().zip(case["modes"].as_array().expect("a list")) {
            let (found, expected) = (mode.frequency, number(&stored["f_hz"]));
            assert!(
                (found / expected - 1.0).abs() < 1e-8,
                "{}: {found} Hz, stored {expected} Hz",
                case["id"]
            );
        }
        // The bound is one, and not a wild one: 1.24 of the highest frequency of such a mesh.
        let highest = highest_frequency(&model);
        let ratio = frequency_bound(&model) / highest;
        println!("{}: bound / highest = {ratio:.3}", case["id"]);
        assert!((1.0..1.5).contains(&ratio), "{ratio}");
    }
}

/// rad/s, by power iteration of M⁻¹K.
fn highest_frequency(model: &Model) -> f64 {
    let stiffness = Stiffness::new(model, &model.rest);
    let mut p: Vec<DVec3> = (0..model.rest.len())
        .map(|v| DVec3::splat((1.7 * v as f64).sin()))
        .collect();
    let mut square = 0.0;
    for _ in 0..400 {
        for (v, p) in p.iter_mut().enumerate() {
            if model.pinned[v] {
                *p = DVec3::ZERO;
            }
        }
        let length = norm(&p);
        p.iter_mut().for_each(|p| *p /= length);
        let kp = stiffness.multiply(&p);
        p = (0..p.len()).map(|v| kp[v] / model.masses[v]).collect();
        square = norm(&p);
    }
    square.sqrt()
}

#[test]
fn release_of_the_beam() {
    let mesh = mesh("static/beam_12x4x4");
    let case = &json("dynamic/release.json")[0];
    let model = model(&mesh, case, &face(&mesh, 0, false));
    let tip: Vec<usize> = face(&mesh, 0, true).iter().map(|&v| v as usize).collect();
    let mut state = State {
        positions: model.rest.clone(),
        velocities: vec![DVec3::ZERO; model.rest.len()],
    };
    let before = model.gravity_energy(&state.positions);
    // A quarter of the stored curve: past the first wave through the beam.
    for frame in 1..=20 {
        verlet(&model, &mut state, 1.0 / 60.0 / 60.0, 60);
        let moved = Model::mean(&state.positions, &tip) - Model::mean(&model.rest, &tip);
        let stored = &case["tip_mean_displacement_m"][frame];
        let stored = DVec3::from_array(std::array::from_fn(|axis| number(&stored[axis])));
        // Stored to 1e-9 m; halving their step moved the curve by 1e-5 m.
        assert!(
            moved.distance(stored) < 3e-5,
            "frame {frame}: {moved}, stored {stored}"
        );
    }
    let energy = model.elastic_energy(&state.positions)
        + model.gravity_energy(&state.positions)
        + model.kinetic_energy(&state.velocities);
    assert!(
        (energy - before).abs() < 1e-3,
        "energy off by {} J",
        energy - before
    );
}
