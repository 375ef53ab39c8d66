//! Serves git for a project's repository, as an ssh account would.

use super::folders::ProjectFolders;
use bc_core::ids::ProjectId;
use bc_process::foreground;
use std::{ffi::OsString, process::ExitCode};

/// Runs `git upload-pack` or `git receive-pack` on our standard streams.
pub(super) fn serve(service: &str, folder: &str, project: &str) -> ExitCode {
    match run(service, folder, project) {
        Ok(Some(0)) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::FAILURE
        }
    }
}

fn run(service: &str, folder: &str, project: &str) -> Result<Option<i32>, String> {
    if !matches!(service, "upload-pack" | "receive-pack") {
        return Err(format!("git {service:?} is not served"));
    }
    let project: ProjectId = project.parse().map_err(|_| "the project's id is not valid".to_owned())?;
    let folders = ProjectFolders::of(folder, &project)?;
    let repository = folders.root().join("repository");
    // An agent can write hooks into this repository.
    let words = ["-c", "core.hooksPath=/dev/null", "-c", "receive.autoGC=false", service].map(OsString::from);
    let words = words.into_iter().chain([repository.into_os_string()]);
    foreground::run("git".as_ref(), words).map_err(|error| error.to_string())
}
