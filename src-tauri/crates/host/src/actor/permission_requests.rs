//! Claude's permission requests: cards that are published to subscribers and answered through the waiting
//! hook.
//!
//! [`Permissions`] decides which requests are open. Invariant: each card is published, recorded and closed
//! exactly once, whether it is decided by a client or in claude's terminal.

use super::{
    activity::{permission_answered, permission_asked},
    effects::Effects,
};
use crate::{
    client_id::ClientId,
    permissions::{Card, Permissions, ToolCall, Verdict},
    prompt_state::{Fact, PromptState},
    protocol::{Happening, Refused, RefusedCode},
};
use bc_claude::hooks::{Answer, Decision};
use bc_core::{
    Extra, Timestamp,
    mode::PermissionMode,
    question::{self, PLANS},
    timeline::Answered,
};
use serde_json::{Value, json};

pub(super) struct PermissionRequests {
    permissions: Permissions,
    now: fn() -> Timestamp,
}

impl PermissionRequests {
    pub(super) fn new(now: fn() -> Timestamp) -> PermissionRequests {
        PermissionRequests { permissions: Permissions::default(), now }
    }

    /// The open requests, oldest first.
    pub(super) fn cards(&self) -> Vec<Card> {
        self.permissions.cards().cloned().collect()
    }

    pub(super) fn ask(
        &mut self,
        hook: ClientId,
        call: ToolCall,
        suggestions: Vec<Value>,
        prompt: &mut PromptState,
        effects: &mut Effects,
    ) {
        if call.subagent.is_none() {
            prompt.apply(Fact::TurnGoesOn);
        }
        prompt.apply(Fact::PermissionAsked);
        let at = (self.now)();
        let card = self.permissions.ask(hook, call, suggestions, at);
        effects.note(permission_asked(&card, at));
        effects.publish(Happening::PermissionAsked { card });
    }

    pub(super) fn decide(
        &mut self,
        id: &str,
        verdict: Verdict,
        prompt: &mut PromptState,
        effects: &mut Effects,
    ) -> Result<(), Refused> {
        let closed = || {
            let message = "this permission request is not open any more: it was answered in the terminal or in \
                           another window";
            Refused::new(RefusedCode::NotFound, message)
        };
        let card = self.permissions.cards().find(|card| card.id == id).ok_or_else(closed)?;
        let input = input_for(card, &verdict)?;
        let decided = self.permissions.decide(id).ok_or_else(closed)?;
        let plan_mode = match verdict {
            Verdict::Approve { mode } => mode,
            _ => PermissionMode::Manual,
        };
        let (answer, decision) = match verdict {
            Verdict::Allow | Verdict::Answers { .. } | Verdict::Approve { .. } => {
                let for_longer = after_plan(&decided.card, plan_mode);
                (Answered::Allow, Decision::Allow { for_longer, input })
            }
            Verdict::AllowAlways => {
                (Answered::Always, Decision::Allow { for_longer: decided.suggestions, input })
            }
            Verdict::Deny { message } => {
                let message = message.unwrap_or_else(|| "The user refused this.".to_owned());
                (Answered::Deny, Decision::Deny { message })
            }
        };
        effects.answer_hook(decided.asker, Answer::Permission(decision));
        self.close(decided.card, answer, prompt, effects);
        Ok(())
    }

    pub(super) fn subagent_started(&mut self, id: &str, agent_type: &str) {
        self.permissions.subagent_started(id, agent_type);
    }

    /// Called before a tool runs.
    pub(super) fn tool_started(&mut self, tool_use: &str, call: ToolCall) {
        self.permissions.tool_started(tool_use, call);
    }

    /// Called when a tool has a result, no matter where it was allowed or refused.
    pub(super) fn tool_finished(&mut self, tool_use: &str, prompt: &mut PromptState, effects: &mut Effects) {
        let cards = self.permissions.tool_finished(tool_use);
        self.withdraw(cards, prompt, effects);
    }

    /// Called when a hook's connection ends: claude does not wait for its answer any longer.
    pub(super) fn hook_left(&mut self, hook: ClientId, prompt: &mut PromptState, effects: &mut Effects) {
        let cards = self.permissions.asker_left(hook);
        self.withdraw(cards, prompt, effects);
    }

