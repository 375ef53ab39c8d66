//! bd's command lines for edits, and its capabilities; tested with bd 1.3.0.
//!
//! Undocumented behaviour: a change of labels, dependencies or comments leaves `updated_at` unchanged.
//! Deferring an open bead sets its status to `deferred`; removing the deferral sets it back to `open`. Titles
//! have at most 500 bytes.

use super::call::Request;
use crate::{
    TrackerError, kinds,
    row::{IN_REVIEW_LABEL, Row},
    tracker::{Capabilities, Deletion, FieldChanges, NewBead},
};
use bc_core::{Timestamp, bead::BeadStatus};
use chrono::{SecondsFormat, Utc};
use serde_json::Value;

/// bd's maximum title length, in bytes.
const LONGEST_TITLE: usize = 500;

pub(super) fn check_title(title: &str) -> Result<(), TrackerError> {
    match title.len() {
        0..=LONGEST_TITLE => Ok(()),
        bytes => {
            let why = format!("bd stores at most {LONGEST_TITLE} bytes of it, and these are {bytes}");
            Err(TrackerError::InvalidInput { field: "title", why })
        }
    }
}

/// A date in the form that bd accepts; empty to clear it.
fn date(at: Option<Timestamp>) -> String {
    let text = |at: Timestamp| at.with_timezone(&Utc).to_rfc3339_opts(SecondsFormat::Secs, true);
    at.map(text).unwrap_or_default()
}

/// A label as a CSV field: bd parses its labels as a CSV line.
fn label(label: &str) -> String {
    match label.contains([',', '"', '\n', '\r']) || label.starts_with(' ') {
        true => format!("\"{}\"", label.replace('"', "\"\"")),
        false => label.to_owned(),
    }
}

/// One request for all fields; `None` if nothing changes.
pub(super) fn edit(
    row: &Row,
    changes: &FieldChanges,
    guarded: bool,
    actor: &str,
) -> Result<Option<Request>, TrackerError> {
    let mut request = Request::new("update", ["update", row.id.as_str(), "--json"]).flag("actor", actor);
    let start = request.args.len();
    if let Some(title) = &changes.title {
        check_title(title)?;
        request = request.flag("title", title);
    }
    request = match changes.description.as_deref() {
        Some("") => request.flag("description", ""),
        Some(text) => request.flag("body-file", "-").stdin(text),
        None => request,
    };
    for (flag, text) in [
        ("design", &changes.design),
        ("acceptance", &changes.acceptance_criteria),
        ("notes", &changes.notes),
        ("type", &changes.issue_type),
    ] {
        if let Some(text) = text {
            request = request.flag(flag, text);
        }
    }
    if let Some(priority) = changes.priority {
        request = request.flag("priority", &priority.to_string());
    }
    for (flag, text) in [("assignee", &changes.assignee), ("external-ref", &changes.external_ref)] {
        if let Some(text) = text {
            request = request.flag(flag, text.as_deref().unwrap_or_default());
        }
    }
    for (flag, at) in [("due", changes.due), ("defer", changes.defer)] {
        if let Some(at) = at {
            request = request.flag(flag, &date(at));
        }
    }
    if let Some(minutes) = changes.estimated_minutes {
        request = request.flag("estimate", &minutes.unwrap_or_default().to_string());
    }
    if let Some(status) = changes.status.as_ref().filter(|status| **status != row.status()) {
        request = request.flag("status", status.as_str());
        if row.has_review_label() && !changes.remove_labels.iter().any(|label| label == IN_REVIEW_LABEL) {
            request = request.flag("remove-label", IN_REVIEW_LABEL);
        }
    }
    let has_fields = request.args[start..].iter().any(|arg| !arg.starts_with("--remove-label="));
    for added in &changes.add_labels {
        request = request.flag("add-label", &label(added));
    }
    for removed in &changes.remove_labels {
        request = request.flag("remove-label", &label(removed));
    }
    if let Some(parent) = changes.parent.as_ref().filter(|parent| **parent != row.parent) {
        request = request.flag("parent", parent.as_ref().map_or("", |parent| parent.as_str()));
    }
    // Refuse the change if another process changed the bead since it was read: bd can check these two fields.
    if guarded && has_fields {
        request = request
            .flag("if-status", row.stored_status.as_str())
            .flag("if-assignee", row.assignee.as_deref().unwrap_or_default());
    }
    Ok((request.args.len() > start).then_some(request))
}

