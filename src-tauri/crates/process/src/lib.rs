//! Processes, PTYs, terminal state and local sockets.
//!
//! The one crate that spawns. Arguments are vectors, never a shell line; every child has one owner,
//! and every descendant of it can be named and ended ([`descendants`]).

mod beside;
pub mod descendants;
pub mod detach;
pub mod enclosed;
pub mod find;
pub mod foreground;
pub mod kept;
pub mod memory;
pub mod noticed;
mod os;
pub mod own_env;
pub mod owned;
pub mod pty;
pub mod run;
pub mod screen;
pub mod signals;
pub mod size;
pub mod socket;
pub mod terminal;

pub use beside::{answers_at_once, beside, beside_soon};
