//! The location and verbosity of the diagnostic logs, from the user's settings and state folder.

use super::preferences;
use bc_core::ids::SessionId;
use bc_log::{LevelFilter, Role};
use std::path::{Path, PathBuf};

/// Starts this process's log. Without a home folder there is none.
pub fn start_logging(role: Role) {
    let Some(folder) = log_folder() else { return };
    let level = preferences::settings().log_level.as_str().parse().unwrap_or(LevelFilter::INFO);
    bc_log::start(role, &folder, level);
}

/// Names the project that this process works in, in each later line. Only for processes of one project.
pub fn log_project(root: &Path) {
    bc_log::set_project(root);
}

/// Names the session that this process belongs to, in each later line.
pub fn log_session(id: SessionId) {
    bc_log::set_session(&id.to_string());
}

/// The folder of the logs; `None` without a home folder.
pub(crate) fn log_folder() -> Option<PathBuf> {
    preferences::state_folder().map(|state| bc_log::folder_in(&state))
}
