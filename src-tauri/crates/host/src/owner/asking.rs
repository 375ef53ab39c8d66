//! What claude asks a permission for: the cards of [`Permissions`](crate::permissions::Permissions), told
//! to subscribers and answered on the hook that waits.

use super::Owner;
use crate::{
    permissions::{Call, Card, Verdict},
    prompt_state::Fact,
    protocol::{Happening, Refused, RefusedCode},
    server::ClientId,
};
use bc_claude::hooks::{Answer, Decision};
use bc_core::timeline::Answered;
use serde_json::Value;

impl Owner {
    pub(super) fn on_permission_request(&mut self, id: ClientId, call: Call, suggestions: Vec<Value>) {
        if call.subagent.is_none() {
            self.prompt.apply(Fact::TurnGoesOn);
        }
        self.prompt.apply(Fact::PermissionAsked);
        let card = self.permissions.ask(id, call, suggestions, (self.now)());
        self.see_asked(&card);
        self.tell(Happening::PermissionAsked { card });
        self.on_screen_changed();
    }

    /// Somebody decided here.
    pub(super) fn decide(&mut self, id: &str, verdict: Verdict) -> Result<(), Refused> {
        let gone = || {
            Refused {
            code: RefusedCode::NotFound,
            message: "this permission request is not open any more: it was answered in the terminal or in another window"
                .to_owned(),
        }
        };
        let lasts = self.permissions.cards().find(|card| card.id == id).map(|card| !card.lasting.is_empty());
        if lasts == Some(false) && verdict == Verdict::AllowAlways {
            let message = "claude suggests no rule for this request; allow it once, or refuse it".to_owned();
            return Err(Refused { code: RefusedCode::State, message });
        }
        let decided = self.permissions.decide(id).ok_or_else(gone)?;
        let answer = match verdict {
            Verdict::Allow => Answered::Allow,
            Verdict::AllowAlways => Answered::Always,
            Verdict::Deny { .. } => Answered::Deny,
        };
        let decision = match verdict {
            Verdict::Allow => Decision::Allow { for_longer: Vec::new() },
            Verdict::AllowAlways => Decision::Allow { for_longer: decided.suggestions },
            Verdict::Deny { message } => Decision::Deny {
                message: message.unwrap_or_else(|| "The user refused this.".to_owned()),
                interrupt: false,
            },
        };
        self.answer_hook(decided.asker, &Answer::Permission(decision));
        self.permission_closed(decided.card, answer);
        Ok(())
    }

    /// These were decided elsewhere: their hooks get the answer that decides nothing.
    pub(super) fn withdraw(&mut self, cards: Vec<(ClientId, Card)>) {
        for (asker, card) in cards {
            self.answer_hook(asker, &Answer::Nothing);
            self.permission_closed(card, Answered::Elsewhere);
        }
    }

    fn permission_closed(&mut self, card: Card, answer: Answered) {
        self.see_answered(&card, answer);
        self.prompt.apply(Fact::PermissionClosed);
        self.tell(Happening::PermissionClosed { id: card.id });
    }
}
