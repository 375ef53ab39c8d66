//! The steps that changes are made of: look at exactly this bead, ask, look again.

use super::{
    call::{CallError, Request, Turn},
    dialect::Dialect,
    tracker::CliTracker,
    verify::explain,
};
use crate::{
    Actor, TrackerError,
    input::check_text,
    json,
    page::detail,
    row::{IN_REVIEW_LABEL, Row},
    tracker::{Close, CustomStatus, Warning},
};
use bc_core::{
    bead::{Bead, BeadDetail, BeadStatus},
    ids::BeadId,
};
use serde_json::Value;

impl<D: Dialect> CliTracker<D> {
    pub(super) fn explain(
        &self,
        operation: &'static str,
        id: Option<&BeadId>,
    ) -> impl Fn(CallError) -> TrackerError {
        let (name, id) = (self.cli.name, id.cloned());
        move |error| explain(error, name, operation, id.as_ref())
    }

    pub(super) fn ask(&self, turn: &Turn<'_>, request: &Request, id: &BeadId) -> Result<Value, TrackerError> {
        turn.ask(request).map_err(self.explain(request.operation, Some(id)))
    }

    /// The bead of exactly this id: programs also find beads by a part of one.
    pub(super) fn look(&self, turn: &Turn<'_>, id: &BeadId) -> Result<Row, TrackerError> {
        let maps = self.dialect.show(turn, id).map_err(self.explain("show", Some(id)))?;
        let found = maps.iter().find(|map| map.get("id").and_then(Value::as_str) == Some(id.as_str()));
        let map = found.ok_or_else(|| TrackerError::NotFound { id: id.clone() })?;
        let row = Row::read(map).map_err(|why| self.cli.unreadable("show", &why.to_string()))?;
        match row.stored_status {
            BeadStatus::Tombstone => Err(TrackerError::NotFound { id: id.clone() }),
            _ => Ok(row),
        }
    }

    /// As [`Self::look`], for what is to be changed.
    pub(super) fn look_open(&self, turn: &Turn<'_>, id: &BeadId) -> Result<Row, TrackerError> {
        let row = self.look(turn, id)?;
        match row.stored_status {
            BeadStatus::Closed => Err(TrackerError::AlreadyClosed { id: id.clone() }),
            _ => Ok(row),
        }
    }

    pub(super) fn ready_ids(&self, turn: &Turn<'_>) -> Result<Vec<BeadId>, TrackerError> {
        let maps = self.dialect.ready(turn).map_err(self.explain("ready", None))?;
        Ok(json::ids(&maps))
    }

    pub(super) fn everything(&self, turn: &Turn<'_>) -> Result<(Vec<Row>, Vec<Warning>), TrackerError> {
        let maps = self.dialect.list(turn).map_err(self.explain("list", None))?;
        let mut warnings = Vec::new();
        let mut rows = Vec::with_capacity(maps.len());
        for map in &maps {
            match Row::read(map) {
                Ok(row) => rows.push(row),
                Err(why) => {
                    warnings.push(Warning { line: None, what: format!("a bead was left out: {why}") })
                }
            }
        }
        Ok((rows, warnings))
    }

    /// The bead after a change, with `ready` as the program counts it.
    pub(super) fn after(&self, turn: &Turn<'_>, row: &Row) -> Result<BeadDetail, TrackerError> {
        let mut detail = detail(row);
        if row.stored_status == BeadStatus::Open {
            detail.bead.ready = self.ready_ids(turn)?.contains(&row.id);
            if detail.bead.ready {
                detail.bead.blocked_by.clear();
            }
        }
        Ok(detail)
    }

    pub(super) fn drop_review_label(
        &self,
        turn: &Turn<'_>,
        row: &Row,
        actor: &Actor,
    ) -> Result<(), TrackerError> {
        if row.has_review_label() {
            self.ask(turn, &self.dialect.drop_label(&row.id, IN_REVIEW_LABEL, actor), &row.id)?;
        }
        Ok(())
    }

    pub(super) fn expect_status(
        &self,
        turn: &Turn<'_>,
        id: &BeadId,
        status: &BeadStatus,
        operation: &'static str,
    ) -> Result<Bead, TrackerError> {
        let row = self.look(turn, id)?;
        if row.status() != *status {
            let found = format!("the state {}", row.status().as_str());
            return Err(TrackerError::NotPersisted { operation, id: id.clone(), found });
        }
        Ok(self.after(turn, &row)?.bead)
    }

    pub(super) fn submit_in(
        &self,
        turn: &Turn<'_>,
        id: &BeadId,
        custom: CustomStatus,
        actor: &Actor,
    ) -> Result<Bead, TrackerError> {
        let row = self.look_open(turn, id)?;
        if self.dialect.lacks_in_review(turn).map_err(self.explain("submit", None))? {
            match custom {
                CustomStatus::Ask => return Err(TrackerError::NeedsConsent { status: BeadStatus::InReview }),
                CustomStatus::Add => {
                    self.dialect.add_in_review(turn).map_err(self.explain("submit", None))?
                }
            }
        }
        if row.status() != BeadStatus::InReview {
            for request in self.dialect.submit(id, actor) {
                self.ask(turn, &request, id)?;
            }
        }
        self.expect_status(turn, id, &BeadStatus::InReview, "submitting")
    }

    pub(super) fn close_in(
        &self,
        turn: &Turn<'_>,
        id: &BeadId,
        close: &Close,
        actor: &Actor,
    ) -> Result<Bead, TrackerError> {
        let row = self.look_open(turn, id)?;
        check_text("reason", &close.reason)?;
        // The same person in another session: bd compares whole names.
        let name = match &row.assignee {
            Some(assignee) if actor.is_person(assignee) => assignee.as_str(),
            _ => actor.as_str(),
        };
        self.ask(turn, &self.dialect.close(id, close, name), id)?;
        self.expect_status(turn, id, &BeadStatus::Closed, "closing")
    }

    pub(super) fn write_notes(
        &self,
        id: &BeadId,
        text: &str,
        request: impl Fn(&str) -> Request,
        as_wanted: impl Fn(&str, &str) -> bool,
    ) -> Result<(), TrackerError> {
        check_text("notes", text)?;
        let turn = self.cli.turn();
        let row = self.look(&turn, id)?;
        self.ask(&turn, &request(&row.notes), id)?;
        let row = self.look(&turn, id)?;
        match as_wanted(row.notes.trim_end(), text.trim_end()) {
            true => Ok(()),
            false => Err(TrackerError::NotPersisted {
                operation: "writing the notes of",
                id: id.clone(),
                found: "other notes".to_owned(),
            }),
        }
    }
}
