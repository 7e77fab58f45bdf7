//! The force of the air on a triangle: ½ρCAv² where that has a closed form, and never more than the air has to give.
#![cfg(all(feature = "gpu", not(target_arch = "wasm32")))]

mod common;
mod wind_support;

use common::Random;
use glam::DVec3;
use webgpu_softbody::layout::WindParams;
use webgpu_softbody::settings::Wind;
use webgpu_softbody::wind::Gusts;
use wind_support::plate::{Plate, RHO, between, forces, inclined, random_plate, rounded, vector};
use wind_support::steady;

#[test]
fn a_plate_in_the_wind() {
    let gpu = common::gpu();
    let speed = 7.0;
    let wind = steady([speed, 0.0, 0.0]);
    for seconds in [0.0, 1.0 / 1200.0, 1.0 / 60.0] {
        for degrees in [0.0_f64, 30.0, 60.0, 90.0] {
            let plate = inclined(degrees, seconds);
            let force = forces(&gpu, &wind, &[plate])[0];
            let (s, c) = degrees.to_radians().sin_cos();
            let (normal, tangent) = (DVec3::new(s, -c, 0.0), DVec3::new(c, s, 0.0));
            // ½ρCA v² with the stream's parts, each over 1 + Δt ½ρC v/σ.
            let whole = 0.5 * RHO * 0.02 * speed * speed;
            let factor = |drag: f64, v: f64| 1.0 / (1.0 + seconds * 0.5 * RHO * drag * v / 0.07);
            let expected = [
                1.2 * whole * s * s * factor(1.2, speed * s),
                0.02 * whole * c * factor(0.02, speed),
            ];
            let found = [force.dot(normal), force.dot(tangent)];
            println!("{degrees}°, Δt = {seconds:.5} s: {found:.6?} N, expected {expected:.6?} N");
            for (part, scale) in [(0, 1.2 * whole), (1, 0.02 * whole)] {
                assert!((found[part] - expected[part]).abs() < 1e-5 * scale);
            }
            assert!(force.z.abs() < 1e-6 * whole);
        }
    }
}

/// Against the formula in `f64`, with gusts and moving corners; and the same force from either face.
#[test]
fn random_plates_agree_with_the_formula() {
    let gpu = common::gpu();
    let mut random = Random::new();
    let gusts = Gusts::new(&Wind {
        velocity: [4.0, -2.0, 9.0],
        gusts: 0.4,
        seed: 11,
        air_density: RHO,
    });
    let params = gusts.params(100.0, [0.0; 3]);
    let plates: Vec<Plate> = (0..10_000).map(|_| random_plate(&mut random)).collect();
    let turned = plates.iter().map(|&plate| {
        let ([a, b, c], [va, vb, vc]) = (plate.corners, plate.velocities);
        Plate {
            corners: [a, c, b],
            velocities: [va, vc, vb],
            ..plate
        }
    });
    let turned: Vec<Plate> = turned.collect();
    let mut worst = 0.0_f64;
    for ((plate, force), other) in plates
        .iter()
        .zip(forces(&gpu, &params, &plates))
        .zip(forces(&gpu, &params, &turned))
    {
        let centre = plate.corners.iter().sum::<DVec3>() / 3.0;
        let air = DVec3::from(gusts.velocity(centre.to_array(), 100.0));
        let expected = plate.force(air);
        // The most that such a stream exerts in any direction.
        let relative = (air - plate.velocity()).length();
        let rate = 0.5 * RHO * plate.normal.max(plate.tangential) * relative;
        let scale =
            plate.area() * relative * rate / (1.0 + plate.seconds * rate / plate.areal_density);
        worst = worst.max((force - expected).length() / scale);
        assert!((force - other).length() < 1e-4 * scale, "{plate:?}");
    }
    println!("10,000 random plates: within {worst:.1e} of the formula");
    assert!(worst < 1e-4, "{worst:e}");
}

