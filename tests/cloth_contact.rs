//! Cloth on the floor and on meshes that are no grid: rest, friction, an irregular disc, a book of three pages.
#![cfg(all(feature = "gpu", not(target_arch = "wasm32")))]

mod common;
#[path = "common/cloth.rs"]
mod support;

use common::*;
use glam::DVec3;
use support::*;
use webgpu_softbody::cloth::ClothMesh;
use webgpu_softbody::settings::{ClothMaterial, Environment, Transform};
use webgpu_softbody::simulation::{ClothOptions, Pinned, Simulation};

const G: f64 = 9.81;

/// Silk in a vacuum: the floor alone acts.
const BARE: ClothMaterial = ClothMaterial {
    damping: 0.0,
    normal_drag: 0.0,
    tangential_drag: 0.0,
    ..ClothMaterial::SILK
};

/// Gravity whose component along x is its y component times `slope`.
fn tilted(slope: f64) -> Environment {
    let angle = slope.atan();
    Environment {
        gravity: [G * angle.sin(), -G * angle.cos(), 0.0],
        floor: Some(0.0),
    }
}

/// A square that lies flat at `height`, with this velocity.
fn lying(
    environment: Environment,
    material: ClothMaterial,
    height: f64,
    velocity: [f64; 3],
) -> Simulation {
    let half = std::f64::consts::FRAC_PI_4;
    let options = ClothOptions {
        material,
        transform: Transform {
            translation: [0.0, height, 0.0],
            rotation: [-half.sin(), 0.0, 0.0, half.cos()],
            ..Transform::default()
        },
        velocity,
        ..ClothOptions::default()
    };
    cloth(environment, AUTO, square(16, 1.0), &options)
}

/// A crumpled sheet falls, none of it below the floor at any time, and comes to rest there.
#[test]
fn a_falling_sheet_comes_to_rest_on_the_floor() {
    let material = ClothMaterial {
        damping: 1.0,
        ..BARE
    };
    let mut simulation = lying(tilted(0.0), material, 0.5, [0.0; 3]);
    let at: Vec<DVec3> = places(&simulation)
        .iter()
        .map(|p| DVec3::new(0.8 * p.x, p.y + 0.2 * (7.0 * p.x + 4.0 * p.z).sin(), p.z))
        .collect();
    put(&mut simulation, &at);
    let mut lowest = f64::INFINITY;
    for _ in 0..30 {
        simulation.step(0.1).expect("a step");
        let now = places(&simulation);
        lowest = now.iter().map(|p| p.y).fold(lowest, f64::min);
    }
    let fastest = wide(&velocities(&simulation))
        .iter()
        .map(|v| v.length())
        .fold(0.0, f64::max);
    let highest = places(&simulation).iter().map(|p| p.y).fold(0.0, f64::max);
    println!("lowest {lowest:.2e} m, after 3 s highest {highest:.3} m, fastest {fastest:.1e} m/s");
    assert!(lowest >= 0.0, "{lowest} m below the floor");
    assert!(highest < 0.1);
    assert!(fastest < 0.05);
}

/// v₀²/(2μg).
#[test]
fn a_sliding_sheet_stops_after_its_way() {
    for (speed, friction) in [(2.0, 0.5), (1.5, 0.3)] {
        let material = ClothMaterial { friction, ..BARE };
        let mut simulation = lying(tilted(0.0), material, 0.0, [speed, 0.0, 0.0]);
        simulation
            .step(1e-3)
            .expect("a step that lifts it off the floor");
        let start = places(&simulation);
        simulation.step(1.5).expect("a step");
        let told = speed * speed / (2.0 * friction * G);
        let pairs = start.iter().zip(places(&simulation));
        let ways: Vec<f64> = pairs.map(|(a, b)| b.x - a.x).collect();
        let mean = ways.iter().sum::<f64>() / ways.len() as f64;
        let fastest = wide(&velocities(&simulation))
            .iter()
            .map(|v| v.length())
            .fold(0.0, f64::max);
        println!(
            "{speed} m/s, μ = {friction}: {:.4} of the way; then {fastest:.1e} m/s",
            mean / told
        );
        assert!((mean / told - 1.0).abs() < 0.02);
        assert!(fastest < 1e-3);
    }
}

/// Below arctan μ it sticks, above it gains g (sin θ − μ cos θ) t.
#[test]
fn a_sheet_on_a_slope_sticks_or_slides() {
    let friction = 0.5;
    let material = ClothMaterial { friction, ..BARE };
    for slope in [0.3, 0.48, 0.8] {
        let mut simulation = lying(tilted(slope), material, 0.0, [0.0; 3]);
        simulation
            .step(0.25)
            .expect("a step that lifts it off the floor");
        let (start, before) = (places(&simulation), velocities(&simulation));
        simulation.step(1.0).expect("a step");
        let pairs = start.iter().zip(places(&simulation));
        let way = pairs.map(|(a, b)| a.distance(b)).fold(0.0, f64::max);
        let mean = |speed: &[[f32; 3]]| wide(speed).iter().sum::<DVec3>().x / speed.len() as f64;
        let gained = mean(&velocities(&simulation)) - mean(&before);
        let angle = f64::atan(slope);
        let told = G * (angle.sin() - friction * angle.cos());
        println!(
            "tan θ = {slope}: {way:.1e} m in 1 s, {:.4} of g (sin θ − μ cos θ) t",
            gained / told
        );
        match slope < friction {
            true => assert!(way < 1e-4, "{way} m"),
            false => assert!((gained / told - 1.0).abs() < 0.02),
        }
    }
}

