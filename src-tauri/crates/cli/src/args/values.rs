//! Words of the command line that are more than text.

use bc_core::{Timestamp, bead::BeadStatus, ids::SessionId, session::Status};
use bc_wire::session::{ExportFormat, ResumePlace};
use clap::Args;
use std::{fmt, str::FromStr};

/// What is wanted in place of what was given; clap puts the argument's name in front.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Wanted(&'static str);

/// A session as a person names it: the whole id, or its first digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SessionKey {
    /// All of it.
    Whole(SessionId),
    /// Its first hex digits, lower case, without hyphens; at least four, fewer than all.
    Prefix(String),
}

/// A session on the command line.
#[derive(Debug, Args)]
pub(crate) struct One {
    /// The session: its id, or the first digits of it, four or more.
    #[arg(value_name = "ID")]
    pub(crate) id: SessionKey,
}

impl FromStr for SessionKey {
    type Err = Wanted;
    fn from_str(text: &str) -> Result<Self, Wanted> {
        if let Ok(id) = text.parse() {
            return Ok(SessionKey::Whole(id));
        }
        let digits: String = text.chars().filter(|&c| c != '-').collect::<String>().to_ascii_lowercase();
        let fits = (4..32).contains(&digits.len()) && !text.starts_with('-');
        match fits && digits.chars().all(|c| c.is_ascii_hexdigit()) {
            true => Ok(SessionKey::Prefix(digits)),
            false => Err(Wanted("a session id, or its first four or more hex digits, is wanted")),
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
    /// As it stands.
    Given(String),
    /// What standard input has.
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

/// `P0` to `P4`, or `0` to `4`.
pub(crate) fn priority(text: &str) -> Result<u8, Wanted> {
    let digits = text.strip_prefix(['P', 'p']).unwrap_or(text);
    match digits.as_bytes() {
        [digit @ b'0'..=b'4'] => Ok(digit - b'0'),
        _ => Err(Wanted("P0 to P4, or 0 to 4, is wanted")),
    }
}

/// A tracker's word for a state. `ready` is no state: it has a command of its own.
pub(crate) fn bead_status(text: &str) -> Result<BeadStatus, Wanted> {
    match text {
        "ready" => Err(Wanted("ready is computed from the links; see `bead ready`")),
        "" => Err(Wanted("a state is wanted, open for instance")),
        word if word.chars().any(|c| c.is_whitespace() || c.is_control()) || word.starts_with('-') => {
            Err(Wanted("a state is one word, open for instance"))
        }
        word => Ok(BeadStatus::from(word.to_owned())),
    }
}

/// A session's state.
pub(crate) fn session_status(text: &str) -> Result<Status, Wanted> {
    match text {
        "draft" => Ok(Status::Draft),
        "active" => Ok(Status::Active),
        "paused" => Ok(Status::Paused),
        "closed" => Ok(Status::Closed),
        _ => Err(Wanted("draft, active, paused or closed is wanted")),
    }
}

/// `md` or `json`.
pub(crate) fn export_format(text: &str) -> Result<ExportFormat, Wanted> {
    match text {
        "md" | "markdown" => Ok(ExportFormat::Md),
        "json" => Ok(ExportFormat::Json),
        _ => Err(Wanted("md or json is wanted")),
    }
}

/// `restore`, `stay` or `worktree`.
pub(crate) fn resume_place(text: &str) -> Result<ResumePlace, Wanted> {
    match text {
        "restore" => Ok(ResumePlace::Restore),
        "stay" => Ok(ResumePlace::Stay),
        "worktree" => Ok(ResumePlace::Worktree),
        _ => Err(Wanted("restore, stay or worktree is wanted")),
    }
}

/// A moment on the command line: a day means its beginning, in the zone of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Moment(pub(crate) Timestamp);

impl FromStr for Moment {
    type Err = Wanted;
    fn from_str(text: &str) -> Result<Self, Wanted> {
        if let Ok(at) = Timestamp::parse_from_rfc3339(text) {
            return Ok(Moment(at));
        }
        let day = text.parse::<chrono::NaiveDate>().ok();
        let begins = day.and_then(|day| {
            let midnight = day.and_hms_opt(0, 0, 0)?;
            // A day whose midnight a change of the clocks skipped begins an hour later.
            let later = midnight + chrono::Duration::hours(1);
            let here = |at: chrono::NaiveDateTime| at.and_local_timezone(chrono::Local).earliest();
            here(midnight).or_else(|| here(later))
        });
        begins
            .map(|at| Moment(at.fixed_offset()))
            .ok_or(Wanted("a day such as 2026-01-19, or a moment in RFC 3339, is wanted"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_named_by_its_id_or_by_four_digits_of_it() {
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
    fn a_priority_is_written_with_or_without_its_letter() {
        assert_eq!(["P0", "p4", "2"].map(priority), [Ok(0), Ok(4), Ok(2)]);
        for bad in ["", "P", "5", "P5", "-1", "22", "PP1", "high"] {
            assert!(priority(bad).is_err(), "{bad:?} was accepted");
        }
    }

    #[test]
    fn a_day_means_its_beginning() {
        let at = |text: &str| text.parse::<Moment>().map(|moment| moment.0);
        let day = at("2026-01-19").unwrap();
        assert_eq!(day.format("%Y-%m-%d %H:%M:%S").to_string(), "2026-01-19 00:00:00");
        assert_eq!(at("2026-01-19T10:00:00-06:00").unwrap().to_rfc3339(), "2026-01-19T10:00:00-06:00");
        for bad in ["", "yesterday", "2026-02-30", "19.01.2026", "2026-01-19 10:00"] {
            assert!(at(bad).is_err(), "{bad:?} was accepted");
        }
    }

    #[test]
    fn ready_is_pointed_to_its_own_command() {
        assert!(bead_status("ready").unwrap_err().0.contains("bead ready"));
        assert_eq!(bead_status("in_progress"), Ok(BeadStatus::InProgress));
        assert_eq!(bead_status("my_own"), Ok(BeadStatus::Other("my_own".into())));
    }
}
