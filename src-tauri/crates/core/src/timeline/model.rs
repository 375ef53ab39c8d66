//! A timeline's bands and events, and the records from which the timeline is computed.

use super::ActivityLine;
use crate::{Timestamp, hooks::HookRun, message::Message, recovery::Injection, session::Meta};
use serde::{Deserialize, Serialize};

/// A session's timeline.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Timeline {
    /// The bands in order, without gaps from start to end. If a clock was set back, a band may start before
    /// its predecessor's end.
    pub bands: Vec<TimelineBand>,
    /// The events, in order.
    pub events: Vec<TimelineEvent>,
    /// Problems with the records.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// A span of time with one kind of activity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct TimelineBand {
    pub kind: BandKind,
    pub from: Timestamp,
    /// The band's end; `None` while the band is open.
    #[serde(default)]
    pub to: Option<Timestamp>,
    /// The reason for a wait (`prompt`, `permission`, `dialog`) or for a pause (`user`, `inactivity`,
    /// `exited`, `interrupted`, `superseded`); `None` if unknown.
    #[serde(default)]
    pub reason: Option<String>,
}

/// The kind of a time band.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum BandKind {
    /// Claude was running: it was starting, or its activity is unknown.
    Active,
    /// Claude was in a turn.
    Working,
    /// Claude waited for the user.
    Waiting,
    /// Claude was not running.
    Paused,
}

/// An event on a session's timeline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct TimelineEvent {
    pub at: Timestamp,
    pub kind: TimelineEventKind,
    /// A description on one line.
    pub label: String,
    /// The message that contains the event or precedes it; for a start, the message that follows. `None` if
    /// there is no such message.
    #[serde(default)]
    pub message: Option<String>,
}

/// The kinds of timeline events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum TimelineEventKind {
    Start,
    Resume,
    /// The session was paused; the label has the reason.
    Pause,
    /// The session was closed; the label has the reason.
    End,
    Prompt,
    /// A tool failed or was refused.
    ToolFailed,
    PermissionAsked,
    /// A permission request was answered; the label has the answer.
    PermissionAnswered,
    Commit,
    Compaction,
    Clear,
    Injection,
    /// The API failed.
    Error,
    /// A turn was stopped.
    Interrupted,
    /// A lifecycle hook ran.
    Hook,
    /// A hook did not run, or its run has a [`HookRun::warning`]; the label has the reason.
    HookFailed,
}

/// A commit of the session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitMade {
    pub hash: String,
    /// The first line of the commit message; empty if the commit no longer exists.
    pub subject: String,
    /// The commit's time; `None` if unknown.
    pub at: Option<Timestamp>,
}

/// The sources of a timeline, each in the order of its record.
#[derive(Debug, Clone, Copy)]
pub struct Records<'a> {
    pub meta: &'a Meta,
    pub messages: &'a [Message],
    pub injections: &'a [Injection],
    /// The records of the session's hosts; empty for sessions of older builds.
    pub activity: &'a [ActivityLine],
    pub commits: &'a [CommitMade],
    /// The runs of lifecycle hooks in the session.
    pub hooks: &'a [HookRun],
}
