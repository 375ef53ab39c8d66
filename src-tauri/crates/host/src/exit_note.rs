//! The note about claude's exit, which is saved and reported.

use bc_core::Timestamp;
use bc_process::pty::Exit;
use bc_store::SessionDir;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A note about claude's exit, saved as `exit.json` in the session's folder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExitNote {
    /// The exit code or signal.
    pub exit: Exit,
    /// Whether the exit was requested.
    pub asked: bool,
    /// The last screen as plain text.
    pub screen: String,
    /// When the exit was recorded, which is after the end hooks.
    pub at: Timestamp,
}

/// Reads how claude exited in the session's last run; `None` if the note is missing or unreadable.
pub fn read_exit_note(dir: &SessionDir) -> Option<ExitNote> {
    serde_json::from_slice(
        &bc_store::repository::read(&exit_note_path(dir), bc_store::repository::limits::RECORD).ok()??,
    )
    .ok()
}

/// The path of the session's `exit.json`.
pub fn exit_note_path(dir: &SessionDir) -> PathBuf {
    dir.path().join("exit.json")
}
