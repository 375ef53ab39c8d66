//! The files that teach agents about beads: a skill or an agent prompt, a section of CLAUDE.md or AGENTS.md,
//! and permission rules for the commands in them.
//!
//! Pure text processing from a file's old bytes to its new bytes. In Markdown files, only the text between
//! this program's markers changes; all other bytes are kept, whatever their line endings and encoding. The
//! engine decides the files' paths and whether they may be written.
//!
//! The templates are in docs/templates/agents, where users can also read and copy them.

mod diff;
mod json;
mod permissions;
mod section;
mod state;
#[cfg(test)]
mod tests;

pub use diff::diff;
pub use permissions::{rules, wider_rules};
pub use state::{Content, Refusal, State, VERSION};

/// The content to install into one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part<'a> {
    /// A file that this program creates; the user's text outside the markers is kept.
    Whole(&'a str),
    /// A section in a file of another author.
    Section(&'a str),
    /// Rules in claude's settings.
    Rules(&'a [String]),
}

/// The skill's files, with their paths relative to the project.
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

/// The agent prompt's path, relative to the project, and its content.
pub const AGENT: (&str, Part<'static>) = (
    ".claude/agents/beads.md",
    Part::Whole(include_str!("../../../../../docs/templates/agents/beads.agent.md")),
);

/// The section for CLAUDE.md and AGENTS.md; the rest of the template is an example.
pub const SECTION: Part<'static> =
    Part::Section(include_str!("../../../../../docs/templates/agents/AGENTS.md"));

impl Part<'_> {
    /// Determines the state of a file with these bytes. `None` means that the file does not exist.
    ///
    /// # Errors
    ///
    /// Returns a [`Refusal`] if the state cannot be determined.
    pub fn state(self, now: Option<&[u8]>) -> Result<State, Refusal> {
        match self {
            Part::Whole(template) | Part::Section(template) => {
                section::state(now.unwrap_or_default(), template)
            }
            Part::Rules(rules) => permissions::state(now, rules),
        }
    }

    /// Returns the file's bytes with the part installed. A current or newer file is returned unchanged.
    ///
    /// # Errors
    ///
    /// Returns a [`Refusal`] if the file cannot be changed.
    pub fn install(self, now: Option<&[u8]>) -> Result<Content, Refusal> {
        match self {
            Part::Whole(template) => section::install_whole(now, template).map(Some),
            Part::Section(template) => section::install(now, template).map(Some),
            Part::Rules(rules) => permissions::install(now, rules).map(Some),
        }
    }

    /// Returns the file's bytes without the part, as before the install. `None` if the file had only this
    /// program's text and must be deleted, or if it does not exist.
    ///
    /// # Errors
    ///
    /// Returns a [`Refusal`] if the file cannot be changed.
    pub fn remove(self, now: Option<&[u8]>) -> Result<Content, Refusal> {
        let Some(now) = now else { return Ok(None) };
        match self {
            Part::Whole(template) => section::remove_whole(now, template),
            Part::Section(_) => section::remove(now),
            Part::Rules(rules) => permissions::remove(now, rules),
        }
    }
}
