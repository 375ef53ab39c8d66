//! One bead as bd, br and JSONL files write it. The parsed row omits unknown fields; code that edits a row
//! keeps all fields of its map. Known fields are accepted in the different forms that trackers write.

use bc_core::{
    Timestamp,
    bead::{BeadComment, BeadStatus},
    ids::{BeadId, InvalidId},
};
use chrono::{DateTime, Datelike};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The label for beads in review in trackers without custom statuses.
pub(crate) const IN_REVIEW_LABEL: &str = "in_review";

/// Types that trackers reserve.
const SYSTEM_TYPES: [&str; 14] = [
    "agent",
    "convoy",
    "event",
    "gate",
    "merge-request",
    "message",
    "molecule",
    "rig",
    "role",
    "slot",
    "template",
    "warrant",
    "wisp",
    "formula",
];

/// A bead in a tracker's output.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Row {
    pub(crate) id: BeadId,
    pub(crate) title: String,
    /// The status as stored, regardless of the label "in review".
    pub(crate) stored_status: BeadStatus,
    pub(crate) priority: u8,
    pub(crate) issue_type: String,
    pub(crate) assignee: Option<String>,
    pub(crate) labels: Vec<String>,
    pub(crate) parent: Option<BeadId>,
    pub(crate) depends_on: Vec<Edge>,
    pub(crate) depended_on_by: Vec<Edge>,
    /// The blockers, in rows that the program's command `blocked` printed.
    pub(crate) blocked_by: Vec<BeadId>,
    pub(crate) comments: Vec<BeadComment>,
    pub(crate) description: String,
    pub(crate) design: String,
    pub(crate) acceptance_criteria: String,
    pub(crate) notes: String,
    pub(crate) close_reason: Option<String>,
    pub(crate) created_at: Option<Timestamp>,
    pub(crate) updated_at: Option<Timestamp>,
    pub(crate) closed_at: Option<Timestamp>,
    pub(crate) defer_until: Option<Timestamp>,
    pub(crate) due_at: Option<Timestamp>,
    pub(crate) estimated_minutes: Option<u32>,
    pub(crate) external_ref: Option<String>,
    pub(crate) created_by: Option<String>,
    /// Whether the row is the tracker's own: a wisp, a template, or of a reserved type.
    pub(crate) system: bool,
    /// Whether the bead is pinned. A pinned bead is never work, whatever its status.
    pub(crate) pinned: bool,
}

/// Why a value is not a row.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RowError {
    #[error("it is not JSON ({0})")]
    Json(serde_json::Error),
    #[error("it is not a JSON object")]
    Object,
    #[error("it has no id")]
    NoId,
    #[error("{0}")]
    Id(InvalidId),
}

/// One end of a dependency, in the short form (`depends_on_id`, `type`) or the long one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Edge {
    pub(crate) id: BeadId,
    pub(crate) kind: String,
    pub(crate) title: String,
    pub(crate) status: Option<BeadStatus>,
    pub(crate) issue_type: Option<String>,
    /// For the kind `waits-for`: whether one closed child satisfies the dependency.
    pub(crate) any_child: bool,
}

impl Edge {
    pub(crate) fn blocks(&self) -> bool {
        bc_core::bead_graph::is_blocking(&self.kind)
    }
}

/// The raw fields of a row. Strings may be empty.
#[derive(Debug, Default)]
pub(crate) struct Fields<'a> {
    pub(crate) id: Option<Cow<'a, str>>,
    pub(crate) title: Option<Cow<'a, str>>,
    pub(crate) status: Option<Cow<'a, str>>,
    pub(crate) priority: Option<i64>,
    pub(crate) issue_type: Option<Cow<'a, str>>,
    pub(crate) assignee: Option<Cow<'a, str>>,
    pub(crate) labels: Vec<String>,
    pub(crate) parent: Option<Cow<'a, str>>,
    pub(crate) depends_on: Vec<Edge>,
    pub(crate) depended_on_by: Vec<Edge>,
    pub(crate) blocked_by: Vec<String>,
    pub(crate) close_reason: Option<Cow<'a, str>>,
    pub(crate) created_at: Option<Cow<'a, str>>,
    pub(crate) updated_at: Option<Cow<'a, str>>,
    pub(crate) closed_at: Option<Cow<'a, str>>,
    pub(crate) defer_until: Option<Cow<'a, str>>,
    pub(crate) due_at: Option<Cow<'a, str>>,
    pub(crate) estimated_minutes: Option<i64>,
    pub(crate) ephemeral: bool,
    pub(crate) wisp: bool,
    pub(crate) is_template: bool,
    pub(crate) pinned: bool,
}

