//! Runs an interactive program, such as an editor, on this process's terminal.
//!
//! The program shares the standard streams of this process and has no deadline, because it is interactive.

use crate::{captured_output::reap, child_reaper, find, private_env};
use std::{
    ffi::{OsStr, OsString},
    io,
    path::PathBuf,
    process::{Child, Command},
};

/// A program could not be run on the terminal or, for [`crate::piped`], with pipes.
#[derive(Debug, thiserror::Error)]
pub enum ForegroundError {
    #[error("{} was not found", .program.display())]
    NotFound { program: PathBuf },
    /// The operating system refused to start the program.
    #[error("cannot start {}: {source}", .program.display())]
    Spawn {
        program: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("cannot wait for {}: {source}", .program.display())]
    Wait {
        program: PathBuf,
        #[source]
        source: io::Error,
    },
}

/// Runs the program on this process's terminal until it exits. Returns its exit code, or `None` if it was
/// killed by a signal.
pub fn run(
    program: &OsStr,
    args: impl IntoIterator<Item = OsString>,
) -> Result<Option<i32>, ForegroundError> {
    let mut command = command(program)?;
    command.args(args);
    let status = reap(&mut spawn(&mut command)?);
    status
        .map(|status| status.code())
        .map_err(|source| ForegroundError::Wait { program: program.into(), source })
}

/// Returns a command for this program, which is looked up in PATH. Its environment lacks the hidden
/// variables.
pub(crate) fn command(program: &OsStr) -> Result<Command, ForegroundError> {
    let missing = || ForegroundError::NotFound { program: program.into() };
    let path = find::find(&program.to_string_lossy(), None).ok_or_else(missing)?;
    #[allow(clippy::disallowed_methods, reason = "this crate spawns")]
    let mut command = Command::new(path);
    private_env::remove_from(&mut command);
    Ok(command)
}

pub(crate) fn spawn(command: &mut Command) -> Result<Child, ForegroundError> {
    child_reaper::spawn(|| command.spawn(), Child::id)
        .map_err(|source| ForegroundError::Spawn { program: command.get_program().into(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_waits_for_the_program_and_returns_its_exit_code() {
        let (shell, option) = if cfg!(windows) { ("cmd", "/c") } else { ("sh", "-c") };
        let script = [option, "exit 3"].map(OsString::from);
        assert_eq!(run(shell.as_ref(), script).unwrap(), Some(3));
    }

    #[test]
    fn a_missing_program_is_named() {
        let error = run("no-such-editor-here".as_ref(), []).unwrap_err();
        assert!(matches!(error, ForegroundError::NotFound { .. }), "{error}");
    }
}
