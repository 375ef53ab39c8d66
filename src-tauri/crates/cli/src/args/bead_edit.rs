//! Arguments of `bead create` and `bead update`.

use super::{
    author::AuthorArgs,
    values::{self, Text},
};
use bc_core::{Timestamp, bead::BeadStatus, ids::BeadId};
use clap::Args;

/// The fields that `create` sets and `update` changes.
#[derive(Debug, Args)]
pub(crate) struct Fields {
    /// Description in Markdown; `-` reads standard input.
    #[arg(short, long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) description: Option<Text>,
    /// Design in Markdown.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) design: Option<String>,
    /// Acceptance criteria in Markdown.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) acceptance: Option<String>,
    /// Notes in Markdown.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) notes: Option<String>,
    /// Type: task (the default), bug, feature, epic, chore or another of the tracker's.
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) issue_type: Option<String>,
    /// P0 (most urgent) to P4, or 0 to 4; a new bead has P2 by default.
    #[arg(long, value_name = "P", value_parser = values::priority)]
    pub(crate) priority: Option<u8>,
    /// Assignee.
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    pub(crate) assignee: Option<String>,
    /// Due date: YYYY-MM-DD, or RFC 3339.
    #[arg(long, value_name = "DATE")]
    pub(crate) due: Option<String>,
    /// Not ready before this date: YYYY-MM-DD, or RFC 3339.
    #[arg(long, value_name = "DATE")]
    pub(crate) defer: Option<String>,
    /// Estimated work in minutes; 0 for none.
    #[arg(long, value_name = "MINUTES")]
    pub(crate) estimate: Option<u32>,
    /// Reference in another system.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) external_ref: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct CreateArgs {
    /// Title: one line, at most 500 characters.
    #[arg(allow_hyphen_values = true)]
    pub(crate) title: String,
    /// Add a label; repeatable.
    #[arg(long = "label", value_name = "LABEL", allow_hyphen_values = true)]
    pub(crate) labels: Vec<String>,
    /// Parent bead.
    #[arg(long, value_name = "ID")]
    pub(crate) parent: Option<BeadId>,
    /// Bead that must be closed first; repeatable.
    #[arg(long = "blocked-by", value_name = "ID", value_delimiter = ',')]
    pub(crate) blocked_by: Vec<BeadId>,
    #[command(flatten)]
    pub(crate) fields: Fields,
    #[command(flatten)]
    pub(crate) by: AuthorArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "An empty value clears a field that may be empty.")]
pub(crate) struct UpdateArgs {
    /// Ids of the beads.
    #[arg(value_name = "ID", required = true)]
    pub(crate) ids: Vec<BeadId>,
    /// Title: one line, at most 500 characters.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) title: Option<String>,
    /// Status: open, in_progress, blocked, deferred or another of the tracker's. See also `submit` and `close`.
    #[arg(long, value_name = "STATE", value_parser = values::bead_status)]
    pub(crate) status: Option<BeadStatus>,
    /// Add a label; repeatable.
    #[arg(long = "add-label", value_name = "LABEL", allow_hyphen_values = true)]
    pub(crate) add_labels: Vec<String>,
    /// Remove a label; repeatable.
    #[arg(long = "remove-label", value_name = "LABEL", allow_hyphen_values = true)]
    pub(crate) remove_labels: Vec<String>,
    /// Parent bead.
    #[arg(long, value_name = "ID")]
    pub(crate) parent: Option<String>,
    /// Change nothing unless the bead's `updated_at` is still this time (RFC 3339).
    #[arg(long, value_name = "TIME", value_parser = Timestamp::parse_from_rfc3339)]
    pub(crate) expected: Option<Timestamp>,
    #[command(flatten)]
    pub(crate) fields: Fields,
    #[command(flatten)]
    pub(crate) by: AuthorArgs,
}
