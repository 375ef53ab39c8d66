//! `remember`, `memories`, `recall`, `forget`, `prime`.

use super::values::Text;
use bc_core::{ids::BeadId, memory::MemoryType};
use clap::Args;
use std::path::PathBuf;

/// `remember …`
#[derive(Debug, Args)]
pub(crate) struct RememberArgs {
    /// What to remember, in Markdown; `-` reads standard input.
    #[arg(value_name = "TEXT", required_unless_present = "from")]
    pub(crate) text: Option<Text>,
    /// Its name; made from the text unless given. A text that is there under it is replaced.
    #[arg(long, value_name = "KEY")]
    pub(crate) key: Option<String>,
    /// conversation, decision, pattern, context, learning or artifact; learning unless given.
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) memory_type: Option<MemoryType>,
    /// A word to find it by; may be given several times.
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Vec<String>,
    /// 1 (hardly matters) to 10 (always matters); 5 unless given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=10))]
    pub(crate) importance: Option<u8>,
    /// Who remembers it; the session's agent, or you, unless given.
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// The bead that it was learned on; the session's unless given.
    #[arg(long, value_name = "ID", conflicts_with = "no_bead")]
    pub(crate) bead: Option<BeadId>,
    /// It was learned on no bead: the one that it has is taken off.
    #[arg(long)]
    pub(crate) no_bead: bool,
    /// Store it although it seems to hold a secret.
    #[arg(long)]
    pub(crate) yes: bool,
    /// Remember every point of this Markdown file instead, MEMORY.md for instance; what is known stays as it is.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["text", "key", "memory_type", "tags", "importance", "agent", "bead", "no_bead"])]
    pub(crate) from: Option<PathBuf>,
}

/// `memories …`
#[derive(Debug, Args)]
pub(crate) struct MemoriesArgs {
    /// Words, all of which must be in a memory; all memories without.
    #[arg(value_name = "QUERY")]
    pub(crate) query: Vec<String>,
    /// Only what this agent stored.
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// Only this type.
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) memory_type: Option<MemoryType>,
    /// Only what has this tag; of several one is enough.
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Vec<String>,
    /// Only what was stored in this session.
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// At most so many; with a query 10 unless given, else all.
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<u32>,
    /// Forgotten ones too.
    #[arg(long)]
    pub(crate) forgotten: bool,
}

/// `recall …`
#[derive(Debug, Args)]
pub(crate) struct RecallArgs {
    /// The memory's key, or its id.
    #[arg(value_name = "KEY")]
    pub(crate) key: String,
}

/// `forget …`
#[derive(Debug, Args)]
pub(crate) struct ForgetArgs {
    /// The memory's key, or its id.
    #[arg(value_name = "KEY")]
    pub(crate) key: String,
    /// Take it back: the memory is told again.
    #[arg(long)]
    pub(crate) undo: bool,
}

/// `prime …`
#[derive(Debug, Args)]
pub(crate) struct PrimeArgs {
    /// For work on this bead; else on that of the session that this is run in, else on your latest one in progress.
    #[arg(long, value_name = "ID")]
    pub(crate) bead: Option<BeadId>,
    /// How many characters memories may take; 4,000 unless given.
    #[arg(long, value_name = "CHARS")]
    pub(crate) budget: Option<u32>,
}
