//! Changes that are verified by their own answer, so that no read-back is needed: the answer shows the bead
//! in its new state, and the tracker's mark changed meanwhile.
//!
//! If a program reports success without writing, the mark stays unchanged, and the bead is read back. A false
//! success is accepted only if another program writes at the same moment. If the program does not answer with
//! the bead (br), or the tracker has no mark (bd with a remote server), every change is read back.

use super::{
    answer_cache::CachedRow,
    call::{Request, Turn},
    dialect::Dialect,
    tracker::CliTracker,
    verify::{ask, new_difference},
};
use crate::{
    Actor, TrackerError,
    error::no_such_comment,
    json,
    row::{self, Edge, Row, comment},
    tracker::NewBead,
};
use bc_core::{
    bead::{BeadComment, BeadStatus},
    ids::BeadId,
};
use serde_json::{Map, Value};

/// Fields that the answer to a change omits. A change of other fields does not affect them.
const KEPT: [&str; 3] = ["dependencies", "dependents", "comments"];

impl<D: Dialect> CliTracker<D> {
    /// The tracker's mark. `None` if the tracker has none, if it cannot be read, or if the program does
    /// not answer changes with the bead.
    pub(super) fn mark(&self) -> Option<String> {
        let mark = || crate::place::change_mark(&self.cli.beads_dir).ok().flatten();
        self.dialect.answers_with_the_bead().then(mark).flatten()
    }

    /// The cached bead and the mark, without running the program. `None` if no answer at the current mark is
    /// cached.
    pub(super) fn known(&self, id: &BeadId) -> Option<(String, CachedRow)> {
        let mark = self.mark()?;
        let cached = self.known.row(&mark, id)?;
        Some((mark, cached))
    }

    pub(super) fn change(
        &self,
        turn: &Turn<'_>,
        request: &Request,
        id: &BeadId,
    ) -> Result<Row, TrackerError> {
        let before = self.known(id);
        let answer = ask(turn, request, Some(id))?;
        let proven = before.and_then(|(mark, cached)| self.proven(&mark, cached, answer, id));
        proven.map_or_else(|| self.ask_for(turn, id), Ok)
    }

    fn proven(&self, before: &str, cached: CachedRow, answer: Value, id: &BeadId) -> Option<Row> {
        let after = self.mark().filter(|after| after != before)?;
        let mut row = answered(answer, id).filter(|row| row.contains_key("status"))?;
        for key in KEPT {
            if let Some(value) = cached.row.get(key) {
                row.insert(key.to_owned(), value.clone());
            }
        }
        let read = Row::read(&row).ok()?;
        self.known.put(&after, id, CachedRow { row, whole: false });
        Some(read)
    }

    /// The new bead, from the answer to its creation. `None` if the answer or the mark does not prove the
    /// creation, or if the bead has a parent or blockers, which answers omit.
    pub(super) fn made(
        &self,
        before: Option<&str>,
        answer: &Map<String, Value>,
        new: &NewBead,
    ) -> Option<Row> {
        let after = self.mark().filter(|after| before.is_some_and(|before| before != after))?;
        let row = Row::read(answer).ok()?;
        let is_all = new.parent.is_none() && new.blocked_by.is_empty() && new_difference(&row, new).is_none();
        is_all.then(|| {
            self.known.put(&after, &row.id, CachedRow { row: answer.clone(), whole: true });
            row
        })
    }

    /// Adds a comment and returns the stored one.
    pub(super) fn comment(
        &self,
        turn: &Turn<'_>,
        id: &BeadId,
        text: &str,
        actor: &Actor,
    ) -> Result<BeadComment, TrackerError> {
        self.read_bead(turn, id)?;
        let before = self.known(id);
        let answer = ask(turn, &self.dialect.comment(id, text, actor), Some(id))?;
        let stored = json::objects(answer).and_then(|maps| maps.into_iter().next()).unwrap_or_default();
        let made = comment(&stored);
        let has_text = |comment: &BeadComment| comment.text.trim_end() == text.trim_end();
        if let (Some(made), Some((mark, cached))) = (made.as_ref().filter(|made| has_text(made)), before)
            && stored.get("issue_id").and_then(Value::as_str) == Some(id.as_str())
            && let Some(after) = self.mark().filter(|after| *after != mark)
        {
            let cached = with_comment(cached, stored);
            if let Ok(row) = Row::read(&cached.row) {
                self.keep_answer(row);
            }
            self.known.put(&after, id, cached);
            return Ok(made.clone());
        }
        let number = made.map(|made| made.id).unwrap_or_default();
        let row = self.ask_for(turn, id)?;
        let found = row.comments.into_iter().rfind(|comment| comment.id == number && has_text(comment));
        found.ok_or_else(|| no_such_comment(id))
    }

    /// Whether the program would count a bead as ready. `None` if the row alone does not determine that.
    pub(super) fn is_plainly_ready(&self, row: &Row) -> Option<bool> {
        if !self.dialect.answers_with_the_bead() {
            return None;
        }
        let put_off = row.defer_until.is_some_and(|until| until > chrono::Utc::now());
        if row.stored_status != BeadStatus::Open || row.system || row.pinned || put_off {
            return Some(false);
        }
        let blocking = || row.depends_on.iter().filter(|edge| edge.blocks());
        // `None` if the row does not suffice: a `waits-for` also depends on the children of the other bead,
        // and a custom status on bd's configuration.
        let is_active = |edge: &Edge| match (edge.kind.as_str(), &edge.status) {
            ("waits-for", _) | (_, None | Some(BeadStatus::Other(_))) => None,
            (_, Some(status)) => Some(row::is_active(status)),
        };
        if blocking().any(|edge| is_active(edge) == Some(true)) {
            return Some(false);
        }
        let free = row.parent.is_none() && blocking().all(|edge| is_active(edge) == Some(false));
        free.then_some(true)
    }
}

/// The row of exactly this bead in an answer.
fn answered(answer: Value, id: &BeadId) -> Option<Map<String, Value>> {
    let has_id = |map: &Map<String, Value>| map.get("id").and_then(Value::as_str) == Some(id.as_str());
    json::objects(answer)?.into_iter().find(has_id)
}

fn with_comment(mut cached: CachedRow, stored: Map<String, Value>) -> CachedRow {
    match cached.row.get_mut("comments").and_then(Value::as_array_mut) {
        Some(comments) => comments.push(Value::Object(stored)),
        None => drop(cached.row.insert("comments".to_owned(), Value::Array(vec![Value::Object(stored)]))),
    }
    CachedRow { whole: false, ..cached }
}
