//! br's command lines for edits, as recorded with br 0.1.12.

use super::call::Request;
use crate::{
    TrackerError, kinds,
    row::{IN_REVIEW_LABEL, Row},
    tracker::{Capabilities, Deletion, FieldChanges},
};
use bc_core::bead::BeadStatus;

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

/// The requests for the labels and the parent, then one `update` for the fields. Fails for an untested field,
/// or a status that br does not support.
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
    let id = &row.id;
    let moved = changes.status.as_ref().filter(|status| **status != row.status());
    let update = Request::on_bead("update", id, actor);
    let start = update.args.len();
    let update = update
        .flags("title", &changes.title)
        .flags("description", &changes.description)
        .flags("design", &changes.design)
        .flags("acceptance-criteria", &changes.acceptance_criteria)
        .flags("notes", &changes.notes)
        .flags("type", &changes.issue_type)
        .flags("priority", changes.priority.map(|priority| priority.to_string()))
        .flags("assignee", changes.assignee.as_ref().map(|name| name.as_deref().unwrap_or_default()))
        .flags("status", moved.map(BeadStatus::as_str));
    let mut requests = Vec::new();
    let label = |verb: &'static str, label: &str| {
        let operation = if verb == "add" { "label add" } else { "label remove" };
        Request::new(operation, ["label", verb, id.as_str(), label, "--json"]).flag("actor", actor)
    };
    let leaves_review = moved.is_some() && row.has_review_label();
    let removed = changes.remove_labels.iter().map(String::as_str);
    for name in removed.chain(leaves_review.then_some(IN_REVIEW_LABEL)) {
        requests.push(label("remove", name));
    }
    requests.extend(changes.add_labels.iter().map(|name| label("add", name)));
    if let Some(parent) = changes.parent.as_ref().filter(|parent| **parent != row.parent) {
        requests.extend(row.parent.iter().map(|before| Request::remove_dependency(id, before, actor)));
        requests.extend(parent.iter().map(|on| Request::add_dependency(id, on, "parent-child", actor)));
    }
    if update.args.len() > start {
        requests.push(update);
    }
    Ok(requests)
}
