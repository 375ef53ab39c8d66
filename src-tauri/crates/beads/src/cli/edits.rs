//! Edits through a program: fields, reopening, deletion, dependencies.

use super::{
    call::{CallError, Turn},
    dialect::Dialect,
    tracker::CliTracker,
    verify::lacks,
};
use crate::{
    Actor, TrackerError, cycles, json,
    row::Row,
    tracker::{Capabilities, FieldChanges, TrackerEvent},
};
use bc_core::{
    Timestamp,
    bead::{Bead, BeadDetail, BeadStatus},
    ids::BeadId,
};
use chrono::{TimeDelta, Timelike};
use serde_json::Value;
use std::sync::PoisonError;

impl<D: Dialect> CliTracker<D> {
    pub(super) fn can(&self) -> Result<Capabilities, TrackerError> {
        // bd keeps types in config.yaml, and statuses in its database.
        let config = std::fs::metadata(self.cli.beads_dir.join("config.yaml"));
        let config = config.ok().and_then(|config| Some((config.len(), config.modified().ok()?)));
        let mark = self.mark().map(|mark| format!("{mark} {config:?}"));
        let mut known = self.can.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, can)) = known.as_ref().filter(|_| mark.is_some())
            && Some(at) == mark.as_ref()
        {
            return Ok(can.clone());
        }
        let can = self.dialect.capabilities(&self.cli.turn()).map_err(self.explain("types", None))?;
        *known = mark.map(|mark| (mark, can.clone()));
        Ok(can)
    }

    pub(super) fn change_fields(
        &self,
        turn: &Turn<'_>,
        id: &BeadId,
        changes: &FieldChanges,
        expected: Option<Timestamp>,
        actor: &Actor,
    ) -> Result<BeadDetail, TrackerError> {
        let row = self.read_bead(turn, id)?;
        if expected.is_some_and(|expected| !row.updated_at.is_some_and(|at| is_same(at, expected))) {
            return Err(TrackerError::Changed { id: id.clone() });
        }
        if let Some(Some(parent)) = changes.parent.as_ref().filter(|parent| **parent != row.parent) {
            let (rows, _) = self.everything(turn)?;
            may_depend(&rows, find(&rows, id)?, parent, "parent-child")?;
        }
        // If the same user holds the bead in another session, use that name: programs compare whole names before they
        // reassign a bead.
        let name = match &row.assignee {
            Some(held) if changes.assignee.is_some() && actor.is_person(held) => held.as_str(),
            _ => actor.as_str(),
        };
        let requests = self.dialect.edit(&row, changes, expected.is_some(), name)?;
        let Some((last, first)) = requests.split_last() else { return self.after(turn, &row) };
        for request in first {
            self.ask(turn, request, id)?;
        }
        // An answer to a change lists no dependencies, so read the bead again.
        let now = match changes.parent {
            Some(_) => {
                self.ask(turn, last, id)?;
                self.ask_for(turn, id)?
            }
            None => self.change(turn, last, id)?,
        };
        match lacks(&now, changes) {
            None => self.answered(turn, now),
            Some(found) => Err(TrackerError::NotPersisted { operation: "changing", id: id.clone(), found }),
        }
    }

    pub(super) fn reopen_in(
        &self,
        turn: &Turn<'_>,
        id: &BeadId,
        actor: &Actor,
    ) -> Result<Bead, TrackerError> {
        let row = self.read_bead(turn, id)?;
        if row.stored_status != BeadStatus::Closed {
            let why = "it is not closed".to_owned();
            return Err(TrackerError::Refused { operation: "reopening", id: id.clone(), why });
        }
        self.drop_review_label(turn, &row, actor)?;
        self.move_to(turn, row, &[self.dialect.reopen(id, actor)], &BeadStatus::Open, "reopening")
    }

    pub(super) fn delete_in(&self, turn: &Turn<'_>, id: &BeadId, actor: &Actor) -> Result<(), TrackerError> {
        self.read_bead(turn, id)?;
        let before = self.mark();
        let answer = json::unwrapped(self.ask(turn, &self.dialect.delete(id, actor), id)?);
        let named = match answer.get("deleted") {
            Some(Value::Array(ids)) => ids.iter().any(|gone| gone == id.as_str()),
            Some(gone) => gone == id.as_str(),
            None => false,
        };
        if named && before.is_some() && self.mark() != before {
            return Ok(());
        }
        match self.ask_for(turn, id) {
            Err(TrackerError::NotFound { .. }) => Ok(()),
            Ok(_) => {
                let found = "the bead".to_owned();
                Err(TrackerError::NotPersisted { operation: "deleting", id: id.clone(), found })
            }
            Err(other) => Err(other),
        }
    }

    pub(super) fn depend(
        &self,
        turn: &Turn<'_>,
        id: &BeadId,
        on: &BeadId,
        kind: &str,
        actor: &Actor,
    ) -> Result<(), TrackerError> {
        let (rows, _) = self.everything(turn)?;
        let row = find(&rows, id)?;
        if row.depends_on.iter().any(|edge| edge.id == *on && edge.kind == kind) {
            return Ok(());
        }
        may_depend(&rows, row, on, kind)?;
        if let Some(parent) = row.parent.as_ref().filter(|_| kind == "parent-child") {
            let why = format!("its parent is {parent}; change the parent instead");
            return Err(TrackerError::Refused { operation: "linking", id: id.clone(), why });
        }
        let before = self.mark();
        let answer = self.ask(turn, &self.dialect.add_dependency(id, on, kind, actor), id)?;
        if self.names_dependency(&answer, id, on) && before.is_some() && self.mark() != before {
            return Ok(());
        }
        let there = self.ask_for(turn, id)?.depends_on.iter().any(|edge| edge.id == *on && edge.kind == kind);
        let found = format!("no such dependency on {on}");
        there.then_some(()).ok_or(TrackerError::NotPersisted { operation: "linking", id: id.clone(), found })
    }

    pub(super) fn undepend(
        &self,
        turn: &Turn<'_>,
        id: &BeadId,
        on: &BeadId,
        actor: &Actor,
    ) -> Result<(), TrackerError> {
        let depends =
            |row: &Row| row.parent.as_ref() == Some(on) || row.depends_on.iter().any(|edge| edge.id == *on);
        if !depends(&self.read_whole_bead(turn, id)?) {
            let why = format!("it does not depend on {on}");
            return Err(TrackerError::Refused { operation: "unlinking", id: id.clone(), why });
        }
        let before = self.mark();
        let answer = self.ask(turn, &self.dialect.remove_dependency(id, on, actor), id)?;
        // bd reports success even if the dependency did not exist; then its mark stays unchanged.
        if self.names_dependency(&answer, id, on) && before.is_some() && self.mark() != before {
            return Ok(());
        }
        match depends(&self.ask_for(turn, id)?) {
            false => Ok(()),
            true => {
                let found = format!("the dependency on {on}");
                Err(TrackerError::NotPersisted { operation: "unlinking", id: id.clone(), found })
            }
        }
    }

    /// Whether an answer names exactly this dependency. The check is needed because programs also accept
    /// parts of ids.
    fn names_dependency(&self, answer: &Value, id: &BeadId, on: &BeadId) -> bool {
        let answer = json::unwrapped(answer.clone());
        let is = |key: &str, id: &BeadId| answer.get(key).and_then(Value::as_str) == Some(id.as_str());
        is("issue_id", id) && is("depends_on_id", on)
    }

    pub(super) fn recorded(&self, id: &BeadId) -> Result<Vec<TrackerEvent>, TrackerError> {
        let turn = self.cli.turn();
        self.read_bead(&turn, id)?;
        let events: Result<Vec<TrackerEvent>, CallError> = self.dialect.events(&turn, id);
        events.map_err(self.explain("history", Some(id)))
    }
}

