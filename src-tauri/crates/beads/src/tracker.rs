//! The interface of a tracker, independent of the program that keeps the beads.

use crate::{Actor, TrackerError, row::Row};
use bc_core::{
    Timestamp,
    bead::{Bead, BeadComment, BeadDetail, BeadStatus},
    ids::{BeadId, ProjectId},
    query::Texts,
};
use std::{fmt, path::PathBuf, sync::Arc};

/// The kind of tracker that keeps the beads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrackerKind {
    /// bd, with a Dolt database.
    Bd,
    /// br, with an SQLite database and a JSONL file.
    Br,
    /// The embedded store, `.beads/issues.jsonl`.
    Embedded,
    /// A tracker with a missing or unsupported program; its files are shown read-only.
    ReadOnly,
}

impl TrackerKind {
    /// The name in listings and JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            TrackerKind::Bd => "bd",
            TrackerKind::Br => "br",
            TrackerKind::Embedded => "embedded",
            TrackerKind::ReadOnly => "read_only",
        }
    }
}

/// A description of the tracker for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackerInfo {
    pub kind: TrackerKind,
    pub program: Option<PathBuf>,
    pub version: Option<String>,
    /// The `.beads` folder, with redirects followed.
    pub beads_dir: PathBuf,
    /// A message for the user: why the tracker is read-only, and the remedy.
    pub notice: Option<String>,
}

/// A filter for lists. Tombstones are never included.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListFilter {
    pub closed: bool,
    /// Include pinned beads (memories are pinned beads).
    pub pinned: bool,
    /// Include the tracker's own rows: gates, messages, molecules, agents, templates, wisps.
    pub system: bool,
    /// Include memories among the pinned beads.
    pub memories: bool,
    /// Only these statuses; all statuses if empty.
    pub statuses: Vec<BeadStatus>,
}

impl ListFilter {
    /// Open work: no closed or pinned beads, none of the tracker's own rows.
    pub fn open() -> Self {
        ListFilter::default()
    }

    /// The content of a board: open and closed work.
    pub fn board() -> Self {
        ListFilter { closed: true, ..ListFilter::default() }
    }

    /// Every row that is not deleted.
    pub fn everything() -> Self {
        ListFilter { memories: true, ..ListFilter::all_but_memories() }
    }

    /// Every row that is not deleted except memories, which users do not regard as beads.
    pub fn all_but_memories() -> Self {
        ListFilter { closed: true, pinned: true, system: true, ..ListFilter::default() }
    }
}

/// A problem found while reading the beads, such as a skipped line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// The number of the line, from 1. `None` if the problem is not about one line.
    pub line: Option<usize>,
    /// The problem and its consequence.
    pub what: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.what),
            None => f.write_str(&self.what),
        }
    }
}

/// Beads, and the problems found while reading them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Listing {
    /// By priority, then oldest first.
    pub beads: Vec<Bead>,
    /// The problems found while reading, such as skipped lines.
    pub warnings: Vec<Warning>,
}

/// The part of a list that a client requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part<'a> {
    All,
    /// At most this many beads of each board column, the first ones.
    FirstOfColumns(usize),
    /// The changes since this content, by its name in an earlier answer; all beads if that content is unknown.
    Since(&'a str),
}

/// A part of a list.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PartialListing {
    /// By priority, then oldest first. Shared with the tracker's cache, if it has one.
    pub beads: Vec<Arc<Bead>>,
    /// The problems found while reading, such as skipped lines.
    pub warnings: Vec<Warning>,
    /// The name of this content, for [`Part::Since`]; `None` if the tracker cannot compare contents.
    pub content: Option<String>,
    /// Whether the beads are only the changed ones.
    pub changes_only: bool,
    /// With `changes_only`, the beads that were removed or no longer match.
    pub removed: Vec<BeadId>,
    /// The number of all matching beads, if the list has only the first ones.
    pub total: Option<usize>,
}

impl PartialListing {
    /// A complete list.
    pub fn of(Listing { beads, warnings }: Listing) -> PartialListing {
        let beads = beads.into_iter().map(Arc::new).collect();
        PartialListing { beads, warnings, ..PartialListing::default() }
    }
}

