//! What claude's hooks tell, and what they are answered.

use super::{Client, Owner};
use crate::{
    frame::Frame,
    hook::{self, HookCall},
    permissions::Card,
    prompt_state::{Fact, Source},
    protocol::Happening,
    scribe::Note,
    server::ClientId,
};
use bc_core::message::{Message, MessageKind};
use serde_json::Value;
use std::path::PathBuf;

impl Owner {
    pub(super) fn on_hook(&mut self, id: ClientId, event: String, index: usize, frame: &Frame) {
        // Input that is no JSON object is a hook call without fields.
        let call = HookCall::new(event, frame.json().unwrap_or(Value::Null));
        self.hooks_seen = true;
        let answer = match call.event.as_str() {
            "SessionStart" => Some(self.on_session_start(&call, index)),
            "PermissionRequest" => {
                self.on_permission_request(id, &call);
                None
            }
            _ => {
                self.on_plain_hook(&call);
                Some(hook::nothing())
            }
        };
        self.scribe.look();
        if let Some(answer) = answer {
            self.answer_hook(id, &answer);
        }
    }

    fn answer_hook(&self, id: ClientId, answer: &Value) {
        if let Some(Client { out, .. }) = self.clients.get(&id) {
            out.control(Frame::control(answer));
            out.close();
        }
    }

    fn on_session_start(&mut self, call: &HookCall, index: usize) -> Value {
        // Several entries of the same hook run at the same time; the first one speaks for all.
        if index == 0 {
            let source = match call.text("source") {
                Some("clear") => Source::Cleared,
                Some("compact") => Source::Compacted,
                _ => Source::Started,
            };
            self.prompt.apply(Fact::SessionStarted(source));
            if source != Source::Started {
                self.on_command_effect();
            }
            let withdrawn =
                if source == Source::Compacted { Vec::new() } else { self.permissions.turn_over() };
            self.withdraw(withdrawn);
            self.on_conversation(call);
            self.on_ready();
        }
        let Some(piece) = self.context.get(index).cloned() else { return hook::nothing() };
        let answer = hook::context(&piece.text);
        self.note(Note::Injected { source: piece.source, text: piece.text, at: (self.now)() });
        answer
    }

    fn on_conversation(&mut self, call: &HookCall) {
        let Some(id) = call.conversation() else { return };
        let transcript = call.text("transcript_path").map(str::to_owned);
        if id != self.conversation {
            self.conversation = id;
            self.tell(Happening::Conversation { id });
        }
        self.transcript = transcript.clone().or(self.transcript.take());
        self.note(Note::Conversation { id, transcript: transcript.map(PathBuf::from) });
    }

    fn on_plain_hook(&mut self, call: &HookCall) {
        let main = call.is_main();
        match call.event.as_str() {
            "UserPromptSubmit" => {
                self.prompt.apply(Fact::PromptSubmitted);
                let withdrawn = self.permissions.turn_over();
                self.withdraw(withdrawn);
                let prompt = call.text("prompt").unwrap_or_default().to_owned();
                self.on_prompt_submitted(&prompt);
                self.note(Note::Prompted(prompt));
            }
            "PreToolUse" => {
                if let Some(tool_use) = call.text("tool_use_id") {
                    self.permissions.tool_started(tool_use, call.call());
                }
                self.turn_goes_on(main);
            }
            "PostToolUse" | "PostToolUseFailure" | "PermissionDenied" => {
                if let Some(tool_use) = call.text("tool_use_id") {
                    let withdrawn = self.permissions.tool_finished(tool_use);
                    self.withdraw(withdrawn);
                }
                self.turn_goes_on(main);
            }
            "Stop" | "StopFailure" if main => {
                self.prompt.apply(Fact::TurnEnded);
                let withdrawn = self.permissions.turn_over();
                self.withdraw(withdrawn);
                self.note(Note::TurnOver);
            }
            "SessionEnd" => {
                self.prompt.apply(Fact::SessionEnded);
                let withdrawn = self.permissions.turn_over();
                self.withdraw(withdrawn);
            }
            "PreCompact" if call.text("trigger") == Some("manual") => self.on_command_effect(),
            "MessageDisplay" => self.tell(Happening::Delta {
                message_id: call.text("message_id").unwrap_or_default().to_owned(),
                index: call.number("index").unwrap_or(0),
                text: call.text("delta").unwrap_or_default().to_owned(),
                last: call.flag("final"),
            }),
            // Events that say nothing about the prompt, and those of versions to come.
            _ => {}
        }
    }

    fn turn_goes_on(&mut self, main: bool) {
        // A subagent in the background works while claude is at its prompt.
        if main {
            self.prompt.apply(Fact::TurnGoesOn);
        }
    }

    fn on_permission_request(&mut self, id: ClientId, call: &HookCall) {
        self.turn_goes_on(call.is_main());
        self.prompt.apply(Fact::PermissionAsked);
        let card = self.permissions.ask(id, call.call(), (self.now)());
        self.tell(Happening::PermissionAsked { card });
        self.on_screen_changed();
    }

    /// Somebody decided here; whether there was such a request.
    pub(super) fn decide(&mut self, id: &str, allow: bool, message: Option<&str>) -> bool {
        let Some((asker, card)) = self.permissions.decide(id) else { return false };
        self.answer_hook(asker, &hook::decision(allow, message));
        self.permission_closed(card);
        true
    }

    /// These were decided elsewhere: their hooks get the answer that decides nothing.
    pub(super) fn withdraw(&mut self, cards: Vec<(ClientId, Card)>) {
        for (asker, card) in cards {
            self.answer_hook(asker, &hook::nothing());
            self.permission_closed(card);
        }
    }

    fn permission_closed(&mut self, card: Card) {
        self.prompt.apply(Fact::PermissionClosed);
        self.tell(Happening::PermissionClosed { id: card.id });
    }

    /// A message is on disk: what it says of tools and of the turn counts as well, since a refusal in
    /// the terminal runs no hook.
    pub(super) fn on_message(&mut self, message: Message) {
        let answered = message.tool_calls.iter().flatten().filter(|call| call.output.is_some());
        let finished: Vec<String> = answered.filter_map(|call| call.id.clone()).collect();
        for tool_use in finished {
            let withdrawn = self.permissions.tool_finished(&tool_use);
            self.withdraw(withdrawn);
        }
        if message.kind == Some(MessageKind::Interrupted) && message.subagent.is_none() {
            self.prompt.apply(Fact::TurnInterrupted);
            let withdrawn = self.permissions.turn_over();
            self.withdraw(withdrawn);
            self.note(Note::TurnOver);
        }
        self.tell(Happening::Message { message: Box::new(message) });
    }
}
