//! Beads as every tracker has them. Parsing a tracker's own output is `bc-beads`' business.

use crate::{Timestamp, ids::BeadId};
use chrono::SecondsFormat;
use serde::{Deserialize, Serialize, Serializer};

/// A bead's state. `ready` is computed by the tracker and not one of them.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(from = "String", into = "String")]
#[specta(type = String)]
pub enum BeadStatus {
    /// Nobody works on it.
    Open,
    /// Claimed.
    InProgress,
    /// Said to be blocked by a person, dependencies aside.
    Blocked,
    /// Put off.
    Deferred,
    /// A custom status where the tracker knows those, else the label `in_review` on a bead in progress.
    InReview,
    /// Done.
    Closed,
    /// Kept in sight; never work.
    Pinned,
    /// Deleted, the row kept.
    Tombstone,
    /// A status of the tracker's own or of its user's.
    Other(String),
}

impl BeadStatus {
    /// The tracker's word for it.
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

/// A bead as lists show it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Bead {
    /// The tracker's id.
    pub id: BeadId,
    /// One line.
    pub title: String,
    /// Its state.
    pub status: BeadStatus,
    /// 0 (most urgent) to 4.
    pub priority: u8,
    /// `bug`, `feature`, `task`, `epic`, `chore` or the tracker's own.
    pub issue_type: String,
    /// Who has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignee: Option<String>,
    /// Labels in the tracker's order.
    #[serde(default)]
    pub labels: Vec<String>,
    /// The target of its `parent-child` dependency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<BeadId>,
    /// Open beads that block it.
    #[serde(default)]
    pub blocked_by: Vec<BeadId>,
    /// Open beads that it blocks.
    #[serde(default)]
    pub unblocks: Vec<BeadId>,
    /// Whether the tracker counts it as ready.
    #[serde(default)]
    pub ready: bool,
    /// When it was made.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "moment")]
    #[specta(type = Option<Timestamp>)]
    pub created_at: Option<Timestamp>,
    /// When it last changed.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "moment")]
    #[specta(type = Option<Timestamp>)]
    pub updated_at: Option<Timestamp>,
    /// When it was closed.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "moment")]
    #[specta(type = Option<Timestamp>)]
    pub closed_at: Option<Timestamp>,
}

/// A moment as chrono serializes it, written at once: of a thousand beads the pieces of moments were a good part of the
/// work.
fn moment<S: Serializer>(at: &Option<Timestamp>, serializer: S) -> Result<S::Ok, S::Error> {
    at.map(|at| at.to_rfc3339_opts(SecondsFormat::AutoSi, true)).serialize(serializer)
}

/// A bead with everything that its page shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadDetail {
    /// The bead as lists show it.
    #[serde(flatten)]
    pub bead: Bead,
    /// Markdown.
    #[serde(default)]
    pub description: String,
    /// Markdown.
    #[serde(default)]
    pub design: String,
    /// Markdown.
    #[serde(default)]
    pub acceptance_criteria: String,
    /// Markdown.
    #[serde(default)]
    pub notes: String,
    /// Why it was closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub close_reason: Option<String>,
    /// What it depends on and what depends on it.
    #[serde(default)]
    pub links: Vec<BeadLink>,
    /// Oldest first.
    #[serde(default)]
    pub comments: Vec<BeadComment>,
}

/// One end of a dependency, seen from a bead.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadLink {
    /// The other bead.
    pub id: BeadId,
    /// Its title, empty where the tracker does not know it.
    #[serde(default)]
    pub title: String,
    /// Its state, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<BeadStatus>,
    /// The other bead's type, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issue_type: Option<String>,
    /// `blocks`, `parent-child`, `related`, `discovered-from` or the tracker's own.
    pub kind: String,
    /// Which way it points.
    pub direction: LinkDirection,
}

/// Which way a dependency points, seen from a bead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum LinkDirection {
    /// The bead depends on the other one (blocker, parent).
    DependsOn,
    /// The other one depends on the bead (what it unblocks, a child).
    DependedOnBy,
}

/// A comment on a bead.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadComment {
    /// The tracker's id, which may be reassigned: never a key.
    pub id: String,
    /// Who wrote it.
    pub author: String,
    /// Markdown.
    pub text: String,
    /// When, where the tracker says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<Timestamp>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_as_chrono_does() {
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