/// One step of the force beside the true motion of a free plate, v' = −F(v)/(σA), in small steps of fourth order.
#[test]
fn a_step_is_exact_across_and_along_and_of_second_order_between() {
    let gpu = common::gpu();
    let still = steady([0.0; 3]);
    let truth = |plate: &Plate| {
        let at = |velocity: DVec3| {
            let now = Plate {
                velocities: [velocity; 3],
                seconds: 0.0,
                ..*plate
            };
            now.force(DVec3::ZERO) / (plate.areal_density * plate.area())
        };
        let (mut v, h) = (plate.velocity(), plate.seconds / 400.0);
        for _ in 0..400 {
            let k1 = at(v);
            let k2 = at(v + 0.5 * h * k1);
            let k3 = at(v + 0.5 * h * k2);
            let k4 = at(v + h * k3);
            v += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        }
        v
    };
    let error = |degrees: f64, seconds: f64| {
        let plate = Plate {
            velocities: [DVec3::new(-20.0, 0.0, 0.0); 3],
            tangential: 1.0,
            ..inclined(degrees, seconds)
        };
        let force = forces(&gpu, &still, &[plate])[0];
        let stepped =
            plate.velocity() + plate.seconds * force / (plate.areal_density * plate.area());
        (stepped - truth(&plate)).length() / 20.0
    };
    for degrees in [0.0, 90.0] {
        // Half the speed and more is lost in this step.
        assert!(error(degrees, 1.0 / 100.0) < 1e-5);
    }
    let errors = [16.0, 32.0, 64.0].map(|n| error(45.0, 1.0 / (100.0 * n)));
    println!("45°: {errors:.6?} of the speed, Δt halved twice");
    assert!(errors[2] > 1e-5, "oblique steps have an error: {errors:?}");
    for pair in errors.windows(2) {
        assert!((3.3..4.3).contains(&(pair[0] / pair[1])), "{errors:?}");
    }
}

/// A free plate in still air: no kinetic energy is gained, and neither part of the velocity turns round.
#[test]
fn still_air_only_slows() {
    let gpu = common::gpu();
    let mut random = Random::new();
    let plates: Vec<Plate> = (0..10_000).map(|_| random_plate(&mut random)).collect();
    let still = steady([0.0; 3]);
    let (mut least, mut most) = (1.0_f64, 0.0_f64);
    for (plate, force) in plates.iter().zip(forces(&gpu, &still, &plates)) {
        let change = plate.seconds * force / (plate.areal_density * plate.area());
        let energy = |change: DVec3| -> f64 {
            let corners = plate.velocities.iter();
            corners.map(|&v| (v + change).length_squared()).sum()
        };
        let share = energy(change) / energy(DVec3::ZERO);
        assert!(share < 1.0 + 1e-6, "{plate:?} gains: {share}");
        let (before, unit) = (plate.velocity(), plate.spread().normalize());
        let after = before + change;
        let [across, along] = [before, after].map(|v| (v.dot(unit), v - v.dot(unit) * unit));
        let slack = 1e-5 * before.length_squared();
        assert!(across.0 * along.0 > -slack && across.1.dot(along.1) > -slack);
        assert!(after.length() < before.length() * (1.0 + 1e-6), "{plate:?}");
        let kept = after.length() / before.length();
        (least, most) = (least.min(kept), most.max(kept));
    }
    assert!(least < 0.01 && most > 0.999, "weak and strong were drawn");
}

