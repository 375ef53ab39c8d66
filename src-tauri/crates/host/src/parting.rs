//! What a host leaves behind on purpose: a backup of the project, by the program beside it.
//!
//! Nobody waits for it, and the session is free for whoever resumes it: so it is a process of its own, which ends by
//! itself. Whether there is one, and what became of it, the settings and the backups' own status say.

use crate::spec::{LOCK_VARIABLE, LaunchSpec, SOCKET_VARIABLE};
use bc_process::{
    descendants::{HOST_MARKER, SESSION_MARKER},
    detach::{self, Detach},
};
use std::path::PathBuf;

/// The words that make one.
const BACKUP: [&str; 2] = ["backup", "--at-end"];

/// How a backup is started once the session has ended.
pub(crate) struct Parting {
    console: Option<PathBuf>,
    project_root: PathBuf,
}

impl Parting {
    pub(crate) fn of(spec: &LaunchSpec) -> Parting {
        Parting { console: spec.console.clone(), project_root: spec.project_root.clone() }
    }

    /// Starts it. That this fails costs nothing that the next one does not make good.
    pub(crate) fn start(self) {
        let Some(program) = self.console else { return };
        let none = |name: &str| (name.into(), None);
        let _ = detach::start(Detach {
            program,
            args: BACKUP.map(Into::into).to_vec(),
            cwd: self.project_root,
            env: [HOST_MARKER, SESSION_MARKER, SOCKET_VARIABLE, LOCK_VARIABLE].map(none).to_vec(),
            stdin: Vec::new(),
            log: None,
            handed: Vec::new(),
        });
    }
}
