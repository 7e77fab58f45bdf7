//! What no step may change or lose: rest, momentum, free fall, pins, the same bits from run to run.
#![cfg(all(feature = "gpu", not(target_arch = "wasm32")))]

#[macro_use]
mod common;

use common::*;
use glam::DVec3;
use webgpu_softbody::mesh::TetMesh;
use webgpu_softbody::meshing::box_mesh;
use webgpu_softbody::settings::{Environment, Material, Scheme, SolverSettings, Transform};
use webgpu_softbody::simulation::{BodyOptions, Pinned};
for_both_schemes!(
    rest_pose_stays,
    rest_pose_stays_for_small_bodies_far_away,
    free_fall_is_the_closed_form,
    free_fall_a_kilometre_away_is_the_same,
    momenta_are_conserved,
    rigid_spin_keeps_its_rate,
    pinned_vertices_do_not_move_at_all,
    runs_repeat_bit_for_bit,
    settings_change_without_a_pop,
    reset_goes_back_to_the_start
);

fn cube(cells: u32) -> TetMesh {
    box_mesh([cells; 3], [1.0; 3], [0.0; 3]).expect("a box")
}

fn plain() -> BodyOptions {
    BodyOptions {
        material: PLAIN,
        ..Default::default()
    }
}

/// A tilt of 1 rad about (1, 2, 3)/√14.
fn tilted() -> Transform {
    let axis = DVec3::new(1.0, 2.0, 3.0).normalize() * 0.5_f64.sin();
    Transform {
        rotation: [axis.x, axis.y, axis.z, 0.5_f64.cos()],
        ..Default::default()
    }
}

/// Largest drift and, of XPBD, the largest strain that it met, of a cube of `size` with its middle near `place` on every
/// axis. The explicit scheme keeps no account of strain; a drift as small as it is held to leaves none.
fn rest_drift(
    settings: SolverSettings,
    size: f32,
    place: f64,
    cells: u32,
    frames: u32,
) -> (f32, f32) {
    let mesh = box_mesh([cells; 3], [size; 3], [0.0; 3]).expect("a box");
    let transform = Transform {
        translation: [place; 3],
        ..Default::default()
    };
    let options = BodyOptions {
        transform,
        ..plain()
    };
    let mut simulation = world(SPACE, settings, mesh, &options);
    let before = relative_positions(&simulation);
    let mut residual = 0.0_f32;
    for frame in 0..frames {
        simulation.step(1.0 / 60.0).unwrap();
        let looks = frame % 250 == 0 || frame == frames - 1;
        if looks && settings.scheme == Scheme::Xpbd {
            residual = constraints(&simulation)
                .iter()
                .map(|c| c[2].abs().max(c[3].abs()))
                .fold(residual, f32::max);
        }
    }
    let after = relative_positions(&simulation);
    assert_finite(&after, "positions");
    let drift = before
        .iter()
        .zip(&after)
        .flat_map(|(a, b)| (0..3).map(move |i| (a[i] - b[i]).abs()))
        .fold(0.0, f32::max);
    (drift / size, residual)
}

/// 1,000 frames at rest, without gravity: less than 1e-6 of the size, strains below 1e-6.
fn rest_pose_stays(settings: SolverSettings) {
    let (drift, residual) = rest_drift(settings, 1.0, 0.0, 5, 1000);
    println!("1000 frames: drift {drift:.2e} L, residual {residual:.2e}");
    assert!(drift < 1e-6, "drift {drift:.2e} L");
    assert!(residual < 1e-6, "residual {residual:.2e}");
}

/// The same for small bodies away from the origin. Rounding the start to f32 is a strain of some 1e-7 per coordinate
/// of one size, which relaxes.
fn rest_pose_stays_for_small_bodies_far_away(settings: SolverSettings) {
    for (size, place) in [
        (1.0, 7.3),
        (0.1, 7.3),
        (0.01, 7.3),
        (0.001, 123.4),
        (1e-4, 0.7),
    ] {
        let (drift, residual) = rest_drift(settings, size, place, 3, 60);
        println!("{size} m at {place} m: drift {drift:.2e} L, residual {residual:.2e}");
        assert!(drift < 5e-6, "{size} m at {place} m drifts {drift:.2e} L");
        assert!(
            residual < 1e-5,
            "{size} m at {place} m: strain {residual:.2e}"
        );
    }
}

