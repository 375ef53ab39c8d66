//! Runs our own program to back up the project at the end of a session.
//!
//! The host does not wait for the backup, and the session can be resumed meanwhile. The backup therefore runs
//! in a separate process that outlives the host. That process reads from the settings whether a backup is
//! wanted, and records the backup's result.

use crate::spec::{LOCK_VARIABLE, LaunchSpec, SOCKET_VARIABLE};
use bc_process::{
    descendants::{HOST_MARKER, SESSION_MARKER},
    detach::{self, DetachedCommand},
};
use std::path::PathBuf;

/// The arguments of our program for a backup.
const BACKUP: [&str; 2] = ["backup", "--at-end"];

/// A backup that is started after the session has ended.
pub(crate) struct ExitBackup {
    console: Option<PathBuf>,
    project_root: PathBuf,
}

/// Starts a backup after the end of a session that ran at a place.
pub fn start_exit_backup(console: PathBuf, project_root: PathBuf) {
    ExitBackup { console: Some(console), project_root }.start();
}

impl ExitBackup {
    /// At a place, the host has nothing to back up: the link starts the backup on the user's machine.
    pub(crate) fn of(spec: &LaunchSpec) -> ExitBackup {
        let console = spec.console.clone().filter(|_| !spec.at_place);
        ExitBackup { console, project_root: spec.project_root.clone() }
    }

    /// Starts the backup. A failure is ignored, because the next backup also covers this session.
    pub(crate) fn start(self) {
        let Some(program) = self.console else { return };
        let none = |name: &str| (name.into(), None);
        let _ = detach::start(DetachedCommand {
            program,
            args: BACKUP.map(Into::into).to_vec(),
            cwd: self.project_root,
            env: [HOST_MARKER, SESSION_MARKER, SOCKET_VARIABLE, LOCK_VARIABLE].map(none).to_vec(),
            stdin: Vec::new(),
            log: None,
            inherited_files: Vec::new(),
        });
    }
}