impl<'a> Fields<'a> {
    fn of(map: &'a Map<String, Value>) -> Fields<'a> {
        Fields {
            id: map.get("id").and_then(Value::as_str).map(Cow::Borrowed),
            title: text(map, "title").map(Cow::Borrowed),
            status: text(map, "status").map(Cow::Borrowed),
            priority: priority(map.get("priority")),
            issue_type: text(map, "issue_type").map(Cow::Borrowed),
            assignee: text(map, "assignee").map(Cow::Borrowed),
            labels: texts(map.get("labels")),
            parent: text(map, "parent").map(Cow::Borrowed),
            depends_on: edges(map.get("dependencies")),
            depended_on_by: edges(map.get("dependents")),
            blocked_by: texts(map.get("blocked_by")),
            close_reason: text(map, "close_reason").map(Cow::Borrowed),
            created_at: text(map, "created_at").map(Cow::Borrowed),
            updated_at: text(map, "updated_at").map(Cow::Borrowed),
            closed_at: text(map, "closed_at").map(Cow::Borrowed),
            defer_until: text(map, "defer_until").map(Cow::Borrowed),
            due_at: text(map, "due_at").map(Cow::Borrowed),
            estimated_minutes: map.get("estimated_minutes").and_then(Value::as_i64),
            ephemeral: flag(map, "ephemeral"),
            wisp: flag(map, "wisp"),
            is_template: flag(map, "is_template"),
            pinned: flag(map, "pinned"),
        }
    }

    /// The row of these fields, without its long text and comments.
    pub(crate) fn row(self) -> Result<Row, RowError> {
        let id: BeadId = self.id.ok_or(RowError::NoId)?.parse().map_err(RowError::Id)?;
        let some = |text: Option<Cow<'a, str>>| text.filter(|text| !text.is_empty());
        let moment = |text: Option<Cow<'a, str>>| text.as_deref().and_then(moment);
        let depends_on = self.depends_on;
        let parent = some(self.parent)
            .and_then(|parent| parent.parse().ok())
            .or_else(|| depends_on.iter().find(|e| e.kind == "parent-child").map(|e| e.id.clone()));
        let issue_type = some(self.issue_type).map_or_else(|| "task".to_owned(), Cow::into_owned);
        let status = some(self.status);
        Ok(Row {
            title: self.title.map(Cow::into_owned).unwrap_or_default(),
            stored_status: BeadStatus::from(status.as_deref().unwrap_or("open")),
            priority: self.priority.map_or(2, |n| u8::try_from(n.clamp(0, 4)).expect("between 0 and 4")),
            system: SYSTEM_TYPES.contains(&issue_type.as_str())
                || self.ephemeral
                || self.wisp
                || self.is_template,
            issue_type,
            assignee: some(self.assignee).map(Cow::into_owned),
            parent,
            depends_on,
            depended_on_by: self.depended_on_by,
            blocked_by: self.blocked_by.iter().filter_map(|id| id.parse().ok()).collect(),
            comments: Vec::new(),
            description: String::new(),
            design: String::new(),
            acceptance_criteria: String::new(),
            notes: String::new(),
            close_reason: some(self.close_reason).map(Cow::into_owned),
            created_at: moment(self.created_at),
            updated_at: moment(self.updated_at),
            closed_at: moment(self.closed_at),
            defer_until: moment(self.defer_until),
            due_at: moment(self.due_at),
            estimated_minutes: self.estimated_minutes.and_then(|n| u32::try_from(n).ok()).filter(|&n| n > 0),
            external_ref: None,
            created_by: None,
            // A memory is never work, even if its status was changed by hand.
            pinned: self.pinned || bc_core::memory::is_memory(&self.labels),
            labels: self.labels,
            id,
        })
    }
}

impl Row {
    pub(crate) fn read(map: &Map<String, Value>) -> Result<Row, RowError> {
        Ok(Row {
            comments: comments(map),
            description: text(map, "description").unwrap_or_default().to_owned(),
            design: text(map, "design").unwrap_or_default().to_owned(),
            acceptance_criteria: text(map, "acceptance_criteria").unwrap_or_default().to_owned(),
            notes: text(map, "notes").unwrap_or_default().to_owned(),
            external_ref: text(map, "external_ref").map(str::to_owned),
            created_by: text(map, "created_by").map(str::to_owned),
            ..Fields::of(map).row()?
        })
    }