/// Semi-implicit Euler: y_n = y_0 − g Δt² n(n+1)/2, v_n = −n g Δt. Each of the 1200 additions of gΔt = 8.2e-3 m/s
/// rounds v by at most half an ulp (4.8e-7 m/s for 8 ≤ v < 16), all of one sign in the worst case: 5.8e-5 of v. The
/// drop inherits it, and its own roundings (|y| ≤ 8 m: 2.4e-7 m each) add 6e-5 in the worst case of equal signs.
const FALL_BOUND: f64 = 6e-5;

fn free_fall(settings: SolverSettings, start: [f64; 3]) {
    let options = BodyOptions {
        transform: Transform {
            translation: start,
            ..tilted()
        },
        ..plain()
    };
    let mut simulation = world(FALL, settings, cube(3), &options);
    let masses = masses(&simulation);
    let before = mass_center(&masses, &positions(&simulation));
    simulation.step(1.0).unwrap();
    let (x, v) = (positions(&simulation), velocities(&simulation));
    let n = f64::from(simulation.progress().substeps);
    let dt = 1.0 / n;
    let expected_drop = 9.81 * dt * dt * n * (n + 1.0) / 2.0;
    let expected_speed = 9.81;
    // Velocities and mass-centre moves relative to the closed form. World positions at 1 km are given in f32 metres
    // (ulp 6e-5), so the drop is taken from y, which is near 0.
    let drop = before.y - mass_center(&masses, &x).y;
    let speed = -momentum(&masses, &v).y / masses.iter().sum::<f64>();
    println!(
        "from {start:?}: drop error {:.2e}, speed error {:.2e}",
        drop / expected_drop - 1.0,
        speed / expected_speed - 1.0
    );
    assert!(
        (drop / expected_drop - 1.0).abs() < 2.0 * FALL_BOUND,
        "drop {drop}, expected {expected_drop}"
    );
    assert!(
        (speed / expected_speed - 1.0).abs() < FALL_BOUND,
        "speed {speed}"
    );
    // Undeformed: every vertex has the same velocity, and no sideways one.
    for velocity in &v {
        assert!(
            velocity[0].abs() < 2e-3 && velocity[2].abs() < 2e-3,
            "sideways {velocity:?}"
        );
        assert!(
            (f64::from(velocity[1]) + expected_speed).abs() < 2e-3,
            "apart {velocity:?}"
        );
    }
}

fn free_fall_is_the_closed_form(settings: SolverSettings) {
    free_fall(settings, [0.0, 0.0, 0.0]);
}

fn free_fall_a_kilometre_away_is_the_same(settings: SolverSettings) {
    free_fall(settings, [0.0, 0.0, 1000.0]);
    free_fall(settings, [-777.7, 0.0, 1000.3]);
}

/// Bodies that wobble and spin in space keep their momenta.
fn momenta_are_conserved(settings: SolverSettings) {
    let mut random = Random::new();
    let mut simulation = world(SPACE, settings, cube(4), &plain());
    let masses = masses(&simulation);
    let start = positions(&simulation);
    let center = mass_center(&masses, &start);
    let spin = DVec3::new(random.normal(), random.normal(), random.normal()).normalize() * 3.0;
    let drift = DVec3::new(0.7, -0.4, 0.2);
    // Spin and drift and a noise of waves.
    let moving: Vec<[f32; 3]> = start
        .iter()
        .map(|x| {
            let arm = DVec3::from(x.map(f64::from)) - center;
            let noise = DVec3::new(random.normal(), random.normal(), random.normal()) * 0.1;
            (spin.cross(arm) + drift + noise).as_vec3().to_array()
        })
        .collect();
    simulation.set_state(&start, &moving).unwrap();
    let scale: f64 = masses
        .iter()
        .zip(&moving)
        .map(|(m, v)| m * DVec3::from(v.map(f64::from)).length())
        .sum();
    let p0 = momentum(&masses, &moving);
    let l0 = angular_momentum(&masses, &start, &moving);
    simulation.step(2.0).unwrap();
    let (x, v) = (positions(&simulation), velocities(&simulation));
    assert_finite(&x, "positions");
    let linear = (momentum(&masses, &v) - p0).length() / scale;
    // Relative to Σ m |x − c| |v|: L itself is a difference of the spin's and the drift's, and may nearly vanish.
    let arms: f64 = (0..masses.len())
        .map(|i| {
            let arm = DVec3::from(start[i].map(f64::from)) - center;
            masses[i] * arm.length() * DVec3::from(moving[i].map(f64::from)).length()
        })
        .sum();
    let angular = (angular_momentum(&masses, &x, &v) - l0).length() / arms;
    println!(
        "2 s of spin and waves: linear drift {linear:.2e} of Σm|v|, angular drift {angular:.2e}"
    );
    assert!(linear < 1e-5, "linear momentum drifts by {linear:.2e}");
    let bound = match settings.scheme {
        // Forces of a tet turn nothing, and semi-implicit Euler keeps x × v: rounding is left.
        Scheme::Explicit => 1e-5,
        // Corrections act where the substep would end, which loses ω²Δt per second: 9/1200 · 2 = 1.5e-2 here, and the
        // waves' own part.
        Scheme::Xpbd => 2e-2,
    };
    assert!(angular < bound, "angular momentum drifts by {angular:.2e}");
}

