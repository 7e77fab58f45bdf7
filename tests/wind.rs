//! Gusts: free of divergence, as strong as asked, seeded, smooth, carried downstream, and the same on the GPU.
#![cfg(all(feature = "gpu", not(target_arch = "wasm32")))]

mod common;
mod wind_support;

use common::Random;
use glam::DVec3;
use webgpu_softbody::layout::{WIND_WAVES, WindWave};
use webgpu_softbody::settings::Wind;
use webgpu_softbody::wind::Gusts;
use wind_support::map;

const SEEDS: [u32; 6] = [0, 1, 2, 3, 1_000_003, u32::MAX];

fn wind(seed: u32) -> Wind {
    Wind {
        velocity: [6.0, 0.0, 3.0],
        gusts: 0.3,
        seed,
        ..Wind::default()
    }
}

fn speed(wind: &Wind) -> f64 {
    DVec3::from(wind.velocity).length()
}

/// The gusts without the mean wind.
fn gust(wind: &Wind, gusts: &Gusts, point: DVec3, seconds: f64) -> DVec3 {
    DVec3::from(gusts.velocity(point.to_array(), seconds)) - DVec3::from(wind.velocity)
}

fn point(random: &mut Random, size: f64) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| random.uniform(-size, size)))
}

#[test]
fn divergence_is_zero() {
    let mut random = Random::new();
    let (mut worst, mut slope) = (0.0_f64, 0.0_f64);
    for seed in SEEDS {
        let wind = wind(seed);
        let gusts = Gusts::new(&wind);
        for _ in 0..500 {
            let (at, t) = (point(&mut random, 20.0), random.uniform(0.0, 60.0));
            // Central differences of fourth order.
            let h = 1e-3;
            let u = |offset: DVec3| gust(&wind, &gusts, at + offset, t);
            let derivative = |axis: DVec3| {
                (8.0 * (u(h * axis) - u(-h * axis)) - (u(2.0 * h * axis) - u(-2.0 * h * axis)))
                    / (12.0 * h)
            };
            let [x, y, z] = DVec3::AXES.map(derivative);
            worst = worst.max((x.x + y.y + z.z).abs());
            slope = slope.max(x.length()).max(y.length()).max(z.length());
        }
    }
    println!("|div u| ≤ {worst:.1e}/s where |∂u| reaches {slope:.1}/s");
    assert!(worst < 1e-6 && slope > 5.0, "{worst:e}, slope {slope}");
}

#[test]
fn every_component_is_as_strong_as_asked() {
    let mut random = Random::new();
    for seed in SEEDS {
        for (velocity, intensity) in [([8.0, 0.0, 0.0], 0.1), ([-3.0, 1.0, 5.0], 0.6)] {
            let wind = Wind {
                velocity,
                gusts: intensity,
                ..wind(seed)
            };
            let gusts = Gusts::new(&wind);
            let (mut mean, mut square) = (DVec3::ZERO, DVec3::ZERO);
            const COUNT: usize = 20_000;
            for _ in 0..COUNT {
                let u = gust(&wind, &gusts, point(&mut random, 1000.0), 5.0);
                mean += u / COUNT as f64;
                square += u * u / COUNT as f64;
            }
            let asked = intensity * speed(&wind);
            let ratio = square.map(f64::sqrt) / asked;
            println!(
                "seed {seed}, {velocity:?}: rms/asked {ratio:.3}, mean/asked {:.3}",
                mean / asked
            );
            assert!((ratio - 1.0).abs().max_element() < 0.05, "{ratio}");
            assert!((mean / asked).abs().max_element() < 0.05, "{mean}");
        }
    }
}

#[test]
fn a_seed_is_a_field() {
    let mut random = Random::new();
    let points: Vec<DVec3> = (0..4000).map(|_| point(&mut random, 500.0)).collect();
    let fields = SEEDS.map(|seed| {
        let wind = wind(seed);
        let (gusts, again) = (Gusts::new(&wind), Gusts::new(&wind));
        let sample = |gusts: &Gusts| -> Vec<DVec3> {
            points.iter().map(|&p| gust(&wind, gusts, p, 2.0)).collect()
        };
        assert_eq!(sample(&gusts), sample(&again), "seed {seed} repeats");
        sample(&gusts)
    });
    let product =
        |a: &[DVec3], b: &[DVec3]| -> f64 { a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum() };
    let mut worst = 0.0_f64;
    for (i, a) in fields.iter().enumerate() {
        for b in &fields[..i] {
            worst = worst.max((product(a, b) / (product(a, a) * product(b, b)).sqrt()).abs());
        }
    }
    println!("correlation of two seeds ≤ {worst:.3}");
    assert!(worst < 0.1, "{worst}");
}

