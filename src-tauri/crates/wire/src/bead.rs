//! Commands on beads.

use crate::session::{NextStarted, SessionView};
use bc_core::{
    Timestamp,
    bead::{Bead, BeadDetail, BeadStatus},
    ids::{BeadId, SessionId},
};
use serde::{Deserialize, Serialize};

/// Which bead.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct BeadRef {
    /// Its id.
    pub id: BeadId,
}

/// Parameters of `bead.list`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, specta::Type)]
pub struct BeadListParams {
    /// Only what changed since this content, as an earlier answer with the same `status` and `all` named it. If that
    /// content is unknown, or with a query, the answer is complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// At most this many beads of each board column, the first ones; without it, or with a query, all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// A query, as in `status:open label:ui -label:x priority<=1 text`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub query: String,
    /// Only these states; empty means all.
    #[serde(default)]
    pub status: Vec<BeadStatus>,
    /// Also what a board does not show: pinned beads, and those of the tracker's own types (`event`, `message`, `gate`
    /// …). Never memories.
    #[serde(default)]
    pub all: bool,
}

/// Beads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadList {
    /// In the tracker's order.
    pub beads: Vec<Bead>,
    /// What could not be read.
    #[serde(default)]
    pub warnings: Vec<String>,
    /// What to know of them all: that they are read-only here, why, and how old they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Names this content, for `since`. Absent if the tracker has no cheap way to compare contents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// Whether `beads` and `removed` are only the changes since the content that was asked for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub changes_only: bool,
    /// Beads that are gone since that content.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<BeadId>,
    /// The number of all matching beads, if `beads` is only their first page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<u32>,
}

impl BeadList {
    /// All of these beads, with nothing else to say.
    pub fn of(beads: Vec<Bead>) -> BeadList {
        BeadList {
            beads,
            warnings: Vec::new(),
            note: None,
            content: None,
            changes_only: false,
            removed: Vec::new(),
            total: None,
        }
    }
}

/// One bead and its sessions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadShown {
    /// The bead.
    pub bead: BeadDetail,
    /// Its sessions, newest first.
    #[serde(default)]
    pub sessions: Vec<SessionView>,
}

/// A closed bead, and what followed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadClosed {
    /// The bead and its sessions.
    #[serde(flatten)]
    pub shown: BeadShown,
    /// The session that was started automatically on the next bead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<NextStarted>,
    /// Warnings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// Parameters of `bead.create`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, specta::Type)]
pub struct BeadCreateParams {
    /// One line, 1 to 500 characters.
    pub title: String,
    /// Markdown.
    #[serde(default)]
    pub description: String,
    /// Markdown.
    #[serde(default)]
    pub acceptance_criteria: String,
    /// `task` unless given.
    #[serde(default)]
    pub issue_type: Option<String>,
    /// 0 to 4; 2 unless given.
    #[serde(default)]
    pub priority: Option<u8>,
    /// Labels.
    #[serde(default)]
    pub labels: Vec<String>,
    /// Its parent.
    #[serde(default)]
    pub parent: Option<BeadId>,
    /// Beads that block it.
    #[serde(default)]
    pub blocked_by: Vec<BeadId>,
    /// Markdown.
    #[serde(default)]
    pub design: String,
    /// Markdown.
    #[serde(default)]
    pub notes: String,
    /// The assignee; none unless given.
    #[serde(default)]
    pub assignee: Option<String>,
    /// `YYYY-MM-DD` or RFC 3339.
    #[serde(default)]
    pub due: Option<String>,
    /// `YYYY-MM-DD` or RFC 3339.
    #[serde(default)]
    pub defer: Option<String>,
    /// Minutes.
    #[serde(default)]
    pub estimated_minutes: Option<u32>,
    /// A reference in another system.
    #[serde(default)]
    pub external_ref: Option<String>,
    /// In whose name; the user's unless given.
    #[serde(default)]
    pub actor: Option<String>,
}

/// Parameters of `bead.claim`.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
pub struct BeadClaimParams {
    /// Which bead.
    pub id: BeadId,
    /// For whom; the user unless given.
    #[serde(default)]
    pub actor: Option<String>,
}

/// Parameters of `bead.comment`.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
pub struct BeadCommentParams {
    /// Which bead.
    pub id: BeadId,
    /// Markdown.
    pub text: String,
    /// In whose name; the user's unless given.
    #[serde(default)]
    pub actor: Option<String>,
}

