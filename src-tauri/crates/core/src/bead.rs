//! Beads, independent of the tracker. `bc-beads` parses the trackers' output.

use crate::{Timestamp, ids::BeadId};
use chrono::SecondsFormat;
use serde::{Deserialize, Serialize, Serializer};

/// A bead's status. `ready` is not a status; the tracker, or `bc-beads` for beads in files, computes it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(from = "String", into = "String")]
#[specta(type = String)]
pub enum BeadStatus {
    /// Not started.
    Open,
    /// Claimed.
    InProgress,
    /// Explicitly marked as blocked, independent of dependencies.
    Blocked,
    /// Postponed by the user.
    Deferred,
    /// In review: a custom status if the tracker supports one, or else the label `in_review` on a bead in
    /// progress.
    InReview,
    /// Done.
    Closed,
    /// Pinned, like a memory; never treated as work.
    Pinned,
    /// Deleted; the tracker keeps the row.
    Tombstone,
    /// A custom status of the tracker or the user.
    Other(String),
}

impl BeadStatus {
    /// The tracker's name for the status.
    pub fn as_str(&self) -> &str {
        match self {
            BeadStatus::Open => "open",
            BeadStatus::InProgress => "in_progress",
            BeadStatus::Blocked => "blocked",
            BeadStatus::Deferred => "deferred",
            BeadStatus::InReview => "in_review",
            BeadStatus::Closed => "closed",
            BeadStatus::Pinned => "pinned",
            BeadStatus::Tombstone => "tombstone",
            BeadStatus::Other(word) => word,
        }
    }
}

impl From<&str> for BeadStatus {
    fn from(word: &str) -> Self {
        match word {
            "open" => BeadStatus::Open,
            "in_progress" => BeadStatus::InProgress,
            "blocked" => BeadStatus::Blocked,
            "deferred" => BeadStatus::Deferred,
            "in_review" => BeadStatus::InReview,
            "closed" => BeadStatus::Closed,
            "pinned" => BeadStatus::Pinned,
            "tombstone" => BeadStatus::Tombstone,
            _ => BeadStatus::Other(word.to_owned()),
        }
    }
}

impl From<String> for BeadStatus {
    fn from(word: String) -> Self {
        BeadStatus::from(word.as_str())
    }
}

impl From<BeadStatus> for String {
    fn from(status: BeadStatus) -> String {
        status.as_str().to_owned()
    }
}

/// A bead without its long text, as in lists.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Bead {
    pub id: BeadId,
    pub title: String,
    pub status: BeadStatus,
    /// The priority, 0 (most urgent) to 4.
    pub priority: u8,
    /// The type: `bug`, `feature`, `task`, `epic`, `chore` or one of the tracker's own.
    pub issue_type: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignee: Option<String>,
    /// Labels in the tracker's order.
    #[serde(default)]
    pub labels: Vec<String>,
    /// The parent, from the bead's `parent-child` dependency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<BeadId>,
    /// The beads that currently block this bead directly; empty if the bead is ready.
    #[serde(default)]
    pub blocked_by: Vec<BeadId>,
    /// Open beads that this bead currently blocks directly.
    #[serde(default)]
    pub unblocks: Vec<BeadId>,
    /// Whether the tracker counts the bead as ready.
    #[serde(default)]
    pub ready: bool,
    /// Why an open bead is not ready, the most important reason first. Empty if the bead is ready, in
    /// progress, in review, pinned, done or deleted, or if only the tracker knows the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_ready: Vec<NotReady>,
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "moment")]
    #[specta(type = Option<Timestamp>)]
    pub created_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "moment")]
    #[specta(type = Option<Timestamp>)]
    pub updated_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "moment")]
    #[specta(type = Option<Timestamp>)]
    pub closed_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "moment")]
    #[specta(type = Option<Timestamp>)]
    pub due_at: Option<Timestamp>,
    /// The time until which the bead is deferred.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "moment")]
    #[specta(type = Option<Timestamp>)]
    pub defer_until: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimated_minutes: Option<u32>,
}

