//! Every row of the table: what is measured, beside what, and what is wanted.

mod board;
mod browser;
mod echo;
mod flood;
mod window;

use crate::{
    error::BenchError,
    place::Bench,
    samples::{Goal, Samples, Unit},
};

/// A row.
pub(crate) struct Row {
    /// For `--row`.
    pub(crate) name: &'static str,
    pub(crate) operation: &'static str,
    pub(crate) beside: &'static str,
    pub(crate) unit: Unit,
    /// `None` where it only explains another row.
    pub(crate) goal: Option<Goal>,
    pub(crate) measure: fn(&Bench) -> Result<Samples, BenchError>,
}

/// All of them, in the order in which they are measured and shown.
pub(crate) const ROWS: &[Row] = &[
    Row {
        name: "window-paint",
        operation: "window: first paint of the board",
        beside: "an empty Tauri window",
        unit: Unit::Ms,
        goal: Some(Goal::RatioAtMost(1.3)),
        measure: window::paint,
    },
    Row {
        name: "server-board",
        operation: "server: start → board JSON, 1,000 beads",
        beside: "program start + file read",
        unit: Unit::Ms,
        goal: Some(Goal::RatioAtMost(3.0)),
        measure: board::board,
    },
    Row {
        name: "flood-browser",
        operation: "PTY → browser, 200 MB",
        beside: "the same bytes over a bare WebSocket",
        unit: Unit::MbPerS,
        goal: Some(Goal::RatioAtLeast(0.7)),
        measure: browser::browser,
    },
    Row {
        name: "flood-client",
        operation: "PTY → WebSocket client that draws nothing, 200 MB",
        beside: "the same bytes over a bare WebSocket",
        unit: Unit::MbPerS,
        goal: None,
        measure: flood::flood,
    },
    Row {
        name: "echo",
        operation: "echo of a key through the server",
        beside: "raw PTY echo + bare WebSocket echo",
        unit: Unit::Us,
        goal: Some(Goal::RatioAtMost(1.5)),
        measure: echo::echo,
    },
    Row {
        name: "window-memory",
        operation: "memory, idle window",
        beside: "an empty Tauri window",
        unit: Unit::Mib,
        goal: Some(Goal::RatioAtMost(1.25)),
        measure: window::memory,
    },
];
