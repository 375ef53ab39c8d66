//! Parsed values of the command line.

use bc_core::{Timestamp, bead::BeadStatus, ids::SessionId, session::Status};
use bc_wire::session::{ExportFormat, ResumePlace};
use clap::Args;
use serde::de::DeserializeOwned;
use std::{fmt, str::FromStr};

/// The error for an invalid value, which states the expected form. Clap adds the argument's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Expected(&'static str);

/// A session as given by the user: the whole id, or its first digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SessionKey {
    /// The whole id.
    Whole(SessionId),
    /// Its first hex digits, lower case, without hyphens; at least four, fewer than all.
    Prefix(String),
}

/// A session on the command line.
#[derive(Debug, Args)]
pub(crate) struct SessionArg {
    /// Session id, or its first digits (at least four).
    pub(crate) id: SessionKey,
}

impl FromStr for SessionKey {
    type Err = Expected;
    fn from_str(text: &str) -> Result<Self, Expected> {
        if let Ok(id) = text.parse() {
            return Ok(SessionKey::Whole(id));
        }
        let digits: String = text.chars().filter(|&c| c != '-').collect::<String>().to_ascii_lowercase();
        let fits = (4..32).contains(&digits.len()) && !text.starts_with('-');
        match fits && digits.chars().all(|c| c.is_ascii_hexdigit()) {
            true => Ok(SessionKey::Prefix(digits)),
            false => Err(Expected("expected a session id, or at least its first four hex digits")),
        }
    }
}

impl fmt::Display for SessionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SessionKey::Whole(id) => id.fmt(f),
            SessionKey::Prefix(digits) => f.write_str(digits),
        }
    }
}

/// A text on the command line, or `-` for standard input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Text {
    /// The text itself.
    Given(String),
    /// The content of standard input.
    Stdin,
}

impl FromStr for Text {
    type Err = std::convert::Infallible;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "-" => Text::Stdin,
            text => Text::Given(text.to_owned()),
        })
    }
}

/// Parses `P0` to `P4`, or `0` to `4`.
pub(crate) fn priority(text: &str) -> Result<u8, Expected> {
    let digits = text.strip_prefix(['P', 'p']).unwrap_or(text);
    match digits.as_bytes() {
        [digit @ b'0'..=b'4'] => Ok(digit - b'0'),
        _ => Err(Expected("expected P0 to P4, or 0 to 4")),
    }
}

/// Parses a bead status of the tracker. `ready` is not a status: it has its own command.
pub(crate) fn bead_status(text: &str) -> Result<BeadStatus, Expected> {
    match text {
        "ready" => Err(Expected("ready is not a status; see `bead ready`")),
        "" => Err(Expected("expected a status, such as open")),
        word if word.chars().any(|c| c.is_whitespace() || c.is_control()) || word.starts_with('-') => {
            Err(Expected("expected a single word, such as open"))
        }
        word => Ok(BeadStatus::from(word.to_owned())),
    }
}

pub(crate) fn session_status(text: &str) -> Result<Status, Expected> {
    wire_name(text, "expected draft, active, paused or closed")
}

pub(crate) fn export_format(text: &str) -> Result<ExportFormat, Expected> {
    match text {
        "md" | "markdown" => Ok(ExportFormat::Md),
        "html" => Ok(ExportFormat::Html),
        "json" => Ok(ExportFormat::Json),
        _ => Err(Expected("expected md, html or json")),
    }
}

pub(crate) fn resume_place(text: &str) -> Result<ResumePlace, Expected> {
    wire_name(text, "expected restore, stay or worktree")
}

/// Parses the name that a value has in the contract.
fn wire_name<T: DeserializeOwned>(text: &str, expected: &'static str) -> Result<T, Expected> {
    serde_json::from_value(text.into()).map_err(|_| Expected(expected))
}

/// A time on the command line: a date means the start of that day in the local time zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Moment(pub(crate) Timestamp);

impl FromStr for Moment {
    type Err = Expected;
    fn from_str(text: &str) -> Result<Self, Expected> {
        if let Ok(at) = Timestamp::parse_from_rfc3339(text) {
            return Ok(Moment(at));
        }
        let day = text.parse::<chrono::NaiveDate>().ok();
        let begins = day.and_then(|day| {
            let midnight = day.and_hms_opt(0, 0, 0)?;
            // If a clock change skips midnight, the day starts an hour later.
            let later = midnight + chrono::Duration::hours(1);
            let local = |at: chrono::NaiveDateTime| at.and_local_timezone(chrono::Local).earliest();
            local(midnight).or_else(|| local(later))
        });
        begins
            .map(|at| Moment(at.fixed_offset()))
            .ok_or(Expected("expected a day such as 2026-01-19, or a time in RFC 3339"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn session_key_is_an_id_or_at_least_four_digits() {
        let whole = "3F2504E0-4f89-41d3-9a0c-0305e82c3301";
        assert!(matches!(whole.parse(), Ok(SessionKey::Whole(_))));
        assert!(matches!(whole.replace('-', "").parse(), Ok(SessionKey::Whole(_))));
        for (text, digits) in [("3F25", "3f25"), ("3f2504e0-4f", "3f2504e04f")] {
            assert_eq!(text.parse(), Ok(SessionKey::Prefix(digits.to_owned())));
        }
        for bad in ["", "3f2", "-3f25", "xyz1", "3f25;rm", &"a".repeat(33), "../3f25"] {
            assert!(bad.parse::<SessionKey>().is_err(), "{bad:?} was accepted");
        }
    }

    #[test]
    fn priority_prefix_is_optional() {
        assert_eq!(["P0", "p4", "2"].map(priority), [Ok(0), Ok(4), Ok(2)]);
        for bad in ["", "P", "5", "P5", "-1", "22", "PP1", "high"] {
            assert!(priority(bad).is_err(), "{bad:?} was accepted");
        }
    }

    #[test]
    fn date_means_start_of_day() {
        let at = |text: &str| text.parse::<Moment>().map(|moment| moment.0);
        let day = at("2026-01-19").unwrap();
        assert_eq!(day.format("%Y-%m-%d %H:%M:%S").to_string(), "2026-01-19 00:00:00");
        assert_eq!(at("2026-01-19T10:00:00-06:00").unwrap().to_rfc3339(), "2026-01-19T10:00:00-06:00");
        for bad in ["", "yesterday", "2026-02-30", "19.01.2026", "2026-01-19 10:00"] {
            assert!(at(bad).is_err(), "{bad:?} was accepted");
        }
    }

    #[test]
    fn ready_status_hints_at_its_own_command() {
        assert!(bead_status("ready").unwrap_err().0.contains("bead ready"));
        assert_eq!(bead_status("in_progress"), Ok(BeadStatus::InProgress));
        assert_eq!(bead_status("my_own"), Ok(BeadStatus::Other("my_own".into())));
    }
}
