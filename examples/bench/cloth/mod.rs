//! Silk curtains of 2 m in the wind, in the product's two ways of solving a grid and in the scheme they are compared with.

mod article;
pub mod report;
#[cfg(test)]
mod tests;

use crate::Failure;
use crate::arguments::Arguments;
use crate::machine::Machine;
use crate::measure::{self, FrameTimes, Frames};
use article::Article;
use std::cell::RefCell;
use std::time::Instant;
use webgpu_softbody::cloth::ClothMesh;
use webgpu_softbody::settings::{ClothMaterial, Environment, Transform, Wind};
use webgpu_softbody::simulation::{ClothOptions, Pinned, Simulation, SimulationError};
use webgpu_softbody::solver::PassTimer;

/// m/s².
pub const GRAVITY: [f64; 3] = [0.0, -9.81, 0.0];
/// m/s; in the scheme that is compared with, m/s².
const WIND: [f64; 3] = [3.0, 0.0, 1.0];
/// Of a curtain, both ways, m.
const WIDTH: f64 = 2.0;
/// The height of its lower edge, m: it does not reach the floor, of which the other scheme knows nothing.
const HEM: f64 = 0.5;
const FRAME_SECONDS: f64 = 1.0 / 60.0;
/// Frames after which the stretch is looked at: 2 s.
const STRETCHED_FRAMES: u32 = 120;

/// A square grid.
pub struct Sheet {
    pub name: String,
    /// Particles a side.
    pub side: u32,
}

impl Sheet {
    pub fn new(side: u32) -> Self {
        Self {
            name: format!("cloth-{side}"),
            side,
        }
    }

    /// Between neighbours, m.
    fn spacing(&self) -> f64 {
        WIDTH / f64::from(self.side - 1)
    }

    fn load(&self, machine: &Machine, arguments: &Arguments) -> Result<Simulation, Failure> {
        let mesh = ClothMesh::grid(self.side, self.side, self.spacing())?;
        let environment = Environment {
            gravity: GRAVITY,
            ..Environment::default()
        };
        let mut simulation = Simulation::new(machine.gpu.clone(), environment, arguments.settings)?;
        simulation.load_cloth(
            mesh,
            &ClothOptions {
                material: ClothMaterial::SILK,
                transform: Transform {
                    translation: [0.0, HEM, 0.0],
                    ..Transform::default()
                },
                pinned: Pinned::Vertices((0..self.side).collect()),
                ..ClothOptions::default()
            },
        )?;
        simulation.set_wind(Wind {
            velocity: WIND,
            ..Wind::default()
        })?;
        Ok(simulation)
    }
}

/// Strain of the threads along warp and weft.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stretch {
    /// Of the thread between two neighbours that is stretched most; not a number where a position is none.
    pub largest: f64,
    /// The mean of their absolute values.
    pub mean: f64,
    /// Part of them that is stretched beyond silk's limit, 0 to 1.
    pub beyond_limit: f64,
    /// How far below its place in the flat curtain the lowest particle hangs, m.
    pub sag: f64,
}

impl Stretch {
    fn of(sheet: &Sheet, positions: &[[f32; 3]]) -> Self {
        let side = sheet.side as usize;
        let at = |particle: usize| glam::Vec3::from(positions[particle]).as_dvec3();
        let mut found = Self {
            largest: f64::NEG_INFINITY,
            mean: 0.0,
            beyond_limit: 0.0,
            sag: f64::NEG_INFINITY,
        };
        let limit = ClothMaterial::SILK.strain_limit.unwrap_or(f64::INFINITY);
        let mut count = 0.0;
        // f64::max would drop what is not a number.
        let larger = |a: f64, b: f64| if a >= b { a } else { b };
        for particle in 0..side * side {
            let (i, j) = (particle % side, particle / side);
            let right = (i + 1 < side).then_some(particle + 1);
            let below = (j + 1 < side).then_some(particle + side);
            for other in [right, below].into_iter().flatten() {
                let strain = at(particle).distance(at(other)) / sheet.spacing() - 1.0;
                found.largest = larger(found.largest, strain);
                found.mean += strain.abs();
                found.beyond_limit += f64::from(u8::from(strain > limit));
                count += 1.0;
            }
            found.sag = larger(found.sag, HEM - at(particle).y);
        }
        found.mean /= count;
        found.beyond_limit /= count;
        found
    }
}

/// After 2 s from the flat curtain.
#[derive(Debug, Clone, Copy)]
pub struct Stretched {
    pub windy: Stretch,
    pub still: Stretch,
}

/// The product in one of its ways.
pub struct Way {
    pub times: FrameTimes,
    pub dispatches: u32,
}

/// The scheme that is compared with.
pub struct ArticleReport {
    pub times: FrameTimes,
    pub dispatches: usize,
    /// Springs relaxed in a frame.
    pub solves: u64,
    /// Bytes on the GPU.
    pub memory: u64,
    pub stretched: Stretched,
}

