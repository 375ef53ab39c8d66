//! Arguments of `session conversations`, `session adopt` and `transcript decode`.

use super::values::{SessionKey, Text};
use bc_core::ids::BeadId;
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct ConversationsArgs {
    /// Only conversations with this text; case-insensitive literal match.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) search: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct AdoptArgs {
    /// Id of the conversation, or its first digits (at least four); see `session conversations`.
    pub(crate) conversation: SessionKey,
    /// Bead to link and claim.
    #[arg(long, value_name = "ID")]
    pub(crate) bead: Option<BeadId>,
    /// Title of the session; defaults to the conversation's.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) title: Option<String>,
    /// Leave the session paused instead of continuing it.
    #[arg(long, conflicts_with_all = ["prompt", "attach"])]
    pub(crate) no_resume: bool,
    /// Prompt to continue with; `-` reads standard input. By default claude waits at its prompt.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) prompt: Option<Text>,
    /// Adopt the conversation even if a running claude seems to write to it.
    #[arg(long)]
    pub(crate) anyway: bool,
    /// Attach to the session immediately.
    #[arg(long, conflicts_with = "json")]
    pub(crate) attach: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TranscriptCommand {
    /// Decode a transcript file of Claude Code: messages, tokens, and lines of unknown kinds.
    Decode {
        /// The file, such as ~/.claude/projects/FOLDER/ID.jsonl.
        #[arg(allow_hyphen_values = true)]
        file: PathBuf,
    },
}