/// What can be read off the waves themselves: wavelengths near those that the documentation says, although the axes are
/// scaled; no divergence; mean squares as asked, and components that hardly depend on each other.
#[test]
fn waves_are_what_they_should_be() {
    let (mut least, mut most, mut mixed) = (f64::INFINITY, 0.0_f64, Vec::new());
    for seed in 0..2000 {
        let wind = wind(seed);
        let params = Gusts::new(&wind).params(0.0, [0.0; 3]);
        assert_eq!(params.wave_count as usize, WIND_WAVES);
        let mut products = [DVec3::ZERO; 3];
        for wave in params.waves {
            let [k, a] = [wave.number, wave.amplitude].map(|v| DVec3::from(v.map(f64::from)));
            least = least.min(1.0 / k.length());
            most = most.max(1.0 / k.length());
            assert!(k.dot(a).abs() < 1e-6 * k.length() * a.length());
            for (axis, row) in products.iter_mut().enumerate() {
                *row += 0.5 * a[axis] * a / (wind.gusts * speed(&wind)).powi(2);
            }
        }
        let [x, y, z] = products;
        assert!((DVec3::new(x.x, y.y, z.z) - 1.0).abs().max_element() < 1e-5);
        mixed.push(DVec3::new(x.y, y.z, z.x).abs().max_element());
    }
    mixed.sort_by(f64::total_cmp);
    println!(
        "wavelengths {least:.3} … {most:.2} m; greatest correlation of two components: median {:.2}, 99 % {:.2}",
        mixed[1000], mixed[1980]
    );
    assert!(least > 0.2 && most < 15.0, "{least} … {most}");
    assert!(mixed[1000] < 0.25 && mixed[1999] < 0.6, "{}", mixed[1999]);
}

/// At a fixed point: no wave passes faster than the mean wind and half its own amplitude, which bounds the derivatives.
#[test]
fn smooth_in_time() {
    let mut random = Random::new();
    let mut worst = [0.0_f64; 2];
    for seed in SEEDS {
        let wind = wind(seed);
        let gusts = Gusts::new(&wind);
        let bound = |order: i32| -> f64 {
            let waves = gusts.params(0.0, [0.0; 3]).waves;
            let term = |wave: &WindWave| {
                let [k, a] =
                    [wave.number, wave.amplitude].map(|v| DVec3::from(v.map(f64::from)).length());
                a * (std::f64::consts::TAU * k * (speed(&wind) + 0.5 * a)).powi(order)
            };
            waves.iter().map(term).sum()
        };
        for _ in 0..2000 {
            let (at, t) = (point(&mut random, 20.0), random.uniform(0.0, 60.0));
            let dt = 1e-5;
            let u = |t| gust(&wind, &gusts, at, t);
            let [before, now, after] = [u(t - dt), u(t), u(t + dt)];
            let first = (after - before).length() / (2.0 * dt);
            let second = (after - 2.0 * now + before).length() / (dt * dt);
            worst[0] = worst[0].max(first / bound(1));
            worst[1] = worst[1].max(second / bound(2));
        }
    }
    println!("∂u/∂t and ∂²u/∂t² reach {worst:.3?} of their bounds");
    assert!(worst.iter().all(|&w| w > 0.1 && w < 1.0), "{worst:?}");
}

