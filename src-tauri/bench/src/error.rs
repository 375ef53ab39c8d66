//! The errors of the measurements.

use std::{error::Error, io, path::PathBuf, time::Duration};

/// The reason why a row could not be measured.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BenchError {
    #[error("{what} is missing: {hint}")]
    Missing { what: String, hint: &'static str },
    #[error("{} could not be started", .program.display())]
    Start { program: PathBuf, source: io::Error },
    /// A program ended early or produced unexpected output.
    #[error("{subject} {problem}")]
    UnexpectedOutput { subject: String, problem: String },
    #[error("{what}")]
    Io { what: String, source: io::Error },
    #[error("the WebSocket to {to}")]
    Socket { to: String, source: Box<tungstenite::Error> },
    #[error("still waiting after {after:?} for {what}")]
    TimedOut { what: String, after: Duration },
    /// The received bytes of a flood differ from the sent ones.
    #[error("wrong bytes at offset {offset} of {what}")]
    WrongBytes { what: String, offset: u64 },
}

impl BenchError {
    pub(crate) fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> BenchError {
        let what = what.into();
        move |source| BenchError::Io { what, source }
    }

    pub(crate) fn socket(to: &str) -> impl FnOnce(tungstenite::Error) -> BenchError {
        let to = to.to_owned();
        move |source| BenchError::Socket { to, source: Box::new(source) }
    }

    pub(crate) fn unexpected_output(subject: impl Into<String>, problem: impl Into<String>) -> BenchError {
        BenchError::UnexpectedOutput { subject: subject.into(), problem: problem.into() }
    }

    /// The error and its causes in one line, for the table.
    pub(crate) fn line(&self) -> String {
        let mut text = self.to_string();
        let mut cause = self.source();
        while let Some(inner) = cause {
            text = format!("{text}: {inner}");
            cause = inner.source();
        }
        text
    }
}
