//! `activity.jsonl`: a session's activity as recorded by its hosts, one line per change, append-only. A line
//! of another version has at least a time; its unknown parts are skipped.

use crate::{
    Timestamp,
    session::{CloseReason, Interval, Meta, PauseReason},
};
use serde::{Deserialize, Serialize};

/// The version of [`ActivityLine`] that this build writes.
pub const ACTIVITY_VERSION: u32 = 1;

/// One line of `activity.jsonl`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActivityLine {
    /// The [`ACTIVITY_VERSION`] of the build that wrote the line.
    pub version: u32,
    pub at: Timestamp,
    #[serde(flatten)]
    pub what: Happened,
}

/// An event that a host recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Happened {
    /// A host started. All lines up to the next `Began` are from this host.
    Began {
        /// The exact start of the active interval.
        interval: Timestamp,
    },
    /// Claude's activity changed.
    Activity { is: Doing },
    /// Claude requested a permission.
    Asked {
        id: String,
        tool: String,
        /// The subject of the tool call, shortened.
        #[serde(default)]
        subject: String,
    },
    /// A permission request ended.
    Answered { id: String, answer: Answered },
    /// The host ended normally.
    Ended {
        /// Why the session was paused, if it was paused.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        paused: Option<PauseReason>,
        /// Why the session was closed, if it was closed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        closed: Option<CloseReason>,
    },
    /// An event of another version.
    #[serde(other)]
    Other,
}

/// Claude's activity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Doing {
    Starting,
    Prompt,
    Permission,
    /// Claude shows a dialog in its terminal.
    Dialog,
    Working,
    Gone,
    #[serde(other)]
    Unknown,
}

/// The answer to a permission request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answered {
    /// Allowed once.
    Allow,
    /// Allowed with a lasting rule.
    Always,
    Deny,
    /// Answered in claude's own dialog, or the request was withdrawn.
    #[serde(other)]
    Elsewhere,
}

impl ActivityLine {
    /// Creates a line in the version that this build writes.
    pub fn new(at: Timestamp, what: Happened) -> ActivityLine {
        ActivityLine { version: ACTIVITY_VERSION, at, what }
    }
}

/// An active interval with its host's lines.
pub(super) struct Run<'a> {
    pub(super) interval: &'a Interval,
    /// Whether a host recorded the start of the interval.
    pub(super) recorded: bool,
    pub(super) lines: Vec<&'a ActivityLine>,
}

impl Run<'_> {
    /// Why the session was paused at the end of the interval, if recorded. A past interval with a recorded
    /// start but no recorded end was interrupted.
    pub(super) fn paused(&self) -> Option<PauseReason> {
        let ended = self.lines.iter().rev().find_map(|line| match &line.what {
            Happened::Ended { paused, .. } => Some(*paused),
            _ => None,
        });
        match ended {
            Some(paused) => paused,
            None => (self.recorded && self.interval.end.is_some()).then_some(PauseReason::Interrupted),
        }
    }

    /// Whether the host recorded the end of the interval.
    pub(super) fn ended(&self) -> bool {
        self.lines.iter().any(|line| matches!(line.what, Happened::Ended { .. }))
    }
}

/// Every active interval with its lines. Lines outside any interval are skipped, because the host's start
/// failed.
pub(super) fn runs<'a>(meta: &'a Meta, lines: &'a [ActivityLine]) -> Vec<Run<'a>> {
    let mut runs: Vec<Run<'_>> = meta
        .active_intervals
        .iter()
        .map(|interval| Run { interval, recorded: false, lines: vec![] })
        .collect();
    let mut current = None;
    for line in lines {
        if let Happened::Began { interval } = &line.what {
            current = runs.iter().rposition(|run| run.interval.start == *interval);
            if let Some(run) = current.and_then(|at| runs.get_mut(at)) {
                run.recorded = true;
            }
        } else if let Some(run) = current.and_then(|at| runs.get_mut(at)) {
            run.lines.push(line);
        }
    }
    runs
}
