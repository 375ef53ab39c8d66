//! Beads that can be shown but not changed: every change fails with the reason.

use crate::{
    Actor, TrackerError, place,
    tracker::{
        Capabilities, Close, CustomStatus, Deletion, Dependency, FieldChanges, ListFilter, Listing, NewBead,
        Part, PartialListing, Tracker, TrackerEvent, TrackerInfo, TrackerKind,
    },
};
use bc_core::{
    Timestamp,
    bead::{Bead, BeadComment, BeadDetail, BeadStatus},
    ids::{BeadId, ProjectId},
    query::Texts,
};
use std::path::PathBuf;

/// The source of the shown beads: a database or an export.
pub(crate) trait Source: Send + Sync {
    fn list(&self, filter: &ListFilter) -> Result<Listing, TrackerError>;
    fn list_part(&self, filter: &ListFilter, _part: Part<'_>) -> Result<PartialListing, TrackerError> {
        self.list(filter).map(PartialListing::of)
    }
    fn content(&self) -> u64;
    fn show(&self, id: &BeadId) -> Result<BeadDetail, TrackerError>;
    fn texts(&self, found: &mut dyn FnMut(BeadId, Texts)) -> Result<(), TrackerError>;
    fn dependencies(&self) -> Result<Vec<Dependency>, TrackerError>;
    fn events(&self, _id: &BeadId) -> Result<Vec<TrackerEvent>, TrackerError> {
        Ok(Vec::new())
    }
    /// A description of the shown data for the user: its age, or its file.
    fn described(&self) -> String;
    /// The source of [`Source::events`], in words for the user.
    fn audit(&self) -> &'static str;
}

/// The beads of a tracker with a missing or unsupported program.
pub(crate) struct ReadOnly {
    beads_dir: PathBuf,
    /// The program that owns the beads, and why the program is not usable.
    whose: String,
    remedy: &'static str,
    source: Box<dyn Source>,
}

impl ReadOnly {
    pub(crate) fn new(
        beads_dir: PathBuf,
        whose: String,
        remedy: &'static str,
        source: impl Source + 'static,
    ) -> ReadOnly {
        ReadOnly { beads_dir, whose, remedy, source: Box::new(source) }
    }

    /// Why nothing can be changed, which data is shown, and the remedy.
    pub(crate) fn why(&self) -> String {
        format!("{}; {}; {}", self.whose, self.source.described(), self.remedy)
    }

    fn refuse<T>(&self) -> Result<T, TrackerError> {
        Err(TrackerError::ReadOnly { why: self.why() })
    }
}

impl Tracker for ReadOnly {
    fn kind(&self) -> TrackerKind {
        TrackerKind::ReadOnly
    }

    fn describe(&self) -> TrackerInfo {
        TrackerInfo {
            kind: TrackerKind::ReadOnly,
            program: None,
            version: None,
            beads_dir: self.beads_dir.clone(),
            notice: Some(format!("the beads are read-only here: {}", self.why())),
        }
    }

    fn list(&self, filter: &ListFilter) -> Result<Listing, TrackerError> {
        self.source.list(filter)
    }

    fn list_part(&self, filter: &ListFilter, part: Part<'_>) -> Result<PartialListing, TrackerError> {
        self.source.list_part(filter, part)
    }

    fn content(&self) -> u64 {
        self.source.content()
    }

    fn show(&self, id: &BeadId) -> Result<BeadDetail, TrackerError> {
        self.source.show(id)
    }

    fn texts(&self, found: &mut dyn FnMut(BeadId, Texts)) -> Result<(), TrackerError> {
        self.source.texts(found)
    }

    fn dependencies(&self) -> Result<Vec<Dependency>, TrackerError> {
        self.source.dependencies()
    }

    fn create(&self, _new: &NewBead, _actor: &Actor) -> Result<BeadDetail, TrackerError> {
        self.refuse()
    }

    fn claim(&self, _id: &BeadId, _actor: &Actor) -> Result<Bead, TrackerError> {
        self.refuse()
    }

    fn unclaim(&self, _id: &BeadId, _actor: &Actor, _before: Option<&str>) -> Result<Bead, TrackerError> {
        self.refuse()
    }

    fn renew_claim(&self, _id: &BeadId, _actor: &Actor) -> Result<(), TrackerError> {
        self.refuse()
    }

    fn set_status(&self, _id: &BeadId, _status: &BeadStatus, _actor: &Actor) -> Result<Bead, TrackerError> {
        self.refuse()
    }

    fn needs_custom_status(&self) -> Result<bool, TrackerError> {
        Ok(false)
    }

    fn submit(&self, _id: &BeadId, _custom: CustomStatus, _actor: &Actor) -> Result<Bead, TrackerError> {
        self.refuse()
    }

    fn close(&self, _id: &BeadId, _close: &Close, _actor: &Actor) -> Result<Bead, TrackerError> {
        self.refuse()
    }

    fn add_comment(&self, _id: &BeadId, _text: &str, _actor: &Actor) -> Result<BeadComment, TrackerError> {
        self.refuse()
    }

    fn set_notes(&self, _id: &BeadId, _text: &str, _actor: &Actor) -> Result<(), TrackerError> {
        self.refuse()
    }

    fn append_notes(&self, _id: &BeadId, _text: &str, _actor: &Actor) -> Result<(), TrackerError> {
        self.refuse()
    }

    fn capabilities(&self) -> Result<Capabilities, TrackerError> {
        Ok(Capabilities {
            unsupported: Vec::new(),
            types: Vec::new(),
            statuses: Vec::new(),
            dependency_kinds: Vec::new(),
            delete: Deletion::No,
            audit: self.source.audit().to_owned(),
        })
    }

    fn update(
        &self,
        _id: &BeadId,
        _changes: &FieldChanges,
        _expected: Option<Timestamp>,
        _actor: &Actor,
    ) -> Result<BeadDetail, TrackerError> {
        self.refuse()
    }

    fn reopen(&self, _id: &BeadId, _actor: &Actor) -> Result<Bead, TrackerError> {
        self.refuse()
    }

    fn delete(&self, _id: &BeadId, _actor: &Actor) -> Result<bool, TrackerError> {
        self.refuse()
    }

    fn undelete(&self, _id: &BeadId, _actor: &Actor) -> Result<BeadDetail, TrackerError> {
        self.refuse()
    }

    fn add_dependency(
        &self,
        _id: &BeadId,
        _on: &BeadId,
        _kind: &str,
        _actor: &Actor,
    ) -> Result<(), TrackerError> {
        self.refuse()
    }

    fn remove_dependency(&self, _id: &BeadId, _on: &BeadId, _actor: &Actor) -> Result<(), TrackerError> {
        self.refuse()
    }

    fn events(&self, id: &BeadId) -> Result<Vec<TrackerEvent>, TrackerError> {
        self.source.events(id)
    }

    fn project_id(&self) -> Result<Option<ProjectId>, TrackerError> {
        Ok(place::project_id(&self.beads_dir))
    }

    fn watch_paths(&self) -> Vec<PathBuf> {
        place::watch_paths(&self.beads_dir)
    }

    fn change_mark(&self) -> Result<Option<String>, TrackerError> {
        place::change_mark(&self.beads_dir)
    }
}
