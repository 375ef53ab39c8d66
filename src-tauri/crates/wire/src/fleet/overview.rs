//! The overview of the fleet: `fleet.overview`.
//!
//! The whole overview is computed when it is requested; recorded states are ignored. An agent's state is the
//! state of its session. A convoy's progress comes from the tracker and the merge queue.

use crate::session::SessionState;
use bc_core::{
    Timestamp,
    bead::BeadStatus,
    fleet::{AgentIdentity, HookStatus, Priority},
    ids::{BeadId, BranchName, ConvoyId, FleetAgentId, SessionId},
};
use serde::{Deserialize, Serialize};

/// The result of `fleet.overview`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct FleetOverview {
    /// The project's name.
    pub rig: String,
    /// The agents, sorted by role and id.
    pub agents: Vec<FleetAgentNow>,
    /// Open convoys, oldest first, then closed convoys, latest first.
    pub convoys: Vec<FleetConvoyNow>,
    /// Unassigned ready beads in dispatch order; at most 500.
    pub ready: Vec<FleetReady>,
    /// The number of all unassigned ready beads.
    pub ready_total: u32,
    pub dispatch: FleetDispatchNow,
    pub warnings: Vec<String>,
}

/// An agent with the current state of its session and its work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct FleetAgentNow {
    /// The agent's identity, with the computed status instead of the recorded one.
    pub identity: AgentIdentity,
    pub name: String,
    /// The agent's state, in more detail than its status.
    pub state: FleetAgentState,
    /// The state of the agent's session, which the UI shows as the agent's state; absent without a session.
    #[serde(default)]
    pub session_state: Option<SessionState>,
    /// When the rate limit of the agent's session ends.
    #[serde(default)]
    pub limited_until: Option<Timestamp>,
    /// The reason for the state, on one line; absent if the state needs no explanation.
    pub reason: Option<String>,
    /// The suggested next step, in one sentence; present if there is a `reason`.
    pub to_do: Option<String>,
    pub hook: HookStatus,
    /// The bead on the agent's hook.
    pub bead: Option<BeadId>,
    pub title: Option<String>,
    /// The bead's state in the tracker.
    pub bead_status: Option<BeadStatus>,
    /// The agent's live session, otherwise the session that can be resumed.
    pub session_id: Option<SessionId>,
    pub branch: Option<BranchName>,
    /// When the agent's state began; absent if unknown.
    pub since: Option<Timestamp>,
    /// The active time of the agent's session in milliseconds.
    #[specta(type = u32)]
    pub active_ms: u64,
    #[specta(type = Option<u32>)]
    pub tokens: Option<u64>,
    /// The cost of the agent's session, as counted by claude.
    pub cost_usd: Option<f64>,
    /// The last tool call or message of the agent's session, on one line. A user's message starts with `> `.
    pub last_line: Option<String>,
    /// The time of the last message in the agent's session.
    pub last_at: Option<Timestamp>,
    pub runner: String,
    /// Whether the agent's session uses or would use the simulated agent.
    pub simulated: bool,
}

/// The current state of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum FleetAgentState {
    /// The agent has no open session. If it still has work, `reason` explains why the work is not in progress.
    Idle,
    /// The agent's session is starting.
    Starting,
    /// The agent is in a turn.
    Working,
    AtPrompt,
    /// The agent asks for a permission, trust or a login, a dialog is open, or its session has a problem.
    NeedsYou,
    /// The agent waits for the model's rate limit.
    RateLimited,
    /// The agent has shown no activity for the configured time.
    Silent,
    /// The agent's session is paused: by a user, after idle time, because claude exited, or because another
    /// session took its place.
    Paused,
    /// The agent's session died or does not answer, or claude has just exited in it.
    Interrupted,
    /// The agent is retired and gets no more work.
    Terminated,
}

/// A convoy with its current progress according to the tracker and the merge queue.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct FleetConvoyNow {
    pub id: ConvoyId,
    pub name: String,
    pub created_at: Timestamp,
    /// When the convoy was closed, by a user or because all its beads were done.
    pub closed_at: Option<Timestamp>,
    /// The number of the convoy's beads.
    pub total: u32,
    /// The share of beads that are done or merged, 0 to 1.
    pub progress: f64,
    /// The numbers of the convoy's beads by state. Each bead is counted once.
    pub counts: FleetConvoyCounts,
    /// Stranded beads, which currently cannot advance; at most 100.
    pub stranded: Vec<FleetStranded>,
    /// The number of all stranded beads.
    pub stranded_total: u32,
}

/// The numbers of a convoy's beads by state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetConvoyCounts {
    /// Beads that are part of the target branch.
    pub merged: u32,
    /// Beads that are closed in the tracker, but were not merged by this program's queue.
    pub done: u32,
    /// Beads that agents have finished and that are not closed yet.
    pub in_review: u32,
    /// Finished beads with a merge conflict.
    pub conflicted: u32,
    /// Beads in progress by an agent.
    pub in_progress: u32,
    /// Beads that are assigned and not started.
    pub hooked: u32,
    pub ready: u32,
    /// Beads that are blocked by other beads.
    pub blocked: u32,
    /// Beads that are deferred, or marked as blocked by a user.
    pub put_off: u32,
    /// Beads that are missing in the tracker.
    pub missing: u32,
}

/// A stranded bead, which currently cannot advance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FleetStranded {
    pub bead: BeadId,
    /// The bead's title; empty if the tracker does not have the bead.
    pub title: String,
    pub why: String,
}

/// An unassigned ready bead.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct FleetReady {
    pub bead: BeadId,
    pub title: String,
    /// The tracker's priority, 0 (most urgent) to 4.
    pub priority: u8,
    /// The fleet's priority class.
    pub class: Priority,
    /// The type: `bug`, `feature`, `task` and so on.
    pub issue_type: String,
    pub created_at: Option<Timestamp>,
    /// Why dispatch skips the bead; absent if dispatch does not skip it.
    pub held: Option<String>,
    /// The agent to which the bead would be assigned next.
    pub agent: Option<FleetAgentId>,
}

/// Whether and why dispatch assigns work now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct FleetDispatchNow {
    /// Whether ready work is assigned to idle agents automatically.
    pub auto: bool,
    /// Whether the fleet is paused: no work is assigned and no session is resumed automatically.
    pub paused: bool,
    /// The number of starting sessions.
    pub starting: u32,
    /// The number of agents with work and a live or starting session.
    pub working: u32,
    /// The maximum number of working agents.
    pub max_agents: u32,
    pub idle: u32,
    /// Free memory in MiB; absent if the system does not report it.
    pub free_mib: Option<u32>,
    /// The minimum free memory for starting a session, in MiB.
    pub min_free_mib: u32,
    /// The total cost in USD of the agents' sessions that were active today, including their costs from
    /// earlier days.
    pub cost_today_usd: f64,
    /// The daily limit in USD; no session starts once it is reached.
    pub cost_per_day_usd: Option<f64>,
    /// Why no more work is assigned now, in one sentence.
    pub why_not: Option<String>,
}
