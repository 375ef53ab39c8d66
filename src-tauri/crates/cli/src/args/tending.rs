//! `memory …`: putting in order what is remembered.

use super::values::SessionKey;
use bc_core::memory::Relation;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// The word after `memory`.
#[derive(Debug, Subcommand)]
pub(crate) enum MemoryCommand {
    /// Link a memory to another one, or to a bead.
    Link(LinkArgs),
    /// Take the link between two of them away, whichever way it goes.
    Unlink {
        /// The memory's key, or its id.
        #[arg(value_name = "KEY")]
        key: String,
        /// The other memory's, or a bead's id.
        #[arg(value_name = "OTHER")]
        other: String,
    },
    /// Make one memory of several: the first takes in the texts, tags and links of the others, which are forgotten.
    Merge {
        /// Their keys or ids; the first is the one that stays.
        #[arg(value_name = "KEY", num_args = 2.., required = true)]
        keys: Vec<String>,
    },
    /// Take the last merge into a memory back: all of them say again what they said.
    Unmerge {
        /// The key or id of the one that stayed.
        #[arg(value_name = "KEY")]
        key: String,
    },
    /// Remember every point of a Markdown file; what is known or was forgotten stays as it is.
    Import(ImportArgs),
    /// Show what of a session may be worth remembering; nothing is stored.
    Proposals {
        /// The session's id, or its first digits.
        #[arg(value_name = "SESSION")]
        session: SessionKey,
    },
}

/// `memory link …`
#[derive(Debug, Args)]
pub(crate) struct LinkArgs {
    /// The memory's key, or its id.
    #[arg(value_name = "KEY")]
    pub(crate) key: String,
    /// The other memory's, or a bead's id.
    #[arg(value_name = "OTHER")]
    pub(crate) other: String,
    /// related, blocks (KEY waits for OTHER) or discovered-from (KEY came up with OTHER); related unless given.
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: Option<Relation>,
}

/// `memory import …`
#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// The file; MEMORY.md in the project's folder unless given.
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Show its points; nothing is stored.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Store them although there seem to be secrets in them.
    #[arg(long)]
    pub(crate) yes: bool,
}
