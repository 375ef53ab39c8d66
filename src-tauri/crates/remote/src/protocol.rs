//! The messages between a link and a place: one JSON value per line, and lines of the record as raw text.

use crate::{
    home_request::HomeRequest,
    pipe::{Message, RawText},
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

pub(crate) const VERSION: u32 = 6;

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ToPlace {
    /// The first message.
    Hello(Hello),
    /// Lines of the link's record, in order, for a place that has no record of the session.
    /// [`ToPlace::Start`] follows.
    Lines { log: Log, text: RawText },
    /// Starts the session's host. The link has already pushed the branch.
    Start {
        run: Box<NewRun>,
        /// The time by the user's clock.
        now: Timestamp,
    },
    /// Requests the part of the record beyond `have`, and all events from now on.
    Follow {
        /// The part of each log that the link has.
        have: BTreeMap<Log, Prefix>,
        /// The time by the user's clock.
        now: Timestamp,
    },
    /// Requests the host's current status.
    Status,
    /// Answers the place's request for beads or settings.
    Answer { number: u64, answer: Answer },
}

impl Message for ToPlace {
    fn text(&self) -> Option<&RawText> {
        if let ToPlace::Lines { text, .. } = self { Some(text) } else { None }
    }

    fn text_mut(&mut self) -> Option<&mut RawText> {
        if let ToPlace::Lines { text, .. } = self { Some(text) } else { None }
    }
}

/// The link's first message.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Hello {
    /// The link's [`VERSION`].
    pub(crate) version: u32,
    pub(crate) session: SessionId,
    pub(crate) project: ProjectId,
    pub(crate) branch: BranchName,
    /// The folder for projects at the place, relative to the home folder.
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
    /// The request failed. The place then closes the connection.
    Failed {
        reason: String,
        part: FailedPart,
    },
    /// New lines of a log.
    Lines {
        log: Log,
        /// The offset of the first byte of these lines.
        at: u64,
        /// Whole lines.
        text: RawText,
    },
    /// The beginning of the place's log differs from the link's copy, so the log is not copied.
    Differs {
        log: Log,
    },
    State {
        file: State,
        text: String,
    },
    /// An event of the host, in the format of its socket. The record already contains the event's data.
    Event(Value),
    Status(Box<HostStatus>),
    /// The host or an agent requests beads or settings.
    Ask {
        /// The request's number, which is unique within the connection.
        number: u64,
        request: HomeRequest,
    },
    /// A sign of life, so that the link detects a dead connection. Sent if no other input arrives for some seconds,
    /// and after each requested status.
    Alive,
    /// The place does not have this session: the session never started, or its record was deleted at the
    /// place.
    NoSession,
    /// The host has exited, and all data was sent.
    Ended,
}

impl Message for FromPlace {
    fn text(&self) -> Option<&RawText> {
        if let FromPlace::Lines { text, .. } = self { Some(text) } else { None }
    }

    fn text_mut(&mut self) -> Option<&mut RawText> {
        if let FromPlace::Lines { text, .. } = self { Some(text) } else { None }
    }
}
