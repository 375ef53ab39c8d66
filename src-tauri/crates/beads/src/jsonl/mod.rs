//! Beads in a JSONL file: the embedded store, and the read-only view of other trackers' exports.
//!
//! The file is what bd and br export, one bead a line, sorted by id, so that either takes it over
//! later. There is no database beside it.

mod change;
mod config;
mod edit;
mod embedded;
mod ids;
mod lean_rows;
mod lines;
mod near;
mod read_only;
mod snapshot;
mod view;

pub(crate) use change::Place;
pub(crate) use config::{GITIGNORE, METADATA, config_yaml, configured as configured_prefix, is_prefix};
pub(crate) use embedded::Embedded;
pub(crate) use read_only::ReadOnly;
pub(crate) use snapshot::{Snapshot, maps};

#[cfg(test)]
mod embedded_tests;
#[cfg(test)]
mod samples_tests;