/// What is here now is met at the distance s downstream after τ: the correlation peaks at s = |U| τ.
#[test]
fn carried_downstream() {
    let mut random = Random::new();
    for seed in SEEDS {
        let wind = wind(seed);
        let (gusts, mean) = (Gusts::new(&wind), DVec3::from(wind.velocity));
        let points: Vec<DVec3> = (0..3000).map(|_| point(&mut random, 300.0)).collect();
        let tau = 0.2;
        let correlation = |share: f64| {
            let (mut product, mut square) = (0.0, 0.0);
            for &at in &points {
                let here = gust(&wind, &gusts, at, 7.0);
                product += here.dot(gust(&wind, &gusts, at + share * tau * mean, 7.0 + tau));
                square += here.length_squared();
            }
            product / square
        };
        let shares: Vec<f64> = (-10..=30).map(|i| 0.1 * f64::from(i)).collect();
        let found: Vec<f64> = shares.iter().map(|&s| correlation(s)).collect();
        let peak = (0..shares.len())
            .max_by(|&a, &b| found[a].total_cmp(&found[b]))
            .expect("some");
        println!(
            "seed {seed}: correlation {:.2} at s = {:.1} Uτ, {:.2} at s = 0",
            found[peak], shares[peak], found[10]
        );
        assert!((shares[peak] - 1.0).abs() < 0.15 && found[peak] > 0.85);
        assert!(found[10] < 0.75, "frozen turbulence moves: {}", found[10]);
    }
}

#[test]
fn the_gpu_blows_the_same_wind() {
    let gpu = common::gpu();
    let mut random = Random::new();
    const VALUE: &str = "struct Input { position: vec4<f32> }
fn value(input: Input) -> vec3<f32> { return wind_at(input.position.xyz); }";
    let steady = Wind {
        gusts: 0.0,
        ..wind(0)
    };
    for wind in SEEDS.map(wind).into_iter().chain([steady]) {
        for (origin, seconds) in [
            ([0.0; 3], 0.0),
            ([1008.0, 16.0, -496.0], 3600.0),
            ([-1e6, 0.0, 3.2e5], 86_400.0),
        ] {
            let gusts = Gusts::new(&wind);
            let params = gusts.params(seconds, origin);
            let points: Vec<[f32; 4]> = (0..10_000)
                .map(|_| std::array::from_fn(|_| random.uniform(-10.0, 10.0) as f32))
                .collect();
            let found = map(&gpu, &params, VALUE, &points);
            let mut worst = 0.0_f64;
            for (p, u) in points.iter().zip(found) {
                let world = std::array::from_fn(|i| f64::from(p[i]) + f64::from(origin[i]));
                worst = worst.max((u - DVec3::from(gusts.velocity(world, seconds))).length());
            }
            let relative = worst / speed(&wind);
            println!(
                "seed {}, origin {origin:?}, {seconds} s: {relative:.1e} of the speed",
                wind.seed
            );
            assert!(relative < 1e-4, "{relative:e}");
        }
    }
}

#[test]
fn still_air_is_still_and_steady_wind_steady() {
    let still = Wind {
        velocity: [0.0; 3],
        gusts: 2.0,
        ..wind(5)
    };
    let steady = Wind {
        gusts: 0.0,
        ..wind(5)
    };
    for wind in [still, steady] {
        let gusts = Gusts::new(&wind);
        let params = gusts.params(9.0, [3.0; 3]);
        assert_eq!(params.wave_count, 0);
        assert_eq!(params.velocity, wind.velocity.map(|v| v as f32));
        assert_eq!(params.air_density, wind.air_density as f32);
        assert_eq!(gusts.velocity([1.0, 2.0, 3.0], 4.0), wind.velocity);
    }
}

/// A wind that turns and rises by a little changes by a little, however long it has blown; another seed is another wind.
#[test]
fn a_changing_wind_goes_on() {
    let blowing = |speed: f64, seed: u32| {
        Gusts::new(&Wind {
            velocity: [speed, 0.0, 0.3 * speed],
            gusts: 0.4,
            seed,
            ..Wind::default()
        })
    };
    let before = blowing(5.0, 3);
    let seconds = 3_600.0;
    let apart = |other: &Gusts| {
        let places = (0..200).map(|i| [f64::from(i) * 0.7, f64::from(i % 17), f64::from(i % 5)]);
        let off = |point| {
            let (a, b) = (
                before.velocity(point, seconds),
                other.velocity(point, seconds),
            );
            (0..3)
                .map(|axis| (a[axis] - b[axis]).abs())
                .fold(0.0, f64::max)
        };
        places.map(off).fold(0.0, f64::max)
    };
    assert!(apart(&blowing(5.1, 3).going_on_from(&before, seconds)) < 0.25);
    assert!(
        apart(&blowing(5.1, 3)) > 1.0,
        "a wind made anew is elsewhere by then"
    );
    assert!(apart(&blowing(5.0, 4).going_on_from(&before, seconds)) > 1.0);
}
