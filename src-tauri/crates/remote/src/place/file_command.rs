//! Runs a command on the files of a session at this place. Reads the command from standard input; the last line of
//! standard output is the answer.

use super::folders::ProjectFolders;
use bc_core::ids::SessionId;
use std::{
    io::{self, Read, Write},
    path::PathBuf,
};

/// The maximum size of a request, in bytes.
const REQUEST_MAX: u64 = 64 << 20;

/// A session's folders at this place.
pub struct SessionFolders {
    pub session: SessionId,
    /// The project's repository, in which nothing is checked out.
    pub repository: PathBuf,
    /// The folder with the sessions' records.
    pub beads_dir: PathBuf,
}

pub(super) fn run(
    folder: &str,
    project: &str,
    session: &str,
    run_command: impl FnOnce(&SessionFolders, &str) -> String,
) -> Result<(), String> {
    let (folders, session) = ProjectFolders::parse(folder, project, session)?;
    if folders.session(session).is_none() {
        return Err("the session is not at this place".to_owned());
    }
    let at = SessionFolders {
        session,
        repository: folders.repository()?.top_level().to_owned(),
        beads_dir: folders.beads_dir(),
    };
    let mut command = String::new();
    io::stdin().take(REQUEST_MAX).read_to_string(&mut command).map_err(|error| error.to_string())?;
    let answer = run_command(&at, &command);
    writeln!(io::stdout(), "{answer}").map_err(|error| error.to_string())
}
