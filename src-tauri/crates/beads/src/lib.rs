//! The bead tracker: one trait; bd, br and embedded behind it.
//!
//! - [`open`] looks at the project's files, decides whose they are, and seeks that program.
//! - [`Tracker`] is what everybody else sees: list, show, create, claim, submit, close …
//! - [`open_pinned`]: rows that are kept and never work.
//! - [`everything`] and [`take_in`]: whole rows, out for a backup and in from one.
//! - `cli/` speaks to `bd` and `br` through their command lines; `jsonl/` is the embedded store and
//!   the read-only view of a project whose program is missing.
//!
//! Deliberately not in here: who may claim what when (the engine's business), sessions, what a memory is
//! ([`PinnedBeads`] only keeps rows), and any look into a tracker's database.
//!
//! Invariants: a tracker is written only through its own program, or, where the project has none, by
//! the embedded store; every write is read back and is an error if it is not there; what a tracker
//! prints is decoded leniently, and what is left out is a warning.

mod actor;
mod cli;
mod detect;
mod error;
mod exchange;
#[cfg(test)]
mod facts_check;
mod graph;
mod init;
mod input;
mod json;
mod jsonl;
mod lean;
mod page;
mod pinned;
mod place;
mod row;
mod tracker;

pub use actor::Actor;
pub use detect::{BeadsDir, Environment, Layout, change_mark, locate, open};
pub use error::TrackerError;
pub use exchange::{
    Direction, Everything, LeftOut, TrackerRemote, everything, take_in, tracker_remotes, tracker_sync, unfit,
};
pub use init::{InitChoice, Initialized, default_prefix, init};
pub use pinned::{NewPinned, PinnedBead, PinnedBeads, id_prefix, open_pinned};
pub use tracker::{
    Close, CustomStatus, ListFilter, Listing, NewBead, Tracker, TrackerInfo, TrackerKind, Warning, Written,
};
