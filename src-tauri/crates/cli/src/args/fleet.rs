//! `fleet …`

use super::fleet_queue::*;
use bc_core::{
    fleet::AgentRole,
    ids::{BeadId, ConvoyId, FleetAgentId},
};
use clap::{Subcommand, ValueEnum};

/// The word after `fleet`.
#[derive(Debug, Subcommand)]
pub(crate) enum FleetCommand {
    /// The fleet at a glance: agents, convoys, what is ready, the limits in use.
    #[command(alias = "status")]
    Overview,
    /// Hand out work: each agent's session opens with its bead.
    Dispatch(super::DispatchArgs),
    /// Decide what becomes of the work of an agent that gets nowhere.
    Recover(super::RecoverArgs),
    /// Pause every agent, and handing out.
    Pause,
    /// Take that back.
    GoOn {
        /// Resume the sessions that were paused with it.
        #[arg(long)]
        resume: bool,
    },
    /// Tell several agents something; everybody whose session runs, unless some are named.
    Broadcast(super::BroadcastArgs),
    /// Agents: who there is.
    #[command(subcommand_required = true, arg_required_else_help = true)]
    Agent {
        #[command(subcommand)]
        command: FleetAgentCommand,
    },
    /// Pieces of work, of the tracker's beads or of the fleet's own.
    #[command(subcommand_required = true, arg_required_else_help = true)]
    Work {
        #[command(subcommand)]
        command: FleetWorkCommand,
    },
    /// Hooks: which piece of work each agent has.
    #[command(subcommand_required = true, arg_required_else_help = true)]
    Hook {
        #[command(subcommand)]
        command: FleetHookCommand,
    },
    /// Convoys: what belongs together, and how far it is.
    #[command(subcommand_required = true, arg_required_else_help = true)]
    Convoy {
        #[command(subcommand)]
        command: FleetConvoyCommand,
    },
    /// What waits to be merged.
    #[command(subcommand_required = true, arg_required_else_help = true)]
    Queue {
        #[command(subcommand)]
        command: FleetQueueCommand,
    },
    /// Ask a runner's place whether agents can run there, and what a session has there.
    Runner {
        /// Which; `local` is this machine.
        #[arg(value_name = "NAME")]
        name: String,
    },
    /// Look at finished work: its commits, its files, what the last check said.
    Review(FleetReviewArgs),
    /// Queue finished work; its bead is closed when it lands.
    Approve(FleetApproveArgs),
    /// Tell the agent what is to be changed.
    RequestChanges(FleetRequestChangesArgs),
    /// How you want the fleet of this project to work. It is kept beside your settings, not in the repository.
    Settings(FleetSettingsArgs),
}

/// `fleet settings …`
#[derive(Debug, clap::Args)]
pub(crate) struct FleetSettingsArgs {
    /// Which one; of a runner `runners.NAME` (its command), and `.probe`, `.program` and `.console` behind that; all
    /// unless given.
    #[arg(value_name = "KEY")]
    pub(crate) key: Option<String>,
    /// What it is from now on: on or off, a number, a word; of a list its words, as arguments, as one line or as a
    /// JSON array. `default` takes it back.
    #[arg(value_name = "VALUE", requires = "key", allow_hyphen_values = true)]
    pub(crate) value: Vec<String>,
}

