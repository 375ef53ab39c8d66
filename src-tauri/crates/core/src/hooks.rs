//! The events and records of lifecycle hooks: commands of the user or the repository that run on session
//! events.

use crate::{Extra, Timestamp};
use serde::{Deserialize, Serialize};

/// The version of [`HookRun`] that this build writes.
pub const HOOK_RUN_VERSION: u32 = 1;

/// The events on which lifecycle hooks run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum HookEvent {
    /// A conversation was started, resumed or cleared.
    SessionStart,
    /// A run of the agent ended, or its conversation was cleared.
    SessionEnd,
    UserPromptSubmitted,
    /// A tool is about to be used; a hook can allow it, refuse it, or require a permission request.
    PreToolUse,
    PostToolUse,
    /// A tool or a turn failed.
    ErrorOccurred,
}

/// A hook's decision on a tool call. If several hooks decide, the strictest decision takes effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "lowercase")]
pub enum HookDecision {
    /// The tool may run without a permission request.
    Allow,
    Ask,
    /// The tool may not run.
    Deny,
}

/// One line of `hooks.jsonl`: one run of one hook.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct HookRun {
    /// The [`HOOK_RUN_VERSION`] of the build that wrote the line.
    pub version: u32,
    /// When the run started.
    pub at: Timestamp,
    pub event: HookEvent,
    /// The reason for the event: the source of a start, the cause of an end, the tool's name, or the error of
    /// a failed turn.
    #[serde(default)]
    pub reason: Option<String>,
    pub file: String,
    /// The command, as written in the file.
    pub command: String,
    /// The run's duration in milliseconds.
    #[specta(type = u32)]
    pub duration_ms: u64,
    /// The command's exit code; `None` if it did not run, timed out, or was ended by a signal.
    #[serde(default)]
    pub exit: Option<i32>,
    /// The command's standard output, truncated.
    #[serde(default)]
    pub stdout: String,
    /// The command's standard error, truncated.
    #[serde(default)]
    pub stderr: String,
    /// The problem: the hook did not run, timed out, failed, printed invalid output or too much context, or
    /// left processes behind.
    #[serde(default)]
    pub warning: Option<String>,
    /// The hook's decision on the tool call.
    #[serde(default)]
    pub decision: Option<HookDecision>,
    /// The size of the context that the hook gave the agent, in bytes.
    #[serde(default)]
    #[specta(type = u32)]
    pub context_bytes: u64,
    /// Unknown fields of other versions, which are kept.
    #[serde(flatten)]
    #[specta(skip)]
    pub extra: Extra,
}

impl HookEvent {
    /// All events, in the order in which they occur in a session.
    pub const ALL: [HookEvent; 6] = [
        HookEvent::SessionStart,
        HookEvent::UserPromptSubmitted,
        HookEvent::PreToolUse,
        HookEvent::PostToolUse,
        HookEvent::ErrorOccurred,
        HookEvent::SessionEnd,
    ];

    /// The event's name in a hooks file.
    pub fn as_str(self) -> &'static str {
        match self {
            HookEvent::SessionStart => "sessionStart",
            HookEvent::SessionEnd => "sessionEnd",
            HookEvent::UserPromptSubmitted => "userPromptSubmitted",
            HookEvent::PreToolUse => "preToolUse",
            HookEvent::PostToolUse => "postToolUse",
            HookEvent::ErrorOccurred => "errorOccurred",
        }
    }

    /// The event with this name in a hooks file; `None` if it is unknown.
    pub fn parse(name: &str) -> Option<HookEvent> {
        HookEvent::ALL.into_iter().find(|event| event.as_str() == name)
    }
}

impl std::fmt::Display for HookEvent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl std::str::FromStr for HookEvent {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        HookEvent::parse(name).ok_or_else(|| {
            let known: Vec<&str> = HookEvent::ALL.iter().map(|event| event.as_str()).collect();
            format!("no lifecycle hooks exist for event {name:?}; valid events are {}", known.join(", "))
        })
    }
}

impl HookDecision {
    /// Parses `allow`, `ask` or `deny`; `None` for other text.
    pub fn parse(name: &str) -> Option<HookDecision> {
        match name {
            "allow" => Some(HookDecision::Allow),
            "ask" => Some(HookDecision::Ask),
            "deny" => Some(HookDecision::Deny),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn event_names_match_the_file_format() {
        for event in HookEvent::ALL {
            assert_eq!(serde_json::to_value(event).unwrap(), event.as_str());
            assert_eq!(event.as_str().parse(), Ok(event));
        }
        assert!("PreToolUse".parse::<HookEvent>().is_err());
    }

    #[test]
    fn deny_outranks_ask_and_ask_outranks_allow() {
        use HookDecision::{Allow, Ask, Deny};
        assert_eq!([Ask, Deny, Allow].into_iter().max(), Some(Deny));
        assert_eq!([Allow, Ask, Allow].into_iter().max(), Some(Ask));
    }
}
