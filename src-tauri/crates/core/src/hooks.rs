//! Lifecycle hooks as they are recorded: commands of the person's or of a repository that run when
//! something happens to a session.

use crate::{Extra, Timestamp};
use serde::{Deserialize, Serialize};

/// The version of [`HookRun`] that this build writes.
pub const HOOK_RUN_VERSION: u32 = 1;

/// What hooks can be for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum HookEvent {
    /// A conversation began, was resumed or was cleared.
    SessionStart,
    /// A run of the agent ended, or its conversation was cleared.
    SessionEnd,
    /// A prompt was submitted.
    UserPromptSubmitted,
    /// A tool is about to be used; the answer may refuse it.
    PreToolUse,
    /// A tool was used.
    PostToolUse,
    /// A tool failed, or a turn did.
    ErrorOccurred,
}

/// What a hook says about a tool's use; the greater one counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "lowercase")]
pub enum HookDecision {
    /// It may be used, unasked.
    Allow,
    /// The person is asked.
    Ask,
    /// It may not.
    Deny,
}

/// One line of `hooks.jsonl`: one run of one hook.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct HookRun {
    /// [`HOOK_RUN_VERSION`] of whoever wrote it.
    pub version: u32,
    /// When it began.
    pub at: Timestamp,
    /// What for.
    pub event: HookEvent,
    /// Why: the source of a start, the reason of an end, the tool's name.
    #[serde(default)]
    pub reason: Option<String>,
    /// The file that the hook is in.
    pub file: String,
    /// The command, as it stands there.
    pub command: String,
    /// How long it ran, in milliseconds.
    #[specta(type = u32)]
    pub duration_ms: u64,
    /// Its exit code; absent where it did not run, was late, or a signal ended it.
    #[serde(default)]
    pub exit: Option<i32>,
    /// What it printed, cut.
    #[serde(default)]
    pub stdout: String,
    /// What it printed on standard error, cut.
    #[serde(default)]
    pub stderr: String,
    /// What was wrong with it: it did not run, was late, failed, printed no JSON.
    #[serde(default)]
    pub warning: Option<String>,
    /// What it said about a tool's use.
    #[serde(default)]
    pub decision: Option<HookDecision>,
    /// How many bytes of context it gave for the agent.
    #[serde(default)]
    #[specta(type = u32)]
    pub context_bytes: u64,
    /// Fields of other versions.
    #[serde(flatten)]
    #[specta(skip)]
    pub extra: Extra,
}

impl HookEvent {
    /// All of them, in the order in which a session meets them.
    pub const ALL: [HookEvent; 6] = [
        HookEvent::SessionStart,
        HookEvent::UserPromptSubmitted,
        HookEvent::PreToolUse,
        HookEvent::PostToolUse,
        HookEvent::ErrorOccurred,
        HookEvent::SessionEnd,
    ];

    /// Its name in a hooks file.
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

    /// The one of this name.
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
            format!("there are no hooks for {name:?}; there are {}", known.join(", "))
        })
    }
}

impl HookDecision {
    /// The one of this name.
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
    fn every_event_is_written_as_it_is_called() {
        for event in HookEvent::ALL {
            assert_eq!(serde_json::to_value(event).unwrap(), event.as_str());
            assert_eq!(event.as_str().parse(), Ok(event));
        }
        assert!("PreToolUse".parse::<HookEvent>().is_err());
    }

    #[test]
    fn a_refusal_outweighs_a_question_and_a_question_a_permission() {
        use HookDecision::{Allow, Ask, Deny};
        assert_eq!([Ask, Deny, Allow].into_iter().max(), Some(Deny));
        assert_eq!([Allow, Ask, Allow].into_iter().max(), Some(Ask));
    }
}