    /// The displayed status: a bead in progress with the label "in review" is in review.
    pub(crate) fn status(&self) -> BeadStatus {
        match self.stored_status {
            BeadStatus::InProgress if self.has_review_label() => BeadStatus::InReview,
            ref status => status.clone(),
        }
    }

    pub(crate) fn has_review_label(&self) -> bool {
        self.labels.iter().any(|label| label == IN_REVIEW_LABEL)
    }

    /// Whether the bead can block another one.
    pub(crate) fn is_active(&self) -> bool {
        is_active(&self.stored_status)
    }
}

/// Whether beads with this status can block others: closed, deleted and pinned ones cannot.
pub(crate) fn is_active(status: &BeadStatus) -> bool {
    !matches!(status, BeadStatus::Closed | BeadStatus::Tombstone | BeadStatus::Pinned)
}

/// A field's string; `None` if it is missing, empty, or not a string.
fn text<'a>(map: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
    map.get(key).and_then(Value::as_str).filter(|text| !text.is_empty())
}

/// The strings of a list; empty if the value is not a list.
pub(crate) fn texts(list: Option<&Value>) -> Vec<String> {
    let items = list.and_then(Value::as_array).into_iter().flatten();
    items.filter_map(Value::as_str).map(str::to_owned).collect()
}

fn flag(map: &Map<String, Value>, key: &str) -> bool {
    map.get(key).and_then(Value::as_bool).unwrap_or(false)
}

pub(crate) fn time(map: &Map<String, Value>, key: &str) -> Option<Timestamp> {
    moment(map.get(key)?.as_str()?)
}

/// Parses a time. `None` for invalid text, and for Go's zero time, in year 1.
fn moment(text: &str) -> Option<Timestamp> {
    let moment = DateTime::parse_from_rfc3339(text).ok()?;
    (moment.year() > 1).then_some(moment)
}

/// Parses a priority: a number, `"2"` or `"P2"`. `None` for other values, which then get the default, 2.
fn priority(value: Option<&Value>) -> Option<i64> {
    match value {
        Some(Value::Number(number)) => number.as_i64(),
        Some(Value::String(text)) => text.trim_start_matches(['P', 'p']).parse().ok(),
        _ => None,
    }
}

/// The edges of a list; empty if the value is not a list.
pub(crate) fn edges(list: Option<&Value>) -> Vec<Edge> {
    let items = list.and_then(Value::as_array).into_iter().flatten();
    items.filter_map(Value::as_object).filter_map(Edge::read).collect()
}

