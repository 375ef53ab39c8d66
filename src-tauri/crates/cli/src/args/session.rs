//! Arguments of `session …`.

use super::{
    search_metrics::{MetricsArgs, SearchArgs},
    session_end::{DeleteArgs, EndArgs, ExportArgs},
    session_resume::ResumeArgs,
    values::{self, SessionArg, Text},
};
use bc_core::{
    ids::{AgentName, BeadId},
    mode::PermissionMode,
    session::Status,
};
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Subcommands of `session`.
#[derive(Debug, Subcommand)]
pub(crate) enum SessionCommand {
    /// Start claude, with or without a bead, and record the session.
    Start(Box<StartArgs>),
    /// Open the session's terminal here; Ctrl-] detaches.
    Attach(SessionArg),
    /// Send claude a text: typed when claude is at its prompt, queued until then.
    Send {
        #[command(flatten)]
        session: SessionArg,
        /// The text; `-` reads standard input.
        #[arg(value_name = "TEXT", allow_hyphen_values = true)]
        text: Text,
        /// A file to attach; claude reads it with the text. Repeatable.
        #[arg(long, value_name = "FILE")]
        attach: Vec<PathBuf>,
    },
    /// Exit claude cleanly and keep everything, to resume later.
    Pause(SessionArg),
    /// Continue the conversation of a paused session.
    Resume(ResumeArgs),
    /// Close a session.
    End(EndArgs),
    /// List all sessions, newest first.
    List {
        /// Only these states, separated by commas: draft, active, paused, closed.
        #[arg(long, value_name = "STATE", value_delimiter = ',', value_parser = values::session_status)]
        status: Vec<Status>,
    },
    /// Show a session and its current state.
    Show {
        #[command(flatten)]
        session: SessionArg,
        /// Show the context injections instead: when, why, and the exact text.
        #[arg(long, conflicts_with = "hooks")]
        injections: bool,
        /// Show the runs of lifecycle hooks instead: time, duration, output.
        #[arg(long)]
        hooks: bool,
    },
    /// Show the conversation with its tool calls.
    Transcript {
        #[command(flatten)]
        session: SessionArg,
        /// Case-insensitive literal match.
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        find: Option<String>,
    },
    /// Show when the session worked, waited and was paused, and its events.
    Timeline(SessionArg),
    /// Show the changes since the session's start: commits, and changed lines per file.
    Changes {
        #[command(flatten)]
        session: SessionArg,
        /// Also print the diff.
        #[arg(long)]
        diff: bool,
        /// Ignore changes in white space.
        #[arg(long)]
        ignore_space: bool,
    },
    /// Show which changed files you have viewed and which changed since; named files are marked as viewed.
    Viewed(ViewedArgs),
    /// Search titles, objectives, messages and tool calls of all sessions.
    Search(SearchArgs),
    /// Show metrics of a session or the project: time, messages, tokens, cost, files, commits, errors.
    Metrics(MetricsArgs),
    /// Export the conversations of one, several or all sessions.
    Export(ExportArgs),
    /// Move closed sessions to the trash, by id or by end date.
    Delete(DeleteArgs),
    /// List the trash; sessions stay there for seven days.
    Trash,
    /// Restore a deleted session from the trash.
    Restore(SessionArg),
    /// Close drafts that were never started, purge old sessions from the trash, and list sessions paused for long.
    Cleanup,
    /// Change claude's permission mode, while claude is at its prompt.
    Mode(ModeArgs),
    /// Interrupt claude, as Esc does.
    Interrupt(SessionArg),
    /// Retry a text that was typed but not confirmed by claude.
    Retry(HeldArgs),
    /// Discard a queued or unconfirmed text.
    Forget(HeldArgs),
    /// Change the wording or the place of a queued text, or send it now.
    Queued(QueuedArgs),
    /// Answer a permission request.
    Permission(PermissionArgs),
}

/// `session viewed …`
#[derive(Debug, Args)]
pub(crate) struct ViewedArgs {
    #[command(flatten)]
    pub(crate) session: SessionArg,
    /// Files to mark as viewed in their current state, as named by `session changes`.
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<String>,
    /// Mark all files.
    #[arg(long, conflicts_with = "files")]
    pub(crate) all: bool,
    /// Remove the marks instead.
    #[arg(long)]
    pub(crate) undo: bool,
}

