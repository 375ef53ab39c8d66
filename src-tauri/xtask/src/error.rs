//! Errors of xtask.

use std::{error::Error, io, path::PathBuf, process::ExitStatus};

#[derive(Debug, thiserror::Error)]
pub(crate) enum XtaskError {
    #[error("{program} was not found: {hint}")]
    Missing { program: String, hint: &'static str },
    #[error("{program} could not be started")]
    Start { program: String, source: io::Error },
    #[error("the output of {program} could not be read")]
    Output { program: String, source: io::Error },
    #[error("`{line}` ended with {status}")]
    Ended { line: String, status: ExitStatus },
    #[error("`{line}` ended with {status}:\n{last}")]
    #[cfg(target_os = "linux")]
    EndedWithOutput { line: String, status: ExitStatus, last: String },
    #[error("{part}: {why}")]
    #[cfg(target_os = "linux")]
    Trial { part: &'static str, why: String },
    #[error("the workspace could not be read with `cargo metadata`")]
    Metadata { source: Box<cargo_metadata::Error> },
    #[error("there is no cache folder: set XDG_CACHE_HOME or HOME")]
    NoCache,
    #[error("{} could not be read", .path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{} could not be written", .path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("{} could not be copied to {}", .from.display(), .to.display())]
    Copy { from: PathBuf, to: PathBuf, source: io::Error },
    #[error("{part} could not be installed: {why}")]
    Part { part: &'static str, why: String },
}

impl XtaskError {
    #[cfg(target_os = "linux")]
    pub(crate) fn trial(part: &'static str, why: &str) -> XtaskError {
        XtaskError::Trial { part, why: why.to_owned() }
    }
}

pub(crate) fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        cause = inner.source();
    }
    text
}
