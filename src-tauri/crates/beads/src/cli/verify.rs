//! Maps a tracker program's refusals to errors, and checks that a successful change was stored.

use super::call::{CallError, Request, Turn};
use crate::{
    TrackerError,
    json::Refusal,
    kinds::full_type,
    row::Row,
    tracker::{FieldChanges, NewBead},
};
use bc_core::{Timestamp, ids::BeadId};
use chrono::TimeDelta;
use serde_json::Value;

/// Runs a request, about this bead if given, and maps a refusal to the matching error.
pub(super) fn ask(turn: &Turn<'_>, request: &Request, id: Option<&BeadId>) -> Result<Value, TrackerError> {
    turn.ask(request).map_err(|error| explain(error, turn.program(), request.operation, id))
}

/// Fails if a change that the program reported as done is not stored. `found` describes the bead instead.
pub(super) fn check_stored(
    is_stored: bool,
    operation: &'static str,
    id: &BeadId,
    found: impl Into<String>,
) -> Result<(), TrackerError> {
    match is_stored {
        true => Ok(()),
        false => Err(TrackerError::NotPersisted { operation, id: id.clone(), found: found.into() }),
    }
}

/// Maps a refusal to the matching error. It recognizes the messages of bd 1.3 and br 0.1.12; others become
/// [`TrackerError::Failed`] with the program's text.
pub(crate) fn explain(
    error: CallError,
    program: &'static str,
    operation: &'static str,
    id: Option<&BeadId>,
) -> TrackerError {
    let refusal = match error {
        CallError::Tracker(error) => return error,
        CallError::Refused(refusal) => refusal,
    };
    if program == "bd" && refusal.message.contains("no beads database found") {
        return TrackerError::DatabaseMissing { program };
    }
    if program == "bd" && refusal.message.to_lowercase().contains("dolt server unreachable") {
        let said = refusal.message.trim_start_matches("failed to open database: ");
        let said = said.split("; ").next().unwrap_or(said).to_owned();
        return TrackerError::ServerUnreachable { said };
    }
    if let Some(issue_type) = refusal.message.split_once("invalid issue type").map(|(_, rest)| rest) {
        let issue_type = issue_type.split([';', '"', '}']).next().unwrap_or_default();
        let issue_type = issue_type.trim_start_matches(':').trim();
        let why = format!("{program} does not know {issue_type}; add it to types.custom");
        return TrackerError::InvalidInput { field: "type", why };
    }
    let Some(id) = id.cloned() else {
        return TrackerError::Failed { program, operation, said: refusal.message };
    };
    if is_missing(&refusal) {
        return TrackerError::NotFound { id };
    }
    if let Some(by) = holder(&refusal.message) {
        return TrackerError::ClaimedByOther { id, by };
    }
    if refusal.message.contains("not claimable: status closed") {
        return TrackerError::AlreadyClosed { id };
    }
    if refusal.message.contains("assignee mismatch") || refusal.message.contains("status mismatch") {
        return TrackerError::Changed { id };
    }
    if let Some(flag) = unknown_flag(&refusal.message) {
        let why = format!("this version of {program} cannot change that: it does not know --{flag}");
        return TrackerError::Unsupported { why };
    }
    let has_one_of = |parts: &[&str]| parts.iter().any(|part| refusal.message.contains(part));
    if refusal.code.as_deref() == Some("CYCLE_DETECTED")
        || has_one_of(&["would create a cycle", "cannot depend on itself"])
    {
        return TrackerError::Cycle { path: vec![id] };
    }
    let rules = [
        "not claimable",
        "cannot close",
        "cannot modify",
        "invalid status",
        "Invalid status",
        "already exists with type",
        "cannot add dependency",
        "cannot be blocked by its descendant",
    ];
    if has_one_of(&rules) {
        return TrackerError::Refused { operation, id, why: refusal.message };
    }
    TrackerError::Failed { program, operation, said: refusal.message }
}

/// The flag in "unknown flag: --x" (bd) and "unexpected argument '--x' found" (br), if any.
fn unknown_flag(message: &str) -> Option<&str> {
    let marks = ["unknown flag: --", "unexpected argument '--"];
    let rest = marks.iter().find_map(|mark| message.split_once(mark).map(|(_, rest)| rest))?;
    rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').next().filter(|flag| !flag.is_empty())
}

fn is_missing(refusal: &Refusal) -> bool {
    let message = refusal.message.to_lowercase();
    refusal.code.as_deref() == Some("ISSUE_NOT_FOUND")
        || ["no issue found matching", "no issues found matching", "issue not found"]
            .iter()
            .any(|text| message.contains(text))
}

/// The name in "already claimed by alice", "already assigned to \"alice\"" and "assignee is \"alice\"", if
/// any.
fn holder(message: &str) -> Option<String> {
    let marks = ["already assigned to ", "assignee is ", "already claimed by "];
    let rest = marks.iter().find_map(|mark| message.split_once(mark).map(|(_, rest)| rest))?;
    let name = match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next()?,
        None => rest.split([';', ',']).next()?.split(" — ").next()?,
    };
    let name = name.trim().trim_end_matches('.');
    (!name.is_empty()).then(|| name.to_owned())
}

