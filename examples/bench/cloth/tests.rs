//! The cloth that the product is compared with is one: it falls, stays hung, and its batches are what they should be.

use super::article::{Article, Batch};
use super::{Sheet, Stretch, WIDTH, WIND, run};
use crate::machine::Machine;
use crate::measure::Frames;
use crate::pick;
use crate::report::{self, Found};
use crate::tests::{arguments, machine};
use glam::DVec3;
use std::collections::BTreeSet;

fn flat(sheet: &Sheet) -> Vec<[f32; 3]> {
    let spacing = sheet.spacing() as f32;
    let side = sheet.side;
    (0..side * side)
        .map(|particle| {
            let (i, j) = (particle % side, particle / side);
            [i as f32 * spacing - 1.0, 2.5 - j as f32 * spacing, 0.0]
        })
        .collect()
}

fn after(machine: &Machine, sheet: &Sheet, wind: [f64; 3], frames: u32) -> Vec<[f32; 3]> {
    let start = flat(sheet);
    let mut article =
        Article::new(machine, sheet.side, sheet.spacing(), &start, wind).expect("it fits");
    article.submit(3).expect("frames");
    article.reset().expect("a reset");
    article.submit(frames).expect("frames");
    article.positions().expect("positions")
}

#[test]
fn batches_hold_every_spring_once_and_no_particle_twice() {
    for side in [3, 4, 5, 6, 7, 64] {
        let mut all = BTreeSet::new();
        let mut count = 0;
        for batch in Batch::all() {
            let springs: Vec<[u32; 2]> = batch.springs(side).collect();
            let mut particles = BTreeSet::new();
            for &[a, b] in &springs {
                assert!(
                    particles.insert(a) && particles.insert(b),
                    "{side}: {a} {b} meet another spring of {batch:?}"
                );
                all.insert([a.min(b), a.max(b)]);
            }
            count += springs.len();
        }
        let n = side as usize;
        // Structural, shear, bending.
        let expected = 2 * n * (n - 1) + 2 * (n - 1) * (n - 1) + 2 * n * (n - 2);
        assert_eq!((count, all.len()), (expected, expected), "{side} a side");
    }
}

#[test]
fn the_baseline_falls_stretches_and_stays_hung() {
    let machine = machine();
    let sheet = Sheet::new(12);
    let start = flat(&sheet);
    let hung = after(&machine, &sheet, [0.0; 3], 240);
    let side = sheet.side as usize;
    for particle in 0..side {
        assert_eq!(hung[particle], start[particle], "pinned {particle}");
    }
    for column in hung.chunks_exact(side).collect::<Vec<_>>().windows(2) {
        for (above, below) in column[0].iter().zip(column[1]) {
            assert!(below[1] < above[1], "{below:?} is not below {above:?}");
        }
    }
    let stretch = Stretch::of(&sheet, &hung);
    assert!(
        stretch.largest > 0.01 && stretch.largest < 3.0 && stretch.sag > 0.0,
        "{stretch:?}"
    );
    // Without wind nothing leaves the plane, and left mirrors right but for the order of the batches.
    assert!(hung.iter().all(|p| p[2] == 0.0));
    // In the wind it goes where the wind goes.
    let blown = after(&machine, &sheet, WIND, 60);
    let mean = |axis: usize| {
        let moved = blown.iter().zip(&start).map(|(p, q)| p[axis] - q[axis]);
        moved.sum::<f32>() / blown.len() as f32
    };
    assert!(mean(0) > 0.01 && mean(2) > 0.01, "{} {}", mean(0), mean(2));
}

