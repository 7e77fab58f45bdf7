//! Cloth in the wind: a flag flutters and never gains energy without bound; a falling sheet finds its steady speed.
#![cfg(all(feature = "gpu", not(target_arch = "wasm32")))]

#[path = "common/cloth.rs"]
mod cloth_support;
mod common;

use cloth_support::{AUTO, cloth, made_of};
use common::{FALL, positions, velocities};
use webgpu_softbody::cloth::ClothMesh;
use webgpu_softbody::settings::{ClothMaterial, Wind};
use webgpu_softbody::simulation::{ClothOptions, Pinned, Simulation};

fn blow(simulation: &mut Simulation, velocity: [f64; 3]) {
    let wind = Wind {
        velocity,
        ..Wind::default()
    };
    simulation.set_wind(wind).expect("wind in range");
}

/// Kinetic energy, J.
fn kinetic(simulation: &Simulation, areal_density: f64) -> f64 {
    let cloth = simulation.cloth().expect("a cloth");
    let areas = &cloth.elements().vertex_areas;
    let energy = |(v, &area): ([f32; 3], &f32)| {
        let square: f64 = v.iter().map(|&c| f64::from(c).powi(2)).sum();
        0.5 * areal_density * f64::from(area) * square
    };
    velocities(simulation)
        .into_iter()
        .zip(areas)
        .map(energy)
        .sum()
}

/// A flag on its hoist in a steady wind across gravity: it neither falls still nor grows wilder, and the fly swings to and
/// fro about the wind.
#[test]
fn a_flag_flutters_for_ever() {
    let (columns, rows) = (28u32, 16u32);
    let hoist: Vec<u32> = (0..rows).map(|row| row * columns).collect();
    let mesh = ClothMesh::grid(columns, rows, 0.05).expect("a grid");
    let mut simulation = cloth(FALL, AUTO, mesh, &made_of(ClothMaterial::SILK, &hoist));
    // Not along the flag to the digit, which could stay flat.
    blow(&mut simulation, [8.0, 0.0, 0.3]);
    simulation.step(3.0).expect("a step");
    let fly = (columns * (rows / 2) + columns - 1) as usize;
    let mut energies = Vec::new();
    let mut aside = Vec::new();
    for _ in 0..120 {
        simulation.step(1.0 / 30.0).expect("a step");
        energies.push(kinetic(&simulation, ClothMaterial::SILK.areal_density));
        aside.push(f64::from(positions(&simulation)[fly][2]));
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (early, late) = (mean(&energies[..60]), mean(&energies[60..]));
    let middle = mean(&aside);
    let turns = aside
        .windows(2)
        .filter(|pair| (pair[0] - middle) * (pair[1] - middle) < 0.0)
        .count();
    let widest = aside
        .iter()
        .fold(0.0f64, |most, z| most.max((z - middle).abs()));
    println!(
        "kinetic {early:.4} then {late:.4} J, fly {widest:.3} m aside, {turns} crossings in 4 s"
    );
    assert!(energies.iter().all(|e| e.is_finite()));
    // All of the flag at the speed of the wind would have 1.8 J.
    assert!(
        late < 0.9 && late < 2.5 * early && late > 0.2 * early,
        "{early} {late}"
    );
    assert!(turns >= 6, "{turns} crossings");
    assert!((0.01..0.7).contains(&widest), "{widest} m");
}

/// A sheet that falls flat: its weight σg is the drag ½ρCv².
#[test]
fn a_falling_sheet_finds_its_steady_speed() {
    let silk = ClothMaterial::SILK;
    let options = ClothOptions {
        material: ClothMaterial {
            damping: 0.0,
            bend: 1e-2,
            ..silk
        },
        transform: webgpu_softbody::settings::Transform {
            rotation: [-0.5f64.sqrt(), 0.0, 0.0, 0.5f64.sqrt()],
            ..Default::default()
        },
        pinned: Pinned::None,
        ..ClothOptions::default()
    };
    let mesh = ClothMesh::grid(9, 9, 0.05).expect("a grid");
    let mut simulation = cloth(FALL, AUTO, mesh, &options);
    blow(&mut simulation, [0.0; 3]);
    simulation.step(1.5).expect("a step");
    let speeds = velocities(&simulation);
    let mean = -speeds.iter().map(|v| f64::from(v[1])).sum::<f64>() / speeds.len() as f64;
    let steady = (2.0 * silk.areal_density * 9.81 / (1.2 * silk.normal_drag)).sqrt();
    println!("{mean:.4} m/s, in closed form {steady:.4}");
    // The step weakens the drag by 1 + Δt ½ρCv/σ, 1.2 % here.
    assert!((mean / steady - 1.0).abs() < 0.02, "{mean} {steady}");
}