/// Particles of a whole sheet sum thirds of their triangles' forces, some of them pinned: no energy is gained either, however
/// light the sheet and long the step, and also where its triangles are up to twice as large as at rest.
#[test]
fn a_sheet_in_still_air_gains_nothing() {
    let gpu = common::gpu();
    let mut random = Random::new();
    let still = steady([0.0; 3]);
    const SIDE: usize = 16;
    for round in 0..20 {
        let areal_density = between(&mut random, 1e-4, 1.0);
        let (jitter, stretch) = (random.uniform(0.0, 1.0), random.uniform(1.0, 2.0));
        let points: Vec<DVec3> = (0..SIDE * SIDE)
            .map(|i| {
                let grid = DVec3::new((i % SIDE) as f64, 0.0, (i / SIDE) as f64);
                (0.02 * grid + vector(&mut random, 0.01 * jitter)).map(rounded)
            })
            .collect();
        let velocities: Vec<DVec3> = (0..SIDE * SIDE)
            .map(|i| match i % 37 {
                0 => DVec3::ZERO,
                _ => vector(&mut random, 30.0),
            })
            .collect();
        let at = |x: usize, y: usize| y * SIDE + x;
        let triangles: Vec<[usize; 3]> = (0..SIDE - 1)
            .flat_map(|y| (0..SIDE - 1).map(move |x| (x, y)))
            .flat_map(|(x, y)| {
                let [a, b, c, d] = [at(x, y), at(x + 1, y), at(x, y + 1), at(x + 1, y + 1)];
                [[a, b, c], [b, d, c]]
            })
            .collect();
        let plates: Vec<Plate> = triangles
            .iter()
            .map(|t| Plate {
                corners: t.map(|i| points[i]),
                velocities: t.map(|i| velocities[i]),
                normal: rounded(2.0),
                tangential: rounded(0.5),
                areal_density,
                seconds: rounded(1.0 / 60.0),
            })
            .collect();
        let mut masses = vec![0.0; points.len()];
        let mut impulses = vec![DVec3::ZERO; points.len()];
        for ((t, plate), force) in triangles
            .iter()
            .zip(&plates)
            .zip(forces(&gpu, &still, &plates))
        {
            for &corner in t {
                masses[corner] += areal_density * plate.area() / stretch / 3.0;
                impulses[corner] += plate.seconds * force / 3.0;
            }
        }
        let (mut before, mut after) = (0.0, 0.0);
        for (i, &v) in velocities.iter().enumerate() {
            before += 0.5 * masses[i] * v.length_squared();
            if i % 37 != 0 {
                after += 0.5 * masses[i] * (v + impulses[i] / masses[i]).length_squared();
            }
        }
        println!(
            "round {round}: σ = {areal_density:.1e} kg/m², energy kept {:.4}",
            after / before
        );
        assert!(after < before, "{after} from {before}");
    }
}

#[test]
fn nothing_comes_of_nothing() {
    let gpu = common::gpu();
    let good = inclined(40.0, 1.0 / 600.0);
    let (p, x) = (DVec3::new(0.3, 0.1, -0.2), DVec3::X);
    let with = |corners| Plate { corners, ..good };
    let nothing = [
        with([p, p, p]),
        with([p, p, p + x]),
        with([DVec3::ZERO, x, 2.0 * x]),
        with([DVec3::ZERO, 1e-25 * x, 1e-25 * DVec3::Y]),
    ];
    let wind = steady([7.0, 1.0, 2.0]);
    for (plate, force) in nothing.iter().zip(forces(&gpu, &wind, &nothing)) {
        assert_eq!(force, DVec3::ZERO, "{plate:?}");
    }
    // Carried along by the air, and without air.
    let carried = Plate {
        velocities: [DVec3::new(7.0, 1.0, 2.0); 3],
        ..good
    };
    assert_eq!(forces(&gpu, &wind, &[carried])[0], DVec3::ZERO);
    let vacuum = WindParams {
        air_density: 0.0,
        ..wind
    };
    assert_eq!(forces(&gpu, &vacuum, &[good])[0], DVec3::ZERO);
    // Small, large, light and fast ones give numbers.
    let lightest = |corners| Plate {
        corners,
        areal_density: 1e-4,
        seconds: 1.0 / 30.0,
        normal: 100.0,
        tangential: 100.0,
        velocities: [DVec3::new(1e4, -1e4, 1e4); 3],
    };
    for size in [1e-15, 1e-12, 1e-6, 1.0, 1e4] {
        let plate = lightest([DVec3::ZERO, size * x, size * DVec3::Y]);
        let force = forces(&gpu, &wind, &[plate])[0];
        assert!(force.is_finite(), "{size} m: {force}");
    }
}
