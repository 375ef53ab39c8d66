//! Arguments of `remember`, `memories`, `recall`, `forget` and `prime`.

use super::values::Text;
use bc_core::{ids::BeadId, memory::MemoryType};
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct RememberArgs {
    /// What to remember, in Markdown; `-` reads standard input.
    #[arg(required_unless_present = "from", allow_hyphen_values = true)]
    pub(crate) text: Option<Text>,
    /// Key of the memory; derived from the text by default. An existing memory with this key gets the new
    /// text, but keeps its author and, unless they are given, its type, tags and importance.
    #[arg(long)]
    pub(crate) key: Option<String>,
    /// conversation, decision, pattern, context, learning or artifact; defaults to learning.
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) memory_type: Option<MemoryType>,
    /// Tag of the memory; repeatable. The given tags replace those of an existing memory.
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Vec<String>,
    /// 1 (barely matters) to 10 (always matters); defaults to 5.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=10))]
    pub(crate) importance: Option<u8>,
    /// Author; defaults to the session's agent, or you.
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// Related bead; defaults to the session's.
    #[arg(long, value_name = "ID", conflicts_with = "no_bead")]
    pub(crate) bead: Option<BeadId>,
    /// Relate it to no bead; an existing relation is removed.
    #[arg(long)]
    pub(crate) no_bead: bool,
    /// Store it even if it seems to contain a secret; has no effect for an agent.
    #[arg(long)]
    pub(crate) yes: bool,
    /// Remember every top-level list item and paragraph of this Markdown file, such as MEMORY.md; known and
    /// forgotten memories stay unchanged.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["text", "key", "memory_type", "tags", "importance", "agent", "bead", "no_bead"])]
    pub(crate) from: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct MemoriesArgs {
    /// Words that must all occur in a memory; without words, all memories.
    pub(crate) query: Vec<String>,
    /// Only memories by this agent.
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// Only memories of this type.
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) memory_type: Option<MemoryType>,
    /// Only memories with this tag; if repeated, one match suffices.
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Vec<String>,
    /// Only memories stored in this session.
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// Show at most N memories; defaults to 10 with a query, otherwise to all.
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<u32>,
    /// Include forgotten memories.
    #[arg(long)]
    pub(crate) forgotten: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RecallArgs {
    /// Key or id of the memory.
    pub(crate) key: String,
}

#[derive(Debug, Args)]
pub(crate) struct ForgetArgs {
    /// Key or id of the memory.
    pub(crate) key: String,
    /// Restore a forgotten memory.
    #[arg(long)]
    pub(crate) undo: bool,
}

#[derive(Debug, Args)]
pub(crate) struct PrimeArgs {
    /// Bead to work on; defaults to the current session's bead or, outside a session, to your latest bead in
    /// progress.
    #[arg(long, value_name = "ID")]
    pub(crate) bead: Option<BeadId>,
    /// Maximum number of characters for memories; defaults to 4,000.
    #[arg(long, value_name = "CHARS")]
    pub(crate) budget: Option<u32>,
}