/// A bead to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewBead {
    /// At most 500 characters, and in bd at most 500 bytes.
    pub title: String,
    /// `task`, `bug`, `feature`, `epic`, `chore` …
    pub issue_type: String,
    /// 0 (most urgent) to 4.
    pub priority: u8,
    /// Markdown.
    pub description: String,
    /// Markdown.
    pub design: String,
    /// Markdown.
    pub acceptance_criteria: String,
    /// Markdown.
    pub notes: String,
    /// At most 255 bytes each, without commas, quotes and control characters.
    pub labels: Vec<String>,
    pub assignee: Option<String>,
    pub parent: Option<BeadId>,
    pub blocked_by: Vec<BeadId>,
    pub due: Option<Timestamp>,
    /// The end of the deferral.
    pub defer: Option<Timestamp>,
    pub estimated_minutes: Option<u32>,
    /// A reference in another system.
    pub external_ref: Option<String>,
}

impl NewBead {
    /// A task of priority 2 with only a title.
    pub fn titled(title: impl Into<String>) -> Self {
        NewBead {
            title: title.into(),
            issue_type: "task".to_owned(),
            priority: 2,
            description: String::new(),
            design: String::new(),
            acceptance_criteria: String::new(),
            notes: String::new(),
            labels: Vec::new(),
            assignee: None,
            parent: None,
            blocked_by: Vec::new(),
            due: None,
            defer: None,
            estimated_minutes: None,
            external_ref: None,
        }
    }

    /// The change that would set the given fields; without the type and the blockers.
    pub(crate) fn fields(&self) -> FieldChanges {
        FieldChanges {
            title: Some(self.title.clone()),
            description: Some(self.description.clone()),
            design: Some(self.design.clone()),
            acceptance_criteria: Some(self.acceptance_criteria.clone()),
            notes: Some(self.notes.clone()),
            priority: Some(self.priority),
            assignee: self.assignee.clone().map(Some),
            add_labels: self.labels.clone(),
            parent: Some(self.parent.clone()),
            due: self.due.map(Some),
            defer: self.defer.map(Some),
            estimated_minutes: self.estimated_minutes.map(Some),
            external_ref: self.external_ref.clone().map(Some),
            ..FieldChanges::default()
        }
    }
}

/// A change of a bead's fields. `None` leaves a field unchanged; `Some(None)` clears it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FieldChanges {
    /// At most 500 characters, and in bd at most 500 bytes.
    pub title: Option<String>,
    /// Markdown.
    pub description: Option<String>,
    /// Markdown.
    pub design: Option<String>,
    /// Markdown.
    pub acceptance_criteria: Option<String>,
    /// Markdown.
    pub notes: Option<String>,
    /// Neither `Closed` nor `InReview` nor `Tombstone`, which have separate operations.
    pub status: Option<BeadStatus>,
    /// 0 to 4.
    pub priority: Option<u8>,
    pub issue_type: Option<String>,
    pub assignee: Option<Option<String>>,
    pub add_labels: Vec<String>,
    pub remove_labels: Vec<String>,
    pub parent: Option<Option<BeadId>>,
    pub due: Option<Option<Timestamp>>,
    /// The end of the deferral.
    pub defer: Option<Option<Timestamp>>,
    pub estimated_minutes: Option<Option<u32>>,
    /// A reference in another system.
    pub external_ref: Option<Option<String>>,
}

/// A dependency between two beads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependency {
    /// The bead that depends.
    pub from: BeadId,
    /// The bead on which it depends.
    pub to: BeadId,
    /// `blocks`, `parent-child`, `related` …
    pub kind: String,
}

impl Dependency {
    /// The dependencies that these rows list, including those on the parents.
    pub(crate) fn of_rows(rows: &[Row]) -> Vec<Dependency> {
        let of = |row: &Row| -> Vec<Dependency> {
            let edges = row.depends_on.iter().map(|edge| (&edge.id, edge.kind.as_str()));
            let parent = row.parent.iter().filter(|parent| !edges.clone().any(|(on, _)| on == *parent));
            let parent = parent.map(|parent| (parent, "parent-child"));
            let dependency = |(to, kind): (&BeadId, &str)| Dependency {
                from: row.id.clone(),
                to: to.clone(),
                kind: kind.to_owned(),
            };
            edges.clone().chain(parent).map(dependency).collect()
        };
        rows.iter().filter(|row| row.stored_status != BeadStatus::Tombstone).flat_map(of).collect()
    }
}

/// The capabilities of a tracker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capabilities {
    /// Fields of [`FieldChanges`] that it cannot change, each with a short reason.
    pub unsupported: Vec<(&'static str, String)>,
    /// Types for beads, custom ones included.
    pub types: Vec<String>,
    /// Statuses that can be set, custom ones included.
    pub statuses: Vec<BeadStatus>,
    pub dependency_kinds: Vec<String>,
    /// Whether beads can be deleted and restored.
    pub delete: Deletion,
    /// The source of [`Tracker::events`], in words for the user.
    pub audit: String,
}

