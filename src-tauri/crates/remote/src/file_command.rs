//! Runs a command on the files of a session at its place.

use crate::{
    access::{PlaceAccess, Reach, Sharing},
    copy_program::{copy_program, is_copied},
    link::control_socket,
    verbs::{FILES, PLACE_VERB},
};
use bc_core::ids::{ProjectId, SessionId};
use bc_process::run::{Finished, Program};
use std::time::Duration;

/// The maximum size of an answer, in bytes.
const ANSWER_MAX: usize = 64 << 20;

/// The exit code with which a shell reports a missing program.
const NOT_FOUND: i32 = 127;

/// The reason that a command has no answer. The place may have run it nevertheless.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileCommandFailure {
    /// The exit code of the program that connects to the place; `None` after a signal or a timeout.
    pub code: Option<i32>,
    /// The text on standard error, or the reason that the program did not run.
    pub said: String,
}

/// Runs a command, and returns its answer: one line, which comes from the place and is not trusted. If this version
/// of the program is missing at the place, it is copied there, unless the user has chosen another program.
///
/// # Errors
/// The place cannot be reached or does not have the session, or there is no answer within this time.
pub fn run_file_command(
    place: &PlaceAccess,
    project: &ProjectId,
    session: SessionId,
    command: &str,
    within: Duration,
) -> Result<String, FileCommandFailure> {
    let run = || {
        let id = session.to_string();
        let args = [PLACE_VERB, FILES, &place.folder, project.as_str(), &id];
        let control = control_socket(session).ok();
        let sharing = control.as_deref().map_or(Sharing::Alone, Sharing::Uses);
        let mut words = place.command(sharing, &args).into_iter();
        let program = Program::new(words.next().unwrap_or_default()).args(words);
        program.stdin(command.as_bytes().to_vec()).env("LC_ALL", "C").timeout(within).cap(ANSWER_MAX).run()
    };
    let failed = |said: String| FileCommandFailure { code: None, said };
    // The container of a paused session may be stopped.
    if let Reach::Container(container) = &place.reach {
        container.make_ready(false).map_err(|error| failed(error.to_string()))?;
    }
    let mut done = run().map_err(|error| failed(error.to_string()))?;
    if done.code == Some(NOT_FOUND) && is_copied(place) {
        copy_program(place).map_err(failed)?;
        done = run().map_err(|error| failed(error.to_string()))?;
    }
    answer_of(&done)
}

fn answer_of(done: &Finished) -> Result<String, FileCommandFailure> {
    if !done.ok() {
        return Err(FileCommandFailure { code: done.code, said: done.err() });
    }
    // A login script may have printed other lines first.
    let output = done.out();
    let answer = output.trim_end().lines().last().map(str::to_owned);
    answer.ok_or_else(|| FileCommandFailure { code: done.code, said: "it did not answer".to_owned() })
}