/// `session queued …`
#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("change").required(true)))]
pub(crate) struct QueuedArgs {
    #[command(flatten)]
    pub(crate) held: HeldArgs,
    /// The new text; `-` reads standard input.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, group = "change")]
    pub(crate) text: Option<Text>,
    /// The queued text before which it is placed.
    #[arg(long, value_name = "HELD", group = "change")]
    pub(crate) before: Option<String>,
    /// Place it at the end.
    #[arg(long, group = "change")]
    pub(crate) last: bool,
    /// Make it the next one, and stop the running turn.
    #[arg(long, group = "change")]
    pub(crate) now: bool,
}

/// A queued text.
#[derive(Debug, Args)]
pub(crate) struct HeldArgs {
    #[command(flatten)]
    pub(crate) session: SessionArg,
    /// Id of the text, as shown by `session show`.
    #[arg(value_name = "HELD")]
    pub(crate) text: String,
}

/// `session start …`
#[derive(Debug, Args)]
pub(crate) struct StartArgs {
    /// Bead to claim and work on. Without it, the session is an ad-hoc session.
    #[arg(long, value_name = "ID")]
    pub(crate) bead: Option<BeadId>,
    /// Title of the session.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) title: Option<String>,
    /// Objective of the session.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) objective: Option<String>,
    /// Branch; derived from the bead by default.
    #[arg(long, value_name = "NAME")]
    pub(crate) branch: Option<String>,
    /// The agent prompt (see `agent list`).
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<AgentName>,
    /// Permission mode: manual, acceptEdits, plan, auto, bypassPermissions.
    #[arg(long, value_name = "MODE", default_value = "manual")]
    pub(crate) mode: PermissionMode,
    /// Model; defaults to claude's own setting.
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// First prompt; generated from the bead by default. `-` reads standard input, an empty text sends none.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) prompt: Option<Text>,
    /// Work in a git worktree beside the repository.
    #[arg(long, conflicts_with = "no_worktree")]
    pub(crate) worktree: bool,
    /// Work in the repository itself; fails if that is not possible.
    #[arg(long)]
    pub(crate) no_worktree: bool,
    /// Give claude the project's convention files and the files that the bead mentions.
    #[arg(long)]
    pub(crate) context: bool,
    /// Run the built-in simulated agent instead of claude.
    #[arg(long)]
    pub(crate) simulated: bool,
    /// Run it with this runner of `fleet settings`.
    #[arg(long, value_name = "NAME")]
    pub(crate) runner: Option<String>,
    /// Attach to the session immediately.
    #[arg(long, conflicts_with = "json")]
    pub(crate) attach: bool,
}

/// `session permission …`
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("answer").required(true).args(["allow", "always", "deny", "answers", "choices"]))]
pub(crate) struct PermissionArgs {
    #[command(flatten)]
    pub(crate) session: SessionArg,
    /// Id of the request, as shown by `session show`.
    #[arg(value_name = "REQUEST")]
    pub(crate) request: String,
    /// Allow the request once; approve a plan.
    #[arg(long)]
    pub(crate) allow: bool,
    /// Answer one of claude's questions, named by its text, header or number, with an option's label or your own
    /// words. Repeat it for further questions, or for several choices.
    #[arg(long = "answer", value_name = "QUESTION=ANSWER", allow_hyphen_values = true)]
    pub(crate) answers: Vec<String>,
    /// Choose an option by its number in `session show`; `1,3` for several. Give it once per question, in order.
    #[arg(long = "choose", value_name = "N")]
    pub(crate) choices: Vec<String>,
    /// Allow the request and everything else under the rule that claude suggests.
    #[arg(long)]
    pub(crate) always: bool,
    /// Deny the request; send a plan back.
    #[arg(long)]
    pub(crate) deny: bool,
    /// Reason for the denial, or the changes to make to the plan; claude reads it.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with_all = ["allow", "always", "answers", "choices"])]
    pub(crate) message: Option<String>,
}

/// `session mode …`
#[derive(Debug, Args)]
pub(crate) struct ModeArgs {
    #[command(flatten)]
    pub(crate) session: SessionArg,
    /// New permission mode; without it, claude's next mode.
    #[arg(value_name = "MODE")]
    pub(crate) mode: Option<PermissionMode>,
}
