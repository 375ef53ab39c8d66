//! `session …`

use super::{
    ending::{DeleteArgs, EndArgs, ExportArgs},
    finding::{MetricsArgs, SearchArgs},
    resuming::ResumeArgs,
    values::{self, One, Text},
};
use bc_core::{
    ids::{AgentName, BeadId},
    mode::PermissionMode,
    session::Status,
};
use clap::{Args, Subcommand};

/// The word after `session`.
#[derive(Debug, Subcommand)]
pub(crate) enum SessionCommand {
    /// Start claude on a bead, or without one, and record what it does.
    Start(Box<StartArgs>),
    /// Open the session's terminal here; Ctrl-] leaves it running.
    Attach(One),
    /// Give claude a text: typed when it is at its prompt, held until then.
    Send {
        #[command(flatten)]
        session: One,
        /// The text; `-` reads standard input.
        #[arg(value_name = "TEXT")]
        text: Text,
    },
    /// End claude in order and keep everything, to resume later.
    Pause(One),
    /// Go on with a paused session's conversation.
    Resume(ResumeArgs),
    /// Close a session.
    End(EndArgs),
    /// All sessions, newest first.
    List {
        /// Only these states, separated by commas: draft, active, paused, closed.
        #[arg(long, value_name = "STATE", value_delimiter = ',', value_parser = values::session_status)]
        status: Vec<Status>,
    },
    /// One session: what it is and what it does right now.
    Show {
        #[command(flatten)]
        session: One,
        /// What its agent was told beside the conversation, instead: when, why, exactly what.
        #[arg(long, conflicts_with = "hooks")]
        injections: bool,
        /// The runs of lifecycle hooks in it, instead: when, how long, what they printed.
        #[arg(long)]
        hooks: bool,
    },
    /// Its conversation with tool calls.
    Transcript {
        #[command(flatten)]
        session: One,
        /// Only where this text is, the very characters, capitals or not.
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        find: Option<String>,
    },
    /// When it worked, waited and was paused, and what happened meanwhile.
    Timeline(One),
    /// What it changed against what it began from: commits, and each file with its lines.
    Changes {
        #[command(flatten)]
        session: One,
        /// Print the differences, too.
        #[arg(long)]
        diff: bool,
        /// White space alone is no difference.
        #[arg(long)]
        ignore_space: bool,
    },
    /// Which files of its change you have looked at, and what changed since; files that are named are marked.
    Viewed(ViewedArgs),
    /// Search titles, objectives, messages and tool calls of all sessions.
    Search(SearchArgs),
    /// A session's figures, or the project's: time, messages, tokens, cost, files, commits, errors.
    Metrics(MetricsArgs),
    /// Conversations as documents: of one session, several or all.
    Export(ExportArgs),
    /// Put closed sessions into the trash folder, by name or by the date of their end.
    Delete(DeleteArgs),
    /// What is in the trash folder; it stays there for seven days.
    Trash,
    /// Bring a deleted session back from the trash folder.
    Restore(One),
    /// Close drafts that nobody started, empty the trash folder of what is too old, and name what was
    /// paused for long.
    Cleanup,
    /// Change how much claude may do unasked, while it is at its prompt.
    Mode(ModeArgs),
    /// Interrupt what claude is doing, as Esc does.
    Interrupt(One),
    /// Try a text again that was typed and that claude did not confirm.
    Retry(HeldArgs),
    /// Drop a text that is held or was not confirmed.
    Forget(HeldArgs),
    /// Answer a permission request.
    Permission(PermissionArgs),
}

/// Files that were looked at.
#[derive(Debug, Args)]
pub(crate) struct ViewedArgs {
    #[command(flatten)]
    pub(crate) session: One,
    /// Files as `session changes` names them, looked at as they are now.
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<String>,
    /// All of them.
    #[arg(long, conflicts_with = "files")]
    pub(crate) all: bool,
    /// Take the marks away instead.
    #[arg(long)]
    pub(crate) undo: bool,
}

/// A text that waits.
#[derive(Debug, Args)]
pub(crate) struct HeldArgs {
    #[command(flatten)]
    pub(crate) session: One,
    /// The text, as `session show` names it.
    #[arg(value_name = "HELD")]
    pub(crate) text: String,
}

/// `session start …`
#[derive(Debug, Args)]
pub(crate) struct StartArgs {
    /// The bead to work on: it is claimed. Without one the session is an ad-hoc one.
    #[arg(long, value_name = "ID")]
    pub(crate) bead: Option<BeadId>,
    /// A title for the session.
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,
    /// What it is to accomplish.
    #[arg(long, value_name = "TEXT")]
    pub(crate) objective: Option<String>,
    /// The branch; made from the bead unless given.
    #[arg(long, value_name = "NAME")]
    pub(crate) branch: Option<String>,
    /// The agent prompt (see `agent list`).
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<AgentName>,
    /// How much claude may do unasked: manual, acceptEdits, plan, auto, bypassPermissions.
    #[arg(long, value_name = "MODE", default_value = "manual")]
    pub(crate) mode: PermissionMode,
    /// The model; claude's default unless given.
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// The opening prompt; made from the bead unless given. `-` reads standard input, an empty one
    /// opens claude without.
    #[arg(long, value_name = "TEXT")]
    pub(crate) prompt: Option<Text>,
    /// Work in a git worktree beside the repository.
    #[arg(long, conflicts_with = "no_worktree")]
    pub(crate) worktree: bool,
    /// Work in the repository itself, or fail.
    #[arg(long)]
    pub(crate) no_worktree: bool,
    /// Give claude the project's convention files and the files that the bead names.
    #[arg(long)]
    pub(crate) context: bool,
    /// Run the built-in simulated agent in claude's place.
    #[arg(long)]
    pub(crate) simulated: bool,
    /// Run it elsewhere: by this runner of `fleet settings`.
    #[arg(long, value_name = "NAME")]
    pub(crate) runner: Option<String>,
    /// Attach to it at once.
    #[arg(long, conflicts_with = "json")]
    pub(crate) attach: bool,
}

/// `session permission …`
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("answer").required(true).args(["allow", "always", "deny"]))]
pub(crate) struct PermissionArgs {
    #[command(flatten)]
    pub(crate) session: One,
    /// The request, as `session show` names it.
    #[arg(value_name = "REQUEST")]
    pub(crate) request: String,
    /// Let claude do it, this once.
    #[arg(long)]
    pub(crate) allow: bool,
    /// Let claude do it, and whatever else falls under the rule that it suggests.
    #[arg(long)]
    pub(crate) always: bool,
    /// Refuse it.
    #[arg(long)]
    pub(crate) deny: bool,
    /// Why it is refused; claude reads it.
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["allow", "always"])]
    pub(crate) message: Option<String>,
}

/// `session mode …`
#[derive(Debug, Args)]
pub(crate) struct ModeArgs {
    #[command(flatten)]
    pub(crate) session: One,
    /// How much claude may do unasked; without one, claude's next mode.
    #[arg(value_name = "MODE")]
    pub(crate) mode: Option<PermissionMode>,
}
