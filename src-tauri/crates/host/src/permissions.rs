//! Permission requests that wait for an answer, and how one is seen to have been answered elsewhere.
//!
//! Pure. Claude shows its own dialog beside our card and the first answer wins; the loser is told
//! nothing. A card goes when its tool has a result, when claude gives up on the hook, or when
//! something happens that cannot happen while a dialog is open.

use bc_claude::hooks::lasting_rules;
use bc_core::{Extra, Timestamp, mode::LastingRule};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{HashMap, VecDeque};
use uuid::Uuid;

/// How many started tools are remembered for finding a request's own.
const STARTED_MAX: usize = 256;

/// A request that waits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Card {
    /// Ours; answers name it. Never used again, by this host or another one.
    pub id: String,
    /// Which tool.
    pub tool: String,
    /// The tool's input.
    pub input: Extra,
    /// What the subagent that asks is called, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subagent: Option<String>,
    /// What claude suggests to allow for longer; empty where it suggests nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lasting: Vec<LastingRule>,
    /// Since when.
    pub asked_at: Timestamp,
}

/// What somebody decides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// The tool may run, this once.
    Allow,
    /// It may run, and claude's suggestions hold from now on.
    AllowAlways,
    /// It may not.
    Deny {
        /// Why; the model reads it.
        #[serde(default)]
        message: Option<String>,
    },
}

/// A request that was decided here.
#[derive(Debug, PartialEq)]
pub(crate) struct Decided {
    /// The connection to answer on.
    pub(crate) asker: u64,
    /// What was asked.
    pub(crate) card: Card,
    /// Claude's suggestions, each as it came.
    pub(crate) suggestions: Vec<Value>,
}

/// A tool call as a hook names it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Call {
    /// Claude's id of the prompt.
    pub prompt: Option<String>,
    /// Which tool.
    pub tool: String,
    /// Its input.
    pub input: Extra,
    /// The subagent, if it is one.
    pub subagent: Option<String>,
}

#[derive(Debug)]
struct Waiting {
    card: Card,
    /// The connection on which claude's hook waits.
    asker: u64,
    suggestions: Vec<Value>,
    tool_use: Option<String>,
    of_subagent: bool,
}

/// Every request that waits; see the module.
#[derive(Debug, Default)]
pub(crate) struct Permissions {
    waiting: Vec<Waiting>,
    started: VecDeque<(String, Call)>,
    /// What subagents are called, by their ids.
    subagents: HashMap<String, String>,
}

impl Permissions {
    /// A subagent of this type has begun.
    pub(crate) fn subagent_started(&mut self, id: &str, agent_type: &str) {
        self.subagents.insert(id.to_owned(), agent_type.to_owned());
    }

    /// A tool is about to run (PreToolUse): its id is what a request itself does not say.
    pub(crate) fn tool_started(&mut self, tool_use: &str, call: Call) {
        self.started.push_back((tool_use.to_owned(), call));
        while self.started.len() > STARTED_MAX {
            self.started.pop_front();
        }
    }

    /// A request (PermissionRequest) on the connection `asker`.
    pub(crate) fn ask(&mut self, asker: u64, call: Call, suggestions: Vec<Value>, now: Timestamp) -> Card {
        let taken = |id: &String| self.waiting.iter().any(|w| w.tool_use.as_ref() == Some(id));
        let tool_use = self
            .started
            .iter()
            .rev()
            .find(|(id, other)| *other == call && !taken(id))
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
        self.waiting.push(Waiting { card: card.clone(), asker, suggestions, tool_use, of_subagent });
        card
    }

    /// Somebody decided; `None` when the request is not there (any more).
    pub(crate) fn decide(&mut self, id: &str) -> Option<Decided> {
        let at = self.waiting.iter().position(|w| w.card.id == id)?;
        let Waiting { asker, card, suggestions, .. } = self.waiting.remove(at);
        Some(Decided { asker, card, suggestions })
    }

    /// A tool has a result, whoever allowed or refused it.
    pub(crate) fn tool_finished(&mut self, tool_use: &str) -> Vec<(u64, Card)> {
        self.started.retain(|(id, _)| id != tool_use);
        self.take(|w| w.tool_use.as_deref() == Some(tool_use))
    }

    /// Claude gave up on a hook.
    pub(crate) fn asker_left(&mut self, asker: u64) -> Vec<(u64, Card)> {
        self.take(|w| w.asker == asker)
    }

    /// The turn of the main agent is over, a prompt was submitted or the session ended: none of the
    /// main agent's dialogs can be open.
    pub(crate) fn turn_over(&mut self) -> Vec<(u64, Card)> {
        self.take(|w| !w.of_subagent)
    }

    /// Everything is over.
    pub(crate) fn all_over(&mut self) -> Vec<(u64, Card)> {
        self.take(|_| true)
    }

    /// The requests that wait, oldest first.
    pub(crate) fn cards(&self) -> impl Iterator<Item = &Card> {
        self.waiting.iter().map(|w| &w.card)
    }

    fn take(&mut self, over: impl Fn(&Waiting) -> bool) -> Vec<(u64, Card)> {
        self.waiting.extract_if(.., |w| over(w)).map(|w| (w.asker, w.card)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn call(tool: &str, input: serde_json::Value) -> Call {
        let input = input.as_object().cloned().unwrap();
        Call { prompt: Some("p".into()), tool: tool.into(), input, subagent: None }
    }

    fn now() -> Timestamp {
        chrono::DateTime::UNIX_EPOCH.fixed_offset()
    }

    fn ids(cards: Vec<(u64, Card)>) -> Vec<u64> {
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
    fn a_result_withdraws_the_card_of_its_own_tool() {
        let mut permissions = Permissions::default();
        permissions.tool_started("t1", call("Write", json!({"file": "a"})));
        permissions.tool_started("t2", call("Write", json!({"file": "b"})));
        permissions.ask(1, call("Write", json!({"file": "b"})), vec![], now());
        assert_eq!(ids(permissions.tool_finished("t1")), [0u64; 0]);
        assert_eq!(ids(permissions.tool_finished("t2")), [1]);
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
        permissions.ask(2, Call { subagent: Some("a".into()), ..call("Bash", json!({})) }, vec![], now());
        assert_eq!(ids(permissions.turn_over()), [1]);
        assert_eq!(permissions.cards().count(), 1);
        assert_eq!(ids(permissions.all_over()), [2]);
    }

    #[test]
    fn a_subagent_is_named_and_no_id_is_used_twice() {
        let mut permissions = Permissions::default();
        permissions.subagent_started("a1", "code-reviewer");
        let asks = |id: &str| Call { subagent: Some(id.into()), ..call("Bash", json!({})) };
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
    fn what_claude_suggests_is_shown_and_handed_back_as_it_came() {
        let mut permissions = Permissions::default();
        let suggestion = json!({"type": "setMode", "mode": "acceptEdits", "destination": "session"});
        let card = permissions.ask(1, call("Write", json!({})), vec![suggestion.clone()], now());
        assert_eq!(card.lasting[0].rule, "Accept edits mode");
        assert_eq!(permissions.decide(&card.id).unwrap().suggestions, [suggestion]);
    }

    #[test]
    fn a_hook_that_claude_gave_up_on_takes_its_card_along() {
        let mut permissions = Permissions::default();
        permissions.ask(1, call("Bash", json!({})), vec![], now());
        assert_eq!(ids(permissions.asker_left(2)), [0u64; 0]);
        assert_eq!(ids(permissions.asker_left(1)), [1]);
    }
}
