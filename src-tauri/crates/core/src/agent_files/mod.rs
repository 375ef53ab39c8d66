//! What teaches agents about beads: a skill or an agent prompt, a section of CLAUDE.md or AGENTS.md, and
//! the permission rules for the commands that these name.
//!
//! Pure text work: a file's bytes in, its new bytes out. Only what stands between our markers is ever
//! changed; everything else stays byte for byte, whatever its line ends and encoding. Where the files
//! are, and whether they may be written, is the engine's to say.
//!
//! The texts are docs/templates/agents, where they can be read and copied by hand.

mod diff;
mod json;
mod permissions;
mod section;
#[cfg(test)]
mod tests;

pub use diff::diff;
pub use permissions::rules;

/// The version of the texts: what an older program wrote is brought up to it, what a newer one wrote is
/// left alone.
pub const VERSION: u32 = 1;

/// What is installed into one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part<'a> {
    /// A file that is ours, but for what people write outside the markers.
    Whole(&'a str),
    /// A section of somebody else's file.
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

/// The section for CLAUDE.md and AGENTS.md; around it the template is an example.
pub const SECTION: Part<'static> =
    Part::Section(include_str!("../../../../../docs/templates/agents/AGENTS.md"));

/// How a file stands to what would be installed into it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Nothing of ours is in it.
    Absent,
    /// All of it is, as this version has it.
    Current,
    /// A part of it, another text, or one of an earlier version.
    Outdated,
    /// A newer version's; it is left alone.
    Newer,
}

/// Why a file cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Its bytes are not what markers could be found in.
    #[error("it is UTF-16; save it as UTF-8")]
    Utf16,
    /// A marker without its other half.
    #[error("the marker in line {line} has no other half; remove it, or put the other one back")]
    HalfMarked {
        /// Where.
        line: usize,
    },
    /// Two of our sections.
    #[error("it has two sections of Beads Console, the second in line {line}; remove one")]
    Twice {
        /// Where the second begins.
        line: usize,
    },
    /// A file of that name which is somebody else's.
    #[error("there is another file of this name, which Beads Console did not write; rename it")]
    NotOurs,
    /// Settings that are no JSON.
    #[error("it is no JSON: {reason}; claude reads nothing of such a file, mend it first")]
    NotJson {
        /// What is wrong, and where.
        reason: String,
    },
    /// Settings of a shape that takes no rules.
    #[error("{what} in it is not {wanted}; claude cannot read it either, mend it first")]
    Shape {
        /// Which part.
        what: &'static str,
        /// What it should be.
        wanted: &'static str,
    },
}

/// What a file would be: its bytes, or none where it would not be there.
pub type Content = Option<Vec<u8>>;

impl Part<'_> {
    /// How the file stands.
    ///
    /// # Errors
    /// It cannot be told, see [`Refusal`].
    pub fn state(self, now: Option<&[u8]>) -> Result<State, Refusal> {
        match self {
            Part::Whole(template) => section::state(now.unwrap_or_default(), template),
            Part::Section(template) => section::state(now.unwrap_or_default(), template),
            Part::Rules(rules) => permissions::state(now, rules),
        }
    }

    /// The file with the part in it. What is there already, or is a newer version's, gives the same bytes.
    ///
    /// # Errors
    /// The file cannot be changed, see [`Refusal`].
    pub fn install(self, now: Option<&[u8]>) -> Result<Content, Refusal> {
        match self {
            Part::Whole(template) => section::install_whole(now, template).map(Some),
            Part::Section(template) => section::install(now, template).map(Some),
            Part::Rules(rules) => permissions::install(now, rules).map(Some),
        }
    }

    /// The file without the part, as it was before an install; none where nothing else was in it.
    ///
    /// # Errors
    /// The file cannot be changed, see [`Refusal`].
    pub fn remove(self, now: Option<&[u8]>) -> Result<Content, Refusal> {
        let Some(now) = now else { return Ok(None) };
        match self {
            Part::Whole(template) => section::remove_whole(now, template),
            Part::Section(_) => section::remove(now),
            Part::Rules(rules) => permissions::remove(now, rules),
        }
    }
}
