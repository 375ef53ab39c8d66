//! Beads in a JSONL file: the embedded store, and the read-only view of other trackers' exports.
//!
//! The file has the export format of bd and br, one bead per line, so that either can take it over. A new
//! file is sorted by id; an existing order is kept. The embedded store has no database.

mod change;
mod config;
mod edit;
mod edit_fields;
mod embedded;
mod embedded_edits;
mod export_age;
mod ids;
mod lean_rows;
mod line_table;
mod lines;
mod neighborhood;
mod order;
mod search_texts;
mod snapshot;
mod stamp;
mod view;

pub(crate) use change::Place;
pub(crate) use config::{GITIGNORE, METADATA, config_yaml, configured as configured_prefix, is_prefix};
pub(crate) use embedded::Embedded;
pub(crate) use lean_rows::lean_rows;
pub(crate) use line_table::LineTable;
pub(crate) use search_texts::of_map as texts_of;
pub(crate) use snapshot::{Snapshot, maps};
pub(crate) use view::View;

#[cfg(test)]
mod embedded_tests;
#[cfg(test)]
mod line_table_tests;
#[cfg(test)]
mod samples_tests;
