//! Runs our own program to back up the project at the end of a session.
//!
//! The host, or the link of a session at a place, does not wait for the backup, and the session can be
//! resumed meanwhile. The backup therefore runs in a separate process that outlives the caller. That process
//! reads from the settings whether a backup is wanted, and records the backup's result.

use crate::spec::{LOCK_VARIABLE, SOCKET_VARIABLE};
use bc_process::{
    descendants::{HOST_MARKER, SESSION_MARKER},
    detach::{self, DetachedCommand},
};
use std::path::PathBuf;

/// The arguments of our program for a backup.
const BACKUP: [&str; 2] = ["backup", "--at-end"];

/// Starts a backup of the project after the end of a session. `console` is our own program. A failure is
/// ignored, because the next backup also covers this session.
pub fn start_exit_backup(console: PathBuf, project_root: PathBuf) {
    let none = |name: &str| (name.into(), None);
    let _ = detach::start(DetachedCommand {
        program: console,
        args: BACKUP.map(Into::into).to_vec(),
        cwd: project_root,
        env: [HOST_MARKER, SESSION_MARKER, SOCKET_VARIABLE, LOCK_VARIABLE].map(none).to_vec(),
        stdin: Vec::new(),
        log: None,
        inherited_files: Vec::new(),
    });
}