/// The first difference between a new bead and its request, in words; `None` if there is none. The type is not
/// compared.
pub(super) fn new_difference(row: &Row, new: &NewBead) -> Option<String> {
    let waits_for = |id: &&BeadId| row.depends_on.iter().any(|edge| edge.blocks() && edge.id == **id);
    let missing = || new.blocked_by.iter().find(|id| !waits_for(id));
    difference(row, &new.fields()).or_else(|| missing().map(|id| format!("no dependency on {id}")))
}

/// The first difference between a changed bead and its request, in words; `None` if there is none.
pub(super) fn difference(row: &Row, changes: &FieldChanges) -> Option<String> {
    let texts = [
        ("title", &row.title, &changes.title),
        ("description", &row.description, &changes.description),
        ("design", &row.design, &changes.design),
        ("acceptance criteria", &row.acceptance_criteria, &changes.acceptance_criteria),
        ("notes", &row.notes, &changes.notes),
    ];
    let other = |is: &str, asked: &Option<String>| {
        asked.as_ref().is_some_and(|asked| is.trim_end() != asked.trim_end())
    };
    if let Some((what, ..)) = texts.iter().find(|(_, is, asked)| other(is, asked)) {
        return Some(format!("another {what}"));
    }
    if changes.priority.is_some_and(|asked| row.priority != asked) {
        return Some(format!("priority {}", row.priority));
    }
    let near = |is: Option<Timestamp>, asked: Option<Timestamp>| match (is, asked) {
        (Some(is), Some(asked)) => (is - asked).abs() < TimeDelta::seconds(1),
        (is, asked) => is == asked,
    };
    let found = [
        ("type", changes.issue_type.as_ref().is_none_or(|asked| row.issue_type == full_type(asked))),
        ("assignee", changes.assignee.as_ref().is_none_or(|asked| row.assignee == *asked)),
        ("parent", changes.parent.as_ref().is_none_or(|asked| row.parent == *asked)),
        ("due date", changes.due.is_none_or(|asked| near(row.due_at, asked))),
        ("defer date", changes.defer.is_none_or(|asked| near(row.defer_until, asked))),
        ("estimate", changes.estimated_minutes.is_none_or(|asked| row.estimated_minutes == asked)),
        ("external reference", changes.external_ref.as_ref().is_none_or(|asked| row.external_ref == *asked)),
        ("status", changes.status.as_ref().is_none_or(|asked| row.status() == *asked)),
    ];
    if let Some((what, _)) = found.iter().find(|(_, as_asked)| !as_asked) {
        return Some(format!("another {what}"));
    }
    let has = |label: &String| row.labels.contains(label);
    let missing = changes.add_labels.iter().find(|label| !has(label));
    let left = || changes.remove_labels.iter().find(|label| has(label));
    missing
        .map(|label| format!("no label {label}"))
        .or_else(|| left().map(|label| format!("the label {label}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explained(message: &str) -> TrackerError {
        let refusal = Refusal { code: None, message: message.to_owned() };
        let id = "tp-1".parse().unwrap();
        explain(CallError::Refused(refusal), "bd", "update", Some(&id))
    }

    #[test]
    fn the_holder_of_a_bead_is_named() {
        for message in [
            "Error updating tp-1: issue already claimed by alice/12345678; 1 of 1 issues failed to update",
            "updating issue: issue already claimed: already assigned to \"alice/12345678\" — coordinate with the holder",
            "cannot close tp-1: assignee is \"alice/12345678\", actor is \"bob\"; reclaim or use --force to override",
            "Validation failed: claim: issue already assigned to alice/12345678",
        ] {
            let error = explained(message);
            assert!(
                matches!(&error, TrackerError::ClaimedByOther { by, .. } if by == "alice/12345678"),
                "{error:?}"
            );
        }
    }

    #[test]
    fn missing_closed_and_forbidden_are_distinguished() {
        assert!(matches!(explained("no issue found matching \"tp-1\""), TrackerError::NotFound { .. }));
        assert!(matches!(
            explained("issue not claimable: status closed"),
            TrackerError::AlreadyClosed { .. }
        ));
        assert!(matches!(explained("issue not claimable: status blocked"), TrackerError::Refused { .. }));
        assert!(matches!(
            explained("cannot close tp-1: 1 open child issue(s)"),
            TrackerError::Refused { .. }
        ));
        assert!(matches!(explained("disk on fire"), TrackerError::Failed { .. }));
        let server =
            explained("failed to open database: Dolt server unreachable at 127.0.0.1:1: refused; Try:");
        assert!(matches!(&server, TrackerError::ServerUnreachable { .. }), "{server:?}");
        assert!(server.to_string().contains(": refused; start it with `bd dolt start`"), "{server}");
    }
}
