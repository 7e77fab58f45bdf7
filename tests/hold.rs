//! Grabbing: a spring pulls with the force it should, in every scheme.
#![cfg(all(feature = "gpu", not(target_arch = "wasm32")))]

mod common;
mod hold_support;

use common::*;
use glam::DVec3;
use hold_support::*;
use webgpu_softbody::gpu::{HandBuffers, HoldBuffers, ParticleBuffers, read_buffer};
use webgpu_softbody::layout::Hold;
use webgpu_softbody::meshing::box_mesh;
use webgpu_softbody::settings::SolverSettings;
use webgpu_softbody::shaders::solver::Kernel;
use webgpu_softbody::simulation::{GrabOptions, Hit, Simulation};
use webgpu_softbody::solver::{HandBindings, Method, Solver};

/// Weights of the vertices that a grab at `hit` holds, as they are documented.
fn weights(simulation: &Simulation, hit: &Hit, radius: f64) -> Vec<f64> {
    let now = positions(simulation);
    let at = |v: usize| DVec3::from(now[v].map(f64::from));
    let point: DVec3 = hit.triangle.iter().map(|&v| at(v as usize)).sum::<DVec3>() / 3.0;
    let corners = hit.triangle.map(|v| at(v as usize).distance(point));
    let radius = radius.max(1.5 * corners.into_iter().fold(0.0, f64::max));
    (0..now.len())
        .map(|v| {
            let s = at(v).distance(point) / radius;
            if s < 1.0 { (1.0 - s * s).powi(2) } else { 0.0 }
        })
        .collect()
}

fn is_filtered(simulation: &mut Simulation) -> bool {
    let plan = simulation.plan(FRAME).expect("a body");
    plan.method == Method::Explicit { operator: true }
}

/// A cube that hangs from its top: Σ kᵢ eᵢ = m g, so that the patch hangs m g/k below the pointer.
fn sag(settings: SolverSettings, youngs_modulus: f64, options: &GrabOptions) -> f64 {
    let mut simulation = world(FALL, settings, cube(6, 0.5), &made_of(youngs_modulus, 4.0));
    let top = hit(&simulation, [0.02, 0.25, 0.01]);
    let weights = weights(&simulation, &top, options.radius.unwrap_or(0.025));
    let masses = masses(&simulation);
    let start = positions(&simulation);
    simulation.grab(7, &top, options).unwrap();
    assert_eq!(simulation.holding(), [7]);
    run(&mut simulation, 6.0);
    let (now, speeds) = (positions(&simulation), velocities(&simulation));
    assert_finite(&now, "hanging");
    let fastest = speeds
        .iter()
        .map(|v| DVec3::from(v.map(f64::from)).length())
        .fold(0.0, f64::max);
    let share = |v: usize| weights[v] * masses[v];
    let total: f64 = (0..now.len()).map(share).sum();
    let sag: f64 = (0..now.len())
        .map(|v| share(v) * f64::from(start[v][1] - now[v][1]))
        .sum::<f64>()
        / total;
    let mass: f64 = masses.iter().sum();
    let k = options.stiffness.unwrap_or(400.0 * mass);
    println!(
        "{settings:?} E {youngs_modulus:e} {options:?}: sag {sag:.5} m, mg/k {:.5}, fastest {fastest:e} m/s, operator {}",
        9.81 * mass / k,
        is_filtered(&mut simulation)
    );
    assert!(fastest < 0.02, "it still moves at {fastest} m/s");
    sag * k / (9.81 * mass)
}

#[test]
fn a_held_cube_hangs_by_its_weight_over_the_stiffness() {
    let stiff = GrabOptions {
        stiffness: Some(5e6),
        radius: Some(0.15),
    };
    for (settings, e) in [(EXPLICIT, 1e6), (FEW, 1e6), (FEW, 1e8), (XPBD, 1e6)] {
        for options in [GrabOptions::default(), stiff] {
            let ratio = sag(settings, e, &options);
            assert!(
                (ratio - 1.0).abs() < 0.01,
                "{settings:?}, E {e:e}, {options:?}: {ratio} of mg/k"
            );
        }
    }
}

