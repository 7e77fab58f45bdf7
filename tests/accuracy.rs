//! A quick part of `make accuracy`, held to its goals: shapes, frequencies, momenta against the float64 reference.
#![cfg(all(feature = "gpu", feature = "mesh-tools", not(target_arch = "wasm32")))]

#[path = "../examples/accuracy/catalogue.rs"]
mod catalogue;
mod common;
#[path = "../examples/accuracy/lab.rs"]
mod lab;
#[path = "../examples/accuracy/measure.rs"]
mod measure;
#[path = "../examples/accuracy/momenta.rs"]
mod momenta;
#[path = "../examples/accuracy/motion.rs"]
mod motion;
#[path = "common/reference/mod.rs"]
mod reference;
#[path = "../examples/accuracy/signal.rs"]
mod signal;
#[path = "../examples/accuracy/statics.rs"]
mod statics;
#[path = "../examples/accuracy/steps.rs"]
mod steps;
#[path = "../examples/accuracy/table.rs"]
#[allow(dead_code, reason = "the file of figures is the example's")]
mod table;

use lab::{Lab, Way};
use std::f64::consts::TAU;
use webgpu_softbody::settings::SolverSettings;

/// Runs the named cases and fails with all rows that miss their goal.
fn meets_its_goals(settings: SolverSettings, names: &[&str]) {
    let mut lab = Lab::new(common::gpu()).expect("default settings are in range");
    let mut misses = Vec::new();
    println!("{}", table::HEAD);
    for case in catalogue::named(names) {
        let rows = case.run(&mut lab, &Way::new(settings)).expect("it runs");
        assert!(!rows.is_empty(), "{}: nothing was measured", case.name());
        for row in rows {
            println!("{}", row.line());
            if !row.met() {
                misses.push(row.line());
            }
        }
    }
    assert!(misses.is_empty(), "{misses:#?}");
}

#[test]
fn shapes_at_rest() {
    meets_its_goals(SolverSettings::default(), &catalogue::QUICK_STATICS);
}

#[test]
fn motion_of_pinned_bodies() {
    meets_its_goals(SolverSettings::default(), &catalogue::QUICK_MOTION);
}

#[test]
fn motion_of_free_bodies() {
    meets_its_goals(SolverSettings::default(), &catalogue::QUICK_FREE);
}

/// XPBD where 80 evaluations per frame are enough for it: soft bodies.
#[test]
fn xpbd_of_soft_bodies() {
    let cases = [
        "static beam 12×4×4 e 1e5 ν 0.45",
        "static ball e 1e5 ν 0.3",
        "pull { axial: 1.3, gripped: true } cube e 1e6 ν 0.3",
        "stand block e 1e5 ν 0.3",
        "frequency beam 12×4×4 e 1e6 ν 0.3",
        "fall cube 4³ e 1e5 ν 0.3",
    ];
    meets_its_goals(SolverSettings::xpbd(20, 4), &cases);
}

#[test]
fn frequency_of_a_known_signal() {
    for (frequency, ratio) in [(1.4, 0.0), (7.3, 0.01), (25.0, 0.2)] {
        let omega = TAU * frequency;
        let decay = omega * ratio / (1.0_f64 - ratio * ratio).sqrt();
        let interval = 1.0 / 60.0;
        let samples: Vec<f64> = (0..30)
            .map(|n| f64::from(n) * interval)
            .map(|t| 3.0 * (-decay * t).exp() * (omega * t + 0.4).cos())
            .collect();
        let found = signal::fit(&samples, interval);
        assert!(
            (found.frequency / frequency - 1.0).abs() < 1e-9,
            "{found:?}"
        );
        assert!((found.damping_ratio - ratio).abs() < 1e-9, "{found:?}");
    }
    let creeping: Vec<f64> = (0..30).map(|n| (-0.1 * f64::from(n)).exp()).collect();
    assert_eq!(signal::fit(&creeping, 0.1).frequency, 0.0);
}
