//! Edits of one row. Unknown fields stay in place; `updated_at` always grows.

use super::snapshot::Snapshot;
use crate::{
    Actor,
    row::{IN_REVIEW_LABEL, time},
    tracker::NewBead,
};
use bc_core::{Timestamp, bead::BeadStatus, ids::BeadId};
use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use serde_json::{Map, Value, json};

/// A row being edited.
pub(crate) struct Edit {
    pub(super) map: Map<String, Value>,
    /// The time of the edit, later than the row's `updated_at`.
    pub(super) at: DateTime<Utc>,
}

impl Edit {
    pub(crate) fn of(map: &Map<String, Value>) -> Edit {
        Edit { at: next_moment(map), map: map.clone() }
    }

    pub(crate) fn new_bead(id: &str, new: &NewBead, actor: &Actor, at: DateTime<Utc>) -> Edit {
        let now = moment(at);
        let mut map = Map::new();
        let mut put = |key: &str, value: Value| map.insert(key.to_owned(), value);
        put("id", json!(id));
        put("title", json!(new.title));
        for (key, text) in [
            ("description", &new.description),
            ("design", &new.design),
            ("acceptance_criteria", &new.acceptance_criteria),
            ("notes", &new.notes),
        ] {
            if !text.is_empty() {
                put(key, json!(text));
            }
        }
        put("status", json!("open"));
        put("priority", json!(new.priority));
        put("issue_type", json!(new.issue_type));
        if let Some(assignee) = &new.assignee {
            put("assignee", json!(assignee));
        }
        if let Some(minutes) = new.estimated_minutes {
            put("estimated_minutes", json!(minutes));
        }
        put("created_at", json!(now));
        put("created_by", json!(actor.as_str()));
        put("updated_at", json!(now));
        for (key, at) in [("due_at", new.due), ("defer_until", new.defer)] {
            if let Some(at) = at {
                put(key, date(at));
            }
        }
        if let Some(external_ref) = &new.external_ref {
            put("external_ref", json!(external_ref));
        }
        let mut labels = new.labels.clone();
        labels.sort();
        labels.dedup();
        if !labels.is_empty() {
            put("labels", json!(labels));
        }
        let blockers = new.blocked_by.iter().map(|blocker| (blocker, "blocks"));
        let edges: Vec<Value> = new
            .parent
            .iter()
            .map(|parent| (parent, "parent-child"))
            .chain(blockers)
            .map(|(target, kind)| edge(id, target, kind, &now, actor))
            .collect();
        if !edges.is_empty() {
            put("dependencies", Value::Array(edges));
        }
        Edit { map, at }
    }

    /// Assigns the bead to this name, or unassigns it.
    pub(crate) fn assign_to(mut self, name: Option<&str>) -> Edit {
        self.put("assignee", name.filter(|name| !name.is_empty()).map(|name| json!(name)));
        self
    }

    /// Sets the status and its dependent fields: `closed_at` exists if and only if the bead is closed, and
    /// the "in review" label only on a bead in review.
    pub(crate) fn status(mut self, status: &BeadStatus) -> Edit {
        let stored = match status {
            BeadStatus::InReview => &BeadStatus::InProgress,
            other => other,
        };
        self.set("status", json!(stored.as_str()));
        match stored {
            BeadStatus::Closed => self.set("closed_at", json!(moment(self.at))),
            _ => {
                self.map.shift_remove("closed_at");
                self.map.shift_remove("close_reason");
            }
        }
        self.label(IN_REVIEW_LABEL, *status == BeadStatus::InReview)
    }

    pub(crate) fn text(mut self, key: &str, text: &str) -> Edit {
        self.set(key, json!(text));
        self
    }

    fn label(mut self, label: &str, wanted: bool) -> Edit {
        let mut labels = self.map.get("labels").and_then(Value::as_array).cloned().unwrap_or_default();
        labels.retain(|known| known != label);
        if wanted {
            labels.push(json!(label));
            labels.sort_by_key(|label| label.as_str().unwrap_or_default().to_owned());
        }
        self.put("labels", (!labels.is_empty()).then_some(Value::Array(labels)));
        self
    }

    /// Adds a comment. Returns its number, which is one more than the highest comment number in the file.
    pub(crate) fn comment(mut self, text: &str, actor: &Actor, snapshot: &Snapshot) -> (Edit, u64) {
        let number = snapshot.all().flat_map(|(_, map)| comment_numbers(map)).max().unwrap_or(0) + 1;
        let id = self.map.get("id").cloned().unwrap_or_default();
        let comment = json!({"id": number, "issue_id": id, "author": actor.as_str(), "text": text,
            "created_at": moment(self.at)});
        let mut comments = self.map.get("comments").and_then(Value::as_array).cloned().unwrap_or_default();
        comments.push(comment);
        // bd's exports count comments. The count may include comments that are missing in the line.
        if let Some(count) = self.map.get("comment_count").and_then(Value::as_u64) {
            self.set("comment_count", json!((count + 1).max(comments.len() as u64)));
        }
        self.set("comments", Value::Array(comments));
        (self, number)
    }