/// A stiff cube is caught at once, as a rigid one would be by a damped spring, although the mass operator lets its vertices
/// follow a hundredth of an impulse (r = 14), and the whole of it a tenth of one (r = 23).
#[test]
fn a_stiff_body_is_caught_at_once() {
    for cells in [6, 10] {
        let mut simulation = world(FALL, FEW, cube(cells, 1.0), &made_of(1e8, 0.0));
        let top = hit(&simulation, [0.0, 0.5, 0.0]);
        let start = positions(&simulation);
        simulation.grab(7, &top, &GrabOptions::default()).unwrap();
        assert!(is_filtered(&mut simulation));
        for step in 1..=6 {
            run(&mut simulation, 0.05);
            let now = positions(&simulation);
            let corner = |&v: &u32| f64::from(start[v as usize][1] - now[v as usize][1]);
            let sag = top.triangle.iter().map(corner).sum::<f64>() / 3.0;
            // ω = 20 1/s, damping ratio 0.7.
            let (t, rate) = (0.05 * f64::from(step), 20.0 * 0.51f64.sqrt());
            let (sin, cos) = (rate * t).sin_cos();
            let rigid = 9.81 / 400.0 * (1.0 - (-14.0 * t).exp() * (cos + 14.0 / rate * sin));
            println!("{cells}, {t:.2} s: {sag:.4} m, a rigid one {rigid:.4} m");
            assert!(
                (sag - rigid).abs() < 0.1 * 9.81 / 400.0,
                "{cells} cells after {t} s: {sag} m, a rigid one {rigid} m"
            );
        }
    }
}

/// A cube in space, pulled gently from very far away, so that it stays in shape: M V' = F − c V with F = k L and
/// c = 1.4 √(kM), whatever its stiffness and the substep.
fn gains_momentum(settings: SolverSettings, youngs_modulus: f64, seconds: f64) -> f64 {
    let mut simulation = world(SPACE, settings, cube(6, 1.0), &made_of(youngs_modulus, 0.0));
    let mass: f64 = masses(&simulation).iter().sum();
    let face = hit(&simulation, [0.5, 0.02, 0.01]);
    let gentle = GrabOptions {
        radius: Some(0.3),
        stiffness: Some(mass),
    };
    simulation.grab(3, &face, &gentle).unwrap();
    assert!(simulation.drag(3, [1e4, 0.0, 0.0]));
    run(&mut simulation, seconds);
    let gained = momentum(&masses(&simulation), &velocities(&simulation));
    let expected = mass / 1.4 * (1.0 - (-1.4 * seconds).exp());
    println!(
        "{settings:?} E {youngs_modulus:e} {seconds} s: {gained} of {expected}, operator {}",
        is_filtered(&mut simulation)
    );
    assert!(
        gained.y.hypot(gained.z) < 0.1 * expected,
        "{gained}: the pull is along x, a little beside the middle"
    );
    gained.x / expected
}

#[test]
fn a_free_body_gains_the_momentum_of_the_pull() {
    for (settings, e) in [
        (EXPLICIT, 1e6),
        (FEW, 1e6),
        (FEW, 1e8),
        (XPBD, 1e6),
        (XPBD, 1e8),
    ] {
        for seconds in [0.1, 0.5] {
            let ratio = gains_momentum(settings, e, seconds);
            assert!(
                (ratio - 1.0).abs() < 0.03,
                "{settings:?}, E {e:e}, {seconds} s: {ratio} of F·t"
            );
        }
    }
}

/// Two fingers, one at each end of a beam: what moves one half moves the other as in a mirror.
fn two_fingers(settings: SolverSettings) {
    let mesh = box_mesh([12, 3, 3], [1.2, 0.3, 0.3], [-0.6, -0.15, -0.15]).expect("a box");
    let mut simulation = world(SPACE, settings, mesh, &made_of(1e5, 4.0));
    let rest = positions(&simulation);
    let ends = [-1.0, 1.0].map(|side| hit(&simulation, [side, 0.0, 0.0]));
    let options = GrabOptions {
        radius: Some(0.3),
        ..GrabOptions::default()
    };
    for (pointer, end) in (4..).zip(&ends) {
        simulation.grab(pointer, end, &options).unwrap();
        let away = end.point[0].signum() * 0.3;
        assert!(simulation.drag(pointer, [end.point[0] + away, end.point[1], end.point[2]]));
    }
    run(&mut simulation, 4.0);
    let now = positions(&simulation);
    let length = |p: &[[f32; 3]]| {
        let x = |pick: fn(f32, f32) -> f32| p.iter().map(|v| v[0]).reduce(pick).unwrap();
        (x(f32::min), x(f32::max))
    };
    let ((a, b), (c, d)) = (length(&rest), length(&now));
    let middle = mass_center(&masses(&simulation), &now);
    println!("{settings:?}: from {a} {b} to {c} {d}, middle {middle}");
    assert!(d - c > 1.1 * (b - a), "the beam is stretched");
    assert!((c + d).abs() < 0.01, "symmetric: {c} {d}");
    assert!(middle.length() < 0.005, "the middle stays: {middle}");
    assert_eq!(simulation.release(None), [4, 5]);
    run(&mut simulation, 4.0);
    let shape = out_of_shape(&rest, &positions(&simulation));
    assert!(shape < 0.01, "{shape}");
}

