//! Reads beads with the tracker program, and changes a bead's status or notes.

use super::{
    answer_cache::CachedRow,
    call::{CallError, Request, Turn},
    dialect::Dialect,
    edits::holder_name,
    tracker::CliTracker,
    verify::{ask, check_stored, explain},
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
use serde_json::{Map, Value};
use std::sync::PoisonError;

impl<D: Dialect> CliTracker<D> {
    pub(super) fn explain(
        &self,
        operation: &'static str,
        id: Option<&BeadId>,
    ) -> impl Fn(CallError) -> TrackerError {
        let (name, id) = (self.cli.name, id.cloned());
        move |error| explain(error, name, operation, id.as_ref())
    }

    /// The bead with exactly this id, as the basis of a change. Uses a cached row if nothing changed since.
    pub(super) fn read_bead(&self, turn: &Turn<'_>, id: &BeadId) -> Result<Row, TrackerError> {
        match self.known(id) {
            Some((_, said)) => self.read(&said.row, id),
            None => self.ask_for(turn, id),
        }
    }

    /// The bead for display. A cached row from the answer to a change does not suffice, because its links and
    /// comments may be outdated.
    pub(super) fn read_whole_bead(&self, turn: &Turn<'_>, id: &BeadId) -> Result<Row, TrackerError> {
        match self.known(id).filter(|(_, said)| said.whole) {
            Some((_, said)) => self.read(&said.row, id),
            None => self.ask_for(turn, id),
        }
    }

    pub(super) fn ask_for(&self, turn: &Turn<'_>, id: &BeadId) -> Result<Row, TrackerError> {
        let before = self.mark();
        let maps = self.dialect.show(turn, id).map_err(self.explain("show", Some(id)))?;
        let found = |map: &Map<String, Value>| map.get("id").and_then(Value::as_str) == Some(id.as_str());
        let map = maps.into_iter().find(found).ok_or_else(|| TrackerError::NotFound { id: id.clone() })?;
        let row = self.read(&map, id)?;
        // If the mark changed meanwhile, the row may or may not include that change: do not cache it.
        if let Some(mark) = before.filter(|mark| self.mark().as_ref() == Some(mark)) {
            self.known.put(&mark, id, CachedRow { row: map, whole: true });
        }
        Ok(row)
    }

    fn read(&self, map: &Map<String, Value>, id: &BeadId) -> Result<Row, TrackerError> {
        let row = Row::read(map).map_err(|why| self.cli.unreadable("show", &why.to_string()))?;
        match row.stored_status {
            BeadStatus::Tombstone => Err(TrackerError::NotFound { id: id.clone() }),
            _ => Ok(row),
        }
    }

    /// Like [`Self::read_bead`], but fails if the bead is closed.
    pub(super) fn read_open_bead(&self, turn: &Turn<'_>, id: &BeadId) -> Result<Row, TrackerError> {
        let row = self.read_bead(turn, id)?;
        match row.stored_status {
            BeadStatus::Closed => Err(TrackerError::AlreadyClosed { id: id.clone() }),
            _ => Ok(row),
        }
    }

    pub(super) fn ready_ids(&self, turn: &Turn<'_>) -> Result<Vec<BeadId>, TrackerError> {
        self.dialect.ready(turn).map(|maps| json::ids(&maps)).map_err(self.explain("ready", None))
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

    /// The bead of this row after a change, with `ready` as the program computes it.
    pub(super) fn after(&self, turn: &Turn<'_>, row: &Row) -> Result<BeadDetail, TrackerError> {
        let mut detail = detail(row);
        if row.stored_status == BeadStatus::Open {
            detail.bead.ready = match self.is_plainly_ready(row) {
                Some(ready) => ready,
                None => self.ready_ids(turn)?.contains(&row.id),
            };
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
            ask(turn, &self.dialect.drop_label(&row.id, IN_REVIEW_LABEL, actor), Some(&row.id))?;
        }
        Ok(())
    }

    /// Runs these requests, the last of which moves the bead to this status.
    pub(super) fn move_to(
        &self,
        turn: &Turn<'_>,
        mut row: Row,
        requests: &[Request],
        status: &BeadStatus,
        operation: &'static str,
    ) -> Result<Bead, TrackerError> {
        if let Some((last, others)) = requests.split_last() {
            for request in others {
                ask(turn, request, Some(&row.id))?;
            }
            row = self.change(turn, last, &row.id)?;
        }
        let found = row.status();
        check_stored(found == *status, operation, &row.id, format!("the state {}", found.as_str()))?;
        Ok(self.answered(turn, row)?.bead)
    }

    /// The bead of this row after a change. The row also answers the next request to show the bead.
    pub(super) fn answered(&self, turn: &Turn<'_>, row: Row) -> Result<BeadDetail, TrackerError> {
        let detail = self.after(turn, &row)?;
        self.keep_answer(row);
        Ok(detail)
    }

    pub(super) fn keep_answer(&self, row: Row) {
        *self.answer.lock().unwrap_or_else(PoisonError::into_inner) = self.mark().map(|mark| (mark, row));
    }

    /// Takes the row of this bead that the last change stored. `None` if the tracker's mark changed since.
    pub(super) fn take_answer(&self, id: &BeadId) -> Option<Row> {
        let mut answer = self.answer.lock().unwrap_or_else(PoisonError::into_inner);
        let (mark, row) = answer.take_if(|(_, row)| row.id == *id)?;
        (self.mark()? == mark).then_some(row)
    }

    pub(super) fn submit_in(
        &self,
        turn: &Turn<'_>,
        id: &BeadId,
        custom: CustomStatus,
        actor: &Actor,
    ) -> Result<Bead, TrackerError> {
        let row = self.read_open_bead(turn, id)?;
        let requests = match row.status() {
            BeadStatus::InReview => Vec::new(),
            _ => self.dialect.submit(id, actor),
        };
        let submit = |row: Row| self.move_to(turn, row, &requests, &BeadStatus::InReview, "submitting");
        match submit(row.clone()) {
            // A program without the status refuses and changes nothing.
            Err(TrackerError::Refused { .. } | TrackerError::Failed { .. })
                if self.dialect.lacks_in_review(turn).map_err(self.explain("submit", None))? => {}
            answer => return answer,
        }
        match custom {
            CustomStatus::Ask => return Err(TrackerError::NeedsConsent { status: BeadStatus::InReview }),
            CustomStatus::Add => self.dialect.add_in_review(turn).map_err(self.explain("submit", None))?,
        }
        submit(row)
    }

    pub(super) fn close_in(
        &self,
        turn: &Turn<'_>,
        id: &BeadId,
        close: &Close,
        actor: &Actor,
    ) -> Result<Bead, TrackerError> {
        let row = self.read_open_bead(turn, id)?;
        check_text("reason", &close.reason)?;
        let request = self.dialect.close(id, close, holder_name(&row, actor));
        self.move_to(turn, row, &[request], &BeadStatus::Closed, "closing")
    }

    /// Writes the notes with the request for the current ones. The result is compared with the text, without white
    /// space at the end.
    pub(super) fn write_notes(
        &self,
        id: &BeadId,
        text: &str,
        request: impl Fn(&str) -> Request,
        is_as_wanted: impl Fn(&str, &str) -> bool,
    ) -> Result<(), TrackerError> {
        check_text("notes", text)?;
        let turn = self.cli.turn();
        let row = self.read_bead(&turn, id)?;
        let row = self.change(&turn, &request(&row.notes), id)?;
        let is_stored = is_as_wanted(row.notes.trim_end(), text.trim_end());
        check_stored(is_stored, "writing the notes of", id, "other notes")
    }
}
