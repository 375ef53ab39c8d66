//! The user's fleet settings for a project.

use crate::{ids::AgentName, ids::BranchName, mode::PermissionMode};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A project's fleet settings. They are stored beside the user's settings and never in the repository, which
/// must not run programs or raise limits for a user who opens it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(default)]
pub struct FleetSettings {
    /// The folder of the fleet's state, relative to the project or absolute.
    pub state_dir: String,
    /// Whether ready work is assigned to idle agents automatically.
    pub auto_dispatch: bool,
    /// The maximum number of working agents.
    pub max_agents: u32,
    /// The minimum free memory on the machine to start an agent, in MiB.
    pub min_free_mib: u32,
    /// The total cost of the agents' sessions that were active today at which no more agents start, in USD;
    /// `null` for no limit.
    pub cost_per_day_usd: Option<f64>,
    /// The number of minutes without activity after which an agent counts as stalled; 0 for never.
    pub stalled_minutes: u32,
    /// The agent prompt of the agents' sessions; `null` for none.
    pub agent: Option<AgentName>,
    pub mode: PermissionMode,
    /// The model of the agents' sessions; `null` for claude's default.
    pub model: Option<String>,
    /// Whether the simulated agent runs instead of claude.
    pub simulated: bool,

    /// The folder for worktrees, relative to the project or absolute; `null` for `<project>-worktrees` beside
    /// the project.
    pub worktree_dir: Option<String>,
    /// The branch or revision from which agents' branches start; `null` for HEAD.
    pub worktree_base: Option<String>,
    /// Files and folders that are copied into a new worktree, relative to the project.
    pub worktree_copy: Vec<String>,
    /// Files and folders that a new worktree links to.
    pub worktree_link: Vec<String>,
    /// The program, with its arguments, that runs in a new worktree before the agent starts; empty for none.
    pub worktree_setup: Vec<String>,
    /// The timeout of the setup, in minutes.
    pub worktree_setup_minutes: u32,

    /// The target for finished work; `null` for the branch from which the work started, or else the main
    /// tree's branch.
    pub merge_target: Option<BranchName>,
    pub merge_method: MergeMethod,
    /// The program, with its arguments, that must succeed on the merged result; empty for none.
    pub merge_check: Vec<String>,
    /// The timeout of the check, in minutes.
    pub merge_check_minutes: u32,
    /// The remote to which the target is pushed after each merge; `null` for none.
    pub merge_push: Option<String>,
    /// How to treat a working tree that has the target checked out.
    pub merge_checked_out: CheckedOut,
    /// Whether the user approves finished work before it is merged.
    pub merge_review: bool,

    /// The runners by name; `local` always exists.
    pub runners: BTreeMap<String, Runner>,
    /// The name of the runner for the agents.
    pub runner: String,
    /// The places that run the agents, by name; `local` is this machine. If empty, all agents run on this
    /// machine, or through the runner.
    pub places: Vec<String>,
}

/// How the merge queue merges a branch into the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum MergeMethod {
    /// Rebase the branch's commits onto the target.
    #[default]
    Rebase,
    /// Create a merge commit.
    Merge,
}

/// How to treat a working tree that has the merge target checked out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum CheckedOut {
    /// Leave the tree unchanged: the queue waits for the user's decision.
    #[default]
    Ask,
    /// Update the tree as `git merge --ff-only` does, unless that would overwrite uncommitted changes.
    Follow,
}

/// A way to run a program elsewhere, as the words of a command line. In each word, `{name}` stands for a
/// value. A word with `{args}` or `{env}` is repeated for each value.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(default)]
pub struct Runner {
    /// The command that runs the agent. `{program}` and `{args}` are the agent's command line, `{cwd}` its
    /// folder, and `{env}` its variables as `NAME=value`. `{line}` is all of these as one line for a remote
    /// shell. `{socket}` is the local socket of the session's host; `{remote_socket}` is a remote path to
    /// forward it to. `{session}` is the session's id, and `{agent}` the name of its agent prompt.
    pub command: Vec<String>,
    /// A command that succeeds if agents can run; empty for no check.
    pub probe: Vec<String>,
    /// The remote path of claude, if it differs from the local path.
    pub program: Option<String>,
    /// The remote path of Beads Console, if it differs from the local path. Beads Console connects claude's
    /// hooks to the session's host.
    pub console: Option<String>,
}

/// The name of the runner that always exists. It runs the program directly on this machine.
pub const LOCAL_RUNNER: &str = "local";

impl Default for FleetSettings {
    fn default() -> Self {
        FleetSettings {
            state_dir: ".chipset/state".to_owned(),
            auto_dispatch: false,
            max_agents: 4,
            min_free_mib: 1024,
            cost_per_day_usd: None,
            stalled_minutes: 15,
            agent: None,
            mode: PermissionMode::default(),
            model: None,
            simulated: false,
            worktree_dir: None,
            worktree_base: None,
            worktree_copy: Vec::new(),
            worktree_link: Vec::new(),
            worktree_setup: Vec::new(),
            worktree_setup_minutes: 10,
            merge_target: None,
            merge_method: MergeMethod::default(),
            merge_check: Vec::new(),
            merge_check_minutes: 30,
            merge_push: None,
            merge_checked_out: CheckedOut::default(),
            merge_review: true,
            runners: BTreeMap::new(),
            runner: LOCAL_RUNNER.to_owned(),
            places: Vec::new(),
        }
    }
}
