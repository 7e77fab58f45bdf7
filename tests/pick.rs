//! Picking agrees with a ray caster in double precision on deformed bodies; no ray slips through an edge.
#![cfg(all(feature = "gpu", feature = "mesh-tools", not(target_arch = "wasm32")))]

mod common;
mod pick_support;

use common::{FALL, Random, SPACE, gpu, world};
use glam::DVec3;
use pick_support::{Caster, compare, consistent, pick_all, random_rays};
use std::sync::Arc;
use webgpu_softbody::gpu::Gpu;
use webgpu_softbody::mesh::TetMesh;
use webgpu_softbody::meshing::{Preset, box_mesh, figures, presets};
use webgpu_softbody::settings::{Environment, Material, SolverSettings, Transform};
use webgpu_softbody::simulation::{BodyOptions, Ray, Simulation, SimulationError};

const SETTINGS: SolverSettings = SolverSettings::xpbd(10, 2);

fn preset(slug: &str) -> Preset {
    let all = presets().into_iter().chain(figures());
    all.into_iter()
        .find(|preset| preset.slug == slug)
        .expect("a preset of this name")
}

/// A preset that has just hit the floor, soft and flat.
fn squashed(slug: &str, transform: impl FnOnce(Transform) -> Transform) -> Simulation {
    let preset = preset(slug);
    let start = BodyOptions::from(&preset);
    let options = BodyOptions {
        material: Material::SOFT,
        drop_to_floor: true,
        velocity: [0.5, -4.0, 0.0],
        transform: transform(start.transform),
        ..start
    };
    let mut simulation = world(Environment::default(), SETTINGS, preset.mesh(), &options);
    simulation.step(0.1).expect("a step");
    simulation
}

fn pick(simulation: &Simulation, ray: Ray) -> Option<webgpu_softbody::simulation::Hit> {
    let answer = simulation.pick(ray.origin, ray.direction).expect("a ray");
    pollster::block_on(answer).expect("read-back")
}

fn ray(origin: [f64; 3], direction: [f64; 3]) -> Ray {
    Ray { origin, direction }
}

#[test]
fn ten_thousand_rays_agree_with_double_precision() {
    let mut random = Random::new();
    let mut rays_shot = 0;
    for slug in ["bunny", "cube", "torus"] {
        let simulation = squashed(slug, |transform| transform);
        let caster = Caster::new(&simulation);
        let rays = random_rays(&mut random, &caster, 3400);
        let tally = compare(&caster, &rays, &pick_all(&simulation, &rays));
        println!("{slug}, {} triangles: {tally:?}", caster.triangles.len());
        assert!(tally.hits > 1500 && tally.misses > 200, "{slug}: {tally:?}");
        assert!(tally.either < 34, "{slug}: {tally:?}");
        rays_shot += rays.len();
    }
    assert!(rays_shot >= 10_000);
}

#[test]
fn nothing_slips_through_the_edges_and_vertices_of_a_closed_surface() {
    let mut random = Random::new();
    let simulation = squashed("torus", |transform| transform);
    let caster = Caster::new(&simulation);
    // Inside the tube: in the middle of tets far from the surface.
    let body = simulation.body().expect("a body");
    let tets = body.mesh().tets();
    let inside: Vec<DVec3> = (0..4)
        .map(|_| {
            let tet = tets[random.uniform(0.0, tets.len() as f64) as usize];
            tet.map(|v| caster.points[v as usize]).iter().sum::<DVec3>() / 4.0
        })
        .collect();
    let mut targets: Vec<DVec3> = Vec::new();
    for &[a, b, c] in &caster.triangles {
        let [a, b, c] = caster.corners([a, b, c]);
        targets.extend([a, a.lerp(b, 0.5), b.lerp(c, random.uniform(0.0, 1.0))]);
    }
    let rays: Vec<Ray> = inside
        .iter()
        .flat_map(|&eye| {
            let towards = |target: &DVec3| ray(eye.to_array(), (*target - eye).to_array());
            targets.iter().map(towards).collect::<Vec<_>>()
        })
        .collect();
    let hits = pick_all(&simulation, &rays);
    let (mut at_target, mut certain) = (0, 0);
    for (ray, hit) in rays.iter().zip(&hits) {
        let hit = hit.unwrap_or_else(|| panic!("{ray:?} left the body unseen"));
        let target = DVec3::from(ray.direction).length();
        at_target += usize::from((hit.distance - target).abs() < 1e-4);
        consistent(&caster, ray, &hit);
        // Where the surface turns away on one side of the target, a ray may pass beside it.
        let round: Vec<_> = caster
            .meetings(ray, 1e-3)
            .into_iter()
            .filter(|meeting| (meeting.distance - target).abs() < 1e-4)
            .collect();
        if round.iter().all(|m| m.enters == round[0].enters) {
            certain += 1;
            assert!(
                hit.distance <= target + 1e-4,
                "{ray:?} went on to {hit:?} behind {target}: {round:?}"
            );
        }
    }
    println!(
        "{} rays from inside, {at_target} end at their target, {certain} could not pass it",
        rays.len()
    );
    assert!(at_target > rays.len() / 20 && certain > rays.len() / 2);
}

