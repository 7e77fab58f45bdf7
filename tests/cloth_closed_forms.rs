//! Cloth against closed forms: a spring, a pulled sheet, a pendulum, a catenary, a cantilever.
#![cfg(all(feature = "gpu", not(target_arch = "wasm32")))]

mod common;
#[path = "common/cloth.rs"]
mod support;

use common::FALL;
use glam::DVec3;
use support::*;
use webgpu_softbody::cloth::ClothMesh;
use webgpu_softbody::settings::ClothMaterial;

const G: f64 = 9.81;
const DOWN: DVec3 = DVec3::new(0.0, -G, 0.0);

/// A grid of 2 × 2 hung by its upper two: each lower particle, of mass m = ρh²/4, hangs on a border spring k = K/2.
#[test]
fn a_hanging_spring_is_longer_by_mg_over_k() {
    for (stretch, settings) in [(1e-1, AUTO), (1e-2, AUTO), (1e-2, budget(2)), (1e-3, AUTO)] {
        let h = 0.1;
        let material = ClothMaterial {
            stretch,
            areal_density: 2.0,
            damping: 20.0,
            ..THREADS
        };
        let mesh = ClothMesh::grid(2, 2, h).expect("a grid");
        let mut simulation = cloth(FALL, settings, mesh, &made_of(material, &[0, 1]));
        settle(&mut simulation, 1e-4, 5.0);
        let now = places(&simulation);
        let (mass, stiffness) = (material.areal_density * h * h / 4.0, 0.5 / stretch);
        let expected = mass * G / stiffness;
        for lower in [2, 3] {
            let found = -now[lower].y;
            println!(
                "stretch {stretch} m/N: {:.5} of mg/k = {expected:.3e} m",
                found / expected
            );
            assert!(
                (found / expected - 1.0).abs() < 1e-3,
                "{found} m, not {expected} m"
            );
        }
    }
}

/// How far the lower edge of a square hangs below where it is at rest, on average.
fn sag(side: u32, places: &[DVec3]) -> f64 {
    let lower = &places[((side - 1) * side) as usize..];
    -lower.iter().map(|p| p.y).sum::<f64>() / f64::from(side)
}

/// A sheet hung by its upper edge is longer by ρ g L²/(2K): on the grid exactly, where shear is free, and with shear
/// by between what K and K + G give. The substeps are such that a wave along a thread takes several from one particle
/// to the next.
#[test]
fn a_pulled_sheet_has_the_stiffness_that_it_says() {
    let (size, stretch) = (1.0, 5e-2);
    for (side, shear, substeps) in [(9, 1e3, 12), (17, 1e3, 24), (17, 5e-1, 24)] {
        let material = ClothMaterial {
            stretch,
            shear,
            areal_density: 0.5,
            damping: 8.0,
            ..THREADS
        };
        let pins: Vec<u32> = (0..side).collect();
        let options = made_of(material, &pins);
        let mut simulation = cloth(FALL, budget(substeps), square(side, size), &options);
        settle(&mut simulation, 1e-3, 4.0);
        let now = places(&simulation);
        let longer = sag(side, &now);
        let load = material.areal_density * G * size * size / 2.0;
        let (k, g) = (1.0 / stretch, 1.0 / shear);
        let modulus = load / longer;
        let cloth = simulation.cloth().expect("a cloth");
        let exact = sag(
            side,
            &Model::of(&simulation).hang(&now, cloth.pinned(), DOWN),
        );
        println!(
            "{side}², shear {shear} m/N: modulus {:.4} K; longer by {:.4} of float64's",
            modulus / k,
            longer / exact
        );
        assert!((longer / exact - 1.0).abs() < 0.01);
        assert!(modulus > 0.99 * k && modulus < 1.01 * (k + g));
    }
}