impl Edge {
    /// Parses an edge. An edge to a foreign bead (`external:…`) cannot be shown and is skipped.
    pub(crate) fn read(map: &Map<String, Value>) -> Option<Edge> {
        let id = text(map, "depends_on_id").or_else(|| text(map, "id"))?.parse().ok()?;
        let kind = text(map, "dependency_type").or_else(|| text(map, "type")).unwrap_or("blocks");
        // A known misspelling of other programs.
        let kind = if kind == "parent_child" { "parent-child" } else { kind }.to_owned();
        let gate = map.get("metadata").and_then(|metadata| match metadata {
            Value::String(text) => serde_json::from_str::<Value>(text).ok(),
            other => Some(other.clone()),
        });
        Some(Edge {
            id,
            kind,
            title: text(map, "title").unwrap_or_default().to_owned(),
            status: text(map, "status").map(BeadStatus::from),
            issue_type: text(map, "issue_type").map(str::to_owned),
            any_child: gate
                .is_some_and(|gate| gate.get("gate").and_then(Value::as_str) == Some("any-children")),
        })
    }
}

fn comments(map: &Map<String, Value>) -> Vec<BeadComment> {
    let items = map.get("comments").and_then(Value::as_array).into_iter().flatten();
    let mut comments: Vec<BeadComment> = items.filter_map(Value::as_object).filter_map(comment).collect();
    comments.sort_by_key(|comment| comment.created_at);
    comments
}

/// Parses a comment; `None` without a text. Its id is a UUID from bd, and a number from br and older bd.
pub(crate) fn comment(map: &Map<String, Value>) -> Option<BeadComment> {
    let id = match map.get("id") {
        Some(Value::String(id)) => id.clone(),
        Some(Value::Number(id)) => id.to_string(),
        _ => String::new(),
    };
    let text = map.get("text").and_then(Value::as_str)?.to_owned();
    Some(BeadComment {
        id,
        author: self::text(map, "author").unwrap_or_default().to_owned(),
        text,
        created_at: time(map, "created_at"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(value: Value) -> Result<Row, RowError> {
        Row::read(value.as_object().unwrap())
    }

    #[test]
    fn both_forms_of_a_dependency_are_read() {
        let row = read(json!({"id": "a-1", "dependencies": [
            {"issue_id": "a-1", "depends_on_id": "a-2", "type": "parent_child", "metadata": "{}"},
            {"id": "a-3", "title": "T", "status": "closed", "dependency_type": "blocks"},
            {"issue_id": "a-1", "depends_on_id": "external:x:y", "type": "blocks"},
            {"issue_id": "a-1", "depends_on_id": "a-4", "type": "waits-for", "metadata": "{\"gate\":\"any-children\"}"},
            "junk",
        ]}))
        .unwrap();
        assert_eq!(row.parent.as_ref().map(BeadId::as_str), Some("a-2"));
        let ids: Vec<_> = row.depends_on.iter().map(|e| (e.id.as_str(), e.blocks(), e.any_child)).collect();
        assert_eq!(ids, [("a-2", false, false), ("a-3", true, false), ("a-4", true, true)]);
    }

    #[test]
    fn odd_values_fall_back_and_never_fail() {
        let row = read(json!({"id": "a-1", "title": 7, "priority": "P9", "status": "", "labels": [1, "x"],
            "created_at": "0001-01-01T00:00:00Z", "updated_at": "yesterday", "comments": [{"id": 1}, {"id": 2, "text": "t"}]}))
        .unwrap();
        assert_eq!((row.title.as_str(), row.priority, row.labels.len()), ("", 4, 1));
        assert_eq!((row.created_at, row.updated_at, row.status()), (None, None, BeadStatus::Open));
        assert_eq!(row.comments[0].id, "2");
    }

    #[test]
    fn a_row_without_a_valid_id_is_an_error() {
        for bad in [json!({}), json!({"id": 7}), json!({"id": "--force"}), json!({"id": "../x"})] {
            assert!(read(bad.clone()).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_label_means_in_review_only_on_a_bead_in_progress() {
        let status = |word: &str| {
            read(json!({"id": "a-1", "status": word, "labels": ["in_review"]})).unwrap().status()
        };
        assert_eq!(status("in_progress"), BeadStatus::InReview);
        assert_eq!(status("open"), BeadStatus::Open);
        assert_eq!(status("closed"), BeadStatus::Closed);
    }
}
