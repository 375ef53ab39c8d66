//! What a tracker can do, whichever program keeps the beads.

use crate::{Actor, TrackerError};
use bc_core::{
    bead::{Bead, BeadComment, BeadDetail, BeadStatus},
    ids::{BeadId, ProjectId},
};
use std::{fmt, path::PathBuf};

/// Who keeps the beads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrackerKind {
    /// The Go program, Dolt underneath.
    Bd,
    /// The Rust program, SQLite and JSONL underneath.
    Br,
    /// We do, in `.beads/issues.jsonl`.
    Embedded,
    /// A program that is not there; its JSONL is shown.
    ReadOnly,
}

impl TrackerKind {
    /// A word for listings and JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            TrackerKind::Bd => "bd",
            TrackerKind::Br => "br",
            TrackerKind::Embedded => "embedded",
            TrackerKind::ReadOnly => "read_only",
        }
    }
}

/// What a tracker is, for `doctor` and the settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackerInfo {
    /// Who keeps the beads.
    pub kind: TrackerKind,
    /// The program in use.
    pub program: Option<PathBuf>,
    /// Its version.
    pub version: Option<String>,
    /// The `.beads` folder, redirects followed.
    pub beads_dir: PathBuf,
    /// What a person should know: why it is read-only, and what to do.
    pub notice: Option<String>,
}

/// Which beads to list. Tombstones never are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListFilter {
    /// Closed ones too.
    pub closed: bool,
    /// Pinned ones too (memories are pinned beads).
    pub pinned: bool,
    /// The tracker's own too: gates, messages, molecules, agents, templates, wisps.
    pub system: bool,
    /// Only these states; all of them where empty.
    pub statuses: Vec<BeadStatus>,
}

impl ListFilter {
    /// What is work and not done.
    pub fn open() -> Self {
        ListFilter::default()
    }

    /// What a board shows: work, done or not.
    pub fn board() -> Self {
        ListFilter { closed: true, ..ListFilter::default() }
    }

    /// Everything that is not deleted.
    pub fn everything() -> Self {
        ListFilter { closed: true, pinned: true, system: true, statuses: Vec::new() }
    }
}

/// Something that was passed over while reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// The line of the file, from 1, where it is about one.
    pub line: Option<usize>,
    /// What is wrong, and what happened to it.
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

/// Beads, and what could not be read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Listing {
    /// By priority, then oldest first.
    pub beads: Vec<Bead>,
    /// What was passed over.
    pub warnings: Vec<Warning>,
}

/// A bead to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewBead {
    /// One line, at most 500 characters.
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
    /// No commas in them.
    pub labels: Vec<String>,
    /// Who shall do it.
    pub assignee: Option<String>,
    /// The bead that it is a part of.
    pub parent: Option<BeadId>,
    /// The beads that block it.
    pub blocked_by: Vec<BeadId>,
}

impl NewBead {
    /// A task of priority 2 with nothing but a title.
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
        }
    }
}

/// A list that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// What was passed over.
    pub warnings: Vec<Warning>,
    /// What it was made of, as [`Tracker::content`] counts.
    pub content: u64,
}

/// How to close a bead.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Close {
    /// Why; the tracker's default where empty.
    pub reason: String,
    /// Although somebody else has it, children are open or it is pinned.
    pub force: bool,
}

/// Whether the tracker's own list of states may get `in_review`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CustomStatus {
    /// The user was asked and agreed.
    Add,
    /// Not asked: where it would be needed, [`TrackerError::NeedsConsent`] comes back.
    Ask,
}

/// A project's beads.
///
/// Every write is read back, and is [`TrackerError::NotPersisted`] if it is not there. Ids are taken
/// whole: where the program itself would accept a part of one, that is [`TrackerError::NotFound`].
pub trait Tracker: Send + Sync {
    /// Who keeps the beads.
    fn kind(&self) -> TrackerKind;
    /// Program, version and place.
    fn describe(&self) -> TrackerInfo;

    /// Every bead that the filter lets through, without a limit.
    fn list(&self, filter: &ListFilter) -> Result<Listing, TrackerError>;