/// A cube of 4³ cells, whose coordinates are exact in f32.
fn dyadic_cube() -> Simulation {
    let cube = box_mesh([4; 3], [1.0; 3], [-0.5; 3]).expect("in range");
    world(SPACE, SETTINGS, cube, &BodyOptions::default())
}

#[test]
fn rays_through_exact_vertices_and_edges_of_a_box_hit() {
    let simulation = dyadic_cube();
    let caster = Caster::new(&simulation);
    let eighths = || (-4..=4).map(|n| f64::from(n) / 8.0);
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let mut rays = Vec::new();
            for u in eighths() {
                for v in eighths() {
                    let mut origin = [0.0; 3];
                    origin[axis] = 3.0 * side;
                    origin[(axis + 1) % 3] = u;
                    origin[(axis + 2) % 3] = v;
                    let mut direction = [0.0; 3];
                    direction[axis] = -side;
                    rays.push(ray(origin, direction));
                }
            }
            // Also those that slide along the rim: their areas are exactly 0.
            for (ray, hit) in rays.iter().zip(pick_all(&simulation, &rays)) {
                let hit = hit.unwrap_or_else(|| panic!("{ray:?} missed"));
                assert_eq!(hit.distance, 2.5, "{ray:?} {hit:?}");
                consistent(&caster, ray, &hit);
            }
        }
    }
    // From an oblique eye towards every vertex and edge of the three faces it sees, short of the silhouette.
    let eye = DVec3::new(2.0, 1.5, 3.0);
    let seen = |p: &DVec3| p.max_element() == 0.5 && p.min_element() > -0.5;
    let mut targets = Vec::new();
    for &triangle in &caster.triangles {
        let [a, b, c] = caster.corners(triangle);
        targets.extend([a, b, c, (a + b) / 2.0, (b + c) / 2.0]);
    }
    targets.retain(seen);
    assert!(targets.len() > 200, "{}", targets.len());
    let rays: Vec<Ray> = targets
        .iter()
        .map(|&target| ray(eye.to_array(), (target - eye).to_array()))
        .collect();
    for ((ray, target), hit) in rays.iter().zip(&targets).zip(pick_all(&simulation, &rays)) {
        let hit = hit.unwrap_or_else(|| panic!("{ray:?} missed {target}"));
        assert!(
            DVec3::from(hit.point).distance(*target) < 1e-6,
            "{target} {hit:?}"
        );
    }
}

#[test]
fn what_lies_behind_is_not_met_and_the_same_ray_has_the_same_answer() {
    let simulation = dyadic_cube();
    assert_eq!(
        pick(&simulation, ray([0.1, 0.2, 3.0], [0.0, 0.0, 1.0])),
        None
    );
    assert_eq!(
        pick(&simulation, ray([0.7, 0.2, 3.0], [0.0, 0.0, -1.0])),
        None
    );
    // From the inside the far wall, from either direction.
    for (direction, wall) in [(1.0, 0.5), (-1.0, -0.5)] {
        let hit = pick(&simulation, ray([0.1, 0.2, 0.0], [0.0, 0.0, direction])).expect("a wall");
        assert_eq!((hit.point[2], hit.distance), (wall, 0.5));
    }
    // Through a vertex that many triangles share.
    let through = ray([0.25, 0.25, 1.0], [0.0, 0.0, -1.0]);
    let first = pick(&simulation, through).expect("a hit");
    let vertex = simulation.body().expect("a body").mesh().positions()[first.vertex as usize];
    assert_eq!(vertex, [0.25, 0.25, 0.5]);
    for _ in 0..20 {
        assert_eq!(pick(&simulation, through), Some(first));
        assert_eq!(pick_all(&simulation, &[through; 64]), [Some(first); 64]);
    }
}

#[test]
fn a_kilometre_away_picking_is_as_exact() {
    let mut random = Random::new();
    let place = [1000.0, 0.0, -1000.0];
    let simulation = squashed("cube", |transform| Transform {
        translation: place,
        ..transform
    });
    let caster = Caster::new(&simulation);
    let mut rays = random_rays(&mut random, &caster, 1000);
    // The other half begins a kilometre farther off.
    for ray in rays.iter_mut().skip(1).step_by(2) {
        let direction = DVec3::from(ray.direction).normalize();
        ray.origin = (DVec3::from(ray.origin) - 1000.0 * direction).to_array();
    }
    let tally = compare(&caster, &rays, &pick_all(&simulation, &rays));
    println!("{tally:?}");
    assert!(tally.hits > 400 && tally.either < 20, "{tally:?}");
}

