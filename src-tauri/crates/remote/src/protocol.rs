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
use bc_host::protocol::HostStatus;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

pub(crate) const VERSION: u32 = 2;

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ToPlace {
    /// The first message.
    Hello(Hello),
    /// Lines of the record here, in order, for a place that has none of the session. A start follows.
    Lines { log: Log, text: String },
    /// Starts the session's host. Its branch has been pushed.
    Start {
        run: Box<NewRun>,
        /// The time by the user's clock.
        now: Timestamp,
    },
    /// Sends the record from here on, and all events.
    Follow {
        /// What the link has of each log.
        have: BTreeMap<Log, Prefix>,
        /// The time by the user's clock.
        now: Timestamp,
    },
    /// Asks for the host's status now.
    Status,
    /// Answers a request for beads or settings.
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
    /// The folder for projects; relative to the home folder.
    pub(crate) folder: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FromPlace {
    /// The answer to the link's hello: the repository is ready for a push.
    Hello {
        /// The place's [`VERSION`].
        version: u32,
        has_session: bool,
    },
    /// The host runs.
    Started,
    /// The request failed, and the place ends the connection.
    Failed {
        reason: String,
        /// Whether claude could not be started.
        program: bool,
    },
    /// Lines that a log got.
    Lines {
        log: Log,
        /// The offset of their first byte.
        at: u64,
        /// Whole lines.
        text: String,
    },
    /// The log here does not begin like the one at the link, so it is not copied.
    Differs {
        log: Log,
    },
    State {
        file: State,
        text: String,
    },
    /// An event of the host, as its socket sends it. The record has what it reports.
    Event(Value),
    Status(Box<HostStatus>),
    /// The host or an agent asks for beads or settings.
    Ask {
        /// Counts the requests of this connection.
        number: u64,
        request: HomeRequest,
    },
    /// The host lives. Sent regularly, so that a dead connection is noticed.
    Alive,
    /// The place has no such session, so it never started, or its record was deleted there.
    NoSession,
    /// The host has ended and everything was sent.
    Ended,
}