/// Parameters of `bead.submit`.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
pub struct BeadSubmitParams {
    /// Which bead.
    pub id: BeadId,
    /// Whether a missing custom status may be added to the tracker.
    #[serde(default)]
    pub add_status: bool,
    /// Submit although no commit of the work exists. Without it, such a bead of a repository is refused with
    /// `commit_missing`.
    #[serde(default)]
    pub without_commit: bool,
    /// Whether the execution log of its latest session is saved in its notes.
    #[serde(default)]
    pub log: bool,
    /// In whose name; the user's unless given.
    #[serde(default)]
    pub actor: Option<String>,
}

/// Parameters of `bead.close`.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
pub struct BeadCloseParams {
    /// Which bead.
    pub id: BeadId,
    /// Why.
    #[serde(default)]
    pub reason: Option<String>,
    /// In whose name; the user's unless given.
    #[serde(default)]
    pub actor: Option<String>,
}

/// A change of a bead's fields. Absent fields stay as they are; an empty text clears a field that may be empty.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadChange {
    /// One line, 1 to 500 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub design: Option<String>,
    /// Markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acceptance_criteria: Option<String>,
    /// Markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    /// The new status. `closed` and `in_review` have separate commands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<BeadStatus>,
    /// 0 to 4.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<u8>,
    /// One of the tracker's types.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issue_type: Option<String>,
    /// Empty for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignee: Option<String>,
    /// Labels to add.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub add_labels: Vec<String>,
    /// Labels to remove.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remove_labels: Vec<String>,
    /// The parent's id; empty for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// `YYYY-MM-DD` or RFC 3339; empty for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<String>,
    /// `YYYY-MM-DD` or RFC 3339; empty for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub defer: Option<String>,
    /// Minutes; 0 for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimated_minutes: Option<u32>,
    /// A reference in another system; empty for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external_ref: Option<String>,
}

/// Parameters of `bead.update`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadUpdateParams {
    /// Which bead.
    pub id: BeadId,
    /// What changes.
    pub change: BeadChange,
    /// The `updated_at` of the version that the user edited. If the bead has another one, the change is refused with
    /// `bead_changed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<Timestamp>,
    /// In whose name; the user's unless given.
    #[serde(default)]
    pub actor: Option<String>,
}

/// Parameters of `bead.reopen`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadReopenParams {
    /// Which bead.
    pub id: BeadId,
    /// Why; added as a comment.
    #[serde(default)]
    pub reason: Option<String>,
    /// In whose name; the user's unless given.
    #[serde(default)]
    pub actor: Option<String>,
}

/// Parameters of `bead.reject`: the work in review needs changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadRejectParams {
    /// Which bead.
    pub id: BeadId,
    /// What to change: a comment on the bead, which its session's agent also receives.
    pub text: String,
    /// In whose name; the user's unless given.
    #[serde(default)]
    pub actor: Option<String>,
}

/// Parameters of `bead.delete` and `bead.undelete`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadDeleteParams {
    /// Which bead.
    pub id: BeadId,
    /// In whose name; the user's unless given.
    #[serde(default)]
    pub actor: Option<String>,
}

/// The answer of `bead.delete`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadDeleted {
    /// Which bead.
    pub id: BeadId,
    /// Whether `bead.undelete` can bring it back.
    pub can_undo: bool,
}

/// Parameters of `bead.dep_add` and `bead.dep_remove`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadDependencyParams {
    /// The bead that depends.
    pub id: BeadId,
    /// The bead that it depends on.
    pub depends_on: BeadId,
    /// `blocks` unless given. A removal ignores it.
    #[serde(default)]
    pub kind: Option<String>,
    /// In whose name; the user's unless given.
    #[serde(default)]
    pub actor: Option<String>,
}

/// What the project's tracker can do with beads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadCapabilities {
    /// Why nothing can be changed; absent if beads can be changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_only: Option<String>,
    /// Fields of [`BeadChange`] that the tracker cannot store, with the reason.
    pub unsupported: Vec<UnsupportedField>,
    /// Types for new beads, the tracker's own ones included.
    pub types: Vec<String>,
    /// Statuses that a bead can be set to, custom ones included.
    pub statuses: Vec<BeadStatus>,
    /// Kinds of dependencies.
    pub dependency_kinds: Vec<String>,
    /// Whether beads can be deleted, and whether that can be undone.
    pub delete: DeleteSupport,
    /// Whether `submit` must add a custom status first, which needs consent.
    pub submit_needs_consent: bool,
    /// Where the audit's events come from, for the user.
    pub audit: String,
}

