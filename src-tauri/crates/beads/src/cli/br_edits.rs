//! br's command lines for edits, as recorded with br 0.1.12.

use super::call::Request;
use crate::{
    TrackerError, kinds,
    row::{IN_REVIEW_LABEL, Row},
    tracker::{Capabilities, Deletion, FieldChanges, NewBead},
};
use bc_core::bead::BeadStatus;
use chrono::{SecondsFormat, Utc};

/// The types that br accepts.
const TYPES: [&str; 7] = ["task", "bug", "feature", "epic", "chore", "docs", "question"];
const STATUSES: [BeadStatus; 4] =
    [BeadStatus::Open, BeadStatus::InProgress, BeadStatus::Blocked, BeadStatus::Deferred];
/// Fields whose changes are refused, because br's answers to them were not recorded.
const UNTESTED: [&str; 4] = ["due", "defer", "estimated_minutes", "external_ref"];

fn untested(field: &str) -> String {
    let name = match field {
        "due" => "due date",
        "defer" => "deferral",
        "estimated_minutes" => "estimate",
        _ => "external reference",
    };
    format!("Changing the {name} is not tested with br; set it when you create a bead, or use br itself.")
}

pub(super) fn capabilities() -> Capabilities {
    Capabilities {
        unsupported: UNTESTED.map(|field| (field, untested(field))).into(),
        types: TYPES.map(str::to_owned).into(),
        statuses: STATUSES.into(),
        dependency_kinds: kinds::DEPENDENCIES.map(str::to_owned).into(),
        delete: Deletion::Permanent,
        audit: "br is not asked for its records.".to_owned(),
    }
}

/// The requests for the labels and the parent, then one `update` for the fields. Fails for a field or status
/// that br does not support.
pub(super) fn edit(row: &Row, changes: &FieldChanges, actor: &str) -> Result<Vec<Request>, TrackerError> {
    let changed = [
        changes.due.is_some(),
        changes.defer.is_some(),
        changes.estimated_minutes.is_some(),
        changes.external_ref.is_some(),
    ];
    if let Some((field, _)) = UNTESTED.iter().zip(changed).find(|(_, changed)| *changed) {
        return Err(TrackerError::Unsupported { why: untested(field) });
    }
    if let Some(status) = changes.status.as_ref().filter(|status| !STATUSES.contains(status)) {
        let why = format!("br has no status {}", status.as_str());
        return Err(TrackerError::Unsupported { why });
    }
    let id = row.id.as_str();
    let by = |request: Request| request.flag("actor", actor);
    let mut update = by(Request::new("update", ["update", id, "--json"]));
    let start = update.args.len();
    for (flag, text) in [
        ("title", &changes.title),
        ("description", &changes.description),
        ("design", &changes.design),
        ("acceptance-criteria", &changes.acceptance_criteria),
        ("notes", &changes.notes),
        ("type", &changes.issue_type),
    ] {
        if let Some(text) = text {
            update = update.flag(flag, text);
        }
    }
    if let Some(priority) = changes.priority {
        update = update.flag("priority", &priority.to_string());
    }
    if let Some(assignee) = &changes.assignee {
        update = update.flag("assignee", assignee.as_deref().unwrap_or_default());
    }
    let moved = changes.status.as_ref().filter(|status| **status != row.status());
    if let Some(status) = moved {
        update = update.flag("status", status.as_str());
    }
    let mut requests = Vec::new();
    let label = |verb: &'static str, label: &str| {
        let operation = if verb == "add" { "label add" } else { "label remove" };
        by(Request::new(operation, ["label", verb, id, label, "--json"]))
    };
    let leaves_review = moved.is_some() && row.has_review_label();
    let removed = changes.remove_labels.iter().map(String::as_str);
    for name in removed.chain(leaves_review.then_some(IN_REVIEW_LABEL)) {
        requests.push(label("remove", name));
    }
    requests.extend(changes.add_labels.iter().map(|name| label("add", name)));
    if let Some(parent) = changes.parent.as_ref().filter(|parent| **parent != row.parent) {
        if let Some(before) = &row.parent {
            requests.push(by(Request::new("dep remove", ["dep", "remove", id, before.as_str(), "--json"])));
        }
        if let Some(parent) = parent {
            let add = Request::new("dep add", ["dep", "add", id, parent.as_str(), "--json"]);
            requests.push(by(add.flag("type", "parent-child")));
        }
    }
    if update.args.len() > start {
        requests.push(update);
    }
    Ok(requests)
}

/// Adds the dates, the estimate and the reference of a new bead to its `create` request.
pub(super) fn create(mut request: Request, new: &NewBead) -> Request {
    for (flag, at) in [("due", new.due), ("defer", new.defer)] {
        if let Some(at) = at {
            let at = at.with_timezone(&Utc).to_rfc3339_opts(SecondsFormat::Secs, true);
            request = request.flag(flag, &at);
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
