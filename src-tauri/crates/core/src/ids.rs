//! Typed ids. The ids of sessions and conversations are UUIDs. Most others are checked texts that cannot be
//! mistaken for an option or a second argument.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use uuid::Uuid;

/// Why a string is not an id of the expected kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a {kind}: {why}")]
pub struct InvalidId {
    /// The expected kind: "bead id", "session id" …
    pub kind: &'static str,
    /// The text, cut to 80 characters.
    pub text: String,
    /// The rule that the text violates.
    pub why: &'static str,
}

impl InvalidId {
    /// Creates an error for `text`.
    pub fn new(kind: &'static str, text: &str, why: &'static str) -> Self {
        InvalidId { kind, text: text.chars().take(80).collect(), why }
    }
}

macro_rules! uuid_id {
    ($(#[$doc:meta])* $name:ident, $kind:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, specta::Type)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.hyphenated().fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = InvalidId;
            fn from_str(text: &str) -> Result<Self, InvalidId> {
                Uuid::try_parse(text).map($name).map_err(|_| InvalidId::new($kind, text, "expected a UUID"))
            }
        }
    };
}

uuid_id!(
    /// The id of a session of this program.
    SessionId,
    "session id"
);
uuid_id!(
    /// The id of a Claude Code conversation (claude's `session_id`). One session can have several
    /// conversations.
    ConversationId,
    "conversation id"
);

impl SessionId {
    /// The first eight hex digits, used in the tracker's actor and short listings.
    pub fn short(&self) -> String {
        self.0.simple().to_string().chars().take(8).collect()
    }
}

/// The session in an agent's record, of this or another program. Another program's session name is kept and
/// shown unchanged, and never used to look up or open anything.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, specta::Type)]
#[serde(transparent)]
#[specta(transparent)]
pub struct AgentSession(String);

impl AgentSession {
    /// The id as a session of this program; `None` for another program's session.
    pub fn ours(&self) -> Option<SessionId> {
        // Only the exact form that this program writes counts. Another spelling of the same UUID is another
        // program's id.
        self.0.parse::<SessionId>().ok().filter(|id| id.to_string() == self.0)
    }

    /// Whether this is the session `id` of this program.
    pub fn is(&self, id: SessionId) -> bool {
        self.ours() == Some(id)
    }
}

impl From<SessionId> for AgentSession {
    fn from(id: SessionId) -> AgentSession {
        AgentSession(id.to_string())
    }
}

impl fmt::Display for AgentSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

macro_rules! parsed_id {
    ($(#[$doc:meta])* $name:ident, $kind:literal, $check:path) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, specta::Type)]
        #[serde(try_from = "String", into = "String")]
        #[specta(transparent)]
        pub struct $name(String);

        impl $name {
            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = InvalidId;
            fn from_str(text: &str) -> Result<Self, InvalidId> {
                $check(text).map_err(|why| InvalidId::new($kind, text, why))?;
                Ok($name(text.to_owned()))
            }
        }

        impl TryFrom<String> for $name {
            type Error = InvalidId;
            fn try_from(text: String) -> Result<Self, InvalidId> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.0
            }
        }
    };
}

parsed_id!(
    /// A bead's id as its tracker wrote it, such as `BC-001` or `bd-a3f8.2`, or the id of work outside any
    /// tracker.
    BeadId,
    "bead id",
    check_token
);
parsed_id!(
    /// A project's id: bd's project id if it exists, otherwise a UUID of ours.
    ProjectId,
    "project id",
    check_token
);
parsed_id!(
    /// The name of an agent prompt: the stem of its file name in the project's `.claude/agents` or the user's
    /// `agents` folder.
    AgentName,
    "agent name",
    check_token
);
parsed_id!(
    /// A git branch that `git check-ref-format --branch` accepts.
    BranchName,
    "branch name",
    crate::ref_format::check_ref_format
);

parsed_id!(
    /// The id of an agent of the fleet, such as `polecat-0123456789`, or another program's name for an agent.
    FleetAgentId,
    "fleet agent id",
    check_token
);
parsed_id!(
    /// The id of a convoy of the fleet, such as `convoy-0123456789`, or another program's id.
    ConvoyId,
    "convoy id",
    check_token
);
parsed_id!(
    /// The id of a merge request, such as `merge-0123456789`, or another program's id.
    MergeRequestId,
    "merge request id",
    check_token
);

/// The lowest `count` digits of a number in base 36, lowest first.
pub fn base_36(mut number: u64, count: usize) -> String {
    let mut digits = String::with_capacity(count);
    for _ in 0..count {
        let digit = u32::try_from(number % 36).expect("below 36");
        digits.push(char::from_digit(digit, 36).expect("below 36"));
        number /= 36;
    }
    digits
}

/// The last ten hex digits of a random number.
fn ten_digits(random: u64) -> String {
    format!("{:010x}", random & 0xff_ffff_ffff)
}

impl FleetAgentId {
    /// Creates an id from a random number.
    pub fn new(role: crate::fleet::AgentRole, random: u64) -> FleetAgentId {
        FleetAgentId(format!("{role}-{}", ten_digits(random)))
    }
}

impl ConvoyId {
    /// Creates an id from a random number.
    pub fn new(random: u64) -> ConvoyId {
        ConvoyId(format!("convoy-{}", ten_digits(random)))
    }
}

impl MergeRequestId {
    /// Creates an id from a random number.
    pub fn new(random: u64) -> MergeRequestId {
        MergeRequestId(format!("merge-{}", ten_digits(random)))
    }
}

impl BeadId {
    /// Creates an id from a random number, for work outside any tracker.
    pub fn of_fleet(random: u64) -> BeadId {
        BeadId(format!("bead-{}", ten_digits(random)))
    }

    /// Whether the id has the form of [`BeadId::of_fleet`].
    pub fn is_of_fleet(&self) -> bool {
        let digits = self.0.strip_prefix("bead-");
        digits.is_some_and(|digits| {
            digits.len() == 10 && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        })
    }
}

/// Refuses options, leading dots, `..`, separators, quotes, white space and control characters, so that the
/// text is safe as an argument and as a path never leads out of its folder.
fn check_token(text: &str) -> Result<(), &'static str> {
    if text.is_empty() {
        return Err("it is empty");
    }
    if text.len() > 200 {
        return Err("it is longer than 200 bytes");
    }
    if text.starts_with('-') || text.starts_with('.') {
        return Err("it must not start with - or .");
    }
    if text.contains("..") {
        return Err("it must not contain ..");
    }
    if text.chars().any(|c| c.is_whitespace() || c.is_control() || matches!(c, '/' | '\\' | ':' | '"' | '\''))
    {
        return Err("it must not contain separators, quotes, white space or control characters");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_that_could_be_an_option_or_a_path_are_refused() {
        for bad in
            ["", "-rf", "--json", "../x", "a/b", "a..b", ".hidden", "a b", "a\nb", "a\u{1b}[0m", "a\"b"]
        {
            assert!(bad.parse::<BeadId>().is_err(), "{bad:?} was accepted");
        }
    }

    #[test]
    fn ids_of_trackers_are_accepted() {
        for good in ["BC-001", "bd-a3f8", "bd-a3f8.1.2", "proj_x-12", "beads-wisp-9z", "größe-1"] {
            assert_eq!(good.parse::<BeadId>().map(String::from), Ok(good.to_owned()));
        }
    }

    #[test]
    fn a_bad_id_in_json_is_an_error_not_a_value() {
        assert!(serde_json::from_str::<BeadId>("\"--force\"").is_err());
        assert!(serde_json::from_str::<SessionId>("\"not-a-uuid\"").is_err());
    }
}