/// A body set spinning as if rigid keeps its rate but for the little it stretches (2 rad/s on a 1 m cube of 1 MPa).
fn rigid_spin_keeps_its_rate(settings: SolverSettings) {
    let material = Material {
        youngs_modulus: 1e6,
        ..PLAIN
    };
    let mut simulation = world(
        SPACE,
        settings,
        cube(4),
        &BodyOptions {
            material,
            ..plain()
        },
    );
    let masses = masses(&simulation);
    let start = positions(&simulation);
    let center = mass_center(&masses, &start);
    let spin = DVec3::new(0.0, 2.0, 0.0);
    let moving: Vec<[f32; 3]> = start
        .iter()
        .map(|x| {
            spin.cross(DVec3::from(x.map(f64::from)) - center)
                .as_vec3()
                .to_array()
        })
        .collect();
    simulation.set_state(&start, &moving).unwrap();
    // Mean angle of the vertices about the axis, followed frame by frame.
    let mut angle = 0.0;
    let mut last = positions(&simulation);
    for _ in 0..120 {
        simulation.step(1.0 / 60.0).unwrap();
        let now = positions(&simulation);
        let (mut sine, mut cosine) = (0.0, 0.0);
        for ((a, b), m) in last.iter().zip(&now).zip(&masses) {
            let (ax, az) = (f64::from(a[0]) - center.x, f64::from(a[2]) - center.z);
            let (bx, bz) = (f64::from(b[0]) - center.x, f64::from(b[2]) - center.z);
            sine += m * (az * bx - ax * bz);
            cosine += m * (ax * bx + az * bz);
        }
        angle += sine.atan2(cosine);
        last = now;
    }
    println!("turned {angle:.4} rad in 2 s at 2 rad/s");
    assert!(
        (angle / 4.0 - 1.0).abs() < 0.01,
        "turned {angle} rad instead of 4"
    );
}

fn pinned_vertices_do_not_move_at_all(settings: SolverSettings) {
    let pinned = Pinned::Box {
        min: [0.0; 3],
        max: [0.0, 1.0, 1.0],
    };
    let options = BodyOptions {
        pinned,
        transform: tilted(),
        ..plain()
    };
    let mut simulation = world(Environment::default(), settings, cube(4), &options);
    let held: Vec<usize> = (0..125)
        .filter(|&v| simulation.body().unwrap().pinned()[v])
        .collect();
    assert_eq!(held.len(), 25);
    let before = positions(&simulation);
    simulation.step(1.0).unwrap();
    let after = positions(&simulation);
    assert!(
        held.iter().all(|&v| before[v] == after[v]),
        "a pinned vertex moved"
    );
    assert!(
        (0..125).any(|v| before[v] != after[v]),
        "nothing moved at all"
    );
    // Let go, it falls; pins beyond the mesh are refused and change nothing.
    let message = simulation.pin(&[3, 125]).unwrap_err().to_string();
    assert!(message.contains("125"), "{message}");
    simulation.unpin(None).unwrap();
    simulation.step(0.5).unwrap();
    let fallen = positions(&simulation);
    assert!(
        held.iter().all(|&v| fallen[v] != after[v]),
        "an unpinned vertex hangs on"
    );
}

