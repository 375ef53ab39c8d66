//! Trackers that are programs: `bd` and `br`.
//!
//! `call` runs one command and reads its answer. `tracker` defines the sequence (read, change, verify) for
//! both programs; each has a `Dialect` with its command lines.

mod answer_cache;
mod answers;
mod bd;
mod bd_edits;
mod br;
mod br_edits;
mod call;
mod dialect;
mod edits;
pub(crate) mod exchange_bd;
pub(crate) mod exchange_br;
mod listed;
mod pinned_bd;
mod pinned_br;
mod programs;
mod steps;
mod tracker;
mod verify;

pub(crate) use bd::{open_bd, probe as probe_bd};
pub(crate) use br::open_br;
pub(crate) use call::{Cli, INSTALL_BD, INSTALL_BR, Request, missing};
pub(crate) use pinned_bd::PinnedBd;
pub(crate) use pinned_br::PinnedBr;

#[cfg(test)]
mod exchange_br_tests;
#[cfg(test)]
mod odd_program_tests;
#[cfg(test)]
mod real_bd_tests;
#[cfg(test)]
mod recorded_br_tests;
