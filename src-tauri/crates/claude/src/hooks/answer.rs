//! A hook's output. Claude treats `{}` as no decision.

use super::EventName;
use bc_core::{Extra, hooks::HookDecision, text::head_of_units};
use serde_json::{Value, json};

/// The maximum length of one piece of context, in [`bc_core::text::units`]. Claude shortens a context of more
/// than 10,000 units to a preview of 2,000.
pub const PIECE_MAX: usize = 9_500;

/// A hook's answer to claude.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// No decision and no context; an open dialog stays open.
    Nothing,
    /// Text for the model, of which at most [`PIECE_MAX`] units are sent. Claude accepts it from
    /// SessionStart, UserPromptSubmit, PreToolUse and PostToolUse.
    Context { event: EventName, text: String },
    /// The decision on a PermissionRequest, which closes claude's dialog.
    Permission(Decision),
    /// The decision on a tool call, as the answer to PreToolUse.
    Tool {
        /// The decision. Claude's names for the decisions are the same as ours.
        decision: HookDecision,
        /// The reason, shown to the model after a refusal and to the user otherwise.
        reason: String,
    },
}

/// The answer to a permission request.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision {
    Allow {
        /// Changes to claude's permissions beyond this call: its own suggestions unchanged, or the mode in
        /// which it carries out a plan.
        for_longer: Vec<Value>,
        /// The tool input to use. Plans and questions require it, because claude 2.1.220 and later otherwise
        /// keeps their dialog open. For other tools it is omitted, because claude asks again about some
        /// changed inputs.
        input: Option<Extra>,
    },
    Deny {
        message: String,
    },
}

impl Answer {
    /// The answer in claude's format for a hook's standard output.
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
            Answer::Tool { decision, reason } => specific(
                EventName::PreToolUse,
                json!({"permissionDecision": decision, "permissionDecisionReason": reason}),
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
                    Decision::Deny { message } => json!({"behavior": "deny", "message": message}),
                };
                specific(EventName::PermissionRequest, json!({"decision": decision}))
            }
        }
    }
}
