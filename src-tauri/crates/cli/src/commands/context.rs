//! The environment of a command, and its output.

use crate::{args::Text, failure::Failure, io::Io, output::Style};
use bc_core::ids::SessionId;
use bc_wire::{ApiError, ErrorCode, api::Api};
use serde::Serialize;

/// A command's environment: the project's contract, and the user's terminal.
pub(crate) struct Context<'a> {
    pub(crate) api: &'a dyn Api,
    pub(crate) io: &'a mut dyn Io,
    /// Whether results are printed as JSON.
    pub(crate) json: bool,
}

/// The next step after a command has printed its result.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Next {
    Done,
    /// Open this session's terminal.
    Attach(SessionId),
}

impl Context<'_> {
    /// Prints the result as JSON, or as the text that `human` returns.
    pub(super) fn print<T: Serialize>(
        &mut self,
        result: &T,
        human: impl FnOnce(&T, &Style) -> String,
    ) -> Result<(), Failure> {
        print(result, self.json, self.io, human)
    }

    /// Prints the result as [`Context::print`] does, then its warnings.
    pub(super) fn print_warned<T: Serialize>(
        &mut self,
        result: &T,
        warnings: &[String],
        human: impl FnOnce(&T, &Style) -> String,
    ) -> Result<(), Failure> {
        self.print(result, human)?;
        self.warn(warnings)
    }

    /// Prints warnings; JSON results already contain them.
    pub(super) fn warn(&mut self, warnings: &[String]) -> Result<(), Failure> {
        warn(warnings, self.json, self.io)
    }

    /// Prints a note that is not part of the result; omitted with JSON.
    pub(super) fn note(&mut self, text: &str) -> Result<(), Failure> {
        if !self.json {
            writeln!(self.io.err(), "{text}")?;
        }
        Ok(())
    }

    /// The text of an argument, read from standard input if the argument is `-`.
    pub(super) fn read(&mut self, text: Text) -> Result<String, ApiError> {
        match text {
            Text::Given(text) => Ok(text),
            Text::Stdin => self.io.read_text(),
        }
    }

    /// Like [`Context::read`], without the white space at the end of standard input.
    pub(super) fn read_trimmed(&mut self, text: Text) -> Result<String, ApiError> {
        match text {
            Text::Given(text) => Ok(text),
            Text::Stdin => Ok(self.io.read_text()?.trim_end().to_owned()),
        }
    }

    /// Asks for consent, as [`agrees`] does.
    pub(super) fn agrees(&mut self, refusal: ApiError) -> Result<bool, Failure> {
        agrees(refusal, self.json, self.io)
    }

    /// Asks whether to submit work without a commit. Without a terminal or with JSON, fails with the refusal.
    pub(super) fn agrees_without_commit(&mut self, refusal: ApiError) -> Result<bool, Failure> {
        if self.json || !self.io.can_ask() {
            return Err(refusal.into());
        }
        Ok(self.io.ask(&format!("{}; submit it anyway?", refusal.message))?)
    }
}

/// Asks for consent. Without a terminal or with JSON, fails with the refusal, whose hint names the option that
/// gives consent.
pub(super) fn agrees(refusal: ApiError, json: bool, io: &mut dyn Io) -> Result<bool, Failure> {
    if json || !io.can_ask() {
        let hint = match refusal.hint {
            Some(hint) if hint.contains("--yes") || hint.contains("--force") => hint,
            Some(hint) => format!("{hint}; agree with --yes"),
            None => "agree with --yes".to_owned(),
        };
        return Err(ApiError { hint: Some(hint), ..refusal }.into());
    }
    Ok(io.ask(&refusal.message)?)
}

/// Prints warnings, except with JSON.
pub(super) fn warn(warnings: &[String], json: bool, io: &mut dyn Io) -> Result<(), Failure> {
    for warning in warnings.iter().filter(|_| !json) {
        writeln!(io.err(), "warning: {}", bc_core::text::plain(warning))?;
    }
    Ok(())
}

/// Prints a result as JSON, or as the text that `human` returns.
pub(super) fn print<T: Serialize>(
    result: &T,
    json: bool,
    io: &mut dyn Io,
    human: impl FnOnce(&T, &Style) -> String,
) -> Result<(), Failure> {
    let text = match json {
        false => human(result, &io.style()),
        true => json_text(result)?,
    };
    Ok(io.out().write_all(text.as_bytes())?)
}

/// The result as indented JSON, with a final newline.
pub(super) fn json_text(result: &impl Serialize) -> Result<String, ApiError> {
    let text = serde_json::to_string_pretty(result);
    text.map(|text| text + "\n")
        .map_err(|e| ApiError::new(ErrorCode::Internal, format!("cannot serialize the result: {e}")))
}
