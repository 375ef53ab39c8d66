//! A project whose program is missing, or whose database cannot be read here: its JSONL is shown, and every
//! change is refused with a message.

use super::{
    export,
    view::{self, View},
};
use crate::{
    Actor, TrackerError, place,
    tracker::{
        Capabilities, Close, CustomStatus, Deletion, Dependency, FieldChanges, ListFilter, Listing, NewBead,
        Tracker, TrackerEvent, TrackerInfo, TrackerKind,
    },
};
use bc_core::{
    Timestamp,
    bead::{Bead, BeadComment, BeadDetail, BeadStatus},
    ids::{BeadId, ProjectId},
    query::Texts,
};
use std::{collections::HashMap, path::PathBuf, time::SystemTime};

/// An export that may be older than the tracker's database.
#[derive(Debug)]
pub(crate) struct ReadOnly {
    beads_dir: PathBuf,
    /// The owner of the beads, and why it is not usable.
    whose: String,
    /// The remedy.
    remedy: &'static str,
    view: View,
}

impl ReadOnly {
    pub(crate) fn open(beads_dir: PathBuf, whose: String, remedy: &'static str) -> ReadOnly {
        ReadOnly { beads_dir, whose, remedy, view: View::default() }
    }

    /// Why nothing can be changed, the age of the shown data, and the remedy.
    pub(crate) fn why(&self) -> String {
        let shown = export::described(&self.beads_dir, SystemTime::now());
        format!("{}; {shown}; {}", self.whose, self.remedy)
    }

    fn file(&self) -> PathBuf {
        place::jsonl_file(&self.beads_dir)
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
        self.view.list(&self.file(), filter)
    }

    fn content(&self) -> u64 {
        self.view.content(&self.file())
    }

    fn ready(&self) -> Result<Vec<Bead>, TrackerError> {
        self.view.ready(&self.file())
    }

    fn blocked(&self) -> Result<Vec<Bead>, TrackerError> {
        self.view.blocked(&self.file())
    }

    fn show(&self, id: &BeadId) -> Result<BeadDetail, TrackerError> {
        view::show(&self.file(), id)
    }

    fn texts(&self) -> Result<HashMap<BeadId, Texts>, TrackerError> {
        self.view.texts(&self.file())
    }

    fn dependencies(&self) -> Result<Vec<Dependency>, TrackerError> {
        self.view.dependencies(&self.file())
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
            audit: String::new(),
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

    fn events(&self, _id: &BeadId) -> Result<Vec<TrackerEvent>, TrackerError> {
        Ok(Vec::new())
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
