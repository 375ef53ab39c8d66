//! Runs the user's setup command in a session's new worktree.
//!
//! A pending setup is recorded in a file before the worktree is created, so that an interrupted setup runs
//! again.

use super::{folders::ProjectFolders, programs::own_program};
use crate::spec::WorktreeSetup;
use bc_core::ids::SessionId;
use bc_hooks::LoggedCommand;
use bc_store::file;
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

pub(super) struct Setup<'a> {
    command: &'a WorktreeSetup,
    project: &'a Path,
    /// A file that exists while the setup is pending.
    pending: PathBuf,
    log: PathBuf,
}

impl Setup<'_> {
    pub(super) fn of<'a>(
        folders: &'a ProjectFolders,
        session: SessionId,
        command: &'a WorktreeSetup,
    ) -> Setup<'a> {
        let folder = folders.root().join("setup");
        Setup {
            command,
            project: folders.root(),
            pending: folder.join(format!("{session}.pending")),
            log: folder.join(format!("{session}.log")),
        }
    }

    /// Records that the worktree, which does not exist yet, needs its setup.
    pub(super) fn record_pending(&self) -> Result<(), String> {
        let folder = self.pending.parent().unwrap_or(self.project);
        file::create_dir(folder).map_err(|error| error.to_string())?;
        file::replace(&self.pending, b"").map_err(|error| error.to_string())
    }

    /// Runs the setup if it is pending. This can take minutes.
    pub(super) fn run_if_pending(&self, worktree: &Path) -> Result<(), String> {
        if !self.pending.exists() {
            return Ok(());
        }
        if let Some(refused) = &self.command.refused {
            return Err(refused.clone());
        }
        let mut env = vec![("BEADS_CONSOLE_PROJECT".to_owned(), self.project.to_str().map(str::to_owned))];
        env.extend(bc_git::INHERITED_VARIABLES.map(|name| (name.to_owned(), None)));
        let command = LoggedCommand {
            words: &self.command.words,
            cwd: worktree,
            env,
            timeout: Duration::from_secs(u64::from(self.command.minutes) * 60),
            log: &self.log,
        };
        if let Some(failure) = command.failure(&command.run(&own_program()?)) {
            let log = self.log.display();
            return Err(format!(
                "the setup of the worktree failed: {failure}\nThe complete output is in {log} at the place"
            ));
        }
        file::remove(&self.pending).map_err(|error| error.to_string())
    }
}