/// An irregular disc that is pinned at its rim, against a grid of which all is pinned but the same disc, and either
/// against the least of its own energy in float64.
#[test]
fn an_irregular_disc_sags_as_the_grid_does() {
    let material = ClothMaterial {
        stretch: 5e-2,
        shear: 5e-1,
        strain_limit: None,
        areal_density: 0.5,
        damping: 8.0,
        ..BARE
    };
    let hung = |mesh: ClothMesh, start: Vec<DVec3>, rim: f64| {
        let outside = |p: &DVec3| p.length() > rim;
        let pins: Vec<u32> = (0u32..)
            .zip(&start)
            .filter(|(_, p)| outside(p))
            .map(|(v, _)| v)
            .collect();
        let mut simulation = cloth(FALL, budget(24), mesh, &made_of(material, &pins));
        put(&mut simulation, &start);
        simulation.step(2.0).expect("a step");
        let pinned = simulation.cloth().expect("a cloth").pinned();
        let found = places(&simulation);
        let exact = Model::of(&simulation).hang(&found, pinned, DVec3::NEG_Y * G);
        [found, exact].map(|at| at.iter().map(|p| -p.y).fold(0.0, f64::max))
    };
    let mesh = disc(12);
    let start = mesh.positions().iter().map(|p| wide(&[*p])[0]).collect();
    let irregular = hung(mesh, start, 0.499);
    // The pins nearest to the rim are on it on average.
    let h = 1.0 / 24.0;
    let mesh = ClothMesh::grid(27, 27, h).expect("a grid");
    let flat = |p: &[f32; 3]| DVec3::new(f64::from(p[0]), 0.0, f64::from(p[1]) - 13.0 * h);
    let start = mesh.positions().iter().map(flat).collect();
    let grid = hung(mesh, start, 0.5 - h / 3.0);
    println!("sag of the disc {irregular:.4?} m, of the grid {grid:.4?} m (found, float64)");
    for [found, exact] in [irregular, grid] {
        assert!((found / exact - 1.0).abs() < 0.01);
    }
    assert!((irregular[0] / grid[0] - 1.0).abs() < 0.1);
}

/// Three pages on one spine: an edge with three triangles is stretched but does not bend.
#[test]
fn a_book_of_three_pages_hangs_by_its_spine() {
    let mut at = Vec::new();
    let mut triangles = Vec::new();
    let (rows, columns) = (8u32, 6u32);
    let h = 0.1;
    for row in 0..rows {
        at.push([0.0, -h * row as f32, 0.0]);
    }
    for page in 0..3u32 {
        let angle = page as f32 * std::f32::consts::TAU / 3.0;
        let first = at.len() as u32;
        for column in 1..columns {
            for row in 0..rows {
                let out = h * column as f32;
                at.push([out * angle.cos(), -h * row as f32, out * angle.sin()]);
            }
        }
        let at = |column: u32, row: u32| match column {
            0 => row,
            _ => first + (column - 1) * rows + row,
        };
        for column in 0..columns - 1 {
            for row in 0..rows - 1 {
                let [a, b] = [at(column, row), at(column + 1, row)];
                let [c, d] = [at(column, row + 1), at(column + 1, row + 1)];
                triangles.extend([[a, c, b], [b, c, d]]);
            }
        }
    }
    let mesh = ClothMesh::new(at, triangles).expect("a book");
    let options = ClothOptions {
        material: ClothMaterial {
            damping: 3.0,
            ..BARE
        },
        pinned: Pinned::Vertices((0..rows).collect()),
        ..ClothOptions::default()
    };
    let mut simulation = Simulation::new(gpu(), FALL, AUTO).expect("settings in range");
    let report = simulation.load_cloth(mesh, &options).expect("a book loads");
    assert_eq!(report.non_manifold_edges, rows - 1);
    simulation.step(2.0).expect("a step");
    let now = places(&simulation);
    assert_finite(&positions(&simulation), "a book");
    let strain = largest_strain(&simulation);
    let lowest = now.iter().map(|p| -p.y).fold(0.0, f64::max);
    println!("strain {strain:.4}, lowest {lowest:.3} m");
    // Held along a whole side, a page sags by little more than it shears.
    let page = f64::from(h) * f64::from(rows - 1);
    assert!(strain < 0.02);
    assert!(lowest > page && lowest < 1.1 * page);
}
