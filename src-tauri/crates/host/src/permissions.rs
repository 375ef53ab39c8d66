//! Open permission requests, and the detection of answers in claude's terminal.
//!
//! Performs no I/O. Claude shows its own dialog while our card is open, and the first answer wins; the other
//! side is not notified. A card is withdrawn when its tool has a result, when claude abandons the hook, or
//! when an event occurs that is impossible while a dialog is open.

use crate::client_id::ClientId;
use bc_claude::hooks::lasting_rules;
use bc_core::{
    Extra, Timestamp,
    mode::{LastingRule, PermissionMode},
    question::QuestionAnswer,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{HashMap, VecDeque};
use uuid::Uuid;

/// The maximum number of started tools that are remembered to match them with requests.
const STARTED_MAX: usize = 256;

/// An open request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Card {
    /// Our id, which an answer refers to. No host ever reuses it.
    pub id: String,
    pub tool: String,
    pub input: Extra,
    /// The type of the requesting subagent, or its id if the type is unknown; absent for the main agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subagent: Option<String>,
    /// The lasting permissions that claude suggests; may be empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lasting: Vec<LastingRule>,
    /// When the request was made.
    pub asked_at: Timestamp,
}

/// The user's decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// Allows the tool to run once. A plan is carried out in Manual mode.
    Allow,
    /// Approves the plan, and claude continues in this mode.
    Approve { mode: PermissionMode },
    /// Answers claude's questions.
    Answers { answers: Vec<QuestionAnswer> },
    /// Allows the tool to run, and applies claude's suggestions from now on.
    AllowAlways,
    /// Refuses the tool.
    Deny {
        /// The reason, for the model.
        #[serde(default)]
        message: Option<String>,
    },
}

/// A tool call, as reported by a hook.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ToolCall {
    /// Claude's id for the prompt.
    pub prompt: Option<String>,
    pub tool: String,
    pub input: Extra,
    /// The id of the calling subagent; `None` for the main agent.
    pub subagent: Option<String>,
}

/// An open request and the hook that waits for its answer.
#[derive(Debug, PartialEq)]
pub(crate) struct PendingRequest {
    pub(crate) card: Card,
    /// The connection of claude's waiting hook.
    pub(crate) asker: ClientId,
    /// Claude's suggestions, unchanged.
    pub(crate) suggestions: Vec<Value>,
    /// The id of the tool call, if a matching one was started.
    tool_use: Option<String>,
    of_subagent: bool,
}

/// All open requests; see the [module](self).
#[derive(Debug, Default)]
pub(crate) struct Permissions {
    pending: Vec<PendingRequest>,
    started: VecDeque<(String, ToolCall)>,
    /// The types of subagents, by id.
    subagents: HashMap<String, String>,
}

impl Permissions {
    pub(crate) fn subagent_started(&mut self, id: &str, agent_type: &str) {
        self.subagents.insert(id.to_owned(), agent_type.to_owned());
    }

    /// Called before a tool runs (PreToolUse). This event contains the tool call's id, which a request lacks.
    pub(crate) fn tool_started(&mut self, tool_use: &str, call: ToolCall) {
        self.started.push_back((tool_use.to_owned(), call));
        while self.started.len() > STARTED_MAX {
            self.started.pop_front();
        }
    }

    /// Adds a request (PermissionRequest) from the hook on the connection `asker`.
    pub(crate) fn ask(
        &mut self,
        asker: ClientId,
        call: ToolCall,
        suggestions: Vec<Value>,
        now: Timestamp,
    ) -> Card {
        let is_matched = |id: &String| self.pending.iter().any(|p| p.tool_use.as_ref() == Some(id));
        let tool_use = self
            .started
            .iter()
            .rev()
            .find(|(id, other)| *other == call && !is_matched(id))
            .map(|(id, _)| id.clone());
        let named = |id: String| self.subagents.get(&id).cloned().unwrap_or(id);
        let card = Card {
            id: format!("permission-{}", Uuid::new_v4().simple()),
            tool: call.tool,
            input: call.input,
            subagent: call.subagent.clone().map(named),
            lasting: lasting_rules(&suggestions),
            asked_at: now,
        };
        let of_subagent = call.subagent.is_some();
        self.pending.push(PendingRequest { card: card.clone(), asker, suggestions, tool_use, of_subagent });
        card
    }

    /// Removes the request that a client decided; `None` if it is no longer open.
    pub(crate) fn decide(&mut self, id: &str) -> Option<PendingRequest> {
        let at = self.pending.iter().position(|request| request.card.id == id)?;
        Some(self.pending.remove(at))
    }

    /// Withdraws the request for a tool call that has a result, no matter where it was allowed or refused.
    pub(crate) fn tool_finished(&mut self, tool_use: &str) -> Vec<(ClientId, Card)> {
        self.started.retain(|(id, _)| id != tool_use);
        self.take(|request| request.tool_use.as_deref() == Some(tool_use))
    }

    /// Withdraws the request of a hook that claude has abandoned.
    pub(crate) fn asker_left(&mut self, asker: ClientId) -> Vec<(ClientId, Card)> {
        self.take(|request| request.asker == asker)
    }

