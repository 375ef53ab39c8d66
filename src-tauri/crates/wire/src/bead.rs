//! Parameters and results of commands for beads.

use crate::session::{NextStarted, SessionView};
use bc_core::{
    Timestamp,
    bead::{Bead, BeadDetail, BeadStatus},
    ids::{BeadId, SessionId},
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Identifies a bead by its id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct BeadRef {
    pub id: BeadId,
}

/// Parameters of `bead.list`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, specta::Type)]
#[serde(default)]
pub struct BeadListParams {
    /// The `content` of an earlier result for the same `status` and `all`. Only the changes since then are
    /// returned. If that content is unknown, or a query is given, the result is complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// The number of beads to return from the top of each board column. If absent, or if a query is given,
    /// all are returned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// A query line such as `status:open label:ui -label:x priority<=1 text`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub query: String,
    /// The statuses to include; empty for all.
    pub status: Vec<BeadStatus>,
    /// Whether to include beads that a board does not show: pinned beads, and beads of the tracker's own
    /// types (`event`, `message`, `gate` …). Memories are never included.
    pub all: bool,
}

/// The result of `bead.list`, `bead.ready` and `bead.blocked`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadList {
    // The beads are shared with the tracker's cache, so that a long list is not copied.
    /// The beads, in the tracker's order.
    #[serde(with = "shared")]
    #[specta(type = Vec<Bead>)]
    pub beads: Vec<Arc<Bead>>,
    /// Problems with data that could not be read.
    #[serde(default)]
    pub warnings: Vec<String>,
    /// A notice about the whole list, for example why it is read-only and how old it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Identifies this content, for `since`. Absent if the tracker cannot compare contents cheaply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// Whether `beads` and `removed` are only the changes since the requested content.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub changes_only: bool,
    /// Beads that were removed since that content.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<BeadId>,
    /// The number of all matching beads, if `beads` is only their first page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<u32>,
}

/// Serializes the list without copying the beads.
mod shared {
    use super::{Arc, Bead};
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(beads: &[Arc<Bead>], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(beads.iter().map(AsRef::as_ref))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<Arc<Bead>>, D::Error> {
        Vec::<Bead>::deserialize(deserializer).map(|beads| beads.into_iter().map(Arc::new).collect())
    }
}

impl BeadList {
    /// A complete list without notices.
    pub fn of(beads: Vec<Bead>) -> BeadList {
        BeadList { beads: beads.into_iter().map(Arc::new).collect(), ..BeadList::default() }
    }
}

/// A bead and its sessions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadShown {
    pub bead: BeadDetail,
    /// The bead's sessions, newest first.
    #[serde(default)]
    pub sessions: Vec<SessionView>,
}

/// A closed bead, and the session that was started automatically on the next bead.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadClosed {
    /// The bead and its sessions.
    #[serde(flatten)]
    pub shown: BeadShown,
    /// The session that was started automatically on the next bead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<NextStarted>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// Parameters of `bead.create`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, specta::Type)]
pub struct BeadCreateParams {
    /// The title: one line, 1 to 500 characters.
    pub title: String,
    /// The description, as Markdown.
    #[serde(default)]
    pub description: String,
    /// The acceptance criteria, as Markdown.
    #[serde(default)]
    pub acceptance_criteria: String,
    /// The type; `task` by default.
    #[serde(default)]
    pub issue_type: Option<String>,
    /// The priority, 0 (most urgent) to 4; 2 by default.
    #[serde(default)]
    pub priority: Option<u8>,
    #[serde(default)]
    pub labels: Vec<String>,
    #[serde(default)]
    pub parent: Option<BeadId>,
    #[serde(default)]
    pub blocked_by: Vec<BeadId>,
    #[serde(default)]
    pub design: String,
    /// The notes, as Markdown.
    #[serde(default)]
    pub notes: String,
    /// The assignee; none by default.
    #[serde(default)]
    pub assignee: Option<String>,
    /// The due date, as `YYYY-MM-DD` or RFC 3339.
    #[serde(default)]
    pub due: Option<String>,
    /// The date until which the bead is deferred, as `YYYY-MM-DD` or RFC 3339.
    #[serde(default)]
    pub defer: Option<String>,
    /// The estimate in minutes.
    #[serde(default)]
    pub estimated_minutes: Option<u32>,
    /// A reference in another system.
    #[serde(default)]
    pub external_ref: Option<String>,
    /// The actor who makes the change; the user by default.
    #[serde(default)]
    pub actor: Option<String>,
}

/// Parameters of `bead.claim`.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
pub struct BeadClaimParams {
    pub id: BeadId,
    /// The actor to assign the bead to; the user by default.
    #[serde(default)]
    pub actor: Option<String>,
}

