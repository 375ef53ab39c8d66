//! Serves git for a project's repository, as an ssh account would. Before a fetch, the session's uncommitted
//! work is saved in a checkpoint, so that it is fetched as well.

use super::folders::ProjectFolders;
use crate::programs::git_exit_code;
use bc_core::{Timestamp, ids::SessionId};
use bc_git::Repo;
use bc_process::foreground;
use std::{ffi::OsString, process::ExitCode, time::Duration};

const FETCH: &str = "upload-pack";

/// The time limit for saving uncommitted work. If it is exceeded, the fetch continues without that work.
const KEPT_WITHIN: Duration = Duration::from_secs(12);

/// Runs `git upload-pack` or `git receive-pack` on this process's standard streams. `now` is the current time
/// by the user's clock.
pub(super) fn serve(service: &str, folder: &str, project: &str, session: &str, now: &str) -> ExitCode {
    git_exit_code(run(service, folder, project, session, now))
}

fn run(service: &str, folder: &str, project: &str, session: &str, now: &str) -> Result<Option<i32>, String> {
    if !matches!(service, FETCH | "receive-pack") {
        return Err(format!("git {service:?} is not served"));
    }
    let (folders, session) = ProjectFolders::parse(folder, project, session)?;
    if service == FETCH {
        let now = Timestamp::parse_from_rfc3339(now).map_err(|_| "the time is not valid".to_owned())?;
        keep_work(&folders, session, now);
    }
    let repository = folders.root().join("repository");
    // Hooks are disabled, because an agent can create hooks in this repository.
    let words = ["-c", "core.hooksPath=/dev/null", "-c", "receive.autoGC=false", service].map(OsString::from);
    let words = words.into_iter().chain([repository.into_os_string()]);
    foreground::run("git".as_ref(), words).map_err(|error| error.to_string())
}

fn keep_work(folders: &ProjectFolders, session: SessionId, now: Timestamp) {
    let kept =
        Repo::discover(folders.worktree(session)).and_then(|repo| repo.keep_work(session, now, KEPT_WITHIN));
    if let Err(error) = kept {
        tracing::warn!(%error, "uncommitted work is not kept for this fetch");
    }
}
