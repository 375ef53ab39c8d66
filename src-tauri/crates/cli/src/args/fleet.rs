//! Arguments of `fleet …`.

use super::fleet_queue::*;
use bc_core::{
    fleet::AgentRole,
    ids::{BeadId, ConvoyId, FleetAgentId},
};
use clap::{Subcommand, ValueEnum};

#[derive(Debug, Subcommand)]
pub(crate) enum FleetCommand {
    /// Show agents, convoys, ready beads and the limits in use.
    #[command(alias = "status")]
    Overview,
    /// Assign beads to agents and start their sessions.
    Dispatch(super::DispatchArgs),
    /// Resume, reassign or release the work of a stuck agent.
    Recover(super::RecoverArgs),
    /// Pause all agents and stop assigning work.
    Pause,
    /// Continue after `fleet pause`.
    #[command(alias = "go-on")]
    Resume {
        /// Also resume the sessions that the pause stopped.
        #[arg(long, alias = "resume")]
        sessions: bool,
    },
    /// Send a message to several agents; by default, to every agent with a running session.
    Broadcast(super::BroadcastArgs),
    /// Manage agents.
    #[command(subcommand_required = true, arg_required_else_help = true)]
    Agent {
        #[command(subcommand)]
        command: FleetAgentCommand,
    },
    /// Manage work items: the tracker's beads, or the fleet's own.
    #[command(subcommand_required = true, arg_required_else_help = true)]
    Work {
        #[command(subcommand)]
        command: FleetWorkCommand,
    },
    /// Manage hooks: the work item assigned to each agent.
    #[command(subcommand_required = true, arg_required_else_help = true)]
    Hook {
        #[command(subcommand)]
        command: FleetHookCommand,
    },
    /// Manage convoys: groups of related beads and their progress.
    #[command(subcommand_required = true, arg_required_else_help = true)]
    Convoy {
        #[command(subcommand)]
        command: FleetConvoyCommand,
    },
    /// Manage the merge queue.
    #[command(subcommand_required = true, arg_required_else_help = true)]
    Queue {
        #[command(subcommand)]
        command: FleetQueueCommand,
    },
    /// Check whether agents can run with a runner, and which features its sessions have.
    Runner {
        /// Name of the runner; `local` is this machine.
        name: String,
    },
    /// Show finished work: its commits, its files, and the result of the last check.
    Review(FleetReviewArgs),
    /// Queue finished work for merging; its bead is closed once merged.
    Approve(FleetApproveArgs),
    /// Send feedback on finished work to its agent.
    RequestChanges(FleetRequestChangesArgs),
    /// Show or change the fleet settings of this project. They are stored with your settings, not in the repository.
    Settings(FleetSettingsArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct FleetSettingsArgs {
    /// The setting; all by default. A runner's settings are `runners.NAME` (its command), `runners.NAME.probe`,
    /// `.program` and `.console`.
    pub(crate) key: Option<String>,
    /// The new value: on or off, a number, a word; for a list, its words as arguments, one line or a JSON array.
    /// `default` resets it.
    #[arg(requires = "key", allow_hyphen_values = true)]
    pub(crate) value: Vec<String>,
}

impl FleetCommand {
    /// Whether the command changes sessions or needs the engine's live state.
    pub(crate) fn needs_engine(&self) -> bool {
        match self {
            FleetCommand::Overview
            | FleetCommand::Dispatch(_)
            | FleetCommand::Recover(_)
            | FleetCommand::Pause
            | FleetCommand::Resume { .. }
            | FleetCommand::Broadcast(_) => true,
            FleetCommand::Queue { command } => command.changes(),
            FleetCommand::Approve(_) | FleetCommand::RequestChanges(_) => true,
            FleetCommand::Agent { command } => matches!(
                command,
                FleetAgentCommand::Start { .. }
                    | FleetAgentCommand::Stop { .. }
                    | FleetAgentCommand::Retire { .. }
            ),
            _ => false,
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum FleetAgentCommand {
    /// Create an agent.
    Create {
        /// Role of the agent.
        #[arg(default_value = "polecat")]
        role: RoleArg,
        /// Display name; defaults to `Agent 1`, `Agent 2` …
        #[arg(long)]
        name: Option<String>,
        /// Project of the agent; defaults to this one.
        #[arg(long, value_name = "NAME")]
        rig: Option<String>,
    },
    /// Rename an agent. Its id stays the same.
    Rename {
        /// Id of the agent.
        agent: FleetAgentId,
        /// New display name; must be unique.
        name: String,
    },
    /// Show an agent.
    Show {
        /// Id of the agent.
        agent: FleetAgentId,
    },
    /// List agents.
    List {
        /// Only agents with this role.
        #[arg(long)]
        role: Option<AgentRole>,
        /// Only agents of this project.
        #[arg(long, value_name = "NAME")]
        rig: Option<String>,
    },
    /// Start a session for the work on the agent's hook, or resume it.
    Start {
        /// Id of the agent.
        agent: FleetAgentId,
    },
    /// Pause the agent's session; its work stays assigned.
    Stop {
        /// Id of the agent.
        agent: FleetAgentId,
    },
    /// Retire an agent and release its work.
    Retire {
        /// Id of the agent.
        agent: FleetAgentId,
    },
    /// Set the recorded status of an agent. The displayed status depends on whether its session is live.
    Status {
        /// Id of the agent.
        agent: FleetAgentId,
        /// New status.
        status: StatusArg,
    },
}

/// The role of a new agent. The file format has further roles; agents with those are read and displayed, but never
/// acted on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RoleArg {
    /// Takes any ready work.
    #[value(alias = "agent")]
    Polecat,
    /// Gets only the work that you assign to it.
    Crew,
}

/// The recorded status of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum StatusArg {
    /// No live session.
    Idle,
    /// Has a live session.
    Active,
    /// Its session is stuck.
    Stalled,
    /// No longer in use.
    Terminated,
}

#[derive(Debug, Subcommand)]
pub(crate) enum FleetWorkCommand {
    /// Create a work item that is not in the tracker.
    Create {
        /// Title, one line.
        #[arg(allow_hyphen_values = true)]
        title: String,
        /// What to do.
        #[arg(long, value_name = "TEXT", default_value = "", allow_hyphen_values = true)]
        description: String,
        /// Priority.
        #[arg(long, value_name = "P", default_value = "P2", ignore_case = true)]
        priority: PriorityArg,
    },
    /// Show a work item.
    Show {
        /// Id of its bead.
        bead: BeadId,
    },
    /// List all work items.
    List,
    /// Set the status of a work item.
    Status {
        /// Id of its bead.
        bead: BeadId,
        /// New status.
        status: WorkStatusArg,
    },
}

/// The priority of a work item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PriorityArg {
    /// First.
    #[value(name = "P1")]
    P1,
    /// Normal.
    #[value(name = "P2")]
    P2,
    /// When there is time.
    #[value(name = "P3")]
    P3,
}

/// The status of a work item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum WorkStatusArg {
    /// Not assigned.
    Open,
    /// Assigned to an agent.
    Hooked,
    /// In progress.
    InProgress,
    /// Finished by its agent.
    Done,
    /// Merged into the target branch.
    Merged,
}

#[derive(Debug, Subcommand)]
pub(crate) enum FleetHookCommand {
    /// Assign a work item to an agent; a bead of the tracker becomes a work item.
    Set {
        /// Id of the agent.
        agent: FleetAgentId,
        /// Id of the bead.
        bead: BeadId,
    },
    /// Show an agent's hook.
    Show {
        /// Id of the agent.
        agent: FleetAgentId,
    },
    /// Mark an agent's work as started.
    Activate {
        /// Id of the agent.
        agent: FleetAgentId,
    },
    /// Mark an agent's work as done.
    Complete {
        /// Id of the agent.
        agent: FleetAgentId,
    },
    /// Remove the work from an agent's hook.
    Clear {
        /// Id of the agent.
        agent: FleetAgentId,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum FleetConvoyCommand {
    /// Create a convoy from beads.
    Create {
        /// Display name.
        #[arg(allow_hyphen_values = true)]
        name: String,
        /// Ids of the beads.
        #[arg(value_name = "BEAD", required = true)]
        beads: Vec<BeadId>,
    },
    /// Show a convoy and its history.
    Show {
        /// Id of the convoy.
        convoy: ConvoyId,
    },
    /// List all convoys.
    List,
    /// Show how much of a convoy is done.
    Progress {
        /// Id of the convoy.
        convoy: ConvoyId,
    },
    /// Add beads to a convoy.
    Add {
        /// Id of the convoy.
        convoy: ConvoyId,
        /// Ids of the beads.
        #[arg(value_name = "BEAD", required = true)]
        beads: Vec<BeadId>,
    },
    /// Remove beads from a convoy.
    Remove {
        /// Id of the convoy.
        convoy: ConvoyId,
        /// Ids of the beads.
        #[arg(value_name = "BEAD", required = true)]
        beads: Vec<BeadId>,
    },
    /// Rename a convoy.
    Rename {
        /// Id of the convoy.
        convoy: ConvoyId,
        /// New display name.
        #[arg(allow_hyphen_values = true)]
        name: String,
    },
    /// Close an unfinished convoy. A finished one closes automatically.
    Close {
        /// Id of the convoy.
        convoy: ConvoyId,
        /// Reopen a closed convoy.
        #[arg(long)]
        reopen: bool,
    },
}