    /// The same, added to a text as a list of JSON; for whoever only hands it on. Nothing of the text counts after an
    /// error.
    fn write_list(&self, filter: &ListFilter, text: &mut Vec<u8>) -> Result<Written, TrackerError> {
        let Listing { beads, warnings } = self.list(filter)?;
        serde_json::to_writer(text, &beads).expect("a bead has only text keys");
        Ok(Written { warnings, content: 0 })
    }
    /// The how manyth content it is that a list is made of now, each another than the one before; 0 where nobody counts,
    /// because to look would run a program.
    fn content(&self) -> u64 {
        0
    }
    /// What the tracker counts as ready, in its order; never memories or the tracker's own beads.
    fn ready(&self) -> Result<Vec<Bead>, TrackerError>;
    /// Beads in progress, those of one assignee where one is named, the last changed first. Cheaper than
    /// a list of everything.
    fn in_progress(&self, assignee: Option<&str>) -> Result<Vec<Bead>, TrackerError> {
        let filter = ListFilter { statuses: vec![BeadStatus::InProgress], ..ListFilter::open() };
        Ok(latest_of(self.list(&filter)?.beads, assignee))
    }
    /// What waits for another bead.
    fn blocked(&self) -> Result<Vec<Bead>, TrackerError>;
    /// One bead with everything.
    fn show(&self, id: &BeadId) -> Result<BeadDetail, TrackerError>;

    /// Several, each as [`Tracker::show`] has it; read once where that can be.
    fn show_all(&self, ids: &[BeadId]) -> Vec<Result<BeadDetail, TrackerError>> {
        ids.iter().map(|id| self.show(id)).collect()
    }

    /// Makes a bead.
    fn create(&self, new: &NewBead, actor: &Actor) -> Result<BeadDetail, TrackerError>;
    /// Takes a bead: in progress, assigned to the actor. Atomic against other claims; again by the
    /// same actor is no error. An open bead assigned to the same person, and one in progress that the
    /// person took outside any session, may be taken.
    fn claim(&self, id: &BeadId, actor: &Actor) -> Result<Bead, TrackerError>;
    /// Claims several beads with one write, each as [`Tracker::claim`] would after those before it: what cannot be claimed
    /// is refused by itself. `None` where they can only be claimed one after the other; whoever asks does that then.
    fn claim_all(&self, _claims: &[(BeadId, Actor)]) -> Option<Vec<Result<(), TrackerError>>> {
        None
    }
    /// Gives back a bead that the actor holds: open, and assigned to `before` where somebody had it
    /// before, else to nobody. One that somebody else holds by now is left alone.
    fn unclaim(&self, id: &BeadId, actor: &Actor, before: Option<&str>) -> Result<Bead, TrackerError>;
    /// Keeps a claim from going stale, where the tracker has leases (bd: five minutes).
    fn renew_claim(&self, id: &BeadId, actor: &Actor) -> Result<(), TrackerError>;
    /// Moves a bead to a state. `InReview` is [`Tracker::submit`] without consent, `Closed` is
    /// [`Tracker::close`] without a reason.
    fn set_status(&self, id: &BeadId, status: &BeadStatus, actor: &Actor) -> Result<Bead, TrackerError>;
    /// Whether [`Tracker::submit`] would add a state to the tracker's configuration: ask first.
    fn needs_custom_status(&self) -> Result<bool, TrackerError>;
    /// Moves a bead to in review.
    fn submit(&self, id: &BeadId, custom: CustomStatus, actor: &Actor) -> Result<Bead, TrackerError>;
    /// Closes a bead.
    fn close(&self, id: &BeadId, close: &Close, actor: &Actor) -> Result<Bead, TrackerError>;
    /// Adds a comment.
    fn add_comment(&self, id: &BeadId, text: &str, actor: &Actor) -> Result<BeadComment, TrackerError>;
    /// Replaces the notes.
    fn set_notes(&self, id: &BeadId, text: &str, actor: &Actor) -> Result<(), TrackerError>;
    /// Adds lines to the end of the notes.
    fn append_notes(&self, id: &BeadId, text: &str, actor: &Actor) -> Result<(), TrackerError>;

    /// The project's id, where the tracker gives it one (bd's metadata.json).
    fn project_id(&self) -> Result<Option<ProjectId>, TrackerError>;
    /// Files and folders whose change may mean that beads changed. Files are replaced: watch the
    /// folder. bd touches its own on reading too: compare [`Tracker::change_mark`] before listing again.
    fn watch_paths(&self) -> Vec<PathBuf>;
    /// Something cheap that differs after every change; `None` where there is no such thing.
    fn change_mark(&self) -> Result<Option<String>, TrackerError>;
}

/// Those in progress that the assignee has, the last changed first. The tracker was asked for as much,
/// but the label that means "in review" is ours to see.
pub(crate) fn latest_of(mut beads: Vec<Bead>, assignee: Option<&str>) -> Vec<Bead> {
    let held = |bead: &Bead| assignee.is_none_or(|by| bead.assignee.as_deref() == Some(by));
    beads.retain(|bead| bead.status == BeadStatus::InProgress && held(bead));
    beads.sort_by(|a, b| b.updated_at.cmp(&a.updated_at).then_with(|| a.id.cmp(&b.id)));
    beads
}
