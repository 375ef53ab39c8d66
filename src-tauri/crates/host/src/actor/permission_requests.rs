//! Claude's permission requests: the cards of [`Permissions`](crate::permissions::Permissions), published to
//! subscribers and answered on the waiting hook.

use super::SessionActor;
use crate::{
    client_id::ClientId,
    permissions::{Card, ToolCall, Verdict},
    prompt_state::Fact,
    protocol::{Happening, Refused, RefusedCode},
};
use bc_claude::hooks::{Answer, Decision};
use bc_core::{
    Extra,
    question::{self, PLANS},
    timeline::Answered,
};
use serde_json::{Value, json};

impl SessionActor {
    pub(super) fn on_permission_request(&mut self, id: ClientId, call: ToolCall, suggestions: Vec<Value>) {
        if call.subagent.is_none() {
            self.prompt.apply(Fact::TurnGoesOn);
        }
        self.prompt.apply(Fact::PermissionAsked);
        let card = self.permissions.ask(id, call, suggestions, (self.now)());
        self.record_permission_asked(&card);
        self.publish(Happening::PermissionAsked { card });
        self.on_screen_changed();
    }

    /// A client decided the request.
    pub(super) fn decide(&mut self, id: &str, verdict: Verdict) -> Result<(), Refused> {
        let gone = || {
            Refused {
            code: RefusedCode::NotFound,
            message: "this permission request is not open any more: it was answered in the terminal or in another window"
                .to_owned(),
        }
        };
        let card = self.permissions.cards().find(|card| card.id == id).ok_or_else(gone)?;
        let input = input_for(card, &verdict)?;
        let decided = self.permissions.decide(id).ok_or_else(gone)?;
        let answer = match verdict {
            Verdict::Allow | Verdict::Answers { .. } => Answered::Allow,
            Verdict::AllowAlways => Answered::Always,
            Verdict::Deny { .. } => Answered::Deny,
        };
        let decision = match verdict {
            Verdict::Allow | Verdict::Answers { .. } => {
                Decision::Allow { for_longer: after_plan(&decided.card), input }
            }
            Verdict::AllowAlways => Decision::Allow { for_longer: decided.suggestions, input },
            Verdict::Deny { message } => Decision::Deny {
                message: message.unwrap_or_else(|| "The user refused this.".to_owned()),
                interrupt: false,
            },
        };
        self.answer_hook(decided.asker, &Answer::Permission(decision));
        self.permission_closed(decided.card, answer);
        Ok(())
    }

    /// These requests were decided elsewhere: their hooks get the answer that decides nothing.
    pub(super) fn withdraw(&mut self, cards: Vec<(ClientId, Card)>) {
        for (asker, card) in cards {
            self.answer_hook(asker, &Answer::Nothing);
            self.permission_closed(card, Answered::Elsewhere);
        }
    }

    fn permission_closed(&mut self, card: Card, answer: Answered) {
        self.record_permission_answered(&card, answer);
        self.prompt.apply(Fact::PermissionClosed);
        self.publish(Happening::PermissionClosed { id: card.id });
    }
}

/// The input that an approval returns, where claude needs one.
///
/// # Errors
/// The verdict does not fit the request, which stays open.
fn input_for(card: &Card, verdict: &Verdict) -> Result<Option<Extra>, Refused> {
    let bad = |message: String| Err(Refused { code: RefusedCode::BadAnswer, message });
    let asked = question::questions(&card.tool, &card.input);
    match verdict {
        Verdict::Deny { .. } => Ok(None),
        Verdict::Answers { answers } => match question::answered(&card.tool, &card.input, answers) {
            Ok(input) => Ok(Some(input)),
            Err(error) => bad(error.to_string()),
        },
        Verdict::Allow | Verdict::AllowAlways if !asked.is_empty() => {
            bad(format!("claude asks {}; answer every question or deny the request", quoted(&asked)))
        }
        Verdict::AllowAlways if card.lasting.is_empty() => {
            bad("claude suggests no rule for this request; allow it once or deny it".to_owned())
        }
        Verdict::Allow | Verdict::AllowAlways => Ok((card.tool == PLANS).then(|| card.input.clone())),
    }
}

/// An approved plan is carried out in Manual. By default claude returns to the mode before Plan, which may be one
/// that was only passed on the way to Plan and that allows edits.
fn after_plan(card: &Card) -> Vec<Value> {
    match card.tool == PLANS {
        true => vec![json!({"type": "setMode", "mode": "default", "destination": "session"})],
        false => Vec::new(),
    }
}

fn quoted(questions: &[question::Question]) -> String {
    let all: Vec<String> = questions.iter().map(|question| format!("{:?}", question.text)).collect();
    all.join(" and ")
}
