//! The overview of the fleet: `fleet.overview`.
//!
//! Everything in it is computed when requested; recorded states are ignored. An agent's state is that of its session;
//! a convoy's progress comes from the tracker and the merge queue.

use bc_core::{
    Timestamp,
    bead::BeadStatus,
    fleet::{AgentIdentity, HookStatus, Priority},
    ids::{BeadId, BranchName, ConvoyId, FleetAgentId, SessionId},
};
use serde::{Deserialize, Serialize};

/// The answer of `fleet.overview`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct FleetOverview {
    /// What the project is called.
    pub rig: String,
    /// By role, then by name.
    pub agents: Vec<FleetAgentNow>,
    /// Those that are open, the oldest first, then those that are closed, the latest first.
    pub convoys: Vec<FleetConvoyNow>,
    /// Unassigned ready beads in dispatch order; at most 500.
    pub ready: Vec<FleetReady>,
    /// How many there are.
    pub ready_total: u32,
    /// How work is assigned.
    pub dispatch: FleetDispatchNow,
    /// What was found wrong.
    pub warnings: Vec<String>,
}

/// The current state of an agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct FleetAgentNow {
    /// Who it is; its status is what is true of it and not what was written.
    pub identity: AgentIdentity,
    /// What people call it.
    pub name: String,
    /// Its state, in more detail than its status.
    pub state: FleetAgentState,
    /// What blocks it, in one line; absent if nothing does.
    pub reason: Option<String>,
    /// How the user can resolve that, in one sentence.
    pub to_do: Option<String>,
    /// How its hook is.
    pub hook: HookStatus,
    /// What hangs on it.
    pub bead: Option<BeadId>,
    /// What that is called.
    pub title: Option<String>,
    /// What the tracker says of it.
    pub bead_status: Option<BeadStatus>,
    /// Its session: the one that lives, else the one that could be resumed.
    pub session_id: Option<SessionId>,
    /// The branch that it works on.
    pub branch: Option<BranchName>,
    /// Since when its state is what it is.
    pub since: Option<Timestamp>,
    /// Milliseconds that its session was active.
    #[specta(type = u32)]
    pub active_ms: u64,
    /// Tokens of its session.
    #[specta(type = Option<u32>)]
    pub tokens: Option<u64>,
    /// What its session cost, as claude counts.
    pub cost_usd: Option<f64>,
    /// The last that it said or did, on one line.
    pub last_line: Option<String>,
    /// When that was.
    pub last_at: Option<Timestamp>,
    /// Where its program runs.
    pub runner: String,
    /// Whether the simulated agent runs in its session, or would.
    pub simulated: bool,
}

/// The state of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum FleetAgentState {
    /// It has no session and can take work.
    Idle,
    /// Its session is being opened.
    Starting,
    /// It is in a turn.
    Working,
    /// It is at its prompt.
    AtPrompt,
    /// It asks for a permission, for trust or for a login, or its session has a trouble.
    NeedsYou,
    /// The model's service lets it wait.
    RateLimited,
    /// No sign of activity for the configured time.
    Silent,
    /// Its session was paused, by a person or because it sat at its prompt.
    Paused,
    /// Its session died.
    Interrupted,
    /// It is not used any more.
    Terminated,
}

/// A convoy as it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct FleetConvoyNow {
    /// Its name for programs.
    pub id: ConvoyId,
    /// Its name for people.
    pub name: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was closed, by a person or because all of it was done.
    pub closed_at: Option<Timestamp>,
    /// How many beads are in it.
    pub total: u32,
    /// How much of it is done or merged, 0 to 1.
    pub progress: f64,
    /// Its beads by what they are; each is counted once.
    pub counts: FleetConvoyCounts,
    /// Stranded beads, which cannot advance as things are; at most 100.
    pub stranded: Vec<FleetStranded>,
    /// How many there are.
    pub stranded_total: u32,
}

/// How many beads of a convoy are what.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetConvoyCounts {
    /// Part of the target branch.
    pub merged: u32,
    /// Closed in the tracker, but not merged by our queue.
    pub done: u32,
    /// Done by their agents, and not closed yet.
    pub in_review: u32,
    /// Done, and not to be merged as they are.
    pub conflicted: u32,
    /// An agent works on them.
    pub in_progress: u32,
    /// On a hook, and not begun.
    pub hooked: u32,
    /// Ready.
    pub ready: u32,
    /// Wait for others.
    pub blocked: u32,
    /// Deferred, or marked as blocked by a user.
    pub put_off: u32,
    /// The tracker does not have them.
    pub missing: u32,
}

/// A stranded bead, which cannot advance as things are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetStranded {
    /// Which.
    pub bead: BeadId,
    /// What it is called; empty where the tracker does not have it.
    pub title: String,
    /// Why.
    pub why: String,
}

/// A ready bead.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct FleetReady {
    /// Which.
    pub bead: BeadId,
    /// What it is called.
    pub title: String,
    /// The tracker's priority, 0 (most urgent) to 4.
    pub priority: u8,
    /// How urgent that is for the fleet.
    pub class: Priority,
    /// `bug`, `feature`, `task` …
    pub issue_type: String,
    /// When it was made.
    pub created_at: Option<Timestamp>,
    /// Why dispatch skips it; absent if it does not.
    pub held: Option<String>,
    /// The agent that would get it next.
    pub agent: Option<FleetAgentId>,
}

/// How work is assigned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct FleetDispatchNow {
    /// Whether ready work is assigned to idle agents automatically.
    pub auto: bool,
    /// Whether the fleet is paused: no work is assigned and no session resumed.
    pub paused: bool,
    /// How many sessions are being opened.
    pub starting: u32,
    /// Agents with work whose sessions live or are being opened.
    pub working: u32,
    /// The maximum number of working agents.
    pub max_agents: u32,
    /// Agents that could take work.
    pub idle: u32,
    /// Free memory, MiB; absent where the system does not tell.
    pub free_mib: Option<u32>,
    /// The minimum of free memory for starting a session.
    pub min_free_mib: u32,
    /// What sessions of agents cost that were active today, USD.
    pub cost_today_usd: f64,
    /// The daily limit; no session starts once it is reached.
    pub cost_per_day_usd: Option<f64>,
    /// Why no more work is assigned now, in one sentence; absent if it would be.
    pub why_not: Option<String>,
}
