//! What no step of cloth may gain or lose: energy, momentum, free fall, the same bits from run to run; and what it
//! recovers from.
#![cfg(all(feature = "gpu", not(target_arch = "wasm32")))]

mod common;
#[path = "common/cloth.rs"]
mod support;

use common::*;
use glam::DVec3;
use support::*;
use webgpu_softbody::settings::{ClothMaterial, SolverSettings, Transform};
use webgpu_softbody::simulation::{ClothOptions, Simulation};

/// Silk that loses nothing but what the scheme loses.
const LOSSLESS: ClothMaterial = ClothMaterial {
    strain_limit: None,
    damping: 0.0,
    normal_drag: 0.0,
    tangential_drag: 0.0,
    ..ClothMaterial::SILK
};

/// A square of one metre in space, stretched, crumpled and thrown at random.
fn crumpled(
    random: &mut Random,
    side: u32,
    material: ClothMaterial,
    settings: SolverSettings,
) -> Simulation {
    let mut simulation = cloth(SPACE, settings, square(side, 1.0), &made_of(material, &[]));
    let h = 1.0 / f64::from(side - 1);
    let mut around =
        |size: f64| DVec3::new(random.normal(), random.normal(), random.normal()) * size;
    let (mut at, mut speed) = (Vec::new(), Vec::new());
    for place in places(&simulation) {
        at.push((1.2 * place + around(0.3 * h)).as_vec3().to_array());
        speed.push(around(1.0).as_vec3().to_array());
    }
    simulation.set_state(&at, &speed).expect("a cloth");
    simulation
}

/// Kinetic and elastic energy, every tenth of a second for five seconds. Where the substeps resolve the threads (a wave
/// takes several from one particle to the next) it falls from each mark to the next but for a thousandth. Where they do
/// not, what one pass leaves of the stretch counts as elastic energy, and comes and goes: by a thousandth of the start.
#[test]
fn energy_of_an_unforced_cloth_only_falls() {
    let mut random = Random::new();
    let resolved = ClothMaterial {
        stretch: 5e-2,
        shear: 2e-1,
        bend: 1e4,
        areal_density: 0.5,
        ..LOSSLESS
    };
    for (name, material, of_itself, of_start, left) in [
        ("resolved", resolved, 1e-3, 0.0, 0.1),
        ("silk", LOSSLESS, 0.0, 1e-3, 1e-2),
    ] {
        let mut simulation = crumpled(&mut random, 16, material, AUTO);
        let model = Model::of(&simulation);
        let start = model.energy(&simulation);
        let (mut before, mut largest) = (start, 0.0f64);
        for tenth in 1..=50 {
            simulation.step(0.1).expect("a step");
            let energy = model.energy(&simulation);
            largest = largest.max((energy - before) / start);
            assert!(
                energy <= before * (1.0 + of_itself) + start * of_start,
                "{name} at {} s: {energy:.3e} J after {before:.3e}",
                0.1 * f64::from(tenth)
            );
            before = energy;
        }
        println!(
            "{name}: {start:.2e} J, after 5 s {before:.2e}; largest rise {largest:.1e} of the start"
        );
        assert!(before < left * start);
    }
}

#[test]
fn momentum_is_conserved_in_free_flight() {
    let mut random = Random::new();
    let mut simulation = crumpled(&mut random, 16, LOSSLESS, AUTO);
    let masses = Model::of(&simulation).masses;
    let speed = velocities(&simulation);
    let before = momentum(&masses, &speed);
    let each = masses.iter().zip(wide(&speed));
    let scale: f64 = each.map(|(mass, v)| mass * v.length()).sum();
    for second in 1..=2 {
        simulation.step(1.0).expect("a step");
        let after = momentum(&masses, &velocities(&simulation));
        let off = (after - before).length() / scale;
        println!("after {second} s: momentum off by {off:.2e}");
        assert!(off < 1e-5, "{off:.2e}");
    }
}

/// Threads pull along where they will be, as implicit Euler has it: a spinning sheet loses ω²Δt of its angular momentum
/// per second, no more. 1/ω² grows by 2Δt per second.
#[test]
fn a_spinning_sheet_loses_what_implicit_euler_loses() {
    for substeps in [12, 24] {
        let stiff = ClothMaterial {
            stretch: 1e-5,
            shear: 1e-5,
            ..LOSSLESS
        };
        let mut simulation = cloth(
            SPACE,
            budget(substeps),
            square(8, 1.0),
            &made_of(stiff, &[]),
        );
        let rate = 4.0;
        let at = positions(&simulation);
        let speed: Vec<[f32; 3]> = wide(&at)
            .iter()
            .map(|p| DVec3::Z.cross(*p - DVec3::Y * 0.5) * rate)
            .map(|v| v.as_vec3().to_array())
            .collect();
        simulation.set_state(&at, &speed).expect("a cloth");
        let masses = Model::of(&simulation).masses;
        let turn = |simulation: &Simulation| {
            angular_momentum(&masses, &positions(simulation), &velocities(simulation)).z
        };
        let start = turn(&simulation);
        let seconds = 2.0;
        simulation.step(seconds).expect("a step");
        let left = turn(&simulation) / start;
        let dt = 1.0 / 60.0 / f64::from(substeps);
        let told = (1.0 + 2.0 * rate * rate * dt * seconds).sqrt().recip();
        println!("{substeps} substeps: {left:.4} of the angular momentum left, {told:.4} told");
        assert!((left - told).abs() < 0.1 * (1.0 - told), "{left} {told}");
    }
}