    /// The edited row, with the time of the edit.
    pub(crate) fn done(mut self) -> Map<String, Value> {
        self.set("updated_at", json!(moment(self.at)));
        self.map
    }

    pub(super) fn set(&mut self, key: &str, value: Value) {
        self.map.insert(key.to_owned(), value);
    }

    /// Sets the field, or removes it without a value.
    pub(super) fn put(&mut self, key: &str, value: Option<Value>) {
        match value {
            Some(value) => self.set(key, value),
            None => drop(self.map.shift_remove(key)),
        }
    }
}

fn comment_numbers(map: &Map<String, Value>) -> impl Iterator<Item = u64> {
    let comments = map.get("comments").and_then(Value::as_array).into_iter().flatten();
    comments.filter_map(|comment| comment.get("id")?.as_u64())
}

/// The current time, or one microsecond after the row's `updated_at` if that is later: other trackers drop a
/// change that is not newer.
fn next_moment(map: &Map<String, Value>) -> DateTime<Utc> {
    let now = Utc::now();
    match time(map, "updated_at") {
        Some(last) => now.max(last.to_utc() + TimeDelta::microseconds(1)),
        None => now,
    }
}

/// A dependency in the form that bd and br write.
pub(super) fn edge(id: &str, on: &BeadId, kind: &str, now: &str, actor: &Actor) -> Value {
    json!({"issue_id": id, "depends_on_id": on.as_str(), "type": kind, "created_at": now,
        "created_by": actor.as_str(), "metadata": "{}", "thread_id": ""})
}

/// A date in the form of bd's exports.
pub(super) fn date(at: Timestamp) -> Value {
    json!(at.with_timezone(&Utc).to_rfc3339_opts(SecondsFormat::AutoSi, true))
}

pub(super) fn moment(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Micros, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn a_change_is_newer_than_its_row_even_if_another_clock_was_ahead() {
        let row = map(json!({"id": "a-1", "updated_at": "2999-01-01T00:00:00.123456Z"}));
        let changed = Edit::of(&row).text("notes", "n").done();
        assert_eq!(changed["updated_at"], "2999-01-01T00:00:00.123457Z");
        let nanoseconds = map(json!({"id": "a-1", "updated_at": "2999-01-01T00:00:00.123456789Z"}));
        assert_eq!(Edit::of(&nanoseconds).done()["updated_at"], "2999-01-01T00:00:00.123457Z");
    }

    #[test]
    fn closed_at_exists_only_while_a_bead_is_closed() {
        let row = map(json!({"id": "a-1", "status": "open", "labels": ["in_review", "x"]}));
        let closed = Edit::of(&row).status(&BeadStatus::Closed).text("close_reason", "done").done();
        assert_eq!((&closed["closed_at"], &closed["labels"]), (&closed["updated_at"], &json!(["x"])));
        let reopened = Edit::of(&closed).status(&BeadStatus::Open).done();
        assert!(!reopened.contains_key("closed_at") && !reopened.contains_key("close_reason"));
    }

    #[test]
    fn in_review_is_a_label_on_a_bead_in_progress() {
        let row = map(json!({"id": "a-1", "status": "in_progress"}));
        let submitted = Edit::of(&row).status(&BeadStatus::InReview).done();
        assert_eq!(
            (&submitted["status"], &submitted["labels"]),
            (&json!("in_progress"), &json!(["in_review"]))
        );
        let back = Edit::of(&submitted).status(&BeadStatus::InProgress).done();
        assert!(!back.contains_key("labels"));
    }

    #[test]
    fn the_count_of_comments_stays_current_where_a_line_has_one() {
        let actor = Actor::for_user("me");
        let commented = |row: Value| {
            Edit::of(&map(row))
                .comment("text", &actor, &Snapshot::default())
                .0
                .done()
                .get("comment_count")
                .cloned()
        };
        assert_eq!(commented(json!({"id": "a-1", "comment_count": 0})), Some(json!(1)));
        let one = json!([{"id": 1, "text": "first"}]);
        assert_eq!(commented(json!({"id": "a-1", "comment_count": 1, "comments": one})), Some(json!(2)));
        assert_eq!(commented(json!({"id": "a-1", "comment_count": 0, "comments": one})), Some(json!(2)));
        assert_eq!(commented(json!({"id": "a-1", "comment_count": 3})), Some(json!(4)));
        assert_eq!(commented(json!({"id": "a-1"})), None);
    }

    #[test]
    fn unknown_fields_stay_in_their_order() {
        let row = map(json!({"zebra": {"b": 1, "a": 2}, "id": "a-1", "status": "open", "apple": 1.5}));
        let changed = Edit::of(&row).status(&BeadStatus::InProgress).done();
        let keys: Vec<&str> = changed.keys().map(String::as_str).collect();
        assert_eq!(keys, ["zebra", "id", "status", "apple", "updated_at"]);
        assert_eq!(changed["zebra"].to_string(), "{\"b\":1,\"a\":2}");
    }
}
