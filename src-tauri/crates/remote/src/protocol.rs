//! The messages between a link and the place: one JSON object per line.

use crate::{
    home_request::HomeRequest,
    place::Answer,
    record_kind::{Log, Prefix, State},
    spec::NewRun,
};
use bc_core::{
    Timestamp,
    ids::{BranchName, ProjectId, SessionId},
};
use bc_host::{FailedPart, protocol::HostStatus};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

pub(crate) const VERSION: u32 = 4;

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ToPlace {
    /// The first message.
    Hello(Hello),
    /// Lines of the link's record, in order, for a place that has no record of the session. `Start` follows.
    Lines { log: Log, text: String },
    /// Starts the session's host. The link has already pushed the branch.
    Start {
        run: Box<NewRun>,
        /// The time by the user's clock.
        now: Timestamp,
    },
    /// Requests the record beyond `have`, and all events from now on.
    Follow {
        /// The part of each log that the link has.
        have: BTreeMap<Log, Prefix>,
        /// The time by the user's clock.
        now: Timestamp,
    },
    /// Requests the host's current status.
    Status,
    /// Answers a request of the place for beads or settings.
    Answer { number: u64, answer: Answer },
}

/// The link's first message.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Hello {
    /// The link's [`VERSION`].
    pub(crate) version: u32,
    pub(crate) session: SessionId,
    pub(crate) project: ProjectId,
    pub(crate) branch: BranchName,
    /// The folder for projects at the place; relative to the home folder.
    pub(crate) folder: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FromPlace {
    /// The answer to the link's hello. The repository is ready for a push.
    Hello {
        /// The place's [`VERSION`].
        version: u32,
        has_session: bool,
    },
    /// The host is running.
    Started,
    /// The request failed. The place ends the connection.
    Failed {
        reason: String,
        part: FailedPart,
    },
    /// New lines of a log.
    Lines {
        log: Log,
        /// The offset of the first byte of these lines.
        at: u64,
        /// The text of whole lines.
        text: String,
    },
    /// The place's log does not begin like the link's copy, so it is not copied.
    Differs {
        log: Log,
    },
    State {
        file: State,
        text: String,
    },
    /// An event of the host, as its socket sends it. The record already has the content of the event.
    Event(Value),
    Status(Box<HostStatus>),
    /// The host or an agent requests beads or settings.
    Ask {
        /// The number of the request, counted per connection.
        number: u64,
        request: HomeRequest,
    },
    /// The host is alive. Sent regularly, so that the link detects a dead connection.
    Alive,
    /// The place has no such session: the session never started, or its record was deleted at the place.
    NoSession,
    /// The host has ended, and everything was sent.
    Ended,
}
