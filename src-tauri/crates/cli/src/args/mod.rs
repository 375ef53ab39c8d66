//! The command line's arguments and the texts of `--help`. What each command does is in `commands`.

mod access;
mod agent_files;
mod author;
mod backup;
mod bead;
mod bead_edit;
mod context_pack;
mod conversations;
mod documents;
mod fast_parser;
mod fleet;
mod fleet_control;
mod fleet_queue;
mod hooks;
mod hyphen_values;
mod init;
mod memory;
mod memory_maintenance;
mod on_machine;
mod places;
mod search_metrics;
mod serve;
mod session;
mod session_checkpoints;
mod session_end;
mod session_resume;
mod settings;
mod values;
mod version;
mod worktree;

pub(crate) use access::{AccessArgs, AccessCommand};
pub(crate) use agent_files::InitAgentArgs;
pub(crate) use author::AuthorArgs;
pub(crate) use backup::{BackupArgs, BackupCommand, MakeArgs, RestoreArgs};
pub(crate) use bead::{AuditArgs, BeadArgs, BeadCommand, DepCommand, GraphArgs, GraphFormat, LabelCommand};
pub(crate) use bead_edit::{CreateArgs, UpdateArgs};
pub(crate) use context_pack::ContextArgs;
pub(crate) use conversations::{AdoptArgs, ConversationsArgs, TranscriptCommand};
pub(crate) use documents::{CompletionsArgs, ManArgs};
pub(crate) use fast_parser::parse;
pub(crate) use fleet::*;
pub(crate) use fleet_control::{BroadcastArgs, DispatchArgs, RecoverArgs, RecoveryArg};
pub(crate) use fleet_queue::*;
pub(crate) use hooks::{HooksCommand, RunsArgs, Switch, TrustArgs};
pub(crate) use init::InitArgs;
pub(crate) use memory::{ForgetArgs, MemoriesArgs, PrimeArgs, RecallArgs, RememberArgs};
pub(crate) use memory_maintenance::{ImportArgs, LinkArgs, MemoryCommand};
pub(crate) use on_machine::{OnArgs, is_on_machine};
pub(crate) use places::{PlaceChangeArgs, PlacesCommand};
pub(crate) use search_metrics::{Csv, MetricsArgs, SearchArgs};
pub(crate) use serve::ServeArgs;
pub(crate) use session::{
    CommitArgs, PermissionArgs, QueuedArgs, RevertArgs, SessionCommand, StartArgs, ViewedArgs,
};
pub(crate) use session_checkpoints::{CheckpointsArgs, ForkArgs, SessionRestoreArgs};
pub(crate) use session_end::{DeleteArgs, EndArgs, ExportArgs};
pub(crate) use session_resume::ResumeArgs;
pub(crate) use settings::{Setting, SettingsArgs};
pub(crate) use values::{SessionKey, Text};
pub(crate) use version::VersionArgs;
pub(crate) use worktree::WorktreeCommand;

use bc_core::ids::BeadId;
use clap::{Parser, Subcommand};
use std::path::PathBuf;

