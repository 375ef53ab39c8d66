//! The report of `doctor`.

use serde::{Deserialize, Serialize};

/// The result of all checks of `doctor`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct DoctorReport {
    /// Whether no check found a problem.
    pub ok: bool,
    pub version: String,
    /// The checks in order.
    pub checks: Vec<Check>,
}

/// One check of `doctor`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Check {
    /// The subject: `git`, `claude`, `tracker` and so on.
    pub name: String,
    pub state: CheckState,
    /// The finding, such as a version, on one line.
    pub found: String,
    /// The next step, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// The severity of a check's finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum CheckState {
    /// No problem.
    Ok,
    /// The program works with a restriction.
    Warning,
    /// Part of the program does not work.
    Problem,
}
