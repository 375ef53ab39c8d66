//! The files that teach agents about beads: a skill or an agent prompt, a section of CLAUDE.md or AGENTS.md,
//! and permission rules for the commands in them.
//!
//! Pure text processing from a file's old bytes to its new bytes. Only the text between our markers changes;
//! the rest stays byte for byte, whatever its line endings and encoding. The engine decides the files' paths
//! and whether they may be written.
//!
//! The texts are in docs/templates/agents, where they can be read and copied by hand.

mod diff;
mod json;
mod permissions;
mod section;
#[cfg(test)]
mod tests;

pub use diff::diff;
pub use permissions::{rules, wider_rules};

/// The version of the texts: older ones are updated, newer ones are left alone.
pub const VERSION: u32 = 1;

/// The content to install into one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part<'a> {
    /// A file of ours, except for the user's text outside the markers.
    Whole(&'a str),
    /// A section of another author's file.
    Section(&'a str),
    /// Rules in claude's settings.
    Rules(&'a [String]),
}

/// `.claude/skills/beads`.
pub const SKILL: [(&str, Part<'static>); 2] = [
    (
        ".claude/skills/beads/SKILL.md",
        Part::Whole(include_str!("../../../../../docs/templates/agents/SKILL.md")),
    ),
    (
        ".claude/skills/beads/remember.md",
        Part::Whole(include_str!("../../../../../docs/templates/agents/remember.md")),
    ),
];

/// The agent prompt.
pub const AGENT: (&str, Part<'static>) = (
    ".claude/agents/beads.md",
    Part::Whole(include_str!("../../../../../docs/templates/agents/beads.agent.md")),
);

/// The section for CLAUDE.md and AGENTS.md; the rest of the template is an example.
pub const SECTION: Part<'static> =
    Part::Section(include_str!("../../../../../docs/templates/agents/AGENTS.md"));

/// The state of a file compared with the content to install.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It contains nothing of ours.
    Absent,
    /// It contains exactly this version's content.
    Current,
    /// It contains a part, another text, or an earlier version's.
    Outdated,
    /// It contains a newer version's content, which is left alone.
    Newer,
}

/// Why a file is not changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Markers cannot be found in this encoding.
    #[error("the file is UTF-16; save it as UTF-8")]
    Utf16,
    /// A marker without its counterpart.
    #[error("unmatched section marker in line {line}; remove it, or restore the other marker")]
    HalfMarked {
        /// The line.
        line: usize,
    },
    /// Our section occurs twice.
    #[error("the file has two sections of Beads Console, the second in line {line}; remove one")]
    Twice {
        /// The line of the second one.
        line: usize,
    },
    /// A file with this name belongs to another author.
    #[error("another file has this name and was not written by Beads Console; rename it")]
    NotOurs,
    /// The settings are not valid JSON.
    #[error("invalid JSON: {reason}; claude ignores such a file, fix it first")]
    NotJson {
        /// The problem and its position.
        reason: String,
    },
    /// The settings have an unexpected structure.
    #[error("{what} in it is not {wanted}; claude cannot read it either, fix it first")]
    Shape {
        /// The part.
        what: &'static str,
        /// The expected type.
        wanted: &'static str,
    },
}

/// A file's new bytes; `None` if the file should not exist.
pub type Content = Option<Vec<u8>>;

impl Part<'_> {
    /// The state of the file.
    ///
    /// # Errors
    ///
    /// The state cannot be determined; see [`Refusal`].
    pub fn state(self, now: Option<&[u8]>) -> Result<State, Refusal> {
        match self {
            Part::Whole(template) => section::state(now.unwrap_or_default(), template),
            Part::Section(template) => section::state(now.unwrap_or_default(), template),
            Part::Rules(rules) => permissions::state(now, rules),
        }
    }

    /// The file with the part installed. If it is current or newer, the bytes stay the same.
    ///
    /// # Errors
    ///
    /// The file cannot be changed; see [`Refusal`].
    pub fn install(self, now: Option<&[u8]>) -> Result<Content, Refusal> {
        match self {
            Part::Whole(template) => section::install_whole(now, template).map(Some),
            Part::Section(template) => section::install(now, template).map(Some),
            Part::Rules(rules) => permissions::install(now, rules).map(Some),
        }
    }

    /// The file without the part, as before the install; `None` if it contained nothing else.
    ///
    /// # Errors
    ///
    /// The file cannot be changed; see [`Refusal`].
    pub fn remove(self, now: Option<&[u8]>) -> Result<Content, Refusal> {
        let Some(now) = now else { return Ok(None) };
        match self {
            Part::Whole(template) => section::remove_whole(now, template),
            Part::Section(_) => section::remove(now),
            Part::Rules(rules) => permissions::remove(now, rules),
        }
    }
}
