//! Runs a command on the files of a session at its place.

use crate::{
    access::{PlaceAccess, Reach, Sharing},
    link::control_socket,
    verbs::{FILES, PLACE_VERB},
};
use bc_core::ids::{ProjectId, SessionId};
use bc_process::run::{Finished, RunError};
use std::time::Duration;

/// The maximum size of an answer, in bytes.
const ANSWER_MAX: usize = 64 << 20;

/// The exit code with which a shell reports a missing program.
const NOT_FOUND: i32 = 127;

/// The reason that there is no usable answer. The place may have run the command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileCommandFailure {
    /// The connection, or the program at the place, failed.
    Failed {
        /// The exit code of the program that connects to the place; `None` if it did not run or was killed.
        code: Option<i32>,
        /// The text on standard error, or the reason that the program did not run.
        said: String,
    },
    /// There was no answer in time.
    TimedOut,
    /// There is no usable answer, for this reason.
    Unusable(&'static str),
}

/// A command on a session's files.
#[derive(Debug)]
pub struct FileCommandRun<'a> {
    pub place: &'a PlaceAccess,
    pub project: &'a ProjectId,
    pub session: SessionId,
    pub command: &'a str,
    /// Whether the command changes files. It then has its own connection, which does not end with the link's.
    pub changes_files: bool,
    pub within: Duration,
}

/// Runs a command, and returns its answer: one line, which comes from the place and is not trusted.
///
/// # Errors
/// The place cannot be reached, does not have the session or this version of the program, or gives no usable
/// answer in time.
pub fn run_file_command(run: &FileCommandRun<'_>) -> Result<String, FileCommandFailure> {
    let failed = |said: String| FileCommandFailure::Failed { code: None, said };
    // The container of a paused session may be stopped.
    if let Reach::Container(container) = &run.place.reach {
        container.make_ready(false).map_err(|error| failed(error.to_string()))?;
    }
    let id = run.session.to_string();
    let args = [PLACE_VERB, FILES, &run.place.folder, run.project.as_str(), &id];
    let control = control_socket(run.session).ok().filter(|_| !run.changes_files);
    let sharing = control.as_deref().map_or(Sharing::Alone, Sharing::Uses);
    let program = run.place.prepare(sharing, &args);
    match program.stdin(run.command.as_bytes().to_vec()).timeout(run.within).cap(ANSWER_MAX).run() {
        Ok(done) => answer_of(&done),
        Err(RunError::TimedOut { .. }) => Err(FileCommandFailure::TimedOut),
        Err(error) => Err(failed(error.to_string())),
    }
}

fn answer_of(done: &Finished) -> Result<String, FileCommandFailure> {
    if done.code == Some(NOT_FOUND) {
        let why = "this version of Beads Console is not at the place yet; a resume copies it";
        return Err(FileCommandFailure::Unusable(why));
    }
    if !done.ok() {
        return Err(FileCommandFailure::Failed { code: done.code, said: done.err() });
    }
    if done.truncated {
        return Err(FileCommandFailure::Unusable("the answer is too large"));
    }
    // A login script may have printed other lines first.
    let output = done.out();
    let answer = output.trim_end().lines().last().map(str::to_owned);
    answer.ok_or(FileCommandFailure::Unusable("the answer is empty"))
}
