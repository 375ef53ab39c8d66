//! Edits through a program: fields, deletion, dependencies.

use super::{
    call::{Request, Turn},
    dialect::Dialect,
    tracker::CliTracker,
    verify::{ask, check_stored, difference},
};
use crate::{Actor, TrackerError, cycles, error::refused, json, row::Row, tracker::FieldChanges};
use bc_core::{
    Timestamp,
    bead::{BeadDetail, BeadStatus},
    ids::BeadId,
};
use chrono::{TimeDelta, Timelike};
use serde_json::Value;

impl<D: Dialect> CliTracker<D> {
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
        let name = if changes.assignee.is_some() { holder_name(&row, actor) } else { actor.as_str() };
        let requests = self.dialect.edit(&row, changes, expected.is_some(), name)?;
        let Some((last, first)) = requests.split_last() else { return self.after(turn, &row) };
        for request in first {
            ask(turn, request, Some(id))?;
        }
        // The answer to a change lists no dependencies, so read the bead again.
        let now = match changes.parent {
            Some(_) => {
                ask(turn, last, Some(id))?;
                self.ask_for(turn, id)?
            }
            None => self.change(turn, last, id)?,
        };
        match difference(&now, changes) {
            None => self.answered(turn, now),
            Some(found) => Err(TrackerError::NotPersisted { operation: "changing", id: id.clone(), found }),
        }
    }

    pub(super) fn delete_now(&self, id: &BeadId, actor: &Actor) -> Result<(), TrackerError> {
        let turn = &self.cli.turn();
        self.read_bead(turn, id)?;
        let before = self.mark();
        let answer = json::unwrapped(ask(turn, &self.dialect.delete(id, actor), Some(id))?);
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
            Ok(_) => check_stored(false, "deleting", id, "the bead"),
            Err(other) => Err(other),
        }
    }

    pub(super) fn depend(
        &self,
        id: &BeadId,
        on: &BeadId,
        kind: &str,
        actor: &Actor,
    ) -> Result<(), TrackerError> {
        let turn = &self.cli.turn();
        let (rows, _) = self.everything(turn)?;
        let row = find(&rows, id)?;
        if row.depends_on.iter().any(|edge| edge.id == *on && edge.kind == kind) {
            return Ok(());
        }
        may_depend(&rows, row, on, kind)?;
        if let Some(parent) = row.parent.as_ref().filter(|_| kind == "parent-child") {
            return refused("linking", id, format!("its parent is {parent}; change the parent instead"));
        }
        let before = self.mark();
        let answer = ask(turn, &Request::add_dependency(id, on, kind, actor.as_str()), Some(id))?;
        if names_dependency(answer, id, on) && before.is_some() && self.mark() != before {
            return Ok(());
        }
        let row = self.ask_for(turn, id)?;
        let is_stored = row.depends_on.iter().any(|edge| edge.id == *on && edge.kind == kind);
        check_stored(is_stored, "linking", id, format!("no such dependency on {on}"))
    }

    pub(super) fn undepend(&self, id: &BeadId, on: &BeadId, actor: &Actor) -> Result<(), TrackerError> {
        let turn = &self.cli.turn();
        let depends =
            |row: &Row| row.parent.as_ref() == Some(on) || row.depends_on.iter().any(|edge| edge.id == *on);
        if !depends(&self.read_whole_bead(turn, id)?) {
            return refused("unlinking", id, format!("it does not depend on {on}"));
        }
        let before = self.mark();
        let answer = ask(turn, &Request::remove_dependency(id, on, actor.as_str()), Some(id))?;
        // bd reports success even if the dependency did not exist; then its mark stays unchanged.
        if names_dependency(answer, id, on) && before.is_some() && self.mark() != before {
            return Ok(());
        }
        let is_removed = !depends(&self.ask_for(turn, id)?);
        check_stored(is_removed, "unlinking", id, format!("the dependency on {on}"))
    }
}

/// The user's name for a change of the bead. If the same user holds the bead in another session, it is the name of
/// that session: programs compare whole names before they close or reassign a bead.
pub(super) fn holder_name<'a>(row: &'a Row, actor: &'a Actor) -> &'a str {
    row.assignee.as_deref().filter(|held| actor.is_person(held)).unwrap_or(actor.as_str())
}

/// Whether an answer names exactly this dependency: programs also accept parts of ids.
fn names_dependency(answer: Value, id: &BeadId, on: &BeadId) -> bool {
    let answer = json::unwrapped(answer);
    let is = |key: &str, id: &BeadId| answer.get(key).and_then(Value::as_str) == Some(id.as_str());
    is("issue_id", id) && is("depends_on_id", on)
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
        return refused("linking", &row.id, why);
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
