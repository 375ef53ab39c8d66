//! The command lines of one tracker program.

use super::call::{CallError, Request, Turn};
use crate::{
    Actor, TrackerError, TrackerKind,
    row::Row,
    tracker::{Capabilities, Close, FieldChanges, NewBead, TrackerEvent},
};
use bc_core::{Timestamp, bead::BeadStatus, ids::BeadId};
use chrono::{SecondsFormat, Utc};
use serde_json::{Map, Value};

/// Rows as the program printed them.
pub(crate) type Rows = Result<Vec<Map<String, Value>>, CallError>;

/// Builds the command lines of one program. Functions with a [`Turn`] also run them.
/// [`CliTracker`](super::tracker::CliTracker) determines the calls and their order.
pub(crate) trait Dialect: Send + Sync {
    fn kind(&self) -> TrackerKind;

    /// Whether the program answers every change with the bead's new state, and every change alters the
    /// tracker's mark.
    fn answers_with_the_bead(&self) -> bool {
        false
    }

    /// Every bead with its dependencies.
    fn list(&self, turn: &Turn<'_>) -> Rows;
    fn in_progress(&self, turn: &Turn<'_>, assignee: Option<&str>) -> Rows;
    /// The ready beads, in the program's order.
    fn ready(&self, turn: &Turn<'_>) -> Rows;
    /// The blocked beads, with `blocked_by`.
    fn blocked(&self, turn: &Turn<'_>) -> Rows;
    /// One bead with dependencies, dependents and comments.
    fn show(&self, turn: &Turn<'_>, id: &BeadId) -> Rows;

    fn create(&self, new: &NewBead, actor: &Actor) -> Request;
    /// The requests that complete a new bead with the fields that `create` does not support.
    fn after_create(&self, _id: &BeadId, _new: &NewBead, _actor: &Actor) -> Vec<Request> {
        Vec::new()
    }
    /// Reassigns a bead from one of the user's actors to another. The first is the author of the change.
    fn hand_over(&self, id: &BeadId, from: &str, to: &Actor) -> Request {
        Request::on_bead("update", id, from).flag("assignee", to.as_str())
    }
    fn claim(&self, id: &BeadId, actor: &Actor) -> Request {
        Request::on_bead("update", id, actor.as_str()).arg("--claim")
    }
    /// Reopens the bead, either assigned to `before` or unassigned. Not `bd unclaim`: older versions lack it, and it
    /// cannot restore the earlier assignee.
    fn unclaim(&self, id: &BeadId, actor: &Actor, before: Option<&str>) -> Request {
        self.status(id, &BeadStatus::Open, actor).flag("assignee", before.unwrap_or_default())
    }
    /// `None` if claims do not expire.
    fn renew(&self, _id: &BeadId, _actor: &Actor) -> Option<Request> {
        None
    }
    fn status(&self, id: &BeadId, status: &BeadStatus, actor: &Actor) -> Request {
        Request::on_bead("update", id, actor.as_str()).flag("status", status.as_str())
    }
    fn drop_label(&self, id: &BeadId, label: &str, actor: &Actor) -> Request;
    fn comment(&self, id: &BeadId, text: &str, actor: &Actor) -> Request;
    fn close(&self, id: &BeadId, close: &Close, actor: &str) -> Request {
        let request = Request::on_bead("close", id, actor).flags("reason", unless_empty(&close.reason));
        if close.force { request.arg("--force") } else { request }
    }
    fn set_notes(&self, id: &BeadId, text: &str, actor: &Actor) -> Request {
        Request::on_bead("update", id, actor.as_str()).flag("notes", text)
    }
    /// Appends to the notes, whose current text is `now`.
    fn append_notes(&self, id: &BeadId, text: &str, now: &str, actor: &Actor) -> Request;

    /// The requests that change these fields of the bead with this row, in order. With `guarded`, a program
    /// that can check it refuses the change if the bead has changed since the row was read.
    fn edit(
        &self,
        row: &Row,
        changes: &FieldChanges,
        guarded: bool,
        actor: &str,
    ) -> Result<Vec<Request>, TrackerError>;
    fn reopen(&self, id: &BeadId, actor: &Actor) -> Request {
        Request::on_bead("reopen", id, actor.as_str())
    }
    /// Deletes the bead, even if others depend on it.
    fn delete(&self, id: &BeadId, actor: &Actor) -> Request;
    /// Fails if the program cannot store this title.
    fn check_title(&self, _title: &str) -> Result<(), TrackerError> {
        Ok(())
    }
    fn capabilities(&self, turn: &Turn<'_>) -> Result<Capabilities, CallError>;
    /// The recorded changes of a bead, oldest first.
    fn events(&self, _turn: &Turn<'_>, _id: &BeadId) -> Result<Vec<TrackerEvent>, CallError> {
        Ok(Vec::new())
    }

    /// Whether `in_review` must be added to the program's custom statuses before it can be used.
    fn lacks_in_review(&self, _turn: &Turn<'_>) -> Result<bool, CallError> {
        Ok(false)
    }
    fn add_in_review(&self, _turn: &Turn<'_>) -> Result<(), CallError> {
        Ok(())
    }
    /// Moves a bead to in review: by the custom status, or by the label in a program without custom statuses.
    fn submit(&self, id: &BeadId, actor: &Actor) -> Vec<Request>;
}

/// Adds the dates, the estimate and the reference of a new bead to its `create` request.
pub(super) fn with_planning(request: Request, new: &NewBead) -> Request {
    request
        .flags("due", new.due.map(date))
        .flags("defer", new.defer.map(date))
        .flags("estimate", new.estimated_minutes.map(|minutes| minutes.to_string()))
        .flags("external-ref", &new.external_ref)
}

/// A date in the form that bd and br accept.
pub(super) fn date(at: Timestamp) -> String {
    at.with_timezone(&Utc).to_rfc3339_opts(SecondsFormat::Secs, true)
}

pub(super) fn unless_empty(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}
