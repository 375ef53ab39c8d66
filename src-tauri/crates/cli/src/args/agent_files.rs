//! Arguments of `init-agent`.

use bc_wire::agent_files::AgentFile;
use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct InitAgentArgs {
    /// Include the skill (.claude/skills/beads).
    #[arg(long)]
    pub(crate) skill: bool,
    /// Include the agent prompt (.claude/agents/beads.md).
    #[arg(long)]
    pub(crate) agent: bool,
    /// Include a section in CLAUDE.md.
    #[arg(long)]
    pub(crate) claude_md: bool,
    /// Include a section in AGENTS.md.
    #[arg(long)]
    pub(crate) agents_md: bool,
    /// Include rules in .claude/settings.json that let claude run these commands without asking.
    #[arg(long)]
    pub(crate) permissions: bool,
    /// Remove the selected files, or all of them if none is selected.
    #[arg(long)]
    pub(crate) remove: bool,
    /// Show what would change without writing anything.
    #[arg(long)]
    pub(crate) dry_run: bool,
}

impl InitAgentArgs {
    /// The files that the flags select; empty if no flag selects a file.
    pub(crate) fn files(&self) -> Vec<AgentFile> {
        let named = |file: &AgentFile| match file {
            AgentFile::Skill => self.skill,
            AgentFile::Agent => self.agent,
            AgentFile::ClaudeMd => self.claude_md,
            AgentFile::AgentsMd => self.agents_md,
            AgentFile::Permissions => self.permissions,
        };
        AgentFile::ALL.into_iter().filter(named).collect()
    }
}