/// The scheme once more, in f64 and one spring after the other.
fn reference(sheet: &Sheet, wind: [f64; 3], frames: u32) -> Vec<DVec3> {
    let mut now: Vec<DVec3> = flat(sheet)
        .iter()
        .map(|&p| glam::Vec3::from(p).as_dvec3())
        .collect();
    let mut before = now.clone();
    let side = sheet.side;
    let pinned = |particle: u32| particle < side;
    let place =
        |particle: u32| glam::DVec2::new((particle % side).into(), (particle / side).into());
    for _ in 0..frames {
        for particle in side as usize..now.len() {
            let p = now[particle];
            let noise = 0.5 * (2.0 * p.x + 3.0 * p.y).sin() + 0.5;
            let acceleration = DVec3::new(0.0, -9.81, 0.0) + noise * DVec3::from(wind);
            now[particle] += (p - before[particle]) * (1.0 - 0.015) + acceleration / 3600.0;
            before[particle] = p;
        }
        for _ in 0..5 {
            for [a, b] in Batch::all().flat_map(|batch| batch.springs(side)) {
                let rest = sheet.spacing() * place(a).distance(place(b));
                let way = now[b as usize] - now[a as usize];
                // A half of the error, which two free ends share, and the extra factor.
                let correction = 0.5 * (way.length() - rest) * way.normalize();
                let share = if pinned(a) || pinned(b) { 1.0 } else { 0.5 };
                for (end, sign) in [(a, 1.0), (b, -1.0)] {
                    if !pinned(end) {
                        now[end as usize] += sign * share * correction;
                    }
                }
            }
        }
    }
    now
}

#[test]
fn the_baseline_moves_as_its_formulas_say() {
    let machine = machine();
    for (side, frames) in [(5, 1), (6, 20), (19, 20)] {
        let sheet = Sheet::new(side);
        let moved = after(&machine, &sheet, WIND, frames);
        let expected = reference(&sheet, WIND, frames);
        let furthest = moved
            .iter()
            .zip(&expected)
            .map(|(&p, &q)| glam::Vec3::from(p).as_dvec3().distance(q))
            .fold(0.0, |a: f64, b| if a >= b { a } else { b });
        let fallen = 2.5 - WIDTH - expected.last().map_or(0.0, |p| p.y);
        assert!(fallen > 1e-4, "{side}: the hem has fallen {fallen} m");
        assert!(
            furthest < 2e-3 * fallen.max(1e-2),
            "{side}: off by {furthest} m"
        );
    }
}

#[test]
fn a_curtain_is_reported_with_both_ways_its_stretch_and_the_ratio() {
    let machine = machine();
    let arguments = arguments("--cases cloth:12 --frames 3 --seconds 0.1");
    let report = run(&machine, &arguments, &Sheet::new(12)).expect("a report");
    assert_eq!((report.particles, report.substeps), (144, 12));
    assert_eq!(report.edges, 2 * 12 * 11 + 2 * 11 * 11);
    assert_eq!(
        (report.tiles.dispatches, report.batches.dispatches),
        (12 * 4 + 1, 12 * 16 + 1)
    );
    let ours = report.stretched;
    for stretch in [ours.still, ours.windy] {
        assert!(
            stretch.largest > 0.0 && stretch.largest < 0.03,
            "{stretch:?}"
        );
    }
    // The wind lifts silk.
    assert!(ours.windy.sag < 0.0 && ours.still.sag > 0.0, "{ours:?}");
    let article = report.article.as_ref().expect("a baseline");
    assert_eq!(article.dispatches, 62);
    let springs = 2 * 12 * 11 + 2 * 11 * 11 + 2 * 12 * 10;
    assert_eq!(article.solves, 5 * springs);
    assert!(article.stretched.still.largest > ours.still.largest);
    assert!(article.stretched.still.sag > ours.still.sag);
    let found = Found {
        cloths: vec![report],
        picks: pick::run(&machine, 12).expect("answers"),
        ..Found::default()
    };
    let probes = crate::probes::run(&machine).expect("probes");
    let json = report::json(&machine, &probes, &found, &arguments);
    for way in ["tiles", "batches"] {
        let ratio = json["cloths"][0][way]["ratio"].as_f64();
        assert!(ratio.is_some_and(|ratio| ratio > 0.0), "{way}: {ratio:?}");
    }
    for body in 0..2 {
        let answer = &json["pickMs"][body];
        let [idle, behind] = ["idle", "behindFrame"].map(|kind| answer[kind]["median"].as_f64());
        assert!(idle > Some(0.0) && behind > Some(0.0), "{answer}");
    }
    let table = report::tables(&found, &probes);
    assert!(
        table.contains("cloth-12") && table.contains("bunny"),
        "{table}"
    );
}
