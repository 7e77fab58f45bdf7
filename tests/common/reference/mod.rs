//! A plain float64 reference of the elastic model on the CPU: energy, forces, equilibria, modes, trajectories.
//!
//! Written to be read and checked against the formulas, not to be fast, and sharing no code with the library: a mistake
//! would have to be made twice. `tests/accuracy_reference.rs` holds it against stored figures of other programs.
#![allow(dead_code, unused_imports, reason = "each user takes a part of it")]

mod bound;
mod element;
mod equilibrium;
mod model;
mod modes;
mod skyline;
mod stiffness;
mod trajectory;

pub use bound::frequency_bound;
pub use element::{Element, Lame, SignedSvd, signed_svd};
pub use equilibrium::{Equilibrium, minimise};
pub use model::{Model, Solid, norm};
pub use modes::{Mode, lowest_modes};
pub use skyline::Cholesky;
pub use stiffness::Stiffness;
pub use trajectory::{State, verlet};
