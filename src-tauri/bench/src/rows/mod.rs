//! All rows of the table: measurement, baseline and goal.

mod attach;
mod board;
mod browser;
mod echo;
mod export;
mod files;
mod fleet;
mod flood;
mod idle;
mod memory;
mod open;
mod page;
mod relay;
mod search;
mod start;
mod tracker;
mod transcript;
mod window;

use crate::{
    error::BenchError,
    place::Bench,
    samples::{Goal, Samples, Unit},
};

/// A row.
pub(crate) struct Row {
    /// The name for `--row`.
    pub(crate) name: &'static str,
    pub(crate) operation: &'static str,
    pub(crate) beside: &'static str,
    pub(crate) unit: Unit,
    /// `None` if it only explains another row.
    pub(crate) goal: Option<Goal>,
    pub(crate) measure: fn(&Bench) -> Result<Samples, BenchError>,
}

/// All rows in the order of measurement and display.
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
        operation: "PTY → WebSocket client without drawing, 200 MB",
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
        name: "key-glyph-webgl-p50",
        operation: "key → glyph in Chromium, WebGL, p50",
        beside: "gotty's page",
        unit: Unit::Ms,
        goal: Some(Goal::RatioAtMost(1.1)),
        measure: |bench| page::keys(bench, true, 0.5),
    },
    Row {
        name: "key-glyph-webgl-p95",
        operation: "key → glyph in Chromium, WebGL, p95",
        beside: "gotty's page",
        unit: Unit::Ms,
        goal: Some(Goal::RatioAtMost(1.1)),
        measure: |bench| page::keys(bench, true, 0.95),
    },
    Row {
        name: "key-glyph-p50",
        operation: "key → glyph in Chromium without WebGL, p50",
        beside: "gotty's page",
        unit: Unit::Ms,
        goal: Some(Goal::RatioAtMost(1.1)),
        measure: |bench| page::keys(bench, false, 0.5),
    },
    Row {
        name: "key-glyph-p95",
        operation: "key → glyph in Chromium without WebGL, p95",
        beside: "gotty's page",
        unit: Unit::Ms,
        goal: Some(Goal::RatioAtMost(1.1)),
        measure: |bench| page::keys(bench, false, 0.95),
    },
    Row {
        name: "flood-page",
        operation: "PTY → page in Chromium, 200 MB",
        beside: "gotty's page",
        unit: Unit::MbPerS,
        goal: Some(Goal::RatioAtLeast(1.0)),
        measure: page::flood,
    },
    Row {
        name: "window-memory",
        operation: "memory, idle window",
        beside: "an empty Tauri window",
        unit: Unit::Mib,
        goal: Some(Goal::RatioAtMost(1.25)),
        measure: window::memory,
    },
    Row {
        name: "append",
        operation: "acknowledged append, one writer",
        beside: "a bare write + fdatasync loop",
        unit: Unit::Us,
        goal: Some(Goal::RatioAtMost(1.2)),
        measure: files::append,
    },
    Row {
        name: "state-file",
        operation: "atomic state file",
        beside: "temp + fsync + rename + dir fsync in plain Rust",
        unit: Unit::Us,
        goal: Some(Goal::RatioAtMost(1.1)),
        measure: files::state,
    },
    Row {
        name: "attach",
        operation: "PTY → attached client, 1 GB, 0 bytes lost",
        beside: "a bare PTY reader on the same output",
        unit: Unit::MbPerS,
        goal: Some(Goal::RatioAtLeast(0.8)),
        measure: attach::attach,
    },
    Row {
        name: "host-start",
        operation: "host start → child's first byte (simulated agent)",
        beside: "fork + exec + PTY",
        unit: Unit::Ms,
        goal: Some(Goal::RatioAtMost(3.0)),
        measure: start::start,
    },
    Row {
        name: "transcript",
        operation: "transcript line → message on the client's socket",
        beside: "inotify + read + typed parse",
        unit: Unit::Us,
        goal: Some(Goal::RatioAtMost(2.0)),
        measure: transcript::transcript,
    },
    Row {
        name: "open-session",
        operation: "open a 50 MB session at its end",
        beside: "a 5 MB one",
        unit: Unit::Ms,
        goal: Some(Goal::RatioAtMost(1.3)),
        measure: open::open,
    },
    Row {
        name: "export",
        operation: "export of 300,000 messages as JSON, without secrets",
        beside: "reading their file",
        unit: Unit::Ms,
        goal: Some(Goal::RatioAtMost(2.0)),
        measure: export::export,
    },
    Row {
        name: "search",
        operation: "search over 5,000 sessions / 1 GB, indexed",
        beside: "ripgrep on the same files",
        unit: Unit::Ms,
        goal: Some(Goal::RatioAtMost(0.05)),
        measure: search::search,
    },
    Row {
        name: "host-memory",
        operation: "memory of one live session host, claude not counted",
        beside: "–",
        unit: Unit::Mib,
        goal: Some(Goal::AtMost(6.0)),
        measure: idle::host_memory,
    },
    Row {
        name: "idle",
        operation: "engine with 10 live idle sessions",
        beside: "–",
        unit: Unit::Percent,
        goal: Some(Goal::AtMost(1.0)),
        measure: idle::idle,
    },
    Row {
        name: "remember",
        operation: "`remember`, embedded, 10,000 beads, durable",
        beside: "program start + append + fdatasync",
        unit: Unit::Ms,
        goal: Some(Goal::RatioAtMost(3.0)),
        measure: memory::remember,
    },
    Row {
        name: "bd-write",
        operation: "a bead write in a bd project",
        beside: "the same write by bd alone",
        unit: Unit::Ms,
        goal: Some(Goal::RatioAtMost(1.2)),
        measure: tracker::write,
    },
    Row {
        name: "prime",
        operation: "`prime`, embedded, 10,000 beads, 2,000 memories",
        beside: "program start + typed parse of the same files",
        unit: Unit::Ms,
        goal: Some(Goal::RatioAtMost(2.0)),
        measure: memory::prime,
    },
    Row {
        name: "hook-relay",
        operation: "hook relay, process start to exit, no host work",
        beside: "`/bin/true` through a shell",
        unit: Unit::Ms,
        goal: Some(Goal::RatioAtMost(3.0)),
        measure: relay::relay,
    },
    Row {
        name: "memory-search",
        operation: "search over 10,000 memories",
        beside: "ripgrep over the same text",
        unit: Unit::Ms,
        goal: Some(Goal::RatioAtMost(1.0)),
        measure: memory::search,
    },
    Row {
        name: "state-operation",
        operation: "a guarded change of a fleet's entity, with its event",
        beside: "temp + fsync + rename + dir fsync, and a line + fdatasync",
        unit: Unit::Us,
        goal: Some(Goal::RatioAtMost(1.2)),
        measure: fleet::state,
    },
    Row {
        name: "dispatch-20",
        operation: "assigning work to 20 agents, until all run",
        beside: "20 bare `git worktree add` + PTY starts",
        unit: Unit::Ms,
        goal: Some(Goal::RatioAtMost(1.5)),
        measure: fleet::dispatch,
    },
    Row {
        name: "fleet-idle",
        operation: "server with the fleet's view open, 20 live idle agents",
        beside: "–",
        unit: Unit::Percent,
        goal: Some(Goal::AtMost(2.0)),
        measure: fleet::view,
    },
];