/// What was found of one curtain.
pub struct ClothReport {
    pub name: String,
    pub particles: u64,
    pub edges: usize,
    pub bends: usize,
    pub substeps: u32,
    /// Tile by tile, as it is solved unless told otherwise.
    pub tiles: Way,
    pub batches: Way,
    pub stretched: Stretched,
    /// Bytes on the GPU.
    pub memory: Option<u64>,
    /// From the size of the grid to a cloth that can be stepped, s.
    pub load_seconds: f64,
    pub article: Option<ArticleReport>,
    pub software: bool,
}

/// One way of solving a cloth that both ways share.
struct Solved<'a> {
    simulation: &'a RefCell<Simulation>,
    by_tiles: bool,
}

impl Frames for Solved<'_> {
    fn reset(&mut self) -> Result<(), Failure> {
        Ok(self.simulation.borrow_mut().reset()?)
    }

    fn submit(&mut self, frames: u32) -> Result<(), Failure> {
        let mut simulation = self.simulation.borrow_mut();
        simulation.set_cloth_tiles(self.by_tiles);
        for _ in 0..frames {
            simulation.step(FRAME_SECONDS)?;
        }
        Ok(())
    }

    fn submit_timed(&mut self, timer: &mut PassTimer) -> Result<(), Failure> {
        let mut simulation = self.simulation.borrow_mut();
        simulation.set_cloth_tiles(self.by_tiles);
        Ok(simulation.time_frame(timer)?)
    }
}

impl Solved<'_> {
    fn way(self, times: FrameTimes) -> Result<Way, Failure> {
        let mut simulation = self.simulation.borrow_mut();
        simulation.set_cloth_tiles(self.by_tiles);
        Ok(Way {
            times,
            dispatches: simulation.cloth_dispatches()?,
        })
    }
}

/// Measures a curtain.
pub fn run(
    machine: &Machine,
    arguments: &Arguments,
    sheet: &Sheet,
) -> Result<ClothReport, Failure> {
    let before = machine.memory()?;
    let begun = Instant::now();
    let mut simulation = sheet.load(machine, arguments)?;
    machine.wait()?;
    let load_seconds = begun.elapsed().as_secs_f64();
    let memory = machine.memory()?.zip(before);
    let substeps = simulation.step(FRAME_SECONDS)?.substeps;
    let cloth = simulation.cloth().ok_or(SimulationError::NoCloth)?;
    let (edges, bends) = (cloth.elements().edges.len(), cloth.elements().bends.len());
    let initial = cloth.initial();
    let origin = glam::Vec3::from(initial.origin);
    let start: Vec<[f32; 3]> = initial
        .positions
        .iter()
        .map(|&p| (origin + glam::Vec3::from(p)).to_array())
        .collect();
    let mut article = match arguments.baseline {
        true => Article::new(machine, sheet.side, sheet.spacing(), &start, WIND)
            .inspect_err(|error| eprintln!("{}: no baseline: {error}", sheet.name))
            .ok(),
        false => None,
    };

    let shared = RefCell::new(simulation);
    let [mut tiles, mut batches] = [true, false].map(|by_tiles| Solved {
        simulation: &shared,
        by_tiles,
    });
    let mut schemes: Vec<&mut dyn Frames> = vec![&mut tiles, &mut batches];
    schemes.extend(article.iter_mut().map(|article| article as &mut dyn Frames));
    let mut times = measure::frames(machine, arguments, &mut schemes)?.into_iter();
    let mut next = || times.next().ok_or("a scheme was not timed");
    let (tiles, batches) = (tiles.way(next()?)?, batches.way(next()?)?);
    let article = match article {
        Some(mut article) => {
            let times = next()?;
            let mut after = |wind: [f64; 3]| -> Result<Stretch, Failure> {
                article.set_wind(wind);
                article.reset()?;
                article.submit(STRETCHED_FRAMES)?;
                Ok(Stretch::of(sheet, &article.positions()?))
            };
            let stretched = Stretched {
                still: after([0.0; 3])?,
                windy: after(WIND)?,
            };
            Some(ArticleReport {
                times,
                dispatches: article.dispatches(),
                solves: article.solves(),
                memory: article.memory(),
                stretched,
            })
        }
        None => None,
    };
    let mut simulation = shared.into_inner();
    simulation.set_cloth_tiles(true);
    let mut after = |velocity: [f64; 3]| -> Result<Stretch, Failure> {
        simulation.set_wind(Wind {
            velocity,
            ..Wind::default()
        })?;
        simulation.reset()?;
        simulation.step(f64::from(STRETCHED_FRAMES) * FRAME_SECONDS)?;
        let positions = pollster::block_on(simulation.read_positions()?)?;
        Ok(Stretch::of(sheet, &positions))
    };
    let stretched = Stretched {
        still: after([0.0; 3])?,
        windy: after(WIND)?,
    };
    Ok(ClothReport {
        name: sheet.name.clone(),
        particles: u64::from(sheet.side) * u64::from(sheet.side),
        edges,
        bends,
        substeps,
        tiles,
        batches,
        stretched,
        memory: memory.map(|(after, before)| after.saturating_sub(before)),
        load_seconds,
        article,
        software: machine.software,
    })
}
