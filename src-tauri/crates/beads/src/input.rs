//! Validates input before it reaches a tracker.

use crate::{TrackerError, tracker::NewBead};

/// Rules for a new bead that all trackers share.
pub(crate) fn check_new(new: &NewBead) -> Result<(), TrackerError> {
    let refuse = |field, why: &str| Err(TrackerError::InvalidInput { field, why: why.to_owned() });
    if new.title.trim().is_empty() {
        return refuse("title", "it is empty");
    }
    if new.title.chars().count() > 500 {
        return refuse("title", "it is longer than 500 characters");
    }
    if new.priority > 4 {
        return refuse("priority", "expected 0 (most urgent) to 4");
    }
    for label in &new.labels {
        if label.trim().is_empty() || label.contains([',', '"']) || label.chars().any(char::is_control) {
            return refuse("label", "it must not be empty nor contain commas, quotes or control characters");
        }
    }
    for id in new.blocked_by.iter().chain(&new.parent) {
        if id.as_str().contains(',') {
            return refuse("bead id", "it must not contain commas");
        }
    }
    for (field, text) in [
        ("title", &new.title),
        ("description", &new.description),
        ("design", &new.design),
        ("acceptance criteria", &new.acceptance_criteria),
        ("notes", &new.notes),
        ("type", &new.issue_type),
    ] {
        check_text(field, text)?;
    }
    Ok(())
}

/// Programs cannot take a NUL in an argument, and line-based files should not contain one.
pub(crate) fn check_text(field: &'static str, text: &str) -> Result<(), TrackerError> {
    match text.contains('\0') {
        true => Err(TrackerError::InvalidInput { field, why: "it contains a NUL character".to_owned() }),
        false => Ok(()),
    }
}

/// A text that must not be blank.
pub(crate) fn check_words(field: &'static str, text: &str) -> Result<(), TrackerError> {
    match text.trim().is_empty() {
        true => Err(TrackerError::InvalidInput { field, why: "it is empty".to_owned() }),
        false => check_text(field, text),
    }
}
