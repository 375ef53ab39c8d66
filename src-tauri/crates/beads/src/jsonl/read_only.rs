//! A project whose program is missing: what its JSONL shows, and a message instead of every change.

use super::view::{self, View};
use crate::{
    Actor, TrackerError, place,
    tracker::{
        Close, CustomStatus, ListFilter, Listing, NewBead, Tracker, TrackerInfo, TrackerKind, Written,
    },
};
use bc_core::{
    bead::{Bead, BeadComment, BeadDetail, BeadStatus},
    ids::{BeadId, ProjectId},
};
use std::path::PathBuf;

/// An export that may be older than the tracker's database.
#[derive(Debug)]
pub(crate) struct ReadOnly {
    beads_dir: PathBuf,
    why: String,
    view: View,
}

impl ReadOnly {
    pub(crate) fn open(beads_dir: PathBuf, why: String) -> ReadOnly {
        ReadOnly { beads_dir, why, view: View::default() }
    }

    fn file(&self) -> PathBuf {
        place::jsonl_file(&self.beads_dir)
    }

    fn refuse<T>(&self) -> Result<T, TrackerError> {
        Err(TrackerError::ReadOnly { why: self.why.clone() })
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
            notice: Some(format!("the beads are read-only and may be out of date: {}", self.why)),
        }
    }

    fn list(&self, filter: &ListFilter) -> Result<Listing, TrackerError> {
        self.view.list(&self.file(), filter)
    }

    fn write_list(&self, filter: &ListFilter, text: &mut Vec<u8>) -> Result<Written, TrackerError> {
        self.view.write_list(&self.file(), filter, text)
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