/// Work on beads with Claude Code in recorded sessions.
#[derive(Debug, Parser)]
#[command(
    name = "beads-console",
    version,
    about,
    disable_help_subcommand = true,
    arg_required_else_help = true,
    max_term_width = 100,
    after_help = "A project of another machine, over ssh: beads-console --on HOST [PROJECT] (--on HOST --help).\n\n\
                  Exit codes: 0 success, 1 failure, 2 usage error, 3 not found, 4 refused by the current state, \
                  5 missing program."
)]
pub(crate) struct Args {
    /// The project's folder, or a folder inside it; defaults to the current folder.
    #[arg(long, global = true, value_name = "DIR", allow_hyphen_values = true)]
    pub(crate) project: Option<PathBuf>,
    /// Print results and errors as JSON.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check the tracker, claude, git and their versions, and show how to fix problems.
    Doctor(DoctorArgs),
    /// Create `.beads` in a project without one.
    Init(InitArgs),
    /// Serve the UI to a browser on this machine and print its link.
    Serve(ServeArgs),
    /// Give other people access to the running server, list them, and revoke their access.
    Access(AccessArgs),
    /// Manage places: your other machines over ssh, containers, and pods of Kubernetes.
    #[command(subcommand_required = true, arg_required_else_help = true)]
    Places {
        #[command(subcommand)]
        command: PlacesCommand,
    },
    /// Manage the beads of the project.
    Bead(BeadArgs),
    /// Manage Claude Code sessions: start, attach, send, pause, resume, end, read, export.
    #[command(subcommand_required = true, arg_required_else_help = true)]
    Session {
        #[command(subcommand)]
        command: SessionCommand,
    },
    /// Read transcript files of Claude Code, of any project.
    #[command(subcommand_required = true, arg_required_else_help = true)]
    Transcript {
        #[command(subcommand)]
        command: TranscriptCommand,
    },
    /// Print an agent's recovery block: its bead, the state of its work, and uncommitted changes.
    Recovery {
        /// The bead; defaults to the current session's bead or, outside a session, to your latest bead in
        /// progress.
        #[arg(long, value_name = "ID")]
        bead: Option<BeadId>,
    },
    /// Manage lifecycle hooks: list, allow, test, and show past runs.
    #[command(subcommand_required = true, arg_required_else_help = true)]
    Hooks {
        #[command(subcommand)]
        command: HooksCommand,
    },
    /// Manage the fleet: agents and their work, convoys, the merge queue.
    #[command(subcommand_required = true, arg_required_else_help = true)]
    Fleet {
        #[command(subcommand)]
        command: FleetCommand,
    },
    /// Manage worktrees: list, inspect, remove, restore.
    #[command(subcommand_required = true, arg_required_else_help = true)]
    Worktree {
        #[command(subcommand)]
        command: WorktreeCommand,
    },
    /// Store a memory. It is on disk when the command returns.
    Remember(Box<RememberArgs>),
    /// List or search memories.
    Memories(MemoriesArgs),
    /// Print the text of a memory.
    Recall(RecallArgs),
    /// Forget a memory; its record stays, and `--undo` restores it.
    Forget(ForgetArgs),
    /// Organize memories: link, merge, import.
    #[command(subcommand_required = true, arg_required_else_help = true)]
    Memory {
        #[command(subcommand)]
        command: MemoryCommand,
    },
    /// Print everything an agent needs to start: rules and commands, the state of its work, relevant memories.
    Prime(PrimeArgs),
    /// Teach agents about beads: a skill or an agent prompt, a section in CLAUDE.md or AGENTS.md. By default: the
    /// skill, and the section in each of the two files that exists.
    InitAgent(InitAgentArgs),
    /// Back up beads, memories and session records to the branch beads-backup, and restore them. Checked-out files
    /// are not touched.
    Backup(BackupArgs),
    /// Show or change your settings, or the project's own.
    Settings(SettingsArgs),
    /// List the agent prompts that sessions can use.
    #[command(subcommand_required = true, arg_required_else_help = true)]
    Agent {
        #[command(subcommand)]
        command: AgentCommand,
    },
    /// Print the completion script of a shell.
    Completions(CompletionsArgs),
    /// Print a man page, or write all of them into a folder.
    Man(ManArgs),
    /// Print the licences of this program and of everything that it contains.
    Licences,
    /// Print the version; with `--check`, also the newest version at the address in the settings.
    Version(VersionArgs),
}

impl Command {
    /// Whether the command needs the project's engine. Other commands use a view of the project. Many agents run them at
    /// the same time, and they do not wait for the engine's lock.
    pub(crate) fn needs_engine(&self) -> bool {
        match self {
            // Only the engine may change sessions, and only the engine has the list of starting sessions.
            Command::Fleet { command } => command.needs_engine(),
            // A backup can run at the same time as an engine, but a restore writes sessions.
            Command::Backup(backup) => matches!(backup.command, Some(BackupCommand::Restore(_))),
            Command::Remember(_)
            | Command::Memories(_)
            | Command::Recall(_)
            | Command::Forget(_)
            | Command::Memory { .. }
            | Command::InitAgent(_)
            | Command::Prime(_) => false,
            _ => true,
        }
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct DoctorArgs {
    /// Also save logs and check results in an archive for a bug report. Nothing is sent.
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// Overwrite an existing file.
    #[arg(long, requires = "report")]
    pub(crate) force: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AgentCommand {
    /// List agent prompts: the project's first, then yours.
    List,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn clap_definition_is_valid() {
        Args::command().debug_assert();
    }

    #[test]
    fn global_options_are_accepted_anywhere() {
        for line in [
            ["beads-console", "--json", "--project", "-odd", "session", "list"],
            ["beads-console", "session", "--project", "-odd", "--json", "list"],
            ["beads-console", "session", "list", "--json", "--project", "-odd"],
        ] {
            let args = Args::try_parse_from(line).unwrap();
            assert!(args.json);
            assert_eq!(args.project, Some(PathBuf::from("-odd")));
        }
    }
}