    /// Withdraws the main agent's requests, because none of its dialogs can be open now.
    pub(super) fn turn_over(&mut self, prompt: &mut PromptState, effects: &mut Effects) {
        let cards = self.permissions.turn_over();
        self.withdraw(cards, prompt, effects);
    }

    /// Withdraws all requests, because claude has exited.
    pub(super) fn all_over(&mut self, prompt: &mut PromptState, effects: &mut Effects) {
        let cards = self.permissions.all_over();
        self.withdraw(cards, prompt, effects);
    }

    /// Closes requests that were decided in claude's terminal or abandoned. Their hooks get an answer without a
    /// decision.
    fn withdraw(&self, cards: Vec<(ClientId, Card)>, prompt: &mut PromptState, effects: &mut Effects) {
        for (hook, card) in cards {
            effects.answer_hook(hook, Answer::Nothing);
            self.close(card, Answered::Elsewhere, prompt, effects);
        }
    }

    fn close(&self, card: Card, answer: Answered, prompt: &mut PromptState, effects: &mut Effects) {
        effects.note(permission_answered(&card, answer, (self.now)()));
        prompt.apply(Fact::PermissionClosed);
        effects.publish(Happening::PermissionClosed { id: card.id });
    }
}

/// Returns the tool input that claude needs with an approval, or `None` if it needs none.
///
/// # Errors
/// Fails if the verdict does not fit the request, which then stays open.
fn input_for(card: &Card, verdict: &Verdict) -> Result<Option<Extra>, Refused> {
    let bad = |message: String| Err(Refused::new(RefusedCode::BadAnswer, message));
    let asked = question::questions(&card.tool, &card.input);
    match verdict {
        Verdict::Deny { .. } => Ok(None),
        Verdict::Answers { answers } => question::answered(&card.tool, &card.input, answers)
            .map(Some)
            .or_else(|error| bad(error.to_string())),
        Verdict::Allow | Verdict::AllowAlways if !asked.is_empty() => {
            bad(format!("claude asks {}; answer every question or deny the request", quoted(&asked)))
        }
        Verdict::Approve { .. } if card.tool != PLANS => {
            bad("this request is not a plan; allow or deny it without a mode".to_owned())
        }
        Verdict::Approve { mode: PermissionMode::BypassPermissions | PermissionMode::Plan } => {
            bad("a plan can be carried out in Manual, Accept edits or Auto".to_owned())
        }
        Verdict::Approve { .. } => Ok(Some(card.input.clone())),
        Verdict::AllowAlways if card.lasting.is_empty() => {
            bad("claude suggests no rule for this request; allow it once or deny it".to_owned())
        }
        Verdict::Allow | Verdict::AllowAlways => Ok((card.tool == PLANS).then(|| card.input.clone())),
    }
}

/// Returns the suggestion that makes claude carry out an approved plan in this mode; empty for any other
/// tool. By default, claude returns to its mode before Plan. The user may not have chosen that mode, because
/// Shift+Tab passes through modes that allow edits on its way to Plan.
fn after_plan(card: &Card, mode: PermissionMode) -> Vec<Value> {
    let name = match mode {
        // Every version of claude accepts this name.
        PermissionMode::Manual => "default",
        mode => mode.as_str(),
    };
    match card.tool == PLANS {
        true => vec![json!({"type": "setMode", "mode": name, "destination": "session"})],
        false => Vec::new(),
    }
}

fn quoted(questions: &[question::Question]) -> String {
    let all: Vec<String> = questions.iter().map(|question| format!("{:?}", question.text)).collect();
    all.join(" and ")
}

#[cfg(test)]
mod tests {
    use super::{super::effects::Effect, *};
    use crate::prompt_state::{Activity, Source};

    fn now() -> Timestamp {
        chrono::DateTime::UNIX_EPOCH.fixed_offset()
    }

    struct Asked {
        requests: PermissionRequests,
        prompt: PromptState,
        effects: Effects,
        card: Card,
    }