/// Adds the dates, the estimate and the reference of a new bead to its `create` request.
pub(super) fn create(mut request: Request, new: &NewBead) -> Request {
    for (flag, at) in [("due", new.due), ("defer", new.defer)] {
        if at.is_some() {
            request = request.flag(flag, &date(at));
        }
    }
    if let Some(minutes) = new.estimated_minutes {
        request = request.flag("estimate", &minutes.to_string());
    }
    match &new.external_ref {
        Some(external_ref) => request.flag("external-ref", external_ref),
        None => request,
    }
}

/// Parses bd's answers to `types` and `statuses`. An answer is `None` if bd is too old for the command.
pub(super) fn capabilities(types: Option<&Value>, statuses: Option<&Value>) -> Capabilities {
    let names = |answer: Option<&Value>, keys: [&str; 2]| -> Vec<String> {
        let lists = keys.iter().filter_map(|key| answer?.get(key)?.as_array()).flatten();
        let name = |item: &Value| item.as_str().or_else(|| item.get("name")?.as_str()).map(str::to_owned);
        lists.filter_map(name).collect()
    };
    let mut types = names(types, ["core_types", "custom_types"]);
    if types.is_empty() {
        types = kinds::TYPES.map(str::to_owned).into();
    }
    let mut statuses = names(statuses, ["built_in_statuses", "custom_statuses"]);
    if statuses.is_empty() {
        statuses = ["open", "in_progress", "blocked", "deferred", "pinned"].map(str::to_owned).into();
    }
    let statuses = statuses.iter().map(|name| BeadStatus::from(name.as_str()));
    Capabilities {
        unsupported: Vec::new(),
        types,
        statuses: statuses
            .filter(|status| {
                !matches!(status, BeadStatus::Closed | BeadStatus::InReview | BeadStatus::Tombstone)
            })
            .collect(),
        dependency_kinds: kinds::DEPENDENCIES.map(str::to_owned).into(),
        delete: Deletion::Permanent,
        audit: "bd records every change of a bead, by any program, until the bead is deleted.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn row(more: Value) -> Row {
        let mut map = json!({"id": "a-1", "status": "open"}).as_object().unwrap().clone();
        map.extend(more.as_object().unwrap().clone());
        Row::read(&map).unwrap()
    }

    #[test]
    fn one_request_has_all_fields_and_values_cannot_be_options() {
        let changes = FieldChanges {
            title: Some("--force".into()),
            description: Some("-d".into()),
            notes: Some(String::new()),
            assignee: Some(None),
            due: Some(Timestamp::parse_from_rfc3339("2027-01-02T00:00:00+02:00").ok()),
            defer: Some(None),
            estimated_minutes: Some(None),
            add_labels: vec!["y z".into()],
            remove_labels: vec!["a,\"b".into()],
            parent: Some(None),
            status: Some(BeadStatus::Blocked),
            ..FieldChanges::default()
        };
        let row = row(json!({"parent": "a-2", "assignee": "joe"}));
        let request = edit(&row, &changes, true, "me").unwrap().unwrap();
        assert_eq!(request.stdin, b"-d");
        assert_eq!(
            request.args,
            [
                "update",
                "a-1",
                "--json",
                "--actor=me",
                "--title=--force",
                "--body-file=-",
                "--notes=",
                "--assignee=",
                "--due=2027-01-01T22:00:00Z",
                "--defer=",
                "--estimate=0",
                "--status=blocked",
                "--add-label=y z",
                "--remove-label=\"a,\"\"b\"",
                "--parent=",
                "--if-status=open",
                "--if-assignee=joe",
            ]
        );
        assert_eq!(edit(&row, &FieldChanges::default(), true, "me").unwrap(), None);
        let only_labels = FieldChanges { add_labels: vec!["x".into()], ..FieldChanges::default() };
        let request = edit(&row, &only_labels, true, "me").unwrap().unwrap();
        assert!(!request.args.iter().any(|arg| arg.starts_with("--if-")), "bd guards fields only");
        let wide = FieldChanges { title: Some("漢".repeat(167)), ..FieldChanges::default() };
        let error = edit(&row, &wide, false, "me").unwrap_err().to_string();
        assert!(error.contains("at most 500 bytes"), "{error}");
    }

    #[test]
    fn custom_types_and_statuses_are_offered_except_those_with_a_separate_command() {
        let types = json!({"core_types": [{"name": "task"}], "custom_types": ["pig"]});
        let statuses = json!({"built_in_statuses": [{"name": "open"}, {"name": "closed"}],
            "custom_statuses": [{"name": "in_review", "category": "wip"}, {"name": "qa"}]});
        let can = capabilities(Some(&types), Some(&statuses));
        assert_eq!(can.types, ["task", "pig"]);
        assert_eq!(can.statuses, [BeadStatus::Open, BeadStatus::Other("qa".into())]);
        assert!(capabilities(None, None).types.contains(&"bug".to_owned()));
    }
}
