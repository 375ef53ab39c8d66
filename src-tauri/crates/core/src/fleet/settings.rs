//! How a person wants the fleet of a project to work.

use crate::{ids::AgentName, ids::BranchName, mode::PermissionMode};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What is set for a project's fleet. It is kept beside the person's settings and never in the repository, which
/// must not run anything, nor raise a limit, for whoever opens it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(default)]
pub struct FleetSettings {
    /// Where the fleet's state is, relative to the project or absolute.
    pub state_dir: String,
    /// Whether ready work is handed to idle agents unasked.
    pub auto_dispatch: bool,
    /// So many agents work at a time, at most.
    pub max_agents: u32,
    /// Nobody starts while the machine has less memory free than this, MiB.
    pub min_free_mib: u32,
    /// Nobody starts once today's sessions of agents cost this, USD; `null` for no limit.
    pub cost_per_day_usd: Option<f64>,
    /// Minutes without any sign of life after which an agent counts as stalled.
    pub stalled_minutes: u32,
    /// The agent prompt of the sessions that agents open, if not claude's own.
    pub agent: Option<AgentName>,
    /// How much they may do unasked.
    pub mode: PermissionMode,
    /// Their model, if not claude's default.
    pub model: Option<String>,
    /// The simulated agent in claude's place.
    pub simulated: bool,

    /// Where worktrees are made, relative to the project or absolute; `null` for `<project>-worktrees` beside it.
    pub worktree_dir: Option<String>,
    /// The branch or revision that agents' branches start from; `null` for what is checked out.
    pub worktree_base: Option<String>,
    /// Files and folders that are copied into a new worktree, relative to the project.
    pub worktree_copy: Vec<String>,
    /// Files and folders that a new worktree links to.
    pub worktree_link: Vec<String>,
    /// The program, with its arguments, that runs in a new worktree before the agent does; empty for none.
    pub worktree_setup: Vec<String>,
    /// Minutes after which that has failed.
    pub worktree_setup_minutes: u32,

    /// What finished work is merged into; `null` for the branch that the work began from.
    pub merge_target: Option<BranchName>,
    /// How.
    pub merge_method: MergeMethod,
    /// The program, with its arguments, that must succeed on what is merged; empty for none.
    pub merge_check: Vec<String>,
    /// Minutes after which that has failed.
    pub merge_check_minutes: u32,
    /// The remote that the target is pushed to once it has moved; `null` for none.
    pub merge_push: Option<String>,
    /// What happens to a working tree that has the target checked out.
    pub merge_checked_out: CheckedOut,
    /// Whether a person approves finished work before it is merged.
    pub merge_review: bool,

    /// Where an agent's program runs, by the name of the way; `local` is always there.
    pub runners: BTreeMap<String, Runner>,
    /// Which of these agents use.
    pub runner: String,
}

/// How a branch becomes part of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum MergeMethod {
    /// Its commits are put on top of the target.
    #[default]
    Rebase,
    /// A commit joins the two.
    Merge,
}

/// What happens to a working tree that has the target of a merge checked out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum CheckedOut {
    /// Nothing: the queue waits until the person has said what is to happen.
    #[default]
    Ask,
    /// It is brought along where nothing in it is uncommitted, as `git merge --ff-only` does.
    Follow,
}

/// A way to run a program somewhere, as words of a command line. In each word `{name}` stands for a value; a word with
/// `{args}` or `{env}` in it becomes a word for each of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(default)]
pub struct Runner {
    /// What runs the agent: `{program}` and `{args}` are its command line, `{cwd}` its folder, `{env}` its variables as
    /// `NAME=value`, `{line}` all of these as one line for a shell on the other side; `{socket}` is where its session's
    /// host listens here, `{remote_socket}` a place there that it can be brought to; `{session}` and `{agent}` are names.
    pub command: Vec<String>,
    /// What succeeds where agents can be run; empty where that is not asked.
    pub probe: Vec<String>,
    /// Claude there, if not where it is here.
    pub program: Option<String>,
    /// Beads Console there, which brings claude's hooks to the session's host; if not where it is here.
    pub console: Option<String>,
}

/// The runner that is always there: the program itself, on this machine.
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
        }
    }
}