/// What one pass per substep leaves: the batch of threads solved first is longer by 2 T Δt²/m (T tension, m mass of a
/// particle) than its compliance says, which is 2NgΔt² above N particles; the batch solved last by nothing.
#[test]
fn one_pass_leaves_the_stretch_that_substeps_are_chosen_by() {
    let (side, size) = (17u32, 2.0);
    for substeps in [6, 12, 24] {
        let material = ClothMaterial {
            stretch: 1e-5,
            damping: 8.0,
            ..THREADS
        };
        let pins: Vec<u32> = (0..side).collect();
        let options = made_of(material, &pins);
        let mut simulation = cloth(FALL, budget(substeps), square(side, size), &options);
        settle(&mut simulation, 1e-3, 6.0);
        let now = places(&simulation);
        let dt = 1.0 / 60.0 / f64::from(substeps);
        let h = size / f64::from(side - 1);
        let at = |row: u32| now[(row * side + side / 2) as usize].y;
        // The first thread moves at one end alone, which gravity has moved already.
        for row in 1..side {
            let hanging = f64::from(side - 1 - row) + 0.5;
            let stretch = at(row - 1)
                - at(row)
                - h
                - material.stretch * material.areal_density * G * h * hanging * h;
            let found = stretch / (2.0 * hanging * G * dt * dt);
            let told = match row {
                1 => 0.5 * (hanging - 1.0) / hanging,
                _ => f64::from(row % 2),
            };
            assert!(
                (found - told).abs() < 0.02,
                "row {row}: {found:.4} of 2NgΔt², not {told}"
            );
        }
        println!("{substeps} substeps: threads longer by 2NgΔt² and 0 in turn");
    }
}

/// Period of a pendulum of this length and amplitude: 2π√(l/g)/agm(1, cos θ/2) (Gauss).
fn period(length: f64, amplitude: f64) -> f64 {
    let (mut a, mut b) = (1.0, (0.5 * amplitude).cos());
    for _ in 0..8 {
        (a, b) = (0.5 * (a + b), f64::sqrt(a * b));
    }
    std::f64::consts::TAU * (length / G).sqrt() / a
}

/// Two rows as stiff as the substeps allow: the lower one swings about the upper. As implicit Euler has it, a small swing
/// loses ω²Δt/2 of its amplitude per second.
#[test]
fn a_pendulum_keeps_its_period() {
    let h = 0.5;
    for (amplitude, settings) in [
        (0.1, AUTO),
        (1.0, AUTO),
        (2.0, AUTO),
        (1.0, budget(5)),
        (1.0, budget(24)),
    ] {
        let material = ClothMaterial {
            stretch: 1e-7,
            ..THREADS
        };
        let mesh = ClothMesh::grid(2, 2, h).expect("a grid");
        let mut simulation = cloth(FALL, settings, mesh, &made_of(material, &[0, 1]));
        let mut start = places(&simulation);
        for lower in &mut start[2..] {
            (lower.y, lower.z) = (h - h * f64::cos(amplitude), h * f64::sin(amplitude));
        }
        put(&mut simulation, &start);
        let (mut crossings, mut before, mut seconds) = (Vec::new(), start[2].z, 0.0);
        let (mut highest, mut swings) = (amplitude, Vec::new());
        while crossings.len() < 5 {
            simulation.step(1.0 / 60.0).expect("a step");
            let now = places(&simulation)[2];
            if before * now.z < 0.0 {
                crossings.push(seconds + before / (before - now.z) / 60.0);
                swings.push(highest);
                highest = 0.0;
            }
            highest = f64::max(highest, now.z.abs().atan2(h - now.y));
            seconds += 1.0 / 60.0;
            before = now.z;
        }
        // The amplitude of the first whole swing is what is left of the start.
        let found = crossings[2] - crossings[0];
        let expected = 0.5 * (period(h, swings[1]) + period(h, swings[2]));
        println!(
            "amplitude {amplitude}, {} substeps: {:.4} of the period; {:.4} of the amplitude left after 2 swings",
            simulation.progress().substeps,
            found / expected,
            swings[4] / amplitude
        );
        assert!((found / expected - 1.0).abs() < 5e-3);
        if amplitude < 0.2 {
            let dt = 1.0 / 60.0 / f64::from(simulation.progress().substeps);
            let seconds = 0.5 * (crossings[3] + crossings[4]);
            let told = f64::exp(-0.5 * G / h * dt * seconds);
            assert!((swings[4] / amplitude - told).abs() < 2e-3, "{told}");
        }
    }
}

/// Half a catenary's parameter: 2 a sinh(D/2a) = L.
fn catenary(span: f64, length: f64) -> f64 {
    let (mut low, mut high) = (1e-3, 1e3);
    while high / low > 1.0 + 1e-14 {
        let a = f64::sqrt(low * high);
        match 2.0 * a * (span / (2.0 * a)).sinh() > length {
            true => low = a,
            false => high = a,
        }
    }
    low
}

