//! Arguments of `bead …`.

use super::{
    author::AuthorArgs,
    bead_edit::{CreateArgs, UpdateArgs},
    values::{self, Text},
};
use bc_core::{bead::BeadStatus, ids::BeadId};
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub(crate) struct BeadArgs {
    #[command(subcommand)]
    pub(crate) command: BeadCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BeadCommand {
    /// List all beads except deleted ones and memories.
    List {
        /// A query, such as 'status:open label:ui -label:x priority<=1 assignee:none updated<7d text'.
        #[arg(allow_hyphen_values = true)]
        query: Option<String>,
        /// Only these statuses, separated by commas: open, in_progress, in_review, blocked, closed …
        #[arg(long, value_name = "STATE", value_delimiter = ',', value_parser = values::bead_status)]
        status: Vec<BeadStatus>,
    },
    /// List beads that can be started now.
    Ready {
        /// Also list the other open beads, with the reasons why each is not ready.
        #[arg(long)]
        explain: bool,
    },
    /// List beads that wait for others.
    Blocked,
    /// Show a bead with its texts, links, comments and sessions.
    Show {
        /// Id of the bead.
        id: BeadId,
    },
    /// Create a bead.
    Create(Box<CreateArgs>),
    /// Change fields of beads.
    Update(Box<UpdateArgs>),
    /// Move a bead to in progress and assign it to you.
    Claim {
        /// Id of the bead.
        id: BeadId,
        #[command(flatten)]
        by: AuthorArgs,
    },
    /// Add a comment to a bead.
    Comment {
        /// Id of the bead.
        id: BeadId,
        /// The comment; `-` reads standard input.
        #[arg(allow_hyphen_values = true)]
        text: Text,
        #[command(flatten)]
        by: AuthorArgs,
    },
    /// Move a bead to in review.
    Submit {
        /// Id of the bead.
        id: BeadId,
        /// Allow adding the custom status `in_review` to the tracker if it is missing.
        #[arg(long)]
        yes: bool,
        /// Submit it even if no commit of its work exists.
        #[arg(long)]
        without_commit: bool,
        /// Save the execution log of its latest session in its notes.
        #[arg(long)]
        log: bool,
        #[command(flatten)]
        by: AuthorArgs,
    },
    /// Approve the work of a bead in review, and close it.
    Approve {
        /// Id of the bead.
        id: BeadId,
        /// Reason for closing; defaults to "Approved".
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        reason: Option<String>,
        #[command(flatten)]
        by: AuthorArgs,
    },
    /// Request changes of a bead in review: reopen it with a comment, which its agent receives.
    Reject {
        /// Id of the bead.
        id: BeadId,
        /// The requested changes; `-` reads standard input.
        #[arg(allow_hyphen_values = true)]
        text: Text,
        #[command(flatten)]
        by: AuthorArgs,
    },
    /// Close a bead.
    Close {
        /// Id of the bead.
        id: BeadId,
        /// Reason for closing.
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        reason: Option<String>,
        #[command(flatten)]
        by: AuthorArgs,
    },
    /// Reopen a closed bead.
    Reopen {
        /// Id of the bead.
        id: BeadId,
        /// Reason; added as a comment.
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        reason: Option<String>,
        #[command(flatten)]
        by: AuthorArgs,
    },
    /// Delete a bead.
    Delete {
        /// Id of the bead.
        id: BeadId,
        /// Delete it without asking.
        #[arg(long)]
        yes: bool,
        #[command(flatten)]
        by: AuthorArgs,
    },
    /// Restore a deleted bead, if the tracker can.
    Undelete {
        /// Id of the bead.
        id: BeadId,
        #[command(flatten)]
        by: AuthorArgs,
    },
    /// Manage dependencies: add, remove, show as a tree.
    #[command(subcommand_required = true, arg_required_else_help = true)]
    Dep {
        #[command(subcommand)]
        command: DepCommand,
    },
    /// Manage labels: add, remove, list.
    #[command(subcommand_required = true, arg_required_else_help = true)]
    Label {
        #[command(subcommand)]
        command: LabelCommand,
    },
    /// List ready beads, the best to start next first, with the reasons.
    Next {
        /// A bead that was just closed; the beads that waited for it come first.
        #[arg(long, value_name = "ID")]
        after: Option<BeadId>,
        /// Number of beads; defaults to 5.
        #[arg(long, value_name = "N")]
        limit: Option<u32>,
    },
    /// List beads without activity: in progress for 2 hours, or in review for a day.
    Stale,
    /// Show the history of a bead: who changed what, when, from which session.
    Audit(AuditArgs),
    /// Show the dependencies among beads, cycles, and the critical path.
    Graph(GraphArgs),
}

#[derive(Debug, Args)]
pub(crate) struct AuditArgs {
    /// Id of the bead.
    pub(crate) id: BeadId,
    /// Write the history to this file: as CSV if its name ends with .csv, else as JSON.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Replace an existing file.
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct GraphArgs {
    /// Only beads that match this query, as for `bead list`.
    #[arg(allow_hyphen_values = true)]
    pub(crate) query: Option<String>,
    /// Only this bead and the beads that dependencies connect with it.
    #[arg(long, value_name = "ID")]
    pub(crate) around: Option<BeadId>,
    /// Include closed beads.
    #[arg(long)]
    pub(crate) closed: bool,
    /// Format: dot for Graphviz, or json; a summary by default.
    #[arg(long)]
    pub(crate) format: Option<GraphFormat>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormat {
    /// For Graphviz.
    Dot,
    /// As with `--json`.
    Json,
}

#[derive(Debug, Subcommand)]
pub(crate) enum DepCommand {
    /// Make a bead depend on another.
    Add {
        /// The bead that depends.
        id: BeadId,
        /// The bead that it depends on.
        on: BeadId,
        /// blocks, parent-child, related, discovered-from or another of the tracker's kinds; defaults to blocks.
        #[arg(long = "type", value_name = "TYPE")]
        kind: Option<String>,
        #[command(flatten)]
        by: AuthorArgs,
    },
    /// Remove a dependency.
    Remove {
        /// The bead that depends.
        id: BeadId,
        /// The bead that it depends on.
        on: BeadId,
        #[command(flatten)]
        by: AuthorArgs,
    },
    /// Show the beads that a bead depends on, directly and indirectly.
    Tree {
        /// Id of the bead.
        id: BeadId,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum LabelCommand {
    /// Add labels to a bead.
    Add {
        /// Id of the bead.
        id: BeadId,
        /// The labels.
        #[arg(value_name = "LABEL", required = true)]
        labels: Vec<String>,
        #[command(flatten)]
        by: AuthorArgs,
    },
    /// Remove labels from a bead.
    Remove {
        /// Id of the bead.
        id: BeadId,
        /// The labels.
        #[arg(value_name = "LABEL", required = true)]
        labels: Vec<String>,
        #[command(flatten)]
        by: AuthorArgs,
    },
    /// List the labels in use with their number of beads, or those of a bead.
    List {
        /// Id of a bead; without it, the labels of all beads.
        id: Option<BeadId>,
    },
}
