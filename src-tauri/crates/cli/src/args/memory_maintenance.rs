//! Arguments of `memory …`.

use super::values::SessionKey;
use bc_core::memory::Relation;
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum MemoryCommand {
    /// Link a memory to another memory or to a bead.
    Link(LinkArgs),
    /// Remove the link between a memory and another memory or bead, in either direction.
    Unlink {
        /// Key or id of the memory.
        key: String,
        /// Key or id of the other memory, or id of a bead.
        other: String,
    },
    /// Merge memories: the first absorbs the texts, tags and links of the others, which are forgotten.
    Merge {
        /// Keys or ids of the memories; the first one remains.
        #[arg(value_name = "KEY", num_args = 2.., required = true)]
        keys: Vec<String>,
    },
    /// Undo the last merge into a memory.
    Unmerge {
        /// Key or id of the remaining memory.
        key: String,
    },
    /// Import every top-level list item and paragraph of a Markdown file; known and forgotten memories stay
    /// unchanged.
    Import(ImportArgs),
    /// Show memories proposed from a session; nothing is stored.
    Proposals {
        /// Id of the session, or its first digits.
        session: SessionKey,
    },
}

#[derive(Debug, Args)]
pub(crate) struct LinkArgs {
    /// Key or id of the memory.
    pub(crate) key: String,
    /// Key or id of the other memory, or id of a bead.
    pub(crate) other: String,
    /// related, blocks (KEY waits for OTHER) or discovered-from (KEY was found while working on OTHER); defaults to
    /// related.
    #[arg(long)]
    pub(crate) kind: Option<Relation>,
}

#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// The file; defaults to MEMORY.md in the project's folder.
    pub(crate) file: Option<PathBuf>,
    /// Show the memories without storing them.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Store them even if some seem to contain secrets; has no effect for an agent.
    #[arg(long)]
    pub(crate) yes: bool,
}
