//! The bead tracker: one trait, implemented for bd, br, the embedded store and read-only beads.
//! - [`open`] determines the tracker of a project from its files and looks up the tracker's program.
//! - [`Tracker`] is the interface for all other crates: list, show, create, claim, submit, close …
//! - [`open_pinned`] opens the project's pinned beads: stored rows that are never work.
//! - [`everything`] and [`import`] export and import whole rows, for backups.
//! - `cli/` runs `bd` and `br` through their command lines. `jsonl/` is the embedded store and the read-only
//!   view of a project if its tracker's program is missing.
//!
//! Deliberately elsewhere: when claims are allowed (the engine), sessions, and the meaning of memories
//! ([`PinnedBeads`] only stores rows).
//!
//! Invariants: a tracker is written only through its own program, or by the embedded store if the project has
//! none. No tracker's database is opened; a copy of a classic bd's is read in memory. Every change of a bead
//! through [`Tracker`] is verified, by the program's answer together with the tracker's mark or by reading
//! the bead again; a change without effect is an error. A tracker's output is decoded leniently, and skipped
//! parts are warnings.

mod actor;
mod bd_events;
mod beads_files;
mod classic;
mod classic_bd;
mod cli;
#[cfg(test)]
mod contract_tests;
mod cycles;
mod detect;
mod dolt;
mod environment;
mod error;
mod exchange;
mod facts;
#[cfg(test)]
mod facts_check;
mod graph;
mod index;
mod init;
mod input;
mod json;
mod jsonl;
mod kinds;
mod lean;
#[doc(hidden)]
pub mod measure;
mod not_ready;
mod open_pinned;
mod page;
mod pinned;
mod place;
mod read_only;
mod readiness;
mod row;
mod served_database;
mod tracker;
mod transfer;

pub use actor::Actor;
pub use detect::{BeadsDir, change_mark, locate, open};
pub use environment::Environment;
pub use error::TrackerError;
pub use exchange::{Everything, everything, import, tracker_remotes, tracker_sync, unfit};
pub use init::{InitChoice, Initialized, bd_version, default_prefix, init};
pub use open_pinned::open_pinned;
pub use pinned::{NewPinned, PinnedBead, PinnedBeads, id_prefix};
pub use place::Layout;
pub use served_database::{ServedDatabase, served_database};
pub use tracker::{
    Capabilities, Close, CustomStatus, Deletion, Dependency, FieldChanges, ListFilter, Listing, NewBead,
    Part, PartialListing, Tracker, TrackerEvent, TrackerInfo, TrackerKind, Warning,
};
pub use transfer::{Direction, LeftOut, TrackerRemote};
