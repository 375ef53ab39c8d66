//! Starts our own program for a backup of the project at the end of a session.
//!
//! Nothing waits for the backup, and the session can be resumed meanwhile. So the backup runs in its own process, which
//! outlives the host. That process reads in the settings whether a backup is wanted, and records its result.

use crate::spec::{LOCK_VARIABLE, LaunchSpec, SOCKET_VARIABLE};
use bc_process::{
    descendants::{HOST_MARKER, SESSION_MARKER},
    detach::{self, DetachedCommand},
};
use std::path::PathBuf;

/// The arguments of our program that make a backup.
const BACKUP: [&str; 2] = ["backup", "--at-end"];

/// Starts a backup once the session has ended.
pub(crate) struct ExitBackup {
    console: Option<PathBuf>,
    project_root: PathBuf,
}

/// Starts a backup after a session that has ended at another place.
pub fn start_exit_backup(console: PathBuf, project_root: PathBuf) {
    ExitBackup { console: Some(console), project_root }.start();
}

impl ExitBackup {
    /// At another place there is nothing to back up; the link starts the backup on the user's machine.
    pub(crate) fn of(spec: &LaunchSpec) -> ExitBackup {
        let console = spec.console.clone().filter(|_| !spec.at_place);
        ExitBackup { console, project_root: spec.project_root.clone() }
    }

    /// Starts the backup. A failure is ignored: the next backup catches up.
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
