//! Running a program on the terminal that this one has: an editor, for instance.
//!
//! It shares our standard streams and is waited for without a deadline: a person sits at it.

use crate::{find, owned};
use std::{
    ffi::{OsStr, OsString},
    io,
    path::{Path, PathBuf},
    process::{Child, Command},
};

/// A program that could not be run on the terminal.
#[derive(Debug, thiserror::Error)]
pub enum ForegroundError {
    /// There is no such program.
    #[error("{} was not found", .program.display())]
    NotFound {
        /// What was to run.
        program: PathBuf,
    },
    /// The system refused to start it.
    #[error("{} could not be started: {source}", .program.display())]
    Spawn {
        /// What was to run.
        program: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// Its end could not be awaited.
    #[error("{} could not be waited for: {source}", .program.display())]
    Wait {
        /// What ran.
        program: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
}

/// Runs it to its end. The exit code; `None` when a signal ended it.
pub fn run(
    program: &OsStr,
    args: impl IntoIterator<Item = OsString>,
) -> Result<Option<i32>, ForegroundError> {
    let missing = || ForegroundError::NotFound { program: program.into() };
    let path = find::find(&program.to_string_lossy(), None).ok_or_else(missing)?;
    // The one place that hands our terminal to another program.
    #[allow(clippy::disallowed_methods)]
    let mut command = Command::new(&path);
    command.args(args);
    let mut child = owned::spawn(|| command.spawn(), Child::id)
        .map_err(|source| ForegroundError::Spawn { program: path.clone(), source })?;
    let status = child.wait();
    owned::collected(child.id());
    match status {
        Ok(status) => Ok(status.code()),
        Err(source) => Err(ForegroundError::Wait { program: Path::new(program).into(), source }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_waited_for_and_its_exit_code_told() {
        let script = ["-c", "exit 3"].map(OsString::from);
        assert_eq!(run("sh".as_ref(), script).unwrap(), Some(3));
    }

    #[test]
    fn a_missing_program_is_named() {
        let error = run("no-such-editor-here".as_ref(), []).unwrap_err();
        assert!(matches!(error, ForegroundError::NotFound { .. }), "{error}");
    }
}
