//! The report of `doctor`.

use serde::{Deserialize, Serialize};

/// The result of the checks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct DoctorReport {
    /// Whether a session with the real claude can be started here.
    pub ok: bool,
    /// This program's version.
    pub version: String,
    /// One line each.
    pub checks: Vec<Check>,
}

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Check {
    /// What: `git`, `claude`, `tracker` …
    pub name: String,
    /// How it is.
    pub state: CheckState,
    /// What was found.
    pub found: String,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// How a checked thing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum CheckState {
    /// As it should be.
    Ok,
    /// Works, but.
    Warning,
    /// Stops something from working.
    Problem,
}
