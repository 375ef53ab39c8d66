//! What the command line accepts. Texts of `--help` are here; what a command does is in `commands`.

mod agent_files;
mod backup;
mod bead;
mod ending;
mod finding;
mod fleet;
mod fleet_queue;
mod frequent;
mod hooks;
mod memory;
mod resuming;
mod serve;
mod session;
mod settings;
mod steering;
mod tending;
mod values;
mod worktree;

pub(crate) use agent_files::InitAgentArgs;
pub(crate) use backup::{BackupArgs, BackupCommand, MakeArgs, RestoreArgs};
pub(crate) use bead::{BeadArgs, BeadCommand, CreateArgs};
pub(crate) use ending::{DeleteArgs, EndArgs, ExportArgs};
pub(crate) use finding::{Csv, MetricsArgs, SearchArgs};
pub(crate) use fleet::*;
pub(crate) use fleet_queue::*;
pub(crate) use frequent::parse;
pub(crate) use hooks::{HooksCommand, RunsArgs, Switch, TrustArgs};
pub(crate) use memory::{ForgetArgs, MemoriesArgs, PrimeArgs, RecallArgs, RememberArgs};
pub(crate) use resuming::ResumeArgs;
pub(crate) use serve::ServeArgs;
pub(crate) use session::{PermissionArgs, SessionCommand, StartArgs, ViewedArgs};
pub(crate) use settings::{Setting, SettingsArgs};
pub(crate) use steering::{BroadcastArgs, DispatchArgs, RecoverArgs, RecoveryWord};
pub(crate) use tending::{ImportArgs, LinkArgs, MemoryCommand};
pub(crate) use values::{SessionKey, Text};
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
    after_help = "Exit codes: 0 done, 1 failed, 2 usage, 3 not found, 4 refused by the state, \
                  5 a needed program is missing."
)]
pub(crate) struct Args {
    /// The project's folder, or one inside it; the current folder unless given.
    #[arg(long, global = true, value_name = "DIR", allow_hyphen_values = true)]
    pub(crate) project: Option<PathBuf>,
    /// Print results, and errors, as JSON.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The first word.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Say what is here: tracker, claude, git, versions, what is missing and what to do.
    Doctor,
    /// Make `.beads` in a project without.
    Init {
        /// What bead ids begin with; made from the folder's name unless given.
        #[arg(long, value_name = "PREFIX")]
        prefix: Option<String>,
    },
    /// Serve the UI to a browser on this machine; prints its link when it answers.
    Serve(ServeArgs),
    /// The beads of the project.
    Bead(BeadArgs),
    /// Sessions of Claude Code: start, attach, send, pause, resume, end, read, export.
    #[command(subcommand_required = true, arg_required_else_help = true)]
    Session {
        #[command(subcommand)]
        command: SessionCommand,
    },
    /// Print what an agent is told so that it finds its way again: its bead, where it stands, what is
    /// not committed.
    Recovery {
        /// Of this bead; else of the session that this is run in, else of your latest one in progress.
        #[arg(long, value_name = "ID")]
        bead: Option<BeadId>,
    },
    /// Lifecycle hooks: which there are, allowing them, trying them out, what they did.
    #[command(subcommand_required = true, arg_required_else_help = true)]
    Hooks {
        #[command(subcommand)]
        command: HooksCommand,
    },
    /// The fleet: agents, what each has on its hook, work, convoys, the merge queue.
    #[command(subcommand_required = true, arg_required_else_help = true)]
    Fleet {
        #[command(subcommand)]
        command: FleetCommand,
    },
    /// Worktrees: whose each is, what it takes, removing it, making it again.
    #[command(subcommand_required = true, arg_required_else_help = true)]
    Worktree {
        #[command(subcommand)]
        command: WorktreeCommand,
    },
    /// Remember something, at the moment it is found out; it is on disk when this returns.
    Remember(Box<RememberArgs>),
    /// List what is remembered, or find it by words.
    Memories(MemoriesArgs),
    /// Print the text of a memory.
    Recall(RecallArgs),
    /// Forget a memory; its record stays, and it can be taken back.
    Forget(ForgetArgs),
    /// Put in order what is remembered: link, merge, take over a file.
    #[command(subcommand_required = true, arg_required_else_help = true)]
    Memory {
        #[command(subcommand)]
        command: MemoryCommand,
    },
    /// Print all that an agent needs to begin: rules and commands, where its work stands, what is known here.
    Prime(PrimeArgs),
    /// Teach agents about beads: a skill or an agent prompt, a section of CLAUDE.md or AGENTS.md. Without
    /// a name the skill, and the section in what the project has of the two files.
    InitAgent(InitAgentArgs),
    /// Put what the tracker has, what is remembered and the records of sessions on the branch beads-backup,
    /// and bring it back. Nothing that is checked out is touched.
    Backup(BackupArgs),
    /// Settings: yours, or the project's own.
    Settings(SettingsArgs),
    /// The agent prompts that a session can use.
    #[command(subcommand_required = true, arg_required_else_help = true)]
    Agent {
        #[command(subcommand)]
        command: AgentCommand,
    },
}

/// `agent …`
#[derive(Debug, Subcommand)]
pub(crate) enum AgentCommand {
    /// List them: the project's first, then yours.
    List,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
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
