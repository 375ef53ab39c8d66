//! `activity.jsonl`: what a session's hosts saw, a line for each change, append-only. A line of another
//! version says at least when it was; what this build does not know of it is passed over.

use crate::{
    Timestamp,
    session::{CloseReason, Interval, Meta, PauseReason},
};
use serde::{Deserialize, Serialize};

/// The version of [`ActivityLine`] that this build writes.
pub const ACTIVITY_VERSION: u32 = 1;

/// One line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActivityLine {
    /// [`ACTIVITY_VERSION`] of whoever wrote it.
    pub version: u32,
    /// When.
    pub at: Timestamp,
    /// What.
    #[serde(flatten)]
    pub what: Happened,
}

/// What a host saw.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Happened {
    /// A host began; all lines to the next one of these are its.
    Began {
        /// The start of the active interval that it is for, exactly.
        interval: Timestamp,
    },
    /// Claude does this from now on.
    Activity {
        /// What.
        is: Doing,
    },
    /// Claude asks for a permission.
    Asked {
        /// The request.
        id: String,
        /// For which tool.
        tool: String,
        /// On what, short.
        #[serde(default)]
        subject: String,
    },
    /// It does not ask any more.
    Answered {
        /// The request.
        id: String,
        /// How it was answered.
        answer: Answered,
    },
    /// The host ended in order.
    Ended {
        /// Why it was paused, if it was.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        paused: Option<PauseReason>,
        /// Why it was closed, if it was.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        closed: Option<CloseReason>,
    },
    /// Something of another version.
    #[serde(other)]
    Other,
}

/// What claude does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Doing {
    /// It has not said anything yet.
    Starting,
    /// It is at its prompt.
    Prompt,
    /// It asks for a permission.
    Permission,
    /// It asks something in its terminal.
    Dialog,
    /// It is in a turn.
    Working,
    /// It has ended.
    Gone,
    /// Nobody knows.
    #[serde(other)]
    Unknown,
}

/// How a permission was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answered {
    /// Yes, this once.
    Allow,
    /// Yes, from now on.
    Always,
    /// No.
    Deny,
    /// In claude's own dialog, or the question went away.
    #[serde(other)]
    Elsewhere,
}

impl ActivityLine {
    /// In the version that this build writes.
    pub fn new(at: Timestamp, what: Happened) -> ActivityLine {
        ActivityLine { version: ACTIVITY_VERSION, at, what }
    }
}

/// An active interval with what its host wrote down.
pub(super) struct Run<'a> {
    pub(super) interval: &'a Interval,
    /// Whether a host wrote anything.
    pub(super) told: bool,
    pub(super) lines: Vec<&'a ActivityLine>,
}

impl Run<'_> {
    /// Why it was paused at its end, as far as that was written down: one that was told of and did not
    /// end in order was interrupted.
    pub(super) fn paused(&self) -> Option<PauseReason> {
        let ended = self.lines.iter().rev().find_map(|line| match &line.what {
            Happened::Ended { paused, .. } => Some(*paused),
            _ => None,
        });
        match ended {
            Some(paused) => paused,
            None => (self.told && self.interval.end.is_some()).then_some(PauseReason::Interrupted),
        }
    }

    /// Whether its host wrote down that it ended.
    pub(super) fn ended(&self) -> bool {
        self.lines.iter().any(|line| matches!(line.what, Happened::Ended { .. }))
    }
}

/// Every active interval with its lines. Lines of no interval are passed over: their start failed.
pub(super) fn runs<'a>(meta: &'a Meta, lines: &'a [ActivityLine]) -> Vec<Run<'a>> {
    let mut runs: Vec<Run<'_>> =
        meta.active_intervals.iter().map(|interval| Run { interval, told: false, lines: vec![] }).collect();
    let mut current = None;
    for line in lines {
        if let Happened::Began { interval } = &line.what {
            current = runs.iter().rposition(|run| run.interval.start == *interval);
            if let Some(run) = current.and_then(|at| runs.get_mut(at)) {
                run.told = true;
            }
        } else if let Some(run) = current.and_then(|at| runs.get_mut(at)) {
            run.lines.push(line);
        }
    }
    runs
}
