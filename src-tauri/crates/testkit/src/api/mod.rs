//! A Messages API on the loopback interface that answers the real claude by script.
//!
//! Markers in the prompt, or turns queued by the test, determine the responses:
//!
//! | marker | response |
//! |---|---|
//! | `[[say:TEXT]]` | says the text |
//! | `[[bash:CMD]]` | calls Bash |
//! | `[[write:PATH:TEXT]]` | calls Write; `PLAN_FILE` stands for the plan file in plan mode |
//! | `[[read:PATH]]` | calls Read |
//! | `[[edit:PATH:OLD:NEW]]` | calls Edit |
//! | `[[tool:NAME:JSON]]` | calls any tool with this input |
//! | `[[agent:PROMPT]]` | calls Agent (a subagent) |
//! | `[[slow:N]]` | says N words, one line every 100 ms |
//! | `[[hang]]` | never answers |
//! | `[[stall]]` | says one word and then stalls |
//! | `[[status:CODE]]`, `[[status:CODE:TIMES]]` | fails, always or the first TIMES times |
//!
//! Several tool markers cause several calls. After the tools' results, the model says [`AFTER_TOOLS`]. The
//! response to a prompt without a marker is [`REPLY`] followed by the prompt. Every successful response
//! reports [`USAGE`].

mod reply;
mod script;
mod server;

pub use script::{ToolUse, Turn};
pub use server::{Recorded, ScriptedApi};

/// The model's text after its tools have run.
pub const AFTER_TOOLS: &str = "Done: the tools ran.";
/// The beginning of the response to a prompt without a marker; the prompt follows.
pub const REPLY: &str = "Reply to: ";
/// The model's text before it calls a tool.
pub const BEFORE_TOOLS: &str = "Calling tools.";
/// The summary in the response to a compaction.
pub const SUMMARY: &str = "Summary of the conversation.";

/// The token counts that a response reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Usage {
    /// Input tokens that were not cached.
    pub input: u64,
    /// Input tokens that were written to the cache.
    pub cache_creation: u64,
    pub cache_read: u64,
    /// Tokens written by the model.
    pub output: u64,
}

/// The token counts that every successful response reports.
pub const USAGE: Usage = Usage { input: 100, cache_creation: 50, cache_read: 1000, output: 42 };

#[cfg(test)]
mod tests;
