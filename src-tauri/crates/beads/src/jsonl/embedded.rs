//! The embedded store, for projects without bd or br: `.beads/issues.jsonl`, written by this program.
//!
//! The rules for claims and readiness (see `readiness`) follow bd.

use super::{
    change::Place,
    config,
    edit::Edit,
    ids::{self, Seed},
    snapshot::{Snapshot, Stored},
    view::{self, View},
};
use crate::{
    Actor, TrackerError,
    error::{no_such_comment, refused},
    input::{check_changes, check_new, check_text, check_words},
    kinds::{self, full_type},
    place,
    read_only::Source,
    row::Row,
    tracker::{
        Capabilities, Close, CustomStatus, Dependency, FieldChanges, ListFilter, Listing, NewBead, Part,
        PartialListing, Tracker, TrackerEvent, TrackerInfo, TrackerKind,
    },
};
use bc_core::{
    Timestamp,
    bead::{Bead, BeadComment, BeadDetail, BeadStatus},
    ids::{BeadId, ProjectId},
    query::Texts,
};
use chrono::Utc;
use std::path::PathBuf;

#[derive(Debug)]
pub(crate) struct Embedded {
    pub(super) place: Place,
    view: View,
}

impl Embedded {
    pub(crate) fn open(beads_dir: PathBuf) -> Embedded {
        Embedded { place: Place { beads_dir: beads_dir.clone() }, view: View::new(beads_dir) }
    }

    /// Changes an existing bead; `None` from `change` leaves it unchanged.
    pub(super) fn change(
        &self,
        id: &BeadId,
        operation: &'static str,
        change: impl FnOnce(&Row, Edit, &Snapshot) -> Result<Option<Edit>, TrackerError>,
    ) -> Result<(), TrackerError> {
        let changed = self.place.change(operation, |snapshot| {
            let (row, map) = alive(snapshot, id)?;
            let edit = change(row, Edit::of(map), snapshot)?;
            Ok(edit.filter(|edit| edit.map != *map).map(Edit::done))
        });
        changed.map(drop)
    }

    fn bead(&self, id: &BeadId) -> Result<Bead, TrackerError> {
        Ok(self.show(id)?.bead)
    }

    fn edit_notes(&self, id: &BeadId, notes: impl FnOnce(&Row) -> String) -> Result<(), TrackerError> {
        let edit = |row: &Row, edit: Edit, _: &Snapshot| Ok(Some(edit.text("notes", &notes(row))));
        self.change(id, "writing the notes of", edit)
    }
}

/// The bead's row, unless it is deleted.
pub(super) fn alive<'a>(snapshot: &'a Snapshot, id: &BeadId) -> Result<&'a Stored, TrackerError> {
    snapshot
        .find(id)
        .filter(|(row, _)| row.stored_status != BeadStatus::Tombstone)
        .ok_or_else(|| TrackerError::NotFound { id: id.clone() })
}

/// Fails for a closed bead.
fn open_only(row: &Row) -> Result<(), TrackerError> {
    match row.stored_status {
        BeadStatus::Closed => Err(TrackerError::AlreadyClosed { id: row.id.clone() }),
        _ => Ok(()),
    }
}

/// The edit that claims the bead for the actor; `None` if the actor already holds it.
fn claimed(row: &Row, edit: Edit, actor: &Actor) -> Result<Option<Edit>, TrackerError> {
    open_only(row)?;
    let (id, assignee) = (&row.id, row.assignee.as_deref());
    let may = match row.stored_status {
        BeadStatus::Open => actor.may_take_open(assignee),
        _ => assignee.is_none_or(|held| actor.may_take_started(held)),
    };
    if let (false, Some(held)) = (may, assignee) {
        return Err(TrackerError::ClaimedByOther { id: id.clone(), by: held.to_owned() });
    }
    match row.status() {
        BeadStatus::InProgress if assignee == Some(actor.as_str()) => Ok(None),
        BeadStatus::Open | BeadStatus::InProgress => {
            Ok(Some(edit.assign_to(Some(actor.as_str())).status(&BeadStatus::InProgress)))
        }
        BeadStatus::InReview => refused("claiming", id, "it is in review; set it in progress first"),
        status => refused("claiming", id, format!("its state is {}; set it open first", status.as_str())),
    }
}

impl Tracker for Embedded {
    fn kind(&self) -> TrackerKind {
        TrackerKind::Embedded
    }

    fn describe(&self) -> TrackerInfo {
        let beads_dir = self.place.beads_dir.clone();
        TrackerInfo { kind: TrackerKind::Embedded, program: None, version: None, beads_dir, notice: None }
    }

    fn list(&self, filter: &ListFilter) -> Result<Listing, TrackerError> {
        self.view.list(filter)
    }

    fn list_part(&self, filter: &ListFilter, part: Part<'_>) -> Result<PartialListing, TrackerError> {
        self.view.list_part(filter, part)
    }