/// A field that the tracker cannot store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct UnsupportedField {
    /// Its name in [`BeadChange`].
    pub field: String,
    /// A short reason: "br does not store estimates".
    pub why: String,
}

/// Whether beads can be deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum DeleteSupport {
    /// Not at all.
    No,
    /// For good.
    Permanent,
    /// `bead.undelete` brings them back.
    Undoable,
}

/// Parameters of `bead.query`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadQueryParams {
    /// The query line.
    pub query: String,
}

/// The answer of `bead.query`: only ids, because clients have the beads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadQueryAnswer {
    /// The matching beads, in the tracker's order.
    pub ids: Vec<BeadId>,
    /// Problems in the query, such as an unknown field; such a part is searched as text.
    #[serde(default)]
    pub problems: Vec<QueryProblem>,
}

/// A part of a query that was not understood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct QueryProblem {
    /// The part.
    pub part: String,
    /// The problem, and the expected form.
    pub why: String,
}

/// Parameters of `bead.next`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadNextParams {
    /// At most this many; 5 unless given.
    #[serde(default)]
    pub limit: Option<u32>,
    /// The bead that was just closed: what it unblocked comes first.
    #[serde(default)]
    pub after: Option<BeadId>,
}

/// Ready beads, the best to start next first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct NextBeads {
    /// Best first.
    pub beads: Vec<NextBead>,
}

/// A ready bead and why it is ranked here.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct NextBead {
    /// The bead.
    pub bead: Bead,
    /// Its score, for comparison only.
    pub score: f64,
    /// Short reasons: "P1", "unblocks 3", "open for 12 days".
    pub reasons: Vec<String>,
}

/// Beads without activity for too long.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct StaleBeads {
    /// The longest first.
    pub beads: Vec<StaleBead>,
}

/// A bead without activity for too long.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct StaleBead {
    /// Which bead.
    pub id: BeadId,
    /// Its title.
    pub title: String,
    /// Its status.
    pub status: BeadStatus,
    /// Its last activity: its last change, or that of its live session.
    pub since: Timestamp,
    /// How serious it is.
    pub level: StaleLevel,
}

/// How long a bead has been without activity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum StaleLevel {
    /// In progress for 2 hours, or in review for 24.
    Warning,
    /// In progress for 8 hours, or in review for 72.
    Critical,
}

/// What happened to a bead.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadAudit {
    /// Which bead.
    pub id: BeadId,
    /// Oldest first.
    pub events: Vec<AuditEvent>,
    /// The missing part, for the user: changes by other programs that the tracker does not record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// One change of a bead.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct AuditEvent {
    /// When.
    pub at: Timestamp,
    /// Who, as the tracker names them.
    pub actor: String,
    /// The session of this program, if one did it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    /// `created`, `claimed`, `status`, `closed`, `reopened`, `comment`, `field`, `dependency` …
    pub kind: String,
    /// The changed field, for `field`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The value before, shortened to one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The value after, shortened to one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
}

/// Parameters of `bead.graph`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadGraphParams {
    /// Only beads that match this query, and the links among them.
    #[serde(default)]
    pub query: String,
    /// Only this bead and what it is connected with.
    #[serde(default)]
    pub around: Option<BeadId>,
    /// Include closed beads.
    #[serde(default)]
    pub closed: bool,
}

/// The dependencies among beads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadGraph {
    /// The beads, in the tracker's order.
    pub nodes: Vec<GraphNode>,
    /// The dependencies among them.
    pub edges: Vec<GraphEdge>,
    /// Cycles of blocking dependencies: each a list of beads, every one depending on the next and the last on the
    /// first.
    pub cycles: Vec<Vec<BeadId>>,
    /// The longest chain of open beads, first to be done first; by estimates if all have them, else by number.
    pub critical_path: Vec<BeadId>,
}

/// A bead in the graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct GraphNode {
    /// Which bead.
    pub id: BeadId,
    /// Its title.
    pub title: String,
    /// Its status.
    pub status: BeadStatus,
    /// Whether it can be started.
    pub ready: bool,
    /// 0 to 4.
    pub priority: u8,
    /// Its type.
    pub issue_type: String,
    /// The number of open beads that wait for it, directly or through others.
    pub unblocks_all: u32,
}

/// A dependency: `from` depends on `to`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct GraphEdge {
    /// The bead that depends.
    pub from: BeadId,
    /// The bead that it depends on.
    pub to: BeadId,
    /// `blocks`, `parent-child`, `related` …
    pub kind: String,
}