/// y = −g Δt² n(n+1)/2 of semi-implicit Euler, at any place.
#[test]
fn free_fall_is_the_closed_form() {
    for height in [0.0, 1000.0] {
        let options = ClothOptions {
            material: LOSSLESS,
            transform: Transform {
                translation: [0.0, height, 0.0],
                ..Transform::default()
            },
            ..ClothOptions::default()
        };
        let mut simulation = cloth(FALL, AUTO, square(8, 1.0), &options);
        let start = places(&simulation);
        simulation.step(0.5).expect("a step");
        let n = f64::from(simulation.progress().substeps);
        let dt = 0.5 / n;
        let (drop, speed) = (9.81 * dt * dt * n * (n + 1.0) / 2.0, 9.81 * 0.5);
        for (now, start) in places(&simulation).iter().zip(&start) {
            let off = (*now - *start + DVec3::Y * drop).length();
            assert!(off < 1e-4 * drop, "at {height} m off by {off:.2e} m");
        }
        for v in wide(&velocities(&simulation)) {
            assert!((v + DVec3::Y * speed).length() < 1e-4 * speed, "{v}");
        }
    }
}

#[test]
fn a_flat_sheet_at_rest_stays() {
    let mut simulation = cloth(SPACE, AUTO, square(16, 1.0), &made_of(LOSSLESS, &[]));
    let start = places(&simulation);
    simulation.step(5.0).expect("a step");
    let drift = places(&simulation)
        .iter()
        .zip(&start)
        .map(|(now, start)| now.distance(*start))
        .fold(0.0, f64::max);
    println!("drift {drift:.2e} m in 5 s");
    assert!(drift < 1e-6);
}

#[test]
fn runs_repeat_bit_for_bit() {
    let run = || {
        let mut simulation = crumpled_the_same();
        simulation.step(0.5).expect("a step");
        (positions(&simulation), velocities(&simulation))
    };
    let (first, second) = (run(), run());
    assert_finite(&first.0, "positions");
    assert!(first == second, "two runs differ");
}

/// A wavy mesh (no grid) that hangs by two vertices, from where its elements are far from rest.
fn crumpled_the_same() -> Simulation {
    let mut simulation = cloth(
        FALL,
        AUTO,
        disc(12),
        &made_of(ClothMaterial::SILK, &[0, 40]),
    );
    let at: Vec<DVec3> = places(&simulation)
        .iter()
        .map(|p| DVec3::new(0.7 * p.x, p.y, 0.2 * (9.0 * p.x + 5.0 * p.y).sin()))
        .collect();
    put(&mut simulation, &at);
    simulation
}

/// Torn, scattered, collapsed, without compliance: numbers stay numbers, and the cloth comes back to where it hangs.
#[test]
fn cloth_survives_what_tears_it() {
    let mut random = Random::new();
    let side = 16u32;
    let pins: Vec<u32> = (0..side).collect();
    let silk = ClothMaterial {
        damping: 4.0,
        ..ClothMaterial::SILK
    };
    let rigid = ClothMaterial {
        stretch: 0.0,
        shear: 0.0,
        strain_limit: Some(0.0),
        ..silk
    };
    // Metres by which one particle, and every one, is off.
    for (name, material, torn, scattered) in [
        ("torn", silk, 10.0 / 15.0, 0.0),
        ("torn, without compliance", rigid, 10.0 / 15.0, 0.0),
        ("scattered", silk, 0.0, 2.0),
        ("scattered, without compliance", rigid, 0.0, 2.0),
    ] {
        let mut simulation = cloth(FALL, AUTO, square(side, 1.0), &made_of(material, &pins));
        let rest = places(&simulation);
        let mut at = rest.clone();
        at[100].z += torn;
        for place in &mut at[side as usize..] {
            *place += DVec3::from([(); 3].map(|()| random.uniform(-1.0, 1.0) * scattered));
        }
        put(&mut simulation, &at);
        simulation.step(1.0).expect("60 frames");
        assert_finite(&positions(&simulation), name);
        assert_finite(&velocities(&simulation), name);
        simulation.step(2.0).expect("120 frames");
        let pairs = rest.iter().zip(places(&simulation));
        let off = pairs.map(|(a, b)| a.distance(b)).sum::<f64>() / rest.len() as f64;
        println!(
            "{name}: {off:.4} m from rest on average, strain {:.4}",
            largest_strain(&simulation)
        );
        assert!(largest_strain(&simulation) < 0.1, "{name}: strained");
        // What was thrown about by twice its size may fold over itself on the way back, and hang so: nothing keeps a sheet
        // from passing through itself yet. It hangs within its length then.
        let most = if scattered > 0.0 { 1.0 } else { 0.05 };
        assert!(off < most, "{name}: {off} m from rest");
    }

    // All in one place, where no thread has a direction, of what may not even bend.
    let plate = ClothMaterial { bend: 0.0, ..rigid };
    let mut simulation = cloth(FALL, AUTO, square(side, 1.0), &made_of(plate, &pins));
    let mut at = places(&simulation);
    at[side as usize..].fill(DVec3::ZERO);
    put(&mut simulation, &at);
    simulation.step(1.0).expect("60 frames");
    assert_finite(&positions(&simulation), "collapsed");
    assert!(largest_strain(&simulation) < 0.1);
}
