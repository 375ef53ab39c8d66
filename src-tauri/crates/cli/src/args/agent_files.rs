//! `init-agent`.

use bc_wire::agent_files::AgentFile;
use clap::Args;

/// `init-agent …`
#[derive(Debug, Args)]
pub(crate) struct InitAgentArgs {
    /// The skill, in .claude/skills/beads.
    #[arg(long)]
    pub(crate) skill: bool,
    /// The agent prompt, .claude/agents/beads.md.
    #[arg(long)]
    pub(crate) agent: bool,
    /// A section of CLAUDE.md.
    #[arg(long)]
    pub(crate) claude_md: bool,
    /// A section of AGENTS.md.
    #[arg(long)]
    pub(crate) agents_md: bool,
    /// Rules in .claude/settings.json, so that claude runs these commands unasked.
    #[arg(long)]
    pub(crate) permissions: bool,
    /// Remove it instead; all of it unless something is named.
    #[arg(long)]
    pub(crate) remove: bool,
    /// Only show what would change.
    #[arg(long)]
    pub(crate) dry_run: bool,
}

impl InitAgentArgs {
    /// What is named.
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