impl FleetCommand {
    /// Whether it changes sessions, or asks what the engine just does.
    pub(crate) fn needs_engine(&self) -> bool {
        match self {
            FleetCommand::Overview
            | FleetCommand::Dispatch(_)
            | FleetCommand::Recover(_)
            | FleetCommand::Pause
            | FleetCommand::GoOn { .. }
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

/// `fleet agent …`
#[derive(Debug, Subcommand)]
pub(crate) enum FleetAgentCommand {
    /// Make one.
    Create {
        /// mayor, witness, refinery, polecat or crew.
        #[arg(value_name = "ROLE")]
        role: AgentRole,
        /// The project that it works in; this one unless given.
        #[arg(long, value_name = "NAME")]
        rig: Option<String>,
    },
    /// Show one.
    Show {
        /// Its name.
        #[arg(value_name = "AGENT")]
        agent: FleetAgentId,
    },
    /// List them.
    List {
        /// Only of this role.
        #[arg(long, value_name = "ROLE")]
        role: Option<AgentRole>,
        /// Only of this project.
        #[arg(long, value_name = "NAME")]
        rig: Option<String>,
    },
    /// Open its session for what hangs on its hook, or resume it.
    Start {
        /// Its name.
        #[arg(value_name = "AGENT")]
        agent: FleetAgentId,
    },
    /// Pause its session; its work stays its own.
    Stop {
        /// Its name.
        #[arg(value_name = "AGENT")]
        agent: FleetAgentId,
    },
    /// Take it out of use; its work is free.
    Retire {
        /// Its name.
        #[arg(value_name = "AGENT")]
        agent: FleetAgentId,
    },
    /// Write what one is about. What is shown is what is true: whether its session lives.
    Status {
        /// Its name.
        #[arg(value_name = "AGENT")]
        agent: FleetAgentId,
        /// What it is about.
        #[arg(value_name = "STATUS")]
        status: StatusWord,
    },
}

/// What an agent is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum StatusWord {
    /// It has no live session.
    Idle,
    /// Its session lives.
    Active,
    /// Its session gets nowhere.
    Stalled,
    /// It is not used any more.
    Terminated,
}

/// `fleet work …`
#[derive(Debug, Subcommand)]
pub(crate) enum FleetWorkCommand {
    /// Make a piece of work that the tracker does not know.
    Create {
        /// What it is, in a line.
        #[arg(value_name = "TITLE")]
        title: String,
        /// What is to be done.
        #[arg(long, value_name = "TEXT", default_value = "", allow_hyphen_values = true)]
        description: String,
        /// How urgent it is.
        #[arg(long, value_name = "P", default_value = "P2", ignore_case = true)]
        priority: PriorityWord,
    },
    /// Show one.
    Show {
        /// Its bead.
        #[arg(value_name = "BEAD")]
        bead: BeadId,
    },
    /// List all.
    List,
    /// Write how far one is.
    Status {
        /// Its bead.
        #[arg(value_name = "BEAD")]
        bead: BeadId,
        /// How far it is.
        #[arg(value_name = "STATUS")]
        status: WorkWord,
    },
}

/// How urgent a piece of work is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PriorityWord {
    /// Before all else.
    #[value(name = "P1")]
    P1,
    /// As most.
    #[value(name = "P2")]
    P2,
    /// When there is time.
    #[value(name = "P3")]
    P3,
}

/// How far a piece of work is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum WorkWord {
    /// Nobody has it.
    Open,
    /// It hangs on a hook.
    Hooked,
    /// Its agent is at it.
    InProgress,
    /// Its agent is done.
    Done,
    /// It is part of the target branch.
    Merged,
}

/// `fleet hook …`
#[derive(Debug, Subcommand)]
pub(crate) enum FleetHookCommand {
    /// Give an agent a piece of work; a bead of the tracker becomes one by that.
    Set {
        /// Who.
        #[arg(value_name = "AGENT")]
        agent: FleetAgentId,
        /// Gets what.
        #[arg(value_name = "BEAD")]
        bead: BeadId,
    },
    /// Show an agent's hook.
    Show {
        /// Whose.
        #[arg(value_name = "AGENT")]
        agent: FleetAgentId,
    },
    /// The agent begins its work.
    Activate {
        /// Who.
        #[arg(value_name = "AGENT")]
        agent: FleetAgentId,
    },
    /// The agent is done with its work.
    Complete {
        /// Who.
        #[arg(value_name = "AGENT")]
        agent: FleetAgentId,
    },
    /// Take its work off an agent's hook.
    Clear {
        /// Whose.
        #[arg(value_name = "AGENT")]
        agent: FleetAgentId,
    },
}

/// `fleet convoy …`
#[derive(Debug, Subcommand)]
pub(crate) enum FleetConvoyCommand {
    /// Group beads.
    Create {
        /// What people call it.
        #[arg(value_name = "NAME")]
        name: String,
        /// What is in it.
        #[arg(value_name = "BEAD", required = true)]
        beads: Vec<BeadId>,
    },
    /// Show one, and what happened to it.
    Show {
        /// Its name for programs.
        #[arg(value_name = "CONVOY")]
        convoy: ConvoyId,
    },
    /// List all.
    List,
    /// Count how much of one is done.
    Progress {
        /// Its name for programs.
        #[arg(value_name = "CONVOY")]
        convoy: ConvoyId,
    },
    /// Put beads into one.
    Add {
        /// Its name for programs.
        #[arg(value_name = "CONVOY")]
        convoy: ConvoyId,
        /// Which.
        #[arg(value_name = "BEAD", required = true)]
        beads: Vec<BeadId>,
    },
    /// Take beads out of one.
    Remove {
        /// Its name for programs.
        #[arg(value_name = "CONVOY")]
        convoy: ConvoyId,
        /// Which.
        #[arg(value_name = "BEAD", required = true)]
        beads: Vec<BeadId>,
    },
    /// Give one another name.
    Rename {
        /// Its name for programs.
        #[arg(value_name = "CONVOY")]
        convoy: ConvoyId,
        /// What people call it.
        #[arg(value_name = "NAME")]
        name: String,
    },
    /// Close one that is not done. One that is done closes by itself.
    Close {
        /// Its name for programs.
        #[arg(value_name = "CONVOY")]
        convoy: ConvoyId,
        /// Open it again instead.
        #[arg(long)]
        reopen: bool,
    },
}
