//! Arguments of `bead …`.

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

/// Subcommands of `bead`.
#[derive(Debug, Subcommand)]
pub(crate) enum BeadCommand {
    /// List all beads except deleted ones and memories.
    List {
        /// Only these statuses, separated by commas: open, in_progress, in_review, blocked, closed …
        #[arg(long, value_name = "STATE", value_delimiter = ',', value_parser = values::bead_status)]
        status: Vec<BeadStatus>,
    },
    /// List beads that can be started now.
    Ready,
    /// List beads that wait for others.
    Blocked,
    /// Show a bead with its texts, links, comments and sessions.
    Show {
        /// Id of the bead.
        #[arg(value_name = "ID")]
        id: BeadId,
    },
    /// Create a bead.
    Create(Box<CreateArgs>),
    /// Move a bead to in progress and assign it to you.
    Claim {
        /// Id of the bead.
        #[arg(value_name = "ID")]
        id: BeadId,
        #[command(flatten)]
        by: By,
    },
    /// Add a comment to a bead.
    Comment {
        /// Id of the bead.
        #[arg(value_name = "ID")]
        id: BeadId,
        /// The comment; `-` reads standard input.
        #[arg(value_name = "TEXT", allow_hyphen_values = true)]
        text: Text,
        #[command(flatten)]
        by: By,
    },
    /// Move a bead to in review.
    Submit {
        /// Id of the bead.
        #[arg(value_name = "ID")]
        id: BeadId,
        /// Allow adding the custom status `in_review` to the tracker if it is missing.
        #[arg(long)]
        yes: bool,
        #[command(flatten)]
        by: By,
    },
    /// Close a bead.
    Close {
        /// Id of the bead.
        #[arg(value_name = "ID")]
        id: BeadId,
        /// Reason for closing.
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        reason: Option<String>,
        #[command(flatten)]
        by: By,
    },
}

/// The author of a change to a bead.
#[derive(Debug, Args)]
pub(crate) struct By {
    /// Author of the change; defaults to you.
    #[arg(long, value_name = "NAME")]
    pub(crate) actor: Option<String>,
}

/// `bead create …`
#[derive(Debug, Args)]
pub(crate) struct CreateArgs {
    /// Title: one line, at most 500 characters.
    #[arg(value_name = "TITLE", allow_hyphen_values = true)]
    pub(crate) title: String,
    /// Description in Markdown; `-` reads standard input.
    #[arg(short, long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) description: Option<Text>,
    /// Acceptance criteria in Markdown.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) acceptance: Option<String>,
    /// bug, feature, task, epic or chore; defaults to task.
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) issue_type: Option<String>,
    /// P0 (most urgent) to P4, or 0 to 4; defaults to P2.
    #[arg(long, value_name = "P", value_parser = values::priority)]
    pub(crate) priority: Option<u8>,
    /// Add a label; repeatable.
    #[arg(long = "label", value_name = "LABEL")]
    pub(crate) labels: Vec<String>,
    /// Parent bead.
    #[arg(long, value_name = "ID")]
    pub(crate) parent: Option<BeadId>,
    /// Bead that must be closed first; repeatable.
    #[arg(long = "blocked-by", value_name = "ID", value_delimiter = ',')]
    pub(crate) blocked_by: Vec<BeadId>,
    #[command(flatten)]
    pub(crate) by: By,
}
