//! Arguments of `session …`.

use super::{
    context_pack::{ContextArgs, PackArgs},
    conversations::{AdoptArgs, ConversationsArgs},
    search_metrics::{MetricsArgs, SearchArgs},
    session_checkpoints::{CheckpointsArgs, ForkArgs, SessionRestoreArgs},
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

#[derive(Debug, Subcommand)]
pub(crate) enum SessionCommand {
    /// Start claude, with or without a bead, and record the session.
    Start(Box<StartArgs>),
    /// Show the context pack of a session before its start: each piece with its reason, size and relevance.
    Context(Box<ContextArgs>),
    /// Open the session's terminal in this one; Ctrl-] detaches.
    Attach(SessionArg),
    /// Send claude a text: typed when claude is at its prompt, queued until then.
    Send {
        #[command(flatten)]
        session: SessionArg,
        /// The text; `-` reads standard input.
        #[arg(allow_hyphen_values = true)]
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
    /// List everything that waits for you: requests, questions, plans, errors, limits, ended turns, merges, reviews.
    Needs {
        /// Print the list again at every change, until Ctrl-C. With --json, one line per change.
        #[arg(long)]
        watch: bool,
    },
    /// Show a session and its current state.
    Show {
        #[command(flatten)]
        session: SessionArg,
        /// Show only the context injections: when, why, and the exact text.
        #[arg(long, conflicts_with = "hooks")]
        injections: bool,
        /// Show only the runs of lifecycle hooks: time, duration, output.
        #[arg(long)]
        hooks: bool,
    },
    /// Show the conversation with its tool calls.
    Transcript {
        #[command(flatten)]
        session: SessionArg,
        /// Show only the places with this text; case-insensitive literal match.
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
    /// Revert a changed file or hunk to its state before the session, or undo a revert.
    Revert(RevertArgs),
    /// Commit uncommitted files of a session.
    Commit(CommitArgs),
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
    /// List the trash, which keeps sessions for seven days.
    Trash,
    /// List the checkpoints of the session's files, or compare two of them.
    Checkpoints(CheckpointsArgs),
    /// Restore a deleted session from the trash; with --checkpoint or --turn, restore a session's files.
    Restore(SessionRestoreArgs),
    /// Start a new session from a checkpoint, in its own worktree.
    Fork(ForkArgs),
    /// Close drafts that were never started, purge old sessions from the trash, and list sessions paused for long.
    Cleanup,
    /// List claude's own conversations of the project that belong to no session, or search them.
    Conversations(ConversationsArgs),
    /// Make one of claude's own conversations a session with its whole record, and continue it.
    Adopt(AdoptArgs),
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
    /// Remove the marks.
    #[arg(long)]
    pub(crate) undo: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RevertArgs {
    #[command(flatten)]
    pub(crate) session: SessionArg,
    /// File to revert, as named by `session changes`; without it, the reverts that can be undone are listed.
    pub(crate) file: Option<String>,
    /// Only the N-th hunk of its diff, from 1.
    #[arg(long, value_name = "N", requires = "file", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) hunk: Option<u32>,
    /// Undo this revert.
    #[arg(long, value_name = "REVERT", conflicts_with_all = ["file", "hunk"])]
    pub(crate) undo: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct CommitArgs {
    #[command(flatten)]
    pub(crate) session: SessionArg,
    /// Files to commit, as named by `session changes`; all uncommitted ones by default.
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<String>,
    /// Message; `-` reads standard input. Without it, the files and the proposed message are shown.
    #[arg(short, long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) message: Option<Text>,
}

#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("change").required(true)))]
pub(crate) struct QueuedArgs {
    #[command(flatten)]
    pub(crate) held: HeldArgs,
    /// The new text; `-` reads standard input.
    #[arg(id = "new_text", long = "text", value_name = "TEXT", allow_hyphen_values = true, group = "change")]
    pub(crate) text: Option<Text>,
    /// Place it before this queued text.
    #[arg(long, value_name = "HELD", group = "change")]
    pub(crate) before: Option<String>,
    /// Place it at the end.
    #[arg(long, group = "change")]
    pub(crate) last: bool,
    /// Make it the next one, and stop the running turn.
    #[arg(long, group = "change")]
    pub(crate) now: bool,
}

/// A queued or unconfirmed text.
#[derive(Debug, Args)]
pub(crate) struct HeldArgs {
    #[command(flatten)]
    pub(crate) session: SessionArg,
    /// Id of the text, as shown by `session show`.
    #[arg(value_name = "HELD")]
    pub(crate) text: String,
}

#[derive(Debug, Args)]
pub(crate) struct StartArgs {
    /// Bead to claim and work on; without it, the session has no bead.
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
    #[arg(long, default_value = "manual")]
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
    /// Give claude a context pack: convention files, files that the bead names or is about, recent commits.
    #[arg(long)]
    pub(crate) context: bool,
    #[command(flatten)]
    pub(crate) pack: PackArgs,
    /// Run the built-in simulated agent instead of claude.
    #[arg(long)]
    pub(crate) simulated: bool,
    /// Run claude with this runner (see `fleet settings`).
    #[arg(long, value_name = "NAME")]
    pub(crate) runner: Option<String>,
    /// Run the session's host at this place (see `places`), where it continues without this machine.
    #[arg(long = "on", conflicts_with_all = ["runner", "no_worktree"])]
    pub(crate) place: Option<String>,
    /// Attach to the session immediately.
    #[arg(long, conflicts_with = "json")]
    pub(crate) attach: bool,
}

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("answer").required(true).args(["allow", "always", "deny", "answers", "choices"]))]
pub(crate) struct PermissionArgs {
    #[command(flatten)]
    pub(crate) session: SessionArg,
    /// Id of the request, as shown by `session show`.
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
    /// Carry out an approved plan in this mode: manual, acceptEdits or auto.
    #[arg(long, requires = "allow")]
    pub(crate) mode: Option<PermissionMode>,
    /// Deny the request; send a plan back.
    #[arg(long)]
    pub(crate) deny: bool,
    /// Reason for the denial, or the changes to make to the plan; claude reads it.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with_all = ["allow", "always", "answers", "choices"])]
    pub(crate) message: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ModeArgs {
    #[command(flatten)]
    pub(crate) session: SessionArg,
    /// New permission mode; without it, claude's next mode.
    pub(crate) mode: Option<PermissionMode>,
}
