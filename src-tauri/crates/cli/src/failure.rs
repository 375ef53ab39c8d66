//! Why a command ended without its result, and what is printed then.

use bc_wire::{ApiError, ErrorCode};
use serde::Serialize;
use std::io::{self, Write};

/// Why a command ended without its result.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The command failed.
    #[error("{0}")]
    Api(ApiError),
    /// Its result could not be printed.
    #[error("the result could not be printed")]
    Output(#[source] io::Error),
    /// The report was printed and says that something is wrong.
    #[error("something is missing")]
    Reported,
}

impl From<ApiError> for Failure {
    fn from(error: ApiError) -> Self {
        Failure::Api(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Output(error)
    }
}

impl Failure {
    /// A usage error.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Failure::Api(ApiError::new(ErrorCode::Usage, message))
    }

    /// The error to tell of; `None` where there is nothing more to say: whoever read our output went
    /// away, or the report says it all.
    pub(crate) fn told(self) -> Option<ApiError> {
        match self {
            Failure::Api(error) => Some(error),
            Failure::Output(e) if e.kind() == io::ErrorKind::BrokenPipe => None,
            Failure::Output(e) if e.kind() == io::ErrorKind::StorageFull => {
                Some(ApiError::new(ErrorCode::DiskFull, format!("the result could not be written: {e}")))
            }
            Failure::Output(e) => {
                Some(ApiError::new(ErrorCode::Io, format!("the result could not be written: {e}")))
            }
            Failure::Reported => None,
        }
    }

    /// The exit code. A reader that went away has what it wanted: that is no failure.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Failure::Api(error) => error.code.exit_code(),
            Failure::Output(e) if e.kind() == io::ErrorKind::BrokenPipe => 0,
            Failure::Output(_) | Failure::Reported => 1,
        }
    }
}

/// Errors under `--json`: `{"error":{"code","message","hint"}}`.
#[derive(Serialize)]
struct Envelope<'a> {
    error: Entry<'a>,
}

#[derive(Serialize)]
struct Entry<'a> {
    code: ErrorCode,
    message: &'a str,
    hint: Option<&'a str>,
}

/// Prints an error on standard error. That this fails is nobody's to hear.
pub(crate) fn tell(error: &ApiError, json: bool, err: &mut dyn Write) {
    let _ = match json {
        true => {
            let entry = Entry { code: error.code, message: &error.message, hint: error.hint.as_deref() };
            let line = serde_json::to_string(&Envelope { error: entry })
                .expect("a code and two texts are always JSON");
            writeln!(err, "{line}")
        }
        false => {
            let hint = error.hint.as_ref().map(|hint| format!("\n  {}", indent(hint)));
            writeln!(err, "beads-console: {}{}", indent(&error.message), hint.unwrap_or_default())
        }
    };
    let _ = err.flush();
}

/// What an error quotes is data: nothing of it moves the cursor.
fn indent(text: &str) -> String {
    bc_core::text::plain(text.trim_end()).replace('\n', "\n  ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(error: &ApiError, json: bool) -> String {
        let mut text = Vec::new();
        tell(error, json, &mut text);
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn an_error_says_what_happened_and_what_to_do() {
        let error = ApiError::new(ErrorCode::NoBeads, "/tmp/x has no beads").hint("run `beads-console init`");
        assert_eq!(told(&error, false), "beads-console: /tmp/x has no beads\n  run `beads-console init`\n");
        assert_eq!(
            told(&error, true),
            "{\"error\":{\"code\":\"no_beads\",\"message\":\"/tmp/x has no beads\",\"hint\":\"run `beads-console init`\"}}\n"
        );
    }

    #[test]
    fn what_an_error_quotes_does_not_move_the_cursor() {
        let error = ApiError::new(ErrorCode::TrackerFailed, "bd said: \u{1b}[2J\u{1b}]0;owned\u{7}no");
        assert!(!told(&error, false).contains(['\u{1b}', '\u{7}']));
    }

    #[test]
    fn a_reader_that_went_away_is_no_failure() {
        let failure = Failure::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!((failure.exit_code(), failure.told()), (0, None));
        let full = Failure::from(io::Error::from(io::ErrorKind::StorageFull));
        assert_eq!((full.exit_code(), full.told().map(|e| e.code)), (1, Some(ErrorCode::DiskFull)));
    }
}
