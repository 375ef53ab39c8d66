//! What may be completed in a text for claude.

use serde::{Deserialize, Serialize};

/// The answer of `session.completions`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Completions {
    /// What may follow a `/` at the beginning, without it.
    pub commands: Vec<SlashCommand>,
    /// What may follow an `@`: the files that git shows in the session's folder, relative to it.
    pub files: Vec<String>,
    /// How many files there are beyond those.
    #[specta(type = u32)]
    pub more_files: u64,
}

/// One of claude's commands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct SlashCommand {
    /// Without the slash.
    pub name: String,
    /// What it does; may be empty.
    pub about: String,
    /// Whose it is.
    pub origin: CommandOrigin,
}

/// Whose a command is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum CommandOrigin {
    /// Claude's own.
    Claude,
    /// The project's.
    Project,
    /// The person's.
    Person,
}
