//! Edits of a row's fields. A cleared field is removed, and fields that the row has keep their places.

use super::edit::{Edit, date, edge, moment};
use crate::{Actor, row::Row, tracker::FieldChanges};
use bc_core::{bead::BeadStatus, ids::BeadId};
use serde_json::{Value, json};

/// Fields for the status and type of a bead before its deletion. Only the second is known to other trackers.
const BEFORE: [&str; 2] = ["original_status", "original_type"];
const DELETED: [&str; 3] = ["deleted_at", "deleted_by", "delete_reason"];

impl Edit {
    pub(crate) fn fields(mut self, changes: &FieldChanges, row: &Row, actor: &Actor) -> Edit {
        if let Some(title) = &changes.title {
            self.set("title", json!(title));
        }
        for (key, text) in [
            ("description", &changes.description),
            ("design", &changes.design),
            ("acceptance_criteria", &changes.acceptance_criteria),
            ("notes", &changes.notes),
        ] {
            if let Some(text) = text {
                self.put(key, (!text.is_empty()).then(|| json!(text)));
            }
        }
        if let Some(priority) = changes.priority {
            self.set("priority", json!(priority));
        }
        if let Some(issue_type) = &changes.issue_type {
            self.set("issue_type", json!(issue_type));
        }
        for (key, text) in [("assignee", &changes.assignee), ("external_ref", &changes.external_ref)] {
            if let Some(text) = text {
                self.put(key, text.as_ref().map(|text| json!(text)));
            }
        }
        for (key, at) in [("due_at", changes.due), ("defer_until", changes.defer)] {
            if let Some(at) = at {
                self.put(key, at.map(date));
            }
        }
        if let Some(minutes) = changes.estimated_minutes {
            self.put("estimated_minutes", minutes.map(|minutes| json!(minutes)));
        }
        if let Some(parent) = changes.parent.as_ref().filter(|parent| **parent != row.parent) {
            self = self.parent(parent.as_ref(), actor);
        }
        self = self.labels(&changes.add_labels, &changes.remove_labels);
        match &changes.status {
            Some(status) if *status != row.status() => self.status(status),
            // Without a date, nothing would end the deferral.
            None if changes.defer == Some(None) && row.stored_status == BeadStatus::Deferred => {
                self.status(&BeadStatus::Open)
            }
            _ => self,
        }
    }

    fn labels(mut self, add: &[String], remove: &[String]) -> Edit {
        if add.is_empty() && remove.is_empty() {
            return self;
        }
        let mut labels = self.map.get("labels").and_then(Value::as_array).cloned().unwrap_or_default();
        let name = |label: &Value| label.as_str().unwrap_or_default().to_owned();
        let sorted = labels.is_sorted_by_key(name);
        labels.retain(|label| !label.as_str().is_some_and(|label| remove.iter().any(|gone| gone == label)));
        for label in add {
            if !labels.iter().any(|known| known == label) {
                labels.push(json!(label));
            }
        }
        if sorted {
            labels.sort_by_key(name);
        }
        self.put("labels", Some(Value::Array(labels)).filter(|labels| *labels != json!([])));
        self
    }

    pub(super) fn parent(mut self, parent: Option<&BeadId>, actor: &Actor) -> Edit {
        self = self.without_edges(|kind, _| matches!(kind, "parent-child" | "parent_child"));
        if self.map.contains_key("parent") {
            self.put("parent", parent.map(|parent| json!(parent.as_str())));
        }
        match parent {
            Some(parent) => self.with_edge(parent, "parent-child", actor),
            None => self,
        }
    }

    pub(super) fn with_edge(mut self, on: &BeadId, kind: &str, actor: &Actor) -> Edit {
        let id = self.map.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
        let edge = edge(&id, on, kind, &moment(self.at), actor);
        let mut edges = self.edges();
        edges.push(edge);
        self.set_edges(edges);
        self
    }

    /// Removes the dependencies that match by kind and target.
    pub(super) fn without_edges(mut self, matches: impl Fn(&str, &str) -> bool) -> Edit {
        let mut edges = self.edges();
        let text = |edge: &Value, keys: [&str; 2]| {
            let found = keys.iter().find_map(|key| edge.get(key).and_then(Value::as_str));
            found.unwrap_or_default().to_owned()
        };
        edges.retain(|edge| {
            let (kind, on) = (text(edge, ["dependency_type", "type"]), text(edge, ["depends_on_id", "id"]));
            !matches(if kind.is_empty() { "blocks" } else { &kind }, &on)
        });
        self.set_edges(edges);
        self
    }

    fn edges(&self) -> Vec<Value> {
        self.map.get("dependencies").and_then(Value::as_array).cloned().unwrap_or_default()
    }

    /// Replaces the dependencies, and corrects the count that bd's exports have.
    fn set_edges(&mut self, edges: Vec<Value>) {
        let before = self.edges().len() as u64;
        if let Some(count) = self.map.get("dependency_count").and_then(Value::as_u64) {
            let count = (count + edges.len() as u64).saturating_sub(before);
            self.set("dependency_count", json!(count));
        }
        self.put("dependencies", Some(Value::Array(edges)).filter(|edges| *edges != json!([])));
    }

    /// Marks the bead as deleted. All its fields are kept, so that it can be restored.
    pub(super) fn tombstone(mut self, actor: &Actor) -> Edit {
        let [status, issue_type] = ["status", "issue_type"].map(|key| self.map.get(key).cloned());
        for (key, before) in BEFORE.into_iter().zip([status, issue_type]) {
            self.put(key, before);
        }
        self.set("status", json!(BeadStatus::Tombstone.as_str()));
        self.set("deleted_at", json!(moment(self.at)));
        self.set("deleted_by", json!(actor.as_str()));
        self
    }