/// Whether a tracker can delete beads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deletion {
    No,
    /// A deleted bead cannot be restored.
    Permanent,
    /// [`Tracker::undelete`] restores a deleted bead.
    Undoable,
}

/// A change of a bead as its tracker recorded it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackerEvent {
    pub at: Timestamp,
    /// The author of the change.
    pub actor: String,
    /// `created`, `status`, `field`, `comment`, `dependency` …
    pub kind: String,
    /// The field, for `field`.
    pub field: Option<String>,
    /// The value before.
    pub from: Option<String>,
    /// The value after.
    pub to: Option<String>,
}

/// How to close a bead.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Close {
    /// The reason; empty for the tracker's default.
    pub reason: String,
    /// Close it even if it has another assignee, open children, or is pinned.
    pub force: bool,
}

/// Whether the user consents to adding `in_review` to the tracker's custom statuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CustomStatus {
    /// The user consented.
    Add,
    /// The user has not been asked yet: if consent is needed, the result is [`TrackerError::NeedsConsent`].
    Ask,
}

/// A project's beads.
///
/// Every change of a bead is verified (for programs, see `cli/answers.rs`); if it had no effect, the result
/// is [`TrackerError::NotPersisted`]. Ids must be complete: even if the program accepts a part of an id, the
/// result is [`TrackerError::NotFound`].
pub trait Tracker: Send + Sync {
    fn kind(&self) -> TrackerKind;
    /// Describes the tracker: program, version and folder.
    fn describe(&self) -> TrackerInfo;

    /// Every bead that matches the filter, without a limit.
    fn list(&self, filter: &ListFilter) -> Result<Listing, TrackerError>;