    /// Withdraws the main agent's requests when its turn is over, a prompt was submitted, or the session
    /// ended, because none of its dialogs can be open then.
    pub(crate) fn turn_over(&mut self) -> Vec<(ClientId, Card)> {
        self.take(|request| !request.of_subagent)
    }

    /// Withdraws all requests.
    pub(crate) fn all_over(&mut self) -> Vec<(ClientId, Card)> {
        self.take(|_| true)
    }

    /// The open requests, oldest first.
    pub(crate) fn cards(&self) -> impl Iterator<Item = &Card> {
        self.pending.iter().map(|request| &request.card)
    }

    fn take(&mut self, over: impl Fn(&PendingRequest) -> bool) -> Vec<(ClientId, Card)> {
        self.pending.extract_if(.., |request| over(request)).map(|over| (over.asker, over.card)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn call(tool: &str, input: serde_json::Value) -> ToolCall {
        let input = input.as_object().cloned().unwrap();
        ToolCall { prompt: Some("p".into()), tool: tool.into(), input, subagent: None }
    }

    fn now() -> Timestamp {
        chrono::DateTime::UNIX_EPOCH.fixed_offset()
    }

    fn askers(cards: Vec<(ClientId, Card)>) -> Vec<ClientId> {
        cards.into_iter().map(|(asker, _)| asker).collect()
    }

    #[test]
    fn a_decision_goes_to_the_hook_that_asked_and_only_once() {
        let mut permissions = Permissions::default();
        let card = permissions.ask(7, call("Write", json!({"a": 1})), vec![], now());
        assert_eq!(permissions.decide(&card.id).map(|decided| decided.asker), Some(7));
        assert_eq!(permissions.decide(&card.id), None);
    }

    #[test]
    fn a_result_withdraws_the_card_of_its_tool() {
        let mut permissions = Permissions::default();
        permissions.tool_started("t1", call("Write", json!({"file": "a"})));
        permissions.tool_started("t2", call("Write", json!({"file": "b"})));
        permissions.ask(1, call("Write", json!({"file": "b"})), vec![], now());
        assert_eq!(askers(permissions.tool_finished("t1")), [0u64; 0]);
        assert_eq!(askers(permissions.tool_finished("t2")), [1]);
    }

    #[test]
    fn two_equal_calls_are_two_cards_with_a_tool_each() {
        let mut permissions = Permissions::default();
        for id in ["t1", "t2"] {
            permissions.tool_started(id, call("Bash", json!({"command": "x"})));
        }
        permissions.ask(1, call("Bash", json!({"command": "x"})), vec![], now());
        permissions.ask(2, call("Bash", json!({"command": "x"})), vec![], now());
        assert_eq!(permissions.tool_finished("t1").len(), 1);
        assert_eq!(permissions.tool_finished("t2").len(), 1);
    }

    #[test]
    fn the_end_of_the_turn_withdraws_all_but_the_subagents() {
        let mut permissions = Permissions::default();
        permissions.ask(1, call("Bash", json!({})), vec![], now());
        permissions.ask(2, ToolCall { subagent: Some("a".into()), ..call("Bash", json!({})) }, vec![], now());
        assert_eq!(askers(permissions.turn_over()), [1]);
        assert_eq!(permissions.cards().count(), 1);
        assert_eq!(askers(permissions.all_over()), [2]);
    }

    #[test]
    fn a_subagent_is_named_and_no_id_is_used_twice() {
        let mut permissions = Permissions::default();
        permissions.subagent_started("a1", "code-reviewer");
        let asks = |id: &str| ToolCall { subagent: Some(id.into()), ..call("Bash", json!({})) };
        let named = permissions.ask(1, asks("a1"), vec![], now());
        let unnamed = permissions.ask(2, asks("a2"), vec![], now());
        assert_eq!(
            (named.subagent.as_deref(), unnamed.subagent.as_deref()),
            (Some("code-reviewer"), Some("a2"))
        );
        let of_another_host = Permissions::default().ask(1, asks("a1"), vec![], now());
        assert!(named.id != unnamed.id && named.id != of_another_host.id);
    }

    #[test]
    fn claudes_suggestions_are_shown_and_returned_unchanged() {
        let mut permissions = Permissions::default();
        let suggestion = json!({"type": "setMode", "mode": "acceptEdits", "destination": "session"});
        let card = permissions.ask(1, call("Write", json!({})), vec![suggestion.clone()], now());
        assert_eq!(card.lasting[0].rule, "Accept edits mode");
        assert_eq!(permissions.decide(&card.id).unwrap().suggestions, [suggestion]);
    }

    #[test]
    fn a_hook_that_claude_abandons_withdraws_its_card() {
        let mut permissions = Permissions::default();
        permissions.ask(1, call("Bash", json!({})), vec![], now());
        assert_eq!(askers(permissions.asker_left(2)), [0u64; 0]);
        assert_eq!(askers(permissions.asker_left(1)), [1]);
    }
}