impl Bead {
    /// Whether the bead is neither closed nor deleted.
    pub fn is_open(&self) -> bool {
        !matches!(self.status, BeadStatus::Closed | BeadStatus::Tombstone)
    }
}

/// A reason why a bead is not ready.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum NotReady {
    /// The status is not `open`: it is `blocked`, `deferred`, or a tracker's own such as `hooked`.
    Status { status: BeadStatus },
    BlockedBy {
        /// The blocker. For `waits-for`, the bead whose children must be done.
        id: BeadId,
        /// The blocker's title, if known.
        title: String,
        /// The blocker's type. A `gate` is opened, not worked on.
        issue_type: String,
        /// The kind of the dependency: `blocks`, `conditional-blocks` or `waits-for`.
        kind: String,
        /// The blocked ancestor, if the bead itself is not blocked.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        parent: Option<BeadId>,
    },
    Deferred {
        /// The time until which the bead is deferred.
        until: Timestamp,
        /// The deferred parent, if the bead itself is not deferred.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        parent: Option<BeadId>,
    },
    /// The bead has an assignee. This is never the only reason, because an assigned open bead can be ready.
    Assigned { to: String },
    /// The row is the tracker's own: of a reserved type (a gate, a molecule), a template or a wisp.
    Kind { issue_type: String },
}

/// Serializes a time as chrono does, but in a single write. Chrono's many small writes take much of the time
/// needed to serialize a list of beads.
fn moment<S: Serializer>(at: &Option<Timestamp>, serializer: S) -> Result<S::Ok, S::Error> {
    at.map(|at| at.to_rfc3339_opts(SecondsFormat::AutoSi, true)).serialize(serializer)
}

/// A bead with all details.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadDetail {
    #[serde(flatten)]
    pub bead: Bead,
    /// The description, as Markdown.
    #[serde(default)]
    pub description: String,
    /// The design, as Markdown.
    #[serde(default)]
    pub design: String,
    /// The acceptance criteria, as Markdown.
    #[serde(default)]
    pub acceptance_criteria: String,
    /// The notes, as Markdown.
    #[serde(default)]
    pub notes: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub close_reason: Option<String>,
    /// The bead's reference in another system, such as a URL or an issue number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external_ref: Option<String>,
    /// The bead's creator, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_by: Option<String>,
    #[serde(default)]
    pub links: Vec<BeadLink>,
    /// The bead's comments, oldest first.
    #[serde(default)]
    pub comments: Vec<BeadComment>,
}

/// A dependency of a bead, seen from that bead.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadLink {
    pub id: BeadId,
    /// The other bead's title; empty if unknown.
    #[serde(default)]
    pub title: String,
    /// The other bead's status, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<BeadStatus>,
    /// The other bead's type, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issue_type: Option<String>,
    /// The kind: `blocks`, `parent-child`, `related`, `discovered-from` or one of the tracker's own.
    pub kind: String,
    pub direction: LinkDirection,
}

/// The direction of a dependency relative to a bead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum LinkDirection {
    /// This bead depends on the other one (a blocker, the parent).
    DependsOn,
    /// The other bead depends on this one (a blocked bead, a child).
    DependedOnBy,
}

/// A comment on a bead.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadComment {
    /// The tracker's id of the comment. It can change, so it is never used as a key.
    pub id: String,
    pub author: String,
    /// The comment, as Markdown.
    pub text: String,
    /// The time of the comment, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<Timestamp>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_by_chrono() {
        #[derive(Serialize)]
        struct One(#[serde(serialize_with = "moment")] Option<Timestamp>);
        for text in
            ["2026-01-02T03:04:05Z", "2026-01-02T03:04:05.67+05:30", "2026-12-31T23:59:60.123456789-00:00"]
        {
            let at = Timestamp::parse_from_rfc3339(text).unwrap();
            let written = serde_json::to_string(&One(Some(at))).unwrap();
            assert_eq!(written, serde_json::to_string(&at).unwrap());
        }
        assert_eq!(serde_json::to_string(&One(None)).unwrap(), "null");
    }
}