/// Parameters of `bead.comment`.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
pub struct BeadCommentParams {
    pub id: BeadId,
    /// The comment, as Markdown.
    pub text: String,
    /// The actor who makes the change; the user by default.
    #[serde(default)]
    pub actor: Option<String>,
}

/// Parameters of `bead.submit`.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
pub struct BeadSubmitParams {
    pub id: BeadId,
    /// Whether a missing custom status may be added to the tracker.
    #[serde(default)]
    pub add_status: bool,
    /// Whether to submit the bead even if its work has no commit. Otherwise, the command fails with
    /// `commit_missing` in a repository.
    #[serde(default)]
    pub without_commit: bool,
    /// Whether to save the execution log of the bead's latest session in the bead's notes.
    #[serde(default)]
    pub log: bool,
    /// The actor who makes the change; the user by default.
    #[serde(default)]
    pub actor: Option<String>,
}

/// Parameters of `bead.close` and `bead.approve`.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
pub struct BeadCloseParams {
    pub id: BeadId,
    #[serde(default)]
    pub reason: Option<String>,
    /// The actor who makes the change; the user by default.
    #[serde(default)]
    pub actor: Option<String>,
}

/// A change to a bead's fields. Absent fields stay unchanged. An empty string clears an optional field.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadChange {
    /// The title: one line, 1 to 500 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The description, as Markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The design, as Markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub design: Option<String>,
    /// The acceptance criteria, as Markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acceptance_criteria: Option<String>,
    /// The notes, as Markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    /// The new status. `closed` and `in_review` have separate commands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<BeadStatus>,
    /// The priority, 0 (most urgent) to 4.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<u8>,
    /// The type, which the tracker must support.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issue_type: Option<String>,
    /// The assignee; empty for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignee: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub add_labels: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remove_labels: Vec<String>,
    /// The parent's id; empty for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// The due date, as `YYYY-MM-DD` or RFC 3339; empty for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<String>,
    /// The date until which the bead is deferred, as `YYYY-MM-DD` or RFC 3339; empty for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub defer: Option<String>,
    /// The estimate in minutes; 0 for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimated_minutes: Option<u32>,
    /// A reference in another system; empty for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external_ref: Option<String>,
}

/// Parameters of `bead.update`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadUpdateParams {
    pub id: BeadId,
    pub change: BeadChange,
    /// The `updated_at` of the version that the user edited. If the bead was changed since then, the command
    /// fails with `bead_changed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<Timestamp>,
    /// The actor who makes the change; the user by default.
    #[serde(default)]
    pub actor: Option<String>,
}

/// Parameters of `bead.reopen`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadReopenParams {
    pub id: BeadId,
    /// The reason, which is added as a comment.
    #[serde(default)]
    pub reason: Option<String>,
    /// The actor who makes the change; the user by default.
    #[serde(default)]
    pub actor: Option<String>,
}

/// Parameters of `bead.reject`: the work in review needs changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadRejectParams {
    pub id: BeadId,
    /// The requested changes, as Markdown: added as a comment, and sent to the bead's live session, if any.
    pub text: String,
    /// The actor who makes the change; the user by default.
    #[serde(default)]
    pub actor: Option<String>,
}

/// Parameters of `bead.delete` and `bead.undelete`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadDeleteParams {
    pub id: BeadId,
    /// The actor who makes the change; the user by default.
    #[serde(default)]
    pub actor: Option<String>,
}

/// The result of `bead.delete`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadDeleted {
    pub id: BeadId,
    /// Whether `bead.undelete` can restore the bead.
    pub can_undo: bool,
}

/// Parameters of `bead.dep_add` and `bead.dep_remove`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadDependencyParams {
    /// The dependent bead.
    pub id: BeadId,
    pub depends_on: BeadId,
    /// The kind of dependency; `blocks` by default. Ignored by a removal.
    #[serde(default)]
    pub kind: Option<String>,
    /// The actor who makes the change; the user by default.
    #[serde(default)]
    pub actor: Option<String>,
}

/// The capabilities of the project's tracker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadCapabilities {
    /// Why the beads are read-only; absent if they can be changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_only: Option<String>,
    /// Fields of [`BeadChange`] that the tracker cannot store, with the reason.
    pub unsupported: Vec<UnsupportedField>,
    /// Types for new beads, including custom ones.
    pub types: Vec<String>,
    /// Statuses that a bead can be set to, including custom ones.
    pub statuses: Vec<BeadStatus>,
    pub dependency_kinds: Vec<String>,
    /// Whether beads can be deleted, and whether a deletion can be undone.
    pub delete: DeleteSupport,
    /// Whether `bead.submit` must add a custom status first, which requires the user's consent.
    pub submit_needs_consent: bool,
    /// The source of the audit's events, as text for the user.
    pub audit: String,
}