/// The row with exactly this id, unless it is deleted.
fn find<'a>(rows: &'a [Row], id: &BeadId) -> Result<&'a Row, TrackerError> {
    let found = rows.iter().find(|row| row.id == *id && !is_gone(row));
    found.ok_or_else(|| TrackerError::NotFound { id: id.clone() })
}

/// Checks the rules that bd and br share: both beads exist, at most one dependency per pair, no cycle. Their
/// own checks do not suffice: refusals do not name the cycle, and the programs accept parts of ids.
fn may_depend(rows: &[Row], row: &Row, on: &BeadId, kind: &str) -> Result<(), TrackerError> {
    find(rows, on)?;
    if let Some(edge) = row.depends_on.iter().find(|edge| edge.id == *on && edge.kind != kind) {
        let why = format!("it depends on {on} already, as {}; remove that first", edge.kind);
        return Err(TrackerError::Refused { operation: "linking", id: row.id.clone(), why });
    }
    cycles::refuse(rows.iter().filter(|row| !is_gone(row)), &row.id, on, kind)
}

fn is_gone(row: &Row) -> bool {
    row.stored_status == BeadStatus::Tombstone
}

/// Whether two times are equal up to bd's rounding: bd answers a creation with fractions of a second, and
/// later calls with whole seconds.
fn is_same(a: Timestamp, b: Timestamp) -> bool {
    let is_whole = |at: Timestamp| at.nanosecond() == 0;
    match is_whole(a) != is_whole(b) {
        true => (a - b).abs() < TimeDelta::seconds(1),
        false => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_rounded_to_seconds_is_equal() {
        let is = |a: &str, b: &str| {
            is_same(Timestamp::parse_from_rfc3339(a).unwrap(), Timestamp::parse_from_rfc3339(b).unwrap())
        };
        assert!(is("2026-11-24T23:45:20.932732633Z", "2026-11-24T23:45:21Z"));
        assert!(is("2026-11-24T23:45:21Z", "2026-11-25T00:45:21+01:00"));
        assert!(!is("2026-11-24T23:45:20Z", "2026-11-24T23:45:21Z"));
        assert!(!is("2026-11-24T23:45:20.5Z", "2026-11-24T23:45:20.6Z"));
    }
}
