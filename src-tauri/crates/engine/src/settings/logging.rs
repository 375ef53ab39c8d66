//! The location and verbosity of the diagnostic logs, from the user's settings and state folder.

use super::preferences;
use bc_log::{LevelFilter, Role};
use std::path::PathBuf;

/// Starts this process's log. Without a home folder there is none.
pub fn start_logging(role: Role) {
    let Some(folder) = log_folder() else { return };
    let level = preferences::settings().log_level.as_str().parse().unwrap_or(LevelFilter::INFO);
    bc_log::start(role, &folder, level);
}

/// The folder of the logs; `None` without a home folder.
pub(crate) fn log_folder() -> Option<PathBuf> {
    preferences::state_folder().map(|state| bc_log::folder_in(&state))
}
