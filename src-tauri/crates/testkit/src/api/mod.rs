//! A Messages API on loopback that answers by script, for the real claude.
//!
//! What it answers stands in the prompt, as markers, or in turns queued by the test:
//!
//! | marker | the model … |
//! |---|---|
//! | `[[say:TEXT]]` | says it |
//! | `[[bash:CMD]]` | calls Bash |
//! | `[[write:PATH:TEXT]]` | calls Write; `PLAN_FILE` stands for the plan's file in plan mode |
//! | `[[read:PATH]]` | calls Read |
//! | `[[edit:PATH:OLD:NEW]]` | calls Edit |
//! | `[[tool:NAME:JSON]]` | calls any tool with this input |
//! | `[[agent:PROMPT]]` | calls Agent (a subagent) |
//! | `[[slow:N]]` | says N words, a line every 100 ms |
//! | `[[hang]]` | never answers |
//! | `[[stall]]` | says one word and then nothing any more |
//! | `[[status:CODE]]`, `[[status:CODE:TIMES]]` | fails, always or that often |
//!
//! Several tool markers make several calls. After their results the model says [`AFTER_TOOLS`]; a prompt
//! without a marker is answered with [`REPLY`] and the prompt. Every answer costs [`USAGE`].

mod reply;
mod script;
mod server;

pub use script::{ToolUse, Turn};
pub use server::{Recorded, ScriptedApi};

/// What the model says after its tools have run.
pub const AFTER_TOOLS: &str = "Done: the tools ran.";
/// How a prompt without a marker is answered: this and the prompt.
pub const REPLY: &str = "Reply to: ";
/// What the model says before it calls a tool.
pub const BEFORE_TOOLS: &str = "Calling tools.";
/// The summary that a compaction gets.
pub const SUMMARY: &str = "Summary of the conversation.";

/// Tokens of every answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Usage {
    /// Not cached.
    pub input: u64,
    /// Written to the cache.
    pub cache_creation: u64,
    /// Read from the cache.
    pub cache_read: u64,
    /// Written by the model.
    pub output: u64,
}

/// What every answer costs.
pub const USAGE: Usage = Usage { input: 100, cache_creation: 50, cache_read: 1000, output: 42 };

#[cfg(test)]
mod tests;
