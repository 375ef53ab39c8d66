//! Permission requests that wait for an answer, and how one is seen to have been answered elsewhere.
//!
//! Pure. Claude shows its own dialog beside our card and the first answer wins; the loser is told
//! nothing. A card goes when its tool has a result, when claude gives up on the hook, or when
//! something happens that cannot happen while a dialog is open.

use bc_core::Extra;
use bc_core::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// How many started tools are remembered for finding a request's own.
const STARTED_MAX: usize = 256;

/// A request that waits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Card {
    /// Ours; answers name it.
    pub id: String,
    /// Which tool.
    pub tool: String,
    /// The tool's input.
    pub input: Extra,
    /// The subagent that asks, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subagent: Option<String>,
    /// Since when.
    pub asked_at: Timestamp,
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
    tool_use: Option<String>,
}

/// Every request that waits; see the module.
#[derive(Debug, Default)]
pub(crate) struct Permissions {
    waiting: Vec<Waiting>,
    started: VecDeque<(String, Call)>,
    count: u64,
}

impl Permissions {
    /// A tool is about to run (PreToolUse): its id is what a request itself does not say.
    pub(crate) fn tool_started(&mut self, tool_use: &str, call: Call) {
        self.started.push_back((tool_use.to_owned(), call));
        while self.started.len() > STARTED_MAX {
            self.started.pop_front();
        }
    }

    /// A request (PermissionRequest) on the connection `asker`.
    pub(crate) fn ask(&mut self, asker: u64, call: Call, now: Timestamp) -> Card {
        self.count += 1;
        let taken = |id: &String| self.waiting.iter().any(|w| w.tool_use.as_ref() == Some(id));
        let tool_use = self
            .started
            .iter()
            .rev()
            .find(|(id, other)| *other == call && !taken(id))
            .map(|(id, _)| id.clone());
        let id = format!("permission-{}", self.count);
        let card = Card { id, tool: call.tool, input: call.input, subagent: call.subagent, asked_at: now };
        self.waiting.push(Waiting { card: card.clone(), asker, tool_use });
        card
    }

    /// Somebody decided: the connection to answer on, and the card; `None` when it is not there (any
    /// more).
    pub(crate) fn decide(&mut self, id: &str) -> Option<(u64, Card)> {
        let at = self.waiting.iter().position(|w| w.card.id == id)?;
        let waiting = self.waiting.remove(at);
        Some((waiting.asker, waiting.card))
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
        self.take(|w| w.card.subagent.is_none())
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
        let card = permissions.ask(7, call("Write", json!({"a": 1})), now());
        assert_eq!(permissions.decide(&card.id).map(|(asker, _)| asker), Some(7));
        assert_eq!(permissions.decide(&card.id), None);
    }

    #[test]
    fn a_result_withdraws_the_card_of_its_own_tool() {
        let mut permissions = Permissions::default();
        permissions.tool_started("t1", call("Write", json!({"file": "a"})));
        permissions.tool_started("t2", call("Write", json!({"file": "b"})));
        permissions.ask(1, call("Write", json!({"file": "b"})), now());
        assert_eq!(ids(permissions.tool_finished("t1")), [0u64; 0]);
        assert_eq!(ids(permissions.tool_finished("t2")), [1]);
    }

    #[test]
    fn two_equal_calls_are_two_cards_with_a_tool_each() {
        let mut permissions = Permissions::default();
        for id in ["t1", "t2"] {
            permissions.tool_started(id, call("Bash", json!({"command": "x"})));
        }
        permissions.ask(1, call("Bash", json!({"command": "x"})), now());
        permissions.ask(2, call("Bash", json!({"command": "x"})), now());
        assert_eq!(permissions.tool_finished("t1").len(), 1);
        assert_eq!(permissions.tool_finished("t2").len(), 1);
    }

    #[test]
    fn the_end_of_the_turn_withdraws_all_but_the_subagents() {
        let mut permissions = Permissions::default();
        permissions.ask(1, call("Bash", json!({})), now());
        permissions.ask(2, Call { subagent: Some("a".into()), ..call("Bash", json!({})) }, now());
        assert_eq!(ids(permissions.turn_over()), [1]);
        assert_eq!(permissions.cards().count(), 1);
        assert_eq!(ids(permissions.all_over()), [2]);
    }

    #[test]
    fn a_hook_that_claude_gave_up_on_takes_its_card_along() {
        let mut permissions = Permissions::default();
        permissions.ask(1, call("Bash", json!({})), now());
        assert_eq!(ids(permissions.asker_left(2)), [0u64; 0]);
        assert_eq!(ids(permissions.asker_left(1)), [1]);
    }
}
