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
    samples::{Budget, Goal, Samples, Unit},
};

/// A row.
pub(crate) struct Row {
    /// The name for `--row`.
    pub(crate) name: &'static str,
    pub(crate) operation: &'static str,
    pub(crate) beside: &'static str,
    pub(crate) unit: Unit,
    /// What people notice; `None` if no user waits for it.
    pub(crate) budget: Option<Budget>,
    /// Compared with the peer or the bare program; `None` if it only explains another row.
    pub(crate) goal: Option<Goal>,
    pub(crate) measure: fn(&Bench) -> Result<Samples, BenchError>,
}

/// All rows in the order of measurement and display.
pub(crate) const ROWS: &[Row] = &[
    Row {
        name: "window-paint",
        budget: Some(Budget::Start),
        operation: "window: first paint of the board",
        beside: "an empty Tauri window",
        unit: Unit::Ms,
        goal: Some(Goal::RatioAtMost(1.3)),
        measure: window::paint,
    },
    Row {
        name: "server-board",
        budget: Some(Budget::Start),
        operation: "server: start → board JSON, 1,000 beads",
        beside: "program start + file read",
        unit: Unit::Ms,
        goal: Some(Goal::RatioAtMost(3.0)),
        measure: board::board,
    },
    Row {
        name: "flood-browser",
        budget: None,
        operation: "PTY → browser, 200 MB",
        beside: "the same bytes over a bare WebSocket",
        unit: Unit::MbPerS,
        goal: Some(Goal::RatioAtLeast(0.7)),
        measure: browser::browser,
    },
    Row {
        name: "flood-client",
        budget: None,
        operation: "PTY → WebSocket client without drawing, 200 MB",
        beside: "the same bytes over a bare WebSocket",
        unit: Unit::MbPerS,
        goal: None,
        measure: flood::flood,
    },
    Row {
        name: "echo",
        budget: Some(Budget::KeyToGlyph),
        operation: "echo of a key through the server",
        beside: "raw PTY echo + bare WebSocket echo",
        unit: Unit::Us,
        goal: Some(Goal::RatioAtMost(1.5)),
        measure: echo::echo,
    },
    Row {
        name: "key-glyph-webgl-p50",
        budget: Some(Budget::KeyToGlyph),
        operation: "key → glyph in Chromium, WebGL, p50",
        beside: "gotty's page",
        unit: Unit::Ms,
        goal: Some(Goal::RatioAtMost(1.1)),
        measure: |bench| page::keys(bench, true, 0.5),
    },
    Row {
        name: "key-glyph-webgl-p95",
        budget: Some(Budget::KeyToGlyph),
        operation: "key → glyph in Chromium, WebGL, p95",
        beside: "gotty's page",
        unit: Unit::Ms,
        goal: Some(Goal::RatioAtMost(1.1)),
        measure: |bench| page::keys(bench, true, 0.95),
    },
    Row {
        name: "key-glyph-p50",
        budget: Some(Budget::KeyToGlyph),
        operation: "key → glyph in Chromium without WebGL, p50",
        beside: "gotty's page",
        unit: Unit::Ms,
        goal: Some(Goal::RatioAtMost(1.1)),
        measure: |bench| page::keys(bench, false, 0.5),
    },
    Row {
        name: "key-glyph-p95",
        budget: Some(Budget::KeyToGlyph),
        operation: "key → glyph in Chromium without WebGL, p95",
        beside: "gotty's page",
        unit: Unit::Ms,
        goal: Some(Goal::RatioAtMost(1.1)),
        measure: |bench| page::keys(bench, false, 0.95),
    },
    Row {
        name: "flood-page",
        budget: None,
        operation: "PTY → page in Chromium, 200 MB",
        beside: "gotty's page",
        unit: Unit::MbPerS,
        goal: Some(Goal::RatioAtLeast(1.0)),
        measure: page::flood,
    },
    Row {
        name: "window-memory",
        budget: None,
        operation: "memory, idle window",
        beside: "an empty Tauri window",
        unit: Unit::Mib,
        goal: Some(Goal::RatioAtMost(1.25)),
        measure: window::memory,
    },
    Row {
        name: "append",
        budget: None,
        operation: "acknowledged append, one writer",
        beside: "a bare write + fdatasync loop",
        unit: Unit::Us,
        goal: Some(Goal::RatioAtMost(1.2)),
        measure: files::append,
    },
    Row {
        name: "state-file",
        budget: None,
        operation: "atomic state file",
        beside: "temp + fsync + rename + dir fsync in plain Rust",
        unit: Unit::Us,
        goal: Some(Goal::RatioAtMost(1.1)),
        measure: files::state,
    },
    Row {
        name: "attach",
        budget: None,
        operation: "PTY → attached client, 1 GB, 0 bytes lost",
        beside: "a bare PTY reader on the same output",
        unit: Unit::MbPerS,
        goal: Some(Goal::RatioAtLeast(0.8)),
        measure: attach::attach,
    },
    Row {
        name: "host-start",
        budget: Some(Budget::Answer),
        operation: "host start → child's first byte (simulated agent)",
        beside: "fork + exec + PTY",
        unit: Unit::Ms,
        goal: Some(Goal::RatioAtMost(3.0)),
        measure: start::start,
    },
    Row {
        name: "transcript",
        budget: Some(Budget::Answer),
        operation: "transcript line → message on the client's socket",
        beside: "inotify + read + typed parse",
        unit: Unit::Us,
        goal: Some(Goal::RatioAtMost(2.0)),
        measure: transcript::transcript,
    },
    Row {
        name: "open-session",
        budget: Some(Budget::List),
        operation: "open a 50 MB session at its end",
        beside: "a 5 MB one",
        unit: Unit::Ms,
        goal: Some(Goal::RatioAtMost(1.3)),
        measure: open::open,
    },
    Row {
        name: "export",
        budget: None,
        operation: "export of 300,000 messages as JSON, without secrets",
        beside: "reading their file",
        unit: Unit::Ms,
        goal: Some(Goal::RatioAtMost(2.0)),
        measure: export::export,
    },
    Row {
        name: "search",
        budget: Some(Budget::List),
        operation: "search over 5,000 sessions / 1 GB, indexed",
        beside: "ripgrep on the same files",
        unit: Unit::Ms,
        goal: Some(Goal::RatioAtMost(0.05)),
        measure: search::search,
    },
    Row {
        name: "host-memory",
        budget: None,
        operation: "memory of one live session host, claude not counted",
        beside: "–",
        unit: Unit::Mib,
        goal: Some(Goal::AtMost(6.0)),
        measure: idle::host_memory,
    },
    Row {
        name: "idle",
        budget: None,
        operation: "engine with 10 live idle sessions",
        beside: "–",
        unit: Unit::Percent,
        goal: Some(Goal::AtMost(1.0)),
        measure: idle::idle,
    },
    Row {
        name: "remember",
        budget: Some(Budget::Answer),
        operation: "`remember`, embedded, 10,000 beads, durable",
        beside: "program start + append + fdatasync",
        unit: Unit::Ms,
        goal: Some(Goal::RatioAtMost(3.0)),
        measure: memory::remember,
    },
    Row {
        name: "bd-write",
        budget: None,
        operation: "a bead write in a bd project",
        beside: "the same write by bd alone",
        unit: Unit::Ms,
        goal: Some(Goal::RatioAtMost(1.2)),
        measure: tracker::write,
    },
    Row {
        name: "prime",
        budget: Some(Budget::List),
        operation: "`prime`, embedded, 10,000 beads, 2,000 memories",
        beside: "program start + typed parse of the same files",
        unit: Unit::Ms,
        goal: Some(Goal::RatioAtMost(2.0)),
        measure: memory::prime,
    },
    Row {
        name: "hook-relay",
        budget: Some(Budget::Answer),
        operation: "hook relay, process start to exit, no host work",
        beside: "`/bin/true` through a shell",
        unit: Unit::Ms,
        goal: Some(Goal::RatioAtMost(3.0)),
        measure: relay::relay,
    },
    Row {
        name: "memory-search",
        budget: Some(Budget::List),
        operation: "search over 10,000 memories",
        beside: "ripgrep over the same text",
        unit: Unit::Ms,
        goal: Some(Goal::RatioAtMost(1.0)),
        measure: memory::search,
    },
    Row {
        name: "state-operation",
        budget: Some(Budget::Answer),
        operation: "a guarded change of a fleet's entity, with its event",
        beside: "temp + fsync + rename + dir fsync, and a line + fdatasync",
        unit: Unit::Us,
        goal: Some(Goal::RatioAtMost(1.2)),
        measure: fleet::state,
    },
    Row {
        name: "dispatch-20",
        budget: None,
        operation: "assigning work to 20 agents, until all run",
        beside: "20 bare `git worktree add` + PTY starts",
        unit: Unit::Ms,
        goal: Some(Goal::RatioAtMost(1.5)),
        measure: fleet::dispatch,
    },
    Row {
        name: "fleet-idle",
        budget: None,
        operation: "server with the fleet's view open, 20 live idle agents",
        beside: "–",
        unit: Unit::Percent,
        goal: Some(Goal::AtMost(2.0)),
        measure: fleet::view,
    },
];