#[test]
fn two_fingers_pull_alike() {
    for settings in [EXPLICIT, FEW, XPBD] {
        two_fingers(settings);
    }
}

/// The kernel of cloth alone: a displacement and an inverse mass become those of an implicit spring.
#[test]
fn displacements_are_pulled_as_an_implicit_spring_does() {
    let gpu = gpu();
    let solver = Solver::new(&gpu);
    let buffer = |numbers: &[f32]| {
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: 4 * numbers.len() as u64,
            usage: wgpu::BufferUsages::STORAGE
                | wgpu::BufferUsages::COPY_SRC
                | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let bytes = bytemuck::cast_slice(numbers);
        gpu.queue.write_buffer(&buffer, 0, bytes);
        buffer
    };
    // A row of particles 1 cm apart, of equal mass; number 2 is pinned, and no more than 4 are held.
    let count = 200;
    let rows = |row: &dyn Fn(usize) -> [f32; 4]| (0..count).flat_map(row).collect::<Vec<_>>();
    let positions = buffer(&rows(&|i| [0.01 * i as f32, 0.0, 0.0, 1.0]));
    let velocities = buffer(&rows(&|_| [0.0; 4]));
    let displacements = buffer(&rows(&|i| [0.0, -1e-3, 1e-4 * i as f32, 7.0]));
    let particles = ParticleBuffers {
        positions: &positions,
        velocities: &velocities,
        count: count as u32,
        origin: [0.0; 3],
    };
    let (hands, held) = (
        HandBuffers::new(&gpu, particles.count),
        HoldBuffers::new(&gpu, particles.count).unwrap(),
    );
    let shares: Vec<f32> = (0..count)
        .map(|i| if i == 2 { 0.0 } else { 1.0 / count as f32 })
        .collect();
    let bytes = bytemuck::cast_slice(&shares);
    gpu.queue.write_buffer(&hands.shares, 0, bytes);
    let hold = Hold {
        destination: [0.03, 0.5, 0.0],
        stiffness: 400.0,
        barycentric: [1.0, 0.0, 0.0],
        damping: 28.0,
        triangle: [3, 3, 3],
        radius: 0.025,
        reach: 0.2,
        inertia: 1.0,
        mass: 1.0,
        vertex_count: particles.count,
        substep_seconds: 1e-3,
        padding: [0; 3],
    };
    let bytes = bytemuck::bytes_of(&hold);
    gpu.queue.write_buffer(&held.hold, 0, bytes);
    let mut bindings = HandBindings::default();
    solver.bind_hold(&gpu, &mut bindings, &particles, &hands, &held);
    let buffers = (&hands, &held);
    let of = (&particles, &displacements);
    solver.bind_pull_displacements(&gpu, &mut bindings, 0, buffers, of);
    bindings.set_holding(0, true);
    gpu.compute("pull", &mut |pass| {
        solver.take_hold(pass, &bindings, 0, particles.count);
        solver.dispatch_hands(pass, &bindings, Kernel::PullDisplacements, 4);
    });
    let bytes = pollster::block_on(read_buffer(&gpu, &displacements)).unwrap();
    let now: Vec<[f32; 4]> = bytemuck::pod_collect_to_vec(&bytes);
    let weight = |i: usize| {
        let s = 0.01 * (i as f64 - 3.0) / 0.025;
        if i == 2 || s.abs() >= 1.0 {
            return 0.0;
        }
        (1.0 - s * s).powi(2)
    };
    let total: f64 = (0..count).map(weight).sum::<f64>() / count as f64;
    for (i, row) in now.iter().enumerate() {
        let per_mass = weight(i) / total;
        let (dt, k, c) = (1e-3, 400.0 * per_mass, 28.0 * per_mass);
        let heavier = 1.0 + dt * c + dt * dt * k;
        let expected = [
            0.0,
            (-1e-3 + dt * dt * k * 0.2) / heavier,
            1e-4 * i as f64 / heavier,
            7.0 / heavier,
        ];
        for (found, expected) in row.iter().zip(expected) {
            let off = (f64::from(*found) - expected).abs();
            assert!(
                off <= 1e-5 * expected.abs() + 1e-9,
                "{i}: {row:?}, {expected}"
            );
        }
    }
    assert!(weight(4) > 0.5 && weight(5) > 0.0 && weight(6) == 0.0);
}