#[test]
fn under_an_embedded_surface_the_faces_of_the_tets_are_met() {
    let mut random = Random::new();
    let preset = preset("bunny");
    let options = BodyOptions {
        surface: preset.surface().map(Arc::new),
        ..BodyOptions::from(&preset)
    };
    let mut simulation = world(FALL, SETTINGS, preset.mesh(), &options);
    simulation.step(0.05).expect("a step");
    let body = simulation.body().expect("a body");
    assert!(body.buffers().embedded.is_some());
    let caster = Caster::new(&simulation);
    let rays = random_rays(&mut random, &caster, 500);
    let tally = compare(&caster, &rays, &pick_all(&simulation, &rays));
    println!("{tally:?}");
    assert!(tally.hits > 200 && tally.either < 10, "{tally:?}");
}

#[test]
fn triangles_that_are_no_numbers_are_not_met() {
    let mut simulation = dyadic_cube();
    let mut points = common::positions(&simulation);
    let velocities = vec![[0.0; 3]; points.len()];
    let corner = points
        .iter()
        .position(|p| *p == [0.5; 3])
        .expect("a corner");
    let towards = ray([0.4, 0.45, 2.0], [0.0, 0.0, -1.0]);
    assert_eq!(pick(&simulation, towards).expect("a hit").distance, 1.5);
    for broken in [f32::NAN, -f32::NAN, f32::INFINITY, 3e38] {
        points[corner] = [broken, 0.5, broken];
        simulation.set_state(&points, &velocities).expect("a state");
        // What is left of the cube is seen, and only that.
        let hit = pick(&simulation, towards);
        assert!(
            hit.is_none_or(|hit| hit.point.iter().all(|c| c.is_finite())),
            "{broken}: {hit:?}"
        );
        let whole = pick(&simulation, ray([-0.3, 0.1, 2.0], [0.0, 0.0, -1.0]));
        assert_eq!(whole.expect("a hit").distance, 1.5, "{broken}");
    }
}

#[test]
fn a_surface_wider_than_a_dispatch_takes_several_rows() {
    const WIDEST: u32 = 50;
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = wgpu::Backends::PRIMARY;
    let instance = wgpu::Instance::new(descriptor);
    let adapter = pollster::block_on(instance.request_adapter(&Default::default()))
        .expect("a GPU adapter is needed");
    let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
        required_limits: wgpu::Limits {
            max_compute_workgroups_per_dimension: WIDEST,
            ..wgpu::Limits::defaults()
        },
        ..Default::default()
    }))
    .expect("a device of small dispatches");
    device.on_uncaptured_error(Arc::new(|error| panic!("WebGPU validation: {error}")));
    let adapter_name = String::new();
    let gpu = Gpu {
        device,
        queue,
        adapter_name,
        software: true,
    };
    let sheet: TetMesh = box_mesh([29, 29, 1], [1.0, 1.0, 0.1], [-0.5; 3]).expect("in range");
    let mut simulation = Simulation::new(gpu, SPACE, SolverSettings::default()).expect("in range");
    simulation
        .load(sheet, &BodyOptions::default())
        .expect("it fits");
    let caster = Caster::new(&simulation);
    let rows = caster.triangles.len() as f64 / 64.0 / f64::from(WIDEST);
    assert!(rows > 1.1, "{rows} rows of workgroups");
    let mut random = Random::new();
    let mut rays = random_rays(&mut random, &caster, 600);
    rays.truncate(rays.len() / 40 * 40);
    let hits: Vec<_> = rays
        .chunks(40)
        .flat_map(|some| pick_all(&simulation, some))
        .collect();
    let tally = compare(&caster, &rays, &hits);
    println!("{tally:?}");
    assert!(tally.hits > 200 && tally.either < 12, "{tally:?}");
}

#[test]
fn rays_that_are_none_are_refused_by_name() {
    let simulation = dyadic_cube();
    let refusal = |origin: [f64; 3], direction: [f64; 3]| {
        let error = simulation.pick(origin, direction).err();
        error.expect("refused").to_string()
    };
    let z = [0.0, 0.0, 1.0];
    for (origin, direction, named) in [
        ([0.0; 3], [0.0; 3], "direction is 0"),
        ([0.0; 3], [0.0, f64::NAN, 1.0], "direction is NaN"),
        ([0.0; 3], [f64::INFINITY, 0.0, 0.0], "direction is Infinity"),
        ([f64::NAN, 0.0, 0.0], z, "origin is NaN"),
        ([0.0, -2e9, 0.0], z, "origin is -2e9"),
    ] {
        let told = refusal(origin, direction);
        assert!(told.contains(named), "{told}");
    }
    let told = simulation.pick_all(&[ray([0.0; 3], z); 65]).err();
    assert!(told.expect("refused").to_string().contains("rays is 65"));
    let none = pollster::block_on(simulation.pick_all(&[]).expect("no rays")).expect("read-back");
    assert_eq!(none, []);
    // Any length but 0.
    for length in [5e-324, 1e-200, 1e300] {
        let hit = pick(&simulation, ray([0.1, 0.2, 3.0], [0.0, 0.0, -length]));
        assert_eq!(hit.expect("a hit").distance, 2.5, "{length:e}");
    }
    let empty = Simulation::new(gpu(), SPACE, SETTINGS).expect("in range");
    let error = empty.pick([0.0; 3], z).err();
    assert_eq!(error, Some(SimulationError::NoBody));
}
