//! The command lines of one tracker program.

use super::call::{CallError, Request, Turn};
use crate::{
    Actor, TrackerError, TrackerKind,
    row::Row,
    tracker::{Capabilities, Close, FieldChanges, NewBead, TrackerEvent},
};
use bc_core::{bead::BeadStatus, ids::BeadId};
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
    fn after_create(&self, id: &BeadId, new: &NewBead, actor: &Actor) -> Vec<Request>;
    /// Reassigns a bead from one of the user's actors to another. The first is the author of the change.
    fn hand_over(&self, id: &BeadId, from: &str, to: &Actor) -> Request;
    fn claim(&self, id: &BeadId, actor: &Actor) -> Request;
    /// Reopens the bead, either assigned to `before` or unassigned.
    fn unclaim(&self, id: &BeadId, actor: &Actor, before: Option<&str>) -> Request;
    /// `None` if claims do not expire.
    fn renew(&self, id: &BeadId, actor: &Actor) -> Option<Request>;
    fn status(&self, id: &BeadId, status: &BeadStatus, actor: &Actor) -> Vec<Request>;
    fn drop_label(&self, id: &BeadId, label: &str, actor: &Actor) -> Request;
    fn comment(&self, id: &BeadId, text: &str, actor: &Actor) -> Request;
    fn close(&self, id: &BeadId, close: &Close, actor: &str) -> Request;
    fn set_notes(&self, id: &BeadId, text: &str, actor: &Actor) -> Request;
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
    fn reopen(&self, id: &BeadId, actor: &Actor) -> Request;
    /// Deletes the bead, even if others depend on it.
    fn delete(&self, id: &BeadId, actor: &Actor) -> Request;
    fn add_dependency(&self, id: &BeadId, on: &BeadId, kind: &str, actor: &Actor) -> Request {
        let request = Request::new("dep add", ["dep", "add", id.as_str(), on.as_str(), "--json"]);
        request.flag("type", kind).flag("actor", actor.as_str())
    }
    fn remove_dependency(&self, id: &BeadId, on: &BeadId, actor: &Actor) -> Request {
        let request = Request::new("dep remove", ["dep", "remove", id.as_str(), on.as_str(), "--json"]);
        request.flag("actor", actor.as_str())
    }
    /// Fails if the program cannot store this title.
    fn check_title(&self, _title: &str) -> Result<(), TrackerError> {
        Ok(())
    }
    fn capabilities(&self, turn: &Turn<'_>) -> Result<Capabilities, CallError>;
    /// The recorded changes of a bead, oldest first.
    fn events(&self, _turn: &Turn<'_>, _id: &BeadId) -> Result<Vec<TrackerEvent>, CallError> {
        Ok(Vec::new())
    }

    /// Whether `in_review` must be added to the program's custom states before it can be used.
    fn lacks_in_review(&self, turn: &Turn<'_>) -> Result<bool, CallError>;
    fn add_in_review(&self, turn: &Turn<'_>) -> Result<(), CallError>;
    /// Moves a bead to in review: by the custom state, or by the label in a program without custom states.
    fn submit(&self, id: &BeadId, actor: &Actor) -> Vec<Request>;
}
