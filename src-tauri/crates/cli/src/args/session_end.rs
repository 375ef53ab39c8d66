//! Arguments of `session end …`, `session export …` and `session delete …`.

use super::values::{self, Moment, SessionArg, SessionKey, Text};
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct EndArgs {
    #[command(flatten)]
    pub(crate) session: SessionArg,
    /// Show the execution log and the decisions to make, without ending the session.
    #[arg(long, conflicts_with_all = ["review", "log", "no_log", "edit", "yes", "without_commit"])]
    pub(crate) preview: bool,
    /// Move the bead to in review, with the execution log in its notes.
    #[arg(long)]
    pub(crate) review: bool,
    /// Save this text in the bead's notes under `## Execution Log`; `-` reads standard input.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with_all = ["no_log", "edit"])]
    pub(crate) log: Option<Text>,
    /// Do not save an execution log.
    #[arg(long)]
    pub(crate) no_log: bool,
    /// Edit the execution log in your editor first ($VISUAL, then $EDITOR). An empty file saves no log.
    #[arg(long, conflicts_with = "no_log")]
    pub(crate) edit: bool,
    /// Allow adding the custom status `in_review` to the tracker if it is missing.
    #[arg(long, requires = "review")]
    pub(crate) yes: bool,
    /// Move the bead even if no commit of its work exists.
    #[arg(long, requires = "review")]
    pub(crate) without_commit: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// Session ids, or their first digits (at least four).
    #[arg(value_name = "ID", required_unless_present = "all")]
    pub(crate) ids: Vec<SessionKey>,
    /// Export every session.
    #[arg(long, conflicts_with = "ids")]
    pub(crate) all: bool,
    /// md (readable), html (one file, without scripts) or json (the record and its messages).
    #[arg(long, default_value = "md", value_parser = values::export_format)]
    pub(crate) format: bc_wire::session::ExportFormat,
    /// Output file, or folder for several sessions; defaults to standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite existing files; by default, the export asks in a terminal, and otherwise fails.
    #[arg(long, requires = "output")]
    pub(crate) force: bool,
    /// Omit the output of tools.
    #[arg(long)]
    pub(crate) no_tool_output: bool,
    /// Keep secrets; by default they are redacted.
    #[arg(long)]
    pub(crate) keep_secrets: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DeleteArgs {
    /// Session ids, or their first digits (at least four).
    #[arg(value_name = "ID", required_unless_present_any = ["before", "after"])]
    pub(crate) ids: Vec<SessionKey>,
    /// Only sessions that ended before this day (2026-01-19) or time (RFC 3339).
    #[arg(long, value_name = "DATE")]
    pub(crate) before: Option<Moment>,
    /// Only sessions that ended on or after this day or time.
    #[arg(long, value_name = "DATE")]
    pub(crate) after: Option<Moment>,
    /// Export the sessions to this folder first, as complete JSON; a session whose export fails is not deleted.
    #[arg(long, value_name = "DIR")]
    pub(crate) export_first: Option<PathBuf>,
    /// Overwrite existing files in that folder.
    #[arg(long, requires = "export_first")]
    pub(crate) force: bool,
    /// List the matching sessions without deleting them.
    #[arg(long)]
    pub(crate) dry_run: bool,
}
