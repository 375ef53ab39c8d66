//! From words to [`Args`], and what is printed where they make no sense.

use crate::{
    args::{self, Args},
    failure::{self, Failure},
    io::Io,
};
use bc_wire::{ApiError, ErrorCode};
use clap::error::ErrorKind;
use std::ffi::OsString;

/// The arguments; or the exit code where there is nothing to run: help, version, a usage error.
pub(crate) fn parse(words: &[OsString], io: &mut dyn Io) -> Result<Args, u8> {
    args::parse(words).map_err(|error| {
        let helps = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
        let colour = io.looks().colour;
        let text = match colour {
            true => error.render().ansi().to_string(),
            false => error.render().to_string(),
        };
        match (helps, wants_json(words)) {
            (true, _) => {
                let printed = io.out().write_all(text.as_bytes()).map_err(Failure::from);
                conclude(printed, false, io)
            }
            (false, true) => {
                failure::tell(&as_api_error(&error), true, io.err());
                ErrorCode::Usage.exit_code()
            }
            (false, false) => {
                // Standard error that cannot be written to is nobody's to hear of.
                let _ = io.err().write_all(bc_core::text::plain(&error.render().to_string()).as_bytes());
                ErrorCode::Usage.exit_code()
            }
        }
    })
}

/// Prints why a command failed, and says its exit code.
pub(crate) fn conclude(result: Result<(), Failure>, json: bool, io: &mut dyn Io) -> u8 {
    let result = result.and_then(|()| Ok(io.out().flush()?));
    match result {
        Ok(()) => 0,
        Err(failure) => {
            // What was printed before the failure still belongs to the reader.
            let _ = io.out().flush();
            let code = failure.exit_code();
            if let Some(error) = failure.told() {
                failure::tell(&error, json, io.err());
            }
            code
        }
    }
}

/// Whether errors are wanted as JSON, when the words could not be understood as a whole.
fn wants_json(words: &[OsString]) -> bool {
    words.iter().take_while(|word| *word != "--").any(|word| word == "--json")
}

/// Clap's text without its label; the usage line, as the hint.
fn as_api_error(error: &clap::Error) -> ApiError {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return ApiError::new(ErrorCode::Usage, "a command is missing").hint("see --help");
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
    use crate::fake::{Fake, Person};

    fn error(line: &[&str]) -> (u8, serde_json::Value) {
        let ran = Fake::new().run(line, Person::away());
        assert!(ran.calls.is_empty() && ran.out.is_empty());
        (ran.code, serde_json::from_str::<serde_json::Value>(&ran.err).unwrap()["error"].take())
    }

    #[test]
    fn usage_errors_are_json_where_json_is_wanted() {
        let (code, told) = error(&["session", "send", "--json"]);
        assert_eq!((code, &told["code"]), (2, &"usage".into()));
        assert!(told["message"].as_str().unwrap().contains("<ID>"), "{told}");
        assert!(told["hint"].as_str().unwrap().starts_with("Usage:"), "{told}");
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
    fn usage_errors_are_text_elsewhere() {
        let ran = Fake::new().run(&["bead", "show", "a\u{1b}[2J/b"], Person::away());
        assert_eq!((ran.code, ran.out.as_str()), (2, ""));
        assert!(ran.err.contains("is not a bead id") && !ran.err.contains('\u{1b}'), "{}", ran.err);
    }

    #[test]
    fn help_and_version_are_results() {
        let help = Fake::new().run(&["--help"], Person::away());
        assert_eq!((help.code, help.err.as_str()), (0, ""));
        assert!(help.out.contains("Exit codes"), "{}", help.out);
        assert_eq!(Fake::new().run(&["--version"], Person::away()).code, 0);
    }
}