/// A strip that is pinned at four places hangs between them in three arcs, each against y = a cosh(x/a), particle by
/// particle along its length. They start as Vs. What is left is the stretch that one pass per substep leaves; the
/// tighter the arc, the more a stretch lowers it.
#[test]
fn a_strip_hangs_as_catenaries() {
    let (segments, length) = (64u32, 1.0);
    let h = length / f64::from(segments);
    let arcs = [(0.5, 0.005), (0.7, 0.007), (0.9, 0.015)];
    let rows = 3 * segments + 1;
    let material = ClothMaterial {
        stretch: 1e-6,
        damping: 8.0,
        strain_limit: Some(0.02),
        ..THREADS
    };
    let mesh = ClothMesh::grid(2, rows, h).expect("a grid");
    let pins: Vec<u32> = (0..8).map(|pin| pin / 2 * 2 * segments + pin % 2).collect();
    let mut simulation = cloth(FALL, AUTO, mesh, &made_of(material, &pins));
    let place = |v: usize, inside: &dyn Fn(f64, f64) -> (f64, f64)| {
        let (column, row) = ((v % 2) as f64, v as u32 / 2);
        let arc = (row / segments).min(2);
        let left: f64 = arcs[..arc as usize].iter().map(|arc| arc.0).sum();
        let span = arcs[arc as usize].0;
        let along = h * f64::from(row - arc * segments) - 0.5 * length;
        let (x, y) = inside(span, along);
        (
            arc as usize,
            DVec3::new(left + 0.5 * span + x, y, column * h),
        )
    };
    let start: Vec<DVec3> = (0..2 * rows as usize)
        .map(|v| {
            let straight = |span: f64, along: f64| {
                let low = (0.25 * (length * length - span * span)).sqrt();
                (
                    span * along / length,
                    low * (2.0 * along.abs() / length - 1.0),
                )
            };
            place(v, &straight).1
        })
        .collect();
    put(&mut simulation, &start);
    let seconds = settle(&mut simulation, 2e-2, 4.0);
    let mut worst = [0.0f64; 3];
    for (v, found) in places(&simulation).iter().enumerate() {
        let (arc, exact) = place(v, &|span, s| {
            let a = catenary(span, length);
            let top = (a * a + 0.25 * length * length).sqrt();
            (a * (s / a).asinh(), (a * a + s * s).sqrt() - top)
        });
        worst[arc] = worst[arc].max((found.x - exact.x).hypot(found.y - exact.y));
    }
    println!(
        "{seconds} s, strain {:.4}, {} substeps a frame",
        largest_strain(&simulation),
        simulation.progress().substeps / 15
    );
    for ((span, bound), worst) in arcs.iter().zip(worst) {
        println!(
            "span {span}: off the catenary by {:.5} of the length",
            worst / length
        );
        assert!(worst < bound * length, "{worst}");
    }
}

/// A strip that is clamped at one end sags by q L⁴/(8B) (Euler and Bernoulli). The clamp holds two rows, of which the
/// second can bend over half a spacing, so that L reaches from the middle between them.
#[test]
fn a_cantilever_sags_by_its_rigidity() {
    let (length, sagging, q) = (1.0, 0.06, 0.1 * G);
    for (rows, substeps) in [(6u32, 40), (9, 80)] {
        let h = length / (f64::from(rows) - 1.5);
        let material = ClothMaterial {
            stretch: 1e-5,
            bend: 8.0 * sagging / (q * length.powi(3)),
            areal_density: 0.1,
            damping: 32.0,
            ..THREADS
        };
        let mesh = ClothMesh::grid(2, rows, h).expect("a grid");
        let pins: Vec<u32> = (0..4).collect();
        let mut simulation = cloth(FALL, budget(substeps), mesh, &made_of(material, &pins));
        let start: Vec<DVec3> = (0..2 * rows)
            .map(|v| DVec3::new(f64::from(v % 2) * h, 0.0, f64::from(v / 2) * h))
            .collect();
        put(&mut simulation, &start);
        settle(&mut simulation, 2e-3, 3.0);
        let now = places(&simulation);
        let cloth = simulation.cloth().expect("a cloth");
        let exact = Model::of(&simulation).hang(&now, cloth.pinned(), DOWN);
        let tip = |at: &[DVec3]| -at[2 * rows as usize - 1].y;
        println!(
            "{rows} rows: tip at {:.4} of q L⁴/8B = {:.3} m, {:.4} of float64's",
            tip(&now) / (sagging * length),
            sagging * length,
            tip(&now) / tip(&exact)
        );
        assert!((tip(&now) / (sagging * length) - 1.0).abs() < 0.03);
        assert!((tip(&now) / tip(&exact) - 1.0).abs() < 0.01);
    }
}
