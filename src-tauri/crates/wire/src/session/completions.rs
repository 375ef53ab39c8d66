//! Completions in a prompt for claude.

use serde::{Deserialize, Serialize};

/// The result of `session.completions`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Completions {
    /// Completions after a `/` at the start, without the slash.
    pub commands: Vec<SlashCommand>,
    /// Completions after an `@`: the files that git lists in the session's folder, relative to it.
    pub files: Vec<String>,
    /// The number of omitted files.
    #[specta(type = u32)]
    pub more_files: u64,
}

/// A claude command or skill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct SlashCommand {
    pub name: String,
    /// A description; may be empty.
    pub about: String,
    pub origin: CommandOrigin,
}

/// Where a claude command is defined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum CommandOrigin {
    /// Built into Claude Code.
    Claude,
    Project,
    /// From the user's claude folder.
    Person,
}
