//! A hook's output. Claude reads `{}` as "no decision".

use super::EventName;
use bc_core::{Extra, text::head_of_units};
use serde_json::{Value, json};

/// The longest piece of context, in [`bc_core::text::units`]. Claude truncates a context of over 10,000 to a preview of
/// 2,000.
pub const PIECE_MAX: usize = 9_500;

/// A hook's answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// No decision and no context; an open dialog stays open.
    Nothing,
    /// Text for the model, at most [`PIECE_MAX`] characters. Accepted with SessionStart, UserPromptSubmit,
    /// PreToolUse and PostToolUse.
    Context {
        /// The answering hook.
        event: EventName,
        text: String,
    },
    /// The decision on a PermissionRequest.
    Permission(Decision),
    /// The decision on a tool call, as the answer to PreToolUse.
    Tool {
        verdict: ToolVerdict,
        /// The reason: the model reads it after a refusal, the user otherwise.
        reason: String,
    },
}

/// The decision on a tool call before the user is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolVerdict {
    /// It may run without asking.
    Allow,
    /// The user is asked.
    Ask,
    /// It may not run.
    Deny,
}

impl ToolVerdict {
    /// The value in claude's format.
    pub fn as_str(self) -> &'static str {
        match self {
            ToolVerdict::Allow => "allow",
            ToolVerdict::Ask => "ask",
            ToolVerdict::Deny => "deny",
        }
    }
}

/// A decision on a permission.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision {
    /// The tool may run.
    Allow {
        /// Rules for the future: claude's suggestions unchanged, or ours.
        for_longer: Vec<Value>,
        /// The tool's input to use. Plans and questions need it: versions from 2.1.220 on keep their dialog
        /// open without it. Other tools omit it, because claude asks again about some changed inputs.
        input: Option<Extra>,
    },
    /// The tool may not run.
    Deny {
        /// The message for the model.
        message: String,
        /// Whether the turn ends too.
        interrupt: bool,
    },
}

impl Answer {
    /// The hook's output.
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
                    Decision::Allow { for_longer, input } => {
                        let mut allow = json!({"behavior": "allow"});
                        if !for_longer.is_empty() {
                            allow["updatedPermissions"] = json!(for_longer);
                        }
                        if let Some(input) = input {
                            allow["updatedInput"] = json!(input);
                        }
                        allow
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