    /// Hook 7 asks for permission to use this tool.
    fn asked(tool: &str, input: Value) -> Asked {
        let (mut requests, mut effects) = (PermissionRequests::new(now), Effects::default());
        let mut prompt = PromptState::new(false);
        prompt.apply(Fact::SessionStarted(Source::Started));
        let input = input.as_object().cloned().unwrap();
        let call = ToolCall { prompt: None, tool: tool.into(), input, subagent: None };
        requests.ask(7, call, Vec::new(), &mut prompt, &mut effects);
        let card = requests.cards().remove(0);
        assert!(matches!(&effects.take()[..], [Effect::Note(_), Effect::Publish(_)]));
        assert_eq!(prompt.activity(), Activity::WaitingPermission);
        Asked { requests, prompt, effects, card }
    }

    impl Asked {
        fn decide(&mut self, verdict: Verdict) -> Result<(), Refused> {
            self.requests.decide(&self.card.id, verdict, &mut self.prompt, &mut self.effects)
        }

        /// Returns the hook's answer, and checks that the card is recorded and closed.
        fn answer(&mut self) -> Answer {
            let mut all = self.effects.take();
            let closes = matches!(
                &all[1..],
                [Effect::Note(_), Effect::Publish(Happening::PermissionClosed { id })] if *id == self.card.id
            );
            assert!(closes, "{all:?}");
            let Effect::AnswerHook { hook: 7, answer, closes: true } = all.remove(0) else { panic!() };
            answer
        }
    }

    #[test]
    fn a_decision_is_answered_recorded_and_published_once() {
        let mut asked = asked("Bash", json!({"command": "ls"}));
        asked.decide(Verdict::Allow).unwrap();
        let answer = asked.answer();
        assert_eq!(answer, Answer::Permission(Decision::Allow { for_longer: Vec::new(), input: None }));
        assert_eq!(asked.prompt.activity(), Activity::Working);
        assert_eq!(asked.decide(Verdict::Allow).unwrap_err().code, RefusedCode::NotFound);
        assert!(asked.effects.take().is_empty());
    }

    #[test]
    fn a_verdict_that_does_not_fit_leaves_the_request_open() {
        let mut asked = asked("Bash", json!({"command": "ls"}));
        assert_eq!(asked.decide(Verdict::AllowAlways).unwrap_err().code, RefusedCode::BadAnswer);
        assert_eq!((asked.requests.cards().len(), asked.effects.take().len()), (1, 0));
    }

    #[test]
    fn an_approved_plan_is_carried_out_in_manual() {
        let mut asked = asked(PLANS, json!({"plan": "do it"}));
        asked.decide(Verdict::Allow).unwrap();
        let Answer::Permission(Decision::Allow { for_longer, input }) = asked.answer() else { panic!() };
        assert_eq!(
            (for_longer[0]["mode"].as_str(), input),
            (Some("default"), Some(asked.card.input.clone()))
        );
    }

    #[test]
    fn a_plan_is_carried_out_in_the_chosen_mode_and_nothing_else_has_one() {
        let mode = PermissionMode::AcceptEdits;
        let mut plan = asked(PLANS, json!({"plan": "do it"}));
        let bypass = Verdict::Approve { mode: PermissionMode::BypassPermissions };
        assert_eq!(plan.decide(bypass).unwrap_err().code, RefusedCode::BadAnswer);
        plan.decide(Verdict::Approve { mode }).unwrap();
        let Answer::Permission(Decision::Allow { for_longer, input }) = plan.answer() else { panic!() };
        assert_eq!(
            (for_longer[0]["mode"].as_str(), input),
            (Some("acceptEdits"), Some(plan.card.input.clone()))
        );
        let mut command = asked("Bash", json!({"command": "ls"}));
        assert_eq!(command.decide(Verdict::Approve { mode }).unwrap_err().code, RefusedCode::BadAnswer);
    }

    #[test]
    fn a_request_that_was_decided_elsewhere_gets_an_answer_without_a_decision() {
        let mut asked = asked("Bash", json!({"command": "ls"}));
        let Asked { requests, prompt, effects, .. } = &mut asked;
        requests.hook_left(8, prompt, effects);
        assert!(effects.take().is_empty(), "another hook");
        requests.turn_over(prompt, effects);
        assert_eq!(asked.answer(), Answer::Nothing);
    }
}