    /// The requested part of the list, or the whole list if the tracker cannot compute the part.
    fn list_part(&self, filter: &ListFilter, part: Part<'_>) -> Result<PartialListing, TrackerError>;

    /// The number of the current content; every change of the beads increases it. 0 for trackers that would have to
    /// run a program to determine it.
    fn content(&self) -> u64 {
        0
    }
    /// The beads that the tracker counts as ready, in its order, without memories and the tracker's own rows.
    fn ready(&self) -> Result<Vec<Bead>, TrackerError> {
        let mut beads = self.list(&ListFilter::open())?.beads;
        beads.retain(|bead| bead.ready);
        Ok(beads)
    }
    /// Beads in progress, of one assignee if given, most recently changed first. Cheaper than a full list
    /// where the tracker supports that.
    fn in_progress(&self, assignee: Option<&str>) -> Result<Vec<Bead>, TrackerError> {
        let filter = ListFilter { statuses: vec![BeadStatus::InProgress], ..ListFilter::open() };
        Ok(latest_of(self.list(&filter)?.beads, assignee))
    }
    fn blocked(&self) -> Result<Vec<Bead>, TrackerError> {
        let mut beads = self.list(&ListFilter::open())?.beads;
        beads.retain(|bead| !bead.blocked_by.is_empty());
        Ok(beads)
    }
    fn show(&self, id: &BeadId) -> Result<BeadDetail, TrackerError>;

    /// Several beads as [`Tracker::show`] returns them, with a single read if possible.
    fn show_all(&self, ids: &[BeadId]) -> Vec<Result<BeadDetail, TrackerError>> {
        ids.iter().map(|id| self.show(id)).collect()
    }

    /// Calls `found` with the long text of every bead, which queries search but lists lack. If `found` is called
    /// several times for a bead, the last call counts.
    fn texts(&self, found: &mut dyn FnMut(BeadId, Texts)) -> Result<(), TrackerError>;
    /// Every dependency of every bead.
    fn dependencies(&self) -> Result<Vec<Dependency>, TrackerError>;

    fn create(&self, new: &NewBead, actor: &Actor) -> Result<BeadDetail, TrackerError>;
    /// Claims a bead: in progress, assigned to the actor. Atomic with respect to other claims; repeating a
    /// claim is not an error. The actor may take an open bead of the same user, and a bead in progress that
    /// the user took outside any session.
    fn claim(&self, id: &BeadId, actor: &Actor) -> Result<Bead, TrackerError>;
    /// Claims several beads with one write, each as [`Tracker::claim`] would after the earlier ones. Each
    /// claim fails independently. `None` if the tracker only supports single claims; the caller then makes
    /// them.
    fn claim_all(&self, _claims: &[(BeadId, Actor)]) -> Option<Vec<Result<(), TrackerError>>> {
        None
    }
    /// Releases a bead that the actor holds: reopens it, and assigns it to its earlier assignee `before`, if
    /// any. An unassigned bead stays unchanged. If another actor holds the bead, the result is
    /// [`TrackerError::ClaimedByOther`].
    fn unclaim(&self, id: &BeadId, actor: &Actor, before: Option<&str>) -> Result<Bead, TrackerError>;
    /// Renews a claim, if the tracker's claims expire (bd: after five minutes).
    fn renew_claim(&self, id: &BeadId, actor: &Actor) -> Result<(), TrackerError>;
    /// Sets a bead's status. `InReview` is [`Tracker::submit`] without consent, `Closed` is
    /// [`Tracker::close`] without a reason.
    fn set_status(&self, id: &BeadId, status: &BeadStatus, actor: &Actor) -> Result<Bead, TrackerError>;
    /// Whether [`Tracker::submit`] would add a status to the tracker's configuration, which needs consent.
    fn needs_custom_status(&self) -> Result<bool, TrackerError>;
    /// Moves a bead to "in review".
    fn submit(&self, id: &BeadId, custom: CustomStatus, actor: &Actor) -> Result<Bead, TrackerError>;
    fn close(&self, id: &BeadId, close: &Close, actor: &Actor) -> Result<Bead, TrackerError>;
    fn add_comment(&self, id: &BeadId, text: &str, actor: &Actor) -> Result<BeadComment, TrackerError>;
    fn set_notes(&self, id: &BeadId, text: &str, actor: &Actor) -> Result<(), TrackerError>;
    /// Adds lines to the end of the notes.
    fn append_notes(&self, id: &BeadId, text: &str, actor: &Actor) -> Result<(), TrackerError>;

    fn capabilities(&self) -> Result<Capabilities, TrackerError>;
    /// Changes fields with one call of the tracker where possible. If `expected` is given and the bead's
    /// `updated_at` differs, the result is [`TrackerError::Changed`] and nothing is written.
    fn update(
        &self,
        id: &BeadId,
        changes: &FieldChanges,
        expected: Option<Timestamp>,
        actor: &Actor,
    ) -> Result<BeadDetail, TrackerError>;
    fn reopen(&self, id: &BeadId, actor: &Actor) -> Result<Bead, TrackerError>;
    /// Deletes a bead. Returns whether [`Tracker::undelete`] can restore it.
    fn delete(&self, id: &BeadId, actor: &Actor) -> Result<bool, TrackerError>;
    /// Restores a deleted bead.
    fn undelete(&self, id: &BeadId, actor: &Actor) -> Result<BeadDetail, TrackerError>;
    /// Makes `id` depend on `on`. A cycle of blocking dependencies and parents is refused with
    /// [`TrackerError::Cycle`] before anything is written.
    fn add_dependency(&self, id: &BeadId, on: &BeadId, kind: &str, actor: &Actor)
    -> Result<(), TrackerError>;
    /// Removes the dependency of `id` on `on`.
    fn remove_dependency(&self, id: &BeadId, on: &BeadId, actor: &Actor) -> Result<(), TrackerError>;
    /// The bead's recorded changes, oldest first; empty if the tracker does not record changes.
    fn events(&self, id: &BeadId) -> Result<Vec<TrackerEvent>, TrackerError>;

    /// The project's id, if the tracker has one (bd's metadata.json).
    fn project_id(&self) -> Result<Option<ProjectId>, TrackerError>;
    /// Folders to watch: a change in them may mean that beads changed. bd also touches its files when it only
    /// reads: compare [`Tracker::change_mark`] before listing again.
    fn watch_paths(&self) -> Vec<PathBuf>;
    /// A cheap value that differs after every change; `None` if the tracker has no such value.
    fn change_mark(&self) -> Result<Option<String>, TrackerError>;
    /// Like [`Tracker::change_mark`], for a watch: cheaper in the embedded store, which does not read its
    /// file for it, but it may also differ without a change, and be `None` shortly after a change.
    fn watch_mark(&self) -> Result<Option<String>, TrackerError> {
        self.change_mark()
    }
}

/// The beads in progress, of one assignee if given, most recently changed first. Beads in review, which
/// trackers without custom statuses also return, are removed.
pub(crate) fn latest_of(mut beads: Vec<Bead>, assignee: Option<&str>) -> Vec<Bead> {
    let held = |bead: &Bead| assignee.is_none_or(|by| bead.assignee.as_deref() == Some(by));
    beads.retain(|bead| bead.status == BeadStatus::InProgress && held(bead));
    beads.sort_by(|a, b| b.updated_at.cmp(&a.updated_at).then_with(|| a.id.cmp(&b.id)));
    beads
}
