//! Finds the claude program and the agent prompts that a project can use.
//!
//! May use: `context`.

use crate::context::Project;
use bc_claude::{
    agents::{self, Agent},
    paths::{Env, Places},
    probe::{self, Launcher, Probe},
    version::Version,
};
use bc_core::ids::AgentName;
use bc_wire::{
    ApiError, ErrorCode,
    app::ClaudeState,
    project::{AgentInfo, AgentList, AgentSource},
};
use std::path::{Path, PathBuf};

pub(crate) fn list_agents(project: &Project) -> AgentList {
    let info = |agent: Agent| AgentInfo {
        name: agent.name,
        description: Some(agent.description).filter(|text| !text.is_empty()),
        source: if agent.of_project { AgentSource::Project } else { AgentSource::User },
    };
    AgentList { agents: read_agents(project).into_iter().map(info).collect() }
}

pub(crate) fn find_agent(project: &Project, name: &AgentName) -> Result<Agent, ApiError> {
    let agents = read_agents(project);
    let known: Vec<_> = agents.iter().map(|a| a.name.to_string()).collect();
    agents.into_iter().find(|a| a.name == *name).ok_or_else(|| {
        let hint = match known.is_empty() {
            true => format!(
                "create one: {}",
                project.root.join(".claude/agents").join(format!("{name}.md")).display()
            ),
            false => format!("available: {}", known.join(", ")),
        };
        ApiError::new(ErrorCode::AgentNotFound, format!("unknown agent {name}")).hint(hint)
    })
}

fn read_agents(project: &Project) -> Vec<Agent> {
    agents::list(&project.root, places().map(|places| places.config_dir).as_deref())
}

/// Claude's folders; `None` without a home folder.
pub(crate) fn places() -> Option<Places> {
    Places::of(&Env::of_process())
}

/// The claude program that sessions start, after a successful check.
pub(crate) struct Claude {
    /// The path as found, to show to the user.
    pub(crate) path: PathBuf,
    /// The command that starts claude. Its program can differ from `path`.
    pub(crate) launcher: Launcher,
    pub(crate) version: Version,
}

/// Finds and checks the claude program to use. The error states the problem and how to fix it.
pub(crate) fn claude(project: &Project) -> Result<Claude, ApiError> {
    let probe = probe::probe(&Env::of_process(), &project.root);
    let code = match &probe {
        Probe::Ready { path, version, launcher } => {
            return Ok(Claude { path: path.clone(), launcher: launcher.clone(), version: *version });
        }
        Probe::Missing { .. }
        | Probe::OfOtherSystem { .. }
        | Probe::NotStartable { .. }
        | Probe::Broken { .. } => ErrorCode::ClaudeMissing,
        Probe::TooOld { .. } => ErrorCode::ClaudeTooOld,
        Probe::NotLoggedIn { .. } => ErrorCode::ClaudeNotLoggedIn,
        Probe::HooksDisabled { .. } => ErrorCode::HooksDisabled,
    };
    let hint = probe.hint().map(|hint| hint + "; ").unwrap_or_default();
    Err(ApiError::new(code, probe.message())
        .hint(format!("{hint}or try the built-in simulated agent with `--simulated`")))
}

/// Describes the claude program and its installation in one line, with a hint if other installations exist.
pub(crate) fn describe(claude: &Claude) -> (String, Option<String>) {
    let Claude { path, launcher, version } = claude;
    let starts = match launcher.program == *path {
        true => String::new(),
        false => format!(", starts {}", launcher.program.display()),
    };
    let found = format!("{version} at {} ({}{starts})", path.display(), launcher.installation);
    let others: Vec<String> = probe::others(&Env::of_process(), launcher)
        .into_iter()
        .map(|(path, installation)| format!("{} ({installation})", path.display()))
        .collect();
    let hint = (!others.is_empty())
        .then(|| format!("not used: {}; {} chooses another one", others.join(", "), probe::OVERRIDE));
    (found, hint)
}

/// Whether sessions in this folder can use claude.
pub fn claude_state(folder: &Path) -> ClaudeState {
    let probe = probe::probe(&Env::of_process(), folder);
    let (message, hint) = (probe.message(), probe.hint().unwrap_or_default());
    match probe {
        Probe::Ready { version, .. } => ClaudeState::Ready { version: version.to_string() },
        Probe::Missing { .. } | Probe::Broken { .. } => ClaudeState::Missing { hint },
        // The hint alone does not say why claude cannot be used.
        Probe::OfOtherSystem { .. } | Probe::NotStartable { .. } => {
            ClaudeState::Missing { hint: format!("{message}; {hint}") }
        }
        Probe::TooOld { found, needs, .. } => {
            ClaudeState::TooOld { version: found.to_string(), needed: needs.to_string() }
        }
        Probe::NotLoggedIn { version, .. } => ClaudeState::NotLoggedIn { version: version.to_string() },
        Probe::HooksDisabled { version, .. } => {
            ClaudeState::HooksDisabled { version: version.to_string(), hint }
        }
    }
}
