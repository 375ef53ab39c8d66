//! Failures of a command, and how they are printed.

use bc_wire::{ApiError, ErrorCode};
use serde_json::json;
use std::io::{self, Write};

/// Why a command ended without a result.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The command failed.
    #[error("{0}")]
    Api(#[from] ApiError),
    /// Printing the result failed.
    #[error("cannot write the result")]
    Output(#[from] io::Error),
    /// Some of several items failed; the code is that of the first failure. All results and errors are
    /// already printed.
    #[error("a part of the work failed")]
    Partly(ErrorCode),
    /// The command has printed a report that describes a problem.
    #[error("the report describes a problem")]
    Reported,
}

impl Failure {
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Failure::Api(ApiError::new(ErrorCode::Usage, message))
    }

    /// The error to print. `None` if stdout's reader closed the pipe, or if the output already reports the failure.
    pub(crate) fn into_printed(self) -> Option<ApiError> {
        match self {
            Failure::Api(error) => Some(error),
            Failure::Output(e) if e.kind() == io::ErrorKind::BrokenPipe => None,
            Failure::Output(e) if e.kind() == io::ErrorKind::StorageFull => {
                Some(ApiError::new(ErrorCode::DiskFull, format!("cannot write the result: {e}")))
            }
            Failure::Output(e) => Some(ApiError::new(ErrorCode::Io, format!("cannot write the result: {e}"))),
            Failure::Partly(_) | Failure::Reported => None,
        }
    }

    /// The exit code. A closed pipe counts as success, because the reader needs no more output.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Failure::Api(error) => error.code.exit_code(),
            Failure::Partly(code) => code.exit_code(),
            Failure::Output(e) if e.kind() == io::ErrorKind::BrokenPipe => 0,
            Failure::Output(_) | Failure::Reported => 1,
        }
    }
}

/// Prints an error to standard error; as JSON, in the form `{"error":{"code","message","hint"}}`. A failure to print
/// it is ignored.
pub(crate) fn print_error(error: &ApiError, json: bool, err: &mut dyn Write) {
    let _ = match json {
        true => {
            let ApiError { code, message, hint } = error;
            let line = json!({ "error": { "code": code, "message": message, "hint": hint } });
            writeln!(err, "{line}")
        }
        false => {
            let hint = error.hint.as_ref().map(|hint| format!("\n  {}", indent(hint)));
            writeln!(err, "beads-console: {}{}", indent(&error.message), hint.unwrap_or_default())
        }
    };
    let _ = err.flush();
}

/// Indents all lines but the first, and strips control characters, because an error may quote untrusted data.
fn indent(text: &str) -> String {
    bc_core::text::plain(text.trim_end()).replace('\n', "\n  ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(error: &ApiError, json: bool) -> String {
        let mut text = Vec::new();
        print_error(error, json, &mut text);
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn error_has_message_and_hint() {
        let error = ApiError::new(ErrorCode::NoBeads, "/tmp/x has no beads").hint("run `beads-console init`");
        assert_eq!(
            printed(&error, false),
            "beads-console: /tmp/x has no beads\n  run `beads-console init`\n"
        );
        assert_eq!(
            printed(&error, true),
            "{\"error\":{\"code\":\"no_beads\",\"message\":\"/tmp/x has no beads\",\"hint\":\"run `beads-console init`\"}}\n"
        );
    }

    #[test]
    fn error_text_has_no_control_characters() {
        let error = ApiError::new(ErrorCode::TrackerFailed, "bd said: \u{1b}[2J\u{1b}]0;owned\u{7}no");
        assert!(!printed(&error, false).contains(['\u{1b}', '\u{7}']));
    }

    #[test]
    fn closed_pipe_is_a_success() {
        let failure = Failure::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!((failure.exit_code(), failure.into_printed()), (0, None));
        let full = Failure::from(io::Error::from(io::ErrorKind::StorageFull));
        assert_eq!((full.exit_code(), full.into_printed().map(|e| e.code)), (1, Some(ErrorCode::DiskFull)));
    }
}
