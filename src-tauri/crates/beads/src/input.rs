//! Validates input before it reaches a tracker.

use crate::{
    TrackerError,
    tracker::{FieldChanges, NewBead},
};
use bc_core::{Timestamp, bead::BeadStatus};
use chrono::Datelike;

/// Checks the rules for a new bead that all trackers share.
pub(crate) fn check_new(new: &NewBead) -> Result<(), TrackerError> {
    for id in new.blocked_by.iter().chain(&new.parent) {
        if id.as_str().contains(',') {
            return refuse("bead id", "it must not contain commas");
        }
    }
    check_line("type", Some(&new.issue_type))?;
    check_changes(&new.fields())
}

/// Checks the rules for a change that all trackers share. Labels to remove are checked only for NUL
/// characters, because a bead may have invalid labels.
pub(crate) fn check_changes(changes: &FieldChanges) -> Result<(), TrackerError> {
    changes.title.as_deref().map_or(Ok(()), check_title)?;
    changes.priority.map_or(Ok(()), check_priority)?;
    changes.add_labels.iter().try_for_each(|label| check_label(label))?;
    for (field, text) in [
        ("description", &changes.description),
        ("design", &changes.design),
        ("acceptance criteria", &changes.acceptance_criteria),
        ("notes", &changes.notes),
    ] {
        text.as_deref().map_or(Ok(()), |text| check_text(field, text))?;
    }
    for label in &changes.remove_labels {
        check_text("label", label)?;
    }
    if changes.issue_type.as_deref().is_some_and(|issue_type| issue_type.trim().is_empty()) {
        return refuse("type", "it is empty");
    }
    check_line("type", changes.issue_type.as_deref())?;
    check_line("assignee", changes.assignee.as_ref().and_then(Option::as_deref))?;
    check_line("external reference", changes.external_ref.as_ref().and_then(Option::as_deref))?;
    check_moment("due date", changes.due.flatten())?;
    check_moment("defer date", changes.defer.flatten())?;
    match &changes.status {
        Some(BeadStatus::Closed | BeadStatus::InReview | BeadStatus::Tombstone) => {
            refuse("status", "close, submit and delete a bead with their own commands")
        }
        Some(BeadStatus::Other(word)) => check_line("status", Some(word)),
        _ => Ok(()),
    }
}

fn refuse(field: &'static str, why: &str) -> Result<(), TrackerError> {
    Err(TrackerError::InvalidInput { field, why: why.to_owned() })
}

fn check_title(title: &str) -> Result<(), TrackerError> {
    if title.trim().is_empty() {
        return refuse("title", "it is empty");
    }
    if title.chars().count() > 500 {
        return refuse("title", "it is longer than 500 characters");
    }
    check_text("title", title)
}

fn check_priority(priority: u8) -> Result<(), TrackerError> {
    match priority {
        0..=4 => Ok(()),
        _ => refuse("priority", "expected 0 (most urgent) to 4"),
    }
}

fn check_label(label: &str) -> Result<(), TrackerError> {
    if label.trim().is_empty() || label.contains([',', '"']) || label.chars().any(char::is_control) {
        return refuse("label", "it must not be empty nor contain commas, quotes or control characters");
    }
    match label.len() {
        0..=255 => Ok(()),
        _ => refuse("label", "it is longer than 255 bytes"),
    }
}

/// Checks a name or reference: one short line.
fn check_line(field: &'static str, text: Option<&str>) -> Result<(), TrackerError> {
    let text = text.unwrap_or_default();
    if text.chars().any(char::is_control) {
        return refuse(field, "it must not contain line breaks or control characters");
    }
    match text.len() {
        0..=255 => Ok(()),
        _ => refuse(field, "it is longer than 255 bytes"),
    }
}

/// Checks that every tracker can write the year.
fn check_moment(field: &'static str, at: Option<Timestamp>) -> Result<(), TrackerError> {
    match at {
        Some(at) if !(1900..=9998).contains(&at.year()) => refuse(field, "the year must be 1900 to 9998"),
        _ => Ok(()),
    }
}

/// Refuses NUL characters: programs cannot take them in arguments, and line-based files should not contain
/// them.
pub(crate) fn check_text(field: &'static str, text: &str) -> Result<(), TrackerError> {
    match text.contains('\0') {
        true => refuse(field, "it contains a NUL character"),
        false => Ok(()),
    }
}

pub(crate) fn check_words(field: &'static str, text: &str) -> Result<(), TrackerError> {
    match text.trim().is_empty() {
        true => refuse(field, "it is empty"),
        false => check_text(field, text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_may_have_500_characters_of_any_width() {
        let changes = |title: String| FieldChanges { title: Some(title), ..FieldChanges::default() };
        assert!(check_changes(&changes("漢".repeat(500))).is_ok());
        let error = check_changes(&changes("漢".repeat(501))).unwrap_err();
        assert_eq!(error.to_string(), "invalid title: it is longer than 500 characters");
        assert!(check_changes(&changes(" \n".into())).is_err());
    }

    #[test]
    fn an_invalid_label_is_refused_with_the_reason_and_can_be_removed() {
        for bad in ["a,b", "say \"x\"", "a\nb", "", "  ", "a\u{1b}[2Jb", "nul\0"] {
            let changes = FieldChanges { add_labels: vec![bad.to_owned()], ..FieldChanges::default() };
            let error = check_changes(&changes).unwrap_err().to_string();
            assert!(error.starts_with("invalid label: it must not"), "{error}");
            let new = NewBead { labels: vec![bad.to_owned()], ..NewBead::titled("t") };
            assert!(check_new(&new).is_err());
        }
        let changes = FieldChanges { remove_labels: vec!["a,\"b\n".into()], ..FieldChanges::default() };
        assert!(check_changes(&changes).is_ok());
    }

    #[test]
    fn dates_names_and_statuses_that_cannot_be_stored_are_refused() {
        let far = chrono::DateTime::parse_from_rfc3339("9999-12-31T23:59:59Z").unwrap();
        let empty = FieldChanges::default;
        for changes in [
            FieldChanges { due: Some(Some(far)), ..empty() },
            FieldChanges { assignee: Some(Some("a\nb".into())), ..empty() },
            FieldChanges { external_ref: Some(Some("x".repeat(256))), ..empty() },
            FieldChanges { issue_type: Some(" ".into()), ..empty() },
            FieldChanges { priority: Some(5), ..empty() },
            FieldChanges { status: Some(BeadStatus::Closed), ..empty() },
            FieldChanges { status: Some(BeadStatus::InReview), ..empty() },
            FieldChanges { notes: Some("\0".into()), ..empty() },
        ] {
            assert!(check_changes(&changes).is_err(), "{changes:?}");
        }
    }
}