    /// Undoes [`Edit::tombstone`]. If another tracker dropped the earlier status when it rewrote the row, the
    /// status becomes closed or open, depending on `closed_at`.
    pub(super) fn restored(mut self) -> Edit {
        let [status, issue_type] = BEFORE.map(|key| self.map.shift_remove(key));
        let fallback = match self.map.contains_key("closed_at") {
            true => BeadStatus::Closed,
            false => BeadStatus::Open,
        };
        self.set("status", status.unwrap_or_else(|| json!(fallback.as_str())));
        if let Some(issue_type) = issue_type.filter(|known| known.as_str().is_some_and(|t| !t.is_empty())) {
            self.set("issue_type", issue_type);
        }
        for key in DELETED {
            self.map.shift_remove(key);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(row: Value, changes: FieldChanges) -> Value {
        let map = row.as_object().unwrap().clone();
        let row = Row::read(&map).unwrap();
        let mut after = Edit::of(&map).fields(&changes, &row, &Actor::for_user("me")).done();
        after.shift_remove("updated_at");
        Value::Object(after)
    }

    #[test]
    fn each_change_edits_only_its_field_and_clearing_removes_it() {
        let row = json!({"id": "a-1", "odd": 1.5, "title": "t", "labels": ["z", "a"], "external_ref": "", "status": "open",
            "due_at": "2026-01-01T00:00:00-06:00", "estimated_minutes": 5, "assignee": "joe"});
        let empty = FieldChanges::default;
        let with = |key: &str, value: Value| {
            let mut row = row.clone();
            match value {
                Value::Null => drop(row.as_object_mut().unwrap().shift_remove(key)),
                value => row[key] = value,
            }
            row
        };
        let at = chrono::DateTime::parse_from_rfc3339("2027-01-02T03:04:05+02:00").unwrap();
        for (changes, key, value) in [
            (empty(), "id", json!("a-1")),
            (FieldChanges { title: Some("new".into()), ..empty() }, "title", json!("new")),
            (FieldChanges { notes: Some("n".into()), ..empty() }, "notes", json!("n")),
            (FieldChanges { notes: Some(String::new()), ..empty() }, "notes", Value::Null),
            (FieldChanges { assignee: Some(None), ..empty() }, "assignee", Value::Null),
            (
                FieldChanges { external_ref: Some(Some("gh-1".into())), ..empty() },
                "external_ref",
                json!("gh-1"),
            ),
            (FieldChanges { due: Some(None), ..empty() }, "due_at", Value::Null),
            (FieldChanges { due: Some(Some(at)), ..empty() }, "due_at", json!("2027-01-02T01:04:05Z")),
            (FieldChanges { defer: Some(Some(at)), ..empty() }, "defer_until", json!("2027-01-02T01:04:05Z")),
            (FieldChanges { estimated_minutes: Some(None), ..empty() }, "estimated_minutes", Value::Null),
            (FieldChanges { priority: Some(0), ..empty() }, "priority", json!(0)),
            (FieldChanges { add_labels: vec!["m".into()], ..empty() }, "labels", json!(["z", "a", "m"])),
            (FieldChanges { remove_labels: vec!["a".into()], ..empty() }, "labels", json!(["z"])),
            (FieldChanges { status: Some(BeadStatus::Blocked), ..empty() }, "status", json!("blocked")),
        ] {
            assert_eq!(changed(row.clone(), changes.clone()), with(key, value), "{changes:?}");
        }
        let none =
            changed(row.clone(), FieldChanges { remove_labels: vec!["a".into(), "z".into()], ..empty() });
        assert_eq!(none.get("labels"), None);
    }

    #[test]
    fn another_parent_replaces_the_edge_the_field_and_the_count() {
        let row = json!({"id": "a-1", "parent": "a-2", "dependency_count": 2, "dependencies": [
            {"depends_on_id": "a-2", "type": "parent-child"}, {"depends_on_id": "a-3", "type": "blocks"}]});
        let to = |parent: Option<&str>| FieldChanges {
            parent: Some(parent.map(|parent| parent.parse().unwrap())),
            ..FieldChanges::default()
        };
        assert_eq!(changed(row.clone(), to(Some("a-2"))), row);
        let moved = changed(row.clone(), to(Some("a-4")));
        assert_eq!((&moved["parent"], &moved["dependency_count"]), (&json!("a-4"), &json!(2)));
        assert_eq!(moved["dependencies"][0], row["dependencies"][1]);
        assert_eq!(moved["dependencies"][1]["depends_on_id"], "a-4");
        let none = changed(moved, to(None));
        assert_eq!((none.get("parent"), &none["dependency_count"]), (None, &json!(1)));
        assert_eq!(none["dependencies"], json!([row["dependencies"][1]]));
    }

    #[test]
    fn a_deleted_bead_is_restored_unchanged() {
        let row = json!({"id": "a-1", "title": "t", "status": "closed", "closed_at": "2026-01-01T00:00:00Z",
            "issue_type": "bug", "odd": {"x": [1, 2.5]}, "updated_at": "2026-01-01T00:00:00Z"});
        let map = row.as_object().unwrap();
        let gone = Edit::of(map).tombstone(&Actor::for_user("me")).done();
        assert_eq!((&gone["status"], &gone["deleted_by"]), (&json!("tombstone"), &json!("me")));
        let mut back = Edit::of(&gone).restored().done();
        assert_ne!(back["updated_at"], row["updated_at"]);
        back["updated_at"] = row["updated_at"].clone();
        assert_eq!(Value::Object(back).to_string(), row.to_string());
        // br drops unknown fields.
        let mut known = gone;
        known.shift_remove("original_status");
        assert_eq!(Edit::of(&known).restored().done()["status"], "closed");
    }
}
