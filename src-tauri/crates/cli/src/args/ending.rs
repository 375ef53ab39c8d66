//! `session end …`, `session export …` and `session delete …`

use super::values::{self, Moment, One, SessionKey, Text};
use clap::Args;
use std::path::PathBuf;

/// `session end …`
#[derive(Debug, Args)]
pub(crate) struct EndArgs {
    #[command(flatten)]
    pub(crate) session: One,
    /// Only say what would be asked, and the execution log.
    #[arg(long, conflicts_with_all = ["review", "log", "no_log", "edit", "yes"])]
    pub(crate) preview: bool,
    /// Move its bead to in review, with the execution log in its notes.
    #[arg(long)]
    pub(crate) review: bool,
    /// Save this in the bead's notes under `## Execution Log`; `-` reads standard input.
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["no_log", "edit"])]
    pub(crate) log: Option<Text>,
    /// Save no execution log.
    #[arg(long)]
    pub(crate) no_log: bool,
    /// Open the execution log in your editor first ($VISUAL, else $EDITOR). An emptied file saves none.
    #[arg(long, conflicts_with = "no_log")]
    pub(crate) edit: bool,
    /// Agree that the tracker gets the custom status `in_review` if it has none.
    #[arg(long, requires = "review")]
    pub(crate) yes: bool,
}

/// `session export …`
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// The sessions: ids, or the first digits of them, four or more.
    #[arg(value_name = "ID", required_unless_present = "all")]
    pub(crate) ids: Vec<SessionKey>,
    /// Every session.
    #[arg(long, conflicts_with = "ids")]
    pub(crate) all: bool,
    /// md (readable) or json (the record and its messages).
    #[arg(long, value_name = "FORMAT", default_value = "md", value_parser = values::export_format)]
    pub(crate) format: bc_wire::session::ExportFormat,
    /// The file to write, or the folder for several; standard output unless given.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Leave out what tools answered.
    #[arg(long)]
    pub(crate) no_tool_output: bool,
    /// Leave secrets in it; they are struck out otherwise.
    #[arg(long)]
    pub(crate) keep_secrets: bool,
}

/// `session delete …`
#[derive(Debug, Args)]
pub(crate) struct DeleteArgs {
    /// The sessions: ids, or the first digits of them, four or more.
    #[arg(value_name = "ID", required_unless_present_any = ["before", "after"])]
    pub(crate) ids: Vec<SessionKey>,
    /// Only those that ended before this day (2026-01-19) or moment (RFC 3339).
    #[arg(long, value_name = "DATE")]
    pub(crate) before: Option<Moment>,
    /// Only those that ended on this day or later, or at this moment or later.
    #[arg(long, value_name = "DATE")]
    pub(crate) after: Option<Moment>,
    /// Export them into this folder first, as JSON with everything in it; what could not be exported
    /// is not deleted.
    #[arg(long, value_name = "DIR")]
    pub(crate) export_first: Option<PathBuf>,
    /// Only say which they are.
    #[arg(long)]
    pub(crate) dry_run: bool,
}
