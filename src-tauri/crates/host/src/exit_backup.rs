//! Starts a backup of the project at the end of a session, by our own program.
//!
//! Nothing waits for it, and the session is free for a resume. So the backup runs in its own process that
//! outlives this one. The settings decide whether there is one; the backup records its own result.

use crate::spec::{LOCK_VARIABLE, LaunchSpec, SOCKET_VARIABLE};
use bc_process::{
    descendants::{HOST_MARKER, SESSION_MARKER},
    detach::{self, DetachedCommand},
};
use std::path::PathBuf;

/// The command that makes a backup.
const BACKUP: [&str; 2] = ["backup", "--at-end"];

/// Starts a backup once the session has ended.
pub(crate) struct ExitBackup {
    console: Option<PathBuf>,
    project_root: PathBuf,
}

impl ExitBackup {
    pub(crate) fn of(spec: &LaunchSpec) -> ExitBackup {
        ExitBackup { console: spec.console.clone(), project_root: spec.project_root.clone() }
    }

    /// Starts it. After a failure the next backup catches up.
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
