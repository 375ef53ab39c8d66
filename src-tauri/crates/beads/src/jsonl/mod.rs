//! Beads in a JSONL file: the embedded store, and the read-only view of other trackers' exports.
//!
//! The file has the export format of bd and br, one bead per line, so that either can take it over. A new
//! file is sorted by id; an existing order is kept. There is no database beside it.

mod change;
mod config;
mod edit;
mod edit_fields;
mod embedded;
mod embedded_edits;
mod export;
mod ids;
mod lean_rows;
mod lines;
mod neighborhood;
mod order;
mod snapshot;
mod texts;
mod view;

pub(crate) use change::Place;
pub(crate) use config::{GITIGNORE, METADATA, config_yaml, configured as configured_prefix, is_prefix};
pub(crate) use embedded::Embedded;
pub(crate) use export::Export;
pub(crate) use snapshot::{Snapshot, maps};
pub(crate) use texts::of_map as texts_of;

#[cfg(test)]
mod embedded_tests;
#[cfg(test)]
mod samples_tests;
