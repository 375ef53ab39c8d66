//! bd's command lines for edits, and its capabilities; tested with bd 1.3.0.
//!
//! Undocumented behaviour: a change of labels, dependencies or comments leaves `updated_at` unchanged.
//! Deferring an open bead sets its status to `deferred`; removing the deferral sets it back to `open`. Titles
//! have at most 500 bytes.

use super::{call::Request, dialect::date};
use crate::{
    TrackerError, kinds,
    row::{IN_REVIEW_LABEL, Row},
    tracker::{Capabilities, Deletion, FieldChanges},
};
use bc_core::{bead::BeadStatus, ids::BeadId};
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

/// A label as a CSV field: bd parses its labels as a CSV line.
pub(super) fn as_csv(label: &str) -> String {
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
    changes.title.as_deref().map_or(Ok(()), check_title)?;
    let update = Request::on_bead("update", &row.id, actor);
    let start = update.args.len();
    let mut request = update.flags("title", &changes.title);
    request = match changes.description.as_deref() {
        Some("") => request.flag("description", ""),
        Some(text) => request.flag("body-file", "-").stdin(text),
        None => request,
    };
    // An empty value clears the field.
    request = request
        .flags("design", &changes.design)
        .flags("acceptance", &changes.acceptance_criteria)
        .flags("notes", &changes.notes)
        .flags("type", &changes.issue_type)
        .flags("priority", changes.priority.map(|priority| priority.to_string()))
        .flags("assignee", changes.assignee.as_ref().map(|name| name.as_deref().unwrap_or_default()))
        .flags("external-ref", changes.external_ref.as_ref().map(|text| text.as_deref().unwrap_or_default()))
        .flags("due", changes.due.map(|at| at.map(date).unwrap_or_default()))
        .flags("defer", changes.defer.map(|at| at.map(date).unwrap_or_default()))
        .flags("estimate", changes.estimated_minutes.map(|minutes| minutes.unwrap_or_default().to_string()));
    if let Some(status) = changes.status.as_ref().filter(|status| **status != row.status()) {
        request = request.flag("status", status.as_str());
        if row.has_review_label() && !changes.remove_labels.iter().any(|label| label == IN_REVIEW_LABEL) {
            request = request.flag("remove-label", IN_REVIEW_LABEL);
        }
    }
    let has_fields = request.args[start..].iter().any(|arg| !arg.starts_with("--remove-label="));
    let parent = changes.parent.as_ref().filter(|parent| **parent != row.parent);
    request = request
        .flags("add-label", changes.add_labels.iter().map(|label| as_csv(label)))
        .flags("remove-label", changes.remove_labels.iter().map(|label| as_csv(label)))
        .flags("parent", parent.map(|parent| parent.as_ref().map_or("", BeadId::as_str)));
    // Refuse the change if another process changed the bead since it was read: bd can check these two fields.
    if guarded && has_fields {
        request = request
            .flag("if-status", row.stored_status.as_str())
            .flag("if-assignee", row.assignee.as_deref().unwrap_or_default());
    }
    Ok((request.args.len() > start).then_some(request))
}

/// bd's capabilities, from its answers to `types` and `statuses`. An answer is `None` if bd is too old for the
/// command.
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
    let has_own_command = |status: &BeadStatus| {
        matches!(status, BeadStatus::Closed | BeadStatus::InReview | BeadStatus::Tombstone)
    };
    let statuses = statuses.iter().map(|name| BeadStatus::from(name.as_str()));
    Capabilities {
        unsupported: Vec::new(),
        types,
        statuses: statuses.filter(|status| !has_own_command(status)).collect(),
        dependency_kinds: kinds::DEPENDENCIES.map(str::to_owned).into(),
        delete: Deletion::Permanent,
        audit: "bd records every change of a bead, by any program, until the bead is deleted.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bc_core::Timestamp;
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