    fn content(&self) -> u64 {
        self.view.content()
    }

    fn show(&self, id: &BeadId) -> Result<BeadDetail, TrackerError> {
        self.view.show(id)
    }

    fn show_all(&self, ids: &[BeadId]) -> Vec<Result<BeadDetail, TrackerError>> {
        view::show_all(&self.place.file(), ids)
    }

    fn texts(&self, found: &mut dyn FnMut(BeadId, Texts)) -> Result<(), TrackerError> {
        self.view.texts(found)
    }

    fn dependencies(&self) -> Result<Vec<Dependency>, TrackerError> {
        self.view.dependencies()
    }

    fn create(&self, new: &NewBead, actor: &Actor) -> Result<BeadDetail, TrackerError> {
        check_new(new)?;
        let new = &NewBead { issue_type: full_type(&new.issue_type).to_owned(), ..new.clone() };
        self.check_type(&new.issue_type)?;
        let changed = self.place.change("creating", |snapshot| {
            for other in new.blocked_by.iter().chain(&new.parent) {
                alive(snapshot, other)?;
            }
            let now = Utc::now();
            let id = match &new.parent {
                Some(parent) => ids::child(parent, snapshot)?,
                None => {
                    let seed = Seed {
                        title: &new.title,
                        description: &new.description,
                        creator: actor.as_str(),
                        nanoseconds: now.timestamp_nanos_opt().unwrap_or_default(),
                    };
                    ids::fresh(&config::prefix(&self.place.beads_dir, snapshot), &seed, snapshot)
                }
            };
            Ok(Some(Edit::new_bead(id.as_str(), new, actor, now).done()))
        })?;
        let (row, _) = changed.expect("a new bead is always a change");
        self.show(&row.id)
    }

    fn claim(&self, id: &BeadId, actor: &Actor) -> Result<Bead, TrackerError> {
        self.change(id, "claiming", |row, edit, _| claimed(row, edit, actor))?;
        self.bead(id)
    }

    fn claim_all(&self, claims: &[(BeadId, Actor)]) -> Option<Vec<Result<(), TrackerError>>> {
        let claim = |(id, actor): &(BeadId, Actor)| {
            let (id, actor) = (id.clone(), actor.clone());
            move |snapshot: &Snapshot| {
                let (row, map) = alive(snapshot, &id)?;
                Ok(claimed(row, Edit::of(map), &actor)?.map(Edit::done))
            }
        };
        // If the file cannot be changed at all, the caller claims one by one, and each claim reports the error.
        let changed = self.place.change_all("claiming", claims.iter().map(claim)).ok()?;
        Some(changed.into_iter().map(|changed| changed.map(drop)).collect())
    }

    fn unclaim(&self, id: &BeadId, actor: &Actor, before: Option<&str>) -> Result<Bead, TrackerError> {
        self.change(id, "releasing", |row, edit, _| {
            open_only(row)?;
            match row.assignee.as_deref() {
                None => Ok(None),
                Some(held) if held != actor.as_str() => {
                    Err(TrackerError::ClaimedByOther { id: id.clone(), by: held.to_owned() })
                }
                Some(_) => Ok(Some(edit.assign_to(before).status(&BeadStatus::Open))),
            }
        })?;
        self.bead(id)
    }

    fn renew_claim(&self, _id: &BeadId, _actor: &Actor) -> Result<(), TrackerError> {
        Ok(())
    }

    fn set_status(&self, id: &BeadId, status: &BeadStatus, actor: &Actor) -> Result<Bead, TrackerError> {
        if let Err(TrackerError::InvalidInput { why, .. }) = self.check_status(status) {
            return refused("moving", id, why);
        }
        match status {
            BeadStatus::Closed => self.close(id, &Close::default(), actor),
            BeadStatus::InReview => self.submit(id, CustomStatus::Ask, actor),
            _ => {
                self.change(id, "moving", |row, edit, _| {
                    Ok((row.status() != *status).then(|| edit.status(status)))
                })?;
                self.bead(id)
            }
        }
    }

    fn needs_custom_status(&self) -> Result<bool, TrackerError> {
        Ok(false)
    }

    fn submit(&self, id: &BeadId, _custom: CustomStatus, _actor: &Actor) -> Result<Bead, TrackerError> {
        self.change(id, "submitting", |row, edit, _| {
            open_only(row)?;
            Ok((row.status() != BeadStatus::InReview).then(|| edit.status(&BeadStatus::InReview)))
        })?;
        self.bead(id)
    }

    fn close(&self, id: &BeadId, close: &Close, actor: &Actor) -> Result<Bead, TrackerError> {
        check_text("reason", &close.reason)?;
        self.change(id, "closing", |row, edit, snapshot| {
            open_only(row)?;
            if !close.force {
                may_close(row, snapshot, actor)?;
            }
            let reason = if close.reason.is_empty() { "Closed" } else { &close.reason };
            Ok(Some(edit.status(&BeadStatus::Closed).text("close_reason", reason)))
        })?;
        self.bead(id)
    }

