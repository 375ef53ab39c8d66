//! What a hook prints. Claude takes `{}` for "nothing to say".

use super::EventName;
use bc_core::text::head_of_units;
use serde_json::{Value, json};

/// Claude shows the model a piece over 10,000 characters only as a preview of 2,000: ours stay under, in
/// [`bc_core::text::units`].
pub const PIECE_MAX: usize = 9_500;

/// A hook's answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// Nothing to say; an open dialog stays open.
    Nothing,
    /// Text for the model, at most [`PIECE_MAX`] characters. Taken with SessionStart, UserPromptSubmit,
    /// PreToolUse and PostToolUse.
    Context {
        /// Which hook answers.
        event: EventName,
        /// The text.
        text: String,
    },
    /// The decision about a PermissionRequest.
    Permission(Decision),
    /// What becomes of a tool's use, in answer to PreToolUse.
    Tool {
        /// It.
        verdict: ToolVerdict,
        /// Why: the model reads it with a refusal, the person otherwise.
        reason: String,
    },
}

/// What becomes of a tool's use before anybody is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolVerdict {
    /// It may run, unasked.
    Allow,
    /// The person is asked.
    Ask,
    /// It may not run.
    Deny,
}

impl ToolVerdict {
    /// Claude's word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            ToolVerdict::Allow => "allow",
            ToolVerdict::Ask => "ask",
            ToolVerdict::Deny => "deny",
        }
    }
}

/// A decision about a permission.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision {
    /// The tool may run.
    Allow {
        /// Rules that claude suggested and that hold from now on; each as it came.
        for_longer: Vec<Value>,
    },
    /// The tool may not run.
    Deny {
        /// What the model is told.
        message: String,
        /// Whether the turn ends too.
        interrupt: bool,
    },
}

impl Answer {
    /// What the hook prints.
    pub fn to_json(&self) -> Value {
        let specific = |event: EventName, mut rest: Value| {
            rest["hookEventName"] = json!(event.as_str());
            json!({"hookSpecificOutput": rest})
        };
        match self {
            Answer::Nothing => json!({}),
            Answer::Context { text, .. } if text.trim().is_empty() => json!({}),
            Answer::Context { event, text } => {
                let text = head_of_units(text, PIECE_MAX);
                specific(*event, json!({"additionalContext": text}))
            }
            Answer::Tool { verdict, reason } => specific(
                EventName::PreToolUse,
                json!({"permissionDecision": verdict.as_str(), "permissionDecisionReason": reason}),
            ),
            Answer::Permission(decision) => {
                let decision = match decision {
                    Decision::Allow { for_longer } if for_longer.is_empty() => json!({"behavior": "allow"}),
                    Decision::Allow { for_longer } => {
                        json!({"behavior": "allow", "updatedPermissions": for_longer})
                    }
                    Decision::Deny { message, interrupt: false } => {
                        json!({"behavior": "deny", "message": message})
                    }
                    Decision::Deny { message, interrupt: true } => {
                        json!({"behavior": "deny", "message": message, "interrupt": true})
                    }
                };
                specific(EventName::PermissionRequest, json!({"decision": decision}))
            }
        }
    }
}