/// Same input, same bits: no atomics, no order that depends on the schedule.
fn runs_repeat_bit_for_bit(settings: SolverSettings) {
    let run = || {
        let options = BodyOptions {
            transform: Transform {
                translation: [0.0, 1.0, 0.0],
                ..tilted()
            },
            ..Default::default()
        };
        let mut simulation = world(Environment::default(), settings, cube(4), &options);
        simulation.step(1.0).unwrap();
        (positions(&simulation), velocities(&simulation))
    };
    assert!(run() == run(), "two runs differ");
}

/// Changing the material while at rest moves nothing at once.
fn settings_change_without_a_pop(settings: SolverSettings) {
    let mut simulation = world(SPACE, settings, cube(3), &plain());
    simulation.step(0.5).unwrap();
    let before = positions(&simulation);
    simulation.set_material(Material::STIFF).unwrap();
    let other = match settings.scheme {
        Scheme::Explicit => SolverSettings::explicit(Some(30)),
        Scheme::Xpbd => SolverSettings::xpbd(7, 2),
    };
    simulation.set_settings(other).unwrap();
    simulation.step(0.5).unwrap();
    let moved = before
        .iter()
        .zip(positions(&simulation))
        .flat_map(|(a, b)| (0..3).map(move |i| (a[i] - b[i]).abs()))
        .fold(0.0, f32::max);
    assert!(moved < 1e-6, "moved {moved}");
    let gravity = Environment {
        gravity: [0.0, 0.0, 3.0],
        floor: None,
    };
    simulation.set_environment(gravity).unwrap();
    simulation.step(0.5).unwrap();
    let speed = velocities(&simulation)[0][2];
    // STIFF has a damping of 1 1/s: v = g/c (1 − e^(−ct)) but for the substep's size.
    let expected = 3.0 * (1.0 - (-0.5_f32).exp());
    assert!(
        (speed / expected - 1.0).abs() < 0.02,
        "speed {speed}, expected {expected}"
    );
}

/// A body that sags under its weight goes on from one scheme to the other and back where it is, and comes to rest at
/// the same place: both have the same equilibrium.
#[test]
fn schemes_change_without_a_pop() {
    let pinned = Pinned::Box {
        min: [0.0; 3],
        max: [0.0, 1.0, 1.0],
    };
    let material = Material {
        damping: 20.0,
        ..PLAIN
    };
    let options = BodyOptions {
        material,
        pinned,
        ..Default::default()
    };
    let mut simulation = world(FALL, EXPLICIT, cube(3), &options);
    let apart = |a: &[[f32; 3]], b: &[[f32; 3]]| {
        let gaps = a
            .iter()
            .zip(b)
            .flat_map(|(a, b)| (0..3).map(|i| (a[i] - b[i]).abs()));
        gaps.fold(0.0, f32::max)
    };
    let start = positions(&simulation);
    simulation.step(2.0).unwrap();
    let sagged = positions(&simulation);
    let sag = apart(&start, &sagged);
    for settings in [XPBD, EXPLICIT] {
        simulation.set_settings(settings).unwrap();
        let mut farthest = 0.0_f32;
        for _ in 0..30 {
            simulation.step(1.0 / 60.0).unwrap();
            farthest = farthest.max(apart(&sagged, &positions(&simulation)));
        }
        println!(
            "{:?}: sag {sag:.4} m, moved {farthest:.2e} m after the change",
            settings.scheme
        );
        assert!(
            farthest < 0.01 * sag,
            "{settings:?}: moved {farthest} m of {sag} m"
        );
    }
}

fn reset_goes_back_to_the_start(settings: SolverSettings) {
    let options = BodyOptions {
        transform: Transform {
            translation: [0.0, 2.0, 0.0],
            ..tilted()
        },
        ..plain()
    };
    let mut simulation = world(Environment::default(), settings, cube(3), &options);
    let start = positions(&simulation);
    simulation.step(1.5).unwrap();
    assert!(positions(&simulation) != start);
    simulation.reset().unwrap();
    assert!(positions(&simulation) == start);
    assert!(velocities(&simulation).iter().all(|v| *v == [0.0; 3]));
    assert_eq!(simulation.progress().simulated_seconds, 0.0);
}
