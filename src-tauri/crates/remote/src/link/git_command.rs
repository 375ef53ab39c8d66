//! The command that git starts instead of ssh. Git's arguments name only the service; the place is in the
//! environment, which the program that runs git sets.

use crate::{
    access::{PlaceAccess, Sharing, quoted},
    programs::git_exit_code,
    verbs::{GIT, GIT_VERB, PLACE_VERB},
};
use bc_core::ids::{ProjectId, SessionId};
use bc_process::foreground;
use serde::{Deserialize, Serialize};
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    process::ExitCode,
};

/// The environment variable that contains a [`GitTarget`].
pub(super) const TARGET_VARIABLE: &str = "BEADS_CONSOLE_PLACE_GIT";

/// The repository that git connects to.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct GitTarget {
    pub(super) place: PlaceAccess,
    pub(super) project: ProjectId,
    /// The session whose uncommitted work is saved before a fetch.
    pub(super) session: SessionId,
    /// The link's shared ssh connection.
    pub(super) control: PathBuf,
}

pub(super) fn git_command_line(exe: &Path) -> String {
    format!("{} {GIT_VERB}", quoted(&exe.to_string_lossy()))
}

/// The main function of the hidden git command. Git's last argument is `git-upload-pack '/path'` or
/// `git-receive-pack '/path'`.
pub fn run_git_command(words: &[OsString]) -> ExitCode {
    git_exit_code(run(words))
}

fn run(words: &[OsString]) -> Result<Option<i32>, String> {
    let target = std::env::var(TARGET_VARIABLE).map_err(|_| "this command is for a link's git".to_owned())?;
    let target: GitTarget = serde_json::from_str(&target).map_err(|error| error.to_string())?;
    let request = words.last().map(|word| word.to_string_lossy()).unwrap_or_default();
    let service = request.split(' ').next().and_then(|name| name.strip_prefix("git-")).unwrap_or_default();
    let session = target.session.to_string();
    let now = bc_host::now().to_rfc3339();
    let args = [PLACE_VERB, GIT, service, &target.place.folder, target.project.as_str(), &session, &now];
    let mut command = target.place.command(Sharing::Uses(&target.control), &args).into_iter();
    let program = command.next().unwrap_or_default();
    foreground::run(&program, command).map_err(|error| error.to_string())
}
