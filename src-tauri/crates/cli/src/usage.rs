//! Parses the command line into [`Args`], and prints usage errors.

use crate::{
    args::{self, Args, OnArgs},
    failure::{self, Failure},
    io::Io,
};
use bc_wire::{ApiError, ErrorCode};
use clap::{Parser, error::ErrorKind};
use std::ffi::OsString;

/// Parses the arguments. Returns the exit code as the error if no command has to run: after help, version, or
/// a usage error.
pub(crate) fn parse(words: &[OsString], io: &mut dyn Io) -> Result<Args, u8> {
    parsed(words, args::parse(words), io)
}

/// Parses the arguments of `--on HOST`, as [`parse`] does.
pub(crate) fn parse_on(words: &[OsString], io: &mut dyn Io) -> Result<OnArgs, u8> {
    parsed(words, OnArgs::try_parse_from(words), io)
}

fn parsed<T>(words: &[OsString], parsed: Result<T, clap::Error>, io: &mut dyn Io) -> Result<T, u8> {
    parsed.map_err(|error| {
        let text = error.render();
        if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
            let text = if io.style().colour { text.ansi().to_string() } else { text.to_string() };
            let printed = io.out().write_all(text.as_bytes()).map_err(Failure::from);
            return conclude(printed, false, io);
        }
        match wants_json(words) {
            true => failure::print_error(&as_api_error(&error), true, io.err()),
            // A failure is ignored: if standard error is not writable, nothing can be reported.
            false => drop(io.err().write_all(bc_core::text::plain(&text.to_string()).as_bytes())),
        }
        ErrorCode::Usage.exit_code()
    })
}

/// Flushes the output, prints the failure, if any, and returns the exit code.
pub(crate) fn conclude(result: Result<(), Failure>, json: bool, io: &mut dyn Io) -> u8 {
    let Err(failure) = result.and_then(|()| Ok(io.out().flush()?)) else { return 0 };
    // Flush the output printed before the failure.
    let _ = io.out().flush();
    let code = failure.exit_code();
    if let Some(error) = failure.into_printed() {
        failure::print_error(&error, json, io.err());
    }
    code
}

/// Whether the words request JSON errors. Used if the command line could not be parsed.
fn wants_json(words: &[OsString]) -> bool {
    words.iter().take_while(|word| *word != "--").any(|word| word == "--json")
}

/// Converts clap's error: the message without the `error:` label, and the tip or the usage line as the hint.
fn as_api_error(error: &clap::Error) -> ApiError {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return ApiError::new(ErrorCode::Usage, "missing command").hint("see --help");
    }
    let text = error.render().to_string();
    let (message, rest) = text.split_once("\n\n").unwrap_or((&text, ""));
    let usage = rest.lines().find(|line| line.trim_start().starts_with("Usage:")).map(str::trim);
    let tip = rest.lines().find_map(|line| line.trim_start().strip_prefix("tip:")).map(str::trim);
    let message = message.strip_prefix("error:").unwrap_or(message).trim();
    let hint = tip.or(usage).unwrap_or("see --help");
    ApiError::new(ErrorCode::Usage, message).hint(hint)
}

#[cfg(test)]
mod tests {
    use crate::test_doubles::{FakeProject, FakeUser};

    fn error(line: &[&str]) -> (u8, serde_json::Value) {
        let ran = FakeProject::new().run(line, FakeUser::away());
        assert!(ran.calls.is_empty() && ran.out.is_empty());
        (ran.code, serde_json::from_str::<serde_json::Value>(&ran.err).unwrap()["error"].take())
    }

    #[test]
    fn usage_errors_are_json_with_the_json_option() {
        let (code, json) = error(&["session", "send", "--json"]);
        assert_eq!((code, &json["code"]), (2, &"usage".into()));
        assert!(json["message"].as_str().unwrap().contains("<ID>"), "{json}");
        assert!(json["hint"].as_str().unwrap().starts_with("Usage:"), "{json}");
        for line in [
            &["--json"][..],
            &["--json", "session"],
            &["--json", "nonsense"],
            &["bead", "show", "--json", "../x"],
        ] {
            assert_eq!(error(line).0, 2, "{line:?}");
        }
    }

    #[test]
    fn usage_errors_are_text_without_the_json_option() {
        let ran = FakeProject::new().run(&["bead", "show", "a\u{1b}[2J/b"], FakeUser::away());
        assert_eq!((ran.code, ran.out.as_str()), (2, ""));
        assert!(ran.err.contains("is not a bead id") && !ran.err.contains('\u{1b}'), "{}", ran.err);
    }

    #[test]
    fn help_and_version_go_to_stdout() {
        let help = FakeProject::new().run(&["--help"], FakeUser::away());
        assert_eq!((help.code, help.err.as_str()), (0, ""));
        assert!(help.out.contains("Exit codes"), "{}", help.out);
        assert_eq!(FakeProject::new().run(&["--version"], FakeUser::away()).code, 0);
    }
}
