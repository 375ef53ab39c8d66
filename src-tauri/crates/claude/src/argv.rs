//! Claude's arguments, as a vector.

use crate::{agents::Agent, probe::Abilities};
use bc_core::{ids::ConversationId, mode::PermissionMode};
use serde_json::Value;

/// What claude is started with.
#[derive(Debug, Clone)]
pub struct Argv {
    /// The conversation.
    pub conversation: ConversationId,
    /// Whether it exists already.
    pub resume: bool,
    /// Always passed: claude's own default differs by version.
    pub mode: PermissionMode,
    /// From [`crate::settings`].
    pub settings: Value,
    /// The model, if not claude's default.
    pub model: Option<String>,
    /// The agent prompt; passed again at every resume, or a compaction loses it.
    pub agent: Option<Agent>,
    /// The opening prompt, made safe by `bc_core::prompt::safe_argument`.
    pub prompt: Option<String>,
}

impl Argv {
    /// The arguments for a claude of these abilities; for the newest known without.
    pub fn build(&self, abilities: Option<&Abilities>) -> Vec<String> {
        let newest = Abilities::newest();
        let abilities = abilities.unwrap_or(&newest);
        let conversation = if self.resume { "--resume" } else { "--session-id" };
        let mut args = vec![conversation.to_owned(), self.conversation.to_string()];
        let mode = match self.mode {
            PermissionMode::Manual if !abilities.manual_mode => "default",
            mode => mode.as_str(),
        };
        args.extend(["--permission-mode".to_owned(), mode.to_owned()]);
        args.extend(["--settings".to_owned(), self.settings.to_string()]);
        if let Some(model) = &self.model {
            args.push(format!("--model={model}"));
        }
        match &self.agent {
            Some(agent) if abilities.agent_flag => {
                args.extend(["--agent".to_owned(), agent.name.to_string()]);
            }
            Some(agent) => args.push(format!("--append-system-prompt={}", agent.prompt)),
            None => {}
        }
        if let Some(prompt) = &self.prompt {
            args.extend(["--".to_owned(), prompt.clone()]);
        }
        args
    }
}
