//! `session.needs`: everything in a project that waits for the user.

use super::PermissionRequest;
use bc_core::{
    Timestamp,
    ids::{BeadId, MergeRequestId, SessionId},
};
use serde::{Deserialize, Serialize};

/// The result of `session.needs`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Needs {
    /// The needs by kind, and the oldest first within a kind.
    pub items: Vec<Need>,
    /// Data that could not be read.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// One thing that waits for the user.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Need {
    /// The need's id, which does not change until the need is resolved. If the same problem or the review of
    /// the same bead recurs, the id is the same.
    pub id: String,
    pub kind: NeedKind,
    #[serde(default)]
    pub session: Option<SessionId>,
    #[serde(default)]
    pub bead: Option<BeadId>,
    /// The title of the session or bead, or the session's objective.
    pub title: String,
    /// The command, the question, the plan's title, claude's last line or the error, on one line; empty if
    /// there is none.
    pub text: String,
    /// When the need arose.
    pub since: Timestamp,
    /// When a limit ends.
    #[serde(default)]
    pub until: Option<Timestamp>,
    /// The permission request to answer; absent if the need has none.
    #[serde(default)]
    pub request: Option<PermissionRequest>,
    /// The stopped merge; absent for other kinds.
    #[serde(default)]
    pub merge: Option<MergeRequestId>,
}

/// The kinds of needs, in their display order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum NeedKind {
    /// Claude asks for a permission.
    Permission,
    /// Claude asks a question.
    Question,
    /// Claude proposes a plan.
    Plan,
    /// Claude asks for a login, or its account was refused.
    Login,
    /// Claude asks for trust in the folder.
    Trust,
    /// A dialog is open in claude's terminal.
    Dialog,
    /// A turn failed, a session was interrupted, or a session has a problem.
    Error,
    /// A rate limit stopped a turn.
    Limit,
    /// The turn has ended.
    Turn,
    /// A merge is stopped.
    Merge,
    /// Finished work waits for a review.
    Review,
}

impl NeedKind {
    /// All kinds, in order.
    pub const ALL: [NeedKind; 11] = [
        NeedKind::Permission,
        NeedKind::Question,
        NeedKind::Plan,
        NeedKind::Login,
        NeedKind::Trust,
        NeedKind::Dialog,
        NeedKind::Error,
        NeedKind::Limit,
        NeedKind::Turn,
        NeedKind::Merge,
        NeedKind::Review,
    ];

    /// The name in settings and in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            NeedKind::Permission => "permission",
            NeedKind::Question => "question",
            NeedKind::Plan => "plan",
            NeedKind::Login => "login",
            NeedKind::Trust => "trust",
            NeedKind::Dialog => "dialog",
            NeedKind::Error => "error",
            NeedKind::Limit => "limit",
            NeedKind::Turn => "turn",
            NeedKind::Merge => "merge",
            NeedKind::Review => "review",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_listed_once_and_has_its_name_on_the_wire() {
        for (at, kind) in NeedKind::ALL.into_iter().enumerate() {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.as_str());
            assert_eq!(NeedKind::ALL.iter().position(|other| *other == kind), Some(at));
        }
    }
}