/// A field of a bead that the tracker cannot store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct UnsupportedField {
    /// The field's name in [`BeadChange`].
    pub field: String,
    /// A short reason, such as "br does not store estimates".
    pub why: String,
}

/// The tracker's support for deleting beads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum DeleteSupport {
    /// Beads cannot be deleted.
    No,
    /// A deletion is permanent.
    Permanent,
    /// `bead.undelete` can restore deleted beads.
    Undoable,
}

/// Parameters of `bead.query`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadQueryParams {
    pub query: String,
}

/// The result of `bead.query`: only ids, because clients already have the beads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadQueryAnswer {
    /// The matching beads, in the tracker's order.
    pub ids: Vec<BeadId>,
    /// Problems in the query, such as an unknown field. Invalid parts are searched as text.
    #[serde(default)]
    pub problems: Vec<QueryProblem>,
}

/// An invalid part of a query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct QueryProblem {
    pub part: String,
    /// The problem, and the expected form.
    pub why: String,
}

/// Parameters of `bead.next`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(default)]
pub struct BeadNextParams {
    /// The maximum number of beads; 5 by default.
    pub limit: Option<u32>,
    /// A bead that was just closed; the beads that it unblocked come first.
    pub after: Option<BeadId>,
}

/// Ready beads in the recommended order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct NextBeads {
    /// The beads, best first.
    pub beads: Vec<NextBead>,
}

/// A ready bead with its rank.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct NextBead {
    pub bead: Bead,
    /// The score, which is only meaningful for comparison.
    pub score: f64,
    /// Short reasons for the rank: "P1", "unblocks 3", "open for 12 days".
    pub reasons: Vec<String>,
}

/// Beads without activity for too long.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct StaleBeads {
    /// The beads, longest inactive first.
    pub beads: Vec<StaleBead>,
}

/// A bead without activity for too long.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct StaleBead {
    pub id: BeadId,
    pub title: String,
    pub status: BeadStatus,
    /// The time of the bead's last activity: its last change, or the last activity in its live session.
    pub since: Timestamp,
    pub level: StaleLevel,
}

/// The level of a stale bead, by the duration of its inactivity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum StaleLevel {
    /// 2 hours in progress, or 24 hours in review.
    Warning,
    /// 8 hours in progress, or 72 hours in review.
    Critical,
}

/// The history of a bead.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadAudit {
    pub id: BeadId,
    /// The changes, oldest first.
    pub events: Vec<AuditEvent>,
    /// A notice for the user about missing events, such as changes by other programs or damaged records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A change to a bead.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct AuditEvent {
    pub at: Timestamp,
    /// The actor, as named by the tracker.
    pub actor: String,
    /// The session that made the change, if this program ran that session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    /// The kind: `created`, `claimed`, `status`, `closed`, `reopened`, `comment`, `field`, `dependency` …
    pub kind: String,
    /// The name of the changed field, for the kind `field`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The previous value, shortened to one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The new value, shortened to one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
}

/// Parameters of `bead.graph`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(default)]
pub struct BeadGraphParams {
    /// A query line; only matching beads and the dependencies among them are returned.
    pub query: String,
    /// A bead; only this bead and the beads connected with it are returned.
    pub around: Option<BeadId>,
    /// Whether to include closed beads.
    pub closed: bool,
}

/// The dependencies among beads, to be drawn as a graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadGraph {
    /// The beads, in the tracker's order.
    pub nodes: Vec<GraphNode>,
    /// The dependencies among them.
    pub edges: Vec<GraphEdge>,
    /// Cycles of blocking or `parent-child` dependencies. In each list, every bead depends on the next one, and
    /// the last one on the first.
    pub cycles: Vec<Vec<BeadId>>,
    /// The longest chain of open beads, in the order of work. The length of a chain is the sum of the
    /// estimates if all open beads with blocking dependencies have one, otherwise the number of beads.
    pub critical_path: Vec<BeadId>,
}

/// One bead of the graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct GraphNode {
    pub id: BeadId,
    pub title: String,
    pub status: BeadStatus,
    pub ready: bool,
    /// The priority, 0 (most urgent) to 4.
    pub priority: u8,
    pub issue_type: String,
    /// The number of open beads that this bead blocks, directly or through other beads.
    pub unblocks_all: u32,
}

/// A dependency between two beads: `from` depends on `to`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct GraphEdge {
    /// The dependent bead.
    pub from: BeadId,
    /// The bead on which the dependent bead depends.
    pub to: BeadId,
    /// The kind: `blocks`, `parent-child`, `related` …
    pub kind: String,
}
