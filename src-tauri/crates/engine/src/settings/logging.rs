//! Starts the diagnostic logs, with the level from the user's settings, in the user's state folder.

use super::preferences;
use bc_core::ids::SessionId;
use bc_log::{LevelFilter, Role};
use std::path::{Path, PathBuf};

/// Starts this process's log. Does nothing without a home folder.
pub fn start_logging(role: Role) {
    let Some(folder) = log_folder() else { return };
    let level = preferences::settings().log_level.as_str().parse().unwrap_or(LevelFilter::INFO);
    bc_log::start(role, &folder, level);
}

/// Adds the project to each later log line. Only for processes that work in a single project.
pub fn log_project(root: &Path) {
    bc_log::set_project(root);
}

/// Adds the session to each later log line. Only for processes that belong to a session.
pub fn log_session(id: SessionId) {
    bc_log::set_session(&id.to_string());
}

pub(crate) fn log_folder() -> Option<PathBuf> {
    preferences::state_folder().map(|state| bc_log::folder_in(&state))
}
