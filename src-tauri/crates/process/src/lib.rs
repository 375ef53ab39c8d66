//! Processes, PTYs, terminal state and local sockets.
//!
//! The one crate that spawns. Arguments are vectors, never a shell line; every child has one owner.

pub mod find;
pub mod run;