    fn add_comment(&self, id: &BeadId, text: &str, actor: &Actor) -> Result<BeadComment, TrackerError> {
        check_words("comment", text)?;
        let mut number = 0;
        self.change(id, "commenting on", |_, edit, snapshot| {
            let (edit, given) = edit.comment(text, actor, snapshot);
            number = given;
            Ok(Some(edit))
        })?;
        let number = number.to_string();
        let found = self.show(id)?.comments.into_iter().find(|comment| comment.id == number);
        found.ok_or_else(|| no_such_comment(id))
    }

    fn set_notes(&self, id: &BeadId, text: &str, _actor: &Actor) -> Result<(), TrackerError> {
        check_text("notes", text)?;
        self.edit_notes(id, |_| text.to_owned())
    }

    fn append_notes(&self, id: &BeadId, text: &str, _actor: &Actor) -> Result<(), TrackerError> {
        check_words("notes", text)?;
        self.edit_notes(id, |row| match row.notes.as_str() {
            "" => text.to_owned(),
            notes => format!("{notes}\n{text}"),
        })
    }

    fn capabilities(&self) -> Result<Capabilities, TrackerError> {
        Ok(self.can())
    }

    fn update(
        &self,
        id: &BeadId,
        changes: &FieldChanges,
        expected: Option<Timestamp>,
        actor: &Actor,
    ) -> Result<BeadDetail, TrackerError> {
        check_changes(changes)?;
        self.change_fields(id, changes, expected, actor)?;
        self.show(id)
    }

    fn reopen(&self, id: &BeadId, _actor: &Actor) -> Result<Bead, TrackerError> {
        self.change(id, "reopening", |row, edit, _| match row.stored_status {
            BeadStatus::Closed => Ok(Some(edit.status(&BeadStatus::Open))),
            _ => refused("reopening", id, "it is not closed"),
        })?;
        self.bead(id)
    }

    fn delete(&self, id: &BeadId, actor: &Actor) -> Result<bool, TrackerError> {
        self.change(id, "deleting", |_, edit, _| Ok(Some(edit.tombstone(actor))))?;
        Ok(true)
    }

    fn undelete(&self, id: &BeadId, _actor: &Actor) -> Result<BeadDetail, TrackerError> {
        self.place.change("restoring", |snapshot| match snapshot.find(id) {
            Some((row, map)) if row.stored_status == BeadStatus::Tombstone => {
                Ok(Some(Edit::of(map).restored().done()))
            }
            Some(_) => refused("restoring", id, "it is not deleted"),
            None => Err(TrackerError::NotFound { id: id.clone() }),
        })?;
        self.show(id)
    }

    fn add_dependency(
        &self,
        id: &BeadId,
        on: &BeadId,
        kind: &str,
        actor: &Actor,
    ) -> Result<(), TrackerError> {
        kinds::check_dependency(kind)?;
        self.depend(id, on, kind, actor)
    }

    fn remove_dependency(&self, id: &BeadId, on: &BeadId, actor: &Actor) -> Result<(), TrackerError> {
        self.undepend(id, on, actor)
    }

    fn events(&self, _id: &BeadId) -> Result<Vec<TrackerEvent>, TrackerError> {
        Ok(Vec::new())
    }

    fn project_id(&self) -> Result<Option<ProjectId>, TrackerError> {
        Ok(place::project_id(&self.place.beads_dir))
    }

    fn watch_paths(&self) -> Vec<PathBuf> {
        place::watch_paths(&self.place.beads_dir)
    }

    fn change_mark(&self) -> Result<Option<String>, TrackerError> {
        place::change_mark(&self.place.beads_dir)
    }

    fn watch_mark(&self) -> Result<Option<String>, TrackerError> {
        Ok(view::watch_mark(&self.place.file()))
    }
}

/// Checks bd's rules: pinned beads, beads of other assignees, and beads with open children cannot be closed.
fn may_close(row: &Row, snapshot: &Snapshot, actor: &Actor) -> Result<(), TrackerError> {
    if row.pinned || row.stored_status == BeadStatus::Pinned {
        return refused("closing", &row.id, "it is pinned");
    }
    if let Some(by) = row.assignee.as_deref().filter(|held| !actor.is_person(held)) {
        return Err(TrackerError::ClaimedByOther { id: row.id.clone(), by: by.to_owned() });
    }
    let open_part = |other: &&Stored| other.0.parent.as_ref() == Some(&row.id) && other.0.is_active();
    match snapshot.all().filter(open_part).count() {
        0 => Ok(()),
        open => refused("closing", &row.id, format!("{open} of its parts are open")),
    }
}
