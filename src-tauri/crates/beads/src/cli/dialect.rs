//! The words of one tracker program.

use super::call::{CallError, Request, Turn};
use crate::{
    Actor, TrackerKind,
    tracker::{Close, NewBead},
};
use bc_core::{bead::BeadStatus, ids::BeadId};
use serde_json::{Map, Value};

/// Rows as the program printed them.
pub(crate) type Rows = Result<Vec<Map<String, Value>>, CallError>;

/// How one program is asked. What is asked, and in which order, is the tracker's.
pub(crate) trait Dialect: Send + Sync {
    fn kind(&self) -> TrackerKind;

    /// Every bead with its dependencies.
    fn list(&self, turn: &Turn<'_>) -> Rows;
    /// Those in progress, of one assignee where one is named.
    fn in_progress(&self, turn: &Turn<'_>, assignee: Option<&str>) -> Rows;
    /// The ready ones, in the program's order.
    fn ready(&self, turn: &Turn<'_>) -> Rows;
    /// The waiting ones with `blocked_by`.
    fn blocked(&self, turn: &Turn<'_>) -> Rows;
    /// One bead with dependencies, dependents and comments.
    fn show(&self, turn: &Turn<'_>, id: &BeadId) -> Rows;

    fn create(&self, new: &NewBead, actor: &Actor) -> Request;
    /// What `create` cannot say.
    fn after_create(&self, id: &BeadId, new: &NewBead, actor: &Actor) -> Vec<Request>;
    /// Gives a bead from one name of a person to another, in the name of the first.
    fn hand_over(&self, id: &BeadId, from: &str, to: &Actor) -> Request;
    fn claim(&self, id: &BeadId, actor: &Actor) -> Request;
    /// Open again, with this assignee or none.
    fn unclaim(&self, id: &BeadId, actor: &Actor, before: Option<&str>) -> Request;
    /// `None` where claims do not go stale.
    fn renew(&self, id: &BeadId, actor: &Actor) -> Option<Request>;
    fn status(&self, id: &BeadId, status: &BeadStatus, actor: &Actor) -> Vec<Request>;
    fn drop_label(&self, id: &BeadId, label: &str, actor: &Actor) -> Request;
    fn comment(&self, id: &BeadId, text: &str, actor: &Actor) -> Request;
    fn close(&self, id: &BeadId, close: &Close, actor: &str) -> Request;
    fn set_notes(&self, id: &BeadId, text: &str, actor: &Actor) -> Request;
    fn append_notes(&self, id: &BeadId, text: &str, now: &str, actor: &Actor) -> Request;

    /// Whether `in_review` has to be added to the program's states before it can be used.
    fn lacks_in_review(&self, turn: &Turn<'_>) -> Result<bool, CallError>;
    fn add_in_review(&self, turn: &Turn<'_>) -> Result<(), CallError>;
    /// In the state or with the label, once the former is known.
    fn submit(&self, id: &BeadId, actor: &Actor) -> Vec<Request>;
}
