//! What happened in a session and when: stretches of time, and the events on them. Made from what is
//! recorded; nothing is kept of it.
//!
//! Clocks jump and zones change. Moments are shown as they were recorded, and the order is that of the
//! records: what was written later stays behind what was written before, whatever its clock said.

mod activity;
mod bands;
mod events;
mod lean;
mod merge;
#[cfg(test)]
mod tests;

pub use activity::{ACTIVITY_VERSION, ActivityLine, Answered, Doing, Happened};
pub use lean::{lean_injection, lean_message, lean_run};

use crate::{
    Timestamp,
    hooks::HookRun,
    message::Message,
    recovery::Injection,
    session::{CloseReason, Meta, PauseReason},
};
use serde::{Deserialize, Serialize};

/// A session's time.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Timeline {
    /// In order, without gaps from the start to the end. Where a clock was set back, one begins before
    /// the one in front of it has ended.
    pub bands: Vec<TimelineBand>,
    /// In order.
    pub events: Vec<TimelineEvent>,
    /// What could not be read.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// A stretch of time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct TimelineBand {
    /// What it was.
    pub kind: BandKind,
    /// When it began.
    pub from: Timestamp,
    /// When it ended; absent while it lasts.
    #[serde(default)]
    pub to: Option<Timestamp>,
    /// What was waited for (`prompt`, `permission`, `dialog`) or why it was paused (`user`, `inactivity`,
    /// `exited`, `interrupted`, `superseded`); absent where it is not known.
    #[serde(default)]
    pub reason: Option<String>,
}

/// What a stretch of time was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum BandKind {
    /// Claude ran: it was starting, or nobody knows what it did.
    Active,
    /// Claude was in a turn.
    Working,
    /// Claude waited for the person.
    Waiting,
    /// Claude did not run.
    Paused,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct TimelineEvent {
    /// When.
    pub at: Timestamp,
    /// What.
    pub kind: TimelineEventKind,
    /// What it was in particular, on one line.
    pub label: String,
    /// The message that it is in, or that was the last one before it (for a start, the first one after
    /// it); absent without any.
    #[serde(default)]
    pub message: Option<String>,
}

/// What can happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum TimelineEventKind {
    /// The session began.
    Start,
    /// It went on.
    Resume,
    /// It was paused; the label says why.
    Pause,
    /// It was closed; the label says why.
    End,
    /// The person, or a program for the person, said something.
    Prompt,
    /// A tool failed or was refused.
    ToolFailed,
    /// Claude asked for a permission.
    PermissionAsked,
    /// It was answered; the label says how.
    PermissionAnswered,
    /// A commit was made.
    Commit,
    /// The conversation was compacted.
    Compaction,
    /// The conversation was cleared.
    Clear,
    /// Something was put into claude's context.
    Injection,
    /// The API failed.
    Error,
    /// A turn was stopped.
    Interrupted,
    /// A lifecycle hook ran.
    Hook,
    /// One failed, was late, or was not run; the label says why.
    HookFailed,
}

/// A commit of the session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitMade {
    /// Its hash.
    pub hash: String,
    /// The first line of its message; empty where it is not there any more.
    pub subject: String,
    /// When; `None` where nobody knows any more.
    pub at: Option<Timestamp>,
}

/// All that a timeline is made from, each in the order of its record.
#[derive(Debug, Clone, Copy)]
pub struct Records<'a> {
    /// The session.
    pub meta: &'a Meta,
    /// What was said.
    pub messages: &'a [Message],
    /// What its agent was told.
    pub injections: &'a [Injection],
    /// What its hosts wrote down; nothing of builds that wrote none.
    pub activity: &'a [ActivityLine],
    /// Its commits.
    pub commits: &'a [CommitMade],
    /// The runs of lifecycle hooks in it.
    pub hooks: &'a [HookRun],
}

/// A session's time, as far as it is recorded.
pub fn timeline(records: Records<'_>) -> Timeline {
    let runs = activity::runs(records.meta, records.activity);
    let bands = bands::bands(records.meta, records.messages, &runs);
    let events = merge::merge(events::sources(&records, &runs));
    Timeline { bands, events, warnings: Vec::new() }
}

/// Why it was paused, as files have it.
fn word(reason: PauseReason) -> &'static str {
    match reason {
        PauseReason::User => "user",
        PauseReason::Inactivity => "inactivity",
        PauseReason::Exited => "exited",
        PauseReason::Interrupted => "interrupted",
        PauseReason::Superseded => "superseded",
    }
}

/// Why it was paused, for people.
fn why_paused(reason: PauseReason) -> &'static str {
    match reason {
        PauseReason::User => "by the person",
        PauseReason::Inactivity => "claude was idle for too long",
        PauseReason::Exited => "claude ended by itself",
        PauseReason::Interrupted => "its process died",
        PauseReason::Superseded => "another session was started",
    }
}

/// Why it was closed, for people.
fn why_closed(reason: CloseReason) -> &'static str {
    match reason {
        CloseReason::User => "by the person",
        CloseReason::InReview => "its bead went to in review",
        CloseReason::Abandoned => "nobody started it",
    }
}
