//! `bead …`

use super::values::{self, Text};
use bc_core::{bead::BeadStatus, ids::BeadId};
use clap::{Args, Subcommand};

/// `bead …`
#[derive(Debug, Args)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub(crate) struct BeadArgs {
    #[command(subcommand)]
    pub(crate) command: BeadCommand,
}

/// The word after `bead`.
#[derive(Debug, Subcommand)]
pub(crate) enum BeadCommand {
    /// All beads but deleted ones.
    List {
        /// Only these states, separated by commas: open, in_progress, in_review, blocked, closed …
        #[arg(long, value_name = "STATE", value_delimiter = ',', value_parser = values::bead_status)]
        status: Vec<BeadStatus>,
    },
    /// Beads that can be started now.
    Ready,
    /// Beads that wait for others.
    Blocked,
    /// One bead with its texts, links, comments and sessions.
    Show {
        /// The bead.
        #[arg(value_name = "ID")]
        id: BeadId,
    },
    /// Make a bead.
    Create(Box<CreateArgs>),
    /// Move a bead to in progress, with you as its assignee.
    Claim {
        /// The bead.
        #[arg(value_name = "ID")]
        id: BeadId,
        /// For whom; you unless given.
        #[arg(long, value_name = "NAME")]
        actor: Option<String>,
    },
    /// Write a comment on a bead.
    Comment {
        /// The bead.
        #[arg(value_name = "ID")]
        id: BeadId,
        /// The text; `-` reads standard input.
        #[arg(value_name = "TEXT")]
        text: Text,
    },
    /// Move a bead to in review.
    Submit {
        /// The bead.
        #[arg(value_name = "ID")]
        id: BeadId,
        /// Agree that the tracker gets the custom status `in_review` if it has none.
        #[arg(long)]
        yes: bool,
    },
    /// Close a bead.
    Close {
        /// The bead.
        #[arg(value_name = "ID")]
        id: BeadId,
        /// Why.
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
}

/// `bead create …`
#[derive(Debug, Args)]
pub(crate) struct CreateArgs {
    /// One line, at most 500 characters.
    #[arg(value_name = "TITLE")]
    pub(crate) title: String,
    /// What it is about, in Markdown; `-` reads standard input.
    #[arg(short, long, value_name = "TEXT")]
    pub(crate) description: Option<Text>,
    /// When it is done, in Markdown.
    #[arg(long, value_name = "TEXT")]
    pub(crate) acceptance: Option<String>,
    /// bug, feature, task, epic or chore; task unless given.
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) issue_type: Option<String>,
    /// P0 (most urgent) to P4, or 0 to 4; P2 unless given.
    #[arg(long, value_name = "P", value_parser = values::priority)]
    pub(crate) priority: Option<u8>,
    /// A label; may be given several times.
    #[arg(long = "label", value_name = "LABEL")]
    pub(crate) labels: Vec<String>,
    /// The bead that it is a part of.
    #[arg(long, value_name = "ID")]
    pub(crate) parent: Option<BeadId>,
    /// A bead that has to be closed first; may be given several times.
    #[arg(long = "blocked-by", value_name = "ID", value_delimiter = ',')]
    pub(crate) blocked_by: Vec<BeadId>,
}
